import { type ContractCode, contractCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { Intent } from "../../domain/intent.ts";
import { prepareLegs } from "../../domain/order-ticket.ts";
import type { BracketTicket } from "../../domain/contracts/tick-reader.ts";
import { errors } from "../../errors.ts";
import { namedAs, resolvePosition } from "./resolve.ts";

interface ProtectRequest {
  /** Absent: the one position that is open. */
  readonly symbol?: string;
  readonly legs: BracketTicket;
}

/**
 * Which position is meant, and its levels in ticks as far as the symbol tells how large those are.
 * What is held is looked at on the lane: an entry before it may just be filling. `open` are the
 * account's open contracts, for one that the table does not know.
 */
export function resolveProtection(
  { symbol, legs }: ProtectRequest,
  contracts: ContractDirectory,
  nowMs: number,
  open: readonly ContractCode[],
): Extract<Intent, { kind: "PROTECT" }> {
  if (symbol === undefined) return { kind: "PROTECT", written: legs };
  const resolution = contracts.resolve(symbol, nowMs);
  if (resolution.kind === "unknown") {
    const meant = resolvePosition(contracts, symbol, nowMs, open);
    return { kind: "PROTECT", ...namedAs(meant), written: legs };
  }
  const { contract, product, isFrontMonth } = resolution;
  const prepared = prepareLegs(legs, product);
  if (!prepared.ok) throw errors.validationFailed(prepared.problems);
  return {
    kind: "PROTECT",
    contract: contractCode(contract),
    ...(isFrontMonth && { isFrontMonth }),
    levels: prepared.value,
  };
}
