import {
  type ContractCode,
  parseContractCode,
  symbolOfCode,
} from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { parseDecimal } from "../../domain/contracts/decimal.ts";
import { type TickSize, tickSize as sizeOf } from "../../domain/contracts/price.ts";
import type { BrokerTerms } from "../../domain/broker-terms.ts";

/** What is known of any contract, whether or not it is in our table. */
export function createDescribeContract(
  contracts: Pick<ContractDirectory, "product">,
): DescribeContract {
  return (code, told) => {
    const symbol = symbolOfCode(code);
    if (told !== undefined) {
      // Kept for weeks, and by earlier versions: what cannot be a size is none.
      const tickSize = isAmount(told.tickSize) ? told.tickSize : undefined;
      const tickValue = isAmount(told.tickValue) ? told.tickValue : undefined;
      return { symbol, tickSize, tickValue, currency: told.currency, mayBeNegative: true };
    }
    const contract = parseContractCode(code);
    const product = contract === undefined ? undefined : contracts.product(contract.root);
    const { tickSize, tickValue, currency, mayBeNegative = product === undefined } = product ?? {};
    return { symbol, tickSize, tickValue, currency, mayBeNegative };
  };
}

/** For what is copied: only contracts of our table are, so that a missing tick is a mistake of ours. */
export function listedTickSize(describe: DescribeContract, contract: ContractCode): TickSize {
  const { tickSize } = describe(contract);
  if (tickSize === undefined) throw new Error(`${contract} is not in the contract table`);
  return sizeOf(tickSize);
}

function isAmount(text: string | undefined): boolean {
  const amount = typeof text === "string" ? parseDecimal(text) : undefined;
  return amount !== undefined && amount.units > 0n;
}

/**
 * Tick size, tick value and currency of a contract, for showing prices and money. Undefined is what
 * neither our table nor the broker tells: it is shown as unknown.
 */
export interface ContractTerms {
  readonly symbol: string;
  readonly tickSize: string | undefined;
  readonly tickValue: string | undefined;
  readonly currency: string | undefined;
  /** Whether its prices may be 0 or less; of what is not in our table its broker is the judge. */
  readonly mayBeNegative?: boolean;
}

/**
 * The terms of any contract, of our table or not: it never fails. What was `told` with the price that
 * is to be shown comes before our table, since the price is counted in it.
 */
export type DescribeContract = (contract: ContractCode, told?: BrokerTerms) => ContractTerms;
