import { contractCode } from "../domain/contract.ts";
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

/** Exits are meant for the contract that is held, so only the root of their symbol counts. */
export function resolveRoot(contracts: ContractDirectory, symbol: string, nowMs: number): string {
  const resolution = contracts.resolve(symbol, nowMs);
  if (resolution.kind === "unknown") throw errors.unknownSymbol(symbol, resolution.reason);
  return resolution.contract.root;
}
