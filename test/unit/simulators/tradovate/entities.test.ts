import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, TestClient, type TestSocket } from "./test-client.ts";

/** What the published OpenAPI requires of each entity (brokers.md 1.7). */
const REQUIRED: Readonly<Record<string, string>> = {
  order: "id accountId timestamp action ordStatus admin",
  orderVersion: "id orderId orderQty orderType",
  command: "id orderId timestamp commandType commandStatus",
  commandReport: "id commandId timestamp commandStatus",
  executionReport:
    "id commandId name accountId contractId timestamp orderId execType ordStatus action",
  fill: "id orderId contractId timestamp tradeDate action qty price active finallyPaired",
  fillPair: "id positionId buyFillId sellFillId qty buyPrice sellPrice active",
  fillFee: "id",
  position:
    "id accountId contractId timestamp tradeDate netPos bought boughtValue sold soldValue prevPos",
  cashBalance: "id accountId timestamp tradeDate currencyId amount",
  account:
    "id name userId accountType active clearingHouseId riskCategoryId autoLiqProfileId " +
    "marginAccountType legalStatus timestamp",
  marginSnapshot:
    "id timestamp riskTimePeriodId initialMargin maintenanceMargin totalUsedMargin " +
    "fullInitialMargin positionMargin totalUsedFullMargin",
  user: "id name timestamp email status professional",
  currency: "id name",
  exchange: "id name",
  contractGroup: "id name",
  contract: "id name contractMaturityId timestamp",
  contractMaturity: "id productId expirationMonth expirationDate isFront",
  product:
    "id name currencyId productType description exchangeId contractGroupId status " +
    "valuePerPoint priceFormatType priceFormat tickSize",
  orderStrategy: "id accountId timestamp contractId orderStrategyTypeId action status",
  orderStrategyLink: "id orderStrategyId orderId label",
};

/**
 * What independent clients' models want besides, and fail without: read in their sources, and in
 * public captures.
 */
const WANTED_BY_CLIENTS: Readonly<Record<string, string>> = {
  user: "userType creationTimestamp twoFactorAuth",
  account: "archived",
  cashBalance: "realizedPnL weekRealizedPnL amountSOD archived",
  position: "archived",
  contract: "status providerTickSize",
  contractMaturity: "archived seqNo",
  product:
    "exchangeChannelId riskDiscountContractGroupId allowProviderContractInfo isMicro " +
    "marketDataSource lookupWeight hasReplay",
  exchange: "complex timeZone isSecuredDefault cftcReporting freeMarketData marketType",
  userPlugin: "userId pluginName approval timestamp planPrice paidAmount archived startDate",
};

/** What an entity must not have, though a reader might expect it. */
const ABSENT: Readonly<Record<string, string>> = {
  order: "price stopPrice orderQty orderType clOrdId",
  fill: "accountId clOrdId",
  orderVersion: "clOrdId accountId",
  executionReport: "clOrdId",
};

const ENUMS: Readonly<Record<string, readonly [field: string, values: string]>> = {
  order: [
    "ordStatus",
    "Canceled Completed Expired Filled PendingCancel PendingNew PendingReplace Rejected " +
      "Suspended Unknown Working",
  ],
  command: [
    "commandStatus",
    "AtExecution ExecutionRejected ExecutionStopped ExecutionSuspended OnHold Pending " +
      "PendingExecution Replaced RiskPassed RiskRejected",
  ],
  executionReport: [
    "execType",
    "Canceled Completed DoneForDay Expired New OrderStatus PendingCancel PendingNew " +
      "PendingReplace Rejected Replaced Stopped Suspended Trade TradeCancel TradeCorrect",
  ],
};

let client: TestClient;
let socket: TestSocket;

/** Everything that can happen to orders, once. */
beforeAll(async () => {
  client = await TestClient.start();
  await client.quote(6_850);
  await client.logIn();
  socket = await client.sync();
  await client.placeOso({ orderQty: 3, text: "why" });
  await client.quote(6_839.75, 6_840, 1);
  await client.quote(6_839.75, 6_840, 5);
  await client.quote(6_860);
  const { orderId } = await client.placeOso();
  await client.post("order/modifyorder", {
    orderId,
    orderQty: 2,
    orderType: "Limit",
    price: 6_841,
  });
  await client.post("order/cancelorder", { orderId });
  await client.place({ symbol: "RTYZ6" });
  await client.control({ knob: "fault", fault: { kind: "riskReject" } });
  await client.place();
  await client.place({ action: "Sell", orderQty: 2 });
  const [position] = await client.list("position");
  await client.post("order/liquidateposition", {
    accountId: client.accountId,
    contractId: position?.["contractId"],
    admin: false,
  });
  await client.post("orderstrategy/startorderstrategy", {
    ...client.order(),
    orderStrategyTypeId: 2,
    params: JSON.stringify({
      entryVersion: { orderQty: 1, orderType: "Market" },
      brackets: [{ qty: 1, profitTarget: 20, stopLoss: -10 }],
    }),
  });
  await socket.settle();
});
afterAll(() => client.close());

/** As they were told, step by step, and as lists have them. */
async function all(type: string): Promise<readonly Json[]> {
  const told = socket.props.filter(({ entityType }) => entityType === type);
  return [...told.map(({ entity }) => entity), ...(await client.list(type))];
}

async function missing(type: string, fields: string): Promise<readonly string[]> {
  const entities = await all(type);
  expect(entities.length).toBeGreaterThan(0);
  const isMissing = (value: unknown) => value === undefined || value === null;
  return entities.flatMap((entity) => fields.split(" ").filter((name) => isMissing(entity[name])));
}

test.each(Object.entries(REQUIRED))("every %s has all that is required", async (type, fields) => {
  expect(await missing(type, fields)).toEqual([]);
});

