// The goal: guards are tightened by anybody who trades, and loosened or unlocked only by a person, when they may.
// The method: one gateway, keys of several scopes, and a person who signs in and proves who they are.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { holdsUntil, STANDARD_CLOCKS } from "../../../src/domain/calendar/account-day.ts";
import { ConsoleClient } from "../../support/console-client.ts";
import {
  answered,
  codeOf,
  type GuardedAccount,
  GuardSite,
  type Row,
  RULES,
} from "../../support/guarded-account.ts";
import type { ApiClient } from "../../support/http-client.ts";
import { waitUntil } from "../../support/wait.ts";

const PASSWORD = "correct horse battery";
const HARD = { lock: "hard" } as const;

let site: GuardSite;
let person: ConsoleClient;
/** Of a program that trades. */
let trader: ApiClient;

beforeAll(async () => {
  site = await GuardSite.open();
  person = new ConsoleClient(site.gateway.url);
  await person.setUp(site.gateway.setUpLink, "owner", PASSWORD);
  trader = (await site.gateway.createKey("read", "trade")).api;
  return site.gateway.stop;
});
beforeEach(() => site.keepQuoting());

const unlock = async (account: GuardedAccount, as = person) =>
  await as.ask("POST", `${account.path}/guards/unlock`, { reason: "It was a mistake" });
const lock = async (account: GuardedAccount, body: object = {}) =>
  await trader.post(`${account.path}/guards/lock`, body);

async function guarded(...rules: readonly object[]): Promise<GuardedAccount> {
  const account = site.account();
  await account.guard(rules);
  return account;
}

/** Of an account on which nothing happens its broker tells what it is worth only now and then. */
async function worthKnown(...rules: readonly object[]): Promise<GuardedAccount> {
  const account = site.account();
  await account.guard(rules, { balance: 50_000 });
  return account;
}

/** In and out again, so many ticks later, with one contract. */
async function win(account: GuardedAccount, ticks: number): Promise<void> {
  await account.trade("buy");
  site.move(ticks + 1);
  await account.trade("sell");
  site.move(0);
}

describe("a lock", () => {
  test("that is soft ends by a person who has proved who they are, and by no key", async () => {
    const account = await guarded(RULES.loss({ limit: 100, counts: "closed" }));
    await win(account, -10);
    await account.untilLocked();
    const byKey = await site.gateway.api.post(`${account.path}/guards/unlock`, { reason: "x" });
    expect(byKey.status).toBe(403);
    const { body } = await unlock(account);
    expect(body.lock).toBeNull();
    // Its rule is off until the lock would have ended.
    await waitUntil("it is judged", async () => (await account.guards()).judgedAt !== null);
    expect(await account.verdict("loss")).toMatchObject({ level: "warn" });
    await account.trade("buy");
    await account.trade("sell");
    expect((await account.guards()).lock).toBeNull();
    const unlocked = (await account.history()).find(({ what }) => what === "unlocked");
    expect(unlocked).toMatchObject({ ruleId: "loss", reason: "It was a mistake" });
    expect(unlocked.by).toBeTruthy();
    expect((await unlock(account)).body.error.code).toBe("ACCOUNT_NOT_LOCKED");
  });

  test("that is hard is ended by nobody, and nothing that is set ends it", async () => {
    const account = await guarded(RULES.loss({ ...HARD, limit: 100, counts: "closed" }));
    await win(account, -10);
    const { id } = await account.untilLocked();
    expect((await unlock(account)).body.error.code).toBe("LOCK_IS_HARD");
    answered(200, await account.put([]));
    expect((await account.guards()).lock.id).toBe(id);
    expect(codeOf(await account.order({ action: "buy" }))).toBe("422 LOCKED");
  });

  test("by hand lasts until a time, closes where it is to, and survives another one", async () => {
    const account = await guarded();
    await account.trade("buy");
    const [until, later] = [1, 2].map((h) => new Date(Date.now() + h * 3_600_000).toISOString());
    answered(200, await lock(account, { until, then: "flatten", reason: "Enough" }));
    await account.untilFlat();
    expect((await account.guards()).lock).toMatchObject({ until, ruleId: null, reason: "Enough" });
    // By itself one lasts until the trading day ends, which may be sooner.
    answered(200, await lock(account, { until: later }));
    const first = (await account.guards()).lock;
    expect(first.then).toBe("flatten");
    answered(200, await unlock(account));
    // The later one stood beneath it.
    expect((await account.guards()).lock).toMatchObject({ then: "exitsOnly" });
    answered(200, await unlock(account));
    await account.trade("buy");
  });

  test("by hand ends by itself at its time", async () => {
    const account = await guarded();
    let until = 0;
    // On a slow machine that time may be over before the lock is asked for.
    await waitUntil("it is locked", async () => {
      until = Date.now() + 1_500;
      return (await lock(account, { until: new Date(until).toISOString() })).status === 200;
    });
    const entry = codeOf(await account.order({ action: "buy" }));
    const isLocked = Date.now() < until;
    expect(entry).toMatch(isLocked ? /^422 LOCKED$/ : /^(422 LOCKED|201)/);
    await waitUntil("it has ended", async () => (await account.guards()).lock === null);
    await account.trade("buy");
    expect(await account.times("unlocked")).toBe(1);
  });
});

