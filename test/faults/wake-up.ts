/** Node fires a timer at once when its time is longer than this. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waiting that looks again whenever something changed: a fault was removed, a connection closed. */
export interface WakeUp {
  readonly notify: () => void;
  /** Resolves when the moment has come (by `performance.now`); it is asked for again on each change. */
  readonly until: (dueAt: () => number) => Promise<void>;
}

export function createWakeUp(): WakeUp {
  const sleepers = new Set<() => void>();

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(Math.ceil(ms), LONGEST_TIMER_MS));
      sleepers.add(wake);
    });
  }

  return {
    notify: () => [...sleepers].forEach((wake) => wake()),
    async until(dueAt) {
      for (;;) {
        const left = dueAt() - performance.now();
        if (!(left > 0)) return;
        await sleep(left);
      }
    },
  };
}
