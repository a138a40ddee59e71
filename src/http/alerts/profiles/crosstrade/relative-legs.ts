import type { Side } from "../../../../domain/order.ts";
import type { BracketTicket, LegTicket } from "../../../../domain/contracts/tick-reader.ts";
import { type AlertFields, MAX_TICKS } from "../../alert-fields.ts";

/** `25 ticks`, `-7.5 points`: plus is above the market and minus below it, whatever the action. */
const DISTANCE = /^([+-]?)\s*(\d{1,15}(?:\.\d{1,12})?)\s*(tick|point)s?$/i;
const OF_PRICE_OR_MONEY = /(%|percent|dollars?)$/i;

/** What the legs belong to. */
export interface LegsOf {
  /** Of the order, or of the position that is held: BUY when it is long. */
  readonly side: Side;
  /** Why a distance cannot be taken, where it cannot. */
  readonly noDistance?: string;
}

/**
 * `take_profit` and `stop_loss`, each a price or a distance. The service counts a distance from the
 * last quote, we count it from the fill: for an order at the market the two are the same place.
 */
export function readLegs(fields: AlertFields, of: LegsOf): BracketTicket | undefined {
  const takeProfit = readLeg(fields, "take_profit", of);
  const stopLoss = readLeg(fields, "stop_loss", of);
  if (takeProfit === undefined && stopLoss === undefined) return undefined;
  return {
    ...(takeProfit !== undefined && { takeProfit }),
    ...(stopLoss !== undefined && { stopLoss }),
  };
}

function readLeg(
  fields: AlertFields,
  name: "take_profit" | "stop_loss",
  { side, noDistance }: LegsOf,
): LegTicket | undefined {
  const value = fields.value(name);
  if (isOff(value)) return undefined;
  const text = typeof value === "string" ? value.trim() : "";
  const [, sign, amount, unit] = DISTANCE.exec(text) ?? [];
  if (amount === undefined) {
    if (OF_PRICE_OR_MONEY.test(text)) return fields.problem(name, NO_SHARE);
    const price = fields.number(name);
    return price === undefined ? undefined : { price };
  }
  if (noDistance !== undefined) return fields.problem(name, noDistance);
  const isAbove = sign !== "-";
  if (isAbove !== ((name === "take_profit") === (side === "BUY"))) {
    return fields.problem(name, wrongSide(side, isAbove));
  }
  if (unit?.toLowerCase() === "point") return { offset: amount };
  const ticks = Number(amount);
  if (Number.isInteger(ticks) && ticks >= 1 && ticks <= MAX_TICKS) return { ticks };
  return fields.problem(name, `must be a whole number of ticks from 1 to ${MAX_TICKS}`);
}

/** A price that is absent, 0 or false asks for nothing. */
export function isOff(value: unknown): boolean {
  if (typeof value === "number") return value === 0;
  if (typeof value !== "string") return value === undefined || value === false;
  return Number(value) === 0 || value.trim().toLowerCase() === "false";
}

const NO_SHARE =
  "cannot be a percentage or an amount of money here: write a price, ticks or points";

function wrongSide(side: Side, isAbove: boolean): string {
  const where = isAbove ? "above" : "below";
  const of = side === "BUY" ? "buy" : "sell";
  return `lies ${where} the market, the wrong side for a ${of}: plus is above, minus is below`;
}
