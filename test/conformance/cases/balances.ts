import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { parseDecimal, type Scaled, sumOf, times } from "../../../src/domain/contracts/decimal.ts";
import { type Minor, minor, roundToMinor } from "../../../src/domain/money.ts";
import type { BrokerBalance } from "../../../src/trading/money/ports.ts";
import { BrokerReadError } from "../../../src/trading/ports.ts";
import { eventually } from "../../support/wait.ts";
import type { AmountName, MoneyUnderTest, Trader } from "../broker-under-test.ts";
import type { Given } from "./given.ts";

/** What can be said exactly of an account whose trades and prices are known. */
const EXACT = ["cash", "netLiquidation", "realizedPnl", "openPnl", "fees"] as const;
const MARGINS = ["initialMargin", "maintenanceMargin", "marginExcess"] as const;

/** What has happened since the account was new. Ticks are those of all contracts together. */
interface Done {
  readonly closedTicks: number;
  readonly openTicks: number;
  /** Contracts bought and contracts sold. */
  readonly sides: number;
}

type Amounts = { readonly [Name in AmountName]?: Minor };

export function balanceCases(given: Given): void {
  /** What the broker tells of money; undefined, and no balances, where it tells nothing. */
  function moneyOf({ adapter, broker }: Trader): MoneyUnderTest | undefined {
    expect(adapter.balances !== undefined).toBe(broker.money !== undefined);
    return broker.money;
  }

  describe.sequential("balances", () => {
    test("80 an account that has not traded is worth its cash, each currency once", async () => {
      const trader = given();
      const money = moneyOf(trader);
      if (money === undefined) return;
      const askedAt = Date.now();
      const balances = await read(trader);
      const currencies = balances.map(({ currency }) => currency);
      expect(new Set(currencies).size).toBe(currencies.length);
      for (const { currency, at, tradingDay: _, ...amounts } of balances) {
        expect(currency).toMatch(/^[A-Z]{3}$/);
        expect(at).toBeGreaterThan(askedAt - 3_600_000);
        expect(at).toBeLessThanOrEqual(Date.now());
        expect(Object.values(amounts).filter((each) => !Number.isSafeInteger(each))).toEqual([]);
      }
      const own = await ownBalance(trader, money);
      const names: readonly AmountName[] = [...EXACT, ...MARGINS];
      const untold = names.filter((name) => !money.tells.includes(name));
      expect(Object.keys(own).filter((name) => untold.some((each) => each === name))).toEqual([]);
      expect(exactly(own, money)).toEqual(amountsAfter(own, money, NOTHING_DONE));
    });

    test("81 what was closed, what is open and what was paid is exact after a buy and a sell", async () => {
      const trader = given();
      const money = moneyOf(trader);
      if (money === undefined) return;
      const { told, after } = await watchMoney(trader, money);
      await trader.place({ orderQty: 3 });
      await trader.waitForPosition(3);
      await eventually(async () =>
        expect(await told()).toEqual(after({ closedTicks: 0, openTicks: -3, sides: 3 })),
      );
      await trader.market(1_010, 1_011);
      await eventually(async () =>
        expect(await told()).toEqual(after({ closedTicks: 0, openTicks: 30, sides: 3 })),
      );
      await trader.place({ side: "SELL" });
      await trader.waitForPosition(2);
      await eventually(async () =>
        expect(await told()).toEqual(after({ closedTicks: 10, openTicks: 20, sides: 4 })),
      );
      await trader.place({ side: "SELL", orderQty: 2 });
      await trader.waitForPosition(0);
      await eventually(async () =>
        expect(await told()).toEqual(after({ closedTicks: 30, openTicks: 0, sides: 6 })),
      );
    });

    test("82 a short position is worth what buying it back at the ask would bring", async () => {
      const trader = given();
      const money = moneyOf(trader);
      if (money === undefined) return;
      const { told, after } = await watchMoney(trader, money);
      await trader.place({ side: "SELL", orderQty: 2 });
      await trader.waitForPosition(-2);
      await trader.market(994, 995);
      await eventually(async () =>
        expect(await told()).toEqual(after({ closedTicks: 0, openTicks: 8, sides: 2 })),
      );
      await trader.place();
      await trader.waitForPosition(-1);
      await trader.market(1_009, 1_010);
      await eventually(async () =>
        expect(await told()).toEqual(after({ closedTicks: 4, openTicks: -11, sides: 3 })),
      );
    });

    test("83 turning a position around closes it and opens another", async () => {
      const trader = given();
      const money = moneyOf(trader);
      if (money === undefined) return;
      const { told, after } = await watchMoney(trader, money);
      await trader.place();
      await trader.waitForPosition(1);
      await trader.market(990, 991);
      await trader.place({ side: "SELL", orderQty: 3 });
      await trader.waitForPosition(-2);
      await eventually(async () =>
        expect(await told()).toEqual(after({ closedTicks: -10, openTicks: -2, sides: 4 })),
      );
    });

    test("84 balances are the same after a restart, and nothing is seen on another account", async () => {
      const trader = given();
      const money = moneyOf(trader);
      if (money === undefined) return;
      const { told, after } = await watchMoney(trader, money);
      const { otherAccount } = trader.broker;
      const other = await ownBalance(trader, money, otherAccount);
      await trader.place({ orderQty: 2 });
      await trader.waitForPosition(2);
      await trader.market(1_010, 1_011);
      await trader.place({ side: "SELL" });
      await trader.waitForPosition(1);
      const done = { closedTicks: 10, openTicks: 10, sides: 3 };
      await eventually(async () => expect(await told()).toEqual(after(done)));
      await trader.restart();
      await trader.market(1_010, 1_011);
      await eventually(async () => expect(await told()).toEqual(after(done)));
      expect(exactly(await ownBalance(trader, money, otherAccount), money)).toEqual(
        exactly(other, money),
      );
    });

    test("85 outside a session balances cannot be read", async () => {
      const trader = given();
      if (moneyOf(trader) === undefined) return;
      await trader.disconnect();
      await expect(read(trader)).rejects.toBeInstanceOf(BrokerReadError);
    });

    test("86 each fill says what it cost, where the broker tells that", async () => {
      const trader = given();
      const money = moneyOf(trader);
      if (money === undefined) return;
      await trader.place({ orderQty: 2 });
      await trader.place({ side: "SELL" });
      await trader.waitForPosition(1);
      const feeOf = (text: string, qty: number) => roundToMinor(worth(text, qty), money.currency);
      const told = async () =>
        (await trader.adapter.fills(trader.broker.account, 0)).map(
          ({ lastQty, fee, feeCurrency = money.currency }) =>
            fee === undefined ? [lastQty] : [lastQty, feeOf(fee, 1), feeCurrency],
        );
      const wanted = [2, 1].map((qty) =>
        money.tellsFeeOfFill ? [qty, feeOf(money.feePerSide, qty), money.currency] : [qty],
      );
      await eventually(async () => expect(await told()).toEqual(wanted));
    });
  });
}

