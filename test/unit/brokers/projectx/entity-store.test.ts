import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { type Change, EntityStore } from "../../../../src/brokers/projectx/entity-store.ts";

let store: EntityStore;
let troubles: string[];
let changes: Change[];

beforeEach(() => {
  [troubles, changes] = [[], []];
  store = new EntityStore((error) => troubles.push(error.message));
  store.onChange((heard) => changes.push(...heard));
});

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const order = (fields: object = {}) => ({
  id: 10,
  accountId: 1,
  contractId: "C",
  creationTimestamp: at(1),
  status: 1,
  type: 1,
  side: 0,
  size: 3,
  limitPrice: 5,
  fillVolume: 0,
  customTag: "tag",
  ...fields,
});
const trade = (id: number, fields: object = {}) => ({
  id,
  accountId: 1,
  orderId: 10,
  contractId: "C",
  creationTimestamp: at(id),
  side: 0,
  size: 1,
  price: 5,
  voided: false,
  ...fields,
});

describe("orders", () => {
  test("are found by number, account, tag and entry", () => {
    store.apply("order", order());
    store.apply("order", order({ id: "11", parentOrderId: "10", customTag: "tag-SL" }));
    expect(store.order("11")?.parentOrderId).toBe("10");
    expect(store.ordersOf("1").map(({ id }) => id)).toEqual(["10", "11"]);
    expect(store.byTag("1", "tag")?.id).toBe("10");
    expect(store.byTag("2", "tag")).toBeUndefined();
    expect(store.childrenOf("10").map(({ id }) => id)).toEqual(["11"]);
  });

  test("hearing the same again changes nothing", () => {
    store.apply("order", order());
    store.apply("order", order());
    expect(changes).toHaveLength(1);
  });

  test("are never taken back in time", () => {
    store.apply("order", order({ updateTimestamp: at(9), limitPrice: 7 }));
    store.apply("order", order({ updateTimestamp: at(5), limitPrice: 6 }));
    store.apply("order", order());
    expect(store.order("10")?.limitPrice).toBe(7);
  });

  test("an answer does not take away what only the hub says", () => {
    store.apply("order", order({ updateTimestamp: at(2), linkedOrderId: 12, parentOrderId: 9 }));
    store.apply("order", order({ updateTimestamp: at(3), limitPrice: 8 }));
    expect(store.order("10")).toMatchObject({
      limitPrice: 8,
      linkedOrderId: "12",
      parentOrderId: "9",
    });
  });

  test("what has ended stays so, in whatever order it is told", () => {
    const told = [
      order({ status: 6 }),
      order({ updateTimestamp: at(2) }),
      order({ updateTimestamp: at(3), fillVolume: 1 }),
      order({ updateTimestamp: at(4), status: 3, fillVolume: 1 }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(told, { minLength: 4 }), (shuffled) => {
        const heard = new EntityStore();
        for (const one of shuffled) heard.apply("order", one);
        expect(heard.order("10")).toMatchObject({ status: 3, fillVolume: 1 });
      }),
    );
  });

  test("of what is told with one time the later stage counts", () => {
    const [pending, filled] = [order({ status: 6 }), order({ status: 2, fillVolume: 3 })];
    for (const told of [
      [pending, order(), filled],
      [filled, order(), pending],
    ]) {
      const heard = new EntityStore();
      for (const one of told) heard.apply("order", one);
      expect(heard.order("10")?.status).toBe(2);
    }
  });

  test("the oldest that have ended are forgotten with what belongs to them", () => {
    for (let id = 1; id <= 6; id += 1) {
      store.apply("order", order({ id, status: id === 1 ? 1 : 2, customTag: `t${id}` }));
      store.apply("trade", trade(id, { orderId: id }));
    }
    expect(store.prune(5)).toEqual(["2", "3", "4", "5"]);
    expect(store.ordersOf("1").map(({ id }) => id)).toEqual(["1", "6"]);
    expect(store.byTag("1", "t2")).toBeUndefined();
    expect(store.trade("2")).toBeUndefined();
  });
});

describe("of too many orders", () => {
  test("those go first that ended first, whenever they were heard of", () => {
    for (const [id, second] of [1, 2, 3, 4].entries()) {
      const updateTimestamp = `2026-01-01T00:00:0${9 - second}Z`;
      store.apply("order", order({ id: id + 1, status: 2, updateTimestamp }));
    }
    expect(store.prune(3)).toEqual(["4", "3", "2"]);
  });
});

describe("trades", () => {
  test("are listed by time, once each, without those that were taken back", () => {
    store.apply("trade", trade(3));
    store.apply("trade", trade(2));
    store.apply("trade", trade(2, { fees: 1.4 }));
    expect(store.tradesOf("10").map(({ id }) => id)).toEqual(["2", "3"]);
    store.apply("trade", trade(3, { voided: true }));
    store.apply("trade", trade(3));
    expect(store.tradesOf("10").map(({ id }) => id)).toEqual(["2"]);
    expect(store.everyTradeOf("10").map(({ id }) => id)).toEqual(["2", "3"]);
    expect(store.tradesIn("1").map(({ voided }) => voided)).toEqual([false, true]);
  });

  test("an answer completes what the hub has told", () => {
    store.apply("trade", trade(2, { commissions: 0.5 }));
    store.apply("trade", trade(2, { fees: 1.4 }));
    expect(store.trade("2")).toMatchObject({ fees: 1.4, commissions: 0.5 });
  });
});

describe("positions", () => {
  const position = (fields: object = {}) => ({
    id: 5,
    accountId: 1,
    contractId: "C",
    type: 1,
    size: 2,
    averagePrice: 5,
    ...fields,
  });

  test("end with their size, with their action, and with a list that lacks them", () => {
    store.apply("position", position());
    store.apply("position", position({ type: 0, size: 0 }));
    expect(store.positionsOf("1")).toEqual([]);
    store.apply("position", position());
    store.apply("position", position(), true);
    expect(store.positionsOf("1")).toEqual([]);
    store.apply("position", position());
    store.apply("position", position({ accountId: 2 }));
    store.replacePositions("1", [position({ id: 6, contractId: "D" })]);
    expect(store.positionsOf("1").map(({ contractId }) => contractId)).toEqual(["D"]);
    expect(store.positionsOf("2")).toHaveLength(1);
  });

  test("one that is opened anew under another number takes the place of the former", () => {
    store.apply("position", position());
    store.apply("position", position({ id: 6, type: 2 }));
    expect(store.positionsOf("1")).toEqual([expect.objectContaining({ id: "6", type: 2 })]);
  });

  test("a row of a list that cannot be read is something all the same", () => {
    store.replacePositions("1", [{ size: "many" }]);
    expect(store.positionsOf("1")).toEqual([{ id: "row-1", accountId: "1" }]);
    store.replacePositions("1", []);
    expect(store.positionsOf("1")).toEqual([]);
  });
});

test("what cannot be read is told once and stops nothing", () => {
  store.apply("order", { id: 3 });
  store.apply("order", { id: 3 });
  store.apply("trade", "garbage");
  store.apply("order", order());
  expect(store.unreadable).toEqual(["order 3", "trade without a number"]);
  expect(troubles).toHaveLength(2);
  expect(store.order("10")).toBeDefined();
});

test("an account that is there no more may not trade, and what it has is not known", () => {
  store.apply("account", { id: 1, name: "A", balance: 50_000, canTrade: true });
  store.apply("account", { id: 1, name: "A" }, true);
  expect(store.account("1")).toEqual({ id: "1", name: "A", canTrade: false });
});
