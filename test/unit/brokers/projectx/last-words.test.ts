import { beforeEach, describe, expect, test } from "vitest";
import { LastWords } from "../../../../src/brokers/projectx/last-words.ts";

let now: number;
let words: LastWords;

beforeEach(() => {
  now = 1_000;
  words = new LastWords(() => now);
});

describe("what the broker said last", () => {
  test("serves as an answer for ten seconds, and only on its own subject", () => {
    expect(words.isGood("positions", "1")).toBe(false);
    words.note("positions", "1");
    expect(words.isGood("positions", "1")).toBe(true);
    expect(words.isGood("orders", "1")).toBe(false);
    expect(words.isGood("positions", "2")).toBe(false);
    now += 10_001;
    expect(words.isGood("positions", "1")).toBe(false);
  });

  test("is of when it was asked for, and never older than what was said before", () => {
    words.note("orders", "1", 400);
    expect(words.saidAt("orders", "1")).toBe(400);
    words.note("orders", "1", 300);
    expect(words.saidAt("orders", "1")).toBe(400);
  });

  test("says nothing of what is held once an order has filled", () => {
    words.note("positions", "1");
    words.note("orders", "1");
    now += 1;
    words.noteFilled("1");
    expect(words.isGood("positions", "1")).toBe(false);
    expect(words.isGood("orders", "1")).toBe(true);
    words.note("positions", "1");
    expect(words.isGood("positions", "1")).toBe(true);
  });
});
