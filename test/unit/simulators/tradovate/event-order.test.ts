import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inShort, type Json, type Props, TestClient, type TestSocket } from "./test-client.ts";

let client: TestClient;
let socket: TestSocket;

beforeEach(async () => {
  client = await TestClient.start();
  await client.quote(6_850);
  await client.logIn();
  socket = await client.sync();
});
afterEach(() => client.close());

/** The events since the last look, ids counted from the first order's. Margin ids are accounts'. */
async function told(from: unknown, skip = 0): Promise<readonly string[]> {
  await socket.settle();
  return socket.props
    .slice(skip)
    .filter(({ entityType }) => entityType !== "marginSnapshot")
    .map((event) => inShort(event, Number(from)));
}

function entityOf(type: string, event: string): readonly Json[] {
  return socket.props
    .filter(({ entityType, eventType }) => entityType === type && eventType === event)
    .map(({ entity }) => entity);
}

const NEW_ORDER = [
  "order Created 0 Unknown",
  "command Created 0 New Pending",
  "orderVersion Created 0",
  "commandReport Created 1 RiskPassed",
  "command Updated 0 New RiskPassed",
  "order Updated 0 PendingNew",
  "order Updated 0 PendingNew",
  "commandReport Created 2 AtExecution",
  "command Updated 0 New AtExecution",
  "order Updated 0 Working",
  "executionReport Created 2 New Working",
];

const leg = (id: number) => [
  `order Created ${id} Unknown`,
  `command Created ${id} New Pending`,
  `orderVersion Created ${id}`,
  `commandReport Created ${id + 1} OnHold`,
  `command Updated ${id} New OnHold`,
  `order Updated ${id} Suspended`,
];

