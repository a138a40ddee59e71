/** The requests that can be refused so. `change`: of working orders. */
type Asked = "anything" | "order" | "change" | "alert";

/** A reason for which this gateway itself refuses, with all that follows from it. */
interface Denial {
  readonly of: readonly Asked[];
  /** Whether an exit may be left undone. The other denials are of entries, or find nothing open. */
  readonly leavesOpen: boolean;
  /** Whether a caller may repeat it under the same key: the `retry` of its error is `safe`. */
  readonly isSafeToRepeat?: true;
  /**
   * Whether an alert that comes again is tried anew; it has no key of its own by which its sender could ask
   * for something new. A denial that an exit can meet is, since an exit must not be taken for one that came
   * before. A denial that only entries meet stays.
   */
  readonly isAlertTriedAnew: boolean;
  /** Its own person keeps an account from trading, or the account or the store as it is now. */
  readonly isSwitch?: true;
}

/** Each reason, declared once. The words are error codes of the API. */
export const DENIALS = {
  ACCOUNT_INACTIVE: {
    of: ["anything"],
    leavesOpen: true,
    isSafeToRepeat: true,
    isAlertTriedAnew: true,
    isSwitch: true,
  },
  // The sender of an alert is answered 503, and sends it again.
  STORE_FULL: {
    of: ["order", "change"],
    leavesOpen: false,
    isSafeToRepeat: true,
    isAlertTriedAnew: true,
    isSwitch: true,
  },
  VALIDATION_FAILED: { of: ["anything"], leavesOpen: true, isAlertTriedAnew: true },
  UNAUTHORIZED: { of: ["anything"], leavesOpen: true, isAlertTriedAnew: false },
  // Only an exit that is not to wait meets it.
  MARKET_CLOSED: {
    of: ["alert"],
    leavesOpen: true,
    isSafeToRepeat: true,
    isAlertTriedAnew: true,
  },
  SYMBOL_MISMATCH: { of: ["order"], leavesOpen: true, isAlertTriedAnew: true },
  NOT_UNDERSTOOD: { of: ["order", "change"], leavesOpen: true, isAlertTriedAnew: false },
  CONTRACT_DISPUTED: { of: ["order", "change"], leavesOpen: true, isAlertTriedAnew: false },
  CANNOT_CANCEL: { of: ["order", "change"], leavesOpen: true, isAlertTriedAnew: false },
  LIMIT_EXCEEDED: { of: ["order", "change"], leavesOpen: false, isAlertTriedAnew: false },
  KILL_SWITCH_ON: {
    of: ["order", "change"],
    leavesOpen: false,
    isAlertTriedAnew: false,
    isSwitch: true,
  },
  LOCKED: { of: ["order", "change"], leavesOpen: false, isAlertTriedAnew: false, isSwitch: true },
  GUARD_REFUSED: {
    of: ["order", "change"],
    leavesOpen: false,
    isAlertTriedAnew: false,
    isSwitch: true,
  },
  RISK_TOO_SMALL: { of: ["order"], leavesOpen: false, isAlertTriedAnew: false },
  SIZE_UNKNOWN: { of: ["order"], leavesOpen: false, isAlertTriedAnew: false },
  // Nothing is held that it could close, or not as its sender said.
  NO_POSITION: { of: ["alert"], leavesOpen: false, isAlertTriedAnew: true },
  POSITION_MISMATCH: { of: ["alert"], leavesOpen: false, isAlertTriedAnew: true },
  POSITION_HELD: { of: ["alert"], leavesOpen: false, isAlertTriedAnew: false },
  SIDE_NOT_ALLOWED: { of: ["alert"], leavesOpen: false, isAlertTriedAnew: false },
  SENDER_UNCLEAR: { of: ["alert"], leavesOpen: false, isAlertTriedAnew: false },
  SYMBOL_NOT_ALLOWED: { of: ["alert"], leavesOpen: false, isAlertTriedAnew: false },
  ALERT_TOO_OLD: { of: ["alert"], leavesOpen: false, isAlertTriedAnew: false },
  /** Copies alone meet it. */
  EXITS_ONLY: { of: [], leavesOpen: false, isAlertTriedAnew: false },
} as const satisfies Readonly<Record<string, Denial>>;

export type DenialCode = keyof typeof DENIALS;

const ALL: Readonly<Record<DenialCode, Denial>> = DENIALS;

export const denialOf = (code: DenialCode): Denial => ALL[code];

/** The denials that requests of one kind can meet, beside those of anything. */
export const denialsOf = (asked: Asked): readonly DenialCode[] =>
  denialsWhere(({ of }) => of.includes(asked));

export const denialsWhere = (is: (denial: Denial) => boolean | undefined): readonly DenialCode[] =>
  (Object.keys(DENIALS) as DenialCode[]).filter((code) => is(denialOf(code)) === true);
