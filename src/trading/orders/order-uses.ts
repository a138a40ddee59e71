import type { IntentRecord, Outcome } from "../../domain/intent.ts";
import type { Caller } from "../people/caller.ts";
import type { AccountId, IntentId, OrderId } from "../../domain/ids.ts";
import type { AskedExitPlan } from "../../domain/exits/exit-plan.ts";
import type { OrderTicket } from "../../domain/order-ticket.ts";
import type { ChangeTicket } from "../../domain/order-change.ts";
import type { LegTicket } from "../../domain/contracts/tick-reader.ts";

/** How an intent ended, and whether this is a replay of an earlier answer. */
export interface Settled {
  readonly record: IntentRecord & { readonly outcome: Outcome };
  readonly replayed: boolean;
}

/** An Idempotency-Key as its caller wrote it, with a hash of the body it came with. */
export interface CallersKey {
  readonly key: string;
  readonly fingerprint: string;
}

/** What callers may do with the orders and positions of their accounts. */
export interface OrderUses {
  readonly placeOrder: (
    caller: Caller,
    account: AccountId,
    ticket: OrderTicket,
    idempotency?: CallersKey,
  ) => Promise<Settled>;
  readonly cancelOrder: (caller: Caller, account: AccountId, order: OrderId) => Promise<Settled>;
  readonly modifyOrder: (
    caller: Caller,
    account: AccountId,
    order: OrderId,
    change: ChangeTicket,
  ) => Promise<Settled>;
  readonly protectPosition: (
    caller: Caller,
    account: AccountId,
    request: {
      readonly symbol?: string;
      readonly takeProfit?: LegTicket;
      readonly stopLoss?: LegTicket;
      readonly exitPlan?: AskedExitPlan;
    },
  ) => Promise<Settled>;
  /** Lets an exit that goes on send nothing more. Answers the intent as it is then. */
  readonly takeBackExit: (
    caller: Caller,
    account: AccountId,
    intent: IntentId,
  ) => Promise<IntentRecord>;
  readonly flattenAccount: (
    caller: Caller,
    account: AccountId,
    symbol?: string,
    idempotency?: CallersKey,
  ) => Promise<Settled>;
}
