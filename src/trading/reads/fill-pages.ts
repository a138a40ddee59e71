import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { ExecId } from "../../domain/ids.ts";
import type { Fill } from "../../domain/order.ts";

/** How many fills of one account are kept; older ones make room for newer ones. */
export const MAX_FILLS_KEPT = 10_000;

/** A place in the account's fills, whether or not its fill is still there. */
export interface FillPosition {
  /** Unix ms by the broker's clock. */
  readonly at: number;
  readonly execId: ExecId;
}

export interface FillQuery {
  /** At least 1. */
  readonly limit: number;
  /** Only what comes after it, which is older. */
  readonly after?: FillPosition;
  /** Included. */
  readonly fromAt?: number;
  /** Not included. */
  readonly beforeAt?: number;
  /** Only fills of the contracts that it holds for. */
  readonly isOf?: (contract: ContractCode) => boolean;
}

export interface FillsRead {
  readonly items: readonly Fill[];
  /** The last item's place; absent when nothing comes after it. */
  readonly next?: FillPosition;
  /** The oldest fill's time, where older ones may have made room; absent while all are kept. */
  readonly keptSinceAt?: number;
}
