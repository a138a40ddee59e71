import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, OrderId } from "../../domain/ids.ts";
import type { ContractDifference } from "./contract-desk.ts";

/** The exits of an entry are not as they were asked for, and it could not be put right. */
export interface LegTrouble {
  readonly entry: OrderId;
  readonly contract: ContractCode;
  readonly exits: readonly ("TAKE_PROFIT" | "STOP_LOSS")[];
  readonly reason: string;
}

/** Hears what a person may have to know; for logs, alarms and metrics. */
export interface ProjectXObserver {
  /** The broker's contract data are not those of our table. Once per contract and field. */
  readonly differs: (contract: ContractCode, difference: ContractDifference) => void;
  readonly legTrouble: (account: AccountId, trouble: LegTrouble) => void;
  /** Something failed that is tried again. */
  readonly trouble: (error: unknown) => void;
}
