import { type Static, type TObject, Type } from "@sinclair/typebox";
import { INTENT_SOURCES } from "../../domain/intent.ts";
import { declaredEvent, EVENT_TYPES, type EventType } from "../../domain/notify/event.ts";
import type { EventFacts } from "../../domain/notify/event-facts.ts";
import { RULE_KINDS } from "../../domain/guards/rule-kinds.ts";
import { ACCOUNT_ENVIRONMENTS } from "../../domain/environment.ts";
import { SEVERITIES } from "../../domain/severity.ts";
import { AccountIdText, choice, Instant, IntentIdText, OrderIdText } from "./parts.ts";
import type { Plain, Same } from "./same-type.ts";

/** The bodies that signed webhooks post, one schema a type. */

export const Environment = choice(ACCOUNT_ENVIRONMENTS);

const Money = Type.String({ description: "An exact decimal", examples: ["-12.40"] });

const DayFigures = Type.Object(
  { currency: Type.String({ examples: ["USD"] }), net: Money, fees: Money },
  { title: "DayFigures" },
);

const AccountSummary = Type.Object(
  {
    accountId: AccountIdText,
    accountName: Type.String(),
    environment: Environment,
    tradingDay: Type.String({
      format: "date",
      description: "The day of the account that it is of",
    }),
    trades: Type.Integer(),
    refusals: Type.Integer(),
    day: Type.Array(DayFigures),
    slippageTicks: Type.Optional(Type.Number()),
  },
  { title: "AccountSummary" },
);

/** What an event tells beside its sentence, by the group that its type declares. */
const FACTS = {
  order: Type.Object({
    intentId: Type.Optional(IntentIdText),
    alertId: Type.Optional(Type.String()),
    orderId: Type.Optional(OrderIdText),
    symbol: Type.Optional(Type.String({ examples: ["ESZ6"] })),
    action: Type.Optional(choice(["buy", "sell"])),
    qty: Type.Optional(Type.Integer()),
    averagePrice: Type.Optional(Type.String({ description: "An exact decimal" })),
    source: Type.Optional(
      choice(INTENT_SOURCES, {
        description: "Who asked for it; absent for an order of nobody here",
      }),
    ),
    outcome: Type.Optional(Type.String({ description: "How it ended, in one word" })),
    code: Type.Optional(Type.String({ description: "Of what the gateway refused" })),
    reason: Type.Optional(Type.String()),
    positionQty: Type.Optional(
      Type.Integer({ description: "What the account holds of it since; negative is short" }),
    ),
    day: Type.Optional(
      Type.Array(DayFigures, { description: "What the trading day has brought, after fees" }),
    ),
  }),
  alert: Type.Object({
    alertId: Type.String(),
    webhookId: Type.String(),
    code: Type.String({ description: "As errors of the API have them" }),
    reason: Type.String(),
  }),
  guard: Type.Object({
    ruleId: Type.Optional(
      Type.String({ description: "Absent where somebody asked for it, and no rule" }),
    ),
    ruleKind: Type.Optional(choice(RULE_KINDS)),
    reason: Type.String({ description: "In words, with the figures" }),
    figure: Type.Optional(
      Type.String({ description: "What was compared: an exact decimal", examples: ["-1005.40"] }),
    ),
    limit: Type.Optional(
      Type.String({ description: "And with what: an exact decimal", examples: ["-1000.00"] }),
    ),
    unit: Type.Optional(choice(["money", "lots", "count", "percent"])),
    currency: Type.Optional(Type.String({ description: "Of amounts alone", examples: ["USD"] })),
    resetsAt: Type.Optional({
      ...Instant,
      description: "When it starts anew, or ends by itself; absent where it never does",
    }),
    by: Type.Optional(Type.String({ description: "Who did it, where it was a person or a key" })),
    would: Type.Optional(
      choice(["refuse", "lock", "close"], {
        description: "What a rule in shadow mode would have done: to an entry, or to the account",
      }),
    ),
  }),
  state: Type.Object({
    cause: Type.String({ description: "What stands so, in one word" }),
    since: Instant,
  }),
  summary: Type.Object({
    date: Type.String({ format: "date", description: "The newest day that it sums up" }),
    accounts: Type.Array(AccountSummary),
  }),
  destination: Type.Object({ destinationId: Type.String(), name: Type.String() }),
  operator: Type.Object({ alertname: Type.String(), runbookUrl: Type.Optional(Type.String()) }),
  nothing: Type.Object({}),
} satisfies { readonly [Group in keyof EventFacts]: TObject };

type Schemas = { [Group in keyof EventFacts]: Static<(typeof FACTS)[Group]> };

true satisfies Same<Plain<Omit<EventFacts, "nothing">>, Plain<Omit<Schemas, "nothing">>>;

const FRAME = {
  id: Type.String({ description: "The same however often it is told" }),
  severity: choice(SEVERITIES),
  accountId: Type.Optional(AccountIdText),
  accountName: Type.Optional(Type.String()),
  connectionId: Type.Optional(Type.String()),
  environment: Type.Optional(Environment),
  message: Type.String({ description: "What has happened, in a sentence" }),
  advice: Type.Optional(Type.String({ description: "What to do" })),
  isCut: Type.Optional(
    Type.Boolean({ description: "Posted, it was too large: long texts and lists were cut" }),
  ),
};

function eventSchema(type: EventType) {
  const { facts, description } = declaredEvent(type);
  const { properties } = FACTS[facts] as TObject;
  return Type.Object(
    {
      type: choice([type]),
      timestamp: { ...Instant, description: "When it happened" },
      apiVersion: choice(["1"]),
      data: Type.Object({ ...FRAME, ...properties }, { title: `${wordOf(facts)}EventData` }),
    },
    { title: `${wordOf(type)}Event`, description },
  );
}

/** `order.outcome_unknown` is `OrderOutcomeUnknown`. */
const wordOf = (name: string): string =>
  name.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

export const EVENT_SCHEMAS = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, eventSchema(type)]),
) as Readonly<Record<EventType, ReturnType<typeof eventSchema>>>;

export const EventReply = Type.Union(Object.values(EVENT_SCHEMAS));