test.each(Object.entries(WANTED_BY_CLIENTS))(
  "every %s has what clients want",
  async (type, fields) => {
    expect(await missing(type, fields)).toEqual([]);
  },
);

test.each(Object.entries(ABSENT))("no %s has %s", async (type, fields) => {
  const found = (await all(type)).flatMap((entity) =>
    fields.split(" ").filter((field) => field in entity),
  );
  expect(found).toEqual([]);
});

test.each(Object.entries(ENUMS))("every %s has a published %s", async (type, [field, values]) => {
  const known = new Set(values.split(" "));
  const found = (await all(type)).map((entity) => String(entity[field]));
  expect(found.filter((value) => !known.has(value))).toEqual([]);
});

test("times are ISO 8601, trade dates have three parts", async () => {
  const stamped = await all("executionReport");
  expect(stamped.every(({ timestamp }) => /^\d{4}-\d\d-\d\dT/.test(String(timestamp)))).toBe(true);
  const { tradeDate } = stamped[0] ?? {};
  expect(Object.keys(tradeDate as object)).toEqual(["year", "month", "day"]);
});

test("ids are one sequence of twelve digits, above 2^31", async () => {
  const ids = (await all("order")).map(({ id }) => Number(id));
  expect(ids.every((id) => id > 2 ** 31 && String(id).length === 12)).toBe(true);
});

describe("reads", () => {
  test("by master find what hangs on it", async () => {
    const [order] = await client.list("order");
    const id = String(order?.["id"]);
    for (const type of ["command", "orderVersion", "fill"]) {
      const found = (await client.get(`${type}/deps?masterid=${id}`)) as unknown;
      expect((found as readonly Json[]).every(({ orderId }) => orderId === order?.["id"])).toBe(
        true,
      );
      expect(found).not.toEqual([]);
    }
    const reports = await client.get(`commandReport/ldeps?masterids=${id},1`);
    expect(reports).toMatchObject([
      { commandStatus: "RiskPassed" },
      { commandStatus: "AtExecution" },
    ]);
    const orders = await client.get(`order/deps?masterid=${client.accountId}`);
    expect(orders).toEqual(await client.list("order"));
  });

  test("by number find one or several", async () => {
    const [first, second] = await client.list("order");
    const ids = `${String(first?.["id"])},${String(second?.["id"])},1`;
    expect(await client.get(`order/items?ids=${ids}`)).toEqual([first, second]);
    expect(await client.entity("order", first?.["id"])).toEqual(first);
    expect((await client.request("GET", "order/item?id=1")).status).toBe(404);
    expect((await client.request("GET", "order/item")).status).toBe(400);
  });

  test("by name find products, maturities and contracts", async () => {
    const product = await client.get("product/find?name=ES");
    expect(product).toMatchObject({ tickSize: 0.25, valuePerPoint: 50 });
    const months = (await client.get(
      `contractMaturity/deps?masterid=${String(product["id"])}`,
    )) as unknown as readonly Json[];
    const fronts = months.filter(({ isFront }) => isFront === true);
    expect(fronts).toHaveLength(1);
    const front = await client.get(`contract/deps?masterid=${String(fronts[0]?.["id"])}`);
    expect(front).toMatchObject([{ name: expect.stringMatching(/^ES[HMUZ]\d$/) }]);
    const suggested = await client.get("contract/suggest?t=es&l=3");
    expect(suggested).toHaveLength(3);
    expect((await client.request("GET", "contract/find?name=XXZ6")).status).toBe(404);
  });

  test("of a contract's roll find the next quarter", async () => {
    const roll = (name: string, forward: boolean) =>
      client.post("contract/rollcontract", { name, forward });
    expect(await roll("ESZ7", true)).toMatchObject({ contract: { name: "ESH8" } });
    expect(await roll("ESH8", false)).toMatchObject({ contract: { name: "ESZ7" } });
    expect(await roll("XX", true)).toHaveProperty("errorText");
  });

  test("of the cash can be set, as on a demo account", async () => {
    const set = (body: Json) => client.request("POST", "cashBalance/changedemobalance", body);
    const before = await client.list("cashBalance");
    const mine = { accountId: client.accountId };
    const { text } = await set({ ...mine, cashChange: 25_000, comment: "again" });
    expect(JSON.parse(text)).toMatchObject({ totalCashValue: 25_000 });
    expect((await client.list("cashBalance"))[0]).toMatchObject({ amount: 25_000 });
    expect((await set({ ...mine, cashChange: 1_000_001 })).status).toBe(400);
    expect((await set(mine)).status).toBe(400);
    await set({ ...mine, cashChange: Number(before[0]?.["amount"]) });
  });

  test("of yen reach no cash balance of dollars", async () => {
    const [before] = await client.list("cashBalance");
    const order = {
      accountId: client.accountId,
      symbol: "NIYZ7",
      orderQty: 1,
      orderType: "Market",
    };
    await client.post("order/placeorder", { ...order, action: "Buy" });
    await client.post("order/placeorder", { ...order, action: "Sell" });
    const [pair] = (await client.list("fillPair")).slice(-1);
    expect(Number(pair?.["buyPrice"]) - Number(pair?.["sellPrice"])).toBe(5);
    expect((await client.list("cashBalance"))[0]?.["amount"]).toBe(before?.["amount"]);
  });

  test("of the cash tell what was won", async () => {
    const body = { accountId: client.accountId };
    const cash = await client.post("cashBalance/getcashbalancesnapshot", body);
    const [balance] = await client.list("cashBalance");
    expect(cash).toMatchObject({
      totalCashValue: balance?.["amount"],
      realizedPnL: balance?.["realizedPnL"],
    });
  });
});
