import { Type } from "@sinclair/typebox";
import { TIME_OF_DAY } from "../../domain/calendar/local-time.ts";
import { INTENT_SOURCES } from "../../domain/intent.ts";
import { ACTIONS } from "../words.ts";
import {
  AccountIdText,
  choice,
  Cursor,
  Instant,
  nullable,
  OrderIdText,
  ResolvedSymbol,
} from "./parts.ts";
import { ACCOUNT } from "./account.ts";

const Amount = Type.Number({ description: "In the currency, to its minor unit" });
const amount = (description: string) => nullable(Type.Number({ description }));

const BrokerFigures = Type.Object(
  {
    cash: amount("Without what open positions have won or lost"),
    netLiquidation: amount("With it"),
    realizedPnl: amount("Won by closing on its day, before fees"),
    openPnl: nullable(Amount),
    fees: amount("Paid on its day"),
    initialMargin: nullable(Amount),
    maintenanceMargin: nullable(Amount),
    marginExcess: amount("What is left above the initial margin"),
    tradingDay: nullable(
      Type.String({ description: "The broker's day that it counts by", format: "date" }),
    ),
    asOf: Instant,
  },
  {
    title: "BrokerFigures",
    description: "What the broker says; null is what it does not say, or not of this currency",
  },
);

const OwnFigures = Type.Object(
  {
    realizedPnl: amount("Won by closing on the account's day, before fees"),
    openPnl: amount("What closing everything at the prices of pricedAt would win"),
    fees: nullable(Amount),
    net: amount("realizedPnl + openPnl − fees; null while one of them is"),
    feesExpected: Type.Boolean({
      description: "Some fees are those that were to be expected: the broker has not said them yet",
    }),
    contractsWithoutFee: Type.Integer({
      minimum: 0,
      description: "Contracts whose fee nobody has said: it is not among the fees",
    }),
    pricedAt: nullable(
      Type.String({
        format: "date-time",
        description: "When the oldest of the prices was heard; null while nothing is open",
      }),
    ),
    stale: Type.Boolean({ description: "That is more than 10 seconds ago" }),
    unpriced: Type.Array(ResolvedSymbol, {
      description: "Contracts whose price, or worth, nobody has told",
    }),
    estimated: Type.Boolean({
      description:
        "Something follows from an estimated price: a position from before the ledger, or one that no fill explains",
    }),
  },
  {
    title: "OwnFigures",
    description: "By the gateway's own account: its ledger, and the newest prices",
  },
);

const MarkReply = Type.Object(
  {
    symbol: ResolvedSymbol,
    netQty: Type.Integer({ description: "Negative is short" }),
    price: amount("What it would be closed at: the bid of a long, the ask of a short position"),
    bid: nullable(Type.Number()),
    ask: nullable(Type.Number()),
    last: nullable(Type.Number()),
    openPnl: nullable(Amount),
    currency: nullable(Type.String()),
    tickSize: nullable(Type.Number()),
    heardAt: nullable(
      Type.String({ format: "date-time", description: "When price was heard; null without one" }),
    ),
    stale: Type.Boolean({
      description: "No price was heard, or not for 10 seconds: it may be anywhere by now",
    }),
  },
  { title: "Mark" },
);

const DAY_START = {
  begins: Type.String({
    pattern: TIME_OF_DAY,
    description: "The time of day at which days of the account begin",
    examples: ["17:00"],
  }),
  zone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "The IANA time zone of begins",
    examples: ["America/Chicago"],
  }),
};

export const AccountChangeBody = Type.Object(
  { day: Type.Object(DAY_START, { title: "DayStart", additionalProperties: false }) },
  { title: "AccountChange", additionalProperties: false },
);

export const ACCOUNT_CHANGES = {
  chicago: { day: { begins: "17:00", zone: "America/Chicago" } },
  berlin: { day: { begins: "00:00", zone: "Europe/Berlin" } },
};

const MONEY = {
  tradingDay: Type.String({
    format: "date",
    description: "The day that goes on, by the date that most of it has: Sunday evening is Monday",
  }),
  day: Type.Object(
    {
      ...DAY_START,
      beganAt: Instant,
      endsAt: { ...Instant, description: "The first instant of the next day" },
      next: nullable(
        Type.Object(
          { ...DAY_START, from: { ...Instant, description: "When its first day begins" } },
          { title: "NextDayStart", description: "A clock that is set and does not count yet" },
        ),
      ),
    },
    {
      title: "AccountDay",
      description: "Fills, fees, counts, guards and summaries count by it, whatever was traded",
    },
  ),
  currencies: Type.Array(
    Type.Object(
      {
        currency: nullable(
          Type.String({ description: "null where nobody says it", examples: ["USD"] }),
        ),
        broker: nullable(BrokerFigures),
        gateway: nullable(OwnFigures),
        differs: Type.Boolean({
          description:
            "Both say what was won, of the same day, and not the same: nothing, where the gateway knows of no trade",
        }),
      },
      { title: "CurrencyFigures" },
    ),
    { description: "Nothing is ever added up over currencies" },
  ),
  marks: Type.Array(MarkReply),
  pricesMissing: nullable(
    Type.String({ description: "Why the broker tells no prices, and what to do about it" }),
  ),
  asOf: Instant,
};

export const MoneyReply = Type.Object(
  { accountId: AccountIdText, ...MONEY },
  { title: "AccountBalances" },
);

export const AccountReply = Type.Object({ ...ACCOUNT, ...MONEY }, { title: "AccountWithBalances" });

export const AllMoneyReply = Type.Object(
  { accounts: Type.Array(AccountReply, { description: "500 at most, in the order of their ids" }) },
  { title: "AllBalances" },
);

