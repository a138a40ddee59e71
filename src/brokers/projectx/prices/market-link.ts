import { setTimeout as sleep } from "node:timers/promises";
import { HubLink } from "../hub-link.ts";
import { OnDemand } from "../../on-demand.ts";

export interface MarketLinkDeps {
  readonly url: string;
  /** That of the session for orders: market data log nobody in. */
  readonly token: () => string | undefined;
  /** What the hub tells of a contract's quote, by its id. */
  readonly onQuote: (contractId: unknown, payload: unknown) => void;
  readonly onUp: () => void;
  readonly onDown: () => void;
  readonly onTrouble: (error: unknown) => void;
  /** A clock in ms that is never set. */
  readonly elapsed: () => number;
  readonly random: () => number;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
/** One that is closed sooner was let in, and is not wanted all the same: pauses grow as before. */
const STEADY_MS = 60_000;

/**
 * The link to the market hub, for as long as somebody needs it: it connects again by itself, ever more
 * slowly. It shares nothing with the session for orders but the token, and does nothing to that.
 */
export class MarketLink {
  readonly #deps: MarketLinkDeps;
  readonly #life = new OnDemand((signal) => this.#run(signal));
  #hub: HubLink | undefined;
  #trouble: string | undefined;
  #failures = 0;

  constructor(deps: MarketLinkDeps) {
    this.#deps = deps;
  }

  get isRunning(): boolean {
    return this.#life.isRunning;
  }

  get isUp(): boolean {
    return this.#hub !== undefined;
  }

  /** Why it is not up, in words; undefined while it is, or nobody needs it. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  start(): void {
    this.#life.start();
  }

  /** Resolves when the link is gone. */
  async stop(): Promise<void> {
    const ended = this.#life.stop();
    this.#hub?.end(new Error("Nobody needs it"));
    await ended;
    if (!this.isRunning) this.#trouble = undefined;
  }

  /** Throws where the hub does not do so. */
  async call(method: string, contractId: string): Promise<void> {
    const hub = this.#hub;
    if (hub === undefined) throw new Error("The link for market data is not up");
    await hub.call(method, contractId);
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#deps.token() === undefined) {
        await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
        continue;
      }
      try {
        await this.#live(signal);
      } catch (error) {
        if (!signal.aborted) await this.#fail(error, signal);
      }
    }
  }

  /** One connection from its beginning to its end, which is an error. */
  async #live(signal: AbortSignal): Promise<void> {
    const { url, token, onQuote, onUp, onDown, onTrouble, elapsed } = this.#deps;
    const hub = new HubLink({
      url,
      token,
      events: { GatewayQuote: (id, payload) => onQuote(id, payload) },
      onHeard: () => undefined,
      onTrouble,
    });
    const end = () => hub.end(new Error("Nobody needs it"));
    signal.addEventListener("abort", end, { once: true });
    let upAt: number | undefined;
    try {
      await Promise.race([hub.open(), hub.broken]);
      this.#hub = hub;
      this.#trouble = undefined;
      upAt = elapsed();
      onUp();
      await hub.broken;
    } finally {
      signal.removeEventListener("abort", end);
      this.#hub = undefined;
      if (upAt !== undefined) onDown();
      if (upAt !== undefined && elapsed() - upAt > STEADY_MS) this.#failures = 0;
      await hub.close();
    }
  }

  async #fail(error: unknown, signal: AbortSignal): Promise<void> {
    const { onTrouble, random } = this.#deps;
    const words = error instanceof Error ? error.message : String(error);
    this.#trouble = `The link for market data is down (${words}); it is tried again by itself`;
    onTrouble(new Error(this.#trouble));
    const ms = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
    this.#failures += 1;
    await sleep(ms * (0.5 + random() / 2), undefined, { signal }).catch(() => undefined);
  }
}
