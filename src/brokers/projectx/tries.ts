/** What may have to be tried more than once for a leg. */
export type Step = "move" | "cut" | "arm";

const RETRY_MS = 1_000;
/** What has failed so often is tried less often, and a person is told. */
const ATTEMPTS = 3;
const RARELY_MS = 5_000;

/** How often each step has failed in a row, and when it may be tried again. */
export class Tries {
  readonly #elapsed: () => number;
  readonly #failed = new Map<Step, { readonly times: number; readonly again: number }>();

  /** By a clock in ms that is never set. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  mayTry(step: Step): boolean {
    return this.#elapsed() >= (this.#failed.get(step)?.again ?? Number.NEGATIVE_INFINITY);
  }

  succeed(step: Step): void {
    this.#failed.delete(step);
  }

  /** Whether it has failed too often by now, and whether that is so for the first time. */
  fail(step: Step): { readonly isOver: boolean; readonly isFirst: boolean } {
    const times = (this.#failed.get(step)?.times ?? 0) + 1;
    const isOver = times >= ATTEMPTS;
    this.#failed.set(step, { times, again: this.#elapsed() + (isOver ? RARELY_MS : RETRY_MS) });
    return { isOver, isFirst: times === ATTEMPTS };
  }
}
