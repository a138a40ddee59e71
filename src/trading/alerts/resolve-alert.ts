import type { Aim, AlertRequest, OrderTerms } from "../../domain/alert.ts";
import { type ContractCode, contractCode } from "../../domain/contract.ts";
import type { ContractDirectory } from "../../domain/contract-directory.ts";
import type { Intent } from "../../domain/intent.ts";
import type { Side } from "../../domain/order.ts";
import { type PreparedTerms, prepareTerms } from "../../domain/order-ticket.ts";
import type { PriceTerms } from "../../domain/tick-reader.ts";
import { errors } from "../../errors.ts";
import { resolveHeld, resolveOrder } from "../resolve.ts";

type Request<Kind extends AlertRequest["kind"]> = Extract<AlertRequest, { kind: Kind }>;

/** An alert's intent; one that moves exits needs to know what is held, and is resolved elsewhere. */
export function resolveAlert(
  request: Exclude<AlertRequest, { kind: "protect" }>,
  contracts: ContractDirectory,
  nowMs: number,
): Intent {
  switch (request.kind) {
    case "order":
      return resolveOrder(contracts, request.ticket, nowMs);
    case "adjust":
      return resolveAdjustment(request, contracts, nowMs);
    case "flatten":
      return resolveFlatten(request, contracts, nowMs);
    case "exit":
      return {
        kind: "FLATTEN",
        ...resolveHeld(contracts, request.symbol, nowMs),
        cancelResting: true,
      };
    case "cancel":
      return {
        kind: "CANCEL_ENTRIES",
        ...(request.symbol !== undefined && resolveHeld(contracts, request.symbol, nowMs)),
      };
  }
}

/** With a symbol it still closes the whole account, or nothing (specification 4.3.1, 4.3.2). */
function resolveFlatten(
  { symbol }: Request<"flatten">,
  contracts: ContractDirectory,
  nowMs: number,
): Intent {
  const root = symbol === undefined ? undefined : resolveHeld(contracts, symbol, nowMs).root;
  return { kind: "FLATTEN", ...(root !== undefined && { mustHold: root }), cancelResting: true };
}

function resolveAdjustment(
  { symbol, aim, terms, cancelFirst, onlyWhen }: Request<"adjust">,
  contracts: ContractDirectory,
  nowMs: number,
): Intent {
  const resolution = contracts.resolve(symbol, nowMs);
  if (resolution.kind === "unknown") throw errors.unknownSymbol(symbol, resolution.reason);
  const { contract, product, isFrontMonth } = resolution;
  return {
    kind: "ADJUST",
    contract: contractCode(contract),
    ...(isFrontMonth && { isFrontMonth }),
    aim,
    terms: readTerms(terms, product, sideOf(aim)),
    ...(cancelFirst !== undefined && { cancelFirst }),
    ...(onlyWhen !== undefined && { onlyWhen }),
  };
}

function readTerms(terms: OrderTerms, product: PriceTerms, side: Side | undefined): PreparedTerms {
  const prepared = prepareTerms(terms, product, side);
  if (!prepared.ok) throw errors.validationFailed(prepared.problems);
  return prepared.value;
}

/** The side of what is opened or grown, where the aim tells it; elsewhere the position does. */
function sideOf(aim: Aim): Side | undefined {
  switch (aim.to) {
    case "order":
    case "enter":
      return aim.side;
    case "position":
      return aim.netQty === 0 ? undefined : aim.netQty > 0 ? "BUY" : "SELL";
    case "add":
    case "close":
    case "reverse":
      return undefined;
  }
}

/** The contract that an intent names, before the lane has looked at what is held. */
export function contractOf(intent: Intent): ContractCode | undefined {
  switch (intent.kind) {
    case "PLACE":
      return intent.order.contract;
    case "ADJUST":
    case "PROTECT":
      return intent.contract;
    case "FLATTEN":
    case "CANCEL_ENTRIES":
      return intent.contract;
    case "CANCEL":
    case "MODIFY":
      return undefined;
  }
}
