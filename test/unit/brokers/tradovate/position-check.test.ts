import { beforeEach, describe, expect, test } from "vitest";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import { PositionCheck } from "../../../../src/brokers/tradovate/position-check.ts";
import type { TradovatePropsEvent } from "../../../../src/brokers/tradovate/wire.ts";
import { event, fill, order } from "./entity-kit.ts";

const ACCOUNT = 5;
let store: EntityStore;
let check: PositionCheck;
let now: number;

beforeEach(() => {
  [store, now] = [new EntityStore(), 0];
  check = new PositionCheck(store, () => now);
});

function hear(...events: readonly TradovatePropsEvent[]): void {
  for (const one of events) for (const change of store.apply(one)) check.note(change);
}

const held = (netPos: number, more: object = {}) =>
  event("position", "Updated", { ...POSITION, netPos, ...more });
const POSITION = {
  id: 900,
  accountId: ACCOUNT,
  contractId: 1,
  timestamp: "2026-06-14T15:04:05.678Z",
  netPos: 0,
};
const placed = event("order", "Created", order(100, "Working"));
const bought = (id: number, qty: number) => event("fill", "Created", fill(id, 100, qty));

const busted = (id: number, qty: number) =>
  event("fill", "Updated", { ...fill(id, 100, qty), active: false });

describe("a position and its fills", () => {
  test.each<[string, readonly TradovatePropsEvent[]]>([
    ["the fill first", [placed, bought(110, 2), held(2)]],
    ["the position first", [placed, held(2), bought(110, 2)]],
    ["the fill before its order", [bought(110, 2), placed, held(2)]],
    ["everything twice", [placed, placed, bought(110, 2), bought(110, 2), held(2), held(2)]],
    ["back where it was", [placed, bought(110, 2), held(2), held(0), sold(120, 2)]],
    ["a fill that is taken back", [placed, bought(110, 2), held(2), busted(110, 2), held(0)]],
    ["a fill that is corrected", [placed, bought(110, 2), held(1), bought(110, 1)]],
  ])("agree once both are told: %s", (_, events) => {
    check.begin();
    hear(...events);
    now = 60_000;
    expect(check.agrees(ACCOUNT)).toBe(true);
    expect(check.isLate(5_000)).toBe(false);
  });

  test.each<[string, TradovatePropsEvent]>([
    ["a fill that the position did not follow", bought(110, 2)],
    ["a position that moved without a fill", held(2)],
  ])("do not agree, and are late when the other does not come: %s", (_, half) => {
    check.begin();
    hear(placed, half);
    expect(check.agrees(ACCOUNT)).toBe(false);
    now = 4_999;
    expect(check.isLate(5_000)).toBe(false);
    now = 5_000;
    expect(check.isLate(5_000)).toBe(true);
  });

  test("what the snapshot had is not counted again", () => {
    store.load({
      orders: [order(100, "Working")],
      fills: [fill(110, 100, 2)],
      positions: [{ ...POSITION, netPos: 7 }],
    });
    check.begin();
    hear(bought(110, 2), held(8));
    expect(check.agrees(ACCOUNT)).toBe(false);
    hear(bought(111, 1));
    expect(check.agrees(ACCOUNT)).toBe(true);
  });

  test("are an account's own", () => {
    check.begin();
    hear(held(1, { id: 901, accountId: 50 }));
    expect(check.agrees(ACCOUNT)).toBe(true);
    expect(check.agrees(50)).toBe(false);
  });
});

function sold(id: number, qty: number): TradovatePropsEvent {
  return event("fill", "Created", { ...fill(id, 100, qty), action: "Sell" });
}
