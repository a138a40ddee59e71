import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Scaled } from "../../domain/contracts/decimal.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { ExecutionReport, Fill } from "../../domain/order.ts";
import {
  BrokerReadError,
  type BrokerStateStore,
  type CommandFailure,
} from "../../trading/ports.ts";
import { type AccountTotals, addFill } from "./account-totals.ts";
import { Exchange } from "./exchange/exchange.ts";
import type { ExchangeAccount } from "./exchange/exchange-account.ts";
import type { PaperProduct } from "./exchange/product.ts";
import type { PriceFeed } from "./feed/price-feed.ts";
import { RestingIndex } from "./resting-index.ts";
import { decodeAccount, encodeEntry, entryKey } from "./state.ts";
import { StateJournal, VERSION_KEY } from "./state-journal.ts";

export interface PaperSessionDeps {
  readonly connectionId: ConnectionId;
  readonly accounts: ReadonlySet<AccountId>;
  readonly sessionHours: boolean;
  readonly feed: PriceFeed;
  readonly product: (contract: ContractCode) => PaperProduct | undefined;
  readonly store: BrokerStateStore;
  readonly now: () => number;
  readonly feeOf: (contract: ContractCode) => Scaled;
  /** When the broker's day of an instant began. */
  readonly dayBeganAt: (at: number) => number;
  readonly onReport: (account: AccountId, report: ExecutionReport) => void;
}

const LOADS_AT_ONCE = 500;
const EXPIRY_CHECK_MS = 1_000;
const HOUSEKEEPING_MS = 60_000;
/** An account that rests this long is dropped from memory until it is asked for again. */
const IDLE_MS = 10 * 60_000;
const DRAIN_MS = 2_000;

interface LoadedAccount {
  readonly journal: StateJournal;
  readonly account: ExchangeAccount;
  usedAt: number;
}

/**
 * One life of the exchange in memory, from loading its state to the end of the session. When a
 * write fails it breaks as a whole, and the next one starts from what is stored.
 */
export class PaperSession {
  /** Rejects when the session breaks; never resolves. */
  readonly broken: Promise<never>;

  readonly #deps: PaperSessionDeps;
  readonly #exchange: Exchange;
  readonly #index: RestingIndex;
  readonly #journals = new Map<AccountId, StateJournal>();
  readonly #totals = new Map<AccountId, AccountTotals>();
  readonly #loaded = new Map<AccountId, LoadedAccount>();
  readonly #loading = new Map<AccountId, Promise<void>>();
  readonly #watches = new Map<ContractCode, () => void>();
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;
  #reject: (cause: unknown) => void = () => undefined;

  constructor(deps: PaperSessionDeps) {
    this.#deps = deps;
    this.broken = new Promise((_, reject) => (this.#reject = reject));
    // Whoever runs the session waits for it too; a break after the end concerns nobody.
    this.broken.catch(() => undefined);
    const { connectionId, store } = deps;
    const onBroken = (cause: unknown) => this.fail(cause);
    this.#index = new RestingIndex({ connectionId, store, onBroken });
    this.#exchange = new Exchange({
      product: deps.product,
      now: deps.now,
      feeOf: deps.feeOf,
      sessionHours: deps.sessionHours,
      events: {
        onReport: (account, report) => this.#report(account, report),
        onChange: (account, kind, id) => this.#journals.get(account)?.changed(entryKey(kind, id)),
        onInterest: (contract, isWanted) => this.#watch(contract, isWanted),
      },
    });
  }

