/** How a part of an adjustment ends that cannot be carried out. */

export const NOT_COVERED = "What is still being filled of it may have no such exits";
export const NOT_PLACED = "The order was not placed";
export const STILL_FILLING = {
  kind: "notSent",
  reason:
    "an order beside it is still being filled and is not cancelled; ask again once it has ended",
} as const;
export const INTERRUPTED = {
  kind: "lost",
  reason: "what came before it was interrupted, or had to wait",
} as const;
export const UNSURE = {
  kind: "notSent",
  reason: "the outcome of an earlier order is not known any more",
} as const;
