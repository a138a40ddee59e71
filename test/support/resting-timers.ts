import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { vi } from "vitest";

type Handle = ReturnType<typeof setTimeout>;
type Run = (...words: unknown[]) => void;

/** Timers of this process that can be made to rest: what is due meanwhile happens afterwards. */
export interface RestingTimers {
  readonly rest: () => void;
  readonly wake: () => void;
  /** Puts the process' own timers back. */
  readonly restore: () => void;
}

/** Only timers that are set from now on can rest. */
export function restingTimers(): RestingTimers {
  const own = { setTimeout, setInterval, clearTimeout, sleep: timers.setTimeout };
  const due = new Map<Handle | Promise<unknown>, () => void>();
  let isResting = false;

  const later = (set: (run: () => void, ms?: number) => Handle) => {
    return (run: Run, ms?: number, ...words: unknown[]): Handle => {
      const handle = set(() => {
        if (isResting) due.set(handle, () => run(...words));
        else run(...words);
      }, ms);
      return handle;
    };
  };
  const clear = (handle?: Handle) => {
    if (handle !== undefined) due.delete(handle);
    own.clearTimeout(handle);
  };
  const sleep: typeof timers.setTimeout = async (ms, value, options) => {
    const slept = own.sleep(ms, value, options);
    const answer = await slept;
    if (isResting) await new Promise<void>((resolve) => due.set(slept, resolve));
    return answer;
  };

  vi.stubGlobal("setTimeout", later(own.setTimeout));
  vi.stubGlobal("setInterval", later(own.setInterval));
  vi.stubGlobal("clearTimeout", clear);
  vi.stubGlobal("clearInterval", clear);
  const replaceSleep = (by: typeof timers.setTimeout) => {
    timers.setTimeout = by;
    syncBuiltinESMExports();
  };
  replaceSleep(sleep);

  const wake = () => {
    isResting = false;
    const runs = [...due.values()];
    due.clear();
    for (const run of runs) run();
  };
  return {
    rest: () => void (isResting = true),
    wake,
    restore: () => {
      wake();
      vi.unstubAllGlobals();
      replaceSleep(own.sleep);
    },
  };
}
