import type { IntentStore } from "./ports.ts";
import { rootOfCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { isClosed, isForeign, isOpaque, type WorkingOrder } from "../../domain/order.ts";
import { prepareChange } from "../../domain/order-change.ts";
import type { UserId } from "../../domain/ids.ts";
import { errors, GatewayError } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { RequireConnection } from "../connections/require-connection.ts";
import type { BrokerReads } from "../ports.ts";
import type { NamedPlanStore } from "../exits/named-plan-store.ts";
import { type MayAskPlan, withNamedPlan } from "../exits/look-up-plan.ts";
import { firstStep } from "../public-error.ts";
import type { AnswerIntent, AnswerKeyedIntent } from "./answer-intent.ts";
import type { OpenContracts } from "./open-contracts.ts";
import type { OrderUses } from "./order-uses.ts";
import { resolveOrder, resolvePosition, resolveProtection } from "./resolve.ts";
import { takeBackExit } from "./take-back-exit.ts";

export interface OrderUsesDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly requireConnection: RequireConnection;
  readonly openContracts: OpenContracts;
  readonly reads: BrokerReads;
  readonly namedPlans: Pick<NamedPlanStore, "find" | "all">;
  readonly intents: Pick<IntentStore, "find" | "stopGoingOn">;
  readonly answer: AnswerIntent;
  readonly answerKeyed: AnswerKeyedIntent;
}

export function createOrderUses(deps: OrderUsesDeps): OrderUses {
  const { accounts, contracts, requireConnection, openContracts, reads, answer, answerKeyed } =
    deps;
  const { intents } = deps;
  const defined = async <Asking extends MayAskPlan>(user: UserId, asking: Asking) =>
    await firstStep("reads", () => withNamedPlan(deps.namedPlans, user, asking));

  return {
    placeOrder: async (caller, accountId, ticket, idempotency) => {
      const { userId, receivedAt } = caller;
      await accounts.require(userId, accountId);
      return await answerKeyed(caller, {
        accountId,
        idempotency,
        prepare: async () => {
          const account = await accounts.requireActive(userId, accountId);
          const asked = await defined(userId, ticket);
          const intent = resolveOrder(contracts, asked, receivedAt);
          requireConnection(account.connectionId);
          return intent;
        },
      });
    },

    /** Cancels one order and never flattens a position (specification 4.2 rule 3). */
    cancelOrder: async (caller, accountId, orderId) => {
      const account = await accounts.requireActive(caller.userId, accountId);
      requireConnection(account.connectionId);
      return await answer(caller, { accountId, intent: { kind: "CANCEL", orderId } });
    },

    /** Changes the quantity or the prices of one working order. */
    modifyOrder: async (caller, accountId, orderId, ticket) => {
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
    },

    /** Attaches or replaces a position's take-profit and stop-loss (specification 4.2 rule 4). */
    protectPosition: async (caller, accountId, asked) => {
      const { userId, receivedAt } = caller;
      const account = await accounts.requireActive(userId, accountId);
      requireConnection(account.connectionId);
      const { symbol, exitPlan, ...legs } = await defined(userId, asked);
      const open = await openContracts(account, symbol, receivedAt);
      const request = {
        legs,
        ...(symbol !== undefined && { symbol }),
        ...(exitPlan !== undefined && { exitPlan }),
      };
      const intent = resolveProtection(request, contracts, receivedAt, open);
      return await answer(caller, { accountId, intent });
    },

    takeBackExit: async ({ userId }, accountId, id) => {
      await accounts.require(userId, accountId);
      return await takeBackExit(intents, accountId, id);
    },

    /** Closes positions and the legs that belong to them; resting entries stay (`/v1`). */
    flattenAccount: async (caller, accountId, symbol, idempotency) => {
      const { userId, receivedAt } = caller;
      await accounts.require(userId, accountId);
      return await answerKeyed(caller, {
        accountId,
        idempotency,
        prepare: async () => {
          const account = await accounts.requireActive(userId, accountId);
          requireConnection(account.connectionId);
          const open = await openContracts(account, symbol, receivedAt);
          const meant =
            symbol === undefined ? undefined : resolvePosition(contracts, symbol, receivedAt, open);
          return { kind: "FLATTEN", ...meant, cancelResting: false, whenClosed: "refuse" };
        },
      });
    },
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
