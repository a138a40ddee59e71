import type { ContractCode } from "../../../domain/contracts/contract.ts";
import {
  type AccountId,
  type ClOrdId,
  type IntentId,
  intentIdOf,
  type OrderId,
  sentIdOf,
} from "../../../domain/ids.ts";
import {
  type IntentRecord,
  type IntentState,
  isUnsettled,
  stateOf,
} from "../../../domain/intent.ts";
import type { Fill, OrderReport } from "../../../domain/order.ts";
import type { Broker } from "../../ports.ts";
import { findPlaced } from "../settle/find-placed.ts";
import type { IntentProgress, IntentStore } from "../../orders/ports.ts";

/** An order of ours at the broker that our own records do not account for. */
export type OrderDifference =
  /** Its intent ended as not sent or refused, and the order works or was filled all the same. */
  | (OwnOrder & { readonly kind: "lateOrder"; readonly state: IntentState })
  /** It carries an identifier of ours, and no intent that is kept has sent it. */
  | (OwnOrder & { readonly kind: "orderWithoutIntent" });

interface OwnOrder {
  /** The identifier that was sent; the legs of its bracket count as the same order. */
  readonly clOrdId: ClOrdId;
  readonly intentId: IntentId;
  readonly orderId: OrderId;
  readonly contract: ContractCode;
}

interface ShownOrder extends OwnOrder {
  /** When something last happened to it, if it is working. */
  readonly workingSinceAt?: number;
}

export interface OrderCheckDeps {
  readonly intents: Pick<IntentStore, "find" | "progress" | "keep" | "amend">;
  /** An intent that was settled has come about after all. */
  readonly amended: (record: IntentRecord) => void;
  /** How long the record of a settled intent is kept. */
  readonly retentionMs: number;
  readonly now: () => number;
}

/** Records are kept for a day at least. */
const KEEP_EVERY_MS = 3_600_000;

/** The states that say that nothing of an intent ever worked at the broker. */
const NEVER_WORKED: ReadonlySet<IntentState> = new Set([
  "LOST",
  "NOTSENT",
  "EXPIRED",
  "OVERTAKEN",
  "WITHDRAWN",
  "DENIED",
  "REJECTED",
]);

export interface OrderFindings {
  readonly differences: readonly OrderDifference[];
  /**
   * To be called once the differences are sure to be told: none of them is found again, and the
   * records of late orders are corrected.
   */
  readonly conclude: () => Promise<void>;
}

/** Holds orders of ours, as the broker shows them, against the records of their intents. */
export class OrderCheck {
  readonly #deps: OrderCheckDeps;
  /** What was checked of what the broker showed last: an order is looked up once. */
  readonly #checked = new Map<AccountId, ReadonlySet<ClOrdId>>();

  readonly #keptAt = new Map<AccountId, number>();

  constructor(deps: OrderCheckDeps) {
    this.#deps = deps;
  }

