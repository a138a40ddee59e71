import type { Minor } from "../money.ts";
import type { GuardLock, Level } from "./verdict.ts";

/** What is remembered of one rule from one look to the next. */
export interface RuleState {
  /** Of a drawdown: the most it was worth, or the best balance that a day ended with. */
  readonly peak?: Minor;
  /** Of `consistency`: what the days that have ended have won in all, and the best of them. */
  readonly total?: Minor;
  readonly best?: Minor;
  /** The gravest level that was told on this trading day. */
  readonly told?: Level;
  /** Set by a person who ended its lock early: it stops nothing until then, Unix ms. */
  readonly waivedUntil?: number;
}

/** What must outlive a crash for the guards of an account to be judged rightly. Plain data. */
export interface GuardState {
  /** The trading day (ISO) that was judged last. */
  readonly tradingDay: string;
  /** What the account was worth as that day began, by what was closed; absent where nobody told it. */
  readonly balance?: Minor;
  readonly rules: Readonly<Record<string, RuleState>>;
  /** Locks that stand beneath the one that is shown; none of them ends because that one does. */
  readonly beneath?: readonly GuardLock[];
  /** When it was last judged, Unix ms; not renewed at every look. */
  readonly judgedAt: number;
}
