/** What Tradovate's own words on orders and commands mean for us. */

const ENDED: ReadonlySet<string> = new Set([
  "Filled",
  "Completed",
  "Canceled",
  "Expired",
  "Rejected",
]);
const OPEN: ReadonlySet<string> = new Set([
  "Unknown",
  "PendingNew",
  "Working",
  "Suspended",
  "PendingReplace",
  "PendingCancel",
]);
const REFUSED: ReadonlySet<string> = new Set(["RiskRejected", "ExecutionRejected"]);
const COMMAND_ENDED: ReadonlySet<string> = new Set([...REFUSED, "ExecutionStopped", "Replaced"]);

/** Nothing of the order can still come. */
export const hasEnded = (ordStatus: string): boolean => ENDED.has(ordStatus);

/** A word that is none of these may mean anything. */
export const isOrdStatus = (ordStatus: string): boolean =>
  ENDED.has(ordStatus) || OPEN.has(ordStatus);

/** The order was neither taken nor refused yet. */
export const isPending = (ordStatus: string): boolean =>
  ordStatus === "Unknown" || ordStatus === "PendingNew";

/** The command was not carried out, and will not be. */
export const isRefused = (commandStatus: string): boolean => REFUSED.has(commandStatus);

/** Nothing more becomes of the command. A word that is not known here says no such thing. */
export const hasCommandEnded = (commandStatus: string): boolean => COMMAND_ENDED.has(commandStatus);
