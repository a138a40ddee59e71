import type { ContractCode } from "./contracts/contract.ts";

/** Contracts by what is held of each: positive long, negative short. */
export type Quantities = ReadonlyMap<ContractCode, number>;

/**
 * Where an account's positions come from. What is held at the broker = `base` + `filledNet`; that
 * the two sides agree is what reconciliation watches over.
 */
export interface Holdings {
  /** What is held without any fill that is known: positions from before the account was known. */
  readonly base: Quantities;
  /** The signed sum of every fill ever recorded. */
  readonly filledNet: Quantities;
}

/** A contract of which the broker holds something else than what is known adds up to. */
export interface PositionGap {
  readonly contract: ContractCode;
  readonly expectedQty: number;
  readonly foundQty: number;
}

/** Every contract in which the broker's positions are not what is known of them. */
export function positionGaps(
  { base, filledNet }: Holdings,
  positions: readonly { readonly contract: ContractCode; readonly netQty: number }[],
): readonly PositionGap[] {
  const found = new Map(positions.map(({ contract, netQty }) => [contract, netQty]));
  const contracts = new Set([...base.keys(), ...filledNet.keys(), ...found.keys()]);
  return [...contracts]
    .map((contract) => ({
      contract,
      expectedQty: (base.get(contract) ?? 0) + (filledNet.get(contract) ?? 0),
      foundQty: found.get(contract) ?? 0,
    }))
    .filter(({ expectedQty, foundQty }) => expectedQty !== foundQty);
}
