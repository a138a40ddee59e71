import { type ContractCode, rootOfCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { readFeeTable } from "../../domain/fee-table.ts";
import type { ValuationDeps } from "./value-account.ts";

/** What fills cost until their broker has said it. Throws `FeeTableError`. */
export function createExpectedFee(
  text: string,
  contracts: Pick<ContractDirectory, "product">,
): ValuationDeps["expectedFee"] {
  const feeOf = readFeeTable(text, (root) => contracts.product(root) !== undefined);
  return (contract: ContractCode) => feeOf(rootOfCode(contract));
}
