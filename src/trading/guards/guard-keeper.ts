import { type ContractCode, rootOfCode } from "../../domain/contracts/contract.ts";
import type { Restriction } from "../../domain/guards/schedule-rule.ts";
import type { GuardDecision } from "../../domain/guards/verdict.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { OrderReport } from "../../domain/order.ts";
import type { Alarms } from "../alarms/alarm.ts";
import type { BrokerBalance, BrokerGuards } from "../money/ports.ts";
import { StoreError } from "../store-error.ts";
import type { Closing } from "./close-account.ts";
import { closingsOf } from "./closings.ts";
import { type EntryGuardDeps, entryGuardOf, NOT_LOADED } from "./entry-guard.ts";
import { type EntryGuard, type EntryGuards, NO_GUARD } from "./entry-guards.ts";
import type { GuardObserver } from "./guard-observer.ts";
import type { GuardStore } from "./guard-store.ts";
import { clearGuardAlarms, forgetCalendars, raiseGuardAlarms } from "./raise-guard-alarms.ts";
import { type GuardedAccount, noteDecision } from "./guarded-account.ts";
import { type Kept, loadGuards } from "./load-guards.ts";
import { type CalendarsByName, isSchedule } from "./schedules.ts";
import { stateFor } from "./state-for.ts";
import type { Heard, ReadFacts } from "./read-facts.ts";

export interface GuardKeeperDeps extends EntryGuardDeps {
  readonly store: GuardStore;
  readonly readFacts: ReadFacts;
  readonly bookOf: (account: AccountId) => Promise<AccountBook>;
  readonly othersOf: (
    account: AccountId,
    settings: GuardedAccount["stored"]["settings"],
  ) => Promise<Heard["others"]>;
  /** All that works for an account, asked of its broker now. Throws `BrokerReadError`. */
  readonly workingOf: (account: AccountId) => Promise<readonly OrderReport[]>;
  /** What its broker last said that it is worth. Throws `StoreError`. */
  readonly balancesOf: (account: AccountId) => Promise<readonly BrokerBalance[]>;
  readonly brokerGuardsOf: (account: AccountId) => Promise<BrokerGuards | undefined>;
  /** Of the account's user. Throws `StoreError`. */
  readonly calendarsOf: (account: AccountId) => Promise<CalendarsByName>;
  /** Gives up the sides of all roots but these that the account has claimed. */
  readonly keepSides: (account: AccountId, roots: ReadonlySet<string>) => Promise<void>;
  /** The epoch in which the account is owned here, while it is up and in step; else undefined. */
  readonly epochOf: (account: AccountId) => number | undefined;
  /** Resolves once all that was reported of the account is stored. */
  readonly fillsStored: (account: AccountId) => Promise<void>;
  readonly alarms: Alarms;
  readonly observer: GuardObserver;
  readonly newLockId: () => string;
  /** Runs it once all that waits in this process has had its turn. */
  readonly soon: (work: () => void) => void;
  readonly onError: (account: AccountId, error: unknown) => void;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/** What is open is read again so often, where nothing was reported. */
const READ_EVERY_MS = 1_000;
/** What cannot be read for so long needs a person: no entry passes. */
const UNJUDGED_AFTER_MS = 10_000;

/**
 * The guards of the accounts that this process owns. Each is judged by every quote of what it holds, by
 * every report, and each second; what that decides is stored before anything is done for it.
 */
export class GuardKeeper implements EntryGuards {
  readonly #deps: GuardKeeperDeps;
  /** Of all processes; one that was forgotten here is stopped by the write-ahead. */
  readonly #guarded = new Set<AccountId>();
  /** Of these, what turned out to have none. */
  readonly #without = new Set<AccountId>();
  readonly #failingSince = new Map<AccountId, number>();
  readonly #kept = new Map<AccountId, Kept>();
  readonly #loading = new Map<AccountId, ReturnType<typeof loadGuards>>();
  #onClosings: (account: AccountId, closings: readonly Closing[]) => void = () => undefined;

