import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  EntityStore,
  ordersOf,
  UnreadableEntityError,
} from "../../../../src/brokers/tradovate/entity-store.ts";
import { oddityOf } from "../../../../src/brokers/tradovate/order-view.ts";
import { incompleteOrders } from "../../../../src/brokers/tradovate/synchronize.ts";
import type { TradovatePropsEvent } from "../../../../src/brokers/tradovate/wire.ts";
import { command, event, executed, fill, order, placed, reportsOf, version } from "./entity-kit.ts";

/** Three orders: one that rests, one filled in two parts after a change, one that was canceled. */
const EVENTS: readonly TradovatePropsEvent[] = [
  ...placed(100),
  ...placed(200),
  event("command", "Created", command(210, "Pending", { orderId: 200, commandType: "Modify" })),
  event("orderVersion", "Created", version(210, { orderId: 200, price: 5_001, orderQty: 3 })),
  event("command", "Updated", command(210, "AtExecution", { orderId: 200, commandType: "Modify" })),
  event("command", "Updated", command(200, "ExecutionStopped")),
  event("executionReport", "Created", executed(211, 200, "Replaced", 210)),
  event("fill", "Created", fill(220, 200, 1)),
  event("fill", "Created", fill(221, 200, 2, 5_000.5)),
  event("order", "Updated", order(200, "Filled")),
  ...placed(300, { action: "Sell" }),
  event("command", "Created", command(310, "AtExecution", { orderId: 300, commandType: "Cancel" })),
  event("executionReport", "Created", executed(311, 300, "Canceled", 310)),
  event("order", "Updated", order(300, "Canceled", { action: "Sell" })),
];

function storeOf(events: readonly TradovatePropsEvent[]): EntityStore {
  const store = new EntityStore();
  for (const one of events) store.apply(one);
  return store;
}

const keyOf = ({ entityType, entity }: TradovatePropsEvent) =>
  `${entityType} ${(entity as { id: number }).id}`;

/** Entities are told in any order among themselves; what one of them becomes is told in order. */
const shuffled = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: EVENTS.length,
    maxLength: EVENTS.length,
  })
  .map((draws) => {
    const queues = new Map<string, TradovatePropsEvent[]>();
    for (const one of EVENTS) queues.set(keyOf(one), [...(queues.get(keyOf(one)) ?? []), one]);
    const left = [...queues.values()];
    return draws.flatMap((draw) => {
      const queue = left[Math.floor(draw * left.length * 0.999)];
      const next = queue?.shift();
      if (queue?.length === 0) left.splice(left.indexOf(queue), 1);
      return next === undefined ? [] : [next];
    });
  });

