import type { AnswerStore, BotId, Incoming } from "../trading/answering/ports.ts";
import { firstUpdateIn, readUpdates, type Update } from "./telegram-updates.ts";
import type { TelegramApi, TelegramReply } from "./telegram-api.ts";
import { isSuccess } from "./read-answer.ts";
import { withTimeLimit } from "./time-limit.ts";

export interface TelegramPollerDeps {
  readonly bot: BotId;
  readonly botToken: string;
  readonly api: TelegramApi;
  readonly store: Pick<AnswerStore, "hold" | "release" | "nextUpdate" | "take">;
  /** Called once for each update, however often it comes and whatever ends meanwhile. */
  readonly handle: (incoming: Incoming, update: number) => Promise<void>;
  /** Says what was not said yet: called once this process has the bot, and now and then. */
  readonly tellLeft: () => Promise<void>;
  readonly observer: PollerObserver;
  readonly times?: Partial<PollerTimes>;
}

export interface PollerObserver {
  /** Another program asks the same bot, or has set a webhook. */
  readonly conflict: () => void;
  readonly tokenRefused: () => void;
  /** What cannot be read was left out. */
  readonly skipped: () => void;
  readonly failed: (error: unknown) => void;
}

/** ms. */
export interface PollerTimes {
  /** After so long without a word, another process takes the bot. */
  readonly lease: number;
  readonly renewal: number;
  /** How often a bot that another process has is asked for. */
  readonly waiting: number;
  /** How long Telegram waits for something to tell. */
  readonly poll: number;
  /** How often it is tried to say what was not said yet. */
  readonly telling: number;
  /** Empty answers do not follow each other sooner. */
  readonly betweenEmpty: number;
  readonly afterConflict: number;
  readonly afterFailure: number;
  readonly afterRefusal: number;
}

const TIMES: PollerTimes = {
  lease: 6_000,
  renewal: 2_000,
  waiting: 2_000,
  poll: 25_000,
  telling: 30_000,
  betweenEmpty: 1_000,
  afterConflict: 3_000,
  afterFailure: 2_000,
  afterRefusal: 60_000,
};
/** Telegram may say when to come again, and asks for more the sooner one comes. */
const LONGEST_WISH_MS = 24 * 60 * 60_000;
const GRACE_MS = 10_000;
/** So many are handled at once, or wait for their chat. What is beyond waits until one is done. */
const MOST_HANDLED = 50;
/** As many as can be read at once, whatever strangers wrote. */
const AT_ONCE = 10;

/** Asks one bot, in one process of all, for what is written to it. */
export class TelegramPoller {
  readonly #deps: TelegramPollerDeps;
  readonly #times: PollerTimes;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #telling: Promise<void> | undefined;
  readonly #handling = new Set<Promise<void>>();
  /** The last one of each chat. */
  readonly #lastOf = new Map<string, Promise<void>>();
  /** Ends what runs while the bot is this process'. */
  #holding = new AbortController();
  /** How many are asked for: one, after an answer that was too long. */
  #limit = AT_ONCE;

