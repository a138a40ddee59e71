import type { IntentRecord } from "../../domain/intent.ts";
import type { LaneObserver } from "./run-intent.ts";

/** Tells what a look at an unsettled intent has come to, where that is another thing than before. */
export function reportIfChanged(
  observer: Pick<LaneObserver, "intentSettled" | "intentStillOpen">,
  before: IntentRecord,
  after: IntentRecord,
): void {
  if (after.state !== before.state) observer.intentSettled(after);
  else if (asKept(after) !== asKept(before)) observer.intentStillOpen(after);
}

const asKept = ({ outcome }: IntentRecord): string => JSON.stringify(outcome ?? null);
