import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBarFeed } from "../../../../src/brokers/paper/feed/bar-feed.ts";
import { createManualFeed } from "../../../../src/brokers/paper/feed/manual-feed.ts";
import { createRangePick } from "../../../../src/brokers/paper/feed/replayed-bars.ts";
import { createSeededFeed } from "../../../../src/brokers/paper/feed/seeded-feed.ts";
import type { Bar } from "../../../../src/domain/strategies/bar.ts";
import { contractCode, type ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks, tickSize } from "../../../../src/domain/contracts/price.ts";
import { ES, WEDNESDAY } from "./test-exchange.ts";

const NQ = "NQZ2026" as ContractCode;
const MINUTE_MS = 60_000;
const QUARTER = tickSize("0.25");

function expectWellFormed(bars: readonly Bar[], minutes: number, now: number): void {
  const lengthMs = minutes * MINUTE_MS;
  for (const [index, { startsAt, open, high, low, close, volume }] of bars.entries()) {
    expect(startsAt % lengthMs).toBe(0);
    expect(startsAt + lengthMs).toBeLessThanOrEqual(now);
    expect(startsAt).toBeGreaterThan(bars[index - 1]?.startsAt ?? -1);
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
    expect(low).toBeLessThanOrEqual(Math.min(open, close));
    expect([open, high, low, close, volume].every(Number.isSafeInteger)).toBe(true);
    expect(volume).toBeGreaterThanOrEqual(0);
  }
}

describe("bars of the seeded feed", () => {
  const create = (seed = 1, clock = { now: WEDNESDAY }) =>
    createSeededFeed({
      seed,
      now: () => clock.now,
      productOf: (root) => ({ root, tickSize: QUARTER }),
    });
  /** Half a minute into a bar, so that one is running. */
  const NOW = WEDNESDAY + 30_000;

  test.each([1, 5, 60, 1_440])("of %d minutes are finished, aligned, oldest first", (minutes) => {
    const bars = create().bars(ES, { minutes, count: 500, now: NOW });
    expect(bars).toHaveLength(500);
    expectWellFormed(bars, minutes, NOW);
    const lengthMs = minutes * MINUTE_MS;
    expect(bars.at(-1)?.startsAt).toBe(Math.floor(NOW / lengthMs) * lengthMs - lengthMs);
    expect(bars.at(-1)?.startsAt).toBe((bars[0]?.startsAt ?? 0) + 499 * lengthMs);
    expect(new Set(bars.map(({ close }) => close)).size).toBeGreaterThan(100);
    expect(new Set(bars.map(({ volume }) => volume)).size).toBeGreaterThan(100);
  });

  test("are the same for everyone and after a restart, and of one seed and contract only", () => {
    const wanted = { minutes: 5, count: 50, now: NOW };
    expect(create().bars(ES, wanted)).toEqual(create().bars(ES, wanted));
    expect(create(2).bars(ES, wanted)).not.toEqual(create().bars(ES, wanted));
    expect(create().bars(NQ, wanted)).not.toEqual(create().bars(ES, wanted));
  });

  test("agree with the quotes at their beginning and right before their end", () => {
    const clock = { now: NOW };
    const feed = create(1, clock);
    const bidAt = (at: number) => {
      clock.now = at;
      return feed.quote(ES)?.bid;
    };
    for (const minutes of [1, 5, 240]) {
      for (const bar of feed.bars(ES, { minutes, count: 20, now: NOW })) {
        const endsAt = bar.startsAt + minutes * MINUTE_MS;
        expect(bar.open).toBe(bidAt(bar.startsAt));
        expect(bar.close).toBe(bidAt(endsAt - 1));
        const third = bidAt(bar.startsAt + (endsAt - bar.startsAt) / 60) ?? NaN;
        expect(third >= bar.low && third <= bar.high).toBe(true);
      }
    }
  });

  test("are as many as were asked for, and no more", () => {
    const feed = create();
    const all = feed.bars(ES, { minutes: 5, count: 500, now: NOW });
    expect(feed.bars(ES, { minutes: 5, count: 3, now: NOW })).toEqual(all.slice(-3));
    expect(feed.bars(ES, { minutes: 5, count: 500, now: NOW })).toEqual(all);
    expect(feed.bars(ES, { minutes: 5, count: 0, now: NOW })).toEqual([]);
    expect(() => feed.bars(ES, { minutes: 5, count: 501, now: NOW })).toThrow("no more bars");
    expect(() => feed.bars(ES, { minutes: 0, count: 1, now: NOW })).toThrow("whole minutes");
    expect(() => feed.bars(ES, { minutes: 1.5, count: 1, now: NOW })).toThrow("whole minutes");
  });

  test("a bar is finished at its end, and not a millisecond before", () => {
    const feed = create();
    const newest = (now: number) => feed.bars(ES, { minutes: 1, count: 2, now }).at(-1)?.startsAt;
    expect(newest(WEDNESDAY + MINUTE_MS - 1)).toBe(WEDNESDAY - MINUTE_MS);
    expect(newest(WEDNESDAY + MINUTE_MS)).toBe(WEDNESDAY);
  });

  test("are computed once: a later question adds what has ended meanwhile", () => {
    const feed = create();
    const first = feed.bars(ES, { minutes: 1, count: 10, now: NOW });
    const later = feed.bars(ES, { minutes: 1, count: 12, now: NOW + MINUTE_MS });
    expect(later).toHaveLength(12);
    // The very same objects, but for one older bar and one that has ended since.
    expect(later.slice(1, 11).every((bar, index) => bar === first[index])).toBe(true);
    expect(feed.bars(ES, { minutes: 1, count: 12, now: NOW })[11]).toBe(first[9]);
  });

  test("are forgotten after a hundred other contracts or lengths, longest unasked first", () => {
    const feed = create();
    const newest = (contract: ContractCode) =>
      feed.bars(contract, { minutes: 5, count: 1, now: NOW })[0];
    const [es, nq] = [newest(ES), newest(NQ)];
    for (let year = 2027; year < 2027 + 98; year += 1) {
      newest(contractCode({ root: "CL", year, month: 1 }));
    }
    expect(newest(ES)).toBe(es);
    newest(contractCode({ root: "CL", year: 2200, month: 1 }));
    expect(newest(ES)).toBe(es);
    expect(newest(NQ)).not.toBe(nq);
    expect(newest(NQ)).toEqual(nq);
  });
});

