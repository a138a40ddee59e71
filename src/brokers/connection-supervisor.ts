import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionStatus, needsAPerson } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { ConnectionStop } from "../trading/connection-records.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";
import { failuresAfter, loginDelayMs } from "./login-delay.ts";
import { stopFor } from "./session-errors.ts";
import { watchSilence } from "./silence-watch.ts";

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
  readonly onStatus: (status: ConnectionStatus) => void;
  /** A session broke or could not begin, and another one is going to be tried. */
  readonly onRetry: () => void;
  /** Asked before each session; false puts it off. */
  readonly mayRun: () => boolean;
  readonly loginStop: LoginStop;
  readonly onError: (error: unknown) => void;
  readonly random?: () => number;
  /** A clock in ms that is never set. */
  readonly elapsed?: () => number;
}

/** How a session ended that was not ended by us. */
interface Ended {
  readonly stop: ConnectionStop | undefined;
  /** For how long the connection counted as connected. */
  readonly stoodMs: number;
}

/** How long a login waits that may not be tried yet, unless it is woken. */
const LOOK_AGAIN_MS = 2_000;

/**
 * Keeps one broker session alive until it is stopped, or until the broker says that trying again is
 * of no use. The loop is the only writer of the status, so a late event can never revive a
 * connection that is already shutting down.
 */
export class ConnectionSupervisor {
  readonly #deps: ConnectionSupervisorDeps;
  readonly #random: () => number;
  readonly #elapsed: () => number;
  readonly #abort = new AbortController();
  #status: ConnectionStatus = "DISCONNECTED";
  #loop: Promise<void> | undefined;
  /** What was read of the broker may be older than what the store has lost. */
  #isStale = false;
  /** While a session stands: reads the broker's state, and is connected then. */
  #takeOver: (() => void) | undefined;
  #wake: () => void = () => undefined;

  constructor(deps: ConnectionSupervisorDeps) {
    this.#deps = deps;
    this.#random = deps.random ?? Math.random;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  start(): void {
    assert(this.#loop === undefined, "a supervisor starts once");
    this.#setStatus("CONNECTING");
    this.#loop = this.#run(this.#abort.signal);
  }

  /** What kept it from logging in may be settled: look now. */
  look(): void {
    this.#wake();
  }

  /** Halts, takes the broker's state over once more, and goes on; the session itself goes on. */
  resync(): void {
    this.#isStale = true;
    if (this.#status !== "CONNECTED") return;
    this.#setStatus("RECONNECTING");
    this.#takeOver?.();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#loop;
    this.#setStatus("DISCONNECTED");
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
        this.#setStatus("RECONNECTING");
        if (ended !== undefined) this.#deps.onRetry();
        const delayMs = loginDelayMs(failures, this.#random);
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
          if (needsAPerson(this.#status)) this.#setStatus("CONNECTING");
          return;
        }
        this.#setStatus(stop.status);
      } catch (error) {
        onError(error);
      }
      await napUntil(woken, signal);
    }
  }

  /** Another owner must not try again either, so it is tried until it is kept, or is theirs. */
  async #keep(stop: ConnectionStop, signal: AbortSignal): Promise<void> {
    const { loginStop, onError } = this.#deps;
    this.#setStatus(stop.status);
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
    let connectedAt: number | undefined;
    const fail = (error: unknown) => {
      stop ??= stopFor(error);
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
      this.#setStatus("CONNECTED");
    };
    const onReady = () => void takeOver().catch(fail);
    this.#takeOver = onReady;
    const unwatch = watchSilence(adapter, fail, this.#elapsed);
    try {
      await adapter.runSession({ signal: session.signal, onReady });
    } catch (error) {
      fail(error);
    } finally {
      unwatch();
      this.#takeOver = undefined;
      session.abort();
      signal.removeEventListener("abort", end);
    }
    return { stop, stoodMs: connectedAt === undefined ? 0 : this.#elapsed() - connectedAt };
  }

  /** Made before what is waited for is looked at: a word that comes meanwhile counts. */
  #newWake(): AbortSignal {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    return woken.signal;
  }

  #setStatus(next: ConnectionStatus): void {
    if (next === this.#status) return;
    this.#status = next;
    this.#deps.onStatus(next);
  }
}

async function napUntil(woken: AbortSignal, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([woken, signal]);
  await sleep(LOOK_AGAIN_MS, undefined, { signal: either }).catch(() => undefined);
}
