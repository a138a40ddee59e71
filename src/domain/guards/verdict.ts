import type { AtBreach, RuleKind } from "./rule.ts";

/**
 * How near an account is to a rule. `unknown`: its figure is missing or old, or may not be told. Entries
 * are refused at `entriesOff`, `breach` and `unknown`, except that a rule which only tells refuses none.
 */
export type Level = "ok" | "warn" | "entriesOff" | "breach" | "unknown";

/** What was found of one rule. Amounts are in the settings' currency, lots in thousandths. */
export interface Verdict {
  readonly ruleId: string;
  readonly kind: RuleKind;
  readonly isShadow: boolean;
  readonly level: Level;
  /** In what the figures are: amounts, lots, counts, percent, or nothing of a schedule. */
  readonly unit: "money" | "lots" | "count" | "percent" | "none";
  /** What is compared: of a loss the net result, of a drawdown what the account is worth. */
  readonly figure?: number;
  /** Of a drawdown its floor; of a loss negative. */
  readonly limit?: number;
  /** What is left until the limit, buffer not taken off; with the loss at resting stops where it is less. */
  readonly room?: number;
  /** Of the limit that is used up, 0 to 100 and above. */
  readonly usedPercent?: number;
  /** Whose figure, or limit, was the stricter one. */
  readonly source: "gateway" | "broker";
  /** When the oldest part of the figure was heard, Unix ms. */
  readonly asOf: number;
  /** When it starts anew, or the restriction is over, Unix ms; absent where it never does by itself. */
  readonly resetsAt?: number;
  /** In words, with the figures. */
  readonly reason: string;
}

/** Entries are refused until it ends; exits always pass. */
export interface GuardLock {
  /** Its own; what is sent for it is derived from it. */
  readonly id: string;
  /** The rule; absent for one that somebody asked for, and for one of an account that is blind. */
  readonly ruleId?: string;
  readonly at: number;
  /** Unix ms; absent: until a person ends it. */
  readonly until?: number;
  readonly lock: "soft" | "hard";
  readonly then: AtBreach;
  /** In words, with the figures. */
  readonly reason: string;
  readonly figures?: Pick<Verdict, "figure" | "limit" | "unit" | "source">;
  /** When everything was closed and cancelled, as it asks for; absent until that was seen. */
  readonly doneAt?: number;
}

/** Figures are missing or old while a position is open. */
export interface Blindness {
  readonly since: number;
  readonly reason: string;
}

/** Something that a guard decided, or would have. */
export interface GuardDecision {
  readonly at: number;
  readonly what:
    | "warned"
    | "entriesOff"
    | "locked"
    | "unlocked"
    | "flattened"
    | "cancelled"
    | "isFlat"
    | "blind"
    | "sees"
    | "refused"
    | "dayBegan"
    | "changed"
    | "wouldLock"
    | "wouldRefuse"
    | "wouldFlatten";
  readonly ruleId?: string;
  /** In words, with the figures. */
  readonly reason: string;
  /** Who did it, where it was a person or a key. */
  readonly by?: string;
}

export type DecisionKind = GuardDecision["what"];
