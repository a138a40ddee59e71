import assert from "node:assert/strict";
import { beforeEach, describe, expect, test } from "vitest";
import { EntityStore } from "../../../../src/brokers/projectx/entity-store.ts";
import { parseEntity } from "../../../../src/brokers/projectx/parse.ts";
import { PositionCheck } from "../../../../src/brokers/projectx/position-check.ts";

let store: EntityStore;
let check: PositionCheck;
let now: number;
let isAnswering: boolean;
let trades: number;

beforeEach(() => {
  [store, now, isAnswering, trades] = [new EntityStore(), 0, false, 0];
  check = new PositionCheck(store, () => now);
  store.onChange((changes) => {
    for (const { type, entity } of changes) {
      if (type === "position") check.notePosition(entity);
      if (type === "trade") check.noteTrade(entity, !isAnswering);
    }
  });
});

const row = (netQty: number, fields: object = {}) => ({
  id: 5,
  accountId: 1,
  contractId: "C",
  type: netQty < 0 ? 2 : 1,
  size: Math.abs(netQty),
  ...fields,
});

/** The hub says a position. */
function tell(netQty: number): void {
  const position = parseEntity("position", row(netQty));
  assert(position !== undefined);
  check.noteWord(position);
  store.apply("position", position);
}
const trade = (netQty: number) =>
  store.apply("trade", {
    id: (trades += 1),
    accountId: 1,
    orderId: 10,
    contractId: "C",
    side: netQty < 0 ? 1 : 0,
    size: Math.abs(netQty),
    price: 1,
  });

/** What an answer lists. */
function list(...rows: readonly unknown[]): void {
  isAnswering = true;
  store.replacePositions("1", rows);
  isAnswering = false;
}

const held = () => store.positionsOf("1").map(({ type, size }) => [type, size]);

describe("what is held, and what was traded", () => {
  test("agree again once a trade is taken back and the position has moved with it", () => {
    check.begin("1");
    trade(3);
    tell(3);
    trade(1);
    tell(4);
    store.apply("trade", { ...store.trade("2"), voided: true });
    expect(check.agrees("1")).toBe(false);
    tell(3);
    expect(check.agrees("1")).toBe(true);
    store.apply("trade", { ...store.trade("2"), voided: true, fees: 1 });
    expect(check.agrees("1")).toBe(true);
  });

  test("agree again once a trade is corrected, and once one of before is taken back", () => {
    trade(3);
    tell(3);
    check.begin("1");
    const first = store.trade("1");
    store.apply("trade", { ...first, size: 2 });
    expect(check.agrees("1")).toBe(false);
    tell(2);
    expect(check.agrees("1")).toBe(true);
    store.apply("trade", { ...first, size: 2, voided: true });
    tell(0);
    expect(check.agrees("1")).toBe(true);
  });

  test("agree when both have come, whichever is first", () => {
    check.begin("1");
    trade(2);
    expect(check.agrees("1")).toBe(false);
    tell(2);
    expect(check.agrees("1")).toBe(true);
    tell(-1);
    expect(check.agrees("1")).toBe(false);
    trade(-3);
    expect(check.agrees("1")).toBe(true);
  });

  test("begin from the snapshot, of which the trades are in", () => {
    trade(2);
    list(row(5));
    check.begin("1");
    expect(check.agrees("1")).toBe(true);
    list();
    expect(check.agrees("1")).toBe(false);
    trade(-5);
    expect(check.agrees("1")).toBe(true);
  });

  test("an account without a snapshot is not judged", () => {
    list(row(5));
    expect(check.agrees("1")).toBe(true);
    expect(check.late(0)).toEqual([]);
  });

  test("an answer that is behind gives way to the hub's latest word, once trades were asked for", () => {
    check.begin("1");
    trade(2);
    tell(2);
    now += 1_000;
    list();
    expect(check.isBehind("1")).toBe(true);
    check.preferTold("1");
    check.preferTold("1", -1);
    expect(held()).toEqual([]);
    check.preferTold("1", now);
    expect(held()).toEqual([[1, 2]]);
    expect(check.agrees("1")).toBe(true);
  });

  test("a word of the hub that no answer can be behind any more is not put back", () => {
    check.begin("1");
    trade(2);
    tell(2);
    now += 10_001;
    list();
    expect(check.isBehind("1")).toBe(false);
    check.preferTold("1", now);
    expect(held()).toEqual([]);
  });

  test("what the trades do not come to is not put back", () => {
    check.begin("1");
    tell(2);
    list();
    expect(check.agrees("1")).toBe(true);
    list(row(3));
    check.preferTold("1", now);
    expect(held()).toEqual([[1, 3]]);
  });

  test("an answer that was asked for long after the hub's last word counts, and trades go on from it", () => {
    list(row(5));
    check.begin("1");
    trade(1);
    list(row(3));
    now += 10_001;
    check.believe("1", 10_000);
    expect(check.agrees("1")).toBe(false);
    check.believe("1", now);
    expect(check.agrees("1")).toBe(true);
    trade(1);
    tell(4);
    expect(check.agrees("1")).toBe(true);
  });

  test("an answer that repeats the hub's last word counts, whatever trades come to", () => {
    check.begin("1");
    list(row(2));
    check.believe("1", now);
    // The hub is late: what it says now is in that answer.
    trade(2);
    list(row(2));
    check.believe("1", now);
    expect(check.agrees("1")).toBe(false);
    now += 1;
    tell(2);
    check.believe("1", now - 1);
    expect(check.agrees("1")).toBe(false);
    list(row(2));
    check.believe("1", now);
    expect(check.agrees("1")).toBe(true);
  });

  test("an answer counts at once where the hub has said nothing of the position", () => {
    list(row(5));
    check.begin("1");
    list();
    check.believe("1", now);
    expect(check.agrees("1")).toBe(true);
  });

  test("what has not agreed for five seconds is late", () => {
    list(row(5));
    check.begin("1");
    list();
    now += 4_999;
    expect(check.late()).toEqual([]);
    now += 1;
    expect(check.late()).toEqual(["1"]);
  });

  test("a size that cannot be read is not judged: it is told as such", () => {
    check.begin("1");
    list(row(1, { size: "many" }));
    expect(check.agrees("1")).toBe(true);
  });
});
