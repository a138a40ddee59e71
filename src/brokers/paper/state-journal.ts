import assert from "node:assert/strict";
import type { AccountId } from "../../domain/ids.ts";
import type { BrokerStateStore } from "../../trading/ports.ts";

/** Something that may be told only once the state it speaks of is durable. */
export interface Deferred {
  readonly tell: () => void;
  /** The state is lost: `mayBeWritten` says whether the store was asked to write it. */
  readonly drop: (mayBeWritten: boolean) => void;
}

export interface StateJournalDeps {
  readonly account: AccountId;
  readonly store: BrokerStateStore;
  /** What is stored now, as loaded. */
  readonly version: string | undefined;
  /** The entry as it stands now; undefined when it is gone. */
  readonly encode: (key: string) => string | undefined;
  /** Waits for what must be durable before this account's next write. */
  readonly beforeCommit?: () => Promise<void>;
  readonly onBroken: (cause: unknown) => void;
}

/** The entry that numbers the writes, so that two writers of one account can never mix. */
export const VERSION_KEY = "v";

/**
 * Makes one account's changes durable and then tells of them, in order. All that changes while a
 * write runs goes with the next one, so a busy account costs one write at a time.
 */
export class StateJournal {
  readonly #deps: StateJournalDeps;
  #version: string | undefined;
  #changed = new Set<string>();
  #waiting: Deferred[] = [];
  #isRunning = false;
  #isWriting = false;
  #isBroken = false;

  constructor(deps: StateJournalDeps) {
    this.#deps = deps;
    this.#version = deps.version;
  }

  get isIdle(): boolean {
    return !this.#isRunning;
  }

  /** Whether everything that changed until now is durable, and was told. */
  get isSettled(): boolean {
    const isUnderWay = this.#isWriting || this.#changed.size > 0 || this.#waiting.length > 0;
    return !isUnderWay && !this.#isBroken;
  }

  changed(key: string): void {
    this.#changed.add(key);
    this.#wake();
  }

  /** Tells once everything that changed until now is durable. */
  defer(deferred: Deferred): void {
    if (this.#isBroken) {
      deferred.drop(false);
      return;
    }
    this.#waiting.push(deferred);
    this.#wake();
  }

  /** Resolves once everything that changed until now is durable or lost. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.defer({ tell: resolve, drop: () => resolve() }));
  }

  /** Forgets what was not handed to the store yet; nothing is written any more. */
  abandon(): void {
    this.#isBroken = true;
    this.#changed.clear();
    for (const { drop } of this.#take()) drop(false);
  }

  #wake(): void {
    if (this.#isRunning || this.#isBroken) return;
    this.#isRunning = true;
    // A microtask later, so that all that one command changes is written at once.
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (!this.#isBroken && (this.#changed.size > 0 || this.#waiting.length > 0)) {
      const batch = this.#take();
      try {
        if (this.#changed.size > 0) {
          this.#isWriting = true;
          await this.#write();
          this.#isWriting = false;
        }
      } catch (cause) {
        for (const { drop } of batch) drop(true);
        this.abandon();
        this.#deps.onBroken(cause);
        break;
      }
      for (const { tell } of batch) tell();
    }
    this.#isRunning = false;
  }

  async #write(): Promise<void> {
    const changed = this.#changed;
    this.#changed = new Set();
    const put = new Map<string, string>();
    const remove: string[] = [];
    for (const key of changed) {
      const value = this.#deps.encode(key);
      if (value === undefined) remove.push(key);
      else put.set(key, value);
    }

    const expect = { key: VERSION_KEY, value: this.#version };
    const version = String(Number(this.#version ?? 0) + 1);
    assert(!changed.has(VERSION_KEY), "the version is the journal's own");
    put.set(VERSION_KEY, version);
    await this.#deps.beforeCommit?.();
    await this.#deps.store.commit(this.#deps.account, { put, remove, expect });
    this.#version = version;
  }

  #take(): Deferred[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
