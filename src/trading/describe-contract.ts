import { contractSymbol, parseContractCode } from "../domain/contract.ts";
import type { ContractDirectory } from "../domain/contract-directory.ts";
import type { DescribeContract } from "./gateway.ts";

/** The terms of any contract that the gateway itself ever resolved. */
export function createDescribeContract(contracts: ContractDirectory): DescribeContract {
  return (code) => {
    const contract = parseContractCode(code);
    const product = contract === undefined ? undefined : contracts.product(contract.root);
    if (contract === undefined || product === undefined) {
      throw new Error(`contract ${code} is not in the contract table`);
    }
    const { tickSize, tickValue, currency } = product;
    return { symbol: contractSymbol(contract), tickSize, tickValue, currency };
  };
}
