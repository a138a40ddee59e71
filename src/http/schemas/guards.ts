import { Type } from "@sinclair/typebox";
import { GUARD_DEFAULTS } from "../../domain/guards/rule.ts";
import { Reason } from "./account.ts";
import { GivenGuardRule, givenDecimal, GuardRuleReply, MOST_RULES } from "./guard-rules.ts";
import {
  AccountIdText,
  choice,
  Cursor,
  Instant,
  NextCursor,
  nullable,
  PageLimit,
} from "./parts.ts";

const CLOSED = { additionalProperties: false } as const;

const percent = (minimum: number, maximum: number, description: string, left?: number) =>
  Type.Integer({ minimum, maximum, description, ...(left !== undefined && { default: left }) });

const WHEN_BLIND = {
  then: choice(["alarm", "flattenUnprotected", "flatten"], {
    description:
      "Beside refusing entries. flattenUnprotected closes what no stop-loss rests for; flatten closes everything, and locks the account until its trading day ends",
  }),
  afterSeconds: Type.Integer({ minimum: 1, maximum: 3_600 }),
};
const BLIND = "While figures are missing or old and a position is open. Entries are refused anyway";
const CURRENCY =
  "What its amounts are in. What trades in another one cannot be judged: entries in it are refused";
const WARN = "Of a limit, in percent of it: from there on it is told";
const ENTRIES_OFF = "From there on entries are refused. Above warnPercent";
const BUFFER = "A breach is acted on so much before the limit, since exits slip";

const Currency = Type.String({ pattern: "^[A-Z]{3}$", description: CURRENCY, examples: ["USD"] });

const { whenBlind, currency, warnPercent, entriesOffPercent, bufferPercent } = GUARD_DEFAULTS;

export const PutGuardsBody = Type.Object(
  {
    currency: { ...Currency, default: currency },
    warnPercent: percent(1, 99, WARN, warnPercent),
    entriesOffPercent: percent(2, 100, ENTRIES_OFF, entriesOffPercent),
    bufferPercent: percent(0, 50, BUFFER, bufferPercent),
    whenBlind: Type.Object(WHEN_BLIND, { description: BLIND, default: whenBlind, ...CLOSED }),
    rules: Type.Array(GivenGuardRule, {
      maxItems: MOST_RULES,
      description: "All of them: one that is left out is gone",
    }),
    balance: Type.Optional(
      givenDecimal(
        "What the account was worth as the present trading day began, where its broker does not say. Drawdowns and steps of lots count from it: where such rules are on already, the first one and each higher one need the scope manage, and while one of them is hard and the balance is known it can only be lowered",
        "50000",
      ),
    ),
    version: Type.Optional(
      Type.String({
        maxLength: 128,
        description:
          'Of the guards that the change was made from, "" where there were none: refused where others stand',
      }),
    ),
    locksNow: Type.Optional(
      Type.Boolean({
        description: "Set them although they breach at once. Without it that is refused",
      }),
    ),
  },
  { title: "PutGuards", ...CLOSED },
);

const Lock = choice(["soft", "hard"], {
  description: "soft: a person can end it early. hard: nobody can",
});

export const LockAccountBody = Type.Object(
  {
    until: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          "An instant (2026-09-21T20:00:00Z), at most 31 days from now. Without it until the next trading day begins",
        examples: ["2026-09-21T20:00:00Z"],
      }),
    ),
    lock: { ...Lock, default: "soft" },
    then: choice(["flatten", "exitsOnly"], {
      default: "exitsOnly",
      description: "flatten: everything is closed too",
    }),
    reason: Type.Optional(Reason),
  },
  { title: "LockAccount", ...CLOSED },
);

export const UnlockAccountBody = Type.Object(
  { reason: Reason },
  { title: "UnlockAccount", ...CLOSED },
);

export const GuardSettingsReply = Type.Object(
  {
    currency: Currency,
    warnPercent: percent(1, 99, WARN),
    entriesOffPercent: percent(2, 100, ENTRIES_OFF),
    bufferPercent: percent(0, 50, BUFFER),
    whenBlind: Type.Object(WHEN_BLIND, { description: BLIND }),
  },
  { title: "GuardSettings" },
);

export const GuardRules = Type.Array(GuardRuleReply, { maxItems: MOST_RULES });
const figure = (description: string) => nullable(Type.Number({ description }));
const Age = Type.Integer({ minimum: 0, description: "ms since asOf, as this was answered" });
const Words = Type.String({ description: "In words, with the figures" });
const Unit = choice(["money", "lots", "count", "percent", "none"], {
  description: "Of figure, limit and room; money is in the settings' currency",
});
const Source = choice(["gateway", "broker"], {
  description: "Whose figure, or limit, was the stricter one",
});
const LEVELS = ["ok", "warn", "entriesOff", "breach", "unknown"] as const;

