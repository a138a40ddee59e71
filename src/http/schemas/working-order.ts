import { PRICES_SHOWN } from "./order-prices.ts";
import { Type } from "@sinclair/typebox";
import { ACTIONS, DURATIONS, ORDER_STATUSES, ORDER_TYPES, ROLES } from "../words.ts";
import { choice, nullable, OrderIdText, ResolvedSymbol } from "./parts.ts";

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
