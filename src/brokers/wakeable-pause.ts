import { setTimeout as sleep } from "node:timers/promises";

/** A pause that others can end. A wake that comes while there is none ends the next one. */
export class WakeablePause {
  #isWoken = false;
  #end: () => void = () => undefined;

  wake(): void {
    this.#isWoken = true;
    this.#end();
  }

  async for(ms: number): Promise<void> {
    if (!this.#isWoken) {
      const woken = new AbortController();
      this.#end = () => woken.abort();
      await sleep(ms, undefined, { signal: woken.signal }).catch(() => undefined);
    }
    this.#isWoken = false;
  }
}
