/** Something that runs for as long as somebody needs it, and never twice at once. */
export class OnDemand {
  readonly #run: (signal: AbortSignal) => Promise<void>;
  #stop: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();

  /** `run` ends soon after its signal, and never rejects. */
  constructor(run: (signal: AbortSignal) => Promise<void>) {
    this.#run = run;
  }

  get isRunning(): boolean {
    return this.#stop !== undefined;
  }

  /** Begins once what ran before has ended. */
  start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#running = this.#running.then(() => this.#run(stop.signal));
  }

  /** Ends it at once; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#stop = undefined;
    await this.#running;
  }
}
