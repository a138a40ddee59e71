import { expect, onTestFinished, test } from "vitest";
import { AccountMoney } from "../../../../src/brokers/tradovate/account-money.ts";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import { DEFAULT_LIMITS, RateBudget } from "../../../../src/brokers/tradovate/rate-budget.ts";
import type { RestAnswer } from "../../../../src/brokers/tradovate/rest-client.ts";
import type { AccountId } from "../../../../src/domain/ids.ts";

const ACCOUNT = "tv-5" as AccountId;
const WON = { totalCashValue: 1_100, netLiq: 1_100, openPnL: 0, realizedPnL: 100 };

function create() {
  const store = new EntityStore(() => undefined);
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const answers: Promise<RestAnswer>[] = [];
  let elapsed = 0;
  const money = new AccountMoney({
    session: {
      store,
      account: () => store.get("account", 5),
      heardAt: 0,
      isFed: true,
    },
    rest: { ask: async () => (await answers.shift()) ?? { status: 401, data: undefined } },
    token: () => "token",
    budget: new RateBudget(DEFAULT_LIMITS, () => elapsed),
    now: () => Date.UTC(2026, 10, 26) + elapsed,
    elapsed: () => elapsed,
    signal: ended.signal,
  });
  const cash = (day: number, amount: number, realizedPnL: number) =>
    store.merge("cashBalance", [
      {
        id: day,
        accountId: 5,
        currencyId: 1,
        tradeDate: { year: 2026, month: 11, day },
        amount,
        realizedPnL,
      },
    ]);
  store.merge("account", [{ id: 5, active: true }]);
  store.merge("currency", [{ id: 1, name: "USD" }]);
  return { money, answers, cash, pass: (ms: number) => (elapsed += ms) };
}

const answered = (data: object) => Promise.resolve({ status: 200, data });

test("what was won on one day is not told of the next one", async () => {
  const { money, answers, cash, pass } = create();
  cash(25, 1_100, 100);
  answers.push(answered(WON));
  const before = { realizedPnl: 10_000, tradingDay: "2026-11-25" };
  expect(await money.balances(ACCOUNT)).toMatchObject([before]);
  pass(60_000);
  cash(26, 1_100, 0);
  let answer: (one: RestAnswer) => void = () => undefined;
  answers.push(new Promise((resolve) => (answer = resolve)));
  expect(await money.balances(ACCOUNT)).toMatchObject([before]);
  answer({ status: 200, data: { ...WON, realizedPnL: 0 } });
  await new Promise((resolve) => setImmediate(resolve));
  expect(await money.balances(ACCOUNT)).toMatchObject([
    { realizedPnl: 0, tradingDay: "2026-11-26" },
  ]);
});

test("an answer that is refused from then on does not stand for what is told since", async () => {
  const { money, answers, cash, pass } = create();
  cash(26, 1_100, 100);
  answers.push(answered(WON));
  expect(await money.balances(ACCOUNT)).toMatchObject([{ netLiquidation: 110_000 }]);
  pass(60_000);
  cash(26, 1_050, 50);
  const [balance] = await money.balances(ACCOUNT);
  expect(balance).toMatchObject({ cash: 105_000, realizedPnl: 5_000 });
  expect(balance).not.toHaveProperty("netLiquidation");
});
