import { setImmediate } from "node:timers/promises";
import type { TakeTurn } from "../trading/strategies/ports.ts";

/** One computation in a round of the event loop, in the order of asking. */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();
  return function takeTurn(compute) {
    const mine = last.then(() => setImmediate()).then(compute);
    last = mine.catch(() => undefined);
    return mine;
  };
}
