import type { Severity } from "../../domain/severity.ts";
import type { AlarmKind } from "./alarm.ts";

/** What is said of a kind wherever it is shown. */
export interface Need {
  readonly severity: Severity;
  /** What to do. */
  readonly advice: string;
}

interface DeclaredAlarm extends Need {
  /** What has happened, in a fixed sentence: the log's message. */
  readonly message: string;
}

const CHECK_BROKER = "Check orders and positions at the broker before you send anything again";
const PROTECT = "Protect or close the position now";
const CHECK_OPEN = "Check what the account holds, and close at the broker what should not be open";
const COMPARE = "Compare the account's positions and orders with the broker's own screen";
const CHECK_STRATEGY = "See its log, and check that its position is what you want";
const CORRECT_STORE = "Correct this on the machine that runs it";
const RESTORE = "Correct what it names, or restore a backup. Exit at the broker if you have to";

/** Every kind of alarm, once. */
export const ALARMS: Readonly<Record<AlarmKind, DeclaredAlarm>> = {
  unprotected: {
    severity: "critical",
    message: "A position has no exit, although one was requested",
    advice: PROTECT,
  },
  outOfStep: {
    severity: "critical",
    message: "An account cannot be read from its broker",
    advice: "If this lasts, reconnect its connection",
  },
  loginRefused: {
    severity: "critical",
    message: "The broker refused the login",
    advice: "Correct its settings, then reconnect it",
  },
  connectionRefused: {
    severity: "critical",
    message: "The broker refused the connection",
    advice: "Contact the broker, then reconnect it",
  },
  noRoom: {
    severity: "critical",
    message: "No process has room for some connections: their alerts wait",
    advice: "Start another worker, or raise WORKER_MAX_CONNECTIONS",
  },
  moneyDiffers: {
    severity: "warning",
    message: "What an account has won differs between its broker and the gateway's ledger",
    advice: "Compare its trades and fees of the day with the broker's own screen",
  },
  exitPlanHeld: {
    severity: "critical",
    message: "An exit plan cannot go on: its exits stay as they are at the broker",
    advice:
      "Check where its stop and targets stand at the broker, and move them, or close the position, there if you have to",
  },
  guardBlind: {
    severity: "critical",
    message: "Guards cannot see what an account with an open position is worth: no entry passes",
    advice:
      "See why at its connection. If this lasts, watch its loss at the broker, and close it there if you have to",
  },
  guardNotFlat: {
    severity: "critical",
    message: "A guard closes an account, and it is not flat and empty yet",
    advice: "Close what is open, and cancel what rests, at the broker now",
  },
  accountLocked: {
    severity: "warning",
    message: "An account is locked: entries are refused, exits pass",
    advice: "See its guards for what was breached, and for when and by whom the lock can be ended",
  },
  guardsUnjudged: {
    severity: "warning",
    message: "An account's guards have not been judged for a while: no entry passes",
    advice:
      "Correct what the reason names. If none does, check that a process that trades is running",
  },
  calendarExpired: {
    severity: "warning",
    message: "The calendar of a guard has no events any more",
    advice: "Give the gateway a newer file of this calendar, or take the rule out",
  },
  clockApart: {
    severity: "warning",
    message: "The clock of a gateway process and that of its Redis are apart",
    advice: "Set the clocks of both machines by a time server",
  },
  storeRefused: {
    severity: "critical",
    message: "The store is refused: nothing is accepted or sent until it is as it was",
    advice: RESTORE,
  },
  storeUnsafe: {
    severity: "critical",
    message: "Redis may lose orders",
    advice: CORRECT_STORE,
  },
  diskNeedsRoom: {
    severity: "critical",
    message: "The disk needs room",
    advice: CORRECT_STORE,
  },
  memoryNeedsRoom: {
    severity: "critical",
    message: "The memory of Redis needs room",
    advice: "Raise its maxmemory, or lower RECORD_RETENTION_DAYS and ALERT_RETENTION_DAYS",
  },
  storeSlow: {
    severity: "critical",
    message: "Redis is slow",
    advice: "Find out what else uses the disk and the processor of the machine that runs it",
  },
  alarmsFull: {
    severity: "warning",
    message: "More alarms stand than are remembered: further ones are announced each time",
    advice: "Look at what they have in common: one cause, as a rule",
  },

  outcomeUnknown: {
    severity: "critical",
    message: "The broker did not answer an order, and it may be live",
    advice: CHECK_BROKER,
  },
  orderLost: {
    severity: "critical",
    message: "An order never reached the broker",
    advice: CHECK_BROKER,
  },
  orderNameless: {
    severity: "critical",
    message: "An order may be at the broker without its name: it is not sent again",
    advice:
      "Compare it with the broker's own screen. New entries of the account wait until the order that may be it is cancelled or filled. Send the order anew, with another alertId or key, only if it is not there",
  },
  exitExpired: {
    severity: "critical",
    message: "An exit expired unsent",
    advice: CHECK_OPEN,
  },
  exitNotSent: {
    severity: "critical",
    message: "An exit was not sent",
    advice: CHECK_OPEN,
  },
  exitRefused: {
    severity: "critical",
    message: "An exit was refused",
    advice: CHECK_OPEN,
  },
  exitIncomplete: {
    severity: "critical",
    message: "An exit left something open",
    advice: CHECK_OPEN,
  },
  exitUnfinished: {
    severity: "critical",
    message: "An exit is not done yet, and is tried again by itself",
    advice:
      "Look at what is still open. It goes on until that is closed: take it back where it is not wanted any more, or close by hand",
  },
  exitHeld: {
    severity: "warning",
    message: "An exit waits for its market to open",
    advice: "Take it back where it is not wanted any more",
  },
  protectionFailed: {
    severity: "critical",
    message: "A position lost its protection, and the new one was not confirmed",
    advice: PROTECT,
  },
  exitsMissing: {
    severity: "critical",
    message: "Exits that an order asked for are not there",
    advice: PROTECT,
  },
  strategyContradicted: {
    severity: "critical",
    message: "A strategy's message does not fit the account's position",
    advice: "Compare the account's position with the strategy's on its chart, and correct it",
  },
  exitsNotAsAsked: {
    severity: "critical",
    message: "The exits of an entry are not as they were asked for",
    advice: PROTECT,
  },
  legDropped: {
    severity: "critical",
    message: "An exit was cancelled while its entry goes on",
    advice: PROTECT,
  },
  legLost: {
    severity: "critical",
    message: "A leg was cancelled right after it, or the other one of its pair, was changed",
    advice: PROTECT,
  },
  legStuck: {
    severity: "critical",
    message: "Legs that could open a position could not be cancelled",
    advice: "Cancel them at the broker",
  },
  positionTurned: {
    severity: "critical",
    message: "An exit and what filled beside it turned a position around",
    advice: PROTECT,
  },
  feedFailed: {
    severity: "critical",
    message: "The broker's feed cannot be relied on; entries wait until it can",
    advice: "If this lasts, compare its positions and orders with the broker's own screen",
  },
  unexplained: {
    severity: "critical",
    message: "The broker shows what our records do not explain",
    advice: COMPARE,
  },
  fillCorrected: {
    severity: "critical",
    message: "The broker took a fill back, or corrected it",
    advice: "Check what the account holds and what protects it; followers of a leader keep theirs",
  },
  jobDropped: {
    severity: "warning",
    message: "A job on a lane could not be read and was dropped",
    advice: "Let nothing but gateways of one version write into this Redis",
  },
  followerStopped: {
    severity: "warning",
    message: "A follower was stopped: only exits are copied to it",
    advice: "See the reason on the page Copying, then resume",
  },
  followerDrifted: {
    severity: "warning",
    message: "A follower does not hold what it is to hold",
    advice: "Compare held with target on the page Copying, then sync, or trade by hand",
  },
  strategyMissed: {
    severity: "warning",
    message: "A strategy was not evaluated",
    advice: CHECK_STRATEGY,
  },
  strategyNotCarriedOut: {
    severity: "warning",
    message: "What a strategy decided was not carried out",
    advice: CHECK_STRATEGY,
  },
  startedUnsafe: {
    severity: "critical",
    message: "Running on a Redis that may lose orders",
    advice: CORRECT_STORE,
  },
  answerMissing: {
    severity: "critical",
    message: "Redis failed over, and a request that was accepted is missing",
    advice: CHECK_BROKER,
  },
  exitAlertRefused: {
    severity: "critical",
    message: "An alert that asked for a way out was refused",
    advice:
      "Check what the account holds, and close it in the console or at the broker. The page Alerts shows the message, and what is wrong with it",
  },
  exitTakenForRepeat: {
    severity: "critical",
    message: "A second fill of an exit may have been taken for a repeat",
    advice:
      "Compare the account's position with the strategy's on its chart, and correct it. Then copy the webhook's message into the alert anew: the id in it holds the position after the fill",
  },
  alertNotLogged: {
    severity: "warning",
    message: "An alert is missing in the alert log",
    advice: "Check at the broker what became of it",
  },
};

