import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Quantities } from "../../domain/holdings.ts";

/** The field of `positionBase` that is no contract. */
export const UP_TO = "upTo";

/** Reads a hash of quantities by contract. */
export function toQuantities(hash: Readonly<Record<string, string>>): Quantities {
  const entries = Object.entries(hash).map(([code, qty]) => [code as ContractCode, Number(qty)]);
  return new Map(entries as [ContractCode, number][]);
}
