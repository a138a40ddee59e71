import {
  DECLARED_PRICES,
  DECLARED_TYPES,
  needs,
  ORD_TYPES,
  ORDER_PRICES,
  type OrderPrice,
  type PriceWord,
} from "../../domain/declared/order-types.ts";
import { MOST_TIMEOUT_SECONDS, TIMEOUT_ENDS } from "../../domain/order-handling.ts";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { AskedExitPlan } from "./exit-plan.ts";
import { ACTIONS, DURATIONS, ORDER_STATUSES, ORDER_TYPES, ROLES } from "../words.ts";
import {
  AccountIdText,
  choice,
  Closed,
  Distance,
  IntentIdText,
  nullable,
  NumberOrText,
  OrderIdText,
  Price,
  Quantity,
  ResolvedSymbol,
  Symbol,
} from "./parts.ts";

/** An order's own prices as they are asked for, flat beside its other fields; which of them belongs to an order follows from its type. */
export const PRICES_GIVEN = prices((counts) =>
  Type.Optional(counts === "price" ? Price : Distance),
);

/** The prices as they are shown: null where an order has none. */
export const PRICES_SHOWN = prices((counts) =>
  nullable(counts === "price" ? Price : Type.Number()),
);

/** The prices as an alert may write them. */
export const PRICES_WRITTEN = prices(() => Type.Optional(NumberOrText));

/** An order without prices. */
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

export const Timeout = Type.Object(
  {
    afterSeconds: Type.Integer({
      minimum: 1,
      maximum: MOST_TIMEOUT_SECONDS,
      description: "Seconds after it was accepted. A change of the order does not count anew",
    }),
    then: choice(TIMEOUT_ENDS, {
      description:
        "cancel: what is left of it is cancelled. market: it is cancelled, and what is left goes at the market, as a new entry that limits, guards and the kill switch may refuse",
    }),
  },
  {
    title: "Timeout",
    description: "How long an order may rest, and what becomes of it then",
    additionalProperties: false,
    examples: [{ afterSeconds: 300, then: "cancel" }],
  },
);

/** `least` is how a number of contracts is written where it stands. */
export const sizeSchema = <Least extends TSchema>(title: string, least: Least) =>
  Type.Object(
    {
      risk: Type.Optional(NumberOrText),
      riskPercent: Type.Optional(NumberOrText),
      min: Type.Optional(least),
    },
    {
      title,
      description:
        "Instead of qty, exactly one of risk and riskPercent: as many contracts as lose no more at the stop-loss, with the fees of both ways. risk is money in the contract's currency; riskPercent is of the account, of its balance or of its worth with open positions, whichever is less. Less than one contract is refused (RISK_TOO_SMALL), or sends min. Limits and guards make it fewer, and problems says so. It opens a position: at the market all of the other side is closed first",
      additionalProperties: false,
      minProperties: 1,
    },
  );

export const Size = sizeSchema("Size", Quantity);

export const PlaceOrderBody = Type.Object(
  {
    symbol: Symbol,
    action: choice(ACTIONS),
    qty: Type.Optional(
      Type.Integer({ ...Quantity, description: "A number of contracts; needed without size" }),
    ),
    size: Type.Optional(Size),
    type: choice(ORDER_TYPES, { default: "market" }),
    ...PRICES_GIVEN,
    timeInForce: choice(DURATIONS, { default: "day" }),
    bracket: Type.Optional(Bracket),
    timeout: Type.Optional(Timeout),
    exitPlan: Type.Optional(AskedExitPlan),
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
    qty: Type.Optional(
      Type.Integer({ description: "Contracts that were ordered, where size was to say how many" }),
    ),
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
          "What was not carried out as asked, and why: of what size allows limits and guards let only a part pass, an order that only reduces a position goes without its bracket, and of one that is more than another month holds the rest may not follow. Absent when all was",
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

const AskedSize = Type.Object(
  {
    risk: Type.Optional(Type.String({ description: "Money, an exact decimal" })),
    riskPercent: Type.Optional(Type.String({ description: "An exact decimal" })),
    min: Type.Optional(Type.Integer()),
  },
  { title: "AskedSize", description: "What it was to risk" },
);

export const AskedOrder = Type.Object(
  {
    symbol: ResolvedSymbol,
    action: choice(ACTIONS),
    qty: nullable(
      Type.Integer({ description: "null where size says how many, until they are ordered" }),
    ),
    size: Type.Optional(AskedSize),
    type: choice(ORDER_TYPES),
    ...PRICES_SHOWN,
    timeInForce: choice(DURATIONS),
    bracket: nullable(AskedBracket),
  },
  { title: "AskedOrder", description: "What a place intent asked for, its symbol resolved" },
);

const WorkingBracket = Type.Object(
  { takeProfitOrderId: nullable(OrderIdText), stopLossOrderId: nullable(OrderIdText) },
  {
    title: "WorkingBracket",
    description: "The legs of an entry, by their parentOrderId; null for an order without any",
  },
);

export const WorkingOrdersReply = Type.Object(
  {
    orders: Type.Array(
      Type.Object(
        {
          orderId: OrderIdText,
          symbol: nullable(ResolvedSymbol),
          action: nullable(choice(ACTIONS)),
          type: nullable(choice(ORDER_TYPES)),
          qty: nullable(Type.Integer()),
          filledQty: nullable(Type.Integer()),
          remainingQty: nullable(Type.Integer()),
          ...PRICES_SHOWN,
          timeInForce: nullable(choice(DURATIONS)),
          status: nullable(choice(ORDER_STATUSES)),
          role: nullable(choice(ROLES)),
          parentOrderId: nullable(
            Type.String({ description: "The entry that the take-profit or stop-loss belongs to" }),
          ),
          linkedOrderId: nullable(
            Type.String({ description: "The other leg: when one fills, the other is cancelled" }),
          ),
          bracket: nullable(WorkingBracket),
          source: choice(["gateway", "foreign"], {
            description:
              "foreign: placed by hand or by another program; only a flatten, or a cancel that names it, touches it",
          }),
          intentId: nullable(
            Type.String({
              description:
                "What it was placed for, for GET /v1/accounts/{id}/intents/{intentId}; null for a foreign one",
            }),
          ),
          updatedAt: nullable(
            Type.String({
              description: "When the broker last changed it, by its clock",
              format: "date-time",
            }),
          ),
          problem: nullable(
            Type.String({
              description:
                "Why the order is not understood: what is not known of it is null then. It works all the same, and can be cancelled by its orderId",
            }),
          ),
        },
        { title: "WorkingOrder" },
      ),
    ),
  },
  { title: "WorkingOrders" },
);
