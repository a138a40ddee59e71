import { expect, test } from "vitest";
import {
  BracketBook,
  type WantedEntry,
} from "../../../../../src/brokers/projectx/exits/bracket-book.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { clOrdId } from "../../../../../src/domain/ids.ts";

/** A memory that the next book reads. */
function memory() {
  let kept: string | undefined;
  return {
    load: async () => kept,
    former: async () => "kept" as const,
    save: (_name: string, text: string) => void (kept = text),
    close: async () => undefined,
    spoil: (text: string) => void (kept = text),
  };
}

function entry(tag: string): WantedEntry {
  const own = { distance: undefined, orderId: "7", againIds: ["9"], attempt: 2 };
  const leg = { ...own, placedSize: 3, isEnded: false, waivedQty: 1 };
  return {
    account: "460001",
    tag: clOrdId(tag),
    contractId: "CON.F.US.EP.Z26",
    side: "SELL",
    size: 3,
    wantedAt: 1,
    orderId: "6",
    legs: new Map([["STOP_LOSS", { ...leg, level: ticks(1_020) }]]),
  };
}

test("the next owner finds what was kept, word for word", async () => {
  const shared = memory();
  const book = new BracketBook(shared);
  book.add(entry("a"));
  book.add(entry("b"));
  book.remove(entry("b"));
  const next = new BracketBook(shared);
  await next.load();
  expect(next.all()).toEqual([entry("a")]);
});

test.each([
  ["", "unreadable"],
  ["{", "unreadable"],
  ["7", "unreadable"],
  ["null", "unreadable"],
  ['{"a":[]}', "unreadable"],
  ['[{"account":1}]', "kept"],
  ['[null,{"legs":{}}]', "kept"],
])("what nobody can read is nothing, and said to be so: %s", async (text, former) => {
  const shared = memory();
  shared.spoil(text);
  const book = new BracketBook(shared);
  expect(await book.load()).toBe(former);
  expect(book.all()).toEqual([]);
  expect(await book.load()).toBeUndefined();
});

test("what is known here counts more than what was kept", async () => {
  const shared = memory();
  new BracketBook(shared).add(entry("a"));
  const book = new BracketBook(shared);
  const own = { ...entry("a"), size: 9 };
  book.add(own);
  await book.load();
  expect(book.of("460001", "a")).toBe(own);
});

test("it is bounded: the oldest entries are let go, and named", () => {
  const book = new BracketBook(memory());
  const gone = Array.from({ length: 600 }, (_, n) => book.add(entry(`t${n}`))?.tag);
  expect(gone.filter((tag) => tag !== undefined)).toEqual(
    Array.from({ length: 100 }, (_, n) => `t${n}`),
  );
  expect(book.all()).toHaveLength(500);
  expect(book.of("460001", "t0")).toBeUndefined();
  expect(book.of("460001", "t599")).toBeDefined();
});
