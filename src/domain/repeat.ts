import type { DenialCode, Outcome } from "./intent.ts";

/**
 * Whether a request that ended so is tried anew when it is repeated. Where it is not, its first
 * ending is remembered and answers the repeat. Only what certainly sent nothing, and whose sender
 * may take for undone, is tried anew.
 */
export const TRIED_ANEW: Readonly<Record<Outcome["kind"], boolean>> = {
  notSent: true,
  expired: true,
  withdrawn: true,
  lost: true,
  // Its time was over when the account was closed: carried out now, it would open that again.
  overtaken: false,
  // Of alerts some are; see below.
  denied: false,
  done: false,
  rejected: false,
  unprotected: false,
  unknown: false,
};

/**
 * The same for an alert that was denied, which has no key of its own by which its sender could ask
 * for something new. What an exit may be denied for is tried anew, since an exit must not be taken
 * for one that came before; what only an entry is denied for stays denied.
 */
export const DENIED_ALERT_TRIED_ANEW: Readonly<Record<DenialCode, boolean>> = {
  ACCOUNT_INACTIVE: true,
  SYMBOL_MISMATCH: true,
  NO_POSITION: true,
  POSITION_MISMATCH: true,
  VALIDATION_FAILED: true,
  POSITION_HELD: false,
  SIDE_NOT_ALLOWED: false,
  SYMBOL_NOT_ALLOWED: false,
  EXITS_ONLY: false,
  LIMIT_EXCEEDED: false,
  NOT_UNDERSTOOD: false,
  CONTRACT_DISPUTED: false,
  KILL_SWITCH_ON: false,
  UNAUTHORIZED: false,
};
