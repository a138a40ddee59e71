import { BrokerReadError } from "../../trading/ports.ts";
import type { ContractDesk } from "./contract-desk.ts";
import type { EntityStore } from "./entity-store.ts";
import type { About, LastWords } from "./last-words.ts";
import { MovedMoney } from "./moved-money.ts";
import type { PositionCheck } from "./position-check.ts";
import { BudgetUsedUpError, type Purpose } from "./requests.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Waits } from "../waits.ts";
import type { ProjectXOrder, ProjectXTrade } from "./wire.ts";

export interface QuestionsDeps {
  readonly store: EntityStore;
  readonly contracts: ContractDesk;
  readonly snapshot: Snapshot;
  readonly positions: PositionCheck;
  readonly waits: Waits;
  readonly words: LastWords;
  readonly elapsed: () => number;
}

/** What is asked of what is held. */
export interface HeldQuestion {
  /** The broker's id of it; without one it is all contracts. */
  readonly contract?: string;
  readonly purpose?: Purpose;
}

const ACCOUNTS_FRESH_MS = 30_000;
/** So long a read waits for the hub before it asks again, and so often it does that. */
const AGREES_WITHIN_MS = 400;
const AGREE_TURNS = 3;
/** An exit waits for answers that are behind the hub: it is sized by nothing else. */
const EXIT_TURNS = 8;

/**
 * Asks the broker of accounts now. A question that can be spared is answered by the broker's word of a
 * moment ago on the same subject, where the budget has no room for it. No order is decided on that. Every
 * question throws `BrokerReadError`.
 */
