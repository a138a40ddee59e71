import type { IntentRecord } from "../../domain/intent.ts";
import type { AccountLimits } from "../../domain/limits.ts";
import type { Acceptance, NewIntent } from "../orders/ports.ts";
import type { StoreError } from "../store-error.ts";
import type { SendRequest } from "./send-permit.ts";

/** An intent that is being run before it is accepted. */
export interface Ahead {
  /** Until then nothing of it is stored, and no command may reach the broker. */
  readonly isAccepted: boolean;
  /** Throws once the run counts for nothing. */
  readonly requireGoingOn: () => void;
  /** As it was foreseen, and once it is accepted as it was stored. */
  readonly record: IntentRecord;
  /** Its first write-ahead, which accepts it in the same step. Throws where nothing is to be sent. */
  readonly begin: (request: SendRequest) => Promise<void>;
}

/**
 * `begun`: accepted, and its job is the lane's active one. `onLane`: accepted, but something was not as
 * foreseen: its job waits on the lane. `unsure`: the answer was lost, so this run sends nothing. Then it is
 * accepted, unless there is an error that says that it may not be; and once it is taken back, it is not
 * begun and never will be by this request, though its job may be the active one.
 */
export type Begun =
  | { readonly kind: "begun"; readonly acceptedAt: number }
  | { readonly kind: "onLane"; readonly limits: Partial<AccountLimits> }
  | { readonly kind: "unsure"; readonly lost?: StoreError; readonly takenBack: Promise<void> }
  | Exclude<Acceptance, { readonly kind: "accepted" }>;

/**
 * Accepts an intent and begins to send its first order in one step, if all is as it was foreseen: the
 * lane rests, nothing is unknown or parked, and the account has these limits. Sends its command in the
 * call itself.
 */
export type AcceptAndBegin = (
  intent: NewIntent,
  request: SendRequest,
  limits: Partial<AccountLimits>,
) => Promise<Begun>;
