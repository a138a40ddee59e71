import { Type } from "@sinclair/typebox";
import { AdjustOrder } from "./adjust.ts";
import { AccountIdText, IntentIdText, nullable, OrderIdText, ResolvedSymbol } from "./parts.ts";

const { symbol: _, ...sent } = AdjustOrder.properties;

export const TimeoutReply = Type.Object(
  {
    accountId: AccountIdText,
    symbol: ResolvedSymbol,
    entry: Type.Object(
      {
        orderId: nullable(OrderIdText),
        filledQty: nullable(Type.Integer({ minimum: 0 })),
      },
      { description: "The order; null where the broker does not show it any more" },
    ),
    canceledOrders: Type.Array(OrderIdText, {
      description: "Empty where the order had ended by itself",
    }),
    market: nullable(
      Type.Object(sent, { description: "What was left of it, as it was sent at the market" }),
    ),
    problems: Type.Array(Type.String(), {
      description: "What was not carried out; empty when all was",
    }),
    intentId: IntentIdText,
  },
  { title: "TimedOut", description: "An order that had rested for as long as it may" },
);
