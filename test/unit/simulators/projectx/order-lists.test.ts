import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Settings } from "../../../simulators/projectx/settings.ts";
import { waitUntil } from "../../../support/wait.ts";
import { type Json, TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
});
afterEach(() => client.close());

const HOUR_MS = 3_600_000;
const NQZ6 = "CON.F.US.ENQ.Z26";

const set = (settings: Partial<Settings>) => client.control({ knob: "set", ...settings });
const rests = (tag: string, order: Json = {}) =>
  client.place({ type: 1, limitPrice: 6_800, customTag: tag, ...order });
const tagsOf = (orders: readonly Json[]) => orders.map(({ customTag }) => customTag);
const instant = (ms: number) => new Date(Date.now() + ms).toISOString();

describe("Order/search", () => {
  test("has the orders of a span, ended ones too", async () => {
    await rests("old");
    await client.control({ knob: "advance", ms: 2 * HOUR_MS });
    await client.place({ customTag: "young" });
    const search = (body: Json) => client.list("Order/search", body);
    expect(tagsOf(await search({}))).toEqual(["old", "young"]);
    expect(tagsOf(await search({ startTimestamp: instant(HOUR_MS) }))).toEqual(["young"]);
    expect(tagsOf(await search({ endTimestamp: instant(HOUR_MS) }))).toEqual(["old"]);
    expect(tagsOf(await client.list("Order/searchOpen"))).toEqual(["old"]);
  });

  test("wants to know from when on", async () => {
    const body = { accountId: client.account };
    for (const path of ["Order/search", "Trade/search"]) {
      expect((await client.request(path, body)).status).toBe(400);
      const odd = { ...body, startTimestamp: "yesterday" };
      expect((await client.request(path, odd)).status).toBe(400);
    }
  });
});

describe("Order/v2/query", () => {
  const query = async (filter: Json, rest: Json = {}) =>
    await client.post("Order/v2/query", {
      filter: { accountId: client.account, ...filter },
      ...rest,
    });
  const tags = async (filter: Json, rest: Json = {}) =>
    tagsOf((await query(filter, rest))["orders"] as readonly Json[]);

  test("wants what narrows it down in a filter of its own", async () => {
    const bare = await client.request("Order/v2/query", { accountId: client.account });
    expect([bare.status, await bare.text()]).toEqual([400, expect.stringContaining("'filter'")]);
    const others = { filter: { accountId: 1 } };
    expect(await client.post("Order/v2/query", others)).toMatchObject({ errorCode: 1 });
  });

  test("narrows down by status, contract and time", async () => {
    await rests("a");
    await client.control({ knob: "advance", ms: 2 * HOUR_MS });
    await client.place({ customTag: "b" });
    await client.place({ customTag: "c", contractId: NQZ6 });
    expect(await tags({ statuses: [1] })).toEqual(["a"]);
    expect(await tags({ contractId: NQZ6 })).toEqual(["c"]);
    expect(await tags({ createdAfter: instant(HOUR_MS) })).toEqual(["b", "c"]);
    expect(await tags({ createdBefore: instant(HOUR_MS) })).toEqual(["a"]);
    await set({ queryHeedsContract: false });
    expect(await tags({ contractId: NQZ6 })).toEqual(["a", "b", "c"]);
  });

  test("answers rows from an offset on, in an order, and at most a hundred", async () => {
    for (const tag of ["a", "b", "c"]) await rests(tag);
    expect(await tags({}, { pageSize: 2, pageOffset: 1 })).toEqual(["b", "c"]);
    const sorted = { sortBy: "customTag", sortDirection: "Desc" };
    expect(await tags({}, sorted)).toEqual(["c", "b", "a"]);
    expect((await query({}))["totalCount"]).toBeNull();
    const counted = await query({}, { includeTotalCount: true, pageSize: 1 });
    expect(counted).toMatchObject({ totalCount: 3 });
    await set({ requestsPerMinute: 1_000 });
    for (let n = 0; n < 100; n += 1) await rests(`more${n}`);
    expect(await tags({}, { pageSize: 1_000 })).toHaveLength(100);
    for (const page of [{ pageSize: -1 }, { pageOffset: -1 }]) {
      const filter = { accountId: client.account };
      expect((await client.request("Order/v2/query", { filter, ...page })).status).toBe(400);
    }
    expect(await tags({}, { pageSize: 1_000, pageOffset: 100 })).toHaveLength(3);
  });
});

