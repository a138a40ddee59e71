import type { GuardDecision, Verdict } from "../../domain/guards/verdict.ts";
import type { AccountId } from "../../domain/ids.ts";

/** How the guards of this process' accounts stand, for whoever measures them. */
export interface GuardFigures {
  /** Accounts with guards that are judged here. */
  readonly guarded: number;
  /** Of their last looks. */
  readonly verdicts: Iterable<Verdict>;
}

/** Is told what guards do. None of it throws. */
export interface GuardObserver {
  /** Once for each decision, after it is stored. */
  readonly decided: (account: AccountId, decision: GuardDecision) => void;
  /** The account was judged once more, which took so long, ms. */
  readonly judged: (account: AccountId, ms: number) => void;
  /** The account is flat and empty again, so long after it was locked, ms. */
  readonly flattened: (account: AccountId, ms: number) => void;
  /** Where figures are read from now on, at each scrape. */
  readonly figuresFrom: (read: () => GuardFigures) => void;
}
