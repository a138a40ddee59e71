import type { AlertRequest, WebhookOptions } from "../../domain/alert.ts";
import type { Contract } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { plainSymbol } from "../../domain/contracts/symbol.ts";
import type { DenialCode } from "../../domain/denials.ts";
import { errors } from "../../errors.ts";
import { mayRest } from "../../domain/order-handling.ts";
import { exitsIn, withExits } from "./exits-of-request.ts";
import { namesPrice, withMappedDistances } from "./map-distances.ts";
import { multiplyPlan, multiplyRequest } from "./multiply-request.ts";

/** What an alert asks for once its webhook's options are applied, and what they did, in words. */
export interface AppliedOptions {
  readonly request: AlertRequest;
  readonly decisions: readonly string[];
  /** Only a way out passes; why, in words. */
  readonly exitsOnly?: string;
  /** Absent where its symbol may not be traded. */
  readonly exitsOnlyCode?: DenialCode;
}

/**
 * Maps the symbol, finds out whether it may be traded, and multiplies quantities. Throws
 * UNKNOWN_SYMBOL or VALIDATION_FAILED.
 */
export function applyOptions(
  request: AlertRequest,
  options: WebhookOptions,
  contracts: ContractDirectory,
  nowMs: number,
): AppliedOptions {
  const decisions: string[] = [];
  const terms = { options, contracts, nowMs, decisions };
  const mapped = withMappedSymbol(request, terms);
  const foreign = foreignPrices(request, mapped, terms);
  const exitsOnly = forbidEntries(mapped, terms);
  const multiplied = multiplyRequest(withTimeout(mapped, terms), options.multiplier);
  if (multiplied.decision !== undefined) decisions.push(multiplied.decision);
  const applied = { request: withMultipliedPlan(multiplied.request, options), decisions };
  if (exitsOnly !== undefined) return { ...applied, exitsOnly };
  const unfit = foreign ?? multiplied.exitsOnly;
  if (unfit === undefined) return applied;
  return { ...applied, exitsOnly: unfit, exitsOnlyCode: "VALIDATION_FAILED" };
}

function withMultipliedPlan(request: AlertRequest, { multiplier }: WebhookOptions): AlertRequest {
  const exits = exitsIn(request);
  const { exitPlan } = exits;
  if (multiplier === undefined || exitPlan === undefined || typeof exitPlan === "string") {
    return request;
  }
  return withExits(request, { ...exits, exitPlan: multiplyPlan(exitPlan, multiplier) });
}

interface Terms {
  readonly options: WebhookOptions;
  readonly contracts: ContractDirectory;
  readonly nowMs: number;
  /** Grows as the options are applied. */
  readonly decisions: string[];
}

/** What an alert says itself stands, and what ends at once has no need of it. */
function withTimeout(request: AlertRequest, { options, decisions }: Terms): AlertRequest {
  const { entryTimeoutSeconds: afterSeconds, entryTimeoutThen: then = "cancel" } = options;
  if (afterSeconds === undefined || (request.kind !== "order" && request.kind !== "adjust")) {
    return request;
  }
  const asked = request.kind === "order" ? request.ticket : request.terms;
  if (asked.timeout !== undefined || !mayRest(asked) || onlyReduces(request)) return request;
  const what = then === "cancel" ? "cancelled" : "sent at the market";
  decisions.push(`What of it still rests after ${afterSeconds} s is ${what}`);
  const timeout = { afterSeconds, then };
  return request.kind === "order"
    ? { ...request, ticket: { ...request.ticket, timeout } }
    : { ...request, terms: { ...request.terms, timeout } };
}

function withMappedSymbol(request: AlertRequest, terms: Terms): AlertRequest {
  const symbol = symbolOf(request);
  const { symbolMap } = terms.options;
  if (symbol === undefined || symbolMap === undefined) return request;

  const contract = resolve(symbol, terms, request);
  if (contract === undefined) return request;
  const root = Object.hasOwn(symbolMap, contract.root) ? symbolMap[contract.root] : undefined;
  if (root === undefined || root === contract.root) return request;
  const traded = symbolOnRoot(symbol, root, terms.contracts);
  terms.decisions.push(`${symbol} is traded as ${traded}`);
  const kept = withKeptDistances(request, contract.root, root, terms);
  return kept.kind === "order"
    ? { ...kept, ticket: { ...kept.ticket, symbol: traded } }
    : { ...kept, symbol: traded };
}

