import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ConnectionState,
  type ConnectionStatus,
  type ConnectionWhy,
  isSameWhy,
  needsAPerson,
  whyOf,
} from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { ConnectionStop } from "../trading/connections/connection-records.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";
import { stopFor, wordsFor } from "./session-errors.ts";

/** What keeps a connection from logging in until a person asks for it, whoever owns it. */
export interface LoginStop {
  /** Asked before each login; a rejection puts the login off. */
  readonly find: () => Promise<ConnectionStop | undefined>;
  /** False when it was not kept, because another process owns the connection by now. */
  readonly keep: (stop: ConnectionStop) => Promise<boolean>;
}

export interface ConnectionSupervisorDeps {
  readonly connectionId: ConnectionId;
  readonly adapter: BrokerAdapter;
  /** Runs after each session has begun and before the connection counts as connected. */
  readonly onSession: () => Promise<void>;
  /** Runs while it is connected, each time the broker may report its accounts otherwise than before. */
  readonly onAccounts?: () => Promise<void>;
  readonly onStatus: (status: ConnectionStatus) => void;
  /** The status, or why it is that, is not what it was. */
  readonly onState?: () => void;
  /** A session broke or could not begin, and another one is going to be tried. */
  readonly onRetry: () => void;
  /** Asked before each session; false puts it off. */
  readonly mayRun: () => boolean;
  readonly loginStop: LoginStop;
  readonly onError: (error: unknown) => void;
  readonly random?: () => number;
  /** A clock in ms that is never set. */
  readonly elapsed?: () => number;
  /** The wall clock, for when the next login is said to be. */
  readonly now?: () => number;
}

/** How a session ended that was not ended by us. */
interface Ended {
  readonly stop: ConnectionStop | undefined;
  readonly reason: string;
  /** For how long the connection counted as connected. */
  readonly stoodMs: number;
}

/** How long a login waits that may not be tried yet, unless it is woken. */
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** A shorter session counts as failed: a broker that drops each login at once gets the delay too. */
const STOOD_MS = 10_000;
const LOOK_AGAIN_MS = 2_000;

const NOT_BEGUN = "It is not begun yet";
const FIRST_LOGIN = "The gateway is logging in";
const LET_GO = "The gateway has let go of the connection";
const STORE_AWAY = "The gateway's store was away: what the broker has is read anew";
const NO_WORD = "The gateway's store does not say whether a login may be tried";
const NOT_OURS = "Another process of the gateway may hold the connection";
const ENDED = "The session ended";
const SPACED = "Logins are spaced out, because the broker locks out who logs in too often";

/**
 * Keeps one broker session alive until it is stopped, or until the broker says that trying again is
 * of no use. The loop is the only writer of the status, so a late event can never revive a
 * connection that is already shutting down.
 */
export class ConnectionSupervisor {
  readonly #deps: ConnectionSupervisorDeps;
  readonly #random: () => number;
  readonly #elapsed: () => number;
  readonly #now: () => number;
  readonly #abort = new AbortController();
  #state: ConnectionState = { status: "DISCONNECTED", reason: NOT_BEGUN };
  /** Why the last session ended; undefined once one stands. */
  #lastReason: string | undefined;
  #loop: Promise<void> | undefined;
  /** What was read of the broker may be older than what the store has lost. */
  #isStale = false;
  /** While a session stands: reads the broker's state, and is connected then. */
  #takeOver: (() => void) | undefined;
  #wake: () => void = () => undefined;
  #accounts: Promise<void> = Promise.resolve();

  constructor(deps: ConnectionSupervisorDeps) {
    this.#deps = deps;
    this.#random = deps.random ?? Math.random;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
    this.#now = deps.now ?? Date.now;
  }

  get status(): ConnectionStatus {
    return this.#state.status;
  }

