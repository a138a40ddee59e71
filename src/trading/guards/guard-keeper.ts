import type { DayClocks } from "../../domain/calendar/account-day.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { GuardDecision } from "../../domain/guards/verdict.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Quote } from "../../domain/quote.ts";
import type { Alarms } from "../alarms/alarm.ts";
import type { BrokerBalance } from "../money/ports.ts";
import type { WaitFor } from "../ports.ts";
import { StoreError } from "../store-error.ts";
import type { Closing } from "./close-account.ts";
import { closingsOf } from "./closings.ts";
import { type EntryGuardDeps, entryGuardOf, NOT_LOADED } from "./entry-guard.ts";
import { type EntryGuard, type EntryGuards, NO_GUARD } from "./entry-guards.ts";
import type { GuardObserver } from "./guard-observer.ts";
import type { GuardStore } from "./guard-store.ts";
import {
  heardOf,
  isBehind,
  type FollowClosings,
  isUnjudged,
  type Kept,
  type KeptMemory,
  newKept,
  upcomingOf,
} from "./kept-account.ts";
import { LookRound } from "./look-round.ts";
import { giveUpSides, type SideDeps } from "./give-up-sides.ts";
import { untilJudged } from "./until-judged.ts";
import { readAnew, type ReadAnewDeps, readBeside } from "./read-anew.ts";
import { clearGuardAlarms, forgetCalendars, raiseGuardAlarms } from "./raise-guard-alarms.ts";
import { GuardedAccount } from "./guarded-account.ts";
import { promoteNext } from "./promote-next.ts";
import type { Heard, ReadFacts } from "./read-facts.ts";

export interface GuardKeeperDeps extends EntryGuardDeps, ReadAnewDeps, SideDeps {
  /** The newest prices, however old: a guard is blind by the age of the one that it needs. */
  readonly latestQuote: (account: AccountId, contract: ContractCode) => Quote | undefined;
  /** By which the account's days begin. */
  readonly clocksOf: (account: AccountId) => DayClocks;
  readonly store: GuardStore;
  readonly readFacts: ReadFacts;
  /** What its broker last said that it is worth. Throws `StoreError`. */
  readonly balancesOf: (account: AccountId) => Promise<readonly BrokerBalance[]>;
  /** Has the broker asked soon what the account is worth. */
  readonly askBalances: (account: AccountId) => void;
  /** The epoch in which the account is owned here, while it is up and in step; else undefined. */
  readonly epochOf: (account: AccountId) => number | undefined;
  readonly alarms: Alarms;
  readonly observer: GuardObserver;
  readonly newLockId: () => string;
  /** Runs it once all that waits in this process has had its turn. */
  readonly soon: (work: () => void) => void;
  readonly waitFor: WaitFor;
  readonly onError: (account: AccountId, error: unknown) => void;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

const JUDGED_AT_ONCE = 8;
const GONE =
  "The account's guards are gone from the store: set them again, or an empty list of them";
/** How often guards are read anew that others change meanwhile. */
const TRIES = 4;

/**
 * The guards of the accounts that this process owns. Each is judged by every quote of what it holds, by
 * every report, and each second; what that decides is stored before anything is done for it.
 */
export class GuardKeeper implements EntryGuards {
  readonly #deps: GuardKeeperDeps;
  /** Of all processes; one that was forgotten here is stopped by the write-ahead. */
  readonly #guarded = new Set<AccountId>();
  /** Owned here at the last look: an account may be lost while it is read, and is not kept then. */
  #here: readonly AccountId[] = [];
  readonly #queue: (readonly [AccountId, Kept])[] = [];
  readonly #round: LookRound;
  readonly #kept = new Map<AccountId, Kept>();
  /** How often each was to be read again. */
  readonly #readings = new Map<AccountId, number>();
  readonly #loading = new Map<AccountId, Promise<Kept | undefined>>();
  /** When each was judged here last: what came after it was not missed. */
  readonly #judgedAt = new Map<AccountId, number>();
  readonly #memories = new Map<AccountId, KeptMemory>();
  /** What was demanded of each last: it is pursued until it is known to be otherwise. */
  readonly #demanded = new Map<AccountId, readonly Closing[]>();
  /** What was decided while an account was read anew. */
  #unheard: {
    readonly id: AccountId;
    readonly closing: Closing;
    readonly decision: GuardDecision;
  }[] = [];
  #onClosings: FollowClosings = () => undefined;

