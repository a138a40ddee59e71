import { SLOT_MAX_AGE_MS } from "../../src/trading/strategies/run-slot.ts";
import { SLOT_EVERY_MS } from "./evaluating.ts";
import type { DoneFault } from "./faults-done.ts";
import type { Evaluating, History, ToldSlot } from "./history.ts";
import { ofTold } from "./slots.ts";
import type { Fault } from "./schedule.ts";
import type { Finding, Violation } from "./verdict.ts";

/** Until what was struck has caught up, on a machine that has much else to do. */
const AFTERMATH_MS = 10_000;
/** Until its broker may be asked again: leases run out, somebody logs in. */
const NO_BARS_MS = 15_000;

/** What takes Redis away, or one of the processes that take slots. */
const TAKES_AWAY: ReadonlySet<Fault["kind"]> = new Set([
  "killRedis",
  "freezeRedis",
  "redisLink",
  "killWorker",
  "crashWorker",
  "crashAhead",
  "freezeWorker",
]);

/**
 * A slot is missed only where Redis or a process that works was down, frozen or cut off. Bars are not
 * read only where something failed. They are always there, and new; and nobody changes a strategy
 * before the end.
 */
export function noSlotInVain({ evaluating }: History): Finding {
  const violations = evaluating.slots.flatMap((slot): Violation[] => {
    const what = findVain(slot, evaluating);
    return what === undefined ? [] : [ofTold(slot, what)];
  });
  return { checked: evaluating.slots.length, violations };
}

function findVain(slot: ToldSlot, { faults, untilAt }: Evaluating): string | undefined {
  const { verdict, slotAt, missedFromAt = slotAt, reason } = slot;
  switch (verdict) {
    case "missed": {
      for (let at = missedFromAt; at <= slotAt; at += SLOT_EVERY_MS) {
        const near = faultsNear(at, faults, AFTERMATH_MS);
        if (near.some(({ fault }) => TAKES_AWAY.has(fault.kind))) continue;
        return `it is missed, though nothing was away: ${reason}`;
      }
      return undefined;
    }
    case "failed":
      return faultsNear(slotAt, faults, NO_BARS_MS).length > 0 ? undefined : `it failed: ${reason}`;
    case "skipped":
      return slotAt + 2 * SLOT_MAX_AGE_MS >= untilAt ? undefined : `it is skipped: ${reason}`;
    case "notReady":
    case "stale":
      return `it is ${verdict}: ${reason}`;
    case "enterLong":
    case "enterShort":
    case "exit":
    case "hold":
      return undefined;
  }
}

/** Those that may be felt while the slot may begin. */
function faultsNear(
  slotAt: number,
  faults: readonly DoneFault[],
  aftermathMs: number,
): readonly DoneFault[] {
  return faults.filter(
    ({ isHit, startedAt, endedAt }) =>
      isHit && startedAt <= slotAt + SLOT_MAX_AGE_MS && endedAt + aftermathMs >= slotAt,
  );
}
