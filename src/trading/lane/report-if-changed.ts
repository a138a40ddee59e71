import type { IntentRecord } from "../../domain/intent.ts";
import type { LaneObserver } from "./run-intent.ts";

/** Reports the result of looking an unsettled intent up, where it differs from before. */
export function reportIfChanged(
  observer: Pick<LaneObserver, "intentSettled" | "intentStillOpen">,
  before: IntentRecord,
  after: IntentRecord,
): void {
  if (after.state !== before.state) observer.intentSettled(after);
  else if (asKept(after) !== asKept(before)) observer.intentStillOpen(after);
}

const asKept = ({ outcome }: IntentRecord): string => JSON.stringify(outcome ?? null);
