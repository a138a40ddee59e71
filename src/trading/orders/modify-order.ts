import { rootOfCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { isClosed, isForeign, isOpaque, type WorkingOrder } from "../../domain/order.ts";
import { prepareChange } from "../../domain/order-change.ts";
import { errors, GatewayError } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { AnswerIntent } from "./answer-intent.ts";
import type { BrokerReads } from "../ports.ts";
import { firstStep } from "../public-error.ts";
import type { RequireConnection } from "../connections/require-connection.ts";
import type { OrderUses } from "./order-uses.ts";

export interface ModifyOrderDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly requireConnection: RequireConnection;
  readonly reads: BrokerReads;
  readonly answer: AnswerIntent;
}

/** Changes the quantity or the prices of one working order. */
export function createModifyOrder(deps: ModifyOrderDeps): OrderUses["modifyOrder"] {
  const { accounts, contracts, requireConnection, reads, answer } = deps;

  return async function modifyOrder(caller, accountId, orderId, ticket) {
    const account = await accounts.requireActive(caller.userId, accountId);
    requireConnection(account.connectionId);

    // What may be changed, and in which ticks, follows from the order: only the broker knows it.
    const working = await firstStep("reads", () =>
      reads.workingOrders(account.connectionId, accountId),
    );
    const order = requireOwn(working.find((one) => one.orderId === orderId));
    const product = contracts.product(rootOfCode(order.contract));
    if (product === undefined) throw notOurs(order.contract);
    const prepared = prepareChange(ticket, order, product);
    if (!prepared.ok) throw errors.validationFailed(prepared.problems);
    const { clOrdId } = order;
    return await answer(caller, {
      accountId,
      intent: { kind: "MODIFY", orderId, clOrdId, change: prepared.value },
    });
  };
}

/** What was placed by hand is its owner's to change: only a cancel or a flatten touches it. */
function requireOwn(order: WorkingOrder | undefined) {
  if (order !== undefined && isOpaque(order)) {
    throw new GatewayError("MODIFY_REJECTED", `${order.problem}; nothing was changed`);
  }
  if (order === undefined || isClosed(order.ordStatus)) {
    throw new GatewayError(
      "MODIFY_REJECTED",
      "The broker works no such order; nothing was changed",
    );
  }
  const { clOrdId } = order;
  if (clOrdId !== undefined && !isForeign(order)) return { ...order, clOrdId };
  const message = "is of an order placed by hand or by another program: change it there";
  throw errors.validationFailed([{ path: "orderId", message }]);
}

const notOurs = (contract: string): GatewayError =>
  new GatewayError(
    "MODIFY_REJECTED",
    `${contract} is not in the contract table: change the order at the broker, or cancel it`,
  );
