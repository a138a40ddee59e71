import type { AccountId, ClOrdId, UserId } from "../../../domain/ids.ts";
import type { Intent, IntentRecord } from "../../../domain/intent.ts";
import type { OrderHandling } from "../../../domain/order-handling.ts";
import type { NewOrderSingle } from "../../../domain/order.ts";

export type TimeoutIntent = Extract<Intent, { kind: "TIMEOUT" }>;

/** An entry that may rest only so long. */
export interface OrderDeadline extends Pick<
  IntentRecord,
  "entrySide" | "exitsOnly" | "exitsOnlyCode"
> {
  readonly userId: UserId;
  /** By the store's clock, Unix ms. */
  readonly dueAt: number;
  readonly intent: TimeoutIntent;
}

/** Where they are kept, beside their accounts' intents. */
export interface OrderDeadlineStore {
  readonly of: (account: AccountId) => Promise<readonly OrderDeadline[]>;
  readonly forget: (account: AccountId, order: ClOrdId) => Promise<void>;
}

/** An order that is about to be sent, for which its sender has asked for a timeout. */
export interface TimedOrder {
  readonly record: IntentRecord;
  readonly order: NewOrderSingle;
  readonly handling: OrderHandling & Required<Pick<OrderHandling, "timeout">>;
  readonly onlyCloses: boolean;
}

/** What the lane tells of orders that may rest only so long. */
export interface KeepsDeadlines {
  /** Watches one from now on that the write-ahead of its order has stored. */
  readonly take: (account: AccountId, deadline: OrderDeadline) => void;
}
