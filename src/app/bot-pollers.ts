import type { BotId } from "../trading/answering/ports.ts";

interface Poller {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

export interface BotPollersDeps<Bot> {
  readonly pollerOf: (bot: Bot) => Poller;
  /** Each keeps one connection open. What is beyond them is not asked. */
  readonly most: number;
  readonly tooMany: () => void;
  readonly failed: (error: unknown) => void;
}

/** One poller for each bot that is to be asked, and never two for one. */
export class BotPollers<Bot extends { readonly id: BotId }> {
  readonly #deps: BotPollersDeps<Bot>;
  readonly #asked = new Map<BotId, Poller>();
  /** What they are doing is finished while others go on. */
  readonly #stopping = new Map<BotId, Promise<void>>();

  constructor(deps: BotPollersDeps<Bot>) {
    this.#deps = deps;
  }

  /** These bots, and no others. One whose last poller has not stopped yet is for the next time. */
  ask(bots: readonly Bot[]): void {
    const { pollerOf, most, tooMany } = this.#deps;
    const wanted = new Map(bots.map((bot) => [bot.id, bot]));
    for (const [id, poller] of this.#asked) if (!wanted.has(id)) this.#end(id, poller);
    for (const [id, bot] of wanted) {
      if (this.#asked.has(id) || this.#stopping.has(id)) continue;
      if (this.#asked.size >= most) return tooMany();
      const poller = pollerOf(bot);
      this.#asked.set(id, poller);
      poller.start();
    }
  }

  async stop(): Promise<void> {
    for (const [id, poller] of this.#asked) this.#end(id, poller);
    await Promise.all(this.#stopping.values());
  }

  #end(id: BotId, poller: Poller): void {
    this.#asked.delete(id);
    const stopped = poller
      .stop()
      .catch(this.#deps.failed)
      .finally(() => this.#stopping.delete(id));
    this.#stopping.set(id, stopped);
  }
}
