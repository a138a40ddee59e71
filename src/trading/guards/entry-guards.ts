import type { OrderPrice } from "../../domain/declared/order-types.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Outcome } from "../../domain/intent.ts";
import type { Exposure } from "../../domain/exposure.ts";
import type { NewOrderSingle } from "../../domain/order.ts";
import type { Snapshot } from "../lane/read-snapshot.ts";

/** An order that opens or grows a position, as it would be sent. */
export type EntryOrder = Pick<
  NewOrderSingle,
  "contract" | "side" | "orderQty" | "ordType" | "timeInForce" | "bracket" | OrderPrice
>;

/** What of an order says whether it can be judged without a price. */
export type PricedOrder = Pick<NewOrderSingle, "contract" | "side" | "bracket" | OrderPrice>;

export type GuardRefusal = Extract<Outcome, { kind: "denied" }>;

/** What an account's guards say of its entries, by the owner's last look. */
export interface EntryGuard {
  /** The settings that this is judged by; "" for none. The write-ahead passes only with those that stand. */
  readonly version: string;
  /**
   * Why no entry may be sent though no rule refuses it: not all that was reported is judged yet. To be
   * asked right before the order would leave; what only plans need not wait.
   */
  readonly unready?: GuardRefusal;
  /** Why the order may not be sent, as far as it was judged. */
  readonly refuse: (
    order: EntryOrder,
    exposure: Exposure,
    snapshot: Snapshot,
  ) => GuardRefusal | undefined;
  /** The same without noting what rules would refuse that only tell. Absent where none does. */
  readonly refuseQuietly?: EntryGuard["refuse"];
  /** Why the order may not be sent while the price that a rule judges it by is not known. */
  readonly unpriced?: (order: PricedOrder) => GuardRefusal | undefined;
  /** Has the price told that the order is judged by, where nobody has. Absent where no rule needs one. */
  readonly learnPrice?: (order: PricedOrder) => Promise<void>;
  /** The same, where other accounts have to be asked. Absent where nothing needs it. */
  readonly claim?: (order: EntryOrder) => Promise<GuardRefusal | undefined>;
}

/** The guards of the accounts whose lanes are worked here. */
export interface EntryGuards {
  readonly of: (account: AccountId) => EntryGuard;
  /**
   * Judges the account by all that is known of it by now; undefined where that has been done. Throws
   * `StoreError`.
   */
  readonly upToDate: (account: AccountId) => Promise<void> | undefined;
  /** The write-ahead has found other guards than these, or a lock: they are read again. */
  readonly reread: (account: AccountId) => void;
}

/** Of an account without guards. One that has some is stopped by the write-ahead. */
export const NO_GUARD: EntryGuard = { version: "", refuse: () => undefined };