const VerdictReply = Type.Object(
  {
    level: choice(LEVELS, {
      description:
        "How near it is. unknown: its figure is missing, old, or without what cannot be counted. Entries are refused at entriesOff, breach and unknown",
    }),
    shadow: Type.Boolean({ description: "It only tells what it would have done" }),
    unit: Unit,
    figure: figure(
      "What is compared: of a loss the net result, of a drawdown what the account is worth",
    ),
    limit: figure("Of a drawdown its floor; of a loss negative"),
    room: figure("What is left until the limit, buffer not taken off"),
    usedPercent: figure("Of the limit, 0 to 100 and above"),
    source: Source,
    asOf: { ...Instant, description: "When the oldest part of the figure was heard" },
    ageMs: Age,
    resetsAt: nullable({
      ...Instant,
      description: "When it starts anew; null where it never does by itself",
    }),
    reason: Words,
  },
  { title: "GuardVerdict" },
);

const RestrictionReply = Type.Object(
  {
    forbids: choice(["entries", "orders", "positions"]),
    from: Instant,
    until: nullable({ ...Instant, description: "null: it never is over" }),
    reason: Words,
  },
  { title: "GuardRestriction" },
);

const LockReply = Type.Object(
  {
    id: Type.String(),
    ruleId: nullable(
      Type.String({ description: "null where somebody asked for it, or figures were missing" }),
    ),
    at: Instant,
    until: nullable({ ...Instant, description: "null: until a person ends it" }),
    lock: Lock,
    then: choice(["flatten", "exitsOnly"]),
    reason: Words,
    doneAt: nullable({
      ...Instant,
      description:
        "When everything was closed and cancelled, as it asks for; null until that was seen",
    }),
    figures: nullable(
      Type.Object(
        { unit: Unit, figure: figure("At the breach"), limit: figure("Then"), source: Source },
        { title: "LockFigures" },
      ),
    ),
  },
  { title: "GuardLock" },
);

const BrokerRuleReply = Type.Object(
  {
    kind: choice(["dailyLoss", "weeklyLoss", "dailyProfit", "weeklyProfit", "drawdown", "flatBy"]),
    grade: choice(["alert", "exitsOnly", "liquidate"], { description: "What it does there" }),
    limit: figure("Above 0"),
    floor: figure("Of a drawdown, as far as the broker has told"),
    trails: nullable(choice(["endOfDay", "live"])),
    flatAt: nullable({ ...Instant, description: "Of flatBy: the next time" }),
    locked: Type.Boolean({ description: "The firm has locked it" }),
  },
  { title: "BrokerRule" },
);

const BrokerReply = Type.Object(
  {
    currency: Type.String({ examples: ["USD"] }),
    rules: Type.Array(BrokerRuleReply),
    refusesEntries: nullable(
      Type.String({ description: "Why the broker takes only exits now, or nothing" }),
    ),
    asOf: Instant,
    ageMs: Age,
  },
  { title: "BrokerGuards", description: "What the broker itself holds against the account" },
);

export const GuardsReply = Type.Object(
  {
    accountId: AccountIdText,
    version: Type.String({ description: 'Changes with every change; "" while none were set' }),
    settings: GuardSettingsReply,
    rules: Type.Array(
      Type.Object(
        {
          rule: GuardRuleReply,
          verdict: nullable(VerdictReply),
          upcoming: nullable(RestrictionReply),
        },
        { title: "GuardState" },
      ),
      {
        description:
          "Each as it is set, with the verdict by the last look (null while it was not judged) and when a schedule forbids something, now or the next time",
      },
    ),
    next: nullable(
      Type.Object(
        { settings: GuardSettingsReply, rules: GuardRules, from: Instant },
        {
          title: "NextGuards",
          description: "What was loosened of hard rules, and from when on it counts",
        },
      ),
    ),
    judgedAt: nullable({
      ...Instant,
      description:
        "When that look was; null while nobody has judged these settings: no entry passes",
    }),
    entriesRefused: nullable(Type.String({ description: "Why; null while they pass" })),
    lock: nullable(LockReply),
    blind: nullable(
      Type.Object(
        { since: Instant, reason: Words },
        {
          title: "Blindness",
          description:
            "Figures of an open position are missing, old or of another currency, or its broker is not connected",
        },
      ),
    ),
    balance: figure("What the account was worth as its trading day began; null where unknown"),
    tradingDay: Type.String({ format: "date" }),
    dayEndsAt: { ...Instant, description: "When the next one begins" },
    broker: nullable(BrokerReply),
    asOf: Instant,
  },
  { title: "Guards" },
);

export const GuardHistoryQuery = Type.Object(
  { limit: PageLimit, cursor: Type.Optional(Cursor) },
  CLOSED,
);

const DECISIONS = [
  "warned",
  "entriesOff",
  "locked",
  "unlocked",
  "flattened",
  "cancelled",
  "isFlat",
  "blind",
  "sees",
  "refused",
  "dayBegan",
  "changed",
  "wouldLock",
  "wouldRefuse",
  "wouldFlatten",
] as const;

export const GuardHistoryReply = Type.Object(
  {
    decisions: Type.Array(
      Type.Object(
        {
          at: Instant,
          what: choice(DECISIONS, { description: "would…: of a rule in the mode shadow" }),
          ruleId: nullable(Type.String()),
          reason: Words,
          by: nullable(Type.String({ description: "Who did it, where somebody did" })),
        },
        { title: "GuardDecision" },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: "GuardHistory" },
);