  /** Brings back the accounts whose orders must go on, a few hundred at a time. */
  async start(): Promise<void> {
    const resting = await this.#index.load();
    const known = resting.filter((account) => this.#deps.accounts.has(account));
    for (let from = 0; from < known.length && !this.#isClosed; from += LOADS_AT_ONCE) {
      const batch = known.slice(from, from + LOADS_AT_ONCE);
      await Promise.all(batch.map((account) => this.#load(account)));
    }
    if (this.#isClosed) return;
    this.#every(EXPIRY_CHECK_MS, () => this.#exchange.expireOrders());
    this.#every(HOUSEKEEPING_MS, () => this.#keepHouse());
  }

  fail(cause: unknown): void {
    this.#reject(cause);
  }

  /** Ends the session: what is being written is waited for, and nothing is begun any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const unwatch of this.#watches.values()) unwatch();
    this.#watches.clear();

    const journals = [...this.#journals.values()];
    const drained = Promise.all(journals.map((journal) => journal.settled()));
    const limit = new AbortController();
    const late = sleep(DRAIN_MS, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([drained.then(() => this.#index.settled()), late]);
    limit.abort();
    for (const journal of [...journals, this.#index]) journal.abandon();
  }

  /** Makes sure that the account is in memory; undefined when it is there already. */
  ready(account: AccountId): Promise<void> | undefined {
    return this.#loaded.has(account) ? undefined : this.#load(account);
  }

  /** Carries out a command at once, and answers when what it did is durable. */
  command<Answer>(
    id: AccountId,
    run: (exchange: Exchange) => Answer,
  ): Promise<Answer | CommandFailure> {
    const { journal } = this.#use(id);
    const answer = run(this.#exchange);
    return new Promise((resolve) => {
      journal.defer({
        tell: () => resolve(answer),
        drop: (mayBeWritten) => resolve(lost(mayBeWritten)),
      });
    });
  }

  /** Reads the account as it stands, and answers when that is durable: mostly at once. */
  read<Answer>(
    id: AccountId,
    run: (account: ExchangeAccount, totals: AccountTotals) => Answer,
  ): Answer | Promise<Answer> {
    const { journal, account } = this.#use(id);
    const answer = run(account, this.#totalsOf(id));
    if (journal.isSettled) return answer;
    return new Promise((resolve, reject) => {
      journal.defer({
        tell: () => resolve(answer),
        drop: () => reject(new BrokerReadError("The paper broker's state could not be written")),
      });
    });
  }

  /** Shows the exchange the quote that stands now. */
  refresh(contract: ContractCode): void {
    if (this.#deps.product(contract) === undefined) return;
    const quote = this.#deps.feed.quote(contract);
    if (quote !== undefined) this.#exchange.setQuote(contract, quote);
  }

  #use(id: AccountId): LoadedAccount {
    const loaded = this.#loaded.get(id);
    if (loaded === undefined) throw new BrokerReadError(`Paper account ${id} is not loaded`);
    loaded.usedAt = this.#deps.now();
    return loaded;
  }

  #load(id: AccountId): Promise<void> {
    const running = this.#loading.get(id);
    if (running !== undefined) return running;
    const load = this.#loadNow(id).finally(() => this.#loading.delete(id));
    this.#loading.set(id, load);
    return load;
  }

  async #loadNow(id: AccountId): Promise<void> {
    const entries = await this.#deps.store.load(id);
    if (this.#isClosed) return;
    const state = decodeAccount(id, entries);
    const journal = this.#journalOf(id, entries.get(VERSION_KEY));
    this.#journals.set(id, journal);
    this.#totals.set(id, state?.totals ?? new Map());
    const account = this.#exchange.addAccount(id, state);
    this.#loaded.set(id, { journal, account, usedAt: this.#deps.now() });
    const contracts = new Set([...account.working.values()].map(({ contract }) => contract));
    for (const contract of contracts) this.refresh(contract);
  }

  #journalOf(id: AccountId, version: string | undefined): StateJournal {
    return new StateJournal({
      account: id,
      store: this.#deps.store,
      version,
      encode: (key) => {
        const account = this.#exchange.account(id);
        return account && encodeEntry({ account, totals: this.#totalsOf(id) }, key);
      },
      beforeCommit: async () => {
        const works = (this.#exchange.account(id)?.working.size ?? 0) > 0;
        if (works) await this.#index.mark(id);
      },
      onBroken: (cause) => this.fail(cause),
    });
  }

  #report(account: AccountId, report: ExecutionReport): void {
    if (report.fill !== undefined) this.#count(account, report.fill);
    const tell = () => this.#deps.onReport(account, report);
    this.#journals.get(account)?.defer({ tell, drop: untold });
  }

  /** Stored with the fill: the exchange has told already that the account changed. */
  #count(account: AccountId, fill: Fill): void {
    const currency = this.#deps.product(fill.contract)?.currency;
    assert(currency !== undefined, `${fill.contract} has been traded, so it is known`);
    const dayBeganAt = this.#deps.dayBeganAt(fill.transactTimeAt);
    const totals = addFill(this.#totalsOf(account), fill, { currency, dayBeganAt });
    this.#totals.set(account, totals);
  }

  #totalsOf(account: AccountId): AccountTotals {
    return this.#totals.get(account) ?? new Map();
  }

  #watch(contract: ContractCode, isWanted: boolean): void {
    if (this.#isClosed) return;
    this.#watches.get(contract)?.();
    this.#watches.delete(contract);
    if (!isWanted) return;
    const onQuote = (quote: Parameters<Exchange["setQuote"]>[1]) =>
      this.#exchange.setQuote(contract, quote);
    this.#watches.set(contract, this.#deps.feed.watch(contract, onQuote));
  }

  #keepHouse(): void {
    const now = this.#deps.now();
    for (const { account } of this.#loaded.values()) {
      for (const contract of account.positions.keys()) {
        if (this.#deps.product(contract)?.isExpired(now) === true) this.refresh(contract);
      }
    }
    this.#exchange.expireContracts();
    for (const [id, { account, journal, usedAt }] of this.#loaded) {
      const rests = account.working.size === 0 && journal.isIdle && usedAt <= now - IDLE_MS;
      if (rests) this.#unload(id);
    }
  }

  #unload(id: AccountId): void {
    this.#exchange.removeAccount(id);
    this.#journals.delete(id);
    this.#totals.delete(id);
    this.#loaded.delete(id);
    this.#index.unmark(id);
  }

  #every(ms: number, run: () => void): void {
    this.#timers.push(setInterval(run, ms).unref());
  }
}

const untold = (): void => undefined;

function lost(mayBeWritten: boolean): CommandFailure {
  if (mayBeWritten) {
    return { kind: "unknown", reason: "The paper broker's state may not have been written" };
  }
  return { kind: "notSent", reason: "The paper broker's session ended before the command was run" };
}
