import { intentIdOf } from "../../domain/ids.ts";
import { formatMinor, type Minor } from "../../domain/money.ts";
import { formatScaled, parseDecimal } from "../../domain/contracts/decimal.ts";
import { type Fill, isForeign } from "../../domain/order.ts";
import { slippageTicks } from "../../domain/slippage.ts";
import { isStale, oldestHeardAt } from "../../domain/quote.ts";
import type { PlacedEntry } from "../../domain/ledger/ledger-entry.ts";
import {
  type AccountDay,
  clocksAt,
  type DayClocks,
  dayOfBroker,
  nameOf,
  STANDARD_CLOCKS,
} from "../../domain/calendar/account-day.ts";
import { differenceOf } from "../../trading/money/difference.ts";
import type { BrokerBalance } from "../../trading/money/ports.ts";
import type { AccountMoney, LedgerPage } from "../../trading/money/read-money.ts";
import {
  isOfUnknownCurrency,
  type Mark,
  type OwnFigures,
} from "../../trading/money/value-account.ts";
import type { ContractTerms, DescribeContract } from "../../trading/orders/describe-contract.ts";
import { ACTION_OF } from "../words.ts";
import { presentAccount } from "./account.ts";
import {
  presentAverage,
  presentMoney,
  presentPrice,
  presentTime,
  presentTimeOrNull,
} from "./figures.ts";

export const presentAccountMoney = (money: AccountMoney, describe: DescribeContract) => ({
  ...presentAccount(money.account),
  ...presentFigures(money, describe),
});

export const presentBalances = (money: AccountMoney, describe: DescribeContract) => ({
  accountId: money.account.accountId,
  ...presentFigures(money, describe),
});

function presentFigures(money: AccountMoney, describe: DescribeContract) {
  const { account, day, figures, balances, marks, pricesMissing, asOf } = money;
  const clocks = account.clocks ?? STANDARD_CLOCKS;
  const currencies = [...new Set([...balances, ...figures].map(({ currency }) => currency))];
  return {
    tradingDay: nameOf(day),
    day: presentDay(day, clocks, asOf),
    currencies: currencies.sort().map((currency) => {
      const broker = balances.find((one) => one.currency === currency);
      const gateway = figures.find((one) => one.currency === currency);
      return {
        currency: currency === "" ? null : currency,
        broker: broker === undefined ? null : presentBroker(broker),
        gateway: gateway === undefined ? null : presentOwn(gateway, asOf, describe),
        differs:
          broker !== undefined &&
          !isOfUnknownCurrency(figures) &&
          dayOfBroker(clocks, broker)?.day === day.day &&
          // The difference that lasts is an alarm.
          differenceOf(broker, gateway) !== undefined,
      };
    }),
    marks: marks.map((mark) => presentMark(mark, asOf, describe)),
    pricesMissing: pricesMissing ?? null,
    asOf: presentTime(asOf),
  };
}

/** The day that goes on, and by which clock days begin, now and from when on by another one. */
export function presentDay({ beganAt, endsAt }: AccountDay, clocks: DayClocks, now: number) {
  const [{ begins, zone }, next] = clocksAt(clocks, now);
  return {
    begins,
    zone,
    beganAt: presentTime(beganAt),
    endsAt: presentTime(endsAt),
    next:
      next?.from === undefined
        ? null
        : { begins: next.begins, zone: next.zone, from: presentTime(next.from) },
  };
}

function presentBroker(balance: BrokerBalance) {
  const { currency, at, tradingDay } = balance;
  const money = (amount: Minor | undefined) => presentMinor(amount, currency);
  return {
    cash: money(balance.cash),
    netLiquidation: money(balance.netLiquidation),
    realizedPnl: money(balance.realizedPnl),
    openPnl: money(balance.openPnl),
    fees: money(balance.fees),
    initialMargin: money(balance.initialMargin),
    maintenanceMargin: money(balance.maintenanceMargin),
    marginExcess: money(balance.marginExcess),
    tradingDay: tradingDay ?? null,
    asOf: presentTime(at),
  };
}

function presentOwn(own: OwnFigures, now: number, describe: DescribeContract) {
  const { currency, realizedPnl, openPnl, fees, net, pricedAt } = own;
  return {
    realizedPnl: presentMinor(realizedPnl, currency),
    openPnl: presentMinor(openPnl, currency),
    fees: presentMinor(fees, currency),
    net: presentMinor(net, currency),
    feesExpected: own.areFeesExpected,
    contractsWithoutFee: own.unfeedQty,
    pricedAt: presentTimeOrNull(pricedAt),
    stale: pricedAt !== undefined && isStale({ heardAt: pricedAt }, now),
    unpriced: own.unpriced.map((contract) => describe(contract).symbol),
    estimated: own.isEstimated,
  };
}