const NOTHING_DONE: Done = { closedTicks: 0, openTicks: 0, sides: 0 };

async function read(
  { adapter, broker }: Trader,
  account = broker.account,
): Promise<readonly BrokerBalance[]> {
  assert(adapter.balances !== undefined, "the adapter of a broker that tells money has balances");
  return await adapter.balances(account);
}

async function ownBalance(
  trader: Trader,
  { currency }: MoneyUnderTest,
  account = trader.broker.account,
): Promise<BrokerBalance> {
  const own = (await read(trader, account)).find((balance) => balance.currency === currency);
  assert(own !== undefined, `there is a balance in ${currency}`);
  return own;
}

/** What is told of the account, which has not traded yet, and what must be after something was done. */
async function watchMoney(trader: Trader, money: MoneyUnderTest) {
  const before = await ownBalance(trader, money);
  return {
    told: async () => exactly(await ownBalance(trader, money), money),
    after: (done: Done) => amountsAfter(before, money, done),
  };
}

/** The amounts of an account that had not traded, after that was done, as far as the broker tells them. */
function amountsAfter(
  { cash = minor(0) }: Amounts,
  money: MoneyUnderTest,
  { closedTicks, openTicks, sides }: Done,
): Amounts {
  const { currency, tickValue, feePerSide, tells } = money;
  const [won, open, paid] = [
    worth(tickValue, closedTicks),
    worth(tickValue, openTicks),
    worth(feePerSide, sides),
  ];
  const rounded = (...values: readonly Scaled[]) => {
    const amount = roundToMinor(sumOf(...values), currency);
    assert(amount !== undefined);
    return amount;
  };
  const left = sumOf(won, times(paid, -1));
  const amounts: Required<Pick<BrokerBalance, (typeof EXACT)[number]>> = {
    cash: minor(cash + rounded(left)),
    netLiquidation: minor(cash + rounded(left, open)),
    realizedPnl: rounded(won),
    openPnl: rounded(open),
    fees: rounded(paid),
  };
  return Object.fromEntries(
    exactOf(money)
      .filter((name) => tells.includes(name))
      .map((name) => [name, amounts[name]]),
  );
}

/** Where the last trade was is not the suite's to say. */
const exactOf = ({ valuesAtLast }: MoneyUnderTest) =>
  valuesAtLast === true
    ? EXACT.filter((name) => name !== "openPnl" && name !== "netLiquidation")
    : EXACT;

function exactly(balance: Amounts, money: MoneyUnderTest): Amounts {
  const told = exactOf(money).filter((name) => balance[name] !== undefined);
  return Object.fromEntries(told.map((name) => [name, balance[name]]));
}

function worth(each: string, count: number): Scaled {
  const value = parseDecimal(each);
  assert(value !== undefined, `"${each}" is a decimal`);
  return times(value, count);
}
