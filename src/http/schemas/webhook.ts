import { Type } from "@sinclair/typebox";
import { ACTIONS, DURATIONS, ORDER_TYPES } from "../words.ts";
import { Bracket, Leg, OrderReply } from "./order.ts";
import { AccountIdText, choice, Instant, IntentIdText, nullable, Symbol } from "./parts.ts";
import { FLATTENED } from "./position.ts";

const Name = Type.String({ minLength: 1, maxLength: 64 });

export const CreateWebhookBody = Type.Object(
  { accountId: AccountIdText, name: Type.Optional(Name) },
  { title: "CreateWebhook", additionalProperties: false },
);

export const ChangeWebhookBody = Type.Object(
  {
    accountId: Type.Optional(AccountIdText),
    name: Type.Optional(Name),
    paused: Type.Optional(Type.Boolean()),
  },
  {
    title: "ChangeWebhook",
    description: "What is left out stays as it is",
    additionalProperties: false,
    minProperties: 1,
  },
);

const WEBHOOK = {
  id: Type.String(),
  accountId: AccountIdText,
  name: Type.String(),
  paused: Type.Boolean(),
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
};

export const WebhookReply = Type.Object(WEBHOOK, { title: "Webhook" });

export const CreatedWebhookReply = Type.Object(
  {
    ...WEBHOOK,
    url: Type.String({ description: "Post alerts here. A secret, shown this once" }),
  },
  { title: "CreatedWebhook" },
);

export const WebhooksReply = Type.Object(
  { webhooks: Type.Array(WebhookReply) },
  { title: "Webhooks" },
);

const NumberOrText = Type.Union([Type.Number(), Type.String()]);
const LegWritten = Type.Object(
  {
    price: Type.Optional(NumberOrText),
    ticks: Type.Optional(NumberOrText),
    offset: Type.Optional(NumberOrText),
  },
  { title: "AlertLeg", description: Leg.description ?? "", minProperties: 1, maxProperties: 1 },
);

/** For the API document; `alert-body.ts` does the reading, which is more forgiving. */
export const AlertBody = Type.Object(
  {
    action: choice([...ACTIONS, "close", "flat", "flatten", "exit"], {
      description:
        "In any case. close, flat, flatten and exit cancel every resting order and close every position of the webhook's account",
    }),
    symbol: Type.Optional(Symbol),
    qty: Type.Optional(NumberOrText),
    type: Type.Optional(choice(ORDER_TYPES, { default: "market" })),
    limitPrice: Type.Optional(NumberOrText),
    stopPrice: Type.Optional(NumberOrText),
    trailOffset: Type.Optional(NumberOrText),
    timeInForce: Type.Optional(choice(DURATIONS, { default: "day" })),
    bracket: Type.Optional(
      Type.Object(
        { takeProfit: Type.Optional(LegWritten), stopLoss: Type.Optional(LegWritten) },
        { title: "AlertBracket", description: Bracket.description ?? "" },
      ),
    ),
    takeProfit: Type.Optional(LegWritten),
    stopLoss: Type.Optional(LegWritten),
  },
  {
    title: "Alert",
    description:
      "symbol and qty are needed for buy and sell. Numbers may be written as text. Unknown fields are ignored",
  },
);

const Duplicate = Type.Optional(
  Type.Boolean({ description: "This alert came before; this is its first answer" }),
);

export const AlertDoneReply = Type.Union([
  Type.Object(
    {
      alertId: IntentIdText,
      outcome: choice(["done"]),
      action: choice(ACTIONS),
      duplicate: Duplicate,
      ...OrderReply.properties,
    },
    { title: "AlertOrderDone" },
  ),
  Type.Object(
    { alertId: IntentIdText, outcome: choice(["done"]), duplicate: Duplicate, ...FLATTENED },
    { title: "AlertFlattenDone" },
  ),
]);

export const AlertAcceptedReply = Type.Object(
  {
    alertId: IntentIdText,
    intentId: IntentIdText,
    outcome: choice(["pending", "unknown"], {
      description: "pending: under way. unknown: it may be live at the broker",
    }),
    duplicate: Duplicate,
  },
  { title: "AlertAccepted" },
);