  constructor(deps: GuardKeeperDeps) {
    this.#deps = deps;
    deps.observer.figuresFrom(() => ({
      guarded: this.#kept.size,
      verdicts: [...this.#kept.values()].flatMap(({ account }) => account.verdicts),
    }));
  }

  /** Who brings accounts to where their guards want them. */
  closeBy(follow: (account: AccountId, closings: readonly Closing[]) => void): void {
    this.#onClosings = follow;
  }

  of(id: AccountId): EntryGuard {
    const kept = this.#kept.get(id);
    if (kept === undefined) return this.#mayHave(id) ? NOT_LOADED : NO_GUARD;
    return entryGuardOf({ id, ...kept }, this.#deps);
  }

  upToDate(id: AccountId): Promise<void> | undefined {
    if (!this.#mayHave(id)) return undefined;
    const kept = this.#kept.get(id);
    if (kept !== undefined && !kept.isBehind && kept.account.facts !== undefined) {
      this.#judge(id, kept);
      return kept.account.lock === undefined ? undefined : kept.writing;
    }
    return this.#catchUp(id);
  }

  reread(id: AccountId): void {
    this.#guarded.add(id);
    this.#without.delete(id);
    const kept = this.#kept.get(id);
    if (kept !== undefined) forgetCalendars(this.#deps.alarms, { id, ...kept });
    this.#kept.delete(id);
    // What is being read may be from before the change.
    this.#loading.delete(id);
    if (this.#deps.epochOf(id) !== undefined) void this.#lookAt(id);
  }

  /** An order or a fill was reported. */
  noteReport(id: AccountId): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    kept.isBehind = true;
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
    for (const [id, { epoch }] of this.#kept) {
      if (epochOf(id) !== epoch) this.#drop(id);
    }
    const here = [...this.#guarded].filter(
      (id) => !this.#without.has(id) && epochOf(id) !== undefined,
    );
    await askInParts(here, (id) => this.#lookAt(id));
  }

  async #lookAt(id: AccountId): Promise<void> {
    const { alarms, elapsed, onError } = this.#deps;
    try {
      await this.#catchUp(id);
      this.#failingSince.delete(id);
      alarms.clear({ kind: "guardsUnjudged", accountId: id });
    } catch (error) {
      onError(id, error);
      const since = this.#failingSince.get(id) ?? elapsed();
      this.#failingSince.set(id, since);
      if (elapsed() - since < UNJUDGED_AFTER_MS) return;
      const reason = error instanceof Error ? error.message : String(error);
      alarms.raise({ kind: "guardsUnjudged", accountId: id, reason });
    }
  }

  #mayHave(id: AccountId): boolean {
    return this.#guarded.has(id) && !this.#without.has(id);
  }

  /** A demand was met, or something was sent for it. False where nobody could note it: to be told again. */
  decided(id: AccountId, closing: Closing, decision: GuardDecision): boolean {
    const kept = this.#kept.get(id);
    if (kept?.account.facts === undefined) return false;
    const lock = kept.account.lock;
    if (closing.key === lock?.id && decision.what !== "flattened") {
      if (lock.doneAt !== undefined) return true;
      kept.account.closed(lock.id, decision.at);
      this.#deps.observer.flattened(id, Math.max(0, decision.at - lock.at));
    }
    kept.account.note(decision);
    this.#write(id, kept);
    return true;
  }

  #drop(id: AccountId): void {
    this.#kept.delete(id);
    clearGuardAlarms(this.#deps.alarms, id);
    this.#onClosings(id, []);
  }

  /** All that was reported until now is read, and the account judged by it. */
  async #catchUp(id: AccountId): Promise<void> {
    const known = this.#kept.get(id);
    if (known !== undefined && (await this.#isOutdated(id, known))) this.#kept.delete(id);
    const kept = this.#kept.get(id) ?? (await this.#load(id));
    if (kept === undefined) return;
    await this.#refresh(id, kept);
    if (this.#kept.get(id) !== kept) return;
    await this.#promote(id, kept);
    await this.#giveUpSides(id, kept);
    this.#judge(id, kept);
    await kept.writing;
  }

  /** Somebody has changed them, and the news of it were lost. */
  async #isOutdated(id: AccountId, kept: Kept): Promise<boolean> {
    const isDue = this.#deps.elapsed() - kept.readAt >= READ_EVERY_MS;
    if (!isDue || kept.writing !== undefined) return false;
    const { version, lockId } = await this.#deps.store.stands(id);
    const { stored } = kept.account;
    if (kept.writing !== undefined) return false;
    return version !== stored.version || lockId !== stored.lock?.id;
  }

  async #load(id: AccountId): Promise<Kept | undefined> {
    const loading = this.#loading.get(id) ?? loadGuards(id, this.#deps);
    this.#loading.set(id, loading);
    try {
      const found = await loading;
      if (this.#loading.get(id) !== loading) return this.#kept.get(id) ?? (await this.#load(id));
      if (found === "none") this.#without.add(id);
      if (found === "none" || found === undefined) return undefined;
      this.#kept.set(id, found);
      return found;
    } finally {
      if (this.#loading.get(id) === loading) this.#loading.delete(id);
    }
  }

  async #refresh(id: AccountId, kept: Kept): Promise<void> {
    const { bookOf, workingOf, brokerGuardsOf, othersOf, calendarsOf, fillsStored, elapsed } =
      this.#deps;
    const isDue = elapsed() - kept.readAt >= READ_EVERY_MS;
    if (!kept.isBehind && !isDue && kept.book !== undefined) return;
    kept.isBehind = false;
    try {
      await fillsStored(id);
      kept.book = await bookOf(id);
      kept.working = await workingOf(id);
      if (isDue) {
        kept.brokerGuards = await brokerGuardsOf(id);
        kept.others = await othersOf(id, kept.account.stored.settings);
        kept.calendars = await calendarsOf(id);
        kept.readAt = elapsed();
      }
    } catch (error) {
      kept.isBehind = true;
      throw error;
    }
  }

  /** What was loosened of hard rules counts from the next trading day on. */
  async #promote(id: AccountId, kept: Kept): Promise<void> {
    const { store, readFacts } = this.#deps;
    const { next, version, lock } = kept.account.stored;
    if (next === undefined || kept.book === undefined) return;
    const { stored } = kept.account;
    const { now, tradingDay } = readFacts(kept.book, stored.settings, this.#heard(id, kept));
    if (now < next.from) return;
    const state = stateFor(next.settings, stored, { at: now, tradingDay, balance: undefined });
    const expected = { epoch: kept.epoch, version, lockId: lock?.id };
    const reason = "What was loosened of hard rules counts from this trading day on";
    const changed = { at: now, what: "changed" as const, reason };
    const decisions = [noteDecision(id, changed, next)];
    await store.write(id, expected, {
      settings: next.settings,
      next: null,
      ...(state !== undefined && { state }),
      decisions,
    });
    this.#kept.delete(id);
    await this.#catchUp(id);
  }

  /** Sides of what is neither held nor worked any more are free for other accounts. */
  async #giveUpSides(id: AccountId, { account, book, working }: Kept): Promise<void> {
    const hasSides = account.stored.settings.rules.some(({ kind }) => kind === "opposite");
    if (!hasSides || book === undefined || working === undefined) return;
    const held = Object.keys(book.positions) as ContractCode[];
    const contracts = [...held, ...working.map(({ contract }) => contract)];
    await this.#deps.keepSides(id, new Set(contracts.map(rootOfCode)));
  }

  #soon(id: AccountId, kept: Kept): void {
    if (kept.isQueued) return;
    kept.isQueued = true;
    this.#deps.soon(() => {
      kept.isQueued = false;
      if (this.#kept.get(id) !== kept) return;
      if (kept.isBehind || kept.book === undefined) {
        this.#catchUp(id).catch((error: unknown) => this.#deps.onError(id, error));
      } else this.#judge(id, kept);
    });
  }

  #heard(id: AccountId, { working, balances, brokerGuards, others }: Kept): Heard {
    const quote = (contract: ContractCode) => this.#deps.quoteOf(id, contract);
    return { quote, working, balances, brokerGuards, others };
  }

