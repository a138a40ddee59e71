import { setTimeout as sleep } from "node:timers/promises";
import { BrokerReadError } from "../../trading/ports.ts";
import { OnDemand } from "../on-demand.ts";
import { penaltyIn, wordsOf } from "./classify-error.ts";
import {
  MarketDataRefusedError,
  penaltyError,
  readMarketAnswer,
  refusalWords,
} from "./market-requests.ts";
import { AUTHORIZE, type RateBudget } from "./rate-budget.ts";
import { ShutdownError, type SocketTiming, TradovateSocket } from "./socket.ts";
import type { HeldToken } from "./token-keeper.ts";
import { Waits } from "../waits.ts";
import type { TradovateMarketEvent } from "./wire.ts";

export interface MarketLinkDeps {
  readonly url: string;
  readonly timing: SocketTiming;
  /** That of the session for orders: market data log nobody in. */
  readonly token: () => HeldToken | undefined;
  readonly budget: RateBudget;
  readonly mayWrite: () => boolean;
  /** Another token than before is taken: what was refused to that may not be to this one. */
  readonly onToken: () => void;
  readonly onUp: () => void;
  readonly onDown: () => void;
  readonly onMarket: (event: TradovateMarketEvent) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly elapsed: () => number;
  readonly random: () => number;
}

const LOOK_EVERY_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** A link that stood for so long was not refused in a way of its own. */
const STEADY_MS = 60_000;
/**
 * Who is refused asks again after so long, or with another token: a subscription begins when somebody
 * pays for it, and of too many sockets it is the oldest, perhaps the one for orders, that is closed.
 */
const REFUSED_FOR_MS = 30 * 60_000;

/**
 * The link for market data, for as long as somebody needs it: it connects again by itself, ever more
 * slowly. It shares nothing with the session for orders but the token, and does nothing to that:
 * what is refused here says nothing of orders, so it neither renews the token, nor drops it, nor
 * counts as a lockout of logins.
 */
export class MarketLink {
  readonly #deps: MarketLinkDeps;
  readonly #waits = new Waits(new AbortController().signal);
  readonly #life = new OnDemand((signal) => this.#run(signal));
  #socket: TradovateSocket | undefined;
  #upAt = 0;
  #failures = 0;
  #notBefore = 0;
  #trouble: string | undefined;
  #refused: { readonly accessToken: string | undefined } | undefined;
  #usedToken: string | undefined;
  #takenToken: string | undefined;

  constructor(deps: MarketLinkDeps) {
    this.#deps = deps;
  }

  get isRunning(): boolean {
    return this.#life.isRunning;
  }

  get isUp(): boolean {
    return this.#socket !== undefined;
  }

  /** Why it is not up, in words; undefined while it is, or nobody has needed it yet. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Opens the link, as soon as it may be. */
  start(): void {
    this.#life.start();
  }

  /** Resolves when the link is gone. */
  async stop(): Promise<void> {
    const ended = this.#life.stop();
    this.#waits.wake();
    await ended;
  }

  /** Whether it is up within so long; at once false where it was refused, or nobody runs it. */
  async untilUp(ms: number): Promise<boolean> {
    const isSettled = () => this.isUp || this.#isRefused() || !this.isRunning;
    await this.#waits.until(isSettled, ms);
    return this.isUp;
  }