export const LedgerQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
    cursor: Type.Optional(Cursor),
  },
  { additionalProperties: false },
);

const LedgerLine = Type.Object(
  {
    id: Type.String({ description: "Grows from line to line" }),
    kind: choice(["fill", "fee", "correction", "lot"], {
      description:
        "fill: a trade. fee: what an earlier fill cost, in place of what was said of it before. correction: the broker took an earlier fill back, or changed its quantity or price. lot: a position that no fill explains, from before the ledger or traded elsewhere",
    }),
    takenBack: Type.Boolean({
      description: "True on a correction after which nothing of the fill counts",
    }),
    corrects: nullable(
      Type.Object(
        {
          side: choice(ACTIONS),
          qty: Type.Integer({ minimum: 1 }),
          price: nullable(Type.Number()),
          fee: amount("null where the broker had not said it"),
        },
        {
          title: "CorrectedFill",
          description: "The fill of this executionId as it was until then; null if it had no line",
        },
      ),
    ),
    symbol: ResolvedSymbol,
    side: choice(ACTIONS),
    qty: Type.Integer({ minimum: 1 }),
    price: amount("Of a lot what the broker held it at: an estimate"),
    time: Instant,
    tradingDay: nullable(
      Type.String({
        format: "date",
        description: "The exchange's trade date, where the broker says it; money counts by time",
      }),
    ),
    executionId: nullable(Type.String()),
    orderId: nullable(OrderIdText),
    intentId: nullable(Type.String()),
    origin: nullable(
      choice([...INTENT_SOURCES, "foreign"], {
        description: "foreign: by hand, or by another program, at the broker. null of a lot",
      }),
    ),
    sourceId: nullable(
      Type.String({ description: "The webhook or key it came by; of a copy its leader" }),
    ),
    fee: amount("null while the broker has not said it"),
    feeCurrency: nullable(Type.String()),
    signalPrice: nullable(
      Type.String({ description: "The price that the alert named, as it was written" }),
    ),
    slippageTicks: nullable(
      Type.Number({
        description:
          "How much worse price is than signalPrice, in ticks to two decimals; negative is better. null where the two cannot be compared: one of them is missing, or they are more than 2 % apart, as prices of two contracts are",
      }),
    ),
    tickSize: nullable(
      Type.Number({ description: "The step of its prices; null where nobody has told it" }),
    ),
    quote: nullable(
      Type.Object(
        {
          bid: nullable(Type.Number()),
          ask: nullable(Type.Number()),
          last: nullable(Type.Number()),
          heardAt: Type.String({
            format: "date-time",
            description: "When the oldest of them was heard",
          }),
        },
        { title: "QuoteAtSend", description: "As the order was about to be sent" },
      ),
    ),
  },
  { title: "LedgerLine" },
);

export const LedgerReply = Type.Object(
  { entries: Type.Array(LedgerLine), nextCursor: nullable(Type.String()) },
  { title: "Ledger" },
);

const TIME = "2026-09-21T14:30:00.000Z";

export const BALANCES = {
  accountId: "paper-1",
  tradingDay: "2026-09-21",
  day: {
    begins: "17:00",
    zone: "America/Chicago",
    beganAt: "2026-09-20T22:00:00.000Z",
    endsAt: "2026-09-21T22:00:00.000Z",
    next: null,
  },
  currencies: [
    {
      currency: "USD",
      broker: {
        cash: 50_120.5,
        netLiquidation: 50_283,
        realizedPnl: 125,
        openPnl: 162.5,
        fees: 4.5,
        initialMargin: null,
        maintenanceMargin: null,
        marginExcess: null,
        tradingDay: "2026-09-21",
        asOf: TIME,
      },
      gateway: {
        realizedPnl: 125,
        openPnl: 162.5,
        fees: 4.5,
        net: 283,
        feesExpected: false,
        contractsWithoutFee: 0,
        pricedAt: TIME,
        stale: false,
        unpriced: [],
        estimated: false,
      },
      differs: false,
    },
  ],
  marks: [
    {
      symbol: "ESZ6",
      netQty: 1,
      price: 5003.5,
      bid: 5003.5,
      ask: 5003.75,
      last: null,
      openPnl: 162.5,
      currency: "USD",
      tickSize: 0.25,
      heardAt: TIME,
      stale: false,
    },
  ],
  pricesMissing: null,
  asOf: TIME,
};

const { accountId: _, ...MONEY_EXAMPLE } = BALANCES;

export const ACCOUNT_EXAMPLE = {
  id: "paper-1",
  name: "Paper 1",
  connectionId: "paper",
  broker: "paper",
  environment: "demo",
  currency: "USD",
  active: true,
  cannotCancel: null,
  connectionStatus: "CONNECTED",
  ...MONEY_EXAMPLE,
};

export const LEDGER = {
  entries: [
    {
      id: "1790001000000-0",
      kind: "fill",
      takenBack: false,
      corrects: null,
      symbol: "ESZ6",
      side: "buy",
      qty: 1,
      price: 5000.25,
      time: TIME,
      tradingDay: null,
      executionId: "9000001",
      orderId: "4000001",
      intentId: "i0123456789abcdef0123456789ab",
      origin: "webhook",
      sourceId: "wh_1",
      fee: 2.25,
      feeCurrency: "USD",
      signalPrice: "5000.00",
      slippageTicks: 1,
      tickSize: 0.25,
      quote: { bid: 5000, ask: 5000.25, last: null, heardAt: TIME },
    },
  ],
  nextCursor: null,
};
