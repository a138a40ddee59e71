import { type AccountId, type ClOrdId, type IntentId, intentIdOf } from "../../../domain/ids.ts";
import { isUnsettled } from "../../../domain/intent.ts";
import { isClosed, isUnderstood } from "../../../domain/order.ts";
import type { IntentStore } from "../../orders/ports.ts";
import type { Submission, SubmitIntent } from "../../orders/submit-intent.ts";
import type { Broker, ReportListener } from "../../ports.ts";
import type { KeepsDeadlines, OrderDeadline, OrderDeadlineStore } from "./ports.ts";

export interface OrderDeadlinesDeps {
  readonly store: OrderDeadlineStore;
  readonly intents: Pick<IntentStore, "find">;
  /** The account's broker, while it is owned here, up, and in step. */
  readonly brokerOf: (account: AccountId) => Broker | undefined;
  /** The intent of an order's nth attempt, the same in every process. */
  readonly intentIdOf: (account: AccountId, order: ClOrdId, nth: number) => IntentId;
  /** How long what is left of an entry may wait for the market. */
  readonly entryMaxAgeMs: number;
  /** Calls back once, unless what it returns is called first. */
  readonly after: (ms: number, then: () => void) => () => void;
  /** Redis' clock as it is known here, Unix ms. */
  readonly now: () => number;
  readonly onError: (account: AccountId, error: unknown) => void;
}

const AGAIN_MS = 1_000;
const LATER_MS = 30_000;
const MOST_APART_MS = 600_000;
/** An intent that has not come to its turn by then expires, and is asked for again. */
const MAX_AGE_MS = 600_000;
/** So many of an account are on its lane at once: an exit must not wait behind all that are due. */
const MOST_AT_ONCE = 2;
/** What the broker does not show, or is another process's, for so long after its time. */
const GIVE_UP_MS = 3_600_000;

interface Watched {
  deadline: OrderDeadline;
  /** Which attempt is next, or under way. */
  nth: number;
  lookAt: number;
  isLooking: boolean;
  /** Its intent has not come to its turn on the lane yet. */
  isWaiting: boolean;
}

/**
 * The entries of the accounts that are owned here that may rest only so long. Once one is due, an intent
 * goes to the account's lane, whose id follows from the order: what a process before this one has asked
 * for is found by it. It is kept until the broker shows the entry as ended.
 */
export class OrderDeadlines implements KeepsDeadlines {
  readonly #deps: OrderDeadlinesDeps;
  readonly #watched = new Map<AccountId, Map<ClOrdId, Watched>>();
  #submit: SubmitIntent | undefined;
  #disarm: () => void = () => undefined;
  #armedFor = Infinity;

  constructor(deps: OrderDeadlinesDeps) {
    this.#deps = deps;
  }

  /** From here on they are ended; until then they are only kept. */
  submitBy(submit: SubmitIntent): void {
    this.#submit = submit;
    this.#armForNext();
  }

  stop(): void {
    this.#submit = undefined;
    this.#disarm();
  }

  readonly take: KeepsDeadlines["take"] = (account, deadline) => this.#watch(account, deadline);

  readonly onReport: ReportListener = (account, report) => {
    if (!this.#watched.has(account) || !isUnderstood(report)) return;
    const { clOrdId, ordStatus } = report.order;
    if (clOrdId !== undefined && isClosed(ordStatus)) this.#forget(account, clOrdId);
  };

  /** Takes up what was kept by whoever owned the account before; never throws. */
  async load(account: AccountId): Promise<void> {
    try {
      for (const deadline of await this.#deps.store.of(account)) this.#watch(account, deadline);
    } catch (error) {
      this.#deps.onError(account, error);
      this.#deps.after(AGAIN_MS, () => void this.load(account));
    }
  }

  #watch(account: AccountId, deadline: OrderDeadline): void {
    const of = this.#watched.get(account) ?? new Map<ClOrdId, Watched>();
    this.#watched.set(account, of);
    const { clOrdId } = deadline.intent;
    const known = of.get(clOrdId);
    if (known === undefined) {
      of.set(clOrdId, {
        deadline,
        nth: 1,
        lookAt: deadline.dueAt,
        isLooking: false,
        isWaiting: false,
      });
    } else Object.assign(known, { deadline, lookAt: Math.min(known.lookAt, deadline.dueAt) });
    this.#arm(deadline.dueAt);
  }

  #drop(account: AccountId, order: ClOrdId): void {
    const of = this.#watched.get(account);
    of?.delete(order);
    if (of?.size === 0) this.#watched.delete(account);
  }

