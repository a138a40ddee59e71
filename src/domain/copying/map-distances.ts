import type { AlertRequest } from "../alert.ts";
import { parseDecimal, rescale } from "../contracts/decimal.ts";
import type { TickSize } from "../contracts/price.ts";
import type { BracketTicket, LegTicket } from "../contracts/tick-reader.ts";

/** The tick sizes of the contract that an alert names, and of the one that is traded instead. */
interface TickSizes {
  readonly from: TickSize;
  readonly to: TickSize;
}

/**
 * The same distances in price on another contract: what is counted in ticks is counted anew. What is
 * no whole number of ticks there is rounded down, to at least one: nearer, so no more is risked.
 */
export function withMappedDistances(request: AlertRequest, sizes: TickSizes): AlertRequest {
  const bracket = bracketIn(request);
  const isCounted = [bracket?.takeProfit, bracket?.stopLoss].some(
    (leg) => leg?.ticks !== undefined,
  );
  if (bracket === undefined || !isCounted || sizes.from === sizes.to) return request;
  return withBracket(request, mappedLegs(bracket, sizes));
}

function bracketIn(request: AlertRequest): BracketTicket | undefined {
  if (request.kind === "order") return request.ticket.bracket;
  if (request.kind === "adjust") return request.terms.bracket;
  return request.kind === "protect" ? request.legs : undefined;
}

function withBracket(request: AlertRequest, bracket: BracketTicket): AlertRequest {
  switch (request.kind) {
    case "order":
      return { ...request, ticket: { ...request.ticket, bracket } };
    case "adjust":
      return { ...request, terms: { ...request.terms, bracket } };
    case "protect":
      return { ...request, legs: bracket };
    case "flatten":
    case "exit":
    case "cancel":
      return request;
  }
}

function mappedLegs({ takeProfit, stopLoss }: BracketTicket, sizes: TickSizes): BracketTicket {
  return {
    ...(takeProfit !== undefined && { takeProfit: mappedLeg(takeProfit, sizes) }),
    ...(stopLoss !== undefined && { stopLoss: mappedLeg(stopLoss, sizes) }),
  };
}

function mappedLeg(leg: LegTicket, { from, to }: TickSizes): LegTicket {
  const [fromTick, toTick] = [parseDecimal(from), parseDecimal(to)];
  if (leg.ticks === undefined || fromTick === undefined || toTick === undefined) return leg;
  const scale = Math.max(fromTick.scale, toTick.scale);
  const distance = BigInt(leg.ticks) * rescale(fromTick, scale);
  return { ...leg, ticks: Math.max(1, Number(distance / rescale(toTick, scale))) };
}