  #judge(id: AccountId, kept: Kept): void {
    const { readFacts, elapsed, observer, alarms } = this.#deps;
    if (kept.book === undefined || this.#kept.get(id) !== kept) return;
    const { account } = kept;
    const { settings } = account.stored;
    const startedAt = elapsed();
    account.judge(readFacts(kept.book, settings, this.#heard(id, kept)));
    observer.judged(id, elapsed() - startedAt);
    raiseGuardAlarms(alarms, { id, account, calendars: kept.calendars });
    this.#write(id, kept);
    this.#close(id, kept);
  }

  #close(id: AccountId, kept: Kept): void {
    const { schedules } = this.#deps;
    const found = closingsOf({ kept, schedules, note: (one) => kept.account.note(one) });
    kept.closings = found.closings;
    kept.missed = found.missed;
    this.#onClosings(id, found.closings);
  }

  /** One write at a time; what comes meanwhile is written after it. */
  #write(id: AccountId, kept: Kept): void {
    if (kept.writing !== undefined) return;
    const writing = this.#writeAll(id, kept)
      .catch((error: unknown) => {
        this.#deps.onError(id, error);
        // It may have been written: what stands is read before anything else is.
        if (error instanceof StoreError && !error.certainlyNotWritten) this.#kept.delete(id);
      })
      .finally(() => (kept.writing = undefined));
    kept.writing = writing;
  }

  async #writeAll(id: AccountId, kept: Kept): Promise<void> {
    const { store, observer } = this.#deps;
    for (;;) {
      const { account, epoch } = kept;
      const { entriesRefused, blind, verdicts, facts } = account;
      const write = account.pending({
        verdicts,
        ...(entriesRefused !== undefined && { entriesRefused }),
        ...(blind !== undefined &&
          facts !== undefined && { blind: { since: facts.now, reason: blind } }),
        upcoming: this.#upcoming(kept),
      });
      if (write === undefined) return;
      const { version, lock } = account.stored;
      const answer = await store.write(id, { epoch, version, lockId: lock?.id }, write);
      if (answer !== "written") {
        if (this.#kept.get(id) === kept) this.#kept.delete(id);
        return;
      }
      account.wrote(write);
      for (const { decision } of write.decisions) observer.decided(id, decision);
      // A lock is stored now: what it asks for may begin.
      if (write.lock !== undefined && this.#kept.get(id) === kept) this.#close(id, kept);
    }
  }

  #upcoming({ account: { stored, facts }, calendars }: Kept): Record<string, Restriction> {
    const { schedules } = this.#deps;
    const found = stored.settings.rules.flatMap((rule) => {
      if (!isSchedule(rule)) return [];
      const next = facts && schedules.next(calendars, rule, facts.now);
      return next === undefined ? [] : [[rule.id, next] as const];
    });
    return Object.fromEntries(found);
  }
}