  /** One that stays in the store is found ended, and forgotten, when it is due. */
  #forget(account: AccountId, order: ClOrdId): void {
    if (this.#watched.get(account)?.has(order) !== true) return;
    this.#drop(account, order);
    this.#deps.store.forget(account, order).catch((error: unknown) => {
      this.#deps.onError(account, error);
    });
  }

  #arm(at: number): void {
    if (this.#submit === undefined || at >= this.#armedFor) return;
    this.#disarm();
    this.#armedFor = at;
    const ms = Math.max(0, Math.min(at - this.#deps.now(), MOST_APART_MS));
    this.#disarm = this.#deps.after(ms, () => this.#lookAtDue());
  }

  #armForNext(): void {
    let next = Infinity;
    for (const of of this.#watched.values()) {
      const isFull = inHand(of) >= MOST_AT_ONCE;
      for (const { lookAt, isLooking, isWaiting } of of.values()) {
        if (!isLooking && (isWaiting || !isFull)) next = Math.min(next, lookAt);
      }
    }
    this.#arm(next);
  }

  #lookAtDue(): void {
    this.#armedFor = Infinity;
    const now = this.#deps.now();
    for (const [account, of] of this.#watched) {
      let count = inHand(of);
      for (const one of of.values()) {
        if (one.lookAt > now || one.isLooking) continue;
        if (!one.isWaiting) {
          if (count >= MOST_AT_ONCE) continue;
          count += 1;
        }
        void this.#look(account, one);
      }
    }
    this.#armForNext();
  }

  async #look(account: AccountId, one: Watched): Promise<void> {
    one.isLooking = true;
    one.isWaiting = false;
    try {
      const againMs = await this.#end(account, one);
      if (againMs === undefined) this.#forget(account, one.deadline.intent.clOrdId);
      else one.lookAt = this.#deps.now() + againMs;
    } catch (error) {
      one.lookAt = this.#deps.now() + AGAIN_MS;
      this.#deps.onError(account, error);
    } finally {
      one.isLooking = false;
      this.#armForNext();
    }
  }

  /** In how many ms it is to be looked at again; undefined once it has ended. */
  async #end(account: AccountId, one: Watched): Promise<number | undefined> {
    const { brokerOf, now } = this.#deps;
    const { intent, dueAt } = one.deadline;
    const { clOrdId } = intent;
    const isOver = now() > dueAt + GIVE_UP_MS;
    const broker = brokerOf(account);
    if (broker === undefined) {
      // Whoever owns it by then has it from the store.
      if (isOver) this.#drop(account, clOrdId);
      return AGAIN_MS;
    }
    const entry = await broker.findOrder(account, clOrdId);
    if (entry !== undefined && isClosed(entry.ordStatus)) return undefined;
    const working = entry === undefined ? await broker.workingOrders(account) : [];
    if (entry !== undefined || working.some((order) => order.clOrdId === clOrdId)) {
      return await this.#attempt(account, one);
    }
    return !isOver && (await this.#mayShow(account, clOrdId)) ? LATER_MS : undefined;
  }

  /** Whether an order that is not shown may be there all the same, or may still be sent. */
  async #mayShow(account: AccountId, order: ClOrdId): Promise<boolean> {
    const id = intentIdOf(order);
    const record = id && (await this.#deps.intents.find(account, id));
    if (record === undefined) return false;
    return isUnsettled(record.state) || record.state === "DONE";
  }

  async #attempt(account: AccountId, one: Watched): Promise<number | undefined> {
    const { intents } = this.#deps;
    const id = this.#deps.intentIdOf(account, one.deadline.intent.clOrdId, one.nth);
    if ((await intents.find(account, id)) === undefined) {
      await this.#submit?.(this.#submission(account, one.deadline, id));
    }
    const record = await intents.find(account, id);
    one.isWaiting = record?.state === "PREPARED";
    if (record === undefined || isUnsettled(record.state)) return AGAIN_MS;
    if (record.state === "DONE") return undefined;
    // Nothing at all of it was carried out.
    one.nth += 1;
    return Math.min(MOST_APART_MS, AGAIN_MS * 2 ** Math.min(one.nth, 16));
  }

  #submission(
    account: AccountId,
    { userId, intent, dueAt, ...asOf }: OrderDeadline,
    intentId: IntentId,
  ): Submission {
    const now = this.#deps.now();
    return {
      ...asOf,
      accountId: account,
      userId,
      source: { kind: "timeout" },
      requestId: `timeout ${intent.clOrdId}`,
      receivedAt: now,
      intent,
      intentId,
      waitMs: AGAIN_MS,
      entryMaxAgeMs: Math.max(0, dueAt + this.#deps.entryMaxAgeMs - now),
      exitMaxAgeMs: MAX_AGE_MS,
    };
  }
}

const inHand = (of: ReadonlyMap<ClOrdId, Watched>): number =>
  [...of.values()].filter(({ isLooking, isWaiting }) => isLooking || isWaiting).length;
