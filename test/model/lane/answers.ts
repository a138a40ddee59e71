import { type Intent, type Outcome, soFarOf } from "../../../src/domain/intent.ts";
import { type Ask, type History, named } from "./history.ts";

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
export const whatSentNothingDidNothing = (history: History): string[] =>
  deniedDeeds(history, ({ intent }) => !cancelsFirst(intent));

/** So it is where resting orders were to be cancelled first. */
export const whatCancelsFirstSaysSo = (history: History): string[] =>
  deniedDeeds(history, ({ intent }) => cancelsFirst(intent));

const cancelsFirst = (intent: Intent): boolean =>
  intent.kind === "ADJUST" && intent.cancelFirst === true;

const deniedDeeds = ({ asks }: History, isMeant: (ask: Ask) => boolean): string[] =>
  asks
    .filter(isMeant)
    .filter(({ outcome, carried }) => outcome && NOTHING_DONE.has(outcome.kind) && carried > 0)
    // One that went on says what it did.
    .filter(({ outcome }) => soFarOf(outcome) === undefined)
    .map((ask) => `${ask.carried} commands of ${named(ask)}`);
