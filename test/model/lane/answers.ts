import type { Outcome } from "../../../src/domain/intent.ts";
import { type History, named } from "./history.ts";

const NOTHING_DONE: ReadonlySet<Outcome["kind"]> = new Set([
  "denied",
  "rejected",
  "notSent",
  "expired",
  "overtaken",
  "withdrawn",
  "lost",
]);

/** "Nothing was sent" is said only where nothing was carried out. */
export function whatSentNothingDidNothing({ asks }: History): string[] {
  return asks
    .filter(({ outcome, carried }) => outcome && NOTHING_DONE.has(outcome.kind) && carried > 0)
    .map((ask) => `${ask.carried} commands of ${named(ask)}`);
}
