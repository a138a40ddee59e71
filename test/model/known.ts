import type { AlertPromise } from "./alerts.ts";
import type { LanePromise } from "./lane/promises.ts";

/** Promises that are not kept yet, each with the reason. They are looked for by `npm run model` all the same. */
export const NOT_KEPT_YET: Partial<Readonly<Record<LanePromise | AlertPromise, string>>> = {};
