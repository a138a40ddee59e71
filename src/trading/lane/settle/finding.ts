import type { Outcome } from "../../../domain/intent.ts";

/** What a look-up shows: how it ended, or what it will have ended as if nothing changes in time. */
export type Finding =
  | { readonly kind: "settled"; readonly outcome: Outcome }
  /** `waiting` says what is not there: two look-ups that miss different things prove nothing. */
  | { readonly kind: "absent"; readonly afterwards: Outcome; readonly waiting: string };
