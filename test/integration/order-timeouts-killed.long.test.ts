// The goal: an entry whose time is over goes at the market exactly once, wherever kill -9 meets the gateway.
// The method: the real program on a home of its own, killed while the Tradovate simulator, a process of its
// own, has carried out a command of which the gateway has not heard the answer yet.
import { expect, test, type TestContext } from "vitest";
import { frontMonth } from "../support/front-month.ts";
import { GatewayMachine, type GatewayProcess } from "../support/gateway-process.ts";
import { waitUntil } from "../support/wait.ts";
import type { PlannedFault } from "../simulators/tradovate/faults.ts";
import { startTradovateSimulator } from "../simulators/tradovate/start.ts";

const ES = frontMonth("ES").code;
const BID = 27_400;
const CANCEL = "order/cancelorder";
const PLACE = "order/placeorder";
const BRACKET = { takeProfit: { ticks: 4000 }, stopLoss: { ticks: 4000 } };

/** Long enough for a busy machine to do something to an entry before its time is over. */
const AFTER_SECONDS = 10;

interface Entry {
  readonly then: "cancel" | "market";
  readonly bracket?: object;
  /** Faults that are planned before the entry is placed. */
  readonly faults?: readonly PlannedFault[];
}

/** A gateway with one Tradovate account, and an entry of three that rests far below the market. */
async function open({ onTestFinished }: TestContext, { then, faults = [], ...more }: Entry) {
  const simulator = await startTradovateSimulator();
  onTestFinished(simulator.stop);
  await simulator.control({ knob: "user", name: "joe", password: "any", accounts: 1 });
  await simulator.control({ knob: "quote", contract: ES, bid: BID, ask: BID + 1 });
  const machine = await GatewayMachine.create({
    ALLOW_LOCAL_BROKERS: "true",
    // A busy machine may need a while for a start.
    ENTRY_MAX_AGE_SECONDS: "120",
  });
  onTestFinished(machine.stop);
  const gateway = await machine.start();
  const { url: restUrl, wsUrl, mdUrl } = simulator;
  const login = { name: "joe", cid: "8", password: "any", sec: "any", appId: "any" };
  const added = await machine.api.post("/v1/connections", {
    broker: "tradovate",
    environment: "demo",
    settings: { ...login, restUrl, wsUrl, mdUrl },
  });
  expect(added.status).toBe(201);
  const isUp = async () =>
    (await machine.api.get("/v1/connections/tradovate-1")).body.status === "CONNECTED";
  await waitUntil("the connection is up", isUp);
  const { body } = await machine.api.get("/v1/accounts");
  const accounts = body.accounts as { id: string; broker: string }[];
  const account = accounts.find(({ broker }) => broker === "tradovate")?.id ?? "";
  for (const fault of faults) await simulator.control({ knob: "fault", ...fault });
  const placed = await machine.api.post(`/v1/accounts/${account}/orders`, {
    symbol: "ES1!",
    action: "buy",
    qty: 3,
    type: "limit",
    limitPrice: (BID - 400) / 4,
    timeout: { afterSeconds: AFTER_SECONDS, then },
    ...more,
  });
  expect([placed.status, placed.body.error]).toEqual([201, undefined]);
  return { simulator, machine, gateway, account };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function ownOf({ simulator }: Opened) {
  const [own] = Object.values((await simulator.state()).accounts);
  const held = (own?.positions ?? []).map(({ netQty }) => netQty).filter((qty) => qty !== 0);
  const working = (own?.workingOrders ?? []).map(({ leavesQty }) => leavesQty);
  return { held, working };
}

const submitted = async ({ simulator }: Opened) =>
  (await simulator.log()).filter(
    ({ op, outcome }) => op === "submitOrder" && outcome === "accepted",
  ).length;

async function killed(gateway: GatewayProcess, machine: GatewayMachine): Promise<GatewayProcess> {
  gateway.signal("SIGKILL");
  await gateway.ended;
  return await machine.start();
}

/** Nothing is open, and nothing else comes for a while. */
async function waitForRest({ machine, account }: Opened): Promise<void> {
  const path = `/v1/accounts/${account}/intents?state=unsettled`;
  const isAtRest = async () => {
    const { status, body } = await machine.api.get(path);
    return status === 200 && (body.intents as unknown[]).length === 0;
  };
  await waitUntil("nothing is open", isAtRest);
  await new Promise((resolve) => setTimeout(resolve, 7_000));
  await waitUntil("nothing is open still", isAtRest);
}

// Each mostly waits for processes of its own.
test.concurrent("killed between the cancel and the order at the market, it sends that one once", async (context) => {
  const opened = await open(context, {
    then: "market",
    bracket: BRACKET,
    // The cancel is carried out at once, and answered after the gateway was killed.
    faults: [{ endpoint: CANCEL, fault: { kind: "delay", ms: 20_000 } }],
  });
  const { simulator, gateway, machine } = opened;
  await simulator.control({ knob: "set", losesEvents: ["order", "executionReport"] });
  await waitUntil("it is cancelled", async () => (await ownOf(opened)).working.length === 0);
  gateway.signal("SIGKILL");
  await gateway.ended;
  expect([await submitted(opened), (await ownOf(opened)).held]).toEqual([1, []]);
  await simulator.control({ knob: "reset" });

  await machine.start();
  await waitUntil("it is held", async () => (await ownOf(opened)).held[0] === 3);
  await waitForRest(opened);
  expect((await ownOf(opened)).held).toEqual([3]);
  expect((await ownOf(opened)).working).toEqual([3, 3]);
  expect(await submitted(opened)).toBe(2);
});

test.concurrent("killed while it cancels, it cancels and sends once", async (context) => {
  const opened = await open(context, {
    then: "market",
    faults: [{ endpoint: CANCEL, fault: { kind: "silence", isCarriedOut: false } }],
  });
  const { simulator, gateway, machine } = opened;
  const asked = async () =>
    (await simulator.wire()).some((entry) => JSON.stringify(entry).includes(CANCEL));
  await waitUntil("it was asked to cancel", asked);
  await killed(gateway, machine);
  await waitUntil("it is held", async () => (await ownOf(opened)).held[0] === 3);
  await waitForRest(opened);
  expect((await ownOf(opened)).held).toEqual([3]);
  expect(await submitted(opened)).toBe(2);
});

test.concurrent("killed before it heard of its order at the market, it sends no other one", async (context) => {
  const opened = await open(context, {
    then: "market",
    // The entry itself is the first one there, and comes through.
    faults: [0, 20_000].map((ms) => ({ endpoint: PLACE, fault: { kind: "delay", ms } })),
  });
  const { simulator, gateway, machine } = opened;
  await waitUntil("it is held", async () => (await ownOf(opened)).held[0] === 3);
  gateway.signal("SIGKILL");
  await gateway.ended;
  await simulator.control({ knob: "reset" });
  await machine.start();
  await waitForRest(opened);
  expect((await ownOf(opened)).held).toEqual([3]);
  expect(await submitted(opened)).toBe(2);
});

test.concurrent("killed before it is due, it is ended by the next start", async (context) => {
  const opened = await open(context, { then: "cancel" });
  const { gateway, machine } = opened;
  await killed(gateway, machine);
  await waitUntil("it is cancelled", async () => (await ownOf(opened)).working.length === 0);
  await waitForRest(opened);
  expect([await submitted(opened), (await ownOf(opened)).held]).toEqual([1, []]);
});
