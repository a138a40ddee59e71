import type { Holding } from "../../../../domain/alert.ts";
import { parseDecimal } from "../../../../domain/contracts/decimal.ts";
import type { Side } from "../../../../domain/order.ts";
import type { StrategyMove } from "../../../../domain/strategy-move.ts";
import { ACTIONS, SIDE_OF } from "../../../words.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { HOLDING_OF, SIDES_BEFORE, SIZES_BEFORE } from "./fields.ts";

/**
 * The order of the strategy that led to the position, as its message says it: by the position before, else by the
 * action. A field that cannot be read says nothing, and refuses nothing. Empty where no order is named.
 */
export function strategyOrder(
  places: readonly AlertFields[],
  netQty: number,
): { readonly strategy?: StrategyMove } {
  const from = positionBefore(places);
  // A message that was sent without an order of the strategy repeats the position that it has.
  if (from === netQty) return {};
  const side = from === undefined ? actionIn(places) : netQty > from ? "BUY" : "SELL";
  if (side === undefined) return {};
  return { strategy: { side, ...(from !== undefined && { from }) } };
}

/** Signed; undefined where it is not said, or in two ways. */
function positionBefore(places: readonly AlertFields[]): number | undefined {
  const said = new Set(places.flatMap(beforeIn));
  const [only] = said;
  return said.size === 1 ? only : undefined;
}

function beforeIn(fields: AlertFields): readonly number[] {
  const sides = namesIn(fields, SIDES_BEFORE);
  const sizes = namesIn(fields, SIZES_BEFORE);
  const [side, size] = [sides[0], sizes[0]].map((name) => name && fields.peek(name));
  const qty = wholeIn(size);
  const from = signed(holdingIn(side), qty) ?? wholeIn(side);
  if (from === undefined) return [];
  fields.ignore(...sides, ...sizes);
  return [from];
}

const namesIn = (fields: AlertFields, names: readonly string[]): readonly string[] =>
  names.filter((name) => fields.has(name));

function signed(holding: Holding | undefined, qty: number | undefined): number | undefined {
  if (holding === "FLAT") return qty === undefined || qty === 0 ? 0 : undefined;
  if (qty === undefined) return undefined;
  if (holding === undefined) return qty <= 0 ? qty : undefined;
  const size = Math.abs(qty);
  return size === 0 ? undefined : holding === "LONG" ? size : -size;
}

function holdingIn(value: unknown): Holding | undefined {
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  return Object.hasOwn(HOLDING_OF, word) ? HOLDING_OF[word as keyof typeof HOLDING_OF] : undefined;
}

function wholeIn(value: unknown): number | undefined {
  const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  const number = parseDecimal(text) === undefined ? NaN : Number(text);
  return Number.isSafeInteger(number) ? number + 0 : undefined;
}

function actionIn(places: readonly AlertFields[]): Side | undefined {
  const words = places.flatMap((fields) => [fields.peek("action"), fields.peek("order_action")]);
  const said = new Set(
    words.flatMap((word) => {
      const action = typeof word === "string" ? word.trim().toLowerCase() : "";
      return ACTIONS.filter((one) => one === action);
    }),
  );
  const [only] = said;
  return said.size === 1 && only !== undefined ? SIDE_OF[only] : undefined;
}