  constructor(deps: TelegramPollerDeps) {
    this.#deps = deps;
    this.#times = { ...TIMES, ...deps.times };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { store, bot, observer } = this.#deps;
    while (!this.#isStopped()) {
      try {
        if (await store.hold(bot, this.#times.lease)) await this.#whileHeld();
        else await this.#pause(this.#times.waiting);
      } catch (error) {
        observer.failed(error);
        await this.#pause(this.#times.afterFailure);
      }
    }
  }

  #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #whileHeld(): Promise<void> {
    const { store, bot, observer } = this.#deps;
    const holding = new AbortController();
    this.#holding = holding;
    const end = () => holding.abort();
    this.#stopping.signal.addEventListener("abort", end, { once: true });
    const renewal = setInterval(() => {
      store.hold(bot, this.#times.lease).then((isHeld) => {
        if (!isHeld) end();
      }, observer.failed);
    }, this.#times.renewal).unref();
    this.#tell();
    const telling = setInterval(() => this.#tell(), this.#times.telling).unref();
    try {
      while (!holding.signal.aborted) await this.#pause(await this.#poll(), holding.signal);
    } finally {
      clearInterval(telling);
      await this.#telling;
      await Promise.all(this.#handling);
      clearInterval(renewal);
      this.#stopping.signal.removeEventListener("abort", end);
      await store.release(bot).catch(observer.failed);
    }
  }

  /** Beside everything else: nothing that is asked waits for it. */
  #tell(): void {
    const { tellLeft, observer } = this.#deps;
    this.#telling ??= tellLeft()
      .catch(observer.failed)
      .finally(() => (this.#telling = undefined));
  }

  /** Answers how long to wait before the next time. */
  async #poll(): Promise<number> {
    const { api, botToken, store, bot } = this.#deps;
    const offset = await store.nextUpdate(bot);
    const { signal } = this.#holding;
    const begun = performance.now();
    const limitMs = this.#times.poll + GRACE_MS;
    const reply = await withTimeLimit({ signal, limitMs }, async (inner) => {
      const asked = {
        ...(offset !== undefined && { offset }),
        limit: this.#limit,
        timeout: Math.ceil(this.#times.poll / 1_000),
        allowed_updates: ["message", "callback_query"],
      } as const;
      return await api(botToken, "getUpdates", asked, inner);
    });
    if (signal.aborted) return 0;
    if ("stoppedBy" in reply) return this.#times.afterFailure;
    const updates = reply.kind === "ok" ? readUpdates(reply.result, reply.at) : undefined;
    if (updates === undefined) return await this.#withoutUpdates(reply);
    this.#limit = AT_ONCE;
    if (updates.length === 0) {
      return Math.max(0, Math.ceil(begun + this.#times.betweenEmpty - performance.now()));
    }
    let isNew = false;
    for (const update of updates) isNew = (await this.#handle(update)) || isNew;
    return isNew ? 0 : this.#times.afterFailure;
  }

  /** Answers whether it was to be handled here. */
  async #handle({ id, incoming }: Update): Promise<boolean> {
    const { store, bot } = this.#deps;
    if (this.#handling.size >= MOST_HANDLED) await Promise.race(this.#handling);
    if (this.#holding.signal.aborted) return false;
    // Noted before it is acted on: whatever ends here, nothing is done twice.
    if (!(await store.take(bot, id))) return false;
    if (incoming !== undefined) this.#inTurn(incoming, id);
    return true;
  }

  /** In a chat one after the other, but that no press waits for what was only asked. No chat waits for another. */
  #inTurn(incoming: Incoming, id: number): void {
    const { handle, observer } = this.#deps;
    const place = `${incoming.chatId} ${incoming.kind}`;
    const before = this.#lastOf.get(place);
    const run = async () => {
      await before;
      await handle(incoming, id).catch(observer.failed);
      this.#handling.delete(done);
      if (this.#lastOf.get(place) === done) this.#lastOf.delete(place);
    };
    const done = run();
    this.#handling.add(done);
    this.#lastOf.set(place, done);
  }

  async #withoutUpdates(reply: TelegramReply): Promise<number> {
    const { observer } = this.#deps;
    if (reply.kind === "strange" && isSuccess(reply.answer)) await this.#skip(reply.answer.text);
    if (reply.kind !== "refused") return this.#times.afterFailure;
    switch (reply.status) {
      case 409:
        observer.conflict();
        return this.#times.afterConflict;
      case 401:
      case 404:
        observer.tokenRefused();
        return this.#times.afterRefusal;
      default: {
        const wish = reply.retryAfterMs ?? 0;
        return Math.min(Math.max(wish, this.#times.afterFailure), LONGEST_WISH_MS);
      }
    }
  }

  /** One update that is too long to be read must not keep all later ones away. */
  async #skip(text: string): Promise<void> {
    const { store, bot, observer } = this.#deps;
    const first = firstUpdateIn(text);
    if (this.#limit === 1 && first !== undefined) {
      observer.skipped();
      await store.take(bot, first);
    }
    this.#limit = 1;
  }

  async #pause(ms: number, signal = this.#stopping.signal): Promise<void> {
    if (ms === 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms).unref();
      signal.addEventListener("abort", end, { once: true });
    });
  }
}
