import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionStatus } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";

export interface ConnectionSupervisorDeps {
  readonly connectionId: ConnectionId;
  readonly adapter: BrokerAdapter;
  /** Runs after each session has begun and before the connection counts as connected. */
  readonly onSession: () => Promise<void>;
  readonly onStatus: (status: ConnectionStatus) => void;
  /** Asked before each session; false puts it off. */
  readonly mayRun: () => boolean;
  readonly onError: (error: unknown) => void;
  readonly random?: () => number;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;

/**
 * Keeps one broker session alive until it is stopped. The loop is the only writer of the status, so
 * a late event can never revive a connection that is already shutting down.
 */
export class ConnectionSupervisor {
  readonly #deps: ConnectionSupervisorDeps;
  readonly #abort = new AbortController();
  #status: ConnectionStatus = "DISCONNECTED";
  #loop: Promise<void> | undefined;
  /** What was read of the broker may be older than what the store has lost. */
  #isStale = false;
  /** While a session stands: reads the broker's state, and is connected then. */
  #takeOver: (() => void) | undefined;

  constructor(deps: ConnectionSupervisorDeps) {
    this.#deps = deps;
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  start(): void {
    assert(this.#loop === undefined, "a supervisor starts once");
    this.#setStatus("CONNECTING");
    this.#loop = this.#run(this.#abort.signal);
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
      // A login of one who may not own it any more would end the owner's session.
      const wasReady = this.#deps.mayRun() && (await this.#runSession(signal));
      if (signal.aborted) return;
      failures = wasReady ? 0 : failures + 1;
      this.#setStatus("RECONNECTING");
      await sleep(this.#delayMs(failures), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Answers whether the session ever stood. */
  async #runSession(signal: AbortSignal): Promise<boolean> {
    const { adapter, onSession, onError } = this.#deps;
    // A session whose state could not be taken over is ended, and tried again.
    const session = new AbortController();
    const end = () => session.abort();
    signal.addEventListener("abort", end, { once: true });
    let wasReady = false;
    const takeOver = async () => {
      do {
        this.#isStale = false;
        await onSession();
        if (session.signal.aborted) return;
      } while (this.#isStale);
      wasReady = true;
      this.#setStatus("CONNECTED");
    };
    const onReady = () => {
      takeOver().catch((error: unknown) => {
        onError(error);
        session.abort();
      });
    };
    this.#takeOver = onReady;
    try {
      await adapter.runSession({ signal: session.signal, onReady });
    } catch (error) {
      onError(error);
    } finally {
      this.#takeOver = undefined;
      session.abort();
      signal.removeEventListener("abort", end);
    }
    return wasReady;
  }

  /** Half of it is chance: many connections that broke together do not come back together. */
  #delayMs(failures: number): number {
    const { random = Math.random } = this.#deps;
    const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
    return longest * (0.5 + random() / 2);
  }

  #setStatus(next: ConnectionStatus): void {
    if (next === this.#status) return;
    this.#status = next;
    this.#deps.onStatus(next);
  }
}
