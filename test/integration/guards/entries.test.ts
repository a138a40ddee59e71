// The goal: each kind of rule refuses the entries that it is there for, with its figures, and no exit.
// The method: one gateway whose prices are in our hand; an account of its own for each case.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accountDayAt, STANDARD_CLOCKS } from "../../../src/domain/calendar/account-day.ts";
import { weekdayOf } from "../../../src/domain/calendar/civil-day.ts";
import {
  answered,
  BID,
  codeOf,
  ES,
  type GuardedAccount,
  GuardSite,
  MES,
  RULES,
} from "../../support/guarded-account.ts";
import { frontMonth } from "../../support/gateway.ts";
import type { Reply } from "../../support/http-client.ts";
import { eventually, waitUntil } from "../../support/wait.ts";

/** The week of the account's day of an instant, by the Sunday before it. */
function weekAt(at: number): number {
  const { day } = accountDayAt(STANDARD_CLOCKS, at);
  return day - weekdayOf(day);
}

let site: GuardSite;

beforeAll(async () => {
  site = await GuardSite.open();
  return site.gateway.stop;
});
beforeEach(() => site.keepQuoting());

const FAR = { type: "limit", limitPrice: (BID - 400) / 4 };
const refused = (words: string) => expect.stringMatching(new RegExp(`^422 .*${words}`)) as string;
const said = ({ status, body }: Reply) => `${status} ${body?.error?.code} ${body?.error?.message}`;

async function guarded(...rules: readonly object[]): Promise<GuardedAccount> {
  const account = site.account();
  await account.guard(rules);
  return account;
}

/** In and out again, so many ticks later. */
async function win(account: GuardedAccount, ticks: number, qty = 1): Promise<void> {
  await account.trade("buy", qty);
  site.move(ticks + 1);
  await account.trade("sell", qty);
  site.move(0);
}

const stop = (ticks: number) => ({ bracket: { stopLoss: { ticks } } });

describe("what is lost", () => {
  test("an entry whose stop could lose more than is left is refused with the figures", async () => {
    const account = await guarded(RULES.loss());
    expect(said(await account.order({ action: "buy", ...stop(81) }))).toEqual(
      refused("Its stop would lose 1012.50 USD; 1000.00 USD is left"),
    );
    // One that rests is counted beside it.
    const bracket = { stopLoss: { price: (BID - 441) / 4 } };
    answered(201, await account.order({ action: "buy", ...FAR, bracket }));
    expect(said(await account.order({ action: "buy", ...stop(40) }))).toEqual(
      refused("and those of entries that rest 512.50 USD"),
    );
    // With 39 ticks it is exactly what is left.
    expect(said(await account.order({ action: "buy", ...stop(39) }))).toEqual(
      refused("487.50 USD"),
    );
    expect((await account.order({ action: "buy", ...stop(38) })).status).toBe(201);
  });

  test("ten are left and fifty would be lost: refused; so is everything at 90 %", async () => {
    const account = await guarded(RULES.loss({ limit: 1_060, counts: "closed" }));
    await win(account, -70);
    await waitUntil("it is judged", async () => {
      return (await account.verdict("loss")).figure === -875;
    });
    expect(said(await account.order({ action: "buy", ...stop(15) }))).toEqual(
      refused("Its stop would lose 187.50 USD; 185.00 USD is left"),
    );
    await win(account, -7);
    expect(said(await account.order({ action: "buy" }))).toEqual(refused("GUARD_REFUSED .*room"));
    expect((await account.guards()).lock).toBeNull();
    await eventually(async () => {
      expect(await site.told(account)).toEqual([
        "guard.changed",
        "guard.warned",
        "guard.entries_off",
      ]);
    });
  });

  test("a week's loss locks until the week ends", async () => {
    const account = await guarded(RULES.loss({ period: "week", limit: 500, counts: "closed" }));
    await win(account, -45);
    const { until } = await account.untilLocked();
    const { dayEndsAt } = await account.guards();
    const [end, dayEnd] = [Date.parse(until), Date.parse(dayEndsAt)];
    const week = weekAt(dayEnd - 1);
    expect([weekAt(end - 1), weekAt(end)]).toEqual([week, week + 7]);
  });

  test("what two accounts have lost together locks each that says so", async () => {
    const [one, other] = [site.account(), site.account()];
    const rule = (id: string) => RULES.loss({ limit: 800, together: [id] });
    await one.guard([rule(other.id)]);
    await other.guard([rule(one.id)]);
    await win(one, -40);
    expect((await one.guards()).lock).toBeNull();
    await win(other, -40);
    await Promise.all([one.untilLocked(), other.untilLocked()]);
    expect(codeOf(await one.order({ action: "buy" }))).toBe("422 LOCKED");
    expect(codeOf(await other.order({ action: "buy" }))).toBe("422 LOCKED");
  });
});