export class Questions {
  readonly #deps: QuestionsDeps;
  /** When accounts were asked of last; those whose snapshot is in. */
  readonly #answeredAt = new Map<string, number>();
  /** Accounts whose trades were asked for, by when that was. */
  readonly #tradesAskedAt = new Map<string, number>();
  readonly #moved: MovedMoney;
  #accountsAt = Number.NEGATIVE_INFINITY;

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
    this.#moved = new MovedMoney(deps);
  }

  /** Everything that stands in an account: what a session begins with. */
  async whole(account: string, purpose: Purpose = "load"): Promise<void> {
    await this.#deps.snapshot.whole(account, purpose);
    this.#answeredAt.set(account, this.#deps.elapsed());
  }

  async accounts(purpose: Purpose = "read"): Promise<void> {
    try {
      await this.#moved.settle(() => this.#deps.snapshot.accounts(purpose));
      this.#accountsAt = this.#deps.elapsed();
    } catch (error) {
      const isAsGood = this.#deps.elapsed() - this.#accountsAt <= ACCOUNTS_FRESH_MS;
      if (!(error instanceof BudgetUsedUpError) || !isAsGood) throw error;
    }
  }

  /**
   * Asks for accounts where no answer has told of them lately, or one has traded since. Answers how long
   * ago the broker spoke of it, ms.
   */
  async accountIfOld(account: string): Promise<number> {
    const { elapsed, words, snapshot } = this.#deps;
    const isOld = elapsed() - this.#accountsAt > ACCOUNTS_FRESH_MS;
    if (isOld || this.#moved.has(account)) await this.accounts();
    const saidAt = Math.max(snapshot.listedAt(account), words.saidAt("account", account));
    return Math.max(0, elapsed() - saidAt);
  }

  /** What it holds. */
  async positions(account: string, purpose: Purpose = "read"): Promise<void> {
    await this.#askOrBelieve(account, "positions", purpose);
  }

  /** What it has working. */
  async orders(account: string, purpose: Purpose = "read"): Promise<void> {
    await this.#askOrBelieve(account, "orders", purpose);
  }

  /**
   * Its positions, of one contract or of all, once they agree with its trades: each may be late. An exit
   * takes no word of the hub in place of an answer.
   */
  async settledPositions(
    account: string,
    tradesSince: number,
    { contract, purpose = "read" }: HeldQuestion = {},
  ): Promise<void> {
    const { positions, snapshot, waits } = this.#deps;
    const isExit = purpose === "protect";
    const doAgree = () => {
      if (!isExit) positions.preferTold(account, this.#tradesAskedAt.get(account));
      return positions.agrees(account, contract);
    };
    for (let turn = 1; turn <= (isExit ? EXIT_TURNS : AGREE_TURNS); turn += 1) {
      await this.positions(account, purpose);
      positions.begin(account);
      if (doAgree()) return;
      // An answer that is behind needs no wait for the hub.
      const isBehind = positions.isBehind(account);
      if (turn === 1 && isBehind) await this.#lookForTrades(account, tradesSince, purpose);
      if (await waits.until(doAgree, AGREES_WITHIN_MS)) return;
      if (turn === 1 && !isBehind) await this.#lookForTrades(account, tradesSince, purpose);
      if (turn >= AGREE_TURNS) positions.believe(account, snapshot.positionsAskedAt(account));
      if (doAgree()) return;
    }
    throw new BrokerReadError("ProjectX's trades and its positions do not agree");
  }

  /** Undefined where the broker shows no such order. */
  async order(
    account: string,
    id: string,
    purpose: Purpose = "protect",
  ): Promise<ProjectXOrder | undefined> {
    const found = await this.#deps.snapshot.order(account, id, purpose);
    if (found?.contractId !== undefined) await this.#deps.contracts.learn(found.contractId);
    return found;
  }

  /** The same of an order that was told of before. */
  async orderAgain(
    account: string,
    id: string,
    purpose: Purpose,
  ): Promise<ProjectXOrder | undefined> {
    try {
      return await this.order(account, id, purpose);
    } catch (error) {
      if (!this.#mayBelieve(account, "orders", purpose, error)) throw error;
      return this.#deps.store.order(id);
    }
  }

  /**
   * Every trade of the account since then, with the orders that name them. A session begins with the first
   * of these questions.
   */
  async trades(account: string, since: number): Promise<void> {
    const { snapshot, store, contracts } = this.#deps;
    const purpose = this.#tradesAskedAt.has(account) ? "entry" : "load";
    const ids = await this.#askForTrades(account, since, purpose);
    const trades = ids.flatMap((id) => store.trade(id) ?? []);
    const isNameless = ({ orderId }: ProjectXTrade) => store.order(orderId) === undefined;
    if (trades.some(isNameless)) await snapshot.history(account, since, purpose);
    const orders = new Set(trades.filter(isNameless).map(({ orderId }) => orderId));
    for (const id of orders) await snapshot.order(account, id, purpose);
    for (const id of new Set(trades.map(({ contractId }) => contractId))) await contracts.learn(id);
  }

  /** What is held and what there are orders for is called by its name. */
  async contractsOf(account: string): Promise<void> {
    const { store, contracts } = this.#deps;
    const used = [...store.positionsOf(account), ...store.ordersOf(account)];
    const ids = new Set(used.flatMap(({ contractId }) => contractId ?? []));
    for (const id of ids) await contracts.learn(id);
  }

  /** Whether the account's snapshot is in. */
  hasAsked(account: string): boolean {
    return this.#answeredAt.has(account);
  }

  /** Accounts of which nothing was asked for so long, those first that have waited longest. */
  unaskedFor(ms: number): readonly string[] {
    const now = this.#deps.elapsed();
    return [...this.#answeredAt]
      .filter(([, at]) => now - at >= ms)
      .sort(([, a], [, b]) => a - b)
      .map(([account]) => account);
  }

  /** Accounts of which something was told that could not be read, and nothing asked since. */
  get doubted(): readonly string[] {
    return this.unaskedFor(Number.POSITIVE_INFINITY);
  }

  /** What was told cannot be relied on: of one account, or of any. One that is not asked for stays so. */
  doubt(account: string | undefined): void {
    for (const one of this.#answeredAt.keys()) {
      if (account !== undefined && one !== account) continue;
      this.#answeredAt.set(one, Number.NEGATIVE_INFINITY);
    }
  }

  /** Of an account whose snapshot is not in everything is asked first: nothing could be believed. */
  async #askOrBelieve(
    account: string,
    about: "orders" | "positions",
    purpose: Purpose,
  ): Promise<void> {
    try {
      if (!this.#answeredAt.has(account)) {
        await this.whole(account, purpose === "read" ? "load" : purpose);
      } else {
        await this.#deps.snapshot[about](account, purpose);
        this.#answeredAt.set(account, this.#deps.elapsed());
      }
    } catch (error) {
      if (!this.#mayBelieve(account, about, purpose, error)) throw error;
    }
    await this.contractsOf(account);
  }

  /** Whether the broker's word of a moment ago serves in place of the answer that failed. */
  #mayBelieve(account: string, about: About, purpose: Purpose, failure: unknown): boolean {
    const isSpared = purpose === "read" && failure instanceof BudgetUsedUpError;
    return isSpared && this.#answeredAt.has(account) && this.#deps.words.isGood(about, account);
  }

  /** One that the hub has left out is in a list; who cannot ask goes without. */
  async #lookForTrades(account: string, since: number, purpose: Purpose): Promise<void> {
    const how = purpose === "read" ? "entry" : purpose;
    await this.#askForTrades(account, since, how).catch((error: unknown) => {
      if (!(error instanceof BrokerReadError)) throw error;
    });
  }

  async #askForTrades(
    account: string,
    since: number,
    purpose: Purpose,
  ): Promise<readonly string[]> {
    const askedAt = this.#deps.elapsed();
    const ids = await this.#deps.snapshot.trades(account, since, purpose);
    this.#tradesAskedAt.set(account, askedAt);
    return ids;
  }
}
