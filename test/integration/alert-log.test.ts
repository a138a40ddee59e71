// The goal: every alert is found again with its one outcome, in its order, whatever comes meanwhile.
// The method: drive the real scripts on a real Redis; pages are read while more alerts come in.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountId, intentId } from "../../src/domain/ids.ts";
import { clOrdIdOf } from "../../src/domain/intent.ts";
import { ACCEPTED_ALERTS_KEPT, ENDED_ALERTS_KEPT } from "../../src/store/alerts/alert-record.ts";
import { MAX_EXAMINED } from "../../src/store/redis/read-matching.ts";
import type { AlertQuery, LoggedAlert } from "../../src/trading/alerts/alert-log.ts";
import { ACCOUNT, DONE, OTHER, RETENTION_MS, WITHDRAWN } from "../support/intent-kit.ts";
import {
  ALERT_RETENTION_MS,
  AlertKit,
  idsOf,
  OTHER_WEBHOOK,
  REFUSED,
  same,
} from "../unit/store/alert-kit.ts";

const BOTH = [ACCOUNT, OTHER];

let kit: AlertKit;
let now: number;

beforeEach(async () => {
  kit = await AlertKit.open();
  now = await kit.intents.now();
});
afterEach(() => kit.base.corner.close());

/** An alert that came in so many seconds ago. */
const ago = (seconds: number) => ({ entry: { receivedAt: now - 1_000 * seconds } });
const list = async (query: Partial<AlertQuery> = {}, accounts = [ACCOUNT]) =>
  await kit.log.list(accounts, { limit: 50, ...query });
const newestFirst = ({ entry: a }: LoggedAlert, { entry: b }: LoggedAlert) =>
  b.receivedAt - a.receivedAt || (a.alertId < b.alertId ? 1 : -1);
const isRefused = (alert: LoggedAlert) => "ending" in alert;

describe("an accepted alert", () => {
  test("is its entry and its intent, as that stands now", async () => {
    const alert = await kit.newAlert({
      test: true,
      entrySide: "BUY",
      entry: { decisions: ["NQ1! is traded as MNQ1!"], place: 1, senderAlertId: "mine" },
    });
    await kit.intents.accept(alert);
    const { intentId: id } = alert;
    const record = await kit.base.read(id);
    expect(record).toMatchObject({ state: "PREPARED", test: true, entrySide: "BUY" });
    expect(await kit.log.find([ACCOUNT], id)).toEqual({ entry: alert.alert.entry, intent: record });

    const settled = await kit.base.settle(id, DONE);
    expect(settled).toMatchObject({ test: true, entrySide: "BUY" });
    const logged = { entry: alert.alert.entry, intent: settled };
    expect(await kit.log.find([ACCOUNT], id)).toEqual(logged);
    expect(await list()).toEqual({ items: [logged] });
  });

  test("says nothing of tests and sides where there is none", async () => {
    const record = await kit.base.read(await kit.accept());
    expect(record).not.toHaveProperty("test");
    expect(record).not.toHaveProperty("entrySide");
  });

  test("is kept from its end on for as long as alerts are, other intents as long as they are", async () => {
    const { keys } = kit.base.corner;
    const ttl = async (id: Parameters<typeof keys.intent>[1]) =>
      await kit.base.redis.pttl(keys.intent(ACCOUNT, id));
    const [settled, withdrawn] = [await kit.accept(), await kit.accept()];
    const other = await kit.base.accept();
    expect(await Promise.all([settled, withdrawn, other].map(ttl))).toEqual([-1, -1, -1]);
    await kit.base.settle(settled, DONE);
    await kit.base.intents.withdraw(ACCOUNT, withdrawn, WITHDRAWN);
    await kit.base.settle(other, DONE);
    for (const id of [settled, withdrawn]) {
      expect(await ttl(id)).toBeGreaterThan(RETENTION_MS);
      expect(await ttl(id)).toBeLessThanOrEqual(ALERT_RETENTION_MS);
    }
    expect(await ttl(other)).toBeLessThanOrEqual(RETENTION_MS);
  });

  test("that is corrected later is kept as long", async () => {
    const id = await kit.accept();
    const record = await kit.base.settle(id, { kind: "expired", reason: "Too old" });
    await kit.intents.amend(record, clOrdIdOf(id, 1), DONE);
    expect(await kit.log.find([ACCOUNT], id)).toMatchObject({ intent: { state: "DONE" } });
    const ttl = await kit.base.redis.pttl(kit.base.corner.keys.intent(ACCOUNT, id));
    expect(ttl).toBeGreaterThan(RETENTION_MS);
  });

  test("a repeat of it is none", async () => {
    const first = await kit.accept({ sameAs: same("A") });
    const again = await kit.send({ sameAs: same("A") });
    expect(again.kind).toBe("known");
    expect(await kit.log.find([ACCOUNT], again.id)).toBeUndefined();
    expect(idsOf((await list()).items)).toEqual([first]);
  });
});