test("what is won locks at what it is to be, and closes", async () => {
  const account = await guarded(RULES.profit({ limit: 500 }));
  await account.trade("buy", 2);
  site.move(21);
  await account.untilLocked();
  await account.untilFlat();
  expect(codeOf(await account.order({ action: "buy" }))).toBe("422 LOCKED");
});

test("a drawdown counts from the peak that was reached, open positions included", async () => {
  const account = site.account();
  await account.guard([RULES.drawdown({ size: 1_000 })], { balance: 50_000 });
  await account.trade("buy", 2);
  site.move(41);
  await waitUntil("the peak has risen", async () => {
    return (await account.verdict("drawdown")).limit === 50_000;
  });
  expect((await account.guards()).balance).toBe(50_000);
  site.move(1);
  const { figures } = await account.untilLocked();
  expect(figures).toMatchObject({ figure: 50_000, limit: 50_000 });
  await account.untilFlat();
});

describe("how much is held", () => {
  test("4 ES and 10 MES are five lots: one more is refused, one less passes", async () => {
    const account = await guarded(RULES.lots());
    await account.trade("buy", 4);
    await account.trade("buy", 10, { symbol: "MES1!" });
    expect(said(await account.order({ action: "buy", symbol: "MES1!" }))).toEqual(
      refused("could grow to 5.1 lots, and 5 are the most"),
    );
    expect((await account.order({ action: "sell", symbol: "MES1!" })).status).toBe(201);
    expect(await account.held()).toEqual({ [ES.code]: 4, [MES.code]: 9 });
  });

  test("a step that was won today counts only from tomorrow on", async () => {
    const ladder = { start: 50_000, counts: "nextDay", steps: [{ above: 1_500, max: 3 }] };
    const account = site.account();
    await account.guard([RULES.lots({ max: 2, ladder })], { balance: 50_000 });
    await win(account, 64, 2);
    await account.trade("buy", 2);
    expect(said(await account.order({ action: "buy" }))).toEqual(refused("3 lots, and 2 are"));
  });

  test("an order may be worth so much and no more", async () => {
    const price = ((BID + 1) / 4) * 50;
    const account = await guarded(RULES.orderValue(price * 2));
    expect((await account.order({ action: "buy", qty: 2 })).status).toBe(201);
    expect(said(await account.order({ action: "buy", qty: 3 }))).toEqual(refused("is worth"));
    expect((await account.order({ action: "sell", qty: 2 })).status).toBe(201);
  });
});

