import { isoDate } from "../../domain/calendar/civil-day.ts";
import type { TradingDayAt } from "../../domain/calendar/trading-day.ts";
import { type ContractCode, parseContractCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";

/** The trading day (ISO) of an instant for a contract; without one, that of an account as a whole. */
export type TradingDayOf = (contract: ContractCode | undefined, at: number) => string;

/** By the holidays of the contract's product; one that is not in our table goes by those of CME. */
export function createTradingDayOf(
  tradingDayAt: TradingDayAt,
  contracts: Pick<ContractDirectory, "product">,
): TradingDayOf {
  return (code, at) => {
    const root = code === undefined ? undefined : parseContractCode(code)?.root;
    const product = root === undefined ? undefined : contracts.product(root);
    return isoDate(tradingDayAt(at, product?.calendar).day);
  };
}
