// The goal: no two accounts of a user are on opposite sides, however long an order rests and whatever else is claimed.
// The method: the real scripts on a real Redis, with instants that are given.
import { afterEach, beforeEach, expect, test } from "vitest";
import { accountId, userId } from "../../../src/domain/ids.ts";
import type { Side } from "../../../src/domain/order.ts";
import { createRedisSides, sideScripts } from "../../../src/store/guards/redis-sides.ts";
import { keptSides, type SideClaims } from "../../../src/trading/guards/opposite-sides.ts";
import { openCorner, type RedisCorner } from "../../unit/store/open-redis.ts";

const USER = userId("u_1");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 1_700_000_000_000;

let corner: RedisCorner;
let sides: SideClaims;

beforeEach(async () => {
  corner = await openCorner();
  sides = createRedisSides({ redis: await corner.open("worker", sideScripts), keys: corner.keys });
});
afterEach(() => corner.close());

/** Answers who is in the way. */
const claim = async (
  account: string,
  side: Side,
  now: number,
  root = "ES",
  itself: readonly string[] = [],
) =>
  await sides.claim(USER, {
    account: accountId(account),
    itself: itself.map((one) => accountId(one)),
    root,
    side,
    against: ["ES", "MES"],
    now,
    until: now + DAY,
  });
const keep = async (there: Parameters<typeof keptSides>[0], now: number) => {
  await sides.keep(USER, accountId("one"), keptSides(there, now));
};
const NOTHING: ReadonlyMap<string, ReadonlySet<Side>> = new Map();
const BOTH = new Map([["ES", new Set<Side>(["BUY", "SELL"])]]);
const only = (side: Side) => new Map([["ES", new Set([side])]]);

test("an account that has claimed both sides holds both", async () => {
  expect(await claim("one", "BUY", NOW)).toBeUndefined();
  expect(await claim("one", "SELL", NOW)).toBeUndefined();
  expect(await claim("two", "SELL", NOW, "MES")).toBe("one");
  expect(await claim("two", "BUY", NOW, "MES")).toBe("one");
});

test("one account by two logins may be on both sides, and keeps others off both", async () => {
  expect(await claim("one", "BUY", NOW)).toBeUndefined();
  expect(await claim("again", "SELL", NOW, "MES", ["one", "again"])).toBeUndefined();
  expect(await claim("two", "SELL", NOW)).toBe("one");
  expect(await claim("two", "BUY", NOW)).toBe("again");
});

test("a claim lasts for as long as what it is of is there, and not longer", async () => {
  await claim("one", "BUY", NOW);
  for (let at = NOW; at < NOW + 3 * DAY; at += HOUR / 2) await keep(BOTH, at);
  expect(await claim("two", "SELL", NOW + 3 * DAY)).toBe("one");
  await keep(NOTHING, NOW + 3 * DAY);
  expect(await claim("two", "SELL", NOW + 3 * DAY)).toBeUndefined();
});

test("one that nobody keeps ends after a day", async () => {
  await claim("one", "BUY", NOW);
  expect(await claim("two", "SELL", NOW + DAY - 1)).toBe("one");
  expect(await claim("two", "SELL", NOW + DAY)).toBeUndefined();
});

test("of two sides the one that is not there any more is given up", async () => {
  await claim("one", "BUY", NOW);
  await claim("one", "SELL", NOW);
  await keep(only("BUY"), NOW + 2 * HOUR);
  expect(await claim("two", "SELL", NOW + 2 * HOUR)).toBe("one");
  expect(await claim("two", "BUY", NOW + 2 * HOUR)).toBeUndefined();
});

test("what was claimed a moment ago is not given up, nor another account's", async () => {
  await claim("one", "BUY", NOW);
  await keep(NOTHING, NOW + 1_000);
  expect(await claim("two", "SELL", NOW + 1_000)).toBe("one");
  await claim("three", "BUY", NOW);
  await keep(NOTHING, NOW + HOUR);
  expect(await claim("two", "SELL", NOW + HOUR)).toBe("three");
});
