import { BrokerReadError } from "../../trading/ports.ts";
import type { EntityStore } from "./entity-store.ts";
import type { LastWords } from "./last-words.ts";
import { entryByTag } from "./order-view.ts";
import { hasEnded, isRecord, listOf, parseInstant, toId, toWireId } from "./parse.ts";
import { goesBefore, type Purpose } from "./rate-budget.ts";
import { BudgetUsedUpError, type Requests } from "./requests.ts";
import { readLegTag } from "./leg-tags.ts";
import { Rounds } from "./rounds.ts";
import { ORDER_STATUS, type ProjectXAnswer, type ProjectXOrder } from "./wire.ts";

export interface SnapshotDeps {
  readonly store: EntityStore;
  readonly requests: Pick<Requests, "read" | "find">;
  readonly words: LastWords;
  /** Something was answered that cannot be. */
  readonly onTrouble: (error: unknown) => void;
  readonly now: () => number;
  readonly elapsed: () => number;
}

/** So long an answer may be behind what the hub has told. */
export const ANSWERS_LATE_MS = 10_000;

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How far back entries of working legs, and orders by their tags, are looked for. */
const HISTORY_MS = 7 * DAY_MS;
/** Clocks differ; what is asked for since a moment is asked for since a little earlier. */
const CLOCK_SLACK_MS = 60_000;
const LATEST = Date.UTC(9999, 0);
/** The hub may say something while an answer is on its way; then it is asked again, so often. */
const ROUNDS = 3;

