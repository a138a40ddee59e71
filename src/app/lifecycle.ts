/** What was started, to be stopped again. */
export interface Stoppable {
  readonly name: string;
  /** It is left behind after so many ms. */
  readonly stop: (withinMs: number) => Promise<void>;
}

/** What the end came to: everything that did not end in time or failed to. */
export interface StopReport {
  readonly unfinished: readonly string[];
  readonly failures: readonly { readonly name: string; readonly error: unknown }[];
}

/**
 * Remembers what was started, in order, and stops it in reverse. One deadline holds for the whole:
 * what hangs is named and left behind, and one failure does not keep the others from ending.
 */
export class Lifecycle {
  readonly #started: Stoppable[] = [];
  #stopping: Promise<StopReport> | undefined;

  started(name: string, stop: (withinMs: number) => Promise<void> | void): void {
    this.#started.push({ name, stop: async (withinMs) => await stop(withinMs) });
  }

  /** Stopping twice is stopping once: the second call waits for the first. */
  stop(deadlineMs: number): Promise<StopReport> {
    this.#stopping ??= this.#stop(performance.now() + deadlineMs);
    return this.#stopping;
  }

  async #stop(deadline: number): Promise<StopReport> {
    const unfinished: string[] = [];
    const failures: { name: string; error: unknown }[] = [];
    for (const { name, stop } of this.#started.toReversed()) {
      try {
        const leftMs = Math.max(100, deadline - performance.now());
        const ended = await within(stop(leftMs), leftMs);
        if (!ended) unfinished.push(name);
      } catch (error) {
        failures.push({ name, error });
      }
    }
    return { unfinished, failures };
  }
}

async function within(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
