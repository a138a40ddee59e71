import type { AccountId } from "../../domain/ids.ts";
import type { BrokerReport } from "../../domain/order.ts";
import type { ContractDesk } from "./contract-desk.ts";
import type { Change, EntityStore } from "./entity-store.ts";
import type { LastWords } from "./last-words.ts";
import { updatedAt } from "./order-view.ts";
import { hasEnded, parseInstant } from "./parse.ts";
import type { PositionCheck } from "./position-check.ts";
import type { Questions } from "./questions.ts";
import { ReportPublisher } from "./report-publisher.ts";
import type { Snapshot } from "./snapshot.ts";
import type { ProjectXOrder, ProjectXTrade } from "./wire.ts";

export interface NewsDeps {
  readonly store: EntityStore;
  readonly contracts: ContractDesk;
  readonly snapshot: Snapshot;
  readonly positions: PositionCheck;
  readonly words: LastWords;
  readonly questions: Questions;
  readonly accountOf: (brokerAccount: string) => AccountId;
  readonly onReport: (account: AccountId, report: BrokerReport) => void;
  readonly onTrouble: (error: unknown) => void;
  /** Ends all looking after. */
  readonly signal: AbortSignal;
  /** The broker's time, Unix ms: what it lists is compared with it. */
  readonly now: () => number;
  readonly elapsed: () => number;
}

/** What belongs together comes together; so long a part of it may be late. */
const PARTS_WITHIN_MS = 5_000;
/** How often the broker answers for what is missing before that is told without it. */
const ANSWERED_MOST = 3;
/** Where it does not answer it is asked ever less often, up to so many times less. */
const RARER_MOST = 6;
const SWEEP_EVERY_MS = 250;
/** More than a busy day has. */
const ORDERS_KEPT = 20_000;
/** Of an account in which something is open nothing is believed for longer without asking. */
const CHECK_AFTER_MS = 30_000;
/** A hub that has fallen silent says nothing of an account at rest either. */
const CHECK_QUIET_AFTER_MS = 5 * 60_000;
const CHECK_EVERY_MS = 3_000;
const LATELY_MS = 60_000;

/** What has happened since the session began: told as reports, and asked for where a part is missing. */
export class News {
  readonly #deps: NewsDeps;
  readonly #publisher: ReportPublisher;
  /** How often an order was asked for, and answered for, and when it may be asked for again. */
  readonly #asked = new Map<
    string,
    { readonly times: number; readonly answered: number; readonly again: number }
  >();
  /** Accounts whose positions are being asked for, and until when they are left alone after that. */
  readonly #settling = new Set<string>();
  readonly #settledUntil = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #begunAt: number | undefined;
  #checkedAt = 0;
  /** When accounts were asked for that have not been answered for since. */
  readonly #triedAt = new Map<string, number>();

