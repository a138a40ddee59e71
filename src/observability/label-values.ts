import type { DecisionKind } from "../domain/guards/verdict.ts";
import { type IntentKind, type Outcome, OUTCOME_KINDS } from "../domain/intent.ts";
import type { AuthFailure, LimitedCredential } from "../http/observer.ts";
import type { SignInResult } from "../trading/people/ports.ts";
import type { FollowerState } from "../trading/copying/follower-states.ts";
import type { Difference } from "../trading/lane/reconcile/reconcile-account.ts";

/** What became of a copy: its intent's outcome, or nothing was sent for it. */
export type CopyOutcome = Outcome["kind"] | "skipped";

/** What was done to a leg that protected more than was held. */
export type LegAction = "cancel" | "resize";

/** What failed with Redis: a connection to it, a caller's request, the work of a lane, or copying. */
export type StoreFailure = "connection" | "request" | "lane" | "copy";

/** All names of a closed set; one that is forgotten does not compile. */
const all = <Name extends string>(names: Readonly<Record<Name, 0>>): readonly Name[] =>
  Object.keys(names) as Name[];

export const INTENT_KINDS = all<IntentKind>({
  PLACE: 0,
  CANCEL: 0,
  MODIFY: 0,
  PROTECT: 0,
  FLATTEN: 0,
  CANCEL_ENTRIES: 0,
  ADJUST: 0,
  TIMEOUT: 0,
});

export const AUTH_FAILURES = all<AuthFailure>({
  keyMissing: 0,
  keyUnknown: 0,
  scopeMissing: 0,
  sessionUnknown: 0,
  crossSite: 0,
  tokenUnknown: 0,
  senderNotAllowed: 0,
});

export const LIMITED_CREDENTIALS = all<LimitedCredential>({ key: 0, webhook: 0, session: 0 });

export const SIGN_INS = all<SignInResult>({ signedIn: 0, refused: 0, throttled: 0 });

export const DIFFERENCES = all<Difference["kind"] | "feed" | "turned" | "correctedFill">({
  feed: 0,
  turned: 0,
  correctedFill: 0,
  position: 0,
  lateOrder: 0,
  orderWithoutIntent: 0,
});

export const LEG_ACTIONS = all<LegAction>({ cancel: 0, resize: 0 });

export const STORE_FAILURES = all<StoreFailure>({
  connection: 0,
  request: 0,
  lane: 0,
  copy: 0,
});

export const COPY_OUTCOMES = [
  ...OUTCOME_KINDS,
  "skipped",
] as const satisfies readonly CopyOutcome[];

export const FOLLOWER_STATES = all<FollowerState>({
  following: 0,
  joining: 0,
  drifted: 0,
  stopped: 0,
  offline: 0,
  off: 0,
});

export const GUARD_DECISIONS = all<DecisionKind>({
  warned: 0,
  entriesOff: 0,
  locked: 0,
  unlocked: 0,
  flattened: 0,
  cancelled: 0,
  isFlat: 0,
  blind: 0,
  sees: 0,
  refused: 0,
  dayBegan: 0,
  changed: 0,
  wouldLock: 0,
  wouldRefuse: 0,
  wouldFlatten: 0,
});
