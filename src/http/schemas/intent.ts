import { Type } from "@sinclair/typebox";
import { INTENT_SOURCES } from "../../domain/intent.ts";
import { INTENT_KINDS, INTENT_STATES } from "../words.ts";
import { AdjustReply, TestReply } from "./adjust.ts";
import { AskedOrder, CancelReply, ModifyReply, OrderReply } from "./order.ts";
import { AccountIdText, choice, Instant, IntentIdText, nullable, OrderIdText } from "./parts.ts";
import { FlattenReply, ProtectReply } from "./position.ts";
import { TimeoutReply } from "./timed-out.ts";

export const CanceledEntries = Type.Object(
  { canceledOrders: Type.Array(OrderIdText) },
  { title: "CanceledEntries" },
);

export const IntentReply = Type.Object(
  {
    intentId: IntentIdText,
    accountId: AccountIdText,
    kind: choice(INTENT_KINDS),
    source: choice(INTENT_SOURCES),
    state: choice(INTENT_STATES, {
      description:
        "prepared: not sent yet. sending: under way. unknown: it may be live at the broker. denied: refused by this gateway. rejected: refused by the broker",
    }),
    code: nullable(Type.String({ description: "Why it was denied: an error code" })),
    reason: nullable(Type.String()),
    acceptedAt: Instant,
    sentAt: nullable(Instant),
    settledAt: nullable(Instant),
    test: Type.Boolean({ description: "Nothing was to be sent" }),
    aim: nullable(
      Type.String({ description: "Of an adjustment: where the position is to go, in words" }),
    ),
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
        AdjustReply,
        TimeoutReply,
        TestReply,
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
