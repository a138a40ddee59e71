import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { onTestFinished } from "vitest";

/**
 * Notes each wait by `node:timers/promises` until the test ends. A wait is over after a ms, or after the
 * time that `lasting` gives it.
 */
export function watchSleeps(lasting: (ms: number) => number = () => 1): number[] {
  const waits: number[] = [];
  const real = timers.setTimeout;
  const watched = async (ms = 1, value?: unknown, options?: object) => {
    waits.push(ms);
    return await real(lasting(ms), value, options);
  };
  timers.setTimeout = watched as typeof real;
  syncBuiltinESMExports();
  onTestFinished(() => {
    timers.setTimeout = real;
    syncBuiltinESMExports();
  });
  return waits;
}
