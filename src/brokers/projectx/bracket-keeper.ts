import type { OrderId } from "../../domain/ids.ts";
import type { NewOrderSingle, OrderChange, OrderReport } from "../../domain/order.ts";
import type { CommandFailure, CommandOutcome } from "../../trading/ports.ts";
import type { EntryLegs, Placement } from "./order-body.ts";
import type { ProjectXOrder } from "./wire.ts";

/** Hears that a command has ended, and whether certainly nothing of it was carried out. */
export type OnCommandEnd = (isUndone: boolean) => void;

/** What the order desk leaves to whoever sees to it that entries have the exits they asked for. */
export interface BracketKeeper {
  /** The exits as they go with an entry, or why it is not sent. Never rejects. */
  readonly legsFor: (
    place: Placement,
    order: NewOrderSingle,
  ) => Promise<{ readonly kind: "legs"; readonly legs: EntryLegs } | CommandFailure>;
  /** An entry is about to leave, with what it is to have. Resolves when that is kept. Never rejects. */
  readonly wants: (place: Placement, order: NewOrderSingle) => Promise<void>;
  /** The broker has taken the entry. */
  readonly entered: (place: Placement, order: NewOrderSingle, orderId: string) => void;
  /** The broker's word is that there is no such entry. */
  readonly forget: (place: Placement, order: NewOrderSingle) => void;
  /** A cancel of ours is on its way. Answers what is to be told of how it ended. */
  readonly onCancel: (orderId: string) => OnCommandEnd;
  /** The same for a change. */
  readonly onChange: (orderId: string, change: OrderChange) => OnCommandEnd;
  /**
   * Changes the level of a leg that waits for its entry, from when it is live: until then it has none at
   * the broker. Undefined where it is not known here whose leg it is.
   */
  readonly changeWaiting: (leg: OrderReport, change: OrderChange) => CommandOutcome | undefined;
  /** What works already in the stead of a leg that waits: it is to be where that one is to be. */
  readonly inSteadOf: (leg: OrderId) => readonly ProjectXOrder[];
  /** An exit that the gateway has placed besides stands now, in place of what the entries lack of it. */
  readonly exitStands: (account: string, exit: NewOrderSingle) => void;
  /** Resolves when an entry that has filled has its exits where they were asked for, or soon after. */
  readonly settled: (entry: OrderId) => Promise<void>;
}
