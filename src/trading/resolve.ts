import { contractCode } from "../domain/contract.ts";
import type { ContractDirectory } from "../domain/contract-directory.ts";
import { type OrderTicket, prepareOrder, type PreparedOrder } from "../domain/order-ticket.ts";
import { errors } from "../errors.ts";

/** The order on its resolved contract; fails before anything is sent (specification 2.3). */
export function resolveOrder(
  contracts: ContractDirectory,
  ticket: OrderTicket,
  nowMs: number,
): PreparedOrder {
  const resolution = contracts.resolve(ticket.symbol, nowMs);
  if (resolution.kind === "unknown") throw errors.unknownSymbol(ticket.symbol, resolution.reason);

  const { contract, product } = resolution;
  const prepared = prepareOrder(ticket, contractCode(contract), product.tickSize);
  if (!prepared.ok) throw errors.validationFailed(prepared.problems);
  return prepared.value;
}

/** Exits are meant for the contract that is held, so only the root of their symbol counts. */
export function resolveRoot(contracts: ContractDirectory, symbol: string, nowMs: number): string {
  const resolution = contracts.resolve(symbol, nowMs);
  if (resolution.kind === "unknown") throw errors.unknownSymbol(symbol, resolution.reason);
  return resolution.contract.root;
}
