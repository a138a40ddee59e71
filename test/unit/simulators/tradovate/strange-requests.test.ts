import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
  await client.control({ knob: "set", userLimit: {}, endpointLimits: {} });
});
afterEach(() => client.close());

const COMMANDS = [
  "order/placeorder",
  "order/placeoso",
  "order/placeoco",
  "order/modifyorder",
  "order/cancelorder",
  "order/liquidateposition",
  "order/liquidatepositions",
  "order/dryrun",
  "orderstrategy/startorderstrategy",
  "contract/rollcontract",
  "cashbalance/getcashbalancesnapshot",
  "auth/accesstokenrequest",
];

const odd = fc.constantFrom(null, -1, 0, 1.5, 6_840, 1e300, "", "ESZ6", "Limit", true, [], {});
/** Mostly what makes sense, so that much of it is carried out. */
const mostly = <T>(sound: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: sound }, { weight: 1, arbitrary: odd });
const price = fc.constantFrom(6_840, 6_850, 6_860, 6_830, 0.1);
const leg = fc.record(
  {
    action: mostly(fc.constantFrom("Buy", "Sell")),
    orderType: mostly(fc.constantFrom("Limit", "Stop", "Limit", "Market", "TrailingStop")),
    price: mostly(price),
    stopPrice: mostly(price),
    pegDifference: mostly(price),
    timeInForce: mostly(fc.constantFrom("Day", "GTC", "IOC", "FOK")),
  },
  { requiredKeys: ["action", "orderType"] },
);
const body = fc
  .tuple(
    leg,
    fc.record(
      {
        accountSpec: fc.constant("joe-1"),
        symbol: mostly(fc.constantFrom("ESZ6", "ESZ6", "RTYZ6", "ESZ26")),
        orderQty: mostly(fc.constantFrom(1, 2, 3, 5_000)),
        orderId: mostly(fc.integer({ min: 516_124_640_016, max: 516_124_640_060 })),
        accountId: mostly(fc.constantFrom(1_200_001, 1_200_002)),
        contractId: mostly(fc.constantFrom(3_570_002, 1)),
        admin: mostly(fc.boolean()),
        positions: mostly(fc.array(odd)),
        bracket1: mostly(leg),
        bracket2: mostly(leg),
        other: mostly(leg),
        orderStrategyTypeId: fc.constantFrom(2, 3),
        params: fc.constantFrom(
          "{}",
          "null",
          "[",
          '{"entryVersion":{"orderQty":1,"orderType":"Market"},"brackets":[{"stopLoss":-10}]}',
        ),
        name: odd,
        forward: odd,
      },
      { requiredKeys: ["accountSpec", "symbol", "orderQty"] },
    ),
  )
  .map(([terms, rest]) => ({ ...terms, ...rest }));

test("whatever is asked is answered, and the books stay true", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...COMMANDS), body, async (endpoint, asked) => {
      const { status } = await client.request("POST", endpoint, asked);
      expect([200, 400, 401, 404]).toContain(status);
    }),
    { numRuns: 400 },
  );
  const orders = await client.list("order");
  expect(orders.length).toBeGreaterThan(5);
  const versions = await client.list("orderVersion");
  const versioned = new Set(versions.map(({ orderId }) => orderId));
  expect(orders.filter(({ id }) => !versioned.has(id))).toEqual([]);
  const unsettled = orders.filter(({ ordStatus }) => /Unknown|Pending/.test(String(ordStatus)));
  expect(unsettled).toEqual([]);
});
