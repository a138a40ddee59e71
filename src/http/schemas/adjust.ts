import { Type } from "@sinclair/typebox";
import { AskedBracket, AskedOrder, OrderReply } from "./order.ts";
import { ExitPlanBody } from "./exit-plan.ts";
import { ACTIONS, ORDER_STATUSES } from "../words.ts";
import {
  AccountIdText,
  choice,
  IntentIdText,
  nullable,
  OrderIdText,
  ResolvedSymbol,
} from "./parts.ts";
import { FLATTENED } from "./position.ts";

const { filledQty, averagePrice, bracket } = OrderReply.properties;

export const AdjustOrder = Type.Object(
  {
    orderId: OrderIdText,
    symbol: ResolvedSymbol,
    action: choice(ACTIONS),
    qty: Type.Integer({ minimum: 1 }),
    status: choice(ORDER_STATUSES),
    filledQty,
    averagePrice,
    bracket,
  },
  { title: "AdjustOrder", description: "The order that opened or grew the position" },
);

const AdjustExits = Type.Object(
  {
    symbol: ResolvedSymbol,
    qty: Type.Integer({ minimum: 0 }),
    takeProfitOrderId: nullable(OrderIdText),
    stopLossOrderId: nullable(OrderIdText),
  },
  {
    title: "AdjustExits",
    description:
      "The exits of what was held before the order, brought where they were asked for; null when none were asked for or nothing was held. The order's own are in its bracket. Exits that could not be placed are among the problems",
  },
);

/** Shared with the webhook's answer to an alert that adjusts a position. */
export const ADJUSTED = {
  accountId: AccountIdText,
  symbol: ResolvedSymbol,
  position: nullable(
    Type.Object(
      { qty: Type.Integer({ minimum: 0 }), side: choice(["long", "short", "flat"]) },
      {
        title: "AdjustedPosition",
        description: "As the broker showed it at the end; null when it could not be read",
      },
    ),
  ),
  closed: FLATTENED.closed,
  canceledOrders: FLATTENED.canceledOrders,
  protected: nullable(AdjustExits),
  order: nullable(AdjustOrder),
  problems: Type.Array(Type.String(), {
    description: "What was not carried out, and why, in words; empty when all was",
  }),
  intentId: IntentIdText,
};

export const AdjustReply = Type.Object(ADJUSTED, {
  title: "Adjusted",
  description: "What was closed and placed to bring a position where it is to be",
});

const Step = Type.Union([
  Type.Object(
    {
      step: choice(["order"]),
      order: AskedOrder,
      adds: Type.Boolean({ description: "Whether it would open or grow a position" }),
      exitPlan: nullable(ExitPlanBody),
    },
    { title: "OrderStep" },
  ),
  Type.Object(
    { step: choice(["cancel"]), orderId: OrderIdText, symbol: nullable(ResolvedSymbol) },
    { title: "CancelStep" },
  ),
  Type.Object(
    {
      step: choice(["close"]),
      symbol: ResolvedSymbol,
      qty: Type.Integer({ minimum: 1 }),
      side: choice(["long", "short"]),
    },
    { title: "CloseStep" },
  ),
  Type.Object(
    { step: choice(["protect"]), symbol: ResolvedSymbol, levels: nullable(AskedBracket) },
    { title: "ProtectStep" },
  ),
  Type.Object(
    {
      step: choice(["wait", "withhold"], {
        description:
          "wait: what follows would wait until something earlier is known. withhold: something asked for would be left out",
      }),
      reason: Type.String(),
    },
    { title: "RemarkStep" },
  ),
]);

/** Shared with the webhook's answer to a test. */
export const TESTED = {
  accountId: AccountIdText,
  wouldDo: Type.Array(Step, { description: "In this order; empty when nothing would be done" }),
  intentId: IntentIdText,
};

export const TestReply = Type.Object(TESTED, {
  title: "Tested",
  description: "What a test would have sent, had it not been one. Nothing was",
});