describe("how often", () => {
  test("what works may become a trade of its own", async () => {
    const account = await guarded(RULES.count("trades", 1));
    expect((await account.order({ action: "buy", ...FAR })).status).toBe(201);
    expect(said(await account.order({ action: "buy", symbol: "MES1!" }))).toEqual(
      refused("0 of 1 trades, and 1 more may come"),
    );
    expect(codeOf(await account.order({ action: "buy" }))).not.toContain("GUARD");
  });

  test("after so many trades nothing gets in, and what is held can be closed", async () => {
    const account = await guarded(RULES.count("trades", 2));
    await win(account, 4);
    await account.trade("buy");
    await account.untilLocked();
    expect(codeOf(await account.order({ action: "buy" }))).toBe("422 LOCKED");
    expect((await account.order({ action: "sell" })).status).toBe(201);
    expect(codeOf(await account.order({ action: "buy" }))).toBe("422 LOCKED");
  });

  test("so many losses in a row, and a win between them begins anew", async () => {
    const account = await guarded(RULES.count("lossesInRow", 2));
    await win(account, -4);
    await win(account, 4);
    await win(account, -4);
    expect((await account.guards()).lock).toBeNull();
    await win(account, -4);
    await account.untilLocked();
    expect(codeOf(await account.order({ action: "buy" }))).toBe("422 LOCKED");
  });

  test("so many executions", async () => {
    const account = await guarded(RULES.count("executions", 3));
    await win(account, 4);
    await account.trade("buy");
    await account.untilLocked();
    expect((await account.order({ action: "sell" })).status).toBe(201);
  });
});

describe("opposite sides", () => {
  /** Of two contracts that only they trade. */
  async function pair(root: string, micro: string) {
    const accounts = [site.account(), site.account()] as const;
    for (const each of [root, micro]) site.gateway.quote(frontMonth(each), 20_000);
    const rule = RULES.opposite({ groups: [[root, micro]] });
    for (const one of accounts) await one.guard([rule]);
    const long = { action: "buy", symbol: `${root}1!` };
    const short = { action: "sell", symbol: `${micro}1!` };
    return { one: accounts[0], other: accounts[1], long, short };
  }

  test("one account long, the other may not be short of a related contract", async () => {
    const { one, other, long, short } = await pair("NQ", "MNQ");
    answered(201, await one.order(long));
    expect(said(await other.order(short))).toEqual(refused(`Account ${one.id} is long`));
    answered(201, await other.order({ ...short, action: "buy" }));
    answered(201, await other.order(short));
    expect(said(await other.order(short))).toEqual(refused(`Account ${one.id} is long`));
  });

  test("an entry that rests has its side, too", async () => {
    const { one, other, long, short } = await pair("GC", "MGC");
    answered(201, await one.order({ ...long, type: "limit", limitPrice: 100 }));
    expect(said(await other.order(short))).toEqual(refused(one.id));
  });

  test.each([
    ["YM", "MYM"],
    ["RTY", "M2K"],
    ["CL", "MCL"],
  ])("of two at the same moment one passes: %s and %s", async (root, micro) => {
    const { one, other, long, short } = await pair(root, micro);
    const replies = await Promise.all([one.order(long), other.order(short)]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 422]));
  });
});

test("in shadow nothing is refused, and all of it is told", async () => {
  const shadow = { mode: "shadow" };
  const account = await guarded(
    RULES.loss({ ...shadow, limit: 100 }),
    { ...RULES.lots({ max: 1 }), ...shadow },
    RULES.opposite(shadow),
  );
  const other = site.account();
  await other.trade("sell");
  await account.trade("buy", 2);
  site.move(-20);
  await account.untilDecided("wouldLock");
  await account.trade("buy", 1);
  await account.untilDecided("wouldRefuse");
  expect((await account.guards()).lock).toBeNull();
  expect(await account.held()).toEqual({ [ES.code]: 3 });
  await eventually(async () => {
    const refusing = (await account.history()).filter(({ what }) => what === "wouldRefuse");
    expect(new Set(refusing.map(({ ruleId }) => ruleId))).toEqual(new Set(["lots", "sides"]));
  });
  expect(await site.told(account)).toContain("guard.would_act");
});

test("an account in another currency than its guards takes no entry", async () => {
  const account = site.account();
  await account.guard([RULES.orderValue(1_000_000)], { currency: "EUR" });
  expect(codeOf(await account.order({ action: "buy" }))).toBe("422 GUARD_REFUSED");
  answered(201, await site.account().order({ action: "buy" }));
});