  /** Undefined while it is connected. */
  get why(): ConnectionWhy | undefined {
    return whyOf(this.#state);
  }

  start(): void {
    assert(this.#loop === undefined, "a supervisor starts once");
    this.#enter({ status: "CONNECTING", reason: FIRST_LOGIN });
    this.#loop = this.#run(this.#abort.signal);
  }

  /** What kept it from logging in may be settled: look now. */
  look(): void {
    this.#wake();
  }

  /** Halts, takes the broker's state over once more, and goes on; the session itself goes on. */
  resync(): void {
    this.#isStale = true;
    if (this.status !== "CONNECTED") return;
    this.#enter({ status: "RECONNECTING", reason: STORE_AWAY });
    this.#takeOver?.();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#loop;
    this.#enter({ status: "DISCONNECTED", reason: LET_GO });
  }

  async #run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      await this.#untilAllowed(signal);
      if (signal.aborted) return;
      // A login of one who may not own it any more would end the owner's session.
      const ended = this.#deps.mayRun() ? await this.#runSession(signal) : undefined;
      if (ended?.stop !== undefined) {
        failures = 0;
        await this.#keep(ended.stop, signal);
      } else if (!signal.aborted) {
        if (ended !== undefined) failures = failuresAfter(failures, ended.stoodMs);
        const delayMs = loginDelayMs(failures, this.#random);
        const reason = ended?.reason ?? NOT_OURS;
        this.#lastReason = ended?.reason;
        this.#enter({ status: "RECONNECTING", reason, retryAt: Math.round(this.#now() + delayMs) });
        if (ended !== undefined) this.#deps.onRetry();
        await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Waits while a person must act first, and while nobody knows whether one must. */
  async #untilAllowed(signal: AbortSignal): Promise<void> {
    const { loginStop, onError } = this.#deps;
    while (!signal.aborted) {
      const woken = this.#newWake();
      try {
        const stop = await loginStop.find();
        if (stop === undefined) {
          if (needsAPerson(this.status)) {
            this.#enter({ status: "CONNECTING", reason: FIRST_LOGIN });
          }
          return;
        }
        this.#enter(stop);
      } catch (error) {
        onError(error);
        if (this.#state.status !== "CONNECTED") {
          this.#enter({ status: this.#state.status, reason: NO_WORD });
        }
      }
      await napUntil(woken, signal);
    }
  }

  /** Another owner must not try again either, so it is tried until it is kept, or is theirs. */
  async #keep(stop: ConnectionStop, signal: AbortSignal): Promise<void> {
    const { loginStop, onError } = this.#deps;
    this.#enter(stop);
    for (;;) {
      try {
        if (await loginStop.keep(stop)) return;
      } catch (error) {
        onError(error);
      }
      if (signal.aborted) return;
      await napUntil(this.#newWake(), signal);
    }
  }

  async #runSession(signal: AbortSignal): Promise<Ended> {
    const { adapter, onSession, onError } = this.#deps;
    // A session whose state could not be taken over is ended, and tried again.
    const session = new AbortController();
    const end = () => session.abort();
    signal.addEventListener("abort", end, { once: true });
    let stop: ConnectionStop | undefined;
    let reason: string | undefined;
    let connectedAt: number | undefined;
    const fail = (error: unknown) => {
      stop ??= stopFor(error);
      reason ??= wordsFor(error);
      onError(error);
      session.abort();
    };
    const takeOver = async () => {
      do {
        this.#isStale = false;
        await onSession();
        if (session.signal.aborted) return;
      } while (this.#isStale);
      connectedAt ??= this.#elapsed();
      this.#lastReason = undefined;
      this.#enter({ status: "CONNECTED" });
    };
    const onWait = (ms: number) => {
      const { status } = this.#state;
      if (status === "CONNECTED" || ms <= 0) return;
      const retryAt = Math.round(this.#now() + ms);
      this.#enter({ status, reason: this.#lastReason ?? SPACED, retryAt });
    };
    const onReady = () => void takeOver().catch(fail);
    this.#takeOver = onReady;
    const unwatch = watchSilence(adapter, fail, this.#elapsed);
    try {
      const onAccounts = () => this.#noteAccounts();
      await adapter.runSession({ signal: session.signal, onReady, onWait, onAccounts });
    } catch (error) {
      fail(error);
    } finally {
      unwatch();
      this.#takeOver = undefined;
      session.abort();
      signal.removeEventListener("abort", end);
    }
    const stoodMs = connectedAt === undefined ? 0 : this.#elapsed() - connectedAt;
    return { stop, reason: reason ?? ENDED, stoodMs };
  }

  /** One after the other, so that the newest word is kept last. A take-over under way asks once more. */
  #noteAccounts(): void {
    const { onAccounts, onError } = this.#deps;
    this.#isStale ||= this.status !== "CONNECTED";
    const isConnected = () => this.status === "CONNECTED";
    this.#accounts = this.#accounts
      .then(async () => (isConnected() ? await onAccounts?.() : undefined))
      .catch(onError);
  }

  /** Made before what is waited for is looked at: a word that comes meanwhile counts. */
  #newWake(): AbortSignal {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    return woken.signal;
  }

  #enter(next: ConnectionState): void {
    const before = this.#state;
    const isNewStatus = next.status !== before.status;
    if (!isNewStatus && isSameWhy(whyOf(before), whyOf(next))) return;
    this.#state = next;
    if (isNewStatus) this.#deps.onStatus(next.status);
    this.#deps.onState?.();
  }
}

async function napUntil(woken: AbortSignal, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([woken, signal]);
  await sleep(LOOK_AGAIN_MS, undefined, { signal: either }).catch(() => undefined);
}

/** How many sessions in a row have failed, with the one that was connected for `stoodMs`. */
function failuresAfter(failures: number, stoodMs: number): number {
  return stoodMs >= STOOD_MS ? 0 : failures + 1;
}

/** Half of it is random, so that connections that broke together do not log in together. */
function loginDelayMs(failures: number, random: () => number): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
  return longest * (0.5 + random() / 2);
}

const LOOKS = 8;

/**
 * Calls `onSilent` once when the broker has said nothing for as long as its adapter allows; the
 * session's begin counts as a word. Returns the function that ends the watch.
 */
function watchSilence(
  adapter: Pick<BrokerAdapter, "lastMessageAt" | "silentAfterMs">,
  onSilent: (error: Error) => void,
  elapsed: () => number,
): () => void {
  const { silentAfterMs } = adapter;
  if (silentAfterMs === undefined) return () => undefined;
  const beganAt = elapsed();
  const silentMs = () => elapsed() - Math.max(beganAt, adapter.lastMessageAt?.() ?? beganAt);
  let isOver = false;

  const judge = (): void => {
    const ms = silentMs();
    if (isOver || ms < silentAfterMs) return;
    end();
    onSilent(new Error(`The broker has said nothing for ${(ms / 1_000).toFixed(1)} s`));
  };
  // A process that was frozen has not listened: what came meanwhile is read before the verdict.
  const look = () => {
    if (silentMs() >= silentAfterMs) setImmediate(judge);
  };
  const timer = setInterval(look, silentAfterMs / LOOKS);
  function end(): void {
    isOver = true;
    clearInterval(timer);
  }
  return end;
}
