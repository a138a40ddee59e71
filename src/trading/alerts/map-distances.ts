import type { AlertRequest, OrderTerms } from "../../domain/alert.ts";
import { declaredPrice, ORDER_PRICES, type PriceWord } from "../../domain/declared/order-types.ts";
import type { PriceTickets } from "../../domain/contracts/tick-reader.ts";
import { parseDecimal, rescale } from "../../domain/contracts/decimal.ts";
import type { TickSize } from "../../domain/contracts/price.ts";
import { exitsIn } from "./exits-of-request.ts";
import type { BracketTicket } from "../../domain/contracts/tick-reader.ts";
import type { ExitPlanTicket, PlanLevelTicket, StepTicket } from "../../domain/exits/exit-plan.ts";

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
  if (sizes.from === sizes.to || !countsTicks(request)) return request;
  const count = (ticks: number): number => countedAnew(ticks, sizes);
  switch (request.kind) {
    case "order":
      return { ...request, ticket: { ...request.ticket, ...mappedExits(request.ticket, count) } };
    case "adjust":
      return { ...request, terms: { ...request.terms, ...mappedExits(request.terms, count) } };
    case "protect":
      return {
        ...request,
        ...mappedPlanOf(request, count),
        legs: mappedLegs(request.legs, count),
      };
    case "flatten":
    case "exit":
    case "cancel":
      return request;
  }
}

type Exits = Pick<OrderTerms, "bracket" | "exitPlan">;
type Count = (ticks: number) => number;

/** A plan that is asked for by its name is its owner's, who knows what it is traded with. */
function writtenIn(request: AlertRequest): readonly (BracketTicket | ExitPlanTicket)[] {
  const { bracket, exitPlan } = exitsIn(request);
  return [bracket, exitPlan].filter((one) => typeof one === "object");
}

/** Whether it names a price of its contract, in which a distance would be the same in another market. */
export function namesPrice(request: AlertRequest): boolean {
  const terms = termsIn(request);
  const own = ORDER_PRICES.map(declaredPrice).filter(({ counts }) => counts === "price");
  if (own.some(({ word }) => terms[word as PriceWord] !== undefined)) return true;
  return writtenIn(request).some((exits) =>
    levelsIn(exits).some((level) => level?.price !== undefined),
  );
}

/** The order's own prices; an alert that places none has none. */
function termsIn(request: AlertRequest): Partial<PriceTickets> {
  if (request.kind === "order") return request.ticket;
  return request.kind === "adjust" ? request.terms : {};
}

function countsTicks(request: AlertRequest): boolean {
  return writtenIn(request).some((exits) => {
    if ("breakeven" in exits && typeof exits.breakeven?.plus === "number") return true;
    if ("trailing" in exits && typeof exits.trailing?.step === "number") return true;
    return levelsIn(exits).some((level) => level?.ticks !== undefined);
  });
}

function levelsIn(
  exits: BracketTicket & ExitPlanTicket,
): readonly (Pick<PlanLevelTicket, "ticks" | "price"> | undefined)[] {
  const { takeProfit, stopLoss, targets = [], stop, breakeven, trailing } = exits;
  return [
    takeProfit,
    stopLoss,
    stop,
    breakeven?.after,
    trailing?.from,
    trailing?.distance,
    ...targets,
  ];
}

function countedAnew(ticks: number, { from, to }: TickSizes): number {
  const [fromTick, toTick] = [parseDecimal(from), parseDecimal(to)];
  if (fromTick === undefined || toTick === undefined) return ticks;
  const scale = Math.max(fromTick.scale, toTick.scale);
  const distance = BigInt(ticks) * rescale(fromTick, scale);
  return Math.max(1, Number(distance / rescale(toTick, scale)));
}

function mappedExits({ bracket, exitPlan }: Exits, count: Count): Exits {
  return {
    ...(bracket !== undefined && { bracket: mappedLegs(bracket, count) }),
    ...mappedPlanOf({ ...(exitPlan !== undefined && { exitPlan }) }, count),
  };
}

function mappedPlanOf({ exitPlan }: Exits, count: Count): Pick<Exits, "exitPlan"> {
  return typeof exitPlan === "object" ? { exitPlan: mappedPlan(exitPlan, count) } : {};
}

function mappedLegs({ takeProfit, stopLoss }: BracketTicket, count: Count): BracketTicket {
  return {
    ...(takeProfit !== undefined && { takeProfit: mapped(takeProfit, count) }),
    ...(stopLoss !== undefined && { stopLoss: mapped(stopLoss, count) }),
  };
}

function mappedPlan(plan: ExitPlanTicket, count: Count): ExitPlanTicket {
  const { targets, stop, breakeven, trailing } = plan;
  return {
    ...plan,
    ...(targets !== undefined && { targets: targets.map((target) => mapped(target, count)) }),
    ...(stop !== undefined && { stop: mapped(stop, count) }),
    ...(breakeven !== undefined && {
      breakeven: {
        after: mapped(breakeven.after, count),
        ...stepOf("plus", breakeven.plus, count),
      },
    }),
    ...(trailing !== undefined && {
      trailing: {
        distance: mapped(trailing.distance, count),
        ...(trailing.from !== undefined && { from: mapped(trailing.from, count) }),
        ...stepOf("step", trailing.step, count),
      },
    }),
  };
}

/** None at all stays none: so far beyond the entry the stop goes. */
function stepOf<Name extends string>(
  name: Name,
  step: StepTicket | undefined,
  count: Count,
): { readonly [One in Name]?: StepTicket } {
  if (step === undefined) return {};
  const steps = { [name]: typeof step === "number" && step > 0 ? count(step) : step };
  return steps as { [One in Name]: StepTicket };
}

const mapped = <Level extends { readonly ticks?: number }>(level: Level, count: Count): Level =>
  level.ticks === undefined ? level : { ...level, ticks: count(level.ticks) };
