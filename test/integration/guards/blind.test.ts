// The goal: an open position that nobody can judge lets nothing in, and is closed only where its user wants that.
// The method: one gateway whose street stops quoting while four accounts hold something.
import { beforeAll, expect, onTestFinished, test } from "vitest";
import {
  codeOf,
  ES,
  type GuardedAccount,
  GuardSite,
  RULES,
} from "../../support/guarded-account.ts";
import { waitUntil } from "../../support/wait.ts";

let site: GuardSite;

beforeAll(async () => {
  site = await GuardSite.open();
  return site.gateway.stop;
});

test("quotes stop: an alarm, no entries, and what follows is what was said before", async () => {
  const [alarm, unprotected, covered] = [site.account(), site.account(), site.account()];
  const closed = site.account();
  const stopQuoting = site.keepQuoting();
  onTestFinished(stopQuoting);
  const flattens = { whenBlind: { then: "flattenUnprotected", afterSeconds: 1 } };
  await alarm.guard([RULES.loss()]);
  await unprotected.guard([RULES.loss()], flattens);
  await covered.guard([RULES.loss()], flattens);
  await closed.guard([RULES.loss()], { whenBlind: { then: "flatten", afterSeconds: 1 } });
  await alarm.trade("buy");
  await unprotected.trade("buy");
  await closed.trade("buy");
  await covered.trade("buy", 1, { bracket: { stopLoss: { ticks: 20 } } });
  stopQuoting();
  const stoppedAt = Date.now();
  site.move(0);
  site.gateway.feed.unset(ES.code);

  const isBlind = async (account: GuardedAccount) =>
    (await site.troubles(account)).some((one) => one.includes("cannot see what it is worth"));
  const areBlind = async () => (await isBlind(alarm)) && (await isBlind(covered));
  await waitUntil("both are blind", areBlind);
  expect(Date.now() - stoppedAt).toBeGreaterThan(10_000);
  expect(await site.metric("gateway_guard_blind_accounts")).toBeGreaterThanOrEqual(2);
  const { blind } = await alarm.guards();
  expect(blind.reason).toContain("older than 10 s");
  await waitUntil("what no stop covers is closed", async () => {
    return Object.keys(await unprotected.held()).length === 0;
  });
  await unprotected.untilDecided("flattened");
  expect(await closed.untilLocked()).toMatchObject({
    ruleId: null,
    then: "flatten",
    lock: "soft",
    reason: expect.stringContaining("For 1 s it could not be judged") as string,
  });
  await closed.untilFlat();
  for (const account of [alarm, covered]) {
    const refused = await account.order({ action: "buy", symbol: "MES1!" });
    expect(codeOf(refused)).toBe("422 GUARD_REFUSED");
    expect((await account.guards()).lock).toBeNull();
  }
  expect(await covered.times("flattened")).toBe(0);
  expect((await alarm.guards()).blind.since).toBe(blind.since);

  onTestFinished(site.keepQuoting());
  await waitUntil("they are seen again", async () => {
    const views = await Promise.all([alarm.guards(), covered.guards()]);
    return views.every(({ blind }) => blind === null);
  });
  expect(codeOf(await closed.order({ action: "buy" }))).toBe("422 LOCKED");
  expect(await alarm.held()).toEqual({ [ES.code]: 1 });
  expect(await covered.held()).toEqual({ [ES.code]: 1 });
  await alarm.trade("buy");
  await alarm.untilDecided("sees");
});
