// The goal: a filter by outcome finds what a scan of the whole log finds, and reads little for it.
// The method: random alerts on a real Redis, ended in every way; pages are compared with the scan.
import fc from "fast-check";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type AccountId, accountId, intentId } from "../../src/domain/ids.ts";
import { clOrdIdOf, type Outcome } from "../../src/domain/intent.ts";
import { ALERT_OUTCOMES, alertOutcome } from "../../src/trading/alerts/alert-outcome.ts";
import type { AlertOutcome, AlertQuery, LoggedAlert } from "../../src/trading/alerts/alert-log.ts";
import { MAX_PASSED } from "../../src/store/redis/read-matching.ts";
import { ACCOUNT, DONE, UNKNOWN, WITHDRAWN } from "../support/intent-kit.ts";
import { ALERT_RETENTION_MS, AlertKit, REFUSED } from "../unit/store/alert-kit.ts";

let kit: AlertKit;
let now: number;

beforeEach(async () => {
  kit = await AlertKit.open();
  now = await kit.intents.now();
});
afterEach(() => kit.base.corner.close());

const TESTED: Outcome = { kind: "done", result: { kind: "TEST", steps: [] } };
const why = (kind: "rejected" | "notSent" | "expired" | "overtaken" | "withdrawn" | "lost") =>
  ({ kind, reason: "So it is" }) satisfies Outcome;
const ENDINGS: readonly Outcome[] = [
  DONE,
  TESTED,
  { kind: "denied", code: "KILL_SWITCH_ON", reason: "It is on" },
  { kind: "unprotected", canceled: "", reason: "Gone", restored: false },
  UNKNOWN,
  ...(["rejected", "notSent", "expired", "overtaken", "withdrawn", "lost"] as const).map(why),
];

/** What happens to one alert, one step after another. */
const life = fc.record({
  second: fc.integer({ min: 0, max: 9 }),
  account: fc.constantFrom(0, 0, 1),
  is: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ ends: fc.array(fc.constantFrom(...ENDINGS), { maxLength: 2 }) }),
    },
    { weight: 1, arbitrary: fc.constantFrom("refused", "duplicate", "refused and accepted") },
  ),
  isCorrected: fc.boolean(),
});

type Life = typeof life extends fc.Arbitrary<infer One> ? One : never;

async function live(account: AccountId, { second, is, isCorrected }: Life): Promise<void> {
  const change = { accountId: account, entry: { receivedAt: now - 1_000 * second } };
  if (is === "refused" || is === "duplicate") {
    await kit.end(change, is === "refused" ? REFUSED : { kind: is, of: intentId("i0") });
    return;
  }
  const alert = await kit.newAlert(change);
  await kit.intents.accept(alert);
  if (typeof is === "string") {
    await kit.log.end(alert.alert.entry, REFUSED);
    return;
  }
  const read = async () => {
    const record = await kit.intents.find(account, alert.intentId);
    if (record === undefined) throw new Error("It is gone");
    return record;
  };
  for (const outcome of is.ends) await kit.intents.settle(await read(), outcome);
  const order = clOrdIdOf(alert.intentId, 1);
  const record = await read();
  if (isCorrected && record.settledAt !== undefined) await kit.intents.amend(record, order, DONE);
}