  /** Throws `MarketDataRefusedError`, or `BrokerReadError` where it may be asked again. */
  async request(endpoint: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const { budget, mayWrite } = this.#deps;
    const socket = this.#socket;
    if (socket === undefined) throw new BrokerReadError(this.#trouble ?? NOT_UP);
    const refusal = budget.take("read", endpoint);
    if (refusal !== undefined) throw new BrokerReadError(refusal);
    const reply = await socket.request({ endpoint, body }, { mayWrite });
    return readMarketAnswer(reply, endpoint, budget);
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#isWaiting()) {
        await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
        continue;
      }
      try {
        await this.#live(signal);
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      }
    }
  }

  /** One connection from its beginning to its end, which is an error. */
  async #live(signal: AbortSignal): Promise<void> {
    const { url, timing, elapsed, onMarket, onUp, onDown } = this.#deps;
    const socket = new TradovateSocket({ url, timing, elapsed, onMarket });
    const end = () => socket.end(new Error("Market data are not needed any more"));
    signal.addEventListener("abort", end, { once: true });
    let look: NodeJS.Timeout | undefined;
    try {
      await Promise.race([socket.opened, socket.broken]);
      await this.#authorize(socket);
      this.#socket = socket;
      this.#trouble = undefined;
      this.#refused = undefined;
      this.#upAt = elapsed();
      look = setInterval(() => this.#look(socket), LOOK_EVERY_MS);
      this.#waits.wake();
      onUp();
      await socket.broken;
    } finally {
      clearInterval(look);
      signal.removeEventListener("abort", end);
      const wasUp = this.#socket !== undefined;
      this.#socket = undefined;
      if (wasUp) onDown();
      await socket.close();
    }
  }

  /** The token for market data, where there is one, else the other one serves as well. */
  async #authorize(socket: TradovateSocket): Promise<void> {
    const held = this.#deps.token();
    if (held === undefined) throw new Error(NOT_UP);
    this.#usedToken = held.accessToken;
    let words = "";
    for (const token of new Set([held.mdAccessToken ?? held.accessToken, held.accessToken])) {
      const request = { endpoint: AUTHORIZE, body: token };
      const { mayWrite } = this.#deps;
      const reply = await socket.request(request, { mayWrite, isNeeded: true });
      if (reply.kind !== "answered") throw new Error(reply.reason);
      const { status, data } = reply.answer;
      const penalty = penaltyIn(reply.answer);
      if (status === 200 && penalty === undefined) {
        if (held.accessToken !== this.#takenToken) this.#deps.onToken();
        this.#takenToken = held.accessToken;
        return;
      }
      if (penalty !== undefined) throw penaltyError(penalty);
      words = wordsOf(data) ?? `Tradovate answered ${status}`;
      // A service that is away refuses nobody.
      if (status >= 500) throw new Error(words);
      if (status !== 401 && status !== 403) break;
    }
    throw new MarketDataRefusedError(refusalWords(words));
  }

  #look(socket: TradovateSocket): void {
    const { elapsed, token, timing } = this.#deps;
    if (elapsed() - (socket.heardAt ?? this.#upAt) > timing.silentAfterMs) {
      socket.end(new Error("It has been silent for too long"));
      return;
    }
    const held = token();
    if (held === undefined || held.accessToken === this.#usedToken) return;
    // Whether a socket takes a second token is not said; a new one says what that is worth.
    this.#authorize(socket).catch((cause: Error) => socket.end(new Error(cause.message)));
  }

  #isWaiting(): boolean {
    const { elapsed, token } = this.#deps;
    const held = token();
    if (held === undefined) return true;
    if (elapsed() >= this.#notBefore) return false;
    // That one was refused with a token that has ended is no word on the next one.
    return this.#refused === undefined || this.#refused.accessToken === held.accessToken;
  }

  #isRefused(): boolean {
    return this.#refused !== undefined && this.#isWaiting();
  }

  #fail(error: unknown): void {
    const { elapsed, random, onTrouble } = this.#deps;
    const now = elapsed();
    const words = error instanceof Error ? error.message : String(error);
    const isQuota = error instanceof ShutdownError && error.isQuota;
    if (this.#upAt > 0 && now - this.#upAt > STEADY_MS) this.#failures = 0;
    this.#upAt = 0;
    if (error instanceof MarketDataRefusedError || isQuota) {
      this.#trouble = isQuota ? `The link for market data was ended: ${words}` : words;
      this.#refused = { accessToken: this.#usedToken };
      this.#notBefore = now + REFUSED_FOR_MS;
    } else {
      const ms = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
      this.#trouble = `The link for market data is down (${words}); it is tried again by itself`;
      this.#refused = undefined;
      this.#notBefore = now + ms * (0.5 + random() / 2);
      this.#failures += 1;
    }
    onTrouble(new Error(this.#trouble));
    this.#waits.wake();
  }
}

const NOT_UP = "The link for market data is not up";