describe("lists", () => {
  test("may be late with what is new", async () => {
    await rests("known");
    await client.control({ knob: "advance", ms: 600_000 });
    await set({ listLagMs: 300_000 });
    await client.place({ customTag: "new" });
    expect(tagsOf(await client.list("Order/search"))).toEqual(["known"]);
    expect(await client.list("Trade/search")).toEqual([]);
    expect(await client.list("Position/searchOpen")).toHaveLength(1);
    await client.control({ knob: "advance", ms: 300_000 });
    expect(tagsOf(await client.list("Order/search"))).toEqual(["known", "new"]);
    expect(await client.list("Trade/search")).toHaveLength(1);
  });

  test("may be as things were before: what is filled seems to work, what is held seems not", async () => {
    const { orderId } = await rests("a");
    await client.control({ knob: "advance", ms: 600_000 });
    await set({ staleListsMs: 300_000 });
    await client.quote(6_799);
    const byId = { accountId: client.account, orderId };
    const stands = async () => ({
      open: tagsOf(await client.list("Order/searchOpen")),
      order: (await client.post("Order/searchById", byId))["order"],
      positions: (await client.list("Position/searchOpen")).length,
    });
    const before = await stands();
    expect(before).toMatchObject({ open: ["a"], order: { status: 1 }, positions: 0 });
    await client.control({ knob: "advance", ms: 300_000 });
    expect(await stands()).toMatchObject({ open: [], order: { status: 2 }, positions: 1 });
    await client.post("Position/closeContract", {
      accountId: client.account,
      contractId: "CON.F.US.EP.Z26",
    });
    expect(await client.list("Position/searchOpen")).toHaveLength(1);
    await client.control({ knob: "advance", ms: 300_000 });
    expect(await client.list("Position/searchOpen")).toHaveLength(0);
  });
});

describe("the hub's words for what happens", () => {
  /** `status action` of each event of an order. */
  async function told(settings: Partial<Settings>): Promise<readonly string[]> {
    await set(settings);
    const hub = await client.listen();
    await client.place();
    await waitUntil("it is filled", () => hub.toldOf("GatewayUserPosition").length > 0);
    await client.post("Position/closeContract", {
      accountId: client.account,
      contractId: "CON.F.US.EP.Z26",
    });
    await hub.settle();
    return ["Order", "Position", "Trade"].map((kind) =>
      hub
        .toldOf(`GatewayUser${kind}`)
        .map(({ action }) => String(action))
        .join(""),
    );
  }

  test("are new, changed and gone", async () => {
    expect(await told({})).toEqual(["0101", "02", "00"]);
  });

  test("may be never new, and gone for orders that have ended", async () => {
    expect(await told({ actions: "neverNew" })).toEqual(["1212", "12", "00"]);
  });

  test("leave out what an order says nothing of, unless it is sent as null", async () => {
    const hub = await client.listen();
    await client.place();
    await set({ nulls: "sent" });
    await client.place();
    await hub.settle();
    const events = hub.toldOf("GatewayUserOrder").map(({ data }) => data as Json);
    expect(events[0]).not.toHaveProperty("parentOrderId");
    expect(events.at(-1)).toMatchObject({ parentOrderId: null, limitPrice: null });
    // A trade that only opens says so by its null, whatever orders do.
    expect(hub.toldOf("GatewayUserTrade")[0]?.["data"]).toMatchObject({ profitAndLoss: null });
  });
});
