import type { AlertPromise } from "./alerts.ts";
import type { LanePromise } from "./lane/promises.ts";

/** Promises that are not kept yet, each with the reason. They are looked for by `npm run model` all the same. */
export const NOT_KEPT_YET: Partial<Readonly<Record<LanePromise | AlertPromise, string>>> = {
  "an exit is done only once what was unknown is closed too":
    "A flatten, a target of 0 and a reduction end while an earlier order is unknown, which fills later",
  "an exit that is done leaves nothing":
    "The same, where the late order fills before anybody looks again",
  "an exit is refused only where nothing is to be closed":
    "An order with a bracket counts as one that opens, though it only closes",
  "an exit never opens a position": "A close whose answer was lost may fill beside a later one",
  "an entry that was canceled does not fill":
    "A cancel of entries ends while one is unknown that rests later",
  "a target leads to its number and never beyond":
    "Orders at a price that were placed before it, exits of the other side among them, fill beside it",
  "a position limit holds for whatever may fill":
    "A stop that has triggered and still fills counts as filled",
  "under a kill switch nothing opens or grows": "A plain exit stays when its position is gone",
  "protection that was asked for stands, or somebody is told":
    "A target that is reached places no stop, and a larger one protects what it adds",
  "what opens nothing brings no legs": "An order with a bracket that only closes places its legs",
  "no leg closes more than is held":
    "After a reversal legs are for what was held, or for all that was traded, until they are looked after",
  "a plain stop stays with its position":
    "One that has triggered and still fills is cancelled like an entry",
  "what sent nothing did nothing":
    "An adjustment that was interrupted after its cancels ends as lost",
  "an exit by alert is not refused for what concerns entries":
    "A quantity that is multiplied to less than one, and levels beside a close, are refused",
  "an exit by alert that is done leaves nothing, however often it came":
    "The same words again are answered from memory, whatever another webhook has opened since",
};
