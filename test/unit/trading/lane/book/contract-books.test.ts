// The goal: the book of a contract is what is recorded of it, whatever was noted of it since it was read.
// The method: record fills in memory, read books, and compare them with what is held and with a book read anew.
import { beforeEach, describe, expect, test } from "vitest";
import { leftOf, lotsOf, netOf } from "../../../../../src/domain/book/lots.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { clOrdId, execId, orderId } from "../../../../../src/domain/ids.ts";
import type { Fill, Side } from "../../../../../src/domain/order.ts";
import { ContractBooks } from "../../../../../src/trading/lane/book/contract-books.ts";
import { ACCOUNT, ES, MemoryViews, NQ } from "../../lane-kit.ts";

const DAY = 24 * 3_600_000;
const NOW = 100 * DAY;

let views: MemoryViews;
let books: ContractBooks;
let last: number;

beforeEach(() => {
  views = new MemoryViews();
  books = new ContractBooks({ views, elapsed: () => NOW });
  last = 0;
});

const fill = (order: string, side: Side, lastQty: number, change: Partial<Fill> = {}): Fill => {
  last += 1;
  return {
    execId: execId(`x${last}`),
    orderId: orderId(`o-${order}`),
    clOrdId: clOrdId(order),
    contract: ES,
    side,
    lastQty,
    lastPx: ticks(4_000),
    transactTimeAt: NOW + last,
    ...change,
  };
};

/** As the process that owns the account records them. */
async function record(...fills: readonly Fill[]): Promise<void> {
  const recorded = await views.recordFills(ACCOUNT, fills, undefined);
  books.noteFills(ACCOUNT, fills, recorded);
}

const held = async () => (await views.holdings(ACCOUNT)).filledNet.get(ES) ?? 0;

async function left(owner: string, sinceAt = NOW): Promise<number> {
  const trip = await books.read(ACCOUNT, ES, sinceAt);
  return leftOf(lotsOf(trip, NOW + 100_000), [owner]);
}

const explained = async () => netOf(await books.read(ACCOUNT, ES, NOW));

describe("fills from before the book", () => {
  const before = () => fill("X", "BUY", 5, { transactTimeAt: NOW - 3 * DAY });

  test("that are read from the broker again are no second ones", async () => {
    const old = before();
    await record(old);
    const entry = fill("P", "BUY", 2);
    await record(entry);
    expect(await explained()).toBe(7);
    await record(old, entry);
    expect(await explained()).toBe(7);
    await record(fill("R", "SELL", 7));
    expect([await explained(), await left("P")]).toEqual([0, 0]);
  });

  test("that are new change what is held, and the book with it", async () => {
    await record(fill("P", "BUY", 2));
    expect(await explained()).toBe(2);
    await record(before());
    expect([await explained(), await held()]).toEqual([7, 7]);
  });

  test("that are corrected or taken back change it, too", async () => {
    const old = before();
    await record(old, fill("P", "BUY", 2));
    expect(await explained()).toBe(7);
    await record({ ...old, lastQty: 3 });
    expect([await explained(), await held()]).toEqual([5, 5]);
    await record({ ...old, lastQty: 3, takenBack: true });
    expect([await explained(), await held()]).toEqual([2, 2]);
  });
});

test("a plan that is older than the book's first reader finds its own fills", async () => {
  const at = (days: number) => ({ transactTimeAt: NOW + days * DAY + last });
  await record(fill("A", "BUY", 4, at(0)));
  const leg = { clOrdId: clOrdId("A-TP"), closes: [clOrdId("A")] };
  await record(fill("A-TP", "SELL", 2, { ...at(0), ...leg }));
  await record(fill("B", "BUY", 2, at(3)));
  expect(await left("B", NOW + 3 * DAY)).toBe(2);
  expect(await left("A", NOW)).toBe(2);
});

test.each([
  ["e1", "e2"],
  ["e9", "e10"],
  ["99", "100"],
])("fills of one instant, %s and %s, are read as they happened", async (first, second) => {
  const at = { transactTimeAt: NOW + 10 };
  await record(fill("A", "BUY", 4));
  await record(fill("F", "SELL", 4, { ...at, execId: execId(first) }));
  await record(fill("P", "SELL", 2, { ...at, execId: execId(second) }));
  expect([await left("F"), await left("P")]).toEqual([0, 2]);
});

test("a book is read while fills of other contracts are recorded", async () => {
  await record(fill("A", "BUY", 4));
  const { fills } = views;
  const busy: MemoryViews["fills"] = async (account, query) => {
    await record(fill("N", "BUY", 1, { contract: NQ }));
    return await fills(account, query);
  };
  Object.assign(views, { fills: busy });
  expect(await left("A")).toBe(4);
});

test("a book that no plan asks for is not followed for ever", async () => {
  let reads = 0;
  const { fills } = views;
  const counted: MemoryViews["fills"] = async (account, query) => {
    reads += 1;
    return await fills(account, query);
  };
  Object.assign(views, { fills: counted });
  await record(fill("A", "BUY", 1));
  expect(await left("A")).toBe(1);
  books.close(ACCOUNT, ES);
  expect([await left("A"), reads]).toEqual([1, 1]);
  books.close(ACCOUNT, ES);
  for (let nth = 0; nth < 300; nth += 1) await record(fill(`B${nth}`, "BUY", 1));
  expect([await left("B299"), reads]).toEqual([1, 2]);
});