  constructor(deps: NewsDeps) {
    this.#deps = deps;
    const { store, contracts, accountOf, onReport, elapsed } = deps;
    this.#publisher = new ReportPublisher({
      store,
      contractById: contracts.byId,
      accountOf,
      onReport,
      elapsed,
    });
  }

  /** When the session began, Unix ms by the broker's clock; undefined before. */
  get begunAt(): number | undefined {
    return this.#begunAt;
  }

  /** What is known of these accounts now is no news; all that follows is. */
  begin(accounts: readonly string[]): void {
    this.#begunAt = this.#deps.now();
    for (const account of accounts) this.beginWith(account);
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MS);
  }

  beginWith(account: string): void {
    this.#publisher.begin(account);
    if (this.#deps.questions.hasAsked(account)) this.#deps.positions.begin(account);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  /** Tells what a change comes to. */
  take({ type, entity }: Exclude<Change, { readonly type: "account" }>): void {
    if (this.#begunAt === undefined) return;
    switch (type) {
      case "order":
        return this.#takeOrder(entity);
      case "trade":
        return this.#takeTrade(entity);
      case "position":
        this.#deps.positions.notePosition(entity);
    }
  }

  #takeOrder(order: ProjectXOrder): void {
    const isPast = this.#isPast(order.id, updatedAt(order), order.status);
    if (isPast) {
      this.#publisher.pass(order.id);
      return;
    }
    if ((order.fillVolume ?? 0) > 0) this.#deps.words.noteFilled(order.accountId);
    this.#publish(order.id);
  }

  #takeTrade(trade: ProjectXTrade): void {
    const { store, positions, snapshot } = this.#deps;
    this.#publisher.noteChanged(trade);
    const at = parseInstant(trade.creationTimestamp);
    if (this.#isPast(trade.orderId, at, store.order(trade.orderId)?.status)) {
      this.#publisher.passTrade(trade);
      positions.passTrade(trade);
    } else {
      // The hub tells what happens: until now it was in what was held as the session began.
      const isOfEarlier = at < (this.#begunAt ?? 0) && !snapshot.isAnswering;
      if (trade.voided && isOfEarlier) positions.takeBack(trade);
      // What the order had filled by then is in what was held by then.
      else if (this.#publisher.isEarlier(trade)) positions.passTrade(trade);
      else positions.noteTrade(trade, !snapshot.isAnswering);
      this.#publish(trade.orderId);
    }
  }

  /** Answers list what was over before the session began. */
  #isPast(order: string, at: number, status: number | undefined): boolean {
    const isOld = this.#deps.snapshot.isAnswering && at < (this.#begunAt ?? 0);
    if (!isOld || this.#publisher.isOpen(order)) return false;
    return !this.#publisher.knows(order) || hasEnded(status);
  }

  #publish(id: string): void {
    const { store, contracts, onTrouble } = this.#deps;
    this.#publisher.publish(id);
    const used = [store.order(id), ...store.everyTradeOf(id)];
    for (const contract of new Set(used.flatMap((one) => one?.contractId ?? []))) {
      if (contracts.byId(contract) !== undefined) continue;
      contracts
        .learn(contract)
        .then(() => this.#publisher.publish(id))
        .catch(onTrouble);
    }
  }

  #sweep(): void {
    const { store, positions, snapshot } = this.#deps;
    for (const gone of store.prune(ORDERS_KEPT)) {
      this.#publisher.forget(gone);
      snapshot.forget(gone);
      this.#asked.delete(gone);
    }
    for (const id of this.#publisher.sweep(PARTS_WITHIN_MS)) void this.#askFor(id);
    for (const account of positions.late()) void this.#settle(account);
    this.#check();
  }

  /** An event may be left out without a word: what is open is asked for now and then. */
  #check(): void {
    const { elapsed, questions, onTrouble } = this.#deps;
    const now = elapsed();
    if (now - this.#checkedAt < CHECK_EVERY_MS) return;
    // One that is not answered for keeps no other from being asked for.
    const isDue = (one: string) =>
      now - (this.#triedAt.get(one) ?? Number.NEGATIVE_INFINITY) >= CHECK_AFTER_MS;
    const old = questions.unaskedFor(CHECK_AFTER_MS).filter(isDue);
    const account =
      questions.doubted.find(isDue) ??
      old.find((one) => this.#isOpen(one)) ??
      questions.unaskedFor(CHECK_QUIET_AFTER_MS).find(isDue);
    if (account === undefined) return;
    this.#checkedAt = now;
    this.#triedAt.set(account, now);
    Promise.all([questions.orders(account), this.#settle(account)])
      .then(() => this.#triedAt.delete(account))
      .catch(onTrouble);
  }

  #isOpen(account: string): boolean {
    const { store } = this.#deps;
    const isWorking = store.ordersOf(account).some(({ status }) => !hasEnded(status));
    return isWorking || store.positionsOf(account).length > 0;
  }

  /** A disagreement is asked for now and then only: exits need the requests that it would cost. */
  async #settle(account: string): Promise<void> {
    const { questions, elapsed, onTrouble, signal } = this.#deps;
    const beganAt = elapsed();
    const isLeft = beganAt < (this.#settledUntil.get(account) ?? 0);
    if (this.#settling.has(account) || isLeft) return;
    this.#settling.add(account);
    try {
      await questions.settledPositions(account, this.#begunAt ?? 0);
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    } finally {
      this.#settling.delete(account);
      this.#settledUntil.set(account, beganAt + PARTS_WITHIN_MS);
    }
  }

  /**
   * Something of an order has not come: the broker is asked for it. Where it has no more either, the
   * order is told as far as it can be.
   */
  async #askFor(id: string): Promise<void> {
    const { store, snapshot, questions, now, elapsed, onTrouble, signal } = this.#deps;
    // A trade says whose it is, though its order was never told.
    const account = store.order(id)?.accountId ?? store.tradesOf(id)[0]?.accountId;
    const { times = 0, answered = 0, again = 0 } = this.#asked.get(id) ?? {};
    if (account === undefined || elapsed() < again) return;
    const waitMs = PARTS_WITHIN_MS * Math.min(1 + times - answered, RARER_MOST);
    const asked = { times: times + 1, answered, again: elapsed() + waitMs };
    this.#asked.set(id, asked);
    try {
      const order = await questions.order(account, id, "entry");
      const since = parseInstant(order?.creationTimestamp) || now() - LATELY_MS;
      await snapshot.trades(account, since, "entry");
      this.#asked.set(id, { ...asked, answered: answered + 1 });
    } catch (error) {
      // What could not be asked for is no answer that there is nothing.
      if (!signal.aborted) onTrouble(error);
    }
    if (signal.aborted) return;
    if (this.#asked.get(id)?.answered === ANSWERED_MOST) this.#publisher.excuse(id);
    else this.#publish(id);
  }
}
