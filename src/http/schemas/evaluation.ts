import { Type } from "@sinclair/typebox";
import { MAX_BARS_ASKED } from "../../domain/strategies/bar.ts";
import { DECISIONS } from "../../domain/strategies/strategy-decision.ts";
import { TRIGGERS, UNDECIDED } from "../../trading/strategies/ports.ts";
import { EVALUATION_OUTCOMES } from "../present/evaluation.ts";
import {
  AccountIdText,
  choice,
  Cursor,
  Instant,
  IntentIdText,
  NextCursor,
  nullable,
  PageLimit,
  ResolvedSymbol,
} from "./parts.ts";

const Price = Type.Number({ description: "In the contract's own prices" });

const PRICES = { open: Price, high: Price, low: Price, close: Price };

const BarBody = Type.Object(
  {
    time: Type.String({
      minLength: 1,
      maxLength: 40,
      description: "Its beginning: an instant, or Unix time in milliseconds (13 digits)",
      examples: ["2026-09-21T14:25:00Z"],
    }),
    ...PRICES,
    volume: Type.Number({ minimum: 0, default: 0 }),
  },
  { title: "Bar", additionalProperties: false },
);

export const EvaluateStrategyBody = Type.Object(
  {
    bars: Type.Optional(
      Type.Array(BarBody, {
        minItems: 1,
        maxItems: MAX_BARS_ASKED,
        description:
          "Finished bars, oldest first, of which the newest barCount are looked at. Without them the account's own broker is asked. How old they are is yours to know",
      }),
    ),
    position: Type.Optional(
      Type.Object(
        {
          netQty: Type.Integer({
            minimum: -10_000,
            maximum: 10_000,
            description: "Positive long, negative short",
          }),
          averagePrice: Type.Optional(
            Type.Number({ description: "Without it, conditions that ask for it have no value" }),
          ),
        },
        {
          title: "SupposedPosition",
          description: "Instead of what the account holds; with dryRun only",
          additionalProperties: false,
        },
      ),
    ),
    dryRun: Type.Boolean({ default: false, description: "Decide, and send nothing" }),
  },
  { title: "EvaluateStrategy", additionalProperties: false },
);

const SignedQty = Type.Integer({ description: "Positive long, negative short" });

const Value = Type.Union([Type.Number(), Type.Record(Type.String(), Type.Number()), Type.Null()]);

export const EvaluationReply = Type.Object(
  {
    id: Type.String({
      description: "Also the id of its intent, where there is one",
      examples: ["i5d20c7a91be3f684a0c9d1e8b7f2"],
    }),
    accountId: AccountIdText,
    trigger: choice(TRIGGERS),
    dryRun: Type.Boolean(),
    decision: choice([...DECISIONS, ...UNDECIDED], {
      description:
        "enterLong, enterShort: be in on that side, out of the other one first. exit: be flat. hold: nothing changes. notReady: too few bars. stale: the newest bar is too old. failed: no bars, or a condition has no value. missed: nobody was there at its slot in time. skipped: the strategy was changed before its turn",
    }),
    reason: nullable(Type.String({ description: "Why, in plain words" })),
    outcome: choice(EVALUATION_OUTCOMES, {
      description:
        "none: nothing was to change. dryRun, observed, off: nothing was sent, for that reason. pending: its intent is under way. done: carried out. denied: this gateway refused it right before sending. rejected: the broker refused it. notSent, expired, withdrawn, lost: nothing is at the broker. unknown: it may be live there. unprotected: the position may stand without its exits",
    }),
    outcomeReason: nullable(Type.String({ description: "What became of it, in plain words" })),
    intentId: nullable(IntentIdText),
    symbol: nullable(ResolvedSymbol),
    slotAt: nullable(Instant),
    startedAt: Instant,
    endedAt: Instant,
    barsEndAt: nullable({ ...Instant, description: "When the newest bar ended" }),
    barCount: nullable(Type.Integer({ minimum: 0 })),
    inputsHash: nullable(
      Type.String({
        description: "SHA-256 of rules, bars and position: equal means decided alike",
      }),
    ),
    heldQty: nullable(SignedQty),
    targetQty: nullable(SignedQty),
    values: Type.Record(Type.String(), Value, {
      description: "What each indicator comes to at the newest bar; null where it has no number",
    }),
    conditions: Type.Record(Type.String(), Type.Boolean()),
    computeMs: nullable(Type.Integer({ minimum: 0, description: "Until the decision" })),
    durationMs: nullable(Type.Integer({ minimum: 0, description: "Until the outcome" })),
    missed: nullable(
      Type.Object(
        { fromAt: Instant, slots: Type.Integer({ minimum: 1, description: "At least" }) },
        { title: "MissedSlots", description: "Slots that were missed together, slotAt the newest" },
      ),
    ),
  },
  { title: "Evaluation" },
);

export const EvaluationsReply = Type.Object(
  {
    logs: Type.Array(EvaluationReply),
    nextCursor: NextCursor,
  },
  { title: "StrategyLogs" },
);

export const EvaluationsQuery = Type.Object(
  {
    limit: PageLimit,
    cursor: Type.Optional(Cursor),
    notable: Type.Optional(
      Type.Boolean({ description: "true: leave out those after which nothing was to change" }),
    ),
  },
  { additionalProperties: false },
);

export const StrategyChartReply = Type.Object(
  {
    symbol: ResolvedSymbol,
    barMinutes: Type.Integer({ minimum: 1 }),
    bars: Type.Array(
      Type.Object(
        { time: Instant, ...PRICES, volume: Type.Number({ minimum: 0 }) },
        { title: "ChartBar" },
      ),
      { description: "Oldest first; empty where the broker tells none" },
    ),
    indicators: Type.Record(Type.String(), Type.Array(Type.Union([Type.Number(), Type.Null()])), {
      description: "A number for each bar, by the indicator's name, or name.part",
    }),
    decisions: Type.Array(EvaluationReply, {
      description: "On these bars: those that were to change something, oldest first",
    }),
  },
  { title: "StrategyChart" },
);