test("any alerts, however they ended, and any pages: a filter finds what a scan finds", async () => {
  let run = 0;
  const filters = fc.record({
    limit: fc.integer({ min: 1, max: 5 }),
    fromAt: fc.option(fc.integer({ min: 0, max: 9 }).map((second) => now - 1_000 * second)),
    beforeAt: fc.option(fc.integer({ min: 0, max: 9 }).map((second) => now - 1_000 * second)),
  });
  const lives = fc.array(life, { maxLength: 25, size: "max" });
  await fc.assert(
    fc.asyncProperty(lives, lives, filters, async (former, some, { limit, fromAt, beforeAt }) => {
      run += 1;
      const { redis, corner } = kit.base;
      const accounts = [0, 1].map((nth) => accountId(`run-${run}-${nth}`));
      const of = (nth: number) => accounts[nth] ?? accountId("none");
      const write = async (one: Life) => await live(of(one.account), one);
      await Promise.all(former.map((one) => write({ ...one, second: one.second + 10 })));
      // What an earlier version wrote is in no set of its ending.
      const sets = accounts.map((account) => corner.keys.alertsEndedAs(account, "*"));
      const names = (await Promise.all(sets.map((pattern) => redis.keys(pattern)))).flat();
      if (names.length > 0) await redis.del(...names);
      await redis.set(corner.keys.endingsSince, now - 9_500);
      await Promise.all(some.map(write));

      const range = { ...(fromAt !== null && { fromAt }), ...(beforeAt !== null && { beforeAt }) };
      const all = (await kit.readAll({ limit: 50, ...range }, { accounts })).items;
      const find = async (outcome: AlertOutcome) => {
        const matches = (alert: LoggedAlert) => alertOutcome(alert) === outcome;
        const query: AlertQuery = { limit, outcome, matches, ...range };
        const { items } = await kit.readAll(query, { accounts });
        expect({ outcome, items }).toEqual({ outcome, items: all.filter(matches) });
      };
      await Promise.all(ALERT_OUTCOMES.map(find));
    }),
    { numRuns: 40 },
  );
});

/** What a filter finds, and how many records it reads for that. */
async function readsOf(outcome: AlertOutcome) {
  const reads = vi.spyOn(kit.base.redis, "hmget");
  onTestFinished(() => reads.mockRestore());
  const matches = (alert: LoggedAlert) => alertOutcome(alert) === outcome;
  const { ids, pages } = await kit.readAll({ limit: 50, outcome, matches });
  return { found: ids.length, reads: reads.mock.calls.length, pages };
}

async function acceptAll(count: number, outcome: Outcome): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) await kit.base.settle(await kit.accept(), outcome);
}

test("an ending's set lives as long as the alert in it that is kept longest", async () => {
  const { redis, corner } = kit.base;
  await acceptAll(1, WITHDRAWN);
  // Accepted under a setting of before, and settled under the one of now.
  const short = await kit.accept();
  await redis.hset(corner.keys.intent(ACCOUNT, short), "retentionMs", 1_000);
  await kit.base.settle(short, WITHDRAWN);
  const left = await redis.pttl(corner.keys.alertsEndedAs(ACCOUNT, "WITHDRAWN"));
  expect(left).toBeGreaterThan(ALERT_RETENTION_MS - 20_000);
});

test("where all were done, no other filter reads a record", async () => {
  await acceptAll(30, DONE);
  expect(await readsOf("done")).toEqual({ found: 30, reads: 30, pages: 1 });
  for (const outcome of ALERT_OUTCOMES.filter((one) => one !== "done")) {
    vi.restoreAllMocks();
    const nothing = { outcome, found: 0, reads: 0, pages: 1 };
    expect({ outcome, ...(await readsOf(outcome)) }).toEqual(nothing);
  }
});

test("where none was done, that is found without reading a record", async () => {
  await acceptAll(30, TESTED);
  expect(await readsOf("done")).toEqual({ found: 0, reads: 0, pages: 1 });
});

test("one page passes over so many alerts that ended otherwise, and says where to go on", async () => {
  const { redis, corner } = kit.base;
  const { acceptedAlerts, alertsEndedAs } = corner.keys;
  const done = await kit.accept({ entry: { receivedAt: now - 600_000 } });
  await kit.base.settle(done, DONE);
  const members = Array.from({ length: MAX_PASSED }, (_, nth) => [now - nth, `denied-${nth}`]);
  for (const key of [acceptedAlerts(ACCOUNT), alertsEndedAs(ACCOUNT, "DENIED")]) {
    await redis.zadd(key, ...members.flat());
  }
  const { ids, pages } = await kit.readAll({ limit: 5, outcome: "done" });
  expect([ids, pages]).toEqual([[done], 3]);
});
