import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { DoneFault } from "./faults-done.ts";

/** How long a connection stood still after its owner was killed. */
export interface TakeOver {
  readonly isReported: boolean;
  /** Until another process had logged in. */
  readonly toLoginMs: number;
  /** Until its first order was accepted; undefined when no order came any more. */
  readonly toOrderMs: number | undefined;
  /** Nothing else went wrong from the death to the order. */
  readonly isUndisturbed: boolean;
}

/** Measured by the broker's own log; its clock and the harness' are the same machine's. */
export function measureTakeOvers(
  faults: readonly DoneFault[],
  log: readonly LogEntry[],
): readonly TakeOver[] {
  return faults.flatMap((fault) => {
    const { death } = fault;
    if (death === undefined) return [];
    return death.connections.flatMap((connection) => {
      const later = log.filter((entry) => entry.connection === connection && entry.at >= death.at);
      const login = later.find(({ op, outcome }) => op === "login" && outcome === "accepted");
      if (login === undefined) return [];
      const order = later.find(
        ({ op, outcome, seq }) => seq > login.seq && op === "submitOrder" && outcome === "accepted",
      );
      const until = order?.at ?? login.at;
      return [
        {
          isReported: death.isReported,
          toLoginMs: login.at - death.at,
          toOrderMs: order && order.at - death.at,
          isUndisturbed: !faults.some((one) => one !== fault && overlaps(one, death.at, until)),
        },
      ];
    });
  });
}

/** A fault may have come long before and still be felt for some seconds. */
const AFTERMATH_MS = 2_000;

function overlaps({ startedAt, endedAt }: DoneFault, from: number, until: number): boolean {
  return startedAt <= until && endedAt + AFTERMATH_MS >= from;
}

/** The middle and the largest; undefined of nothing. */
export function spread(values: readonly number[]): { p50: number; max: number } | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const [p50, max] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  return p50 === undefined || max === undefined ? undefined : { p50, max };
}
