/**
 * Acts once the time is up, and after what came meanwhile is read: timers run before sockets, and a process
 * that was frozen has not listened. Cleared after its time, it may still act.
 */
export const afterReading = (act: () => void, ms: number): NodeJS.Timeout =>
  setTimeout(() => setImmediate(act), ms);

/** Those who wait for something that the broker is to say. */
export class Waits {
  readonly #looks = new Set<() => void>();
  readonly #signal: AbortSignal;

  /** Nobody waits any longer once the signal is aborted. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get isAny(): boolean {
    return this.#looks.size > 0;
  }

  /** The broker has said something. */
  wake(): void {
    for (const look of this.#looks) look();
  }

  /** Whether it becomes true in time. */
  until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
    if (isTrue()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const look = () => {
        const isDone = isTrue();
        if (!isDone && !this.#signal.aborted) return;
        end(isDone);
      };
      const timer = afterReading(() => end(isTrue()), withinMs);
      const end = (isDone: boolean) => {
        clearTimeout(timer);
        this.#looks.delete(look);
        resolve(isDone);
      };
      this.#looks.add(look);
    });
  }
}
