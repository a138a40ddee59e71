import type { StepOf, Wait } from "./steps.ts";

type Planned = StepOf<"meanwhile">;

/** An event that is to happen while the gateway waits for something. */
export class Meanwhile {
  readonly #happens: (what: Planned) => Promise<void>;
  #planned: Planned | undefined;
  #left = 0;

  constructor(happens: (what: Planned) => Promise<void>) {
    this.#happens = happens;
  }

  plan(what: Planned): void {
    this.#planned = what;
    this.#left = what.nth;
  }

  calm(): void {
    this.#planned = undefined;
  }

  isPlannedAt(wait: Wait): boolean {
    return this.#planned?.wait === wait;
  }

  /** The gateway waits here. */
  async pass(wait: Wait): Promise<void> {
    const planned = this.#planned;
    if (planned?.wait !== wait) return;
    this.#left -= 1;
    if (this.#left > 0) return;
    this.#planned = undefined;
    await this.#happens(planned);
  }
}
