// The goal: whatever form an exit has and whatever its broker answers, the position keeps its stop or is closed,
// the sender hears what is true, and in the end all of it is flat, once. The method: every form over HTTP at a
// broker in a process of its own, which refuses closes, cuts off or keeps its answer to itself.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BrokerCapabilities } from "../../../src/brokers/broker-adapter.ts";
import { accountId } from "../../../src/domain/ids.ts";
import { isClosed } from "../../../src/domain/order.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import type { ExchangeOp } from "../../simulators/exchange/wire.ts";
import type { ExchangeGateway } from "../../support/exchange-gateway.ts";
import { frontMonth } from "../../support/gateway.ts";
import { postAlert, type Reply } from "../../support/http-client.ts";
import { shareConnections } from "../../support/shared-gateway.ts";
import { made, untilTaken, waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES");
const BID = 27_400;
const HELD = 2;

const BROKERS: Readonly<Record<string, Partial<BrokerCapabilities>>> = {
  "that links exits": {},
  "that ends one exit by one cancel": { cancelEndsLinkedLeg: false },
  "that links no exits": { nativeOco: false, cancelEndsLinkedLeg: false },
};

const alert = (message: object) => ({ message });
/** Each form that docs/alerts.md and docs/api.md name, and the contracts that it leaves. */
const FORMS: Readonly<Record<string, { readonly message?: object; readonly left?: number }>> = {
  flat: alert({ action: "flat" }),
  "flat of a symbol": alert({ action: "flat", symbol: "ES1!" }),
  close: alert({ action: "close", symbol: "ES1!" }),
  exit: alert({ action: "exit" }),
  "a target of nothing": alert({ position: 0, symbol: "ES1!" }),
  "a part": { message: { action: "reduce", symbol: "ES1!", qty: 1 }, left: 1 },
  "all by percent": alert({ action: "reduce", symbol: "ES1!", percent: 100 }),
  "DELETE positions": {},
};

const CLOSES: readonly ExchangeOp[] = ["closePosition", "submitOrder"];

let simulator: ExchangeSimulator;
beforeAll(async () => {
  simulator = await startExchangeSimulator();
});
afterAll(() => simulator.stop());

describe.each(Object.entries(BROKERS))("at a broker %s", (_, capabilities) => {
  const situations = 3;
  const next = shareConnections(
    () => simulator,
    Object.keys(FORMS).length * situations,
    capabilities,
  );

  /** Two are held with a stop and a target; the form is sent as its user would send it. */
  async function hold(form: { readonly message?: object }) {
    const gateway = next();
    await gateway.quote(ES, BID);
    const bracket = { stopLoss: { ticks: 40 }, takeProfit: { ticks: 80 } };
    const order = { symbol: "ES1!", action: "buy", qty: HELD, type: "market", bracket };
    await made(() => gateway.post("orders", order));
    const { message } = form;
    if (message === undefined) {
      return { gateway, ask: () => untilTaken(() => gateway.delete("positions")) };
    }
    const webhook = { accountId: gateway.account };
    const { url } = await made(() => gateway.api.post("/v1/webhooks", webhook));
    return { gateway, ask: () => untilTaken(() => postAlert(url, message)) };
  }

  const refuse = async (gateway: ExchangeGateway, ops: readonly ExchangeOp[], times: number) => {
    const account = accountId(gateway.account);
    await simulator.control({ knob: "refuseNext", account, ops, times });
  };

  const heldBy = async (gateway: ExchangeGateway): Promise<number> =>
    ((await gateway.broker())?.positions ?? []).reduce((sum, { netQty }) => sum + netQty, 0);

  async function stopsOf(gateway: ExchangeGateway): Promise<number> {
    const orders = (await gateway.broker())?.workingOrders ?? [];
    const stops = orders.filter(
      ({ stopPx, ordStatus }) => stopPx !== undefined && !isClosed(ordStatus),
    );
    return stops.reduce((sum, { leavesQty }) => sum + leavesQty, 0);
  }

  /** All that was to be closed is, once, and exits are there for the rest alone. */
  async function untilDone(gateway: ExchangeGateway, left: number): Promise<void> {
    await waitUntil(`${left} are left`, async () => (await heldBy(gateway)) === left);
    await waitUntil("its stops are for these", async () => (await stopsOf(gateway)) === left);
    const fills = (await gateway.broker())?.fills ?? [];
    const sold = fills.filter(({ side }) => side === "SELL");
    expect(sold.reduce((sum, { lastQty }) => sum + lastQty, 0)).toBe(HELD - left);
  }

  async function untilSettled(gateway: ExchangeGateway, reply: Reply): Promise<string> {
    const id = reply.body.intentId ?? reply.body.error?.intentId;
    let state = "";
    await waitUntil("it has ended", async () => {
      ({ state } = (await gateway.get(`intents/${id}`)).body);
      return !["prepared", "sending", "unknown", "unfinished", "held"].includes(state);
    });
    return state;
  }

  test.concurrent.each(Object.entries(FORMS))("%s is done at once", async (_form, form) => {
    const { gateway, ask } = await hold(form);
    const reply = await ask();
    expect([reply.status, reply.text]).toEqual([200, reply.text]);
    await untilDone(gateway, form.left ?? 0);
  });

  test.concurrent.each(Object.entries(FORMS))("%s that is refused goes on", async (_form, form) => {
    const { gateway, ask } = await hold(form);
    // The exits that are given back are not refused.
    await refuse(gateway, form.left === undefined ? ["closePosition"] : CLOSES, 1);
    const reply = await ask();
    expect([reply.status, reply.body.outcome, reply.text]).toEqual([202, "unfinished", reply.text]);
    // Within a second it may be tried again already.
    expect([await stopsOf(gateway), await heldBy(gateway)]).toSatisfy(
      ([stops, held]: number[]) => held !== HELD || stops === HELD,
    );
    await untilDone(gateway, form.left ?? 0);
    expect(await untilSettled(gateway, reply)).toBe("done");
  });

  test.concurrent.each(Object.entries(FORMS))(
    "%s whose answer is lost is not doubled",
    async (_form, form) => {
      const { gateway, ask } = await hold(form);
      await gateway.loseNextAnswer({ isCarriedOut: true });
      const reply = await ask();
      const isOpen = reply.status === 202 || reply.status === 500;
      expect([isOpen || reply.status === 200, reply.text]).toEqual([true, reply.text]);
      await untilDone(gateway, form.left ?? 0);
      expect(await untilSettled(gateway, reply)).toBe("done");
    },
  );
});