describe("a bracket's life", () => {
  test("the entry goes to Working and the legs to Suspended, before any fill", async () => {
    const { orderId, oso1Id, oso2Id } = await client.placeOso();
    expect(await told(orderId)).toEqual([...NEW_ORDER, ...leg(3), ...leg(5)]);
    expect([Number(oso1Id), Number(oso2Id)]).toEqual([Number(orderId) + 3, Number(orderId) + 5]);
    const margin = socket.props.filter(({ entityType }) => entityType === "marginSnapshot");
    expect(margin).toHaveLength(1);
  });

  test("a started strategy comes first, and its links follow its orders", async () => {
    const { orderStrategy } = await client.post("orderstrategy/startorderstrategy", {
      ...client.order(),
      orderStrategyTypeId: 2,
      uuid: "u-1",
      params: JSON.stringify({
        entryVersion: { orderQty: 1, orderType: "Limit", price: 6_840 },
        brackets: [{ qty: 1, profitTarget: 20, stopLoss: -10 }],
      }),
    });
    const strategyId = Number((orderStrategy as Json)["id"]);
    const orderId = strategyId + 1;
    const entry = [...NEW_ORDER];
    entry.splice(6, 0, "orderStrategyLink Created 0");
    expect(await told(orderId)).toEqual([
      "orderStrategy Created -1 InactiveStrategy",
      "orderStrategy Updated -1 ActiveStrategy",
      ...entry,
      ...leg(3),
      "orderStrategyLink Created 3",
      ...leg(5),
      "orderStrategyLink Created 5",
    ]);
    const labels = entityOf("orderStrategyLink", "Created").map(({ label }) => label);
    expect(labels).toEqual(["256", "0", "0"]);
    const orders = entityOf("order", "Created");
    expect(orders.every((order) => !("ocoId" in order) && !("parentId" in order))).toBe(true);
    const prices = entityOf("orderVersion", "Created").map(
      ({ price, stopPrice }) => price ?? stopPrice,
    );
    expect(prices).toEqual([6_840, 6_860, 6_830]);

    const before = socket.props.length;
    await client.post("order/cancelorder", { orderId });
    expect((await told(orderId, before)).at(-1)).toBe(
      "orderStrategy Updated -1 ExecutionInterrupted",
    );
  });

  test("a changed entry is re-versioned, and gets no event of its own", async () => {
    const { orderId } = await client.placeOso();
    await socket.settle();
    const before = socket.props.length;
    const { commandId } = await client.post("order/modifyorder", {
      orderId,
      orderQty: 1,
      orderType: "Limit",
      price: 6_841,
    });
    expect(commandId).toBe(Number(orderId) + 7);
    expect(await told(orderId, before)).toEqual([
      "command Created 7 Modify Pending",
      "orderVersion Created 7",
      "commandReport Created 8 RiskPassed",
      "command Updated 7 Modify RiskPassed",
      "commandReport Created 9 AtExecution",
      "command Updated 7 Modify AtExecution",
      "command Updated 0 New ExecutionStopped",
      "executionReport Created 9 Replaced Working",
    ]);
    expect(socket.props.at(before + 1)?.entity).toMatchObject({ orderId, price: 6_841 });
  });

  test("a canceled entry takes its legs with it", async () => {
    const { orderId } = await client.placeOso();
    await socket.settle();
    const before = socket.props.length;
    await client.post("order/cancelorder", { orderId, isAutomated: true, clOrdId: "cancel" });
    const canceled = (id: number, command: number) => [
      `command Created ${command} Cancel Pending`,
      `commandReport Created ${command + 1} AtExecution`,
      `command Updated ${command} Cancel AtExecution`,
      `command Updated ${id} New ExecutionStopped`,
      `executionReport Created ${command + 1} Canceled Canceled`,
      `order Updated ${id} Canceled`,
    ];
    expect(await told(orderId, before)).toEqual([
      ...canceled(0, 7),
      ...canceled(3, 9),
      ...canceled(5, 11),
    ]);
    const cancels = socket.props.filter(
      ({ entity, eventType }) => eventType === "Created" && entity["commandType"] === "Cancel",
    );
    expect(cancels.map(({ entity }) => entity["isAutomated"])).toEqual([true, true, true]);
    expect(cancels.map(({ entity }) => entity["clOrdId"])).toEqual([
      "cancel",
      undefined,
      undefined,
    ]);
  });

  test("a fill brings the legs to life, and one leg's fill ends the other", async () => {
    const { orderId } = await client.placeOso();
    await socket.settle();
    let before = socket.props.length;
    await client.quote(6_839.75, 6_840);
    const live = (id: number, report: number) => [
      `commandReport Created ${report} AtExecution`,
      `command Updated ${id} New AtExecution`,
      `order Updated ${id} Working`,
      `executionReport Created ${report} New Working`,
    ];
    expect(await told(orderId, before)).toEqual([
      "fill Created 7",
      "executionReport Created 7 Trade Filled",
      "order Updated 0 Filled",
      "position Created 8",
      "fillFee Created 7",
      ...live(3, 9),
      ...live(5, 10),
    ]);
    before = socket.props.length;
    await client.quote(6_860);
    const afterwards = (await told(orderId, before)).filter((step) => !/cashBalance/.test(step));
    expect(afterwards).toEqual([
      "fill Created 11",
      "executionReport Created 11 Trade Filled",
      "order Updated 3 Filled",
      "position Updated 8",
      "fillPair Created 12",
      "fillFee Created 11",
      "command Created 13 Cancel Pending",
      "commandReport Created 14 AtExecution",
      "command Updated 13 Cancel AtExecution",
      "command Updated 5 New ExecutionStopped",
      "executionReport Created 14 Canceled Canceled",
      "order Updated 5 Canceled",
    ]);
    const cash = entityOf("cashBalance", "Updated").at(-1);
    expect(cash).toMatchObject({ amount: 51_000, realizedPnL: 1_000 });
  });
});

