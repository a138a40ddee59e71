// The goal: what `together` adds is each account at its broker once, by whichever login it is named.
import { expect, test } from "vitest";
import { identityOf } from "../../../../src/domain/account-identity.ts";
import { changeClock, STANDARD_CLOCKS } from "../../../../src/domain/calendar/account-day.ts";
import { type AccountId, accountId, connectionId } from "../../../../src/domain/ids.ts";
import { type AccountBook, EMPTY_BOOK } from "../../../../src/domain/ledger/account-book.ts";
import { minor } from "../../../../src/domain/money.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";
import type { ReadFacts } from "../../../../src/trading/guards/read-facts.ts";
import { createReadOthers } from "../../../../src/trading/guards/read-others.ts";
import { loss, settingsOf } from "../../domain/guards/kit.ts";
import { USER } from "../lane-kit.ts";

const account = (id: string, number: string, change: object = {}): StoredAccount => ({
  accountId: accountId(id),
  userId: USER,
  connectionId: connectionId(id.slice(0, 4)),
  name: id,
  broker: "tradovate",
  environment: "demo",
  number,
  active: true,
  ...change,
});

const DAY_MS = 86_400_000;
const NOON = Date.parse("2026-06-10T12:00:00Z");

/** Reads the others of an account that names these. */
async function read(named: readonly string[], known: readonly StoredAccount[], now = NOON) {
  const books: AccountId[] = [];
  const othersOf = createReadOthers({
    accounts: {
      find: (id) => known.find((one) => one.accountId === id),
      sameAtBroker: (of) => known.filter((one) => identityOf(one) === identityOf(of)),
      clocksOf: (id) => known.find((one) => one.accountId === id)?.clocks ?? STANDARD_CLOCKS,
    },
    bookOf: async (id): Promise<AccountBook> => {
      books.push(id);
      return EMPTY_BOOK;
    },
    quotes: { of: async () => ({ quotes: new Map() }) as never },
    readFacts: (() => ({
      now,
      days: [{ day: "2026-06-10", net: minor(-600) }],
      tradingDay: "2026-06-10",
      weekBegan: "2026-06-08",
      open: minor(0),
    })) as unknown as ReadFacts,
  });
  const rule = loss({ together: named.map((id) => accountId(id)) });
  const others = await othersOf(accountId("tv-1-7"), settingsOf([rule]));
  return { others: [...others.values()], books };
}

const OWN = account("tv-1-7", "7");

test("the account itself, and the same one by another login, are no others", async () => {
  const { others, books } = await read(["tv-1-7", "tv-2-7"], [OWN, account("tv-2-7", "7")]);
  expect([others, books]).toEqual([["itself", "itself"], []]);
});

test("the same number elsewhere is another account", async () => {
  const live = account("tv-2-7", "7", { environment: "live" });
  const paper = account("pa-1-7", "7", { broker: "paper" });
  const firm = account("px-1-7", "7", { numberedBy: "https://api.another.example" });
  const { others } = await read(["tv-2-7", "pa-1-7", "px-1-7"], [OWN, live, paper, firm]);
  expect(others).toMatchObject([{ today: -600 }, { today: -600 }, { today: -600 }]);
  expect(new Set(others.map((one) => one !== "itself" && one.identity)).size).toBe(3);
});

test("one whose login is paused is read by the login that is not", async () => {
  const known = [OWN, account("tv-1-8", "8", { active: false }), account("tv-2-8", "8")];
  const { others, books } = await read(["tv-1-8"], known);
  expect([others.length, books]).toEqual([1, ["tv-2-8"]]);
});

test("another user's account is not told", async () => {
  const foreign = account("tv-2-8", "8", { userId: "u_2" });
  expect((await read(["tv-2-8", "none"], [OWN, foreign])).others).toEqual([]);
});

test("one whose days begin at another time has figures of other hours, which are not added", async () => {
  const clocks = changeClock([], { begins: "00:00", zone: "UTC" }, NOON);
  const known = [OWN, account("tv-1-8", "8", { clocks })];
  const isOther = async (now: number, all = known) => {
    const [other] = (await read(["tv-1-8"], all, now)).others;
    return other !== "itself" && other?.areOtherDays === true;
  };
  // The day that goes on is the same until it ends.
  expect(await isOther(NOON)).toBe(false);
  expect(await isOther(NOON + DAY_MS)).toBe(true);
  const alike = known.map((one) => ({ ...one, clocks }));
  expect(await isOther(NOON + DAY_MS, alike)).toBe(false);
  // It was given the same clock a week later: their weeks began apart.
  const later = changeClock([], { begins: "00:00", zone: "UTC" }, NOON + 7 * DAY_MS);
  const apart = [{ ...OWN, clocks: later }, ...known.slice(1)];
  expect(await isOther(NOON + 9 * DAY_MS, apart)).toBe(true);
  expect(await isOther(NOON + 14 * DAY_MS, apart)).toBe(false);
});
