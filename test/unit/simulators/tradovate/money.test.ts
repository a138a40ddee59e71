import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HANGS_AFTER_MS, waitUntil } from "../../../support/wait.ts";
import { type Json, TestClient, type TestSocket } from "./test-client.ts";

/** A Tuesday in Chicago, an hour before its trade day ends. */
const BEFORE_TURN = Date.parse("2026-11-24T22:00:00Z");
const HOUR_MS = 3_600_000;

let client: TestClient;
let socket: TestSocket;

beforeEach(async () => {
  client = await TestClient.start();
  await client.control({ knob: "setClock", at: BEFORE_TURN });
  await client.quote(6_850);
  await client.logIn();
  socket = await client.sync();
});
afterEach(() => client.close());

const snapshot = () =>
  client.post("cashBalance/getcashbalancesnapshot", { accountId: client.accountId });
const balance = async () => (await client.list("cashBalance"))[0];
const told = (type: string) => socket.props.filter(({ entityType }) => entityType === type);
const toldCash = () =>
  told("cashBalance").filter(({ entity }) => entity["accountId"] === client.accountId);
const set = (values: Json) => client.control({ knob: "set", ...values });
const PARTS = { clearing: 0.1, exchange: 1.38, nfa: 0.02, brokerage: 0.2, ip: 0.3 };
const FEE = {
  clearingFee: 0.2,
  exchangeFee: 2.76,
  nfaFee: 0.04,
  brokerageFee: 0.4,
  ipFee: 0.6,
  commission: 1,
  orderRoutingFee: 0.5,
};

describe("the fee of a fill", () => {
  beforeEach(() => set({ commission: 0.5, fees: { ...PARTS, orderRouting: 0.25 } }));

  test("has all parts, for each contract, and leaves the cash", async () => {
    await client.place({ orderQty: 2 });
    const [fill] = await client.list("fill");
    const [fee] = await client.list("fillFee");
    expect(fee).toMatchObject({ id: fill?.["id"], brokerageCurrencyId: 1 });
    for (const [part, cost] of Object.entries(FEE)) expect(fee?.[part]).toBeCloseTo(cost);
    expect((await balance())?.["amount"]).toBeCloseTo(50_000 - 5.5);
    expect(await balance()).toMatchObject({ realizedPnL: 0 });
    await socket.settle();
    expect(told("fillFee")).toHaveLength(1);
    expect(toldCash()).toHaveLength(1);
  });

  test("comes late", async () => {
    await set({ feeDelayMs: HANGS_AFTER_MS });
    await client.place();
    expect(await client.list("fillFee")).toEqual([]);
    expect(await balance()).toMatchObject({ amount: 50_000 });
    await set({ feeDelayMs: 50 });
    await client.place();
    await waitUntil("it has come", () => told("fillFee").length === 1);
  });

  test("is never told, and left out of the cash or not", async () => {
    await set({ tellsFees: false });
    await client.place({ orderQty: 2 });
    expect(await client.list("fillFee")).toEqual([]);
    expect((await balance())?.["amount"]).toBeCloseTo(50_000 - 5.5);
    await set({ feesLeaveCash: false });
    await client.place({ orderQty: 2 });
    expect((await balance())?.["amount"]).toBeCloseTo(50_000 - 5.5);
  });
});

describe("the cash", () => {
  test("begins a new day at 17:00 in Chicago, and a new week after the weekend", async () => {
    await client.place();
    await client.place({ action: "Sell" });
    const tradeDate = { year: 2026, month: 11, day: 24 };
    const lost = { amount: 49_987.5, weekRealizedPnL: -12.5 };
    expect(await balance()).toMatchObject({ ...lost, realizedPnL: -12.5, tradeDate });

    await client.control({ knob: "advance", ms: HOUR_MS });
    const next = { tradeDate: { ...tradeDate, day: 25 }, realizedPnL: 0, amountSOD: 49_987.5 };
    expect(await balance()).toMatchObject({ ...lost, ...next });
    await socket.settle();
    expect(toldCash().at(-1)?.entity).toMatchObject(next);
    expect(await snapshot()).toMatchObject({ realizedPnL: 0, weekRealizedPnL: -12.5 });

    await client.control({ knob: "setClock", at: Date.parse("2026-11-28T00:00:00Z") });
    const monday = { tradeDate: { ...tradeDate, day: 30 }, weekRealizedPnL: 0 };
    expect((await client.logIn())["accessToken"]).toEqual(expect.any(String));
    expect(await balance()).toMatchObject(monday);
  });

  test("may stay at the day before until something happens to it", async () => {
    await set({ cashDay: "lingers" });
    await client.place();
    await client.place({ action: "Sell" });
    await client.control({ knob: "advance", ms: HOUR_MS });
    expect(await balance()).toMatchObject({ realizedPnL: -12.5, tradeDate: { day: 24 } });
    await client.place();
    await client.place({ action: "Sell" });
    expect(await balance()).toMatchObject({
      realizedPnL: -12.5,
      weekRealizedPnL: -25,
      tradeDate: { day: 25 },
    });
  });

  test("may be other than what trading made of it, told or untold", async () => {
    await client.control({ knob: "cash", account: "joe-1", by: -100 });
    await client.control({ knob: "cash", account: "joe-1", by: -50, isTold: false });
    expect(await balance()).toMatchObject({ amount: 49_850 });
    await socket.settle();
    expect(toldCash().map(({ entity }) => entity["amount"])).toEqual([49_900]);
  });

  test("may be other in its snapshot than in its balance", async () => {
    await set({ snapshotDiffersBy: 7.5 });
    expect(await snapshot()).toMatchObject({ totalCashValue: 50_007.5, netLiq: 50_007.5 });
    expect(await balance()).toMatchObject({ amount: 50_000 });
  });
});

test("the margin is set by hand, told, and in both snapshots", async () => {
  const margin = { initialMargin: 15_000, maintenanceMargin: 13_500 };
  await client.control({ knob: "margin", account: "joe-1", ...margin, totalUsedMargin: 15_000 });
  await socket.settle();
  expect(told("marginSnapshot").at(-1)?.entity).toMatchObject(margin);
  expect(await snapshot()).toMatchObject(margin);
  const { d } = await socket.ask("user/syncrequest", { users: [client.userId] });
  expect((d as { marginSnapshots: readonly Json[] }).marginSnapshots[0]).toMatchObject(margin);
});