test("a partly filled entry stays Working, with one fill for each trade", async () => {
  const { orderId } = await client.place({ orderQty: 6, orderType: "Limit", price: 6_840 });
  for (const qty of [2, 4]) await client.quote(6_839.75, 6_840, qty);
  await socket.settle();
  expect(entityOf("fill", "Created").map(({ qty }) => qty)).toEqual([2, 4]);
  const trades = entityOf("executionReport", "Created").filter(
    ({ execType }) => execType === "Trade",
  );
  expect(trades).toMatchObject([
    { cumQty: 2, lastQty: 2, lastPx: 6_840, ordStatus: "Working" },
    { cumQty: 6, lastQty: 4, avgPx: 6_840, ordStatus: "Filled" },
  ]);
  expect(await client.statusOf(orderId)).toBe("Filled");
});

test("a risk rejection follows an answer that took the order", async () => {
  await client.control({ knob: "fault", fault: { kind: "riskReject" } });
  const { orderId } = await client.place({ clOrdId: "too-much" });
  expect(await told(orderId)).toEqual([
    "order Created 0 Unknown",
    "command Created 0 New Pending",
    "orderVersion Created 0",
    "order Updated 0 Rejected",
    "commandReport Created 1 Rejected",
    "command Updated 0 New RiskRejected",
  ]);
  expect(entityOf("commandReport", "Created").at(-1)).toMatchObject({
    commandId: orderId,
    commandStatus: "RiskRejected",
    rejectReason: "MaxOrderQtyLimitReached",
    text: "Your maximum order quantity has been met.",
  });
  expect(entityOf("order", "Updated").at(-1)).not.toHaveProperty("text");
});

describe("the id rules", () => {
  const lives: readonly (readonly [name: string, live: () => Promise<unknown>])[] = [
    ["a plain order", () => client.place()],
    ["a bracket", () => client.placeOso()],
    ["a pair", () => client.post("order/placeoco", pair())],
  ];

  test.each(lives)("hold for %s", async (_, live) => {
    await live();
    await client.quote(6_839.75, 6_840);
    await client.quote(6_860);
    await socket.settle();
    const created = (type: string) => entityOf(type, "Created");
    const news = created("command").filter(({ commandType }) => commandType === "New");
    const ids = (entities: readonly Json[]) => entities.map(({ id }) => id);
    expect(ids(news)).toEqual(ids(created("order")));
    expect(news.every(({ id, orderId }) => id === orderId)).toBe(true);

    const commands = new Set(ids(created("command")));
    expect(created("orderVersion").every(({ id }) => commands.has(id))).toBe(true);
    const reports = new Set(ids(created("commandReport")));
    const byReport = created("executionReport").filter(({ execType }) => execType !== "Trade");
    expect(byReport.every(({ id }) => reports.has(id))).toBe(true);
    const all = socket.props.filter(isNumbered).map(({ entity }) => Number(entity["id"]));
    expect(Math.min(...all)).toBeGreaterThan(2 ** 31);
    expect(String(all[0])).toHaveLength(12);
  });

  const isNumbered = ({ entityType }: Props) => entityType !== "marginSnapshot";
});

const pair = () => ({
  ...client.order({ action: "Sell", orderType: "Limit", price: 6_870 }),
  other: { action: "Sell", orderType: "Stop", stopPrice: 6_830 },
});

test("the legs of a bracket name their parent and each other", async () => {
  const { orderId, oso1Id, oso2Id } = await client.placeOso();
  expect(await client.entity("order", oso1Id)).toMatchObject({ parentId: orderId, ocoId: oso2Id });
  expect(await client.entity("order", oso2Id)).toMatchObject({ parentId: orderId, ocoId: oso1Id });
});

test("the two of a pair name each other, and both work at once", async () => {
  const { orderId, ocoId } = await client.post("order/placeoco", pair());
  expect(await client.entity("order", orderId)).toMatchObject({ ocoId, ordStatus: "Working" });
  expect(await client.entity("order", ocoId)).toMatchObject({
    ocoId: orderId,
    ordStatus: "Working",
  });
});
