import { expect, onTestFinished, test } from "vitest";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import { GuardReads } from "../../../../src/brokers/tradovate/guard-reads.ts";
import { RateBudget } from "../../../../src/brokers/tradovate/rate-budget.ts";
import type { RestAnswer } from "../../../../src/brokers/tradovate/rest-client.ts";
import { RiskAccess } from "../../../../src/brokers/tradovate/risk-access.ts";
import type { AccountId } from "../../../../src/domain/ids.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";

const ACCOUNT = "tv-5" as AccountId;
const MINUTE_MS = 60_000;
const LIMIT = { id: 5, dailyLossAutoLiq: 1_000 };
const OPEN = { id: 5, adminAction: "Normal" };

/** A session of which the sync brought no risk settings, unless `isTold` is set. */
function create(perHour = 4_500) {
  const store = new EntityStore(() => undefined);
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  let elapsed = 0;
  const said: string[] = [];
  const clock = () => elapsed;
  const risk = new RiskAccess(clock, ({ message }) => said.push(message));
  const session = { store, account: () => store.get("account", 5), heardAt: 0, isFed: true };
  const asked: string[] = [];
  /** By the beginning of the path. */
  const answers: Record<string, RestAnswer> = {
    userAccountAutoLiq: { status: 200, data: [LIMIT] },
    accountRiskStatus: { status: 200, data: [OPEN] },
  };
  const guards = new GuardReads({
    session,
    risk,
    rest: {
      ask: async ({ path }) => {
        asked.push(path);
        return answers[path.split("/")[0] ?? ""] ?? { status: 404, data: undefined };
      },
    },
    token: () => "token",
    budget: new RateBudget({ perHour, perMinute: perHour }, clock),
    now: () => Date.UTC(2026, 10, 26) + elapsed,
    elapsed: clock,
    signal: ended.signal,
  });
  store.merge("account", [{ id: 5, active: true }]);
  store.merge("cashBalance", [{ id: 9, accountId: 5, currencyId: 1 }]);
  store.merge("currency", [{ id: 1, name: "USD" }]);
  const read = () => guards.brokerGuards(ACCOUNT);
  return {
    read,
    store,
    session,
    risk,
    said,
    asked,
    answers,
    pass: (ms: number) => (elapsed += ms),
  };
}

const REFUSED: RestAnswer = { status: 401, data: "Access is denied" };
const LIMITED = { rules: [{ kind: "dailyLoss", grade: "liquidate", limit: 100_000 }] };

test("what is not told by itself is asked for again after five minutes, and no sooner", async () => {
  const { read, asked, answers, pass } = create();
  const first = await read();
  expect(first).toMatchObject(LIMITED);
  answers["userAccountAutoLiq"] = { status: 200, data: [{ ...LIMIT, dailyLossAutoLiq: 400 }] };
  pass(5 * MINUTE_MS - 1);
  expect(await read()).toEqual(first);
  expect(asked).toHaveLength(2);
  pass(1);
  const second = await read();
  expect(second).toMatchObject({ rules: [{ limit: 40_000 }] });
  expect(second?.at).toBe((first?.at ?? 0) + 5 * MINUTE_MS);
  expect(asked).toHaveLength(4);
});

test("what fails is an error until it was once answered, and then the last answer", async () => {
  const { read, asked, answers, pass } = create();
  answers["userAccountAutoLiq"] = { status: 500, data: "Oops" };
  await expect(read()).rejects.toThrow(BrokerReadError);
  await expect(read()).rejects.toThrow("Oops");
  expect(asked).toHaveLength(2);
  answers["userAccountAutoLiq"] = { status: 200, data: [LIMIT] };
  pass(MINUTE_MS);
  const told = await read();
  expect(told).toMatchObject(LIMITED);
  answers["userAccountAutoLiq"] = { status: 500, data: "Oops" };
  pass(5 * MINUTE_MS);
  // The status was read anew: what was said a minute later than it before is the oldest word now.
  expect(await read()).toEqual({ ...told, at: (told?.at ?? 0) + MINUTE_MS });
});

test.each([401, 403])("a %i is a permission that is missing, for half an hour", async (status) => {
  const { read, said, asked, answers, pass } = create();
  answers["userAccountAutoLiq"] = { status, data: "Access is denied" };
  answers["accountRiskStatus"] = { status, data: "Access is denied" };
  expect(await read()).toBeUndefined();
  pass(30 * MINUTE_MS - 1);
  expect(await read()).toBeUndefined();
  expect(asked).toHaveLength(2);
  expect(said).toEqual([expect.stringMatching(/Account Risk Settings.*Access is denied/)]);
  answers["userAccountAutoLiq"] = { status: 200, data: [LIMIT] };
  answers["accountRiskStatus"] = { status: 200, data: [OPEN] };
  pass(1);
  expect(await read()).toMatchObject(LIMITED);
  expect(said).toHaveLength(1);
});

test("who may read only how the account stands is told where nothing is taken, and else nothing", async () => {
  const { read, answers, pass } = create();
  answers["userAccountAutoLiq"] = REFUSED;
  expect(await read()).toBeUndefined();
  answers["accountRiskStatus"] = { status: 200, data: [{ id: 5, userTriggeredLiqOnly: true }] };
  pass(5 * MINUTE_MS);
  expect(await read()).toMatchObject({ refusesEntries: expect.stringContaining("LiqOnly") });
});

test("a budget that is used up is an error, and asks nothing", async () => {
  const { read, asked } = create(2);
  await expect(read()).rejects.toThrow(BrokerReadError);
  expect(asked).toEqual([]);
});

test("what is told by itself is asked for once its feed is not believed any more", async () => {
  const { read, store, session, risk, asked } = create();
  risk.isTold = true;
  store.merge("userAccountAutoLiq", [{ id: 5, dailyLossAutoLiq: 700 }]);
  store.merge("accountRiskStatus", [OPEN]);
  expect(await read()).toMatchObject({ rules: [{ limit: 70_000 }] });
  expect(asked).toEqual([]);
  session.isFed = false;
  expect(await read()).toMatchObject(LIMITED);
  expect(asked).toHaveLength(2);
});

test("an account in no currency that is known has no amounts", async () => {
  const { read, store } = create();
  store.merge("cashBalance", [{ id: 10, accountId: 5, currencyId: 2 }]);
  await expect(read()).rejects.toThrow("in which currency");
});