/** What is asked of the broker about single accounts, and merged into what the hub has told. */
export class Snapshot {
  readonly #deps: SnapshotDeps;
  readonly #positions = new Rounds<Purpose>(
    (account, how) => this.#askPositions(account, how),
    goesBefore,
  );
  readonly #orders = new Rounds<Purpose>(
    (account, how) => this.#askOrders(account, how),
    goesBefore,
  );
  /** What the hub has said of an account's positions and orders, counted. */
  readonly #heard = new Map<string, number>();
  /** When the hub has told of an order last. */
  readonly #toldAt = new Map<string, number>();
  /** When accounts were asked for by an answer that listed the account. */
  readonly #listedAt = new Map<string, number>();
  /** Accounts that the newest answer lacks. */
  #missing: ReadonlySet<string> = new Set();
  /** When positions were asked for that are known now. */
  readonly #positionsAskedAt = new Map<string, number>();
  #isAnswering = false;
  /** Orders that were open, are listed no more, and of which nothing else is known. */
  readonly #vanished = new Map<string, string>();

  constructor(deps: SnapshotDeps) {
    this.#deps = deps;
  }

  /** Whether what the store hears now is an answer, and may be of the past. */
  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  /** The hub has told something of an account, of one of its orders perhaps. */
  noteHeard(account: string, order?: string): void {
    this.#heard.set(account, (this.#heard.get(account) ?? 0) + 1);
    if (order !== undefined) this.#toldAt.set(order, this.#deps.elapsed());
  }

  /** The order is not kept any more. */
  forget(order: string): void {
    this.#toldAt.delete(order);
    this.#vanished.delete(order);
  }

  /** Orders of the account that the broker lists no more and does not explain. */
  vanishedOf(account: string): readonly ProjectXOrder[] {
    const { store } = this.#deps;
    return [...this.#vanished]
      .filter(([, of]) => of === account)
      .flatMap(([id]) => store.order(id) ?? [])
      .filter(({ status }) => !hasEnded(status));
  }

  /** Throws `BrokerReadError`, as all that follows. */
  async accounts(purpose: Purpose): Promise<void> {
    const { store, requests, words, elapsed } = this.#deps;
    const askedAt = elapsed();
    const answer = await requests.read("Account/search", { onlyActiveAccounts: false }, purpose);
    const listed = wholeList(answer, "accounts");
    const idOf = (one: unknown) => (isRecord(one) ? toId(one["id"]) : undefined);
    // No account says of when it is: what the hub has told meanwhile is the newer one.
    const isNews = (id = "") => words.saidAt("account", id) < askedAt;
    const ids = new Set(listed.map(idOf));
    for (const id of ids) if (id !== undefined) this.#listedAt.set(id, askedAt);
    this.#answering(() => {
      for (const account of listed) if (isNews(idOf(account))) store.apply("account", account);
      const missing = store.accounts().filter(({ id }) => !ids.has(id) && isNews(id));
      // One answer may lack it by mistake. An account that is gone may hold something still: it may not trade.
      for (const account of missing) {
        if (this.#missing.has(account.id)) store.apply("account", account, true);
      }
      this.#missing = new Set(missing.map(({ id }) => id));
    });
  }

  /** When the account was last listed, by the steady clock; before all time where it never was. */
  listedAt(account: string): number {
    return this.#listedAt.get(account) ?? Number.NEGATIVE_INFINITY;
  }

  /** By the steady clock; before all time where no answer has shown them. */
  positionsAskedAt(account: string): number {
    return this.#positionsAskedAt.get(account) ?? Number.NEGATIVE_INFINITY;
  }

  positions(account: string, purpose: Purpose): Promise<void> {
    return this.#positions.next(account, purpose);
  }

  orders(account: string, purpose: Purpose): Promise<void> {
    return this.#orders.next(account, purpose);
  }

  /** Everything that stands in an account, with what belongs to it. */
  async whole(account: string, purpose: Purpose): Promise<void> {
    await Promise.all([this.positions(account, purpose), this.orders(account, purpose)]);
    const { store } = this.#deps;
    const working = store.ordersOf(account).filter(({ status }) => !hasEnded(status));
    const orphans = working.filter((order) => {
      const isLeg = order.customTag !== undefined && readLegTag(order.customTag) !== undefined;
      return isLeg && order.parentOrderId === undefined && entryByTag(store, order) === undefined;
    });
    if (orphans.length > 0) await this.history(account, this.#deps.now() - HISTORY_MS, purpose);
    const filling = working.filter(({ fillVolume }) => (fillVolume ?? 0) > 0);
    if (filling.length === 0) return;
    await this.trades(account, Math.min(...filling.map(createdAt)), purpose);
  }

  /** Every order that was placed since then, whatever became of it. */
  async history(account: string, since: number, purpose: Purpose): Promise<void> {
    const { requests } = this.#deps;
    const answer = await requests.read("Order/search", span(account, since), purpose);
    for (const order of wholeList(answer, "orders")) this.take("order", order, account);
  }

  /** Every trade since then; answers their ids. */
  async trades(account: string, since: number, purpose: Purpose): Promise<readonly string[]> {
    const { requests } = this.#deps;
    const answer = await requests.read("Trade/search", span(account, since), purpose);
    return wholeList(answer, "trades").flatMap((trade) => {
      this.take("trade", trade, account);
      return (isRecord(trade) ? toId(trade["id"]) : undefined) ?? [];
    });
  }

  /** Undefined where the broker shows no such order. */
  async order(account: string, id: string, purpose: Purpose): Promise<ProjectXOrder | undefined> {
    const { store, requests } = this.#deps;
    const body = { accountId: toWireId(account), orderId: toWireId(id) };
    const answer = await requests.find("Order/searchById", body, purpose);
    const order = answer?.body["order"];
    if (!isRecord(order) || toId(order["id"]) !== id) return undefined;
    this.take("order", order, account);
    return store.order(id);
  }

  /** Takes what an answer lists of an account. */
  take(type: "order" | "trade", value: unknown, account: string): void {
    this.#answering(() => this.#deps.store.apply(type, withAccount(value, account)));
  }

  #answering(take: () => void): void {
    this.#isAnswering = true;
    try {
      take();
    } finally {
      this.#isAnswering = false;
    }
  }

  async #askPositions(account: string, purpose: Purpose): Promise<void> {
    const { store, requests, words, elapsed } = this.#deps;
    for (let round = 1; ; round += 1) {
      const heard = this.#heard.get(account);
      const askedAt = elapsed();
      const body = { accountId: toWireId(account) };
      const answer = await requests.read("Position/searchOpen", body, purpose);
      const listed = wholeList(answer, "positions");
      // No position says of when it is: an answer that the hub has overtaken may be the older one.
      if (heard !== this.#heard.get(account) && round < ROUNDS) continue;
      const rows = listed.map((one) => withAccount(one, account));
      this.#positionsAskedAt.set(account, askedAt);
      words.note("positions", account, askedAt);
      this.#answering(() => store.replacePositions(account, rows));
      return;
    }
  }

  async #askOrders(account: string, purpose: Purpose): Promise<void> {
    const { store, requests, words, elapsed } = this.#deps;
    const askedAt = elapsed();
    const before = store.ordersOf(account).filter(({ status }) => isListed(status));
    const body = { accountId: toWireId(account) };
    const answer = await requests.read("Order/searchOpen", body, purpose);
    const listed = wholeList(answer, "orders");
    const ids = new Set(listed.map((one) => (isRecord(one) ? toId(one["id"]) : undefined)));
    for (const order of listed) this.take("order", order, account);
    const gone = before.filter((order) => !ids.has(order.id) && store.order(order.id) === order);
    await Promise.all(gone.map((order) => this.#askWhatBecameOf(order, purpose)));
    words.note("orders", account, askedAt);
  }

  /** That an open order is listed no more says nothing: it may have filled, or not be listed yet. */
  async #askWhatBecameOf({ id, accountId }: ProjectXOrder, purpose: Purpose): Promise<void> {
    const found = await this.order(accountId, id, purpose === "read" ? "entry" : purpose).catch(
      (error: unknown) => {
        if (!(error instanceof BrokerReadError) || error instanceof BudgetUsedUpError) throw error;
        this.#deps.onTrouble(error);
        return undefined;
      },
    );
    const toldMs = this.#deps.elapsed() - (this.#toldAt.get(id) ?? Number.NEGATIVE_INFINITY);
    // What was told a moment ago may be in no answer yet.
    if (found === undefined && toldMs > ANSWERS_LATE_MS) this.#vanished.set(id, accountId);
    else this.#vanished.delete(id);
  }
}

/** What a list of open orders has in it; what waits for its entry, or to be taken, is in none. */
const isListed = (status: number | undefined): boolean =>
  !hasEnded(status) &&
  status !== ORDER_STATUS.suspended &&
  status !== ORDER_STATUS.pending &&
  status !== ORDER_STATUS.none;

const createdAt = ({ creationTimestamp }: ProjectXOrder): number => parseInstant(creationTimestamp);

/** What is no moment at all is one at either end of time. */
const span = (account: string, since: number) => ({
  accountId: toWireId(account),
  startTimestamp: new Date(Math.min(Math.max(0, since - CLOCK_SLACK_MS), LATEST)).toISOString(),
});

/** Whose it is, is known of what was asked for of one account. */
const withAccount = (value: unknown, account: string): unknown =>
  isRecord(value) && toId(value["accountId"]) === undefined
    ? { ...value, accountId: account }
    : value;

function wholeList(answer: ProjectXAnswer, name: string): readonly unknown[] {
  const list = listOf(answer, name);
  if (list === undefined) throw new BrokerReadError(`ProjectX's answer lists no ${name}`);
  return list;
}
