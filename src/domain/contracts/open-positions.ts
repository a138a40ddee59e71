import type { Holding } from "../alert.ts";
import type { ContractCode } from "./contract.ts";
import type { OpenPosition } from "./exit-contract.ts";
import type { Side } from "../order.ts";

export const sideOf = (netQty: number): Side => (netQty > 0 ? "BUY" : "SELL");

export const holdingOf = ({ netQty }: OpenPosition): Holding => (netQty > 0 ? "LONG" : "SHORT");

export const isOnSide = (one: OpenPosition, holding: Holding | undefined): boolean =>
  holding === undefined || holdingOf(one) === holding;

export const totalQty = (positions: readonly OpenPosition[]): number =>
  positions.reduce((total, { netQty }) => total + Math.abs(netQty), 0);

/** As part of a sentence. */
export const positionsInWords = (
  positions: readonly OpenPosition[],
  symbolOf: (contract: ContractCode) => string,
): string =>
  positions
    .map((one) => {
      const word = holdingOf(one).toLowerCase();
      return `${Math.abs(one.netQty)} ${symbolOf(one.contract)} ${word}`;
    })
    .join(" and ");
