import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import { tickSize } from "../../../../src/domain/contracts/price.ts";
import type { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import {
  type KnownContract,
  reportOf,
  viewOrder,
} from "../../../../src/brokers/tradovate/order-view.ts";
import type {
  TradovateEntities,
  TradovateEntityType,
  TradovatePropsEvent,
} from "../../../../src/brokers/tradovate/wire.ts";

export const ES: KnownContract = { code: "ESZ2026" as ContractCode, tickSize: tickSize("0.25") };
export const contractById = (id: number) => (id === 1 ? ES : undefined);

const AT = "2026-06-14T15:04:05.678Z";

export function event<Type extends TradovateEntityType>(
  entityType: Type,
  eventType: "Created" | "Updated" | "Deleted",
  entity: Partial<TradovateEntities[Type]> | readonly Partial<TradovateEntities[Type]>[],
): TradovatePropsEvent {
  return { entityType, eventType, entity };
}

export const order = (id: number, ordStatus: string, more: object = {}) => ({
  id,
  accountId: 5,
  contractId: 1,
  timestamp: AT,
  action: "Buy" as const,
  ordStatus,
  ...more,
});

export const command = (id: number, commandStatus: string, more: object = {}) => ({
  id,
  orderId: id,
  timestamp: AT,
  clOrdId: `name-${id}`,
  commandType: "New",
  commandStatus,
  ...more,
});

export const version = (id: number, more: object = {}) => ({
  id,
  orderId: id,
  orderQty: 2,
  orderType: "Limit",
  price: 5_000.25,
  timeInForce: "Day",
  ...more,
});

export const fill = (id: number, orderId: number, qty: number, price = 5_000.25) => ({
  id,
  orderId,
  contractId: 1,
  timestamp: AT,
  action: "Buy" as const,
  qty,
  price,
});

export const executed = (id: number, orderId: number, execType: string, commandId = orderId) => ({
  id,
  commandId,
  orderId,
  timestamp: AT,
  execType,
});

/** A limit order from its first word to working, as it was captured: ids ending in 15 to 17. */
export function placed(id: number, more: object = {}): readonly TradovatePropsEvent[] {
  return [
    event("order", "Created", order(id, "Unknown", more)),
    event("command", "Created", command(id, "Pending")),
    event("orderVersion", "Created", version(id)),
    event("commandReport", "Created", report(id + 1, id, "RiskPassed")),
    event("command", "Updated", command(id, "RiskPassed")),
    event("order", "Updated", order(id, "PendingNew", more)),
    event("commandReport", "Created", report(id + 2, id, "AtExecution")),
    event("command", "Updated", command(id, "AtExecution")),
    event("order", "Updated", order(id, "Working", more)),
    event("executionReport", "Created", executed(id + 2, id, "New")),
  ];
}

export const report = (
  id: number,
  commandId: number,
  commandStatus: string,
  more: object = {},
) => ({
  id,
  commandId,
  timestamp: AT,
  commandStatus,
  ...more,
});

/** Every order that can be told, as reads answer it. */
export function reportsOf(store: EntityStore): readonly OrderReport[] {
  return store
    .all("order")
    .map(({ id }) => viewOrder(store, id, contractById))
    .filter((view) => view !== undefined)
    .map((view) => reportOf(store, view))
    .sort((a, b) => Number(a.orderId) - Number(b.orderId));
}
