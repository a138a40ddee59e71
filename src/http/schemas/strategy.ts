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
import { AccountIdText, choice, Instant, nameText, nullable, Quantity, Symbol } from "./parts.ts";
import { orNull } from "./webhook.ts";

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

const StrategyTerms = {
  name: nameText("EMA cross"),
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

const SHARED = Type.Partial(Type.Object(StrategyTerms)).properties;

export const CreateStrategyBody = Type.Object(
  {
    ...SHARED,
    accountId: StrategyTerms.accountId,
    symbol: StrategyTerms.symbol,
    barMinutes: StrategyTerms.barMinutes,
    conditions: StrategyTerms.conditions,
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
    ...StrategyTerms,
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

/** A strategy in the API document's story: a crossover of averages that observes. */

const TIME = "2026-09-21T14:30:00.000Z";
const STRATEGY_ID = "st_9b1c07d24e6f";

const TERMS = {
  name: "EMA cross",
  accountId: "paper-1",
  symbol: "MNQ1!",
  barMinutes: 5,
  barCount: 200,
  indicators: { fast: { type: "ema", period: 9 }, slow: { type: "ema", period: 21 } },
  conditions: {
    enterLong: "crossesAbove(fast, slow) && time.hour >= 9",
    exitLong: "crossesBelow(fast, slow)",
  },
  qty: 1,
  mode: "observe",
  enabled: true,
};

const BRACKET = { takeProfit: { ticks: 80 }, stopLoss: { offset: 10 } };
const SCHEDULE = { cron: "*/5 9-15 * * MON-FRI", timeZone: "America/New_York" };

const { barCount: _, qty: __, ...SHORTEST } = TERMS;

export const STRATEGY_BODIES = {
  observe: { ...SHORTEST, schedule: SCHEDULE },
  trade: { ...TERMS, mode: "trade", bracket: BRACKET, schedule: SCHEDULE },
};

export const STRATEGY_CHANGES = {
  off: { enabled: false },
  trade: { mode: "trade", qty: 2 },
  onRequest: { schedule: null },
};

const BARS = [
  {
    time: "2026-09-21T14:20:00Z",
    open: 25200,
    high: 25206.5,
    low: 25198.25,
    close: 25204,
    volume: 812,
  },
  {
    time: "2026-09-21T14:25:00Z",
    open: 25204,
    high: 25211,
    low: 25203.75,
    close: 25210.5,
    volume: 954,
  },
];

export const EVALUATION_BODIES = {
  now: {},
  dry: { dryRun: true },
  ownBars: { bars: BARS, dryRun: true, position: { netQty: 0, averagePrice: 0 } },
};

export const EVALUATION = {
  id: "i5d20c7a91be3f684a0c9d1e8b7f2",
  accountId: "paper-1",
  trigger: "schedule",
  dryRun: false,
  decision: "enterLong",
  reason: "enterLong is true, it is flat",
  outcome: "done",
  outcomeReason: "The order in MNQZ6 is filled: 1 at 25210.75",
  intentId: "i5d20c7a91be3f684a0c9d1e8b7f2",
  symbol: "MNQZ6",
  slotAt: TIME,
  startedAt: TIME,
  endedAt: "2026-09-21T14:30:00.031Z",
  barsEndAt: TIME,
  barCount: 200,
  inputsHash: "9f2c4a17d0be5836a1c9e0d47b2f6a18c35d7e90f4b1a2c86d3e5f7091b4c2d8",
  heldQty: 0,
  targetQty: 1,
  values: { fast: 25207.1, slow: 25206.4 },
  conditions: { enterLong: true, exitLong: false },
  computeMs: 4,
  durationMs: 31,
  missed: null,
};

export const EVALUATIONS = { logs: [EVALUATION], nextCursor: null };

export const STRATEGY = {
  id: STRATEGY_ID,
  ...TERMS,
  mode: "trade",
  bracket: BRACKET,
  schedule: SCHEDULE,
  state: "scheduled",
  reason: null,
  nextEvaluationAt: "2026-09-21T14:35:00.000Z",
  lastEvaluation: EVALUATION,
  version: 1,
  createdAt: TIME,
  changedAt: TIME,
};

export const STRATEGY_CHART = {
  symbol: "MNQZ6",
  barMinutes: 5,
  bars: BARS.map((bar) => ({ ...bar, time: bar.time.replace("Z", ".000Z") })),
  indicators: { fast: [25203.2, 25207.1], slow: [null, 25206.4] },
  decisions: [EVALUATION],
};
