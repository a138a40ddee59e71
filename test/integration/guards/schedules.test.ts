// The goal: schedules refuse, cancel and close at their times, by the clock that the gateway has.
// The method: one gateway, and rules whose times are made from the present one.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WEEKDAYS } from "../../../src/domain/guards/schedule-rule.ts";
import {
  answered,
  BID,
  codeOf,
  ES,
  type GuardedAccount,
  GuardSite,
  RULES,
} from "../../support/guarded-account.ts";
import { call } from "../../support/http-client.ts";
import { eventually, waitUntil } from "../../support/wait.ts";

const EVERY = { id: "rule", mode: "on", lock: "soft" } as const;

let site: GuardSite;

beforeAll(async () => {
  // After a close, accounts must be flat since then, and no time of day changes that.
  site = await GuardSite.open({}, { tradesNow: true });
  return site.gateway.stop;
});
beforeEach(() => site.keepQuoting());

/** The next whole second, and so many more, Unix ms. */
const inSeconds = (count: number) => (Math.ceil(Date.now() / 1_000) + count) * 1_000;
const clock = (at: number) => new Date(at).toISOString().slice(11, 19);
const until = async (at: number) => await sleep(Math.max(0, at - Date.now()));
const buy = { action: "buy" };

async function guarded(...rules: readonly object[]): Promise<GuardedAccount> {
  const account = site.account();
  await account.guard(rules);
  return account;
}

async function upload(name: string, ...lines: readonly string[]): Promise<void> {
  const { url, key } = site.gateway;
  const body = ["start,title,impact,products,currency", ...lines].join("\n");
  const headers = { "x-api-key": key, "content-type": "text/plain" };
  answered(200, await call(url, "PUT", `/v1/calendars/${name}?zone=UTC`, { headers, body }));
}

describe("news", () => {
  test("close and cancel around an event, not before and not after it", async () => {
    const uploadFor = async (at: number) =>
      await upload("cpi", `${new Date(at).toISOString()},Consumer Price Index,high,,USD`);
    await uploadFor(inSeconds(3_600));
    const rule = {
      calendar: "cpi",
      titles: ["consumer price"],
      beforeSeconds: 2,
      afterSeconds: 600,
    };
    const account = await guarded(RULES.news(rule));
    await account.trade("buy");
    answered(201, await account.order({ ...buy, type: "limit", limitPrice: (BID - 400) / 4 }));
    // Only now, so that however long all of that took, the account is open before the event.
    const at = inSeconds(4);
    await uploadFor(at);
    await account.untilFlat();
    expect(Date.now()).toBeGreaterThanOrEqual(at - 2_000);
    const refused = await account.order(buy);
    expect(codeOf(refused)).toBe("422 GUARD_REFUSED");
    // However long that took, it was within 600 s. Now they end soon, and by time alone.
    const endsAt = inSeconds(2);
    await uploadFor(endsAt - 600_000);
    await waitUntil("it is over", async () => (await account.order(buy)).status === 201);
    expect(Date.now()).toBeGreaterThanOrEqual(endsAt);
    expect(await account.held()).toEqual({ [ES.code]: 1 });
    expect((await account.guards()).lock).toBeNull();
  });

  test("of one product refuse it, and leave the others alone", async () => {
    await upload("eia", `${new Date(inSeconds(2)).toISOString()},Crude Oil Stocks,medium,NQ,USD`);
    const account = await guarded(RULES.news({ calendar: "eia", forbids: "entries" }));
    await account.trade("buy");
    const refused = await account.order({ ...buy, symbol: "NQ1!" });
    expect(codeOf(refused)).toBe("422 GUARD_REFUSED");
    expect(refused.body.error.message).toContain("Crude Oil Stocks");
    answered(201, await account.order({ action: "sell" }));
  });

  test("without a calendar are told, or refuse until there is one", async () => {
    const tells = await guarded(RULES.news());
    await tells.trade("buy");
    const account = await guarded(RULES.news({ calendar: "late", whenExpired: "refuse" }));
    expect(codeOf(await account.order(buy))).toBe("422 GUARD_REFUSED");
    await eventually(async () => {
      expect(await site.troubles(account)).toEqual([expect.stringContaining("waits for news")]);
    });
    await upload("late", `${new Date(inSeconds(3_600)).toISOString()},GDP,low,,USD`);
    await waitUntil("it is taken", async () => (await account.order(buy)).status === 201);
    await waitUntil("the alarm ends", async () => (await site.troubles(account)).length === 0);
  });
});

test("outside of its windows nothing gets in, and what is held can be closed", async () => {
  const hour = 3_600_000;
  const window = (from: number, to: number) => ({
    ...EVERY,
    kind: "window",
    zone: "UTC",
    windows: [{ days: WEEKDAYS, from: clock(Date.now() + from), to: clock(Date.now() + to) }],
  });
  const account = site.account();
  await account.guard([window(-hour, hour)]);
  await account.trade("buy");
  await account.guard([window(hour, 2 * hour)]);
  expect(codeOf(await account.order(buy))).toBe("422 GUARD_REFUSED");
  expect((await account.guards()).lock).toBeNull();
  answered(201, await account.order({ action: "sell" }));
});

test("flat by a time: closed then, and free again when it says so", async () => {
  const flatBy = (at: number, resumesAt: number) => ({
    ...EVERY,
    kind: "flatBy",
    zone: "UTC",
    time: clock(at),
    entriesOffMinutes: 0,
    flattenSeconds: 1,
    resumes: clock(resumesAt),
  });
  const hour = 3_600_000;
  const account = await guarded(flatBy(inSeconds(0) + hour, inSeconds(0) + 2 * hour));
  await account.trade("buy");
  // Each time is set once what comes before it is done, however long that took.
  const at = inSeconds(3);
  await account.guard([flatBy(at, at + hour)]);
  await account.untilFlat();
  expect(Date.now()).toBeGreaterThanOrEqual(at - 1_000);
  expect(codeOf(await account.order(buy))).toBe("422 GUARD_REFUSED");
  const resumesAt = inSeconds(2);
  await account.guard([flatBy(at, resumesAt)]);
  await until(resumesAt);
  await account.trade("buy");
  await sleep(1_200);
  expect(await account.held()).toEqual({ [ES.code]: 1 });
});

test("in shadow a schedule closes nothing, and tells it once", async () => {
  const at = inSeconds(0);
  await upload("shadow", `${new Date(at).toISOString()},CPI,high,,USD`);
  const account = await guarded(RULES.news({ calendar: "shadow", mode: "shadow" }));
  await account.trade("buy");
  await account.untilDecided("wouldFlatten");
  await sleep(1_200);
  expect(await account.times("wouldFlatten")).toBe(1);
  expect(await account.held()).toEqual({ [ES.code]: 1 });
});
