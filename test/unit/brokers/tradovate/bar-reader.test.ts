import { beforeEach, describe, expect, test } from "vitest";
import { BarReader } from "../../../../src/brokers/bar-reader.ts";
import { chartSource } from "../../../../src/brokers/tradovate/chart-source.ts";
import { MarketRefusals } from "../../../../src/brokers/tradovate/market-refusals.ts";
import { MarketDataRefusedError } from "../../../../src/brokers/tradovate/market-requests.ts";
import type { TradovateBar } from "../../../../src/brokers/tradovate/market-messages.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { tickSize } from "../../../../src/domain/contracts/price.ts";
import type { CommandFailure } from "../../../../src/trading/ports.ts";

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 26, 15);
const ES = "ESZ2026" as ContractCode;

let now: number;
let asked: string[];
let waited: number[];
let chart: () => Promise<readonly TradovateBar[]>;
let failure: CommandFailure | undefined;
let reader: BarReader;

beforeEach(() => {
  [now, asked, waited, failure] = [START + 10 * MINUTE_MS + 5_000, [], [], undefined];
  chart = async () => upTo(10);
  const find = chartSource({
    link: { untilUp: async () => true, trouble: undefined },
    charts: {
      ask: async (symbol, { elements }) => {
        asked.push(`${symbol} ${elements}`);
        return await chart();
      },
    },
    refusals: new MarketRefusals(() => now),
    find: async () => failure ?? { id: 1, symbol: "ESZ6", code: ES, tickSize: tickSize("0.25") },
  });
  reader = new BarReader({
    find,
    now: () => now,
    wait: async (ms) => {
      waited.push(ms);
      now += ms;
    },
  });
});

/** One for each minute, the last one begun at minute `last`. */
const upTo = (last: number): readonly TradovateBar[] =>
  Array.from({ length: last + 1 }, (_, minute) => ({
    at: START + minute * MINUTE_MS,
    open: 10,
    high: 11,
    low: 9,
    close: 10,
    volume: 1,
  }));

const read = (count: number, minutes = 1) => reader.read({ contract: ES, minutes, count });
const lastOf = async (count: number) =>
  ((await read(count)).at(-1)?.startsAt ?? 0) / MINUTE_MS - START / MINUTE_MS;

describe("the bars of a minute", () => {
  test("are asked for once until the next one has ended", async () => {
    expect(await lastOf(3)).toBe(9);
    now += 30_000;
    expect(await read(2)).toHaveLength(2);
    expect(asked).toEqual(["ESZ6 5"]);
    now += 30_000;
    chart = async () => upTo(11);
    expect(await lastOf(1)).toBe(10);
    // As many as somebody wanted before.
    expect(asked).toEqual(["ESZ6 5", "ESZ6 5"]);
    await read(8);
    expect(asked).toHaveLength(3);
  });

  test("are asked for once by all who ask at the same time", async () => {
    const all = await Promise.all([read(5), read(5), read(2)]);
    expect(all.map(({ length }) => length)).toEqual([5, 5, 2]);
    expect(asked).toHaveLength(1);
    expect(reader.isReading).toBe(false);
  });

  test("are asked for again where the one that has just ended may still grow", async () => {
    now = START + 10 * MINUTE_MS + 200;
    chart = async () => upTo(9);
    expect(await lastOf(3)).toBe(9);
    expect(waited).toEqual([800]);
    expect(asked).toHaveLength(2);
  });

  test("are not, where the next one has begun", async () => {
    now = START + 10 * MINUTE_MS + 200;
    expect(await lastOf(3)).toBe(9);
    expect(asked).toHaveLength(1);
  });

  test("that did not come with the others are looked for a little later", async () => {
    now = START + 10 * MINUTE_MS + 1_500;
    chart = async () => upTo(8);
    expect(await lastOf(3)).toBe(8);
    now += 2_000;
    chart = async () => upTo(10);
    expect(await lastOf(3)).toBe(9);
    expect(asked).toHaveLength(2);
  });

  test("in which nothing was traded are not looked for again and again", async () => {
    chart = async () => upTo(5);
    expect(await lastOf(3)).toBe(5);
    now += 50_000;
    expect(await lastOf(3)).toBe(5);
    expect(asked).toHaveLength(1);
  });
});

test("who asks once a bar has ended is not told what was asked for before", async () => {
  now = START + 10 * MINUTE_MS - 100;
  let answer: (elements: readonly TradovateBar[]) => void = () => undefined;
  chart = () => new Promise((resolve) => (answer = resolve));
  const early = read(3);
  await new Promise((resolve) => setImmediate(resolve));
  now += 1_200;
  chart = async () => upTo(10);
  const late = lastOf(3);
  answer(upTo(9));
  expect((await early).at(-1)?.startsAt).toBe(START + 8 * MINUTE_MS);
  expect(await late).toBe(9);
  expect(reader.isReading).toBe(false);
});

test("what the broker refuses is not asked for again for half an hour, and then it is", async () => {
  chart = async () => {
    throw new MarketDataRefusedError("Symbol is inaccessible");
  };
  for (let minute = 0; minute < 30; minute += 1) {
    await expect(read(3)).rejects.toThrow(/inaccessible/);
    now += MINUTE_MS;
  }
  expect(asked).toHaveLength(1);
  chart = async () => upTo(40);
  expect(await read(3)).toHaveLength(3);
});

test("of an unknown contract there are none, and one that cannot be looked up is an error", async () => {
  failure = { kind: "rejected", reason: "Tradovate knows no contract ESZ6" };
  expect(await read(3)).toEqual([]);
  failure = { kind: "notSent", reason: "no answer" };
  now += MINUTE_MS;
  await expect(read(3)).rejects.toThrow(/no answer/);
});

test("a few charts are asked for at a time, and the others wait for their turn", async () => {
  let under = 0;
  let most = 0;
  chart = async () => {
    under += 1;
    most = Math.max(most, under);
    await new Promise((resolve) => setImmediate(resolve));
    under -= 1;
    return upTo(10);
  };
  const lengths = [1, 2, 3, 5, 10, 15, 30, 60];
  await Promise.all(lengths.map(async (minutes) => await read(1, minutes)));
  expect(asked).toHaveLength(lengths.length);
  expect(most).toBe(4);
});
