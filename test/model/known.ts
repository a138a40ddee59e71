import type { AlertPromise } from "./alerts.ts";
import type { LanePromise } from "./lane/promises.ts";

/** Promises that are not kept yet, each with the reason. They are looked for by `npm run model` all the same. */
export const NOT_KEPT_YET: Partial<Readonly<Record<LanePromise | AlertPromise, string>>> = {
  "a target counts what rests by itself":
    "An order at a price that was placed before a target fills beside it, an exit of the other side too",
  "what cancels first says so":
    "An order that was interrupted after it had cancelled what rests ends as lost",
  "what sent nothing did nothing":
    "So does a target that was to make way for its earlier order at a price",
};