describe("what the broker has said of its entities", () => {
  test("any order of the entities and any repetition of their creation give the same orders", () => {
    const expected = reportsOf(storeOf(EVENTS));
    expect(expected).toMatchObject([
      { orderId: "100", ordStatus: "NEW", orderQty: 2, price: 20_001 },
      { orderId: "200", ordStatus: "FILLED", orderQty: 3, cumQty: 3, price: 20_004 },
      { orderId: "300", ordStatus: "CANCELED", side: "SELL" },
    ]);
    fc.assert(
      fc.property(shuffled, fc.array(fc.nat(EVENTS.length - 1)), (events, repeats) => {
        const store = storeOf(events);
        const created = repeats.flatMap((n) => EVENTS[n] ?? []);
        for (const one of created) if (one.eventType === "Created") store.apply(one);
        expect(reportsOf(store)).toEqual(expected);
      }),
    );
  });

  test.each([
    ["on its way", ["RiskChecking", "AtExecution"]],
    ["in the end", ["AtExecution", "CarriedOut"]],
  ])(
    "a change whose command goes by an unknown word %s is in force once it is confirmed",
    (_, words) => {
      const modify = { orderId: 200, commandType: "Modify" };
      const store = storeOf([
        ...placed(200),
        event("command", "Created", command(210, "Pending", modify)),
        event("orderVersion", "Created", version(210, { orderId: 200, price: 5_001, orderQty: 9 })),
        ...words.map((word) => event("command", "Updated", command(210, word, modify))),
        event("executionReport", "Created", executed(211, 200, "Replaced", 210)),
      ]);
      expect(reportsOf(store)).toMatchObject([{ orderQty: 9, price: 20_004 }]);
      store.apply(event("command", "Updated", command(210, "RiskRejected", modify)));
      expect(store.get("command", 210)?.commandStatus).toBe("RiskRejected");
    },
  );

  test("what could not be read is forgotten with what it was", () => {
    const store = new EntityStore();
    const POSITION = { accountId: 5, netPos: 2 };
    for (const id of [900, 901]) store.apply(event("position", "Created", { ...POSITION, id }));
    store.apply(event("order", "Created", { id: 902, ordStatus: "Working" }));
    const unread = () => store.holdingsOf(5).unread.map(({ id }) => id);
    expect([unread(), store.stray]).toEqual([[900, 901], "order"]);
    store.apply(event("order", "Deleted", { id: 902 }));
    store.apply(event("position", "Deleted", { id: 900 }));
    expect([unread(), store.stray]).toEqual([[901], undefined]);
    store.replace("position", []);
    expect(unread()).toEqual([]);
  });

  test("an order that has filled is that, by whatever word it goes", () => {
    const word = event("order", "Updated", order(100, "DoneForDay"));
    const store = storeOf([...placed(100), event("fill", "Created", fill(110, 100, 1)), word]);
    expect(reportsOf(store)).toEqual([]);
    expect(oddityOf(store, 100)).toMatch(/"DoneForDay" is not known/);
    store.apply(event("fill", "Created", fill(111, 100, 1)));
    expect(reportsOf(store)).toMatchObject([{ ordStatus: "FILLED", cumQty: 2, leavesQty: 0 }]);
  });

  test("how long an order works by an unknown word is not guessed", () => {
    const store = storeOf(placed(100));
    store.apply(event("orderVersion", "Updated", version(100, { timeInForce: "OPG" })));
    expect(reportsOf(store)).toEqual([]);
    expect(oddityOf(store, 100)).toBe('Its time in force "OPG" is not known here');
  });

  test("a change that is confirmed and of which nothing is told leaves no old values standing", () => {
    const modify = { orderId: 200, commandType: "Modify" };
    const confirmed = [
      event("command", "Created", command(210, "AtExecution", modify)),
      event("executionReport", "Created", executed(211, 200, "Replaced", 210)),
    ];
    const store = storeOf([...placed(200), ...confirmed]);
    expect(reportsOf(store)).toEqual([]);
    expect(oddityOf(store, 200)).toBeUndefined();
    expect(incompleteOrders(store)).toEqual([200]);
    store.settleParts(200);
    expect(oddityOf(store, 200)).toMatch(/quantity and prices are not told/);
    store.apply(event("orderVersion", "Created", version(210, { orderId: 200, orderQty: 9 })));
    expect(reportsOf(store)).toMatchObject([{ orderQty: 9 }]);
    const ended = storeOf([
      ...placed(200),
      ...confirmed,
      event("order", "Updated", order(200, "Canceled")),
    ]);
    expect(reportsOf(ended)).toMatchObject([{ ordStatus: "CANCELED" }]);
  });

  test.each(["Filled", "Canceled", "Expired", "Rejected", "Completed"])(
    "an order that is %s stays so, whatever comes late",
    (ended) => {
      const store = storeOf([...placed(100), event("order", "Updated", order(100, ended))]);
      store.apply(event("order", "Updated", order(100, "Working")));
      store.apply(event("order", "Created", order(100, "Unknown")));
      expect(store.get("order", 100)?.ordStatus).toBe(ended);
    },
  );

  test("too many orders are too many ended ones: the oldest go, with all that is theirs", () => {
    const store = storeOf([1, 2, 3, 4].flatMap((n) => placed(n * 100)));
    for (const id of [200, 300, 400]) store.apply(event("order", "Updated", order(id, "Filled")));
    expect(store.prune(4)).toEqual([]);
    expect(store.prune(3)).toEqual([200, 300, 400]);
    expect(store.all("order").map(({ id }) => id)).toEqual([100]);
    expect(store.all("command").map(({ id }) => id)).toEqual([100]);
    expect(store.all("executionReport").map(({ orderId }) => orderId)).toEqual([100]);
    expect(store.named("name-200")).toBeUndefined();
  });

  test("hearing each event twice in a row changes nothing", () => {
    const twice = EVENTS.flatMap((one) => [one, one]);
    expect(reportsOf(storeOf(twice))).toEqual(reportsOf(storeOf(EVENTS)));
  });

  test("a list of entities is taken one by one, and a deleted one does not come back", () => {
    const store = new EntityStore();
    store.apply(event("order", "Created", [order(1, "Working"), order(2, "Working")]));
    store.apply(event("order", "Deleted", order(1, "Working")));
    store.apply(event("order", "Created", order(1, "Working")));
    expect(store.all("order").map(({ id }) => id)).toEqual([2]);
  });

  test("what the first snapshot held is told from what was made since", () => {
    const store = new EntityStore();
    store.load({ orders: [order(516_124_640_014, "Working")], fills: [], commands: null });
    expect(store.horizon).toBe(516_124_640_014);
    store.apply(event("order", "Created", order(516_124_640_099, "Unknown")));
    expect(store.horizon).toBe(516_124_640_014);
  });

  test("the order of an identifier is the newest one that was placed under it", () => {
    const store = new EntityStore();
    store.apply(event("command", "Created", command(9, "AtExecution", { clOrdId: "same" })));
    store.apply(event("command", "Created", command(7, "AtExecution", { clOrdId: "same" })));
    const cancel = { clOrdId: "other", commandType: "Cancel", orderId: 9 };
    store.apply(event("command", "Created", command(12, "Pending", cancel)));
    expect(store.named("same")).toBe(9);
    expect(store.named("other")).toBeUndefined();
  });

  test.each([
    ["no entity", undefined],
    ["an id that no double can count", order(2 ** 53, "Working")],
    ["a number as text", { ...order(1, "Working"), accountId: "5" }],
  ])("an order with %s is told, and ends nothing", (_, entity) => {
    const heard: Error[] = [];
    const store = new EntityStore((error) => heard.push(error));
    const broken = { entityType: "order", eventType: "Created", entity };
    expect(store.apply(broken)).toEqual([]);
    expect(heard).toEqual([expect.any(UnreadableEntityError)]);
    expect(store.unreadable).toHaveLength(1);
  });

  test("an order without a status is kept as one whose status nobody knows", () => {
    const store = new EntityStore();
    const entity = { ...order(1, "Working"), ordStatus: undefined };
    store.apply({ entityType: "order", eventType: "Created", entity });
    expect(store.get("order", 1)?.ordStatus).toBe("");
  });

  test("an account of which a position cannot be read counts as unknown, until it can be", () => {
    const store = new EntityStore();
    const position = { id: 7, accountId: 5, contractId: 9 };
    store.merge("position", [position]);
    expect(store.holdingsOf(5)).toEqual({ positions: [], unread: [position] });
    expect(store.holdingsOf(6)).toEqual({ positions: [], unread: [] });
    store.merge("position", [{ ...position, netPos: 1 }]);
    expect(store.holdingsOf(5)).toEqual({ positions: [{ ...position, netPos: 1 }], unread: [] });
    // What was read of it before says nothing any more.
    store.apply({ entityType: "position", eventType: "Updated", entity: { id: 7, accountId: 5 } });
    expect(store.holdingsOf(5)).toEqual({ positions: [], unread: [position] });
  });

  test("entities of no interest are passed over", () => {
    const store = new EntityStore();
    const entity = { anything: true };
    expect(store.apply({ entityType: "userPlugin", eventType: "Created", entity })).toEqual([]);
  });
});

test("a fee is news of its fill's order, and of none while the fill is not told", () => {
  const store = new EntityStore();
  const hear = () => store.apply(event("fillFee", "Updated", { id: 110, commission: 1 }));
  expect(hear().flatMap((change) => ordersOf(store, change))).toEqual([]);
  store.apply(event("fill", "Created", fill(110, 100, 1)));
  expect(hear().flatMap((change) => ordersOf(store, change))).toEqual([100]);
});
