import { Type } from "@sinclair/typebox";
import { choice, OrderIdText, ResolvedSymbol } from "./parts.ts";

export const Holding = {
  symbol: ResolvedSymbol,
  qty: Type.Integer({ minimum: 1 }),
  side: choice(["long", "short"]),
};

/** What was closed, and the order that closed it. */
export const Closed = Type.Object({ ...Holding, orderId: OrderIdText }, { title: "Closed" });
