import { BrokerReadError } from "../../trading/ports.ts";
import type { ContractDesk } from "./contract-desk.ts";
import type { EntityStore } from "./entity-store.ts";
import { MovedMoney } from "./moved-money.ts";
import type { PositionCheck } from "./position-check.ts";
import { BudgetUsedUpError, type Purpose } from "./requests.ts";
import { ANSWERS_LATE_MS, type Snapshot } from "./snapshot.ts";
import type { Waits } from "../waits.ts";
import type { ProjectXOrder, ProjectXTrade } from "./wire.ts";

export interface QuestionsDeps {
  readonly store: EntityStore;
  readonly contracts: ContractDesk;
  readonly snapshot: Snapshot;
  readonly positions: PositionCheck;
  readonly waits: Waits;
  /** When the hub was heard last. */
  readonly heardAt: () => number | undefined;
  readonly elapsed: () => number;
}

/** What is asked of what is held. */
export interface HeldQuestion {
  /** The broker's id of it; without one it is all contracts. */
  readonly contract?: string;
  readonly purpose?: "protect" | "read";
}

/** The hub pings every 15 s: what it told until then is the broker's word of now. */
const HEARD_WITHIN_MS = 20_000;
const ACCOUNTS_FRESH_MS = 30_000;
/** So long a read waits for the hub before it asks again, and so often it does that. */
const AGREES_WITHIN_MS = 400;
const AGREE_TURNS = 3;

/**
 * What the broker is asked of accounts now. Where the budget for questions is used up, what the hub has
 * told since the last answer is as good, as long as it is heard. Every question throws
 * `BrokerReadError`.
 */
export class Questions {
  readonly #deps: QuestionsDeps;
  /** When accounts were asked of last; those whose snapshot is in. */
  readonly #answeredAt = new Map<string, number>();
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
      const isAsGood = this.#accountsAt > Number.NEGATIVE_INFINITY && this.#isHeard();
      if (!(error instanceof BudgetUsedUpError) || !isAsGood) throw error;
    }
  }

  /**
   * Asks for accounts where no answer has told of them lately, or one has traded since. Answers how long
   * ago the broker was heard on it, ms: one that it does not speak of is as it was, unless it has traded.
   */
  async accountIfOld(account: string): Promise<number> {
    const { elapsed, heardAt } = this.#deps;
    const isOld = elapsed() - this.#accountsAt > ACCOUNTS_FRESH_MS;
    if (isOld || this.#moved.has(account)) await this.accounts();
    const isAsItWas = this.#isHeard() && !this.#moved.has(account);
    const heard = isAsItWas ? (heardAt() ?? 0) : 0;
    return Math.max(0, elapsed() - Math.max(this.#accountsAt, heard));
  }

  /** What it holds. */
  async positions(account: string, purpose: Purpose = "read"): Promise<void> {
    await this.#askOrBelieve(account, purpose, () =>
      this.#deps.snapshot.positions(account, purpose),
    );
  }

  /** What it has working. */
  async orders(account: string, purpose: Purpose = "read"): Promise<void> {
    await this.#askOrBelieve(account, purpose, () => this.#deps.snapshot.orders(account, purpose));
  }

  /**
   * What it holds, of one contract or of all, once that agrees with what was traded: both are told, and
   * each may be late.
   */
  async settledPositions(
    account: string,
    tradesSince: number,
    { contract, purpose = "read" }: HeldQuestion = {},
  ): Promise<void> {
    const { positions, waits } = this.#deps;
    const doAgree = () => {
      positions.preferTold(account, ANSWERS_LATE_MS);
      return positions.agrees(account, contract);
    };
    for (let turn = 0; turn < AGREE_TURNS; turn += 1) {
      await this.positions(account, purpose);
      positions.begin(account);
      if (await waits.until(doAgree, AGREES_WITHIN_MS)) return;
      if (turn === 0) await this.#lookForTrades(account, tradesSince);
    }
    if (!doAgree()) throw new BrokerReadError("ProjectX's trades and its positions do not agree");
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
  async orderAgain(account: string, id: string): Promise<ProjectXOrder | undefined> {
    try {
      return await this.order(account, id, "read");
    } catch (error) {
      if (!this.#mayBelieve(account, error)) throw error;
      return this.#deps.store.order(id);
    }
  }

  /** Every trade of the account since then, with the orders that name them. */
  async trades(account: string, since: number): Promise<void> {
    const { snapshot, store, contracts } = this.#deps;
    const ids = await snapshot.trades(account, since, "load");
    const trades = ids.flatMap((id) => store.trade(id) ?? []);
    const isNameless = ({ orderId }: ProjectXTrade) => store.order(orderId) === undefined;
    if (trades.some(isNameless)) await snapshot.history(account, since, "load");
    const orders = new Set(trades.filter(isNameless).map(({ orderId }) => orderId));
    for (const id of orders) await snapshot.order(account, id, "load");
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
  async #askOrBelieve(account: string, purpose: Purpose, ask: () => Promise<void>): Promise<void> {
    try {
      if (!this.#answeredAt.has(account)) {
        await this.whole(account, purpose === "read" ? "load" : purpose);
      } else {
        await ask();
        this.#answeredAt.set(account, this.#deps.elapsed());
      }
    } catch (error) {
      if (!this.#mayBelieve(account, error)) throw error;
    }
    await this.contractsOf(account);
  }

  /** Whether what the hub has told stands for the answer that failed. */
  #mayBelieve(account: string, failure: unknown): boolean {
    const isAsGood = this.#answeredAt.has(account) && this.#isHeard();
    return failure instanceof BudgetUsedUpError && isAsGood;
  }

  /** One that the hub has left out is in a list; who cannot ask goes without. */
  async #lookForTrades(account: string, since: number): Promise<void> {
    await this.#deps.snapshot.trades(account, since, "entry").catch((error: unknown) => {
      if (!(error instanceof BrokerReadError)) throw error;
    });
  }

  #isHeard(): boolean {
    const { elapsed, heardAt } = this.#deps;
    return elapsed() - (heardAt() ?? Number.NEGATIVE_INFINITY) <= HEARD_WITHIN_MS;
  }
}
