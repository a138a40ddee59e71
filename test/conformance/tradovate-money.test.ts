import { expect, test } from "vitest";
import { minor } from "../../src/domain/money.ts";
import type { BrokerBalance } from "../../src/trading/money/ports.ts";
import { BrokerReadError } from "../../src/trading/ports.ts";
import { waitUntil } from "../support/wait.ts";
import { tradovateCases, type TradovateCase } from "./tradovate-case.ts";

const { prepared, connected, wire } = tradovateCases();

const SNAPSHOT = "cashbalance/getcashbalancesnapshot";

const read = ({ trader }: TradovateCase): Promise<readonly BrokerBalance[] | undefined> =>
  trader.adapter.balances?.(trader.broker.account) ?? Promise.resolve(undefined);

/** How often the broker was asked what one of the user's accounts is worth. */
async function questions({ broker }: TradovateCase): Promise<number> {
  const answers = (await wire()).filter(({ dir, user }) => dir === "out" && user === broker.user);
  return answers.filter(({ path }) => path?.toLowerCase().endsWith(SNAPSHOT)).length;
}

/** A tick of ES is 12.50. */
const TICK = 1_250;

test.concurrent("what an account is worth is told by the cent, open positions and margins included", async () => {
  const begunAt = Date.now();
  const given = await connected();
  const { trader, broker, turn } = given;
  const account = `${broker.user}-1`;
  const [flat] = (await read(given)) ?? [];
  expect(flat).toMatchObject({ currency: "USD", openPnl: 0, realizedPnl: 0, initialMargin: 0 });
  const cash = flat?.cash ?? minor(NaN);
  expect(flat?.netLiquidation).toBe(cash);
  await turn({ knob: "margin", account, initialMargin: 1_234.56, maintenanceMargin: 1_000.1 });
  await trader.place({ orderQty: 2 });
  await trader.waitForPosition(2);
  await trader.market(996, 997);
  await waitUntil("the loss is told", async () => ((await read(given))?.[0]?.openPnl ?? 0) < 0);
  const [held] = (await read(given)) ?? [];
  expect(held).toMatchObject({
    cash,
    openPnl: -3 * 2 * TICK,
    netLiquidation: cash - 3 * 2 * TICK,
    initialMargin: 123_456,
    maintenanceMargin: 100_010,
    marginExcess: cash - 3 * 2 * TICK - 123_456,
  });
  expect(held?.at).toBeGreaterThan(begunAt - 1_000);
  expect(held?.at).toBeLessThanOrEqual(Date.now() + 1_000);
});

test.concurrent("who may not ask is told the cash by itself, and no order is kept from going", async () => {
  const given = await prepared();
  const { trader, broker, fault, turn } = given;
  await fault({ kind: "status", status: 401, body: "Access is denied" }, SNAPSHOT, 1_000);
  await trader.connect();
  await trader.market(999, 1_000);
  const [first] = (await read(given)) ?? [];
  expect(first).not.toHaveProperty("netLiquidation");
  expect(first?.cash).toBeGreaterThan(0);
  await turn({ knob: "cash", account: `${broker.user}-1`, by: 1.11 });
  const cash = (first?.cash ?? 0) + 111;
  await waitUntil("the cash follows", async () => (await read(given))?.[0]?.cash === cash);
  await trader.place();
  await trader.waitForPosition(1);
  for (let n = 0; n < 20; n += 1) await read(given);
  expect(await questions(given)).toBe(1);
  expect(trader.isWhole).toBe(true);
});

test.concurrent("two accounts that hold something are asked about in turn, within half of the budget", async () => {
  const given = await connected();
  const { trader, broker } = given;
  for (const account of [broker.account, broker.otherAccount]) {
    await trader.adapter.submitOrder(account, trader.order());
    await waitUntil("it is held", async () => (await trader.netQty(account)) === 1);
  }
  const begunAt = performance.now();
  const heard = new Set<string>();
  const timesOf = (account: string) => [...heard].filter((one) => one.startsWith(account)).length;
  await waitUntil("each was asked about twice", async () => {
    for (const account of [broker.account, broker.otherAccount]) {
      const [balance] = (await trader.adapter.balances?.(account)) ?? [];
      heard.add(`${account} ${balance?.at}`);
    }
    const isTwice = timesOf(broker.account) >= 2 && timesOf(broker.otherAccount) >= 2;
    return isTwice && (await questions(given)) >= 4;
  });
  const asked = await questions(given);
  expect(asked).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - begunAt) / 1_440));
});

test.concurrent("a fill says its trading day, and what it cost as soon as that is told", async () => {
  const given = await prepared();
  const { trader, set } = given;
  await set({ commission: 1.25, fees: { exchange: 0.4 }, feeDelayMs: 300 });
  await trader.connect();
  await trader.market(999, 1_000);
  const { orderId } = await trader.place({ orderQty: 2 });
  const report = await trader.waitForReport(orderId, "TRADE");
  expect(report.fill).not.toHaveProperty("fee");
  expect(report.fill?.tradeDay).toMatch(/^20\d\d-\d\d-\d\d$/);
  await waitUntil("the fee is told", () => trader.toldAgain.length > 0);
  expect(trader.toldAgain.map((told) => told.report)).toMatchObject([
    {
      execType: "RESTATED",
      order: { orderId, ordStatus: "FILLED", cumQty: 2 },
      fill: { ...report.fill, fee: "3.30", feeCurrency: "USD" },
    },
  ]);
  const fills = await trader.adapter.fills(trader.broker.account, 0);
  expect(fills).toEqual([trader.toldAgain[0]?.report.fill]);
});

test.concurrent("outside a session nothing is told of money", async () => {
  const given = await connected();
  await given.trader.disconnect();
  await expect(read(given)).rejects.toBeInstanceOf(BrokerReadError);
});
