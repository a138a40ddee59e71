import type { IntentId } from "../../domain/ids.ts";
import type { IntentRecord, Outcome } from "../../domain/intent.ts";
import type { OrderReport } from "../../domain/order.ts";
import type { Broker } from "../ports.ts";
import type { IntentStore } from "../store-ports.ts";
import { placed } from "./run-place.ts";

/** Two look-ups at least this far apart, on two surfaces, prove that the broker has no order. */
const ABSENT_FOR_MS = 5_000;
/** Clocks differ: fills are looked for from a little before the order was sent. */
const CLOCK_SLACK_MS = 60_000;

export interface SettleUnknownDeps {
  readonly intents: IntentStore;
  readonly now: () => number;
}

/**
 * Settles intents whose outcome is unknown from what the broker shows, and never by sending again
 * ("Rules for money" 4). What cannot be settled stays unknown.
 */
export class UnknownSettler {
  readonly #deps: SettleUnknownDeps;
  /** When the broker was first seen without the order; looked up anew after a restart. */
  readonly #absentSince = new Map<IntentId, number>();

  constructor(deps: SettleUnknownDeps) {
    this.#deps = deps;
  }

  async settle(record: IntentRecord, broker: Broker): Promise<IntentRecord> {
    const { intents } = this.#deps;
    const outcome = await this.#lookUp(record, broker);
    if (outcome.kind !== "unknown") this.#absentSince.delete(record.intentId);
    return await intents.settle(record.accountId, record.intentId, outcome);
  }

  async #lookUp(record: IntentRecord, broker: Broker): Promise<Outcome> {
    const { accountId, clOrdIds, intent } = record;
    const found = await Promise.all(clOrdIds.map((id) => broker.findOrder(accountId, id)));
    const orders = found.filter((order) => order !== undefined);

    switch (intent.kind) {
      case "PLACE":
        return orders[0] === undefined
          ? await this.#absent(record, broker)
          : await adopt(orders[0], record, broker);
      case "CANCEL": {
        const working = await broker.workingOrders(accountId);
        return working.some(({ orderId }) => orderId === intent.orderId)
          ? { kind: "lost", reason: "The broker did not cancel the order; it is still working" }
          : { kind: "done", result: { kind: "CANCEL", orderId: intent.orderId } };
      }
      case "PROTECT":
      case "FLATTEN":
      case "CANCEL_ENTRIES":
        return {
          kind: "lost",
          reason: "It was interrupted; read the positions and working orders and ask again",
        };
    }
  }

  /** The order is not among the broker's orders: the fills are the second surface. */
  async #absent(record: IntentRecord, broker: Broker): Promise<Outcome> {
    const { accountId, intentId, clOrdIds, sentAt = record.acceptedAt } = record;
    const fills = await broker.fills(accountId, sentAt - CLOCK_SLACK_MS);
    const filled = fills.some(({ clOrdId }) => clOrdId !== undefined && clOrdIds.includes(clOrdId));
    const now = this.#deps.now();
    const since = this.#absentSince.get(intentId) ?? now;
    this.#absentSince.set(intentId, since);

    if (!filled && now - since >= ABSENT_FOR_MS) {
      return { kind: "lost", reason: "The broker proved that it never had the order" };
    }
    return { kind: "unknown", reason: "The broker does not show the order; it is looked up again" };
  }
}

async function adopt(
  order: OrderReport,
  { accountId }: IntentRecord,
  broker: Broker,
): Promise<Outcome> {
  const working = await broker.workingOrders(accountId);
  const leg = (role: OrderReport["role"]) =>
    working.find((one) => one.parentOrderId === order.orderId && one.role === role)?.orderId;
  const takeProfitOrderId = leg("TAKE_PROFIT");
  const stopLossOrderId = leg("STOP_LOSS");
  const answer = {
    kind: "accepted",
    orderId: order.orderId,
    ...(takeProfitOrderId !== undefined && { takeProfitOrderId }),
    ...(stopLossOrderId !== undefined && { stopLossOrderId }),
  } as const;
  return placed(order.contract, answer, order);
}
