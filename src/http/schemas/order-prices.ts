import { type TSchema, Type } from "@sinclair/typebox";
import {
  DECLARED_PRICES,
  ORDER_PRICES,
  type PriceWord,
} from "../../domain/declared/order-types.ts";
import { Distance, nullable, NumberOrText, Price } from "./parts.ts";

/** An order's own prices, flat beside its other fields. */

/** As they are asked for; which of them belongs to an order follows from its type. */
export const PRICES_GIVEN = prices((counts) =>
  Type.Optional(counts === "price" ? Price : Distance),
);

/** As they are shown: null where an order has none. */
export const PRICES_SHOWN = prices((counts) =>
  nullable(counts === "price" ? Price : Type.Number()),
);

/** As an alert may write them. */
export const PRICES_WRITTEN = prices(() => Type.Optional(NumberOrText));

/** All of them, none there. */
export const NO_PRICES = Object.fromEntries(
  ORDER_PRICES.map((name) => [DECLARED_PRICES[name].word, null]),
) as Readonly<Record<PriceWord, null>>;

function prices<Schema extends TSchema>(of: (counts: "price" | "distance") => Schema) {
  const named = ORDER_PRICES.map((name) => [
    DECLARED_PRICES[name].word,
    of(DECLARED_PRICES[name].counts),
  ]);
  return Object.fromEntries(named) as Record<PriceWord, Schema>;
}
