import { type ContractCode, contractCode, rootOfCode } from "../domain/contract.ts";
import type { ContractDirectory } from "../domain/contract-directory.ts";
import type { Intent } from "../domain/intent.ts";
import { type OrderTicket, prepareOrder } from "../domain/order-ticket.ts";
import { errors } from "../errors.ts";

/** The order on its resolved contract; fails before anything is sent (specification 2.3). */
export function resolveOrder(
  contracts: ContractDirectory,
  ticket: OrderTicket,
  nowMs: number,
): Extract<Intent, { kind: "PLACE" }> {
  const resolution = contracts.resolve(ticket.symbol, nowMs);
  if (resolution.kind === "unknown") throw errors.unknownSymbol(ticket.symbol, resolution.reason);

  const { contract, product, isFrontMonth } = resolution;
  const prepared = prepareOrder(ticket, contractCode(contract), product);
  if (!prepared.ok) throw errors.validationFailed(prepared.problems);
  return { kind: "PLACE", order: prepared.value, ...(isFrontMonth && { isFrontMonth }) };
}

/** Which of what is held a symbol means. */
export interface MeantPosition {
  readonly root: string;
  /** Given where the symbol names a full contract: that one, and no other month. */
  readonly contract?: ContractCode;
}

/** An exit is meant for the contract that is held, unless its symbol names one (specification 2.3). */
export function resolveHeld(
  contracts: ContractDirectory,
  symbol: string,
  nowMs: number,
): MeantPosition {
  const resolution = contracts.resolve(symbol, nowMs);
  if (resolution.kind === "unknown") throw errors.unknownSymbol(symbol, resolution.reason);
  const { contract, isFrontMonth } = resolution;
  return { root: contract.root, ...(!isFrontMonth && { contract: contractCode(contract) }) };
}

/** Whether a contract is among those that are meant; without a symbol all are. */
export function isMeant(
  code: ContractCode,
  { root, contract }: Partial<MeantPosition> = {},
): boolean {
  if (contract !== undefined) return code === contract;
  return root === undefined || rootOfCode(code) === root;
}
