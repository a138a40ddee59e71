import type { Side } from "../../../../domain/order.ts";
import type { PlanLevelTicket } from "../../../../domain/exits/exit-plan.ts";
import { type AlertFields, MAX_TICKS } from "../../alert-fields.ts";
import type { SaidExits } from "../../exit-terms.ts";

/** `25 ticks`, `-7.5 points`, `1.5%`: plus is above the market and minus below it, whatever the action. */
const DISTANCE = /^([+-]?)\s*(\d{1,15}(?:\.\d{1,12})?)\s*(ticks?|points?|%|percent)$/i;
const OF_MONEY = /(\$|dollars?)$/i;

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
export function readLegs(fields: AlertFields, of: LegsOf): Pick<SaidExits, "target" | "stop"> {
  const target = readLeg(fields, "take_profit", of);
  const stop = readLeg(fields, "stop_loss", of);
  return { ...(target !== undefined && { target }), ...(stop !== undefined && { stop }) };
}

function readLeg(
  fields: AlertFields,
  name: "take_profit" | "stop_loss",
  { side, noDistance }: LegsOf,
): PlanLevelTicket | undefined {
  const value = fields.value(name);
  if (isOff(value)) return undefined;
  const text = typeof value === "string" ? value.trim() : "";
  const [, sign, amount, unit] = DISTANCE.exec(text) ?? [];
  if (amount === undefined) {
    if (OF_MONEY.test(text)) return fields.problem(name, NO_MONEY);
    const price = fields.number(name);
    return price === undefined ? undefined : { price };
  }
  if (noDistance !== undefined) return fields.problem(name, noDistance);
  const isAbove = sign !== "-";
  if (isAbove !== ((name === "take_profit") === (side === "BUY"))) {
    return fields.problem(name, wrongSide(side, isAbove));
  }
  return readDistance(fields, name, { amount, unit: unit?.toLowerCase() ?? "" });
}

function readDistance(
  fields: AlertFields,
  name: string,
  { amount, unit }: { readonly amount: string; readonly unit: string },
): PlanLevelTicket | undefined {
  if (unit.startsWith("point")) return { offset: amount };
  if (!unit.startsWith("tick")) {
    const isShare = Number(amount) > 0 && Number(amount) < 100;
    if (isShare) return { percent: amount };
    return fields.problem(name, "must be above 0 and below 100 percent");
  }
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

const NO_MONEY = "cannot be an amount of money here: write a price, ticks, points or a percentage";

function wrongSide(side: Side, isAbove: boolean): string {
  const where = isAbove ? "above" : "below";
  const of = side === "BUY" ? "buy" : "sell";
  return `lies ${where} the market, the wrong side for a ${of}: plus is above, minus is below`;
}
