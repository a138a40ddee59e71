import {
  whatIsSentIsCurrent,
  nothingIsSentTwice,
  nothingOpensUnderALock,
} from "./checks/commands.ts";
import {
  anExitNeverTurns,
  anExitSparesWhatCameAfter,
  doneIsSeen,
  nothingIsCancelledInVain,
  nothingIsPutBackUnproven,
  stopsComeBack,
} from "./checks/exits.ts";
import { aCloseIsForItsOwn, aPlanIsOverWithItsLots } from "./checks/plans.ts";
import { exitsAreForWhatIsHeld, lotsAreThePosition, stopsStand } from "./checks/rest.ts";
import type { AccountRecord } from "./record.ts";

/** One fault: its time, and its description. */
export interface Finding {
  readonly at: number;
  readonly what: string;
}

export interface Broken extends Finding {
  readonly invariant: string;
}

/**
 * The invariants of an account, by their numbers in its design. Today's gateway cannot be asked for all of
 * them. The book (issue 42) brings 2, and 1 for the gateway's own lots; until then 1 checks the model's.
 * Demands (issue 43) bring 10, and the second half of 7. News numbers (issue 44) bring 13 by name; the
 * model counts news by itself. Decisions as steps (issue 45) bring 17.
 */
export const INVARIANTS = {
  "1 the model's lots are the exchange's position": lotsAreThePosition,
  "3 a plan's or timeout's close is for no more than is left of its lots": aCloseIsForItsOwn,
  "4 a plan is over when its lots are, and not before": aPlanIsOverWithItsLots,
  "5 an exit turns no position around": anExitNeverTurns,
  "6 nothing is cancelled for a close that is not taken": nothingIsCancelledInVain,
  "7 after a refused close its stops are back": stopsComeBack,
  "8 after an unknown close nothing is put back": nothingIsPutBackUnproven,
  "9 an outcome is what has happened": doneIsSeen,
  "11 an exit spares what was asked for after it": anExitSparesWhatCameAfter,
  "12 each name is sent once, and written ahead": nothingIsSentTwice,
  "13 what is sent was decided on what is": whatIsSentIsCurrent,
  "14 under a lock nothing opens or grows": nothingOpensUnderALock,
  "15 a stop that was asked for works, or an alarm was raised": stopsStand,
  "16 exits are for no more than is held": exitsAreForWhatIsHeld,
} as const satisfies Readonly<Record<string, (record: AccountRecord) => readonly Finding[]>>;

/** The first fault: later ones may be its consequences. */
export function firstBroken(record: AccountRecord): Broken | undefined {
  const broken = Object.entries(INVARIANTS).flatMap(([invariant, check]) =>
    check(record).map((finding): Broken => ({ invariant, ...finding })),
  );
  return broken.toSorted((one, other) => one.at - other.at)[0];
}
