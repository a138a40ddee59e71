import { whatCancelsFirstSaysSo, whatSentNothingDidNothing } from "./answers.ts";
import {
  anExitEndsWhatStillFills,
  anExitIsNotRefused,
  anExitLeavesNothing,
  anExitNeverOpens,
  anExitOvertakesTheUnsent,
  anExitWaitsForTheUnknown,
  canceledEntriesDoNotFill,
  onlyAnExitThatClosesOvertakes,
} from "./exits.ts";
import type { History } from "./history.ts";
import {
  aPlainStopStaysWithItsPosition,
  noLegClosesMoreThanIsHeld,
  protectionStandsOrIsToldOf,
  whatOpensNothingBringsNoLegs,
} from "./protection.ts";
import {
  aKillSwitchLetsNothingOpen,
  aTargetCountsWhatRests,
  aTargetIsTheEnd,
  thePositionLimitHolds,
} from "./sizes.ts";

/** What holds at the end of every step, however often orders fill in part and answers are lost. */
export const PROMISES = {
  "an exit overtakes what was not sent before it": anExitOvertakesTheUnsent,
  "an exit ends what still fills": anExitEndsWhatStillFills,
  "an exit is done only once what was unknown is closed too": anExitWaitsForTheUnknown,
  "an exit that is done leaves nothing": anExitLeavesNothing,
  "an exit is refused only where nothing is to be closed": anExitIsNotRefused,
  "an exit never opens a position": anExitNeverOpens,
  "only an exit that closes overtakes": onlyAnExitThatClosesOvertakes,
  "an entry that was canceled does not fill": canceledEntriesDoNotFill,
  "a target leads to its number and never beyond": aTargetIsTheEnd,
  "a target counts what rests by itself": aTargetCountsWhatRests,
  "a position limit holds for whatever may fill": thePositionLimitHolds,
  "under a kill switch nothing opens or grows": aKillSwitchLetsNothingOpen,
  "protection that was asked for stands, or somebody is told": protectionStandsOrIsToldOf,
  "what opens nothing brings no legs": whatOpensNothingBringsNoLegs,
  "no leg closes more than is held": noLegClosesMoreThanIsHeld,
  "a plain stop stays with its position": aPlainStopStaysWithItsPosition,
  "what sent nothing did nothing": whatSentNothingDidNothing,
  "what cancels first says so": whatCancelsFirstSaysSo,
} as const satisfies Readonly<Record<string, (history: History) => readonly string[]>>;

export type LanePromise = keyof typeof PROMISES;

export interface Broken {
  readonly promise: string;
  readonly what: string;
}

export function brokenPromises(history: History, without: ReadonlySet<string>): readonly Broken[] {
  return Object.entries(PROMISES)
    .filter(([promise]) => !without.has(promise))
    .flatMap(([promise, check]) => check(history).map((what) => ({ promise, what })));
}