const fileBar = (startsAt: number, prices: readonly number[], volume: number): Bar => {
  const [open = 0, high = 0, low = 0, close = 0] = prices.map(ticks);
  return {
    startsAt,
    open: ticks(open),
    high: ticks(high),
    low: ticks(low),
    close: ticks(close),
    volume,
  };
};

describe("bars of a replayed file", () => {
  const FILE = [
    fileBar(0, [40, 48, 36, 44], 40),
    fileBar(MINUTE_MS, [44, 48, 32, 36], 4),
    fileBar(2 * MINUTE_MS, [36, 36, 36, 36], 9),
  ];
  const replay = (
    startedAt: number,
    {
      bars = FILE,
      speed = 1,
      loops = true,
    }: { bars?: readonly Bar[]; speed?: number; loops?: boolean } = {},
  ) => {
    const clock = { now: startedAt };
    const feed = createBarFeed({ root: "ES", bars, speed, loops, now: () => clock.now });
    return { feed, clock };
  };

  test("at the file's own speed they are the file's, by the bid", () => {
    const { feed } = replay(WEDNESDAY);
    const bars = feed.bars(ES, { minutes: 1, count: 500, now: WEDNESDAY + 4.5 * MINUTE_MS });
    expect(bars).toEqual([
      fileBar(WEDNESDAY, [40, 47, 36, 44], 40),
      fileBar(WEDNESDAY + MINUTE_MS, [44, 47, 32, 36], 4),
      fileBar(WEDNESDAY + 2 * MINUTE_MS, [36, 36, 36, 36], 9),
      fileBar(WEDNESDAY + 3 * MINUTE_MS, [40, 47, 36, 44], 40),
    ]);
  });

  test("begin with the first whole bar after the feed was made", () => {
    const { feed } = replay(WEDNESDAY + 1);
    const ask = (now: number) => feed.bars(ES, { minutes: 1, count: 500, now });
    expect(ask(WEDNESDAY + MINUTE_MS)).toEqual([]);
    const [first, ...others] = ask(WEDNESDAY + 2 * MINUTE_MS);
    expect(others).toEqual([]);
    // What stood when the bar began is its open: the last millisecond of the file's first bar.
    expect(first).toEqual(fileBar(WEDNESDAY + MINUTE_MS, [44, 47, 32, 36], 4));
  });

  test("stand still, with nothing traded, once the file has ended", () => {
    const { feed } = replay(WEDNESDAY, { loops: false, speed: 3 });
    const bars = feed.bars(ES, { minutes: 1, count: 500, now: WEDNESDAY + 3 * MINUTE_MS });
    expect(bars).toEqual([
      fileBar(WEDNESDAY, [40, 47, 32, 36], 53),
      fileBar(WEDNESDAY + MINUTE_MS, [36, 36, 36, 36], 0),
      fileBar(WEDNESDAY + 2 * MINUTE_MS, [36, 36, 36, 36], 0),
    ]);
  });

  test("miss nothing of a file that runs through within a few milliseconds", () => {
    const { feed } = replay(WEDNESDAY, { loops: false, speed: 60_000 });
    expect(feed.bars(ES, { minutes: 1, count: 500, now: WEDNESDAY + 2 * MINUTE_MS })).toEqual([
      fileBar(WEDNESDAY, [40, 47, 32, 36], 53),
      fileBar(WEDNESDAY + MINUTE_MS, [36, 36, 36, 36], 0),
    ]);
  });

  test("there are none of another root", () => {
    const { feed } = replay(WEDNESDAY);
    expect(feed.bars(NQ, { minutes: 1, count: 9, now: WEDNESDAY + 60 * MINUTE_MS })).toEqual([]);
  });

  test("are what the quotes were, at any speed and from any beginning", () => {
    const someBar = fc
      .record({
        prices: fc.array(fc.integer({ min: 10, max: 90 }), { minLength: 4, maxLength: 4 }),
      })
      .map(({ prices: [a = 0, b = 0, c = 0, d = 0] }) => [
        a,
        Math.max(a, b, c, d),
        Math.min(a, b, c, d),
        d,
      ]);
    const files = fc
      .array(fc.tuple(someBar, fc.integer({ min: 0, max: 99 })), { minLength: 1, maxLength: 40 })
      .map((bars) => bars.map(([prices, volume], n) => fileBar(n * MINUTE_MS, prices, volume)));
    const speed = fc.constantFrom(0.25, 1, 7, 60, 600);
    const offset = fc.integer({ min: 0, max: 2 * MINUTE_MS });
    fc.assert(
      fc.property(files, speed, fc.boolean(), offset, (bars, times, loops, late) => {
        const startedAt = WEDNESDAY + late;
        const { feed, clock } = replay(startedAt, { bars, speed: times, loops });
        const bidAt = (at: number) => {
          clock.now = at;
          return feed.quote(ES)?.bid ?? NaN;
        };
        const now = WEDNESDAY + 5 * MINUTE_MS;
        const told = feed.bars(ES, { minutes: 1, count: 500, now });
        expect(told).toHaveLength(5 - Math.ceil(late / MINUTE_MS));
        expectWellFormed(told, 1, now);
        const stepMs = Math.max(1, Math.floor(MINUTE_MS / 4 / times));
        /** A quarter of its bar's volume for each quote that was shown until then. */
        const tradedUntil = (at: number) => {
          const shown = Math.floor((at - startedAt) / (MINUTE_MS / 4 / times)) + 1;
          let traded = 0;
          for (let n = 0; n < (loops ? shown : Math.min(shown, bars.length * 4)); n += 1) {
            traded += (bars[Math.floor(n / 4) % bars.length]?.volume ?? NaN) / 4;
          }
          return Math.floor(traded);
        };
        for (const { startsAt, open, high, low, close, volume } of told) {
          const endsAt = startsAt + MINUTE_MS;
          expect(volume).toBe(tradedUntil(endsAt - 1) - tradedUntil(startsAt - 1));
          const bids: number[] = [];
          for (let at = startsAt; at < endsAt; at += stepMs) bids.push(bidAt(at));
          bids.push(bidAt(endsAt - 1));
          expect([open, high, low, close]).toEqual([
            bids[0],
            Math.max(...bids),
            Math.min(...bids),
            bids.at(-1),
          ]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

test("the pick of a range is that of its values one by one", () => {
  const numbers = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 70 });
  fc.assert(
    fc.property(numbers, fc.nat(70), fc.nat(70), (values, one, other) => {
      const from = Math.min(one, other, values.length);
      const until = Math.min(Math.max(one, other), values.length);
      const range = values.slice(from, until);
      const expected =
        range.length === 0 ? [undefined, undefined] : [Math.max(...range), Math.min(...range)];
      const picked = [Math.max, Math.min].map((pick) => createRangePick(values, pick)(from, until));
      expect(picked).toEqual(expected);
    }),
  );
});

describe("bars of the manual feed", () => {
  test("are those that were set and have ended, the newest of them", () => {
    const feed = createManualFeed();
    const bars = [0, 1, 2, 3].map((n) => fileBar(WEDNESDAY + n * MINUTE_MS, [4, 9, 1, n], n));
    feed.setBars(ES, 1, bars);
    const ask = (count: number, now: number, minutes = 1, contract = ES) =>
      feed.bars(contract, { minutes, count, now });
    expect(ask(500, WEDNESDAY + 4 * MINUTE_MS)).toEqual(bars);
    expect(ask(500, WEDNESDAY + 4 * MINUTE_MS - 1)).toEqual(bars.slice(0, 3));
    expect(ask(2, WEDNESDAY + 4 * MINUTE_MS - 1)).toEqual(bars.slice(1, 3));
    expect(ask(0, WEDNESDAY + 4 * MINUTE_MS)).toEqual([]);
    expect(ask(500, WEDNESDAY + 4 * MINUTE_MS, 5)).toEqual([]);
    expect(ask(500, WEDNESDAY + 4 * MINUTE_MS, 1, NQ)).toEqual([]);
    feed.setBars(ES, 1, bars.slice(0, 1));
    expect(ask(500, WEDNESDAY + 4 * MINUTE_MS)).toEqual(bars.slice(0, 1));
  });
});