function presentMark(mark: Mark, now: number, describe: DescribeContract) {
  const { contract, netQty, price, quote, openPnl, currency } = mark;
  const terms = describe(contract, mark.terms);
  return {
    symbol: terms.symbol,
    netQty,
    price: presentPrice(price?.px, terms),
    bid: presentPrice(quote?.bid?.px, terms),
    ask: presentPrice(quote?.ask?.px, terms),
    last: presentPrice(quote?.last?.px, terms),
    openPnl: presentMinor(openPnl, currency ?? ""),
    currency: currency ?? null,
    tickSize: Number(terms.tickSize) || null,
    heardAt: presentTimeOrNull(price?.heardAt),
    stale: price === undefined || isStale(price, now),
  };
}

const presentMinor = (amount: Minor | undefined, currency: string): number | null =>
  amount === undefined ? null : Number(formatMinor(amount, currency));

export function presentLedger({ items, nextCursor }: LedgerPage, describe: DescribeContract) {
  return {
    entries: items.map((entry) => presentEntry(entry, describe)),
    nextCursor: nextCursor ?? null,
  };
}

/** Null where an alert's price is none of this contract's market, or none at all. */
function presentSlippage(
  { side, lastPx }: Fill,
  signalPrice: string | undefined,
  { tickSize }: ContractTerms,
): number | null {
  const signal = signalPrice === undefined ? undefined : parseDecimal(signalPrice);
  if (signal === undefined || tickSize === undefined) return null;
  const named = Number(signal.units);
  if (!Number.isSafeInteger(named) || !Number.isSafeInteger(lastPx)) return null;
  const traded = { px: { numerator: lastPx, denominator: 1 }, tickSize };
  const step = formatScaled({ units: 1n, scale: signal.scale });
  return (
    slippageTicks(side, traded, { px: { numerator: named, denominator: 1 }, tickSize: step }) ??
    null
  );
}

const NO_FILL = {
  takenBack: false,
  corrects: null,
  tradingDay: null,
  executionId: null,
  orderId: null,
  intentId: null,
  origin: null,
  sourceId: null,
  fee: null,
  feeCurrency: null,
  signalPrice: null,
  slippageTicks: null,
  quote: null,
};

const presentFormer = (former: Fill | undefined, terms: ContractTerms) =>
  former === undefined
    ? null
    : {
        side: ACTION_OF[former.side],
        qty: former.lastQty,
        price: presentPrice(former.lastPx, terms),
        fee: presentMoney(former.fee),
      };

function presentEntry(entry: PlacedEntry, describe: DescribeContract) {
  const { id, kind } = entry;
  if (kind === "lot") {
    const terms = describe(entry.contract, entry.terms);
    return {
      ...NO_FILL,
      id,
      kind,
      symbol: terms.symbol,
      side: entry.netQty > 0 ? ACTION_OF.BUY : ACTION_OF.SELL,
      qty: Math.abs(entry.netQty),
      price: presentAverage(entry.avgPx, terms),
      tickSize: Number(terms.tickSize) || null,
      time: presentTime(entry.at),
    };
  }
  const { fill } = entry;
  const terms = describe(fill.contract, fill.terms);
  const { clOrdId } = fill;
  const { origin, quote } = kind === "fill" ? entry : {};
  return {
    id,
    kind,
    symbol: terms.symbol,
    side: ACTION_OF[fill.side],
    qty: fill.lastQty,
    price: presentPrice(fill.lastPx, terms),
    takenBack: fill.takenBack === true,
    corrects: kind === "correction" ? presentFormer(entry.former, terms) : null,
    time: presentTime(fill.transactTimeAt),
    tradingDay: fill.tradeDay ?? null,
    executionId: fill.execId,
    orderId: fill.orderId,
    intentId: (clOrdId && intentIdOf(clOrdId)) ?? null,
    origin: origin?.by ?? (isForeign({ ...(clOrdId && { clOrdId }) }) ? "foreign" : null),
    sourceId: origin?.credentialId ?? origin?.leader ?? null,
    fee: presentMoney(fill.fee),
    feeCurrency: fill.feeCurrency ?? null,
    signalPrice: origin?.signalPrice ?? null,
    slippageTicks: presentSlippage(fill, origin?.signalPrice, terms),
    tickSize: Number(terms.tickSize) || null,
    quote:
      quote === undefined
        ? null
        : {
            bid: presentPrice(quote.bid?.px, terms),
            ask: presentPrice(quote.ask?.px, terms),
            last: presentPrice(quote.last?.px, terms),
            heardAt: presentTime(oldestHeardAt(quote)),
          },
  };
}
