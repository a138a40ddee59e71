import { PRICES_SHOWN } from "./order-prices.ts";
import { Type } from "@sinclair/typebox";
import { ACTIONS, DURATIONS, ORDER_TYPES } from "../words.ts";
import { choice, nullable, Price, ResolvedSymbol } from "./parts.ts";

const Level = nullable(
  Type.Union([
    Type.Object({ price: nullable(Price) }, { title: "PriceLevel" }),
    Type.Object({ ticks: Type.Integer() }, { title: "TicksLevel" }),
  ]),
);

export const AskedBracket = Type.Object(
  { takeProfit: Level, stopLoss: Level },
  { title: "AskedBracket" },
);

export const AskedOrder = Type.Object(
  {
    symbol: ResolvedSymbol,
    action: choice(ACTIONS),
    qty: Type.Integer(),
    type: choice(ORDER_TYPES),
    ...PRICES_SHOWN,
    timeInForce: choice(DURATIONS),
    bracket: nullable(AskedBracket),
  },
  { title: "AskedOrder", description: "What a place intent asked for, its symbol resolved" },
);