/**
 * What nobody raises, because only looking shows it: the overview finds it each time it is read, in
 * whichever process.
 */
export type FoundKind =
  | "exitsUncertain"
  | "connectionOpening"
  | "connectionLost"
  | "connectionUnowned"
  | "ownerSilent"
  | "unseen"
  | "notUnderstood"
  | "waiting"
  | "senderNotSaid"
  | "killSwitchOn";

const FOUND: Readonly<Record<FoundKind, Need>> = {
  exitsUncertain: {
    severity: "critical",
    advice: "Check the account, and protect or close what it holds",
  },
  connectionOpening: { severity: "critical", advice: "If this lasts, test its settings" },
  connectionLost: { severity: "critical", advice: "In a hurry, trade at the broker directly" },
  connectionUnowned: {
    severity: "critical",
    advice: "Check that a process that trades is running. In a hurry, trade at the broker directly",
  },
  ownerSilent: {
    severity: "critical",
    advice: "If this lasts, check that process. In a hurry, trade at the broker directly",
  },
  unseen: { severity: "warning", advice: "If this lasts, check the stop-loss at the broker" },
  notUnderstood: { severity: "warning", advice: "Check it at the broker" },
  waiting: {
    severity: "warning",
    advice: "Check that its connection is up and that no order is unanswered",
  },
  senderNotSaid: {
    severity: "warning",
    advice: "Set in its options whether a strategy or an indicator sends",
  },
  killSwitchOn: { severity: "info", advice: "Turn it off to trade again" },
};

const NEEDS: Readonly<Record<AlarmKind | FoundKind, Need>> = { ...ALARMS, ...FOUND };

/** What it is, how much it matters, and what to do about it. */
export function needOf(cause: AlarmKind | FoundKind): Need & { readonly cause: typeof cause } {
  const { severity, advice } = NEEDS[cause];
  return { cause, severity, advice };
}
