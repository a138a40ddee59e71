import { formatScaled } from "../../domain/contracts/decimal.ts";
import type { GuardSettings } from "../../domain/guards/rule.ts";
import type { DecisionKind, GuardDecision, Verdict } from "../../domain/guards/verdict.ts";
import type { AccountId } from "../../domain/ids.ts";
import { formatMinor, minor } from "../../domain/money.ts";
import { declaredEvent, type FactsOf } from "../../domain/notify/event.ts";
import type { EventDraft } from "./outbox.ts";

type GuardEventType =
  | "guard.warned"
  | "guard.entries_off"
  | "guard.locked"
  | "guard.unlocked"
  | "guard.flattened"
  | "guard.would_act"
  | "guard.changed";

/** What is known besides of the account as it was decided. */
export interface DecidedOn {
  readonly settings: Pick<GuardSettings, "currency" | "rules">;
  /** Of the rule, or what a lock keeps of it. */
  readonly figures?: Partial<Pick<Verdict, "figure" | "limit" | "unit">>;
  /** When the lock ends by itself, or the figure starts anew, Unix ms. */
  readonly resetsAt?: number;
}

interface Told {
  readonly type: GuardEventType;
  /** What has happened, before its reason. */
  readonly words: string;
  readonly advice?: string;
  readonly would?: FactsOf<"guard.would_act">["would"];
}

const SEE_GUARDS = "See the account's guards on the page Accounts";
const WOULD = "In shadow mode, a guard would have";

/** Undefined is told by nobody, or elsewhere. */
const TOLD: Readonly<Record<DecisionKind, Told | undefined>> = {
  warned: { type: "guard.warned", words: "A limit is near" },
  entriesOff: {
    type: "guard.entries_off",
    words: "Entries are refused, exits pass",
    advice: SEE_GUARDS,
  },
  locked: {
    type: "guard.locked",
    words: "Locked",
    advice: "Exits pass. See the account's guards for what was breached, and for how a lock ends",
  },
  unlocked: { type: "guard.unlocked", words: "Unlocked" },
  isFlat: {
    type: "guard.flattened",
    words: "Closed by a guard: the account is flat, and nothing rests",
    advice: "Compare it with the broker's own screen",
  },
  changed: { type: "guard.changed", words: "The guards were changed" },
  wouldLock: { type: "guard.would_act", words: `${WOULD} locked the account`, would: "lock" },
  wouldRefuse: { type: "guard.would_act", words: `${WOULD} refused an entry`, would: "refuse" },
  wouldFlatten: { type: "guard.would_act", words: `${WOULD} closed the account`, would: "close" },
  // Its end is told: that all is closed, or, as a state, that it is not.
  flattened: undefined,
  cancelled: undefined,
  // States (`watch-states.ts`).
  blind: undefined,
  sees: undefined,
  // By the order that was refused (`event-of-intent.ts`).
  refused: undefined,
  dayBegan: undefined,
};

/**
 * What is told of a guard's decision; undefined where nothing is. It is to be noted in the step in which
 * the decision is stored, and only then: `store/notify/note-decision.ts`.
 */
export function eventOfDecision(
  accountId: AccountId,
  decision: GuardDecision,
  on: DecidedOn,
): EventDraft | undefined {
  const told = TOLD[decision.what];
  if (told === undefined) return undefined;
  const { type, words, advice, would } = told;
  const { reason, by } = decision;
  const who = by === undefined ? "" : ` by ${by}`;
  const why = reason === "" ? "" : `: ${reason}`;
  return {
    type,
    severity: declaredEvent(type).severity,
    accountId,
    message: `${accountId}: ${words}${who}${ending(decision.what, on)}${why}`,
    ...(advice !== undefined && { advice }),
    facts: { ...factsOf(decision, on), ...(would !== undefined && { would }) },
  };
}

function ending(what: DecisionKind, { resetsAt }: DecidedOn): string {
  if (what !== "locked") return "";
  return resetsAt === undefined ? " until a person ends it" : ` until ${iso(resetsAt)}`;
}

function factsOf(
  { ruleId, reason, by }: GuardDecision,
  { settings: { rules, currency }, figures, resetsAt }: DecidedOn,
): FactsOf<GuardEventType> {
  const rule = rules.find(({ id }) => id === ruleId);
  return {
    ...(ruleId !== undefined && { ruleId }),
    ...(rule !== undefined && { ruleKind: rule.kind }),
    reason,
    ...(figures !== undefined && figuresIn(figures, currency)),
    ...(resetsAt !== undefined && { resetsAt: iso(resetsAt) }),
    ...(by !== undefined && { by }),
  };
}

function figuresIn(
  { figure, limit, unit = "none" }: NonNullable<DecidedOn["figures"]>,
  currency: string,
) {
  // A schedule has none.
  if (unit === "none") return {};
  const text = (value: number) => exactly(value, unit, currency);
  return {
    ...(figure !== undefined && { figure: text(figure) }),
    ...(limit !== undefined && { limit: text(limit) }),
    unit,
    ...(unit === "money" && { currency }),
  };
}

function exactly(value: number, unit: Exclude<Verdict["unit"], "none">, currency: string): string {
  switch (unit) {
    case "money":
      return formatMinor(minor(value), currency);
    case "lots":
      return formatScaled({ units: BigInt(value), scale: 3 });
    case "count":
    case "percent":
      return String(value);
  }
}

const iso = (at: number): string => new Date(at).toISOString();
