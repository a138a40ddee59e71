import { Type } from "@sinclair/typebox";
import { ACTIONS, DURATIONS, INTENT_KINDS, INTENT_STATES, ORDER_TYPES } from "../words.ts";
import { CancelReply, ModifyReply, OrderReply } from "./order.ts";
import { AccountIdText, choice, Instant, IntentIdText, nullable, OrderIdText } from "./parts.ts";
import { Price, ResolvedSymbol } from "./parts.ts";
import { FlattenReply, ProtectReply } from "./position.ts";

const Level = nullable(
  Type.Union([
    Type.Object({ price: nullable(Price) }, { title: "PriceLevel" }),
    Type.Object({ ticks: Type.Integer() }, { title: "TicksLevel" }),
  ]),
);

const AskedOrder = Type.Object(
  {
    symbol: ResolvedSymbol,
    action: choice(ACTIONS),
    qty: Type.Integer(),
    type: choice(ORDER_TYPES),
    limitPrice: nullable(Price),
    stopPrice: nullable(Price),
    trailOffset: nullable(Type.Number()),
    timeInForce: choice(DURATIONS),
    bracket: nullable(
      Type.Object({ takeProfit: Level, stopLoss: Level }, { title: "AskedBracket" }),
    ),
  },
  { title: "AskedOrder", description: "What a place intent asked for, its symbol resolved" },
);

const CanceledEntries = Type.Object(
  { canceledOrders: Type.Array(OrderIdText) },
  { title: "CanceledEntries" },
);

export const IntentReply = Type.Object(
  {
    intentId: IntentIdText,
    accountId: AccountIdText,
    kind: choice(INTENT_KINDS),
    source: choice(["api", "webhook", "operator"]),
    state: choice(INTENT_STATES, {
      description:
        "prepared: not sent yet. sending: under way. unknown: it may be live at the broker. denied: refused by this gateway. rejected: refused by the broker",
    }),
    code: nullable(Type.String({ description: "Why it was denied: an error code" })),
    reason: nullable(Type.String()),
    acceptedAt: Instant,
    sentAt: nullable(Instant),
    settledAt: nullable(Instant),
    order: nullable(AskedOrder),
    orderId: nullable(OrderIdText),
    result: nullable(
      Type.Union([
        OrderReply,
        CancelReply,
        ModifyReply,
        ProtectReply,
        FlattenReply,
        CanceledEntries,
      ]),
    ),
  },
  { title: "Intent", description: "What one call or alert wanted, and what became of it" },
);

export const IntentsReply = Type.Object({ intents: Type.Array(IntentReply) }, { title: "Intents" });

export const IntentsQuery = Type.Object(
  {
    state: choice(["unsettled"], {
      default: "unsettled",
      description: "unsettled: queued, being sent, or with an unknown outcome",
    }),
  },
  { additionalProperties: false },
);
