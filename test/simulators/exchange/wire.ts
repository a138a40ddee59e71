import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { AccountId, ClOrdId, ConnectionId, OrderId } from "../../../src/domain/ids.ts";
import type {
  ExecutionReport,
  NewOrderSingle,
  OrderChange,
  ProtectionOrder,
} from "../../../src/domain/order.ts";

/** The first request of every session, with id 1. It ends the connection's session before it. */
export interface ExchangeLogin {
  readonly op: "login";
  readonly connection: ConnectionId;
  /** How many accounts the session sees: `<connection>-1` to `<connection>-N`. */
  readonly accounts: number;
}

/** What changes something at the exchange. */
export type ExchangeCommand =
  | {
      readonly op: "submitOrder";
      readonly account: AccountId;
      readonly order: NewOrderSingle;
    }
  | {
      readonly op: "submitProtection";
      readonly account: AccountId;
      readonly order: ProtectionOrder;
    }
  | { readonly op: "modifyOrder"; readonly account: AccountId; readonly change: OrderChange }
  | { readonly op: "cancelOrder"; readonly account: AccountId; readonly orderId: OrderId }
  | {
      readonly op: "closePosition";
      readonly account: AccountId;
      readonly contract: ContractCode;
      readonly clOrdId: ClOrdId;
    };

/** What only asks. `findOrder` answers null where the exchange has no such order. */
export type ExchangeRead =
  | { readonly op: "accounts" }
  | { readonly op: "positions"; readonly account: AccountId }
  | { readonly op: "workingOrders"; readonly account: AccountId }
  | { readonly op: "findOrder"; readonly account: AccountId; readonly clOrdId: ClOrdId }
  | { readonly op: "fills"; readonly account: AccountId; readonly sinceAt: number };

/** The heartbeat; answers with the number of the last report that was sent. */
export interface ExchangePing {
  readonly op: "ping";
}

export type ExchangeRequest = ExchangeLogin | ExchangeCommand | ExchangeRead | ExchangePing;
export type ExchangeOp = ExchangeRequest["op"];

/**
 * `ok: false` is the exchange's word that nothing was carried out. `final` comes with a login that
 * will not work again as things are, and says over what it was refused.
 */
export type ExchangeAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly reason: string; readonly final?: "credentials" | "account" };

/** Requests of a session are numbered 1, 2, 3, without a gap; an answer has its request's number. */
export type ExchangeRequestFrame = ExchangeRequest & { readonly id: number };
export type ExchangeAnswerFrame = ExchangeAnswer & { readonly id: number };

/** Reports of a session are numbered 1, 2, 3, without a gap, over all its accounts. */
export interface ExchangeReportFrame {
  readonly seq: number;
  readonly account: AccountId;
  readonly report: ExecutionReport;
}

const COMMANDS: ReadonlySet<string> = new Set<ExchangeCommand["op"]>([
  "submitOrder",
  "submitProtection",
  "modifyOrder",
  "cancelOrder",
  "closePosition",
]);

export function isCommand(request: ExchangeRequest): request is ExchangeCommand {
  return COMMANDS.has(request.op);
}
