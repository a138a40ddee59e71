import type { AccountId } from "../../domain/ids.ts";
import type {
  CopyEntry,
  CopyMeasure,
  CopySkipped,
  LoggedCopy,
} from "../../trading/copying/ports.ts";
import { decodeIntent, type Fields } from "../intents/intent-record.ts";

/** How many copies to one account the log keeps; older ones make room for newer ones. */
export const MAX_COPIES_KEPT = 10_000;

/** The fields of a copy's hash, in the order `decodeCopy` reads them. */
export const COPY_FIELDS = ["entry", "skipped", "measure"] as const;

/**
 * Takes `COPY_FIELDS`, and `RECORD_FIELDS` of its intent. A copy that was thought to be skipped, and
 * has an intent all the same, is what became of that. Undefined for one that is not there.
 */
export function decodeCopy(
  follower: AccountId,
  [entry, skipped, measure]: Fields,
  intentFields: Fields,
): LoggedCopy | undefined {
  if (!entry) return undefined;
  const intent = decodeIntent(follower, intentFields);
  return {
    entry: JSON.parse(entry) as CopyEntry,
    ...(intent !== undefined && { intent }),
    ...(skipped && intent === undefined && { skipped: JSON.parse(skipped) as CopySkipped }),
    ...(measure && { measure: JSON.parse(measure) as CopyMeasure }),
  };
}