/**
 * Why only exits pass where the alert names prices of another market than the one that is traded. Throws
 * VALIDATION_FAILED where levels alone are asked for: a stop at such a price protects nothing.
 */
function foreignPrices(
  request: AlertRequest,
  mapped: AlertRequest,
  terms: Terms,
): string | undefined {
  if (mapped === request || !namesPrice(request)) return undefined;
  const [named, traded] = [request, mapped].map((one) => {
    const symbol = symbolOf(one);
    return symbol === undefined ? undefined : resolve(symbol, terms, one)?.root;
  });
  if (named === undefined || traded === undefined) return undefined;
  if (terms.contracts.isOneMarket(named, traded)) return undefined;
  const message = `The prices are of ${named}, and ${traded} is another market. Send ticks or an offset`;
  if (request.kind !== "protect") return `${message}; exits pass`;
  throw errors.validationFailed([{ path: "symbol", message }]);
}

/** A micro may have larger ticks than its big one: as many of them would be another distance. */
function withKeptDistances(
  request: AlertRequest,
  from: string,
  to: string,
  { contracts, decisions }: Terms,
): AlertRequest {
  const [named, traded] = [contracts.product(from)?.tickSize, contracts.product(to)?.tickSize];
  if (named === undefined || traded === undefined) return request;
  const mapped = withMappedDistances(request, { from: named, to: traded });
  if (mapped !== request) decisions.push(`Ticks of ${named} are counted in ticks of ${traded}`);
  return mapped;
}

/** The same month of another root; the year keeps its digits, so that it means the same one. */
function symbolOnRoot(symbol: string, root: string, contracts: ContractDirectory): string {
  const parsed = contracts.parse(symbol);
  const prefix =
    contracts.product(root)?.prefixRequired === true ? exchangeOf(root, contracts) : "";
  if (parsed.kind !== "contract") return `${prefix}${root}1!`;
  const written = plainSymbol(symbol).toUpperCase();
  return `${prefix}${root}${written.slice(written.length - parsed.year.length - 1)}`;
}

function exchangeOf(root: string, contracts: ContractDirectory): string {
  return `${contracts.product(root)?.prefixes[0] ?? ""}:`;
}

/** Whether an order is a way out is known on the lane only, by what is held then. */
function forbidEntries(request: AlertRequest, terms: Terms): string | undefined {
  const symbol = symbolOf(request);
  const { allowedSymbols } = terms.options;
  if (symbol === undefined || allowedSymbols === undefined) return undefined;
  const contract = resolve(symbol, terms, request);
  if (contract === undefined || allowedSymbols.includes(contract.root)) return undefined;

  terms.decisions.push(`${symbol} is not among the allowed symbols: only exits pass`);
  if (onlyReduces(request)) return undefined;
  const allowed = new Intl.ListFormat("en").format(allowedSymbols);
  return `The webhook may not open or grow a position in ${symbol}; it is allowed ${allowed} only, and exits pass`;
}

/** What cannot open or grow a position, whatever is held. */
export function onlyReduces(request: AlertRequest): boolean {
  switch (request.kind) {
    case "order":
      return false;
    case "adjust":
      return (
        request.aim.to === "close" || (request.aim.to === "position" && request.aim.netQty === 0)
      );
    case "flatten":
    case "exit":
    case "cancel":
    case "protect":
      return true;
  }
}

export function symbolOf(request: AlertRequest): string | undefined {
  return request.kind === "order" ? request.ticket.symbol : request.symbol;
}

/** Undefined for a way out of what the table does not know: the account may hold it all the same. */
function resolve(
  symbol: string,
  { contracts, nowMs }: Terms,
  request: AlertRequest,
): Contract | undefined {
  const isExit = onlyReduces(request);
  const resolution = contracts.resolve(symbol, nowMs, isExit ? "exit" : "entry");
  if (resolution.kind === "resolved") return resolution.contract;
  if (isExit) return undefined;
  throw errors.unknownSymbol(symbol, resolution.reason);
}
