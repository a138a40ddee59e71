import {
  DECLARED_PRICES,
  DECLARED_TYPES,
  needs,
  ORD_TYPES,
  ORDER_PRICES,
  type OrderPrice,
} from "../../domain/declared/order-types.ts";
import { type Static, Type } from "@sinclair/typebox";
import { ACTIONS, DURATIONS, ORDER_STATUSES, ORDER_TYPES, ROLES } from "../words.ts";
import { Closed } from "./holding.ts";
import { PRICES_GIVEN, PRICES_SHOWN } from "./order-prices.ts";
import {
  AccountIdText,
  choice,
  IntentIdText,
  Distance,
  nullable,
  OrderIdText,
  Price,
  Quantity,
  ResolvedSymbol,
  Symbol,
} from "./parts.ts";

/** "limitPrice belongs to limit and stopLimit", and of those after it without the verb. */
function belongsTo(name: OrderPrice, place: number): string {
  const types = ORD_TYPES.filter((ordType) => needs(ordType, name));
  const words = types.map((ordType) => DECLARED_TYPES[ordType].word).join(" and ");
  return `${DECLARED_PRICES[name].word} ${place === 0 ? "belongs to" : "to"} ${words}`;
}

export const Leg = Type.Object(
  {
    price: Type.Optional(Price),
    ticks: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: "Ticks away from the entry" }),
    ),
    offset: Type.Optional(Distance),
  },
  {
    title: "Leg",
    description: "Where an exit goes: exactly one of price, ticks and offset",
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  },
);

export const Bracket = Type.Object(
  { takeProfit: Type.Optional(Leg), stopLoss: Type.Optional(Leg) },
  {
    title: "Bracket",
    description: "At most one take-profit and one stop-loss, linked so that one ends the other",
    additionalProperties: false,
    minProperties: 1,
  },
);

export const PlaceOrderBody = Type.Object(
  {
    symbol: Symbol,
    action: choice(ACTIONS),
    qty: Quantity,
    type: choice(ORDER_TYPES, { default: "market" }),
    ...PRICES_GIVEN,
    timeInForce: choice(DURATIONS, { default: "day" }),
    bracket: Type.Optional(Bracket),
  },
  {
    title: "PlaceOrder",
    description: ORDER_PRICES.map(belongsTo).join(", "),
    additionalProperties: false,
  },
);
export type PlaceOrderBody = Static<typeof PlaceOrderBody>;

export const ModifyOrderBody = Type.Object(
  {
    qty: Type.Optional(
      Type.Integer({ ...Quantity, description: "The whole quantity: what is filled counts too" }),
    ),
    ...PRICES_GIVEN,
  },
  {
    title: "ModifyOrder",
    description: "New values of a working order; what is left out stays as it is",
    additionalProperties: false,
    minProperties: 1,
  },
);
export type ModifyOrderBody = Static<typeof ModifyOrderBody>;

const LegId = nullable(OrderIdText);

export const OrderReply = Type.Object(
  {
    orderId: OrderIdText,
    accountId: AccountIdText,
    symbol: ResolvedSymbol,
    status: choice(ORDER_STATUSES),
    filledQty: Type.Integer(),
    averagePrice: nullable(Type.Number({ description: "Of what is filled" })),
    bracket: nullable(
      Type.Object(
        { takeProfitOrderId: LegId, stopLossOrderId: LegId },
        { title: "BracketOrderIds" },
      ),
    ),
    closed: Type.Optional(
      Type.Array(Closed, {
        description:
          "What a market order found held in another month and closed before the rest of it went to the front month. Where that rest could not follow, orderId, symbol and status are those of the order that closed",
      }),
    ),
    problems: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "What was not carried out, and why: an order that only reduces a position goes without its bracket, and of one that is more than another month holds the rest may not follow. Absent when all was",
      }),
    ),
    intentId: IntentIdText,
  },
  { title: "Order", description: "A placed order as it stood when the caller was answered" },
);

export const ModifyReply = Type.Object(
  {
    orderId: OrderIdText,
    accountId: AccountIdText,
    symbol: ResolvedSymbol,
    status: choice(ORDER_STATUSES),
    qty: Type.Integer(),
    filledQty: Type.Integer(),
    remainingQty: Type.Integer(),
    ...PRICES_SHOWN,
    intentId: IntentIdText,
  },
  { title: "ModifiedOrder", description: "The order as it stood after the change" },
);

export const CancelReply = Type.Object(
  {
    orderId: OrderIdText,
    accountId: AccountIdText,
    status: choice(["canceled"]),
    replacedLeg: nullable(
      Type.Object(
        { role: choice(ROLES), orderId: OrderIdText },
        {
          title: "ReplacedLeg",
          description: "The surviving leg of a filled bracket, placed again under a new id",
        },
      ),
    ),
    intentId: IntentIdText,
  },
  { title: "Cancellation" },
);
