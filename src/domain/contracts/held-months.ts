import type { Holding } from "../alert.ts";
import type { ContractCode } from "./contract.ts";
import type { HeldContract } from "./exit-contract.ts";
import type { Side } from "../order.ts";

export const sideOf = (netQty: number): Side => (netQty > 0 ? "BUY" : "SELL");

export const holdingOf = ({ netQty }: HeldContract): Holding => (netQty > 0 ? "LONG" : "SHORT");

export const isHeldAs = (one: HeldContract, holding: Holding | undefined): boolean =>
  holding === undefined || holdingOf(one) === holding;

export const totalOf = (held: readonly HeldContract[]): number =>
  held.reduce((total, { netQty }) => total + Math.abs(netQty), 0);

/** As part of a sentence. */
export const heldInWords = (
  held: readonly HeldContract[],
  symbolOf: (contract: ContractCode) => string,
): string =>
  held
    .map((one) => {
      const word = holdingOf(one).toLowerCase();
      return `${Math.abs(one.netQty)} ${symbolOf(one.contract)} ${word}`;
    })
    .join(" and ");
