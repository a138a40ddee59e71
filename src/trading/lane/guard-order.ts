import { type ContractCode, contractSymbol, parseContractCode } from "../../domain/contract.ts";
import type { Outcome } from "../../domain/intent.ts";
import type { AccountLimits } from "../../domain/limits.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import { assessRisk } from "../../domain/risk.ts";
import type { Broker } from "../ports.ts";
import type { LaneContext } from "../store-ports.ts";

export type Guarded =
  | { readonly kind: "pass"; readonly adds: boolean; readonly limits: AccountLimits }
  | { readonly kind: "stop"; readonly outcome: Outcome };

/**
 * Decides, right before sending, whether an order may leave: what opens or grows a position is held
 * to the limits, the kill switch and its entry age; what reduces one always passes, until its exit
 * age ends ("Rules for money" 6 and 10).
 */
export async function guardOrder(
  context: LaneContext,
  order: PreparedOrder,
  broker: Broker,
  defaults: AccountLimits,
): Promise<Guarded> {
  const { accountId } = context.record;
  const [positions, working] = await Promise.all([
    broker.positions(accountId),
    broker.workingOrders(accountId),
  ]);
  const held = positions.find(({ contract }) => contract === order.contract)?.netQty ?? 0;
  const inContract = working.filter(({ contract }) => contract === order.contract);
  const { adds, worstQty } = assessRisk(order, held, inContract);
  const limits = { ...defaults, ...context.limits };

  const outcome = adds ? refuseAdding(context, order, worstQty, limits) : undefined;
  return outcome === undefined ? { kind: "pass", adds, limits } : { kind: "stop", outcome };
}

function refuseAdding(
  context: LaneContext,
  order: PreparedOrder,
  worstQty: number,
  limits: AccountLimits,
): Outcome | undefined {
  const { record, now, flattenFollows, unknownIntents } = context;
  if (now >= record.entryExpiresAt) return expired(now - record.acceptedAt);
  if (flattenFollows) {
    return { kind: "expired", reason: "The account was flattened after this order was accepted" };
  }

  const killed = [context.accountKillSwitch, context.userKillSwitch].find(({ active }) => active);
  if (killed !== undefined) {
    const why = killed.reason === undefined ? "" : ` (${killed.reason})`;
    const reason = `The kill switch is on${why}: only orders that reduce a position are sent`;
    return { kind: "denied", code: "KILL_SWITCH_ON", reason };
  }
  if (unknownIntents > 0) {
    const reason =
      "An earlier order's outcome is unknown; nothing that adds risk is sent until then";
    return { kind: "denied", code: "OUTCOME_PENDING", reason };
  }
  if (order.orderQty > limits.maxOrderQty) {
    return overLimit(`The order's quantity ${order.orderQty}`, `${limits.maxOrderQty} per order`);
  }
  if (worstQty > limits.maxPositionQty) {
    return overLimit(
      `The position in ${symbolOf(order.contract)} could grow to ${worstQty}, which`,
      `${limits.maxPositionQty} contracts`,
    );
  }
  return undefined;
}

function expired(ageMs: number): Outcome {
  const seconds = Math.floor(ageMs / 1000);
  return { kind: "expired", reason: `It waited ${seconds} s, longer than an entry may; not sent` };
}

function symbolOf(code: ContractCode): string {
  const contract = parseContractCode(code);
  return contract === undefined ? code : contractSymbol(contract);
}

function overLimit(what: string, limit: string): Outcome {
  return {
    kind: "denied",
    code: "LIMIT_EXCEEDED",
    reason: `${what} is over the account's limit of ${limit}`,
  };
}