describe("an alert without an intent", () => {
  test("is its entry and how it ended", async () => {
    const first = await kit.accept({ entry: { receivedAt: now - 2 } });
    const duplicate = { kind: "duplicate", of: first } as const;
    const ends = [
      await kit.end({ entry: { receivedAt: now - 1 } }, REFUSED),
      await kit.end({ entry: { receivedAt: now } }, duplicate),
    ];
    for (const logged of ends) {
      expect(await kit.log.find(BOTH, logged.entry.alertId)).toEqual(logged);
    }
    expect((await list()).items.slice(0, 2)).toEqual(ends.toReversed());
  });

  test("is kept for as long as alerts are", async () => {
    const { entry } = await kit.end();
    const { keys } = kit.base.corner;
    for (const key of [keys.endedAlert(ACCOUNT, entry.alertId), keys.endedAlerts(ACCOUNT)]) {
      const ttl = await kit.base.redis.pttl(key);
      expect(ttl).toBeGreaterThan(RETENTION_MS);
      expect(ttl).toBeLessThanOrEqual(ALERT_RETENTION_MS);
    }
  });

  test("that has an intent all the same is what became of that, once", async () => {
    const alert = await kit.newAlert();
    // Its acceptance was carried out, and seemed to fail.
    await kit.intents.accept(alert);
    await kit.log.end(alert.alert.entry, REFUSED);
    const intent = await kit.base.read(alert.intentId);
    expect(await kit.log.find([ACCOUNT], alert.intentId)).toMatchObject({ intent });
    for (const limit of [1, 50]) {
      const { ids, items } = await kit.readAll({ limit });
      expect(ids).toEqual([alert.intentId]);
      expect(items).toMatchObject([{ intent }]);
    }
  });
});

describe("looking for one", () => {
  test("finds it in any of the accounts, and in no other", async () => {
    const id = await kit.accept({ accountId: OTHER });
    const { entry } = await kit.end({ accountId: OTHER });
    for (const alert of [id, entry.alertId]) {
      expect(await kit.log.find(BOTH, alert)).toMatchObject({ entry: { alertId: alert } });
      expect(await kit.log.find([ACCOUNT], alert)).toBeUndefined();
    }
    expect(await kit.log.find([], id)).toBeUndefined();
    expect(await kit.log.find(BOTH, intentId("i404"))).toBeUndefined();
  });

  test("an intent that came by no alert is none", async () => {
    expect(await kit.log.find([ACCOUNT], await kit.base.accept())).toBeUndefined();
    expect(await list()).toEqual({ items: [] });
  });
});

