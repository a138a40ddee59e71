import { Type } from "@sinclair/typebox";
import { MAX_BARS_ASKED } from "../../domain/strategies/bar.ts";
import {
  AVERAGES,
  BAR_SERIES,
  INDICATOR_PARTS,
  type IndicatorType,
  PRICE_SOURCES,
} from "../../domain/strategies/indicator.ts";
import { BAR_MINUTES, STRATEGY_MODES } from "../../domain/strategies/strategy.ts";
import { STRATEGY_STATES } from "../../trading/strategies/strategy-views.ts";
import { EvaluationReply } from "./evaluation.ts";
import { AccountIdText, choice, Instant, nullable, Quantity, Symbol } from "./parts.ts";
import { orNull } from "./webhook-options.ts";

export const StrategyIdText = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "A strategy's id, as listed by GET /v1/strategies",
  examples: ["st_9b1c07d24e6f"],
});

const INDICATOR_TYPES = [
  ...AVERAGES,
  ...BAR_SERIES,
  ...(Object.keys(INDICATOR_PARTS) as (keyof typeof INDICATOR_PARTS)[]),
] satisfies readonly IndicatorType[];

const Period = Type.Integer({ minimum: 2, maximum: 200 });
const Smoothing = Type.Integer({ minimum: 1, maximum: 50 });

export const IndicatorBody = Type.Object(
  {
    type: choice(INDICATOR_TYPES),
    period: Type.Optional(Period),
    source: Type.Optional(
      choice(PRICE_SOURCES, {
        description: "typical is (high + low + close) / 3. Without it close",
      }),
    ),
    fast: Type.Optional(Period),
    slow: Type.Optional(Period),
    signal: Type.Optional(Period),
    deviations: Type.Optional(Type.Number({ minimum: 0.1, maximum: 10 })),
    smoothK: Type.Optional(Smoothing),
    smoothD: Type.Optional(Smoothing),
  },
  {
    title: "Indicator",
    description:
      "sma, ema, wma, rma, rsi, roc: period, source. atr, adx, cci, donchian: period. macd: fast, slow, signal, source. bollinger: period, deviations, source. stochastic: period, smoothK, smoothD",
    additionalProperties: false,
  },
);

const Condition = Type.String({ minLength: 1, maxLength: 500, examples: ["fast[0] > slow[0]"] });

const Conditions = Type.Object(
  {
    enterLong: Type.Optional(Condition),
    exitLong: Type.Optional(Condition),
    enterShort: Type.Optional(Condition),
    exitShort: Type.Optional(Condition),
  },
  {
    title: "StrategyConditions",
    description:
      "Expressions in CEL that come to true or false. Series are lists, newest first: close[0] is the newest bar's. There are open, high, low, close, volume, the indicators by their names, position (net, qty, side, averagePrice), time (hour, minute, weekday, day, month, year) and the functions crossesAbove, crossesBelow, highest, lowest, abs, min, max. What is left out is never true",
    additionalProperties: false,
    minProperties: 1,
  },
);

const StrategyLeg = Type.Object(
  {
    ticks: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: "Ticks away from the entry" }),
    ),
    offset: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: "A distance in price" })),
  },
  {
    title: "StrategyLeg",
    description: "How far an exit is from the entry: exactly one of ticks and offset",
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  },
);

const StrategyBracket = Type.Object(
  { takeProfit: Type.Optional(StrategyLeg), stopLoss: Type.Optional(StrategyLeg) },
  {
    title: "StrategyBracket",
    description: "Placed with each entry, linked so that one ends the other",
    additionalProperties: false,
    minProperties: 1,
  },
);

const Schedule = Type.Object(
  {
    cron: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "Minute, hour, day, month, weekday, which must all hold; a field for seconds may come first. Never closer together than 10 seconds. The hour that comes twice in autumn has its slots once",
      examples: ["*/5 8-15 * * MON-FRI"],
    }),
    timeZone: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "An IANA time zone; conditions read the clock in it too",
      examples: ["America/Chicago"],
    }),
  },
  { title: "StrategySchedule", additionalProperties: false },
);

const TERMS = {
  name: Type.String({ minLength: 1, maxLength: 64, examples: ["EMA cross"] }),
  accountId: AccountIdText,
  symbol: Symbol,
  barMinutes: Type.Unsafe<(typeof BAR_MINUTES)[number]>({
    type: "integer",
    enum: [...BAR_MINUTES],
    description: "How long a bar is. Bars begin at whole multiples of it since midnight UTC",
  }),
  barCount: Type.Integer({
    minimum: 2,
    maximum: MAX_BARS_ASKED,
    description: "How many bars are looked at; indicators begin at the oldest one. Without it 200",
  }),
  indicators: Type.Record(Type.String(), IndicatorBody, {
    maxProperties: 12,
    description: "By the names that conditions use",
    examples: [{ fast: { type: "ema", period: 9 }, slow: { type: "ema", period: 21 } }],
  }),
  conditions: Conditions,
  qty: { ...Quantity, description: "Contracts of an entry. Without it 1" },
  mode: choice(STRATEGY_MODES, {
    description: "observe: decisions are logged, and nothing is sent. Without it observe",
  }),
  enabled: Type.Boolean({
    description: "While it is false its schedule rests and it sends nothing. Without it true",
  }),
};

const SHARED = Type.Partial(Type.Object(TERMS)).properties;

export const CreateStrategyBody = Type.Object(
  {
    ...SHARED,
    accountId: TERMS.accountId,
    symbol: TERMS.symbol,
    barMinutes: TERMS.barMinutes,
    conditions: TERMS.conditions,
    bracket: Type.Optional(StrategyBracket),
    schedule: Type.Optional(Schedule),
  },
  { title: "CreateStrategy", additionalProperties: false },
);

export const ChangeStrategyBody = Type.Object(
  {
    ...SHARED,
    bracket: Type.Optional(orNull({ ...StrategyBracket, title: "BracketOrNone" })),
    schedule: Type.Optional(orNull({ ...Schedule, title: "ScheduleOrNone" })),
  },
  {
    title: "ChangeStrategy",
    description:
      "What is left out stays as it is; null clears. indicators and conditions are set anew as a whole",
    additionalProperties: false,
    minProperties: 1,
  },
);

export const StrategyReply = Type.Object(
  {
    id: StrategyIdText,
    ...TERMS,
    bracket: nullable(StrategyBracket),
    schedule: nullable(Schedule),
    state: choice(STRATEGY_STATES, {
      description:
        "off: not enabled. onRequest: it has no schedule. scheduled: all is well. failing: its newest slot was missed or could not be evaluated, or what it decided was not carried out",
    }),
    reason: nullable(Type.String({ description: "Why it is failing, in plain words" })),
    nextEvaluationAt: nullable(Instant),
    lastEvaluation: nullable(EvaluationReply),
    version: Type.Integer({ minimum: 1, description: "Grows with each change" }),
    createdAt: Instant,
    changedAt: Instant,
  },
  { title: "Strategy" },
);

export const StrategiesReply = Type.Object(
  { strategies: Type.Array(StrategyReply) },
  { title: "Strategies" },
);
