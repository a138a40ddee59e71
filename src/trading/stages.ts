import type { IntentId } from "../domain/ids.ts";

/**
 * The moments of one request that is traced, each named as it is reached. Absent where nothing is
 * traced, so that whoever names one only asks whether it is there.
 */
export interface Stages {
  /** Its sender is known. `now` is Redis' clock in this moment; what was named before is forgotten. */
  readonly admitted: (now: number) => void;
  /** The id of its first intent, should one follow from it. */
  readonly named: (intent: IntentId) => void;
  /** What it asks for is understood: from here on the intent is being accepted. */
  readonly understood: (intent: IntentId) => void;
  /** It is accepted, or stands for an earlier one. */
  readonly accepted: (intent: IntentId) => void;
  /** Its outcome is known, or is waited for no longer. `now` is when it was settled, by Redis' clock. */
  readonly settled: (intent: IntentId, now: number | undefined) => void;
}
