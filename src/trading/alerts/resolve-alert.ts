import type { Aim, AlertRequest, OrderTerms } from "../../domain/alert.ts";
import { type ContractCode, contractCode } from "../../domain/contracts/contract.ts";
import { mayOpen } from "../../domain/adjust.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { Intent } from "../../domain/intent.ts";
import type { Side } from "../../domain/order.ts";
import { type PreparedTerms, prepareTerms } from "../../domain/order-ticket.ts";
import type { PriceTerms } from "../../domain/contracts/tick-reader.ts";
import { errors } from "../../errors.ts";
import {
  handlingOf,
  type MeantPosition,
  namedAs,
  resolvePosition,
  resolveOrder,
  resolveProtection,
} from "../orders/resolve.ts";

type Request<Kind extends AlertRequest["kind"]> = Extract<AlertRequest, { kind: Kind }>;

/**
 * An alert's intent. `open` are the account's open contracts, for a way out of one that the table
 * does not know.
 */
export function resolveAlert(
  request: AlertRequest,
  contracts: ContractDirectory,
  nowMs: number,
  open: readonly ContractCode[] = [],
): Intent {
  const held = (symbol: string) => resolvePosition(contracts, symbol, nowMs, open);
  switch (request.kind) {
    case "order":
      return resolveOrder(contracts, request.ticket, nowMs);
    case "adjust":
      return resolveAdjustment(request, contracts, nowMs, open);
    case "flatten":
      return resolveFlatten(request, held);
    case "exit":
      return {
        kind: "FLATTEN",
        ...held(request.symbol),
        cancelResting: true,
      };
    case "cancel":
      return {
        kind: "CANCEL_ENTRIES",
        ...(request.symbol !== undefined && held(request.symbol)),
      };
    case "protect":
      return resolveProtection(request, contracts, nowMs, open);
  }
}

type ResolveHeld = (symbol: string) => MeantPosition;

/** With a symbol it still closes the whole account, or nothing (specification 4.3.1, 4.3.2). */
function resolveFlatten({ symbol }: Request<"flatten">, held: ResolveHeld): Intent {
  const root = symbol === undefined ? undefined : held(symbol).root;
  return { kind: "FLATTEN", ...(root !== undefined && { mustHold: root }), cancelResting: true };
}

function resolveAdjustment(
  { symbol, aim, terms, cancelFirst, onlyWhen }: Request<"adjust">,
  contracts: ContractDirectory,
  nowMs: number,
  open: readonly ContractCode[],
): Intent {
  const cancels = cancelFirst ?? aim.to === "position";
  const asked = {
    aim,
    ...(cancels && { cancelFirst: true as const }),
    ...(onlyWhen !== undefined && { onlyWhen }),
  };
  const resolution = contracts.resolve(symbol, nowMs, mayOpen(aim) ? "entry" : "exit");
  if (resolution.kind === "unknown") {
    if (mayOpen(aim)) throw errors.unknownSymbol(symbol, resolution.reason);
    return {
      kind: "ADJUST",
      // What only closes goes at the market, in a contract that the account alone knows.
      ...namedAs(resolvePosition(contracts, symbol, nowMs, open)),
      ...asked,
      terms: AT_MARKET,
    };
  }
  const { contract, product, isFrontMonth } = resolution;
  return {
    kind: "ADJUST",
    contract: contractCode(contract),
    ...(isFrontMonth && { isFrontMonth }),
    ...asked,
    terms: mayOpen(aim) ? readTerms(terms, product, sideOf(aim)) : AT_MARKET,
    ...(mayOpen(aim) && handlingOf(terms, product)),
  };
}

/** What only closes, whatever its alert says of an entry. */
const AT_MARKET: PreparedTerms = { ordType: "MARKET", timeInForce: "DAY" };

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
    case "TIMEOUT":
      return intent.contract;
    case "FLATTEN":
    case "CANCEL_ENTRIES":
      return intent.contract;
    case "CANCEL":
    case "MODIFY":
      return undefined;
  }
}
