import type { Aim } from "../../src/domain/alert.ts";
import type { IntentKind, IntentSource, IntentState } from "../../src/domain/intent.ts";
import type { CopyOutcome } from "../../src/trading/copying/copy-outcome.ts";
import type { EvaluationOutcome } from "../../src/http/present/evaluation.ts";
import type { CopyCause } from "../../src/trading/copying/ports.ts";
import type { Verdict } from "../../src/trading/strategies/ports.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { Guarding } from "./guarding.ts";
import type { TradingStrategy } from "./evaluating.ts";
import type { DoneFault } from "./faults-done.ts";
import type { FollowedLeader } from "./following.ts";
import type { Call } from "./ledger.ts";

/** One intent as the gateway stored it. */
export interface StoredIntent {
  readonly intentId: string;
  readonly account: string;
  readonly requestId: string;
  readonly via: IntentSource["kind"];
  readonly kind: IntentKind;
  /** Unix ms by Redis' clock. */
  readonly acceptedAt: number;
  readonly state: IntentState;
  /** Of its first order the write-ahead, Unix ms by Redis' clock; absent where there was none. */
  readonly sentAt?: number;
  /** Its number in the order of acceptance, within its account. */
  readonly seq: number;
  /** It had to wait behind an unknown outcome. */
  readonly wasHeld: boolean;
  readonly clOrdIds: readonly string[];
  readonly reason: string;
  /** Of an order that is done and was to have exits: what was told of them. */
  readonly exits?: "standing" | "unconfirmed";
  /** Of an adjustment. */
  readonly aim?: Aim;
  /** What of an adjustment that is done was not carried out; absent when it is not done. */
  readonly problems?: readonly string[];
}

/** Contracts held by symbol, as the API writes it: positive long, negative short. */
export type Holdings = Readonly<Record<string, number>>;

export interface AccountEnd {
  /** What the broker says is held. */
  readonly broker: Holdings;
  /** What the gateway says is held. */
  readonly gateway: Holdings;
}

/** One line of the gateway's copy log. */
export interface ToldCopy {
  /** Also its intent's, where there is one. */
  readonly copyId: string;
  readonly follower: string;
  readonly cause: CopyCause;
  readonly outcome: CopyOutcome;
  readonly reason: string;
  readonly targetQty: number | undefined;
  /** When the leader's fill was, Unix ms by its broker's clock; absent where there was none. */
  readonly leaderAt?: number;
  /** From the leader's fill until the follower's order was sent. */
  readonly sentMs: number | undefined;
}

/** What a run copied. */
export interface Copying {
  readonly groups: readonly FollowedLeader[];
  readonly copies: readonly ToldCopy[];
  /** Names of all the fills of each leader that the gateway knows. */
  readonly fills: Readonly<Record<string, readonly string[]>>;
  /** Followers that a guard has stopped, each with why. */
  readonly stopped: Readonly<Record<string, string>>;
}

/** One line of a strategy's log. Instants are Unix ms. */
export interface ToldSlot {
  /** Also its intent's, where there is one. */
  readonly evaluationId: string;
  readonly strategyId: string;
  readonly account: string;
  readonly slotAt: number;
  readonly startedAt: number;
  readonly verdict: Verdict;
  readonly outcome: EvaluationOutcome;
  readonly reason: string;
  readonly intentId?: string;
  /** Of slots that were missed together: the oldest, and how many there were. */
  readonly missedFromAt?: number;
  readonly missedSlots?: number;
}

/** What strategies did in a run. */
export interface Evaluating {
  readonly strategies: readonly TradingStrategy[];
  readonly slots: readonly ToldSlot[];
  /** Until then every slot has to be told; Unix ms. */
  readonly untilAt: number;
  /** Evaluations that never ended. */
  readonly left: number;
  readonly faults: readonly DoneFault[];
}

/** A run from three sides: what callers were told, what the gateway stored, what the broker saw. */
export interface History {
  readonly calls: readonly Call[];
  readonly intents: readonly StoredIntent[];
  readonly log: readonly LogEntry[];
  /** By account, once everything was quiet. */
  readonly ends: Readonly<Record<string, AccountEnd>>;
  /** The broker knows no closes: they are orders over all that is held. */
  readonly closesByOrder: boolean;
  /** Jobs that were left on lanes. */
  readonly jobsLeft: number;
  readonly copying: Copying;
  readonly evaluating: Evaluating;
  readonly guarding: Guarding;
}
