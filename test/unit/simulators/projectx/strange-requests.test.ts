import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Settings } from "../../../simulators/projectx/settings.ts";
import { ESZ6, type Json, TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
});
afterEach(() => client.close());

const PATHS = [
  "Order/place",
  "Order/place",
  "Order/place",
  "Order/modify",
  "Order/cancel",
  "Position/closeContract",
  "Position/partialCloseContract",
  "Order/search",
  "Order/searchById",
  "Order/v2/query",
  "Trade/search",
  "Contract/search",
  "Contract/searchById",
  "History/retrieveBars",
  "Account/search",
  "Auth/loginApp",
];
const FIRST_ORDER = 1_810_000_002;

const odd = fc.constantFrom(null, -1, 0, 1.5, 6_840, 1e300, "", "ESZ6", true, [], {});
/** Mostly what makes sense, so that much of it is carried out. */
const mostly = <T>(sound: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 14, arbitrary: sound }, { weight: 1, arbitrary: odd });
const price = mostly(fc.constantFrom(6_840, 6_850, 6_860, 6_830.25));
const leg = mostly(
  fc.record({
    ticks: fc.constantFrom(-40, 40, -4, 4, 3, 0),
    type: fc.constantFrom(1, 4, 4, 5),
  }),
);
const body = fc.record(
  {
    accountId: mostly(fc.constantFrom(460_001, 460_001, 460_002)),
    contractId: mostly(fc.constantFrom(ESZ6, ESZ6, ESZ6, "CON.F.US.RTY.Z26")),
    type: mostly(fc.constantFrom(1, 2, 2, 4, 5, 6, 7)),
    side: mostly(fc.constantFrom(0, 1)),
    size: mostly(fc.constantFrom(1, 2, 3)),
    limitPrice: price,
    stopPrice: price,
    trailPrice: mostly(fc.constantFrom(1, 5)),
    customTag: mostly(fc.integer({ min: 1, max: 400 }).map((n) => `t${n}`)),
    stopLossBracket: leg,
    takeProfitBracket: leg,
    linkedOrderId: mostly(fc.constant(FIRST_ORDER)),
    orderId: mostly(fc.integer({ min: FIRST_ORDER, max: FIRST_ORDER + 60 })),
    startTimestamp: mostly(fc.constant("2020-01-01T00:00:00Z")),
    endTimestamp: odd,
    filter: mostly(fc.record({ accountId: fc.constant(460_001), statuses: fc.constant([1, 2]) })),
    sortBy: odd,
    pageSize: odd,
    pageOffset: odd,
    searchText: mostly(fc.constantFrom("ES", "E-mini", "")),
    live: mostly(fc.boolean()),
    unit: odd,
    limit: odd,
  },
  { requiredKeys: ["accountId", "contractId", "type", "side", "size", "orderId"] },
);

const BEHAVIOURS: readonly Partial<Settings>[] = [
  {},
  { childrenOn: "firstFill", siblingOnPartFill: "stays", linkedOrderId: "links" },
  { childrenOn: "fullFill", siblingOnCancel: "ends", partialExit: "endsChildren" },
  { usedUpChildren: "wait", placeTakesMs: 5, cancelTakesMs: 5, ordersLast: "day" },
];

test.each(BEHAVIOURS)(
  "whatever is asked is answered, and the books stay true: %o",
  async (behaviour) => {
    const requestsPerMinute = 100_000;
    await client.control({ knob: "set", ...behaviour, requestsPerMinute, barsPerHalfMinute: 1e5 });
    const paths = fc.constantFrom(...PATHS);
    const bid = fc.constantFrom(6_838, 6_850, 6_862);
    await fc.assert(
      fc.asyncProperty(paths, body, bid, fc.nat(9), async (path, asked, at, dice) => {
        const response = await client.request(path, asked);
        expect([200, 400]).toContain(response.status);
        const answer = (await response.json()) as Json;
        expect(answer["success"] ?? false).toBe(answer["errorCode"] === 0);
        if (dice === 0) await client.quote(at);
      }),
      { numRuns: 125 },
    );
    await client.control({ knob: "advance", ms: 1_000 });
    await expectTrueBooks();
  },
);

/** Positions are what was traded, orders what was filled of them, and no child lives before its entry. */
async function expectTrueBooks(): Promise<void> {
  const [orders, trades, positions] = [
    await client.list("Order/search"),
    await client.list("Trade/search"),
    await client.list("Position/searchOpen"),
  ];
  // Some twenty of what is asked by chance make sense.
  expect(orders.length).toBeGreaterThan(3);
  const sum = (some: readonly Json[]) =>
    some.reduce((net, { side, size }) => net + (side === 0 ? 1 : -1) * Number(size), 0);
  const held = positions.map(({ type, size }) => (type === 1 ? 1 : -1) * Number(size));
  const net = sum(trades);
  expect(held).toEqual(net === 0 ? [] : [net]);
  const filledOf = (order: Json | undefined) => Number(order?.["fillVolume"]);
  const traded = (id: unknown) => {
    const own = trades.filter(({ orderId }) => orderId === id);
    return own.reduce((filled, { size }) => filled + Number(size), 0);
  };
  expect(orders.filter((order) => traded(order["id"]) !== filledOf(order))).toEqual([]);
  const filled = orders.filter(({ status }) => status === 2);
  expect(filled.filter((order) => filledOf(order) !== order["size"])).toEqual([]);
  expect(orders.filter(({ status }) => ![1, 2, 3, 4, 5].includes(Number(status)))).toEqual([]);
  const tags = orders.map(({ customTag }) => customTag).filter((tag) => tag !== null);
  expect(new Set(tags).size).toBe(tags.length);
  const entryOf = ({ customTag }: Json) => {
    const [, entryTag] =
      /^(.*)-(?:SL|TP)$/.exec(typeof customTag === "string" ? customTag : "") ?? [];
    return orders.find((order) => order["customTag"] === entryTag);
  };
  const children = orders.filter(({ status }) => status === 1).filter(entryOf);
  expect(children.filter((child) => filledOf(entryOf(child)) === 0)).toEqual([]);
}