describe("the list", () => {
  test("is newest first over all accounts, of one instant by the ids backwards", async () => {
    const third = await kit.accept(ago(3));
    const first = await kit.end({ ...ago(1), accountId: OTHER });
    const second = await kit.accept({ ...ago(2), accountId: OTHER });
    const fourth = await kit.end(ago(4));
    const atOnce = [
      await kit.accept({ ...ago(5), intentId: intentId("ia") }),
      await kit.accept({ ...ago(5), intentId: intentId("ic"), accountId: OTHER }),
      (await kit.end({ ...ago(5), intentId: intentId("ib") })).entry.alertId,
    ];
    const [ia, ic, ib] = atOnce;
    const all = [first.entry.alertId, second, third, fourth.entry.alertId, ic, ib, ia];
    expect(idsOf((await list({}, BOTH)).items)).toEqual(all);
    expect(idsOf((await list({}, [OTHER, ACCOUNT, OTHER])).items)).toEqual(all);
    expect(idsOf((await list()).items)).toEqual([third, fourth.entry.alertId, ib, ia]);
    expect((await kit.readAll({ limit: 2 }, { accounts: BOTH })).ids).toEqual(all);
    expect(await list({}, [])).toEqual({ items: [] });
  });

  test("is of any number of accounts, and each is looked at", async () => {
    const accounts = Array.from({ length: 250 }, (_, nth) => accountId(`many-${nth}`));
    const ids = await Promise.all(
      accounts.map((account, nth) => kit.accept({ ...ago(nth), accountId: account })),
    );
    expect((await kit.readAll({ limit: 90 }, { accounts })).ids).toEqual(ids);
    for (const id of ids.filter((_, nth) => nth % 50 === 0)) {
      expect(await kit.log.find(accounts, id)).toMatchObject({ entry: { alertId: id } });
    }
  });

  test("ends with its last alert: a page that holds it names no next one", async () => {
    const [older, newer] = [await kit.accept(ago(2)), await kit.accept(ago(1))];
    expect(await list({ limit: 2 })).not.toHaveProperty("next");
    const { items, next } = await list({ limit: 1 });
    expect(idsOf(items)).toEqual([newer]);
    expect(next).toEqual({ at: now - 1_000, alertId: newer });
    const rest = await list({ limit: 1, ...(next && { after: next }) });
    expect([idsOf(rest.items), rest.next]).toEqual([[older], undefined]);
  });

  test("is of a stretch of time: its beginning included, its end not", async () => {
    const ids = [];
    for (const seconds of [1, 2, 3, 4]) ids.push(await kit.accept(ago(seconds)));
    const span = { fromAt: now - 3_000, beforeAt: now - 1_000 };
    expect(idsOf((await list(span)).items)).toEqual(ids.slice(1, 3));
    const after = { at: now, alertId: intentId("iz") };
    expect(idsOf((await list({ ...span, after })).items)).toEqual(ids.slice(1, 3));
    const below = { at: now - 4_000, alertId: intentId("iz") };
    expect(await list({ ...span, after: below })).toEqual({ items: [] });
  });

  test("of what matches has full pages, however far apart the matches are", async () => {
    const wanted = [];
    for (let seconds = 1; seconds <= 60; seconds += 1) {
      if (seconds % 20 === 0) wanted.push((await kit.end(ago(seconds))).entry.alertId);
      else await kit.accept({ ...ago(seconds), webhook: OTHER_WEBHOOK });
    }
    const { ids, pages } = await kit.readAll({ limit: 2, matches: isRefused });
    expect([ids, pages]).toEqual([wanted, 2]);
  });

  test("leaves out what is forgotten, and goes on behind it", async () => {
    const ids = [];
    for (const seconds of [1, 2, 3, 4]) ids.push(await kit.accept(ago(seconds)));
    const forgotten = ids.slice(1, 3).map((id) => kit.base.corner.keys.intent(ACCOUNT, id));
    await kit.base.redis.del(...forgotten);
    for (const limit of [1, 2, 50]) {
      expect((await kit.readAll({ limit })).ids).toEqual([ids[0], ids[3]]);
    }
  });

  test("any alerts, any filters, any page size and whatever comes meanwhile: none is left out or given twice", async () => {
    let run = 0;
    // Mostly in one set, so that it is looked at again while the others are at their end.
    const one = fc.record({
      second: fc.integer({ min: 0, max: 9 }),
      account: fc.constantFrom(0, 0, 0, 1, 2),
      isAccepted: fc.constantFrom(true, true, false),
    });
    const filters = fc.record(
      {
        fromAt: fc.integer({ min: 0, max: 9 }).map((second) => now - 1_000 * second),
        beforeAt: fc.integer({ min: 0, max: 9 }).map((second) => now - 1_000 * second),
        matches: fc.constant(isRefused),
      },
      { requiredKeys: [] },
    );
    const first = fc.array(one, { maxLength: 120, size: "max" });
    const later = fc.array(one, { maxLength: 20 });
    const limits = fc.integer({ min: 1, max: 60 });
    await fc.assert(
      fc.asyncProperty(first, later, filters, limits, async (some, more, filter, limit) => {
        run += 1;
        const accounts = [0, 1, 2].map((nth) => accountId(`property-${run}-${nth}`));
        const write = async ({ second, account, isAccepted }: (typeof some)[number]) => {
          const change = { ...ago(second), accountId: accounts[account] ?? ACCOUNT };
          if (!isAccepted) return idsOf([await kit.end(change)]);
          return [await kit.accept(change)];
        };
        const before = (await Promise.all(some.map(write))).flat();
        const coming = [...more];
        const between = async () => {
          for (const alert of coming.splice(0, 2)) await write(alert);
        };
        const { items, ids } = await kit.readAll({ limit, ...filter }, { accounts, between });

        expect(new Set(ids).size).toBe(ids.length);
        expect(items).toEqual(items.toSorted(newestFirst));
        const { fromAt = -Infinity, beforeAt = Infinity, matches = () => true } = filter;
        const isAsked = (alert: LoggedAlert) =>
          alert.entry.receivedAt >= fromAt && alert.entry.receivedAt < beforeAt && matches(alert);
        const logged = await Promise.all(before.map((id) => kit.log.find(accounts, id)));
        const asked = logged.filter((alert) => alert !== undefined).filter(isAsked);
        expect(ids).toEqual(expect.arrayContaining([...idsOf(asked)]));
        expect(items.filter(isAsked)).toEqual(items);
      }),
      { numRuns: 30 },
    );
  });
});

