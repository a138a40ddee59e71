import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../../support/wait.ts";
import { type Json, TestClient, type TestSocket } from "./test-client.ts";

/** A Tuesday in Chicago, an hour before its trade day ends. */
const BEFORE_TURN = Date.parse("2026-11-24T22:00:00Z");
/** From then into the next one, while the token lives. */
const INTO_NEXT_MS = 61 * 60_000;

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

const risk = (change: { settings?: Json | null; status?: Json | null; isTold?: boolean }) =>
  client.control({ knob: "risk", account: "joe-1", ...change });
const deps = (type: string) => client.get(`${type}/deps?masterid=${client.accountId}`);
const settings = () => deps("userAccountAutoLiq");
const status = () => deps("accountRiskStatus");
const told = (type: string) => socket.props.filter(({ entityType }) => entityType === type);
const isLocked = async () => {
  const [row] = (await status()) as unknown as readonly Json[];
  return row?.["userTriggeredLiqOnly"] === true && row["liquidateOnly"] !== undefined;
};

describe("what an account is held to", () => {
  test("is listed under it, changed by an event, and without what was taken away", async () => {
    const id = client.accountId;
    expect(await settings()).toEqual([{ id }]);
    expect(await status()).toEqual([{ id, adminAction: "Normal" }]);
    await risk({ settings: { dailyLossAutoLiq: 500, changesLocked: true } });
    await risk({ settings: { changesLocked: null } });
    expect(await settings()).toEqual([{ id, dailyLossAutoLiq: 500 }]);
    await socket.settle();
    expect(told("userAccountAutoLiq").map(({ eventType, entity }) => [eventType, entity])).toEqual([
      ["Updated", { id, dailyLossAutoLiq: 500, changesLocked: true }],
      ["Updated", { id, dailyLossAutoLiq: 500 }],
    ]);
  });

  test("is changed untold, taken away and made anew", async () => {
    await risk({ settings: { dailyLossAlert: 5 }, isTold: false });
    expect(await settings()).toMatchObject([{ dailyLossAlert: 5 }]);
    await risk({ settings: null });
    expect(await settings()).toEqual([]);
    await risk({ settings: { dailyLossAlert: 6 } });
    await socket.settle();
    const kinds = told("userAccountAutoLiq").map(({ eventType }) => eventType);
    expect(kinds).toEqual(["Deleted", "Created"]);
  });

  test("is read by who has the permission, and by nobody else", async () => {
    await client.control({ knob: "set", riskReads: "refused" });
    for (const read of ["list", "deps?masterid=1", "item?id=1"]) {
      for (const type of ["userAccountAutoLiq", "accountRiskStatus"]) {
        expect(await client.request("GET", `${type}/${read}`)).toMatchObject({ status: 401 });
      }
    }
    expect(await client.list("account")).toHaveLength(2);
  });

  test("is left out of a sync, or ends one that names it", async () => {
    const sync = async (body: object) => await socket.ask("user/syncrequest", body);
    const named = { entityTypes: ["account", "accountRiskStatus"] };
    expect((await sync(named)).d).toHaveProperty("accountRiskStatuses");
    await client.control({ knob: "set", riskInSync: "leftOut" });
    expect((await sync(named)).d).toHaveProperty("accounts");
    expect((await sync(named)).d).not.toHaveProperty("accountRiskStatuses");
    const all = (await sync({ users: [client.userId] })).d;
    expect(all).toHaveProperty("orderStrategyTypes");
    expect(all).not.toHaveProperty("userAccountAutoLiqs");
    await client.control({ knob: "set", riskInSync: "refused" });
    expect((await sync(named)).s).toBe(401);
    expect((await sync({ entityTypes: ["account"] })).s).toBe(200);
  });
});

describe("what takes exits only", () => {
  test.each([
    [{ adminAction: "LiquidateOnlyModeImmediately" }],
    [{ liquidateOnly: "2026-11-24T20:00:00Z" }],
    [{ userTriggeredLiqOnly: true }],
  ])("by %o refuses what opens, and what is larger than what is held", async (how) => {
    await client.place({ orderQty: 2 });
    await risk({ status: how });
    expect(await client.place()).toMatchObject({ failureReason: "LiquidationOnly" });
    const more = { action: "Sell", orderQty: 3 };
    expect(await client.place(more)).toMatchObject({ failureReason: "LiquidationOnly" });
    expect(await client.place({ action: "Sell", orderQty: 2 })).toHaveProperty("orderId");
    expect(await client.netPos()).toBe(0);
  });

  test("a lock refuses exits too, and a liquidation closes", async () => {
    await client.place({ orderQty: 2 });
    await risk({ status: { adminAction: "LockTradingImmediately" } });
    const refused = { failureReason: "TradingLocked" };
    expect(await client.place({ action: "Sell" })).toMatchObject(refused);
    await risk({ status: { adminAction: "LiquidateImmediately" } });
    expect(await client.netPos()).toBe(0);
  });
});

describe("a limit of the day", () => {
  test("liquidates, with fees and what is open, and locks until the next trade day", async () => {
    await client.control({ knob: "set", commission: 5 });
    await risk({ settings: { dailyLossAutoLiq: 500 } });
    await client.place({ orderQty: 2 });
    const { orderId } = await client.placeOso();
    await client.quote(6_845.25);
    await socket.settle();
    expect(await client.netPos()).toBe(2);
    expect(await isLocked()).toBe(false);
    await client.quote(6_845);
    await waitUntil("it is liquidated", async () => (await client.netPos()) === 0);
    expect(await client.statusOf(orderId)).toBe("Canceled");
    expect(await isLocked()).toBe(true);
    expect(await client.place()).toMatchObject({ failureReason: "LiquidationOnly" });
    await client.control({ knob: "advance", ms: INTO_NEXT_MS });
    await waitUntil("it is open again", async () => !(await isLocked()));
    expect(await client.place()).toHaveProperty("orderId");
  });

  test("stays where it is not to end by itself", async () => {
    await risk({ settings: { dailyLossAutoLiq: 100, doNotUnlock: true } });
    await client.place();
    await client.quote(6_847);
    await waitUntil("it is liquidated", async () => (await client.netPos()) === 0);
    await client.control({ knob: "advance", ms: INTO_NEXT_MS });
    await socket.settle();
    expect(await isLocked()).toBe(true);
  });

  test("of exits only leaves what is held, and a profit liquidates", async () => {
    await risk({ settings: { dailyLossLiqOnly: 100, dailyProfitAutoLiq: 200 } });
    await client.place();
    await client.quote(6_847);
    await waitUntil("it takes exits only", isLocked);
    expect(await client.netPos()).toBe(1);
    await client.quote(6_856);
    await waitUntil("it is liquidated", async () => (await client.netPos()) === 0);
  });

  test("is only told where the broker does not act on it", async () => {
    await client.control({ knob: "set", riskActs: false });
    await risk({ settings: { dailyLossAutoLiq: 100 } });
    await client.place();
    await client.quote(6_800);
    await socket.settle();
    expect(await client.netPos()).toBe(1);
    expect(await client.place()).toHaveProperty("orderId");
  });
});