  constructor(deps: GuardKeeperDeps) {
    this.#deps = deps;
    this.#round = new LookRound(deps);
    deps.observer.figuresFrom(() => ({
      guarded: this.#kept.size,
      verdicts: [...this.#kept.values()].flatMap(({ account }) => account.verdicts),
    }));
  }

  /** Who brings accounts to where their guards want them. */
  closeBy(follow: FollowClosings): void {
    this.#onClosings = follow;
  }

  of(id: AccountId): EntryGuard {
    const kept = this.#kept.get(id);
    if (kept === undefined) return this.#guarded.has(id) ? NOT_LOADED : NO_GUARD;
    return entryGuardOf({ id, ...kept, isBehind: isUnjudged(kept) }, this.#deps);
  }

  upToDate(id: AccountId): Promise<void> | undefined {
    if (!this.#guarded.has(id)) return undefined;
    const kept = this.#kept.get(id);
    // What is locked is refused, whatever else was reported.
    if (kept?.account.lock !== undefined) return undefined;
    if (kept === undefined || isUnjudged(kept)) {
      return untilJudged({
        catchUp: () => this.#catchUp(id),
        isJudged: () => this.of(id).unready === undefined,
        waitFor: this.#deps.waitFor,
        onError: (error) => this.#deps.onError(id, error),
      });
    }
    this.#tryToJudge(id, kept);
    return undefined;
  }

  reread(id: AccountId): void {
    this.#guarded.add(id);
    const kept = this.#kept.get(id);
    if (kept !== undefined) forgetCalendars(this.#deps.alarms, { id, ...kept });
    this.#forget(id);
    this.#readings.set(id, (this.#readings.get(id) ?? 0) + 1);
    void this.#catchUp(id).catch((error: unknown) => this.#deps.onError(id, error));
  }

  /** An order or a fill was reported. */
  noteReport(id: AccountId): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    kept.reported += 1;
    this.#soon(id, kept);
  }

  /** What the account holds trades at another price. */
  noteQuote(id: AccountId): void {
    const kept = this.#kept.get(id);
    if (kept !== undefined && kept.account.facts !== undefined) this.#soon(id, kept);
  }

  noteBalances(id: AccountId, balances: readonly BrokerBalance[]): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    kept.balances = balances;
    this.#soon(id, kept);
  }

  /** Looks at every guarded account that is owned here. Called each second; one failure keeps no other. */
  async look(): Promise<void> {
    const { store, epochOf } = this.#deps;
    for (const id of await store.guarded()) this.#guarded.add(id);
    for (const id of new Set([...this.#kept.keys(), ...this.#here])) {
      const kept = this.#kept.get(id);
      const epoch = epochOf(id);
      if (epoch === undefined || (kept !== undefined && kept.epoch !== epoch)) this.#drop(id);
    }
    this.#here = [...this.#guarded].filter((id) => epochOf(id) !== undefined);
    await this.#round.begin(this.#here, (id) => this.#lookAt(id));
  }

  /** Whatever fails of it, what was demanded of the account is pursued. */
  async #lookAt(id: AccountId): Promise<void> {
    try {
      await this.#catchUp(id);
      const kept = this.#kept.get(id);
      if (kept === undefined) return;
      await readBeside(id, kept, this.#deps);
      await giveUpSides(id, kept, this.#deps);
      const isPromoted = await promoteNext(id, kept, this.#heard(id, kept), this.#deps);
      if (isPromoted) this.#forget(id);
      this.#judge(id, kept);
      await kept.writing;
    } finally {
      if (this.#deps.epochOf(id) !== undefined) this.#demand(id, this.#demanded.get(id) ?? []);
    }
  }

  #demand(id: AccountId, closings: readonly Closing[]): void {
    if (closings.length > 0) this.#demanded.set(id, closings);
    else this.#demanded.delete(id);
    this.#onClosings(id, closings);
  }

  /** A demand was met, or something was sent for it. */
  decided(id: AccountId, closing: Closing, decision: GuardDecision): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) {
      if (this.#deps.epochOf(id) !== undefined) this.#unheard.push({ id, closing, decision });
      return;
    }
    if (decision.what === "isFlat") {
      kept.missed = kept.missed?.filter(({ key }) => key !== closing.key);
    }
    const lock = kept.account.lock;
    if (closing.key === lock?.id && decision.what !== "flattened") {
      if (lock.doneAt !== undefined) return;
      kept.account.closed(lock.id, decision.at);
      this.#deps.observer.flattened(id, Math.max(0, decision.at - lock.at));
    }
    kept.account.note(decision);
    this.#write(id, kept);
  }

  #drop(id: AccountId): void {
    const { alarms } = this.#deps;
    const kept = this.#kept.get(id);
    if (kept !== undefined) forgetCalendars(alarms, { id, ...kept }, "unseen");
    this.#forget(id);
    const memory = this.#memories.get(id);
    // What could not be judged here long ago says nothing of the day on which it is owned again.
    if (memory) this.#memories.set(id, { ...memory, blindSince: undefined, isBlindTold: false });
    this.#unheard = this.#unheard.filter((one) => one.id !== id);
    this.#demanded.delete(id);
    this.#round.forget(id);
    clearGuardAlarms(alarms, id);
    this.#onClosings(id, undefined);
  }

  /** All that was reported until now is read, and the account judged by it. */
  async #catchUp(id: AccountId): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const kept = this.#kept.get(id) ?? (await this.#load(id));
      if (kept === undefined) return;
      await readAnew(id, kept, this.#deps);
      if (kept.account.facts === undefined) await readBeside(id, kept, this.#deps);
      if (kept.isOutdated && this.#kept.get(id) === kept) this.#forget(id);
      this.#judge(id, kept);
      await kept.writing;
      // Somebody else has changed them meanwhile: then they are read and judged again.
      if (this.#kept.get(id) === kept) return;
    }
  }

  async #load(id: AccountId): Promise<Kept | undefined> {
    const loading = this.#loading.get(id) ?? this.#loadNow(id);
    this.#loading.set(id, loading);
    return await loading.finally(() => this.#loading.delete(id));
  }

  async #loadNow(id: AccountId): Promise<Kept | undefined> {
    const { store, epochOf, balancesOf } = this.#deps;
    const epoch = epochOf(id);
    if (epoch === undefined) return undefined;
    const reading = this.#readings.get(id);
    const stored = await store.load(id);
    if (epochOf(id) !== epoch) return undefined;
    if (stored === undefined) throw new StoreError(GONE, { certainlyNotWritten: true });
    const balances = await balancesOf(id);
    const memory = this.#memories.get(id);
    const account = new GuardedAccount(id, stored, memory, this.#deps);
    const carried = { told: new Set<string>(), missed: undefined, ...memory };
    const kept = newKept(account, {
      ...carried,
      epoch,
      balances,
      judgedAt: this.#judgedAt.get(id),
    });
    // It was changed while it was read.
    if (this.#readings.get(id) !== reading) return await this.#loadNow(id);
    this.#memories.delete(id);
    this.#kept.set(id, kept);
    const unheard = this.#unheard.filter((one) => one.id === id);
    this.#unheard = this.#unheard.filter((one) => one.id !== id);
    for (const { closing, decision } of unheard) this.decided(id, closing, decision);
    // What was demanded before goes on until it is judged anew.
    const before = this.#demanded.get(id) ?? [];
    const locked = closingsOf({ kept, schedules: this.#deps.schedules, note: () => undefined });
    const keys = new Set(locked.closings.map(({ key }) => key));
    this.#demand(id, [...locked.closings, ...before.filter(({ key }) => !keys.has(key))]);
    return kept;
  }

  /** It is read again before anything else; what it must not forget is carried on. */
  #forget(id: AccountId): void {
    const kept = this.#kept.get(id);
    if (kept !== undefined) {
      this.#memories.set(id, { ...kept.account.memory, missed: kept.missed, told: kept.told });
    }
    this.#kept.delete(id);
  }

  #soon(id: AccountId, kept: Kept): void {
    if (kept.isQueued) return;
    kept.isQueued = true;
    this.#queue.push([id, kept]);
    if (this.#queue.length === 1) this.#deps.soon(() => this.#judgeNext());
  }

  /** A few at a time: a quote that hundreds of accounts hold keeps nobody's alert waiting. */
  #judgeNext(): void {
    for (const [id, kept] of this.#queue.splice(0, JUDGED_AT_ONCE)) {
      kept.isQueued = false;
      if (this.#kept.get(id) !== kept) continue;
      // A price counts also while a reading takes its time.
      if (kept.book !== undefined) this.#tryToJudge(id, kept);
      if (kept.reading === undefined && (kept.book === undefined || isBehind(kept))) {
        this.#catchUp(id).catch((error: unknown) => this.#deps.onError(id, error));
      }
    }
    if (this.#queue.length > 0) this.#deps.soon(() => this.#judgeNext());
  }

  /** What fails for one account is said, and ends nothing. */
  #tryToJudge(id: AccountId, kept: Kept): void {
    try {
      this.#judge(id, kept);
    } catch (error) {
      this.#deps.onError(id, error);
    }
  }

  #heard(id: AccountId, kept: Kept): Heard {
    const { clocksOf, latestQuote } = this.#deps;
    return heardOf(kept, clocksOf(id), (contract) => latestQuote(id, contract));
  }

  #judge(id: AccountId, kept: Kept): void {
    const { readFacts, elapsed, observer, alarms, askBalances } = this.#deps;
    const { account, book } = kept;
    if (book === undefined || this.#kept.get(id) !== kept) return;
    const startedAt = elapsed();
    const facts = readFacts(book, account.stored.settings, this.#heard(id, kept));
    account.judge(facts);
    kept.judgedUpTo = kept.readUpTo;
    // What it was worth as its day began is only ever learnt from a new word.
    if (account.state?.balance === undefined) askBalances(id);
    observer.judged(id, elapsed() - startedAt);
    raiseGuardAlarms(alarms, { id, account, calendars: kept.calendars });
    this.#findClosings(kept);
    // What was missed is still missed after another reading, until it is seen to be done.
    if (kept.missed?.length === 0) this.#judgedAt.set(id, facts.now);
    this.#write(id, kept);
    this.#demand(id, kept.closings);
  }

  #findClosings(kept: Kept): void {
    const note = (decision: GuardDecision) => kept.account.note(decision);
    const found = closingsOf({ kept, schedules: this.#deps.schedules, note });
    kept.closings = found.closings;
    kept.missed = found.missed;
  }

  /** One write at a time; what comes meanwhile is written after it. */
  #write(id: AccountId, kept: Kept): void {
    if (kept.writing !== undefined) return;
    const writing = this.#writeAll(id, kept)
      .catch((error: unknown) => {
        this.#deps.onError(id, error);
        // It may have been written: what stands is read before anything else is.
        if (error instanceof StoreError && !error.certainlyNotWritten) this.#forget(id);
      })
      .finally(() => (kept.writing = undefined));
    kept.writing = writing;
  }

  async #writeAll(id: AccountId, kept: Kept): Promise<void> {
    const { store, observer, schedules } = this.#deps;
    for (;;) {
      const { account, epoch } = kept;
      const { entriesRefused, blindness, verdicts, facts } = account;
      const sight = {
        verdicts,
        ...(entriesRefused !== undefined && { entriesRefused }),
        ...(blindness !== undefined && { blind: blindness }),
        upcoming: upcomingOf(kept, schedules),
      };
      const write = account.pending(sight, {
        isAtStake: facts?.isOpen === true || (kept.working?.length ?? 0) > 0,
        isMissed: (kept.missed?.length ?? 0) > 0,
      });
      if (write === undefined) return;
      const { version, lock } = account.stored;
      const answer = await store.write(id, { epoch, version, lockId: lock?.id }, write);
      if (answer !== "written") {
        if (this.#kept.get(id) === kept) this.#forget(id);
        return;
      }
      account.wrote(write);
      for (const { decision } of write.decisions) observer.decided(id, decision);
      // A lock is stored now: what it asks for may begin.
      if (write.lock === undefined || this.#kept.get(id) !== kept) continue;
      this.#findClosings(kept);
      this.#demand(id, kept.closings);
    }
  }
}
