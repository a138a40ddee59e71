import { type ContractCode, parseContractCode, rootOfCode } from "./contract.ts";
import { type NewOrderSingle, sign } from "./order.ts";

/** One open position: positive long, negative short. */
export interface HeldContract {
  readonly contract: ContractCode;
  readonly netQty: number;
}

/** What of an order decides which month it is for. */
export type AimedOrder = Pick<NewOrderSingle, "contract" | "side" | "orderQty" | "bracket">;

/** Where an order goes of which only the root was named. */
export type ExitContract =
  | { readonly kind: "use"; readonly contract: ContractCode }
  /** It is no exit of what is held, and beside it would open another month; nearest expiry first. */
  | { readonly kind: "mismatch"; readonly held: readonly HeldContract[] };

/**
 * Exits use the contract that is held, not the front month that the order carries ("Rules for
 * money" 8). An order is an exit when it is opposite to another month of its root, the front month
 * is flat, it has no bracket, and the nearest month held covers it. Only for orders whose symbol
 * named no month.
 */
export function exitContract(order: AimedOrder, positions: readonly HeldContract[]): ExitContract {
  const root = rootOfCode(order.contract);
  const ofRoot = positions.filter(
    ({ contract, netQty }) => netQty !== 0 && rootOfCode(contract) === root,
  );
  const inFront = ofRoot.some(({ contract }) => contract === order.contract);
  const held = ofRoot
    .filter(({ netQty }) => netQty * sign(order.side) < 0)
    .toSorted((one, other) => monthOf(one) - monthOf(other));
  const [nearest] = held;
  if (inFront || nearest === undefined) return { kind: "use", contract: order.contract };

  const isExit = order.bracket === undefined && order.orderQty <= Math.abs(nearest.netQty);
  return isExit ? { kind: "use", contract: nearest.contract } : { kind: "mismatch", held };
}

/** Why an order that is no exit of what is held is refused, and what its sender can do. */
export function mismatchReason(
  { contract, orderQty, bracket }: AimedOrder,
  held: readonly HeldContract[],
  symbolOf: (contract: ContractCode) => string,
): string {
  const holds = held.map(({ netQty, contract: month }) => {
    const short = netQty < 0 ? " short" : "";
    return `${Math.abs(netQty)} ${symbolOf(month)}${short}`;
  });
  const months = held.map((one) => symbolOf(one.contract)).join(" and ");
  const order = `an order of ${orderQty}${bracket === undefined ? "" : " with a bracket"}`;
  const open = held.length === 1 ? "both" : "them all";
  return (
    `The account holds ${holds.join(" and ")}, not the front month ${symbolOf(contract)}: ` +
    `${order} would leave ${open} open. Close ${months} first, or name a contract`
  );
}

/** Counts months, so that the nearest expiry of one root comes first. */
export function monthOf({ contract }: HeldContract): number {
  const { year = 0, month = 0 } = parseContractCode(contract) ?? {};
  return year * 12 + month;
}
