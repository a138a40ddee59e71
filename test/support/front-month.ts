import { contracts as products } from "../../config/contracts.ts";
import { closures, holidays } from "../../config/holidays.ts";
import {
  contractCode,
  type ContractCode,
  contractSymbol,
  parseContractCode,
} from "../../src/domain/contracts/contract.ts";
import { createContractDirectory } from "../../src/domain/contracts/contract-directory.ts";

const directory = createContractDirectory({ products, holidays, closures });

/** One contract as users write it and as it is stored. */
export interface Listed {
  readonly symbol: string;
  readonly code: ContractCode;
}

/** The contract that a continuous symbol means now. */
export function frontMonth(root: string): Listed {
  const resolution = directory.resolve(root, Date.now());
  if (resolution.kind === "unknown") throw new Error(resolution.reason);
  const { contract } = resolution;
  return { symbol: contractSymbol(contract), code: contractCode(contract) };
}

/** The same root's contract that trades a quarter later. */
export function quarterAfter({ code }: Listed): Listed {
  const contract = parseContractCode(code);
  if (contract === undefined) throw new Error(`${code} is no contract`);
  const isLast = contract.month > 9;
  const later = {
    root: contract.root,
    year: contract.year + (isLast ? 1 : 0),
    month: isLast ? contract.month - 9 : contract.month + 3,
  };
  return { symbol: contractSymbol(later), code: contractCode(later) };
}
