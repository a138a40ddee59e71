import { mayOpen } from "./adjust.ts";
import type { Aim, AlertRequest } from "./alert.ts";
import { closedSoFar, type IntentSource, type Outcome } from "./intent.ts";

/**
 * Whether a request that ended so is tried anew when it is repeated. Where it is not, its first
 * ending is remembered and answers the repeat. Only what certainly sent nothing, and whose sender
 * may take for undone, is tried anew.
 */
export const TRIED_ANEW: Readonly<Record<Outcome["kind"], boolean>> = {
  notSent: true,
  expired: true,
  withdrawn: true,
  // After it was looked up again.
  lost: true,
  // Its time was over when the account was closed: carried out now, it would open that again.
  overtaken: false,
  // Some are: `DENIALS` says which.
  denied: false,
  done: false,
  rejected: false,
  unprotected: false,
  unknown: false,
  // These go on by themselves.
  unfinished: false,
  held: false,
};

/** The same of one ending: an exit that was given up after it had closed a part is not begun anew. */
export const isTriedAnew = (outcome: Outcome): boolean =>
  TRIED_ANEW[outcome.kind] && closedSoFar(outcome).length === 0;

/**
 * Whether something was sent of what ended so, or may have been. A person who asks for it again wants
 * it once: it is asked for anew, whatever it was refused for, and never where this is true.
 */
export const MAY_HAVE_SENT: Readonly<Record<Outcome["kind"], boolean>> = {
  done: true,
  rejected: true,
  unprotected: true,
  unknown: true,
  unfinished: true,
  held: true,
  denied: false,
  notSent: false,
  expired: false,
  overtaken: false,
  withdrawn: false,
  lost: false,
};

/**
 * Whether people asked for what comes from there, by hand or by an alert of theirs: only that gives a
 * later equal body another meaning. A step that the gateway derives (of a plan, a timeout, a copy, a guard, a
 * strategy) comes at any moment between an alert and its resend, mostly because of that very alert.
 */
export const ASKED_FOR: Readonly<Record<IntentSource["kind"], boolean>> = {
  api: true,
  webhook: true,
  operator: true,
  copy: false,
  strategy: false,
  guard: false,
  timeout: false,
  plan: false,
};

/**
 * Until when an equal body counts as the same alert, within its window:
 * `otherBody`: until its webhook has accepted another body;
 * `otherIntent`: at most until people asked anything else of its account (`ASKED_FOR`);
 * `ended`: at most until it has ended itself.
 */
export type StandsUntil = "otherBody" | "otherIntent" | "ended";

/**
 * A request that brings a position to a state, or takes a part out of it, means something else once
 * people asked anything else of the account. What takes all out, or cancels entries, does no harm when it is done
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
