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
