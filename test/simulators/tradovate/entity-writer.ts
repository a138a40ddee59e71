import { randomBytes } from "node:crypto";
import type { OrderReport } from "../../../src/domain/order.ts";
import type { BrokerClock } from "./broker-clock.ts";
import type {
  CommandEntity,
  CommandStatus,
  ExecType,
  OrdStatus,
  OrderVersionEntity,
} from "./entities.ts";
import type { EntityStore } from "./entity-store.ts";
import type { Cause, JournalOrder, Origin } from "./order-journal.ts";
import { definedOf } from "./order-request.ts";
import type { Settings } from "./settings.ts";

export interface WriterDeps {
  readonly store: EntityStore;
  readonly clock: BrokerClock;
  readonly settings: (accountId: number) => Settings;
}

/** How much of an order was filled, as far as it is known. */
export type Filled = Partial<Pick<OrderReport, "cumQty" | "avgPx">>;

/** Writes the single entities of an order's life. In which order is the journal's business. */
export class EntityWriter {
  readonly #deps: WriterDeps;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  nextId(): number {
    return this.#deps.store.nextId();
  }

  /** A new order is `Unknown` first. */
  order(id: number, origin: Origin, links: { ocoId?: number; parentId?: number }): void {
    const { store, clock } = this.#deps;
    const { accountId, listed, wish } = origin;
    store.create("order", accountId, {
      id,
      accountId,
      contractId: listed.entity.id,
      timestamp: clock.iso(),
      action: wish.action,
      ordStatus: "Unknown",
      ...links,
      admin: false,
    });
  }

  command(
    { accountId }: Origin,
    {
      id,
      orderId,
      type,
      cause,
    }: { id: number; orderId: number; type: CommandEntity["commandType"]; cause: Cause },
  ): void {
    const { store, clock, settings } = this.#deps;
    const isOthers = cause.userSessionId === undefined;
    if (isOthers && !settings(accountId).tellsOthersCommands) return;
    store.create("command", accountId, {
      id,
      orderId,
      timestamp: clock.iso(),
      commandType: type,
      commandStatus: "Pending",
      ...definedOf(cause),
    });
  }

  version({ accountId }: Origin, version: OrderVersionEntity): OrderVersionEntity {
    return this.#deps.store.create("orderVersion", accountId, version);
  }

  /** The report of one step of a command, and the command's status after it. */
  step(
    { origin }: JournalOrder,
    {
      id,
      commandId,
      commandStatus,
      ...why
    }: {
      id: number;
      commandId: number;
      commandStatus: CommandStatus;
      rejectReason?: string;
      text?: string;
      ordStatus?: OrdStatus;
    },
  ): void {
    const { store, clock } = this.#deps;
    if (store.get("command", commandId) === undefined) return;
    const report = { id, commandId, timestamp: clock.iso(), commandStatus, ...why };
    store.create("commandReport", origin.accountId, report);
    this.commandStatus(commandId, commandStatus);
  }

  commandStatus(id: number, commandStatus: CommandStatus): void {
    const { store } = this.#deps;
    if (store.get("command", id) === undefined) return;
    store.update("command", id, { commandStatus });
  }

  status(order: JournalOrder, ordStatus: OrdStatus): void {
    order.ordStatus = ordStatus;
    const { store, settings } = this.#deps;
    const { callsStatus } = settings(order.origin.accountId);
    const told = (callsStatus[ordStatus] ?? ordStatus) as OrdStatus;
    store.update("order", order.id, { ordStatus: told });
  }

  execution(
    order: JournalOrder,
    {
      id,
      execType,
      seen,
      ...rest
    }: {
      id: number;
      execType: ExecType;
      seen: Filled;
      lastQty?: number;
      lastPx?: number;
      rejectReason?: string;
      text?: string;
    },
  ): void {
    const { store, clock } = this.#deps;
    const { accountId, listed, wish } = order.origin;
    const { cumQty = 0, avgPx } = seen;
    store.create("executionReport", accountId, {
      id,
      commandId: order.commandId,
      name: randomBytes(12).toString("hex"),
      accountId,
      contractId: listed.entity.id,
      timestamp: clock.iso(),
      tradeDate: clock.tradeDate(),
      orderId: order.id,
      execType,
      ordStatus: order.ordStatus,
      action: wish.action,
      cumQty,
      ...(avgPx !== undefined && {
        avgPx: (avgPx.numerator / avgPx.denominator) * Number(listed.tickSize),
      }),
      ...rest,
      exchangeOrderId: String(order.id),
    });
  }
}

/** Of a stop, the trigger is `stopPrice` however it was asked for. */
export function versionOf(
  id: number,
  orderId: number,
  { wish, orderQty }: Pick<Origin, "wish" | "orderQty">,
): OrderVersionEntity {
  const { action: _, clOrdId: __, price, stopPrice, orderType, ...rest } = wish;
  const isStop = orderType === "Stop";
  return {
    id,
    orderId,
    orderQty,
    orderType,
    ...definedOf({
      price: isStop ? undefined : price,
      stopPrice: isStop ? (stopPrice ?? price) : stopPrice,
      ...rest,
      timeInForce: rest.timeInForce ?? ("Day" as const),
    }),
  };
}
