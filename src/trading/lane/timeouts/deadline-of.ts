import type { OrderDeadline, TimedOrder } from "./ports.ts";

/** The deadline of an order as it is stored. */
export function deadlineOf({ record, order, handling, onlyCloses }: TimedOrder): OrderDeadline {
  const { userId, entrySide, exitsOnly, exitsOnlyCode, acceptedAt } = record;
  const { clOrdId, contract, side, bracket } = order;
  const { timeout, ...beside } = handling;
  return {
    userId,
    dueAt: acceptedAt + timeout.afterSeconds * 1_000,
    ...(entrySide !== undefined && { entrySide }),
    ...(exitsOnly !== undefined && { exitsOnly }),
    ...(exitsOnlyCode !== undefined && { exitsOnlyCode }),
    intent: {
      kind: "TIMEOUT",
      clOrdId,
      then: timeout.then,
      contract,
      side,
      ...(bracket !== undefined && { bracket }),
      ...(Object.keys(beside).length > 0 && { handling: beside }),
      ...(onlyCloses && { onlyCloses }),
    },
  };
}