  async check(
    account: AccountId,
    broker: Broker,
    working: readonly OrderReport[],
    fills: readonly Fill[],
  ): Promise<OrderFindings> {
    const known = this.#checked.get(account);
    const shown = ownOrders(working, fills);
    const checked = new Set(shown.map(({ clOrdId }) => clOrdId));
    const late: { order: ShownOrder; record: IntentRecord }[] = [];
    const { intents } = this.#deps;
    await this.#keepWorking(account, shown);
    const judge = async (order: ShownOrder, standing: IntentProgress | undefined) => {
      // What is not settled yet is looked at again once it is.
      if (standing !== undefined && isUnsettled(standing.state)) checked.delete(order.clOrdId);
      const difference = this.#differenceOf(order, standing);
      if (difference?.kind !== "lateOrder") return difference;
      const record = await intents.find(account, order.intentId);
      if (record?.state === difference.state) late.push({ order, record });
      return difference;
    };
    const unchecked = shown.filter(({ clOrdId }) => known?.has(clOrdId) !== true);
    // At the start of a session these are thousands, of which hardly one is late.
    const ids = unchecked.map(({ intentId }) => intentId);
    const standings = await intents.progress(account, ids);
    const judged = await Promise.all(unchecked.map((order, at) => judge(order, standings[at])));
    return {
      differences: judged.filter((difference) => difference !== undefined),
      conclude: async () => {
        await Promise.all(late.map(({ order, record }) => this.#believe(order, record, broker)));
        if (checked.size > 0) this.#checked.set(account, checked);
        else this.#checked.delete(account);
      },
    };
  }

  /** A record lives as long as its order works, however long that is. */
  async #keepWorking(account: AccountId, shown: readonly ShownOrder[]): Promise<void> {
    const now = this.#deps.now();
    if (now < (this.#keptAt.get(account) ?? -Infinity) + KEEP_EVERY_MS) return;
    const working = shown.filter(({ workingSinceAt }) => workingSinceAt !== undefined);
    if (working.length === 0) return;
    const ids = working.map(({ intentId }) => intentId);
    await this.#deps.intents.keep(account, ids);
    this.#keptAt.set(account, now);
  }

  async #believe({ clOrdId }: ShownOrder, record: IntentRecord, broker: Broker): Promise<void> {
    // An adjustment is more than its one late order: it is reported, and stays as it ended.
    if (record.intent.kind !== "PLACE") return;
    const outcome = await findPlaced(record, clOrdId, broker);
    if (outcome?.kind !== "done") return;
    const isAmended = await this.#deps.intents.amend(record, clOrdId, outcome);
    if (isAmended) this.#deps.amended({ ...record, state: stateOf(outcome), outcome });
  }

  #differenceOf(
    { workingSinceAt, ...order }: ShownOrder,
    standing: IntentProgress | undefined,
  ): OrderDifference | undefined {
    if (standing !== undefined && isUnsettled(standing.state)) return undefined;
    if (standing !== undefined && NEVER_WORKED.has(standing.state)) {
      return { ...order, kind: "lateOrder", state: standing.state };
    }
    if (standing !== undefined) {
      const wasSent = standing.clOrdIds.includes(order.clOrdId);
      return wasSent ? undefined : { ...order, kind: "orderWithoutIntent" };
    }
    // An older one may simply have outlived its record; of a fill nothing is left to be done.
    const oldest = this.#deps.now() - this.#deps.retentionMs;
    const isRecent = workingSinceAt !== undefined && workingSinceAt > oldest;
    return isRecent ? { ...order, kind: "orderWithoutIntent" } : undefined;
  }
}

/** Each order of ours once, whether it works, was filled, or both. */
function ownOrders(working: readonly OrderReport[], fills: readonly Fill[]): readonly ShownOrder[] {
  const shown = new Map<ClOrdId, ShownOrder>();
  for (const { clOrdId, orderId, contract } of fills) {
    const order = ownOrder(clOrdId, orderId, contract);
    if (order !== undefined) shown.set(order.clOrdId, order);
  }
  for (const { clOrdId, orderId, contract, transactTimeAt } of working) {
    const order = ownOrder(clOrdId, orderId, contract);
    if (order === undefined) continue;
    const { workingSinceAt = 0 } = shown.get(order.clOrdId) ?? {};
    const newest = Math.max(workingSinceAt, transactTimeAt);
    shown.set(order.clOrdId, { ...order, workingSinceAt: newest });
  }
  return [...shown.values()];
}

function ownOrder(
  clOrdId: ClOrdId | undefined,
  orderId: OrderId,
  contract: ContractCode,
): ShownOrder | undefined {
  const intentId = clOrdId && intentIdOf(clOrdId);
  if (clOrdId === undefined || intentId === undefined) return undefined;
  return { clOrdId: sentIdOf(clOrdId), intentId, orderId, contract };
}