describe("a key without manage", () => {
  const put = async (account: GuardedAccount, rules: readonly object[], more: object = {}) =>
    codeOf(await account.put(rules, more, trader)).replace(" undefined", "");

  test("tightens, and loosens nothing", async () => {
    const account = await guarded(RULES.loss());
    expect(await put(account, [RULES.loss({ limit: 900 })])).toBe("200");
    for (const looser of [[RULES.loss()], [], [RULES.loss({ limit: 900, mode: "shadow" })]]) {
      expect(await put(account, looser)).toBe("403 INSUFFICIENT_SCOPE");
    }
    expect((await account.guards()).rules[0].rule.limit).toBe(900);
  });

  test("does not say that an account was worth more as its day began", async () => {
    const rule = RULES.drawdown({ size: 1_000, locksAt: 49_500 });
    const account = await worthKnown(rule);
    expect(await put(account, [rule], { balance: 90_000 })).toBe("403 INSUFFICIENT_SCOPE");
    expect((await account.guards()).balance).toBe(50_000);
    expect(await put(account, [rule], { balance: 49_800 })).toBe("200");
  });

  test("does not say the first word of it either, once it would free steps of lots", async () => {
    const ladder = { start: 50_000, counts: "nextDay", steps: [{ above: 1_500, max: 5 }] };
    const rule = RULES.lots({ ...HARD, max: 1, ladder });
    // In a currency in which the broker tells nothing.
    const euros = { currency: "EUR" };
    const account = site.account();
    await account.guard([rule], euros);
    const told = async (balance: number, api = site.gateway.api) =>
      codeOf(await account.put([rule], { ...euros, balance }, api)).replace(" undefined", "");
    expect(await told(1_000_000, trader)).toBe("403 INSUFFICIENT_SCOPE");
    expect((await account.guards()).balance).toBeNull();
    expect(await told(50_000)).toBe("200");
    expect(await told(60_000)).toBe("400 VALIDATION_FAILED");
    expect(await told(49_000, trader)).toBe("200");
  });

  test("does not have a peak forgotten", async () => {
    const account = await worthKnown(RULES.drawdown());
    await win(account, 40);
    await win(account, -20);
    const isKnown = async () => (await account.verdict("drawdown")).limit === 48_500;
    await waitUntil("the peak is told", isKnown);
    expect(await put(account, [RULES.drawdown({ start: 50_100 })])).toBe("200");
    await waitUntil("it is judged", async () => (await account.guards()).judgedAt !== null);
    expect((await account.verdict("drawdown")).limit).toBe(48_500);
  });
});

