import { mayOpen } from "./adjust.ts";
import type { Aim, AlertRequest } from "./alert.ts";
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
  LOCKED: false,
  GUARD_REFUSED: false,
  RISK_TOO_SMALL: false,
  SIZE_UNKNOWN: false,
  UNAUTHORIZED: false,
};

/**
 * Whether something was sent of what ended so, or may have been. A person who asks for it again wants
 * it once: it is asked for anew, whatever it was refused for, and never where this is true.
 */
export const MAY_HAVE_SENT: Readonly<Record<Outcome["kind"], boolean>> = {
  done: true,
  rejected: true,
  unprotected: true,
  unknown: true,
  denied: false,
  notSent: false,
  expired: false,
  overtaken: false,
  withdrawn: false,
  lost: false,
};

/**
 * Until when an alert stands for one with the same body, within its window:
 * `otherBody`: until its webhook has accepted another body;
 * `otherIntent`: at most until anything else was accepted for its account;
 * `ended`: at most until it has ended itself.
 */
export type StandsUntil = "otherBody" | "otherIntent" | "ended";

/**
 * What brings a position to a state, or takes a part out of it, means something else once anything
 * else was asked of the account. What takes all out, or cancels entries, does no harm when it is done
 * again, and is never answered from memory; while its outcome is not known yet, it counts as the same.
 * An order would be doubled by each of these, and its sender alone knows whether it is another one.
 */
export function standsUntil(request: AlertRequest): StandsUntil {
  switch (request.kind) {
    case "order":
      return "otherBody";
    case "flatten":
    case "exit":
    case "cancel":
      return "ended";
    case "protect":
      return "otherIntent";
    case "adjust":
      return adjustmentStandsUntil(request.aim);
  }
}

function adjustmentStandsUntil(aim: Aim): StandsUntil {
  switch (aim.to) {
    case "position":
      return mayOpen(aim) ? "otherIntent" : "ended";
    case "close":
      return "percent" in aim && aim.percent === 100 ? "ended" : "otherIntent";
    case "enter":
      return aim.whenHeld === "add" ? "otherBody" : "otherIntent";
    case "order":
    case "add":
    case "reverse":
      return "otherBody";
  }
}
