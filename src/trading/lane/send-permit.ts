import type { AccountId, ClOrdId, IntentId } from "../../domain/ids.ts";
import type { IntentOwner } from "../../domain/intent.ts";
import type { GuardLock } from "../../domain/guards/verdict.ts";
import type { Quote } from "../../domain/quote.ts";
import type { RunningPlan } from "../../domain/exits/running-plan.ts";
import type { OrderDeadline } from "./timeouts/ports.ts";
import type { ExitPlan, LegPlan } from "../../domain/carried-plan.ts";

/** The gateway's own work for an order, beside its intent. */
export interface KeptWith {
  /** Its `planId` is the intent. */
  readonly exitPlan?: RunningPlan;
  readonly deadline?: OrderDeadline;
}

/** What is asked before anything is sent (`IntentStore.beginSending`). */
export interface SendRequest {
  readonly account: AccountId;
  readonly intentId: IntentId;
  readonly clOrdId: ClOrdId;
  /** The owner's; the account's newest must be the same. */
  readonly epoch: number;
  /** From here on (the store's clock) it is too late to send. */
  readonly expiresAt: number;
  /** How many orders its intent may send at most. */
  readonly maxOrders: number;
  /** Nothing is begun once its key or token is revoked, or was deleted. */
  readonly owner: IntentOwner;
  /** Kept with the intent, when it is interrupted. */
  readonly plan?: LegPlan | undefined;
  readonly exitPlan?: ExitPlan | undefined;
  /** An exit that has begun before: its outcome may be unknown, and stays so. */
  readonly goesOn?: boolean;
  /**
   * Given for what adds risk: it is counted per minute, and held back by kill switches, by a lock, and
   * where other guards stand than those that it was judged by.
   */
  readonly entry?:
    | { readonly perAccount: number; readonly inAll: number; readonly guardVersion: string }
    | undefined;
  /** Stored in the same step: each fill of the order has its exits, in any later process. */
  readonly keeps?: KeptWith | undefined;
  /** What stands as the order is about to be sent; kept with the intent for the ledger. */
  readonly quote?: Quote | undefined;
}

/** Whatever is not granted leaves the intent as it was. */
export type SendPermit =
  | { readonly kind: "granted" }
  /** The account has a newer owner, or none. */
  | { readonly kind: "fenced" }
  | { readonly kind: "expired" }
  /** Its key or token was revoked or deleted since. */
  | { readonly kind: "revoked" }
  | { readonly kind: "killed"; readonly reason?: string }
  /** A guard has locked the account. */
  | { readonly kind: "locked"; readonly lock: GuardLock }
  | { readonly kind: "guardsChanged" }
  | { readonly kind: "limited"; readonly which: "account" | "all"; readonly limit: number }
  /** The intent is settled or withdrawn, or more orders would leave than it is for. */
  | { readonly kind: "refused"; readonly reason: string };