describe("what is loosened of a hard rule", () => {
  const rule = RULES.loss(HARD);

  test("counts from the next trading day on; what is tightened beside it, at once", async () => {
    const account = await guarded(rule, RULES.lots({ max: 5 }));
    const looser = [{ ...rule, limit: 5_000 }, RULES.lots({ max: 2 })];
    const body = answered(200, await account.put(looser));
    // On a weekend it waits until Monday's day has ended.
    const until = holdsUntil(STANDARD_CLOCKS, Date.parse(body.asOf));
    expect(Date.parse(body.next.from)).toBe(until);
    expect(body.next.rules[0].limit).toBe(5_000);
    const limits = body.rules.map((one: Row) => one.rule.limit ?? one.rule.max);
    expect(limits.toSorted((one: number, other: number) => one - other)).toEqual([2, 1_000]);
    await account.trade("buy", 2);
    site.move(-39);
    await account.untilLocked();
  });

  test("stays, and a limit that is tightened beside what holds for all counts at once", async () => {
    const account = await guarded(rule);
    const asked = await account.put([{ ...rule, limit: 500 }], { entriesOffPercent: 99 });
    const { rules, next, settings } = answered(200, asked);
    expect([rules[0].rule.limit, settings.entriesOffPercent]).toEqual([500, 90]);
    expect(next.settings.entriesOffPercent).toBe(99);
  });

  test("does not count before for what an account was worth, either", async () => {
    const drawdown = RULES.drawdown({ ...HARD, size: 1_000, locksAt: 49_500 });
    const account = await worthKnown(drawdown);
    const asked = await account.put([drawdown], { balance: 90_000 });
    expect(codeOf(asked)).toBe("400 VALIDATION_FAILED");
    expect((await account.guards()).balance).toBe(50_000);
  });
});

describe("a change", () => {
  test("that would lock at once is refused with the figures, unless it is meant", async () => {
    const account = await guarded();
    await win(account, -10);
    const rules = [RULES.loss({ limit: 100, counts: "closed" })];
    const refused = await account.put(rules);
    expect(codeOf(refused)).toMatch(/WOULD_LOCK_NOW/);
    expect(refused.body.error.details).toEqual([
      { path: "rules.0", message: expect.stringContaining("-125.00 USD") as string },
    ]);
    expect((await account.guards()).rules).toEqual([]);
    answered(200, await account.put(rules, { locksNow: true }));
    await account.untilLocked();
  });

  test("made from guards that are others by now is refused", async () => {
    const account = await guarded(RULES.loss());
    const { version } = await account.guards();
    answered(200, await account.put([RULES.loss({ limit: 900 })], { version }));
    const late = await account.put([RULES.loss({ limit: 800 })], { version });
    expect(codeOf(late)).toMatch(/GUARDS_CHANGED/);
    expect((await account.guards()).rules[0].rule.limit).toBe(900);
  });

  test("made where there were none is refused once there are some", async () => {
    const account = site.account();
    const { version } = await account.guards();
    expect(version).toBe("");
    const put = async (limit: number) =>
      codeOf(await account.put([RULES.loss({ limit })], { version }));
    const answers = await Promise.all([put(900), put(800)]);
    expect(answers.toSorted()).toEqual(["200 undefined", "409 GUARDS_CHANGED"]);
    const [last] = await account.history();
    expect(last).toMatchObject({ what: "changed", reason: "One rule is set" });
  });

  test("holds for each entry that is asked for after its answer, and loses none", async () => {
    const account = await guarded(RULES.orderValue(10_000_000));
    for (let round = 0; round < 4; round += 1) {
      let isTight = false;
      const passed: boolean[] = [];
      const entries = async () => {
        for (let nth = 0; nth < 12; nth += 1) {
          const wasTight = isTight;
          const { status } = await account.order({ action: "buy" });
          if (status === 201) passed.push(wasTight);
        }
      };
      const change = async () => {
        answered(200, await account.put([RULES.orderValue(1)]));
        isTight = true;
      };
      await Promise.all([entries(), entries(), change()]);
      expect(passed).not.toContain(true);
      answered(200, await account.put([RULES.orderValue(10_000_000)]));
      // The next one is not refused because its guards were changed a moment before.
      expect((await account.order({ action: "buy" })).status).toBe(201);
      answered(200, await site.gateway.api.delete(`${account.path}/positions`));
    }
  });
});

test("the history comes in pages, newest first, each decision once", async () => {
  const account = site.account();
  for (let limit = 1_000; limit > 990; limit -= 1) {
    answered(200, await account.put([RULES.loss({ limit })]));
  }
  const seen: Row[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? "" : `&cursor=${cursor}`;
    const reply = await site.gateway.api.get(`${account.path}/guards/history?limit=4${at}`);
    const { decisions, nextCursor } = answered(200, reply);
    expect(decisions.length).toBeLessThanOrEqual(4);
    seen.push(...decisions);
    cursor = nextCursor;
  } while (cursor !== null);
  expect(seen.filter(({ what }) => what === "changed")).toHaveLength(10);
  const times = seen.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((one, other) => other - one));
});