describe("bounds", () => {
  /** Members of the log whose records are gone: each a millisecond older than the one before it. */
  const fill = async (key: string, count: number) => {
    const members = Array.from({ length: count }, (_, n) => [now - 1_000 - n, `gone-${n}`]);
    await kit.base.redis.zadd(key, ...members.flat());
  };

  test("one call looks at so many alerts, and says where to go on", async () => {
    const { acceptedAlerts } = kit.base.corner.keys;
    const oldest = await kit.accept(ago(600));
    await fill(acceptedAlerts(ACCOUNT), MAX_EXAMINED + 500);
    const first = await list();
    expect(first).toEqual({
      items: [],
      next: { at: now - 999 - MAX_EXAMINED, alertId: `gone-${MAX_EXAMINED - 1}` },
    });
    expect(await kit.readAll({ limit: 50 })).toMatchObject({ ids: [oldest], pages: 2 });
    const matches = isRefused;
    expect(await kit.readAll({ limit: 50, matches })).toMatchObject({ ids: [], pages: 2 });
  });

  test("so many accepted alerts are listed; older ones make room", async () => {
    const key = kit.base.corner.keys.acceptedAlerts(ACCOUNT);
    const oldest = await kit.accept(ago(600));
    await fill(key, ACCEPTED_ALERTS_KEPT - 1);
    expect(await kit.base.redis.zscore(key, oldest)).not.toBeNull();
    const newest = await kit.accept();
    expect(await kit.base.redis.zcard(key)).toBe(ACCEPTED_ALERTS_KEPT);
    expect(await kit.base.redis.zscore(key, oldest)).toBeNull();
    expect(await kit.base.redis.zscore(key, newest)).not.toBeNull();
  });

  test("a flood of refusals pushes out the oldest of them, and no accepted alert", async () => {
    const accepted = await kit.accept(ago(900));
    const oldest = await kit.end(ago(800));
    const second = await kit.end(ago(700));
    await Promise.all(Array.from({ length: ENDED_ALERTS_KEPT - 1 }, () => kit.end(ago(1))));
    expect(await kit.log.find([ACCOUNT], oldest.entry.alertId)).toBeUndefined();
    expect(await kit.log.find([ACCOUNT], second.entry.alertId)).toEqual(second);
    const { ids } = await kit.readAll({ limit: 200 });
    expect(ids).toHaveLength(ENDED_ALERTS_KEPT + 1);
    expect(ids.slice(-2)).toEqual([second.entry.alertId, accepted]);
    // Their records went with them; that they were refused is in one stream.
    expect(await kit.base.stored()).toHaveLength(ENDED_ALERTS_KEPT + 6);
  });

  test("what is older than the retention makes room with the next alert", async () => {
    const { keys } = kit.base.corner;
    const sets = [keys.acceptedAlerts(ACCOUNT), keys.endedAlerts(ACCOUNT)];
    for (const key of sets) await kit.base.redis.zadd(key, now - ALERT_RETENTION_MS - 1_000, "old");
    const [accepted, ended] = [await kit.accept(), (await kit.end()).entry.alertId];
    const left = await Promise.all(sets.map((key) => kit.base.redis.zrange(key, "0", "-1")));
    expect(left).toEqual([[accepted], [ended]]);
  });
});
