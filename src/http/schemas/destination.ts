import {
  type Static,
  type StringOptions,
  type TObject,
  type TProperties,
  Type,
} from "@sinclair/typebox";
import { TIME_OF_DAY } from "../../domain/calendar/local-time.ts";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  type ChannelSettings,
  type Rule,
} from "../../domain/notify/destination.ts";
import { EVENT_TYPES } from "../../domain/notify/event.ts";
import { SEVERITIES } from "../../domain/severity.ts";
import { Environment, EventReply } from "./event.ts";
import {
  AccountIdText,
  choice,
  Cursor,
  Instant,
  nameText,
  NextCursor,
  nullable,
  PageLimit,
} from "./parts.ts";
import type { Plain, Same } from "./same-type.ts";
import { MAIL_ADDRESS, ONE_LINE, TOKEN } from "./text-patterns.ts";
import { orNull } from "./webhook.ts";

const CLOSED = { additionalProperties: false } as const;

export const DestinationIdText = Type.String({
  description: "A destination's id, as listed by GET /v1/destinations",
  examples: ["ds_8Kd1pQ4v0Zxa"],
});

const text = (maxLength: number, options: StringOptions = {}) =>
  Type.String({ minLength: 1, maxLength, ...options });
const secret = (maxLength: number, description: string, options: StringOptions = {}) =>
  text(maxLength, { writeOnly: true, description, ...options });
const token = (maxLength: number, description: string) =>
  secret(maxLength, description, { pattern: TOKEN });
const Url = text(2_048, {
  description: "https, and of a public host unless the operator allows others",
});
const MailAddress = text(320, { pattern: MAIL_ADDRESS });

/** What each kind is told. What is `writeOnly` is never shown again. */
const SETTINGS = {
  webhook: Type.Object({ url: Url }, CLOSED),
  discord: Type.Object({ url: secret(2_048, "Of the channel: Integrations, Webhooks") }, CLOSED),
  telegram: Type.Object(
    {
      botToken: secret(128, "As BotFather gave it", {
        pattern: "^[0-9]{1,20}:[A-Za-z0-9_-]{10,100}$",
        examples: ["123456:as-BotFather-gave-it"],
      }),
      chatId: Type.Optional(
        text(64, {
          pattern: "^(-?[0-9]{1,20}|@[A-Za-z][A-Za-z0-9_]{3,31})$",
          description: "A number, or a channel's @name. Left out, the chat is linked by a code",
          examples: ["-1001234567890"],
        }),
      ),
    },
    CLOSED,
  ),
  slack: Type.Object({ url: secret(2_048, "Of an app's incoming webhook") }, CLOSED),
  ntfy: Type.Object(
    {
      server: { ...Url, examples: ["https://ntfy.sh"] },
      topic: secret(64, "Letters, digits, - and _. Who guesses it can read it", {
        pattern: "^[-_A-Za-z0-9]{1,64}$",
        examples: ["a-long-name-nobody-guesses"],
      }),
      token: Type.Optional(token(256, "Of an account, where the topic wants one")),
    },
    CLOSED,
  ),
  pushover: Type.Object(
    { appToken: token(64, "Of your application"), userKey: token(64, "Of you, or a group") },
    CLOSED,
  ),
  email: Type.Object(
    {
      host: text(253, {
        description: "The server that takes your mail: its name, or its address",
        pattern: "^[A-Za-z0-9_.:-]+$",
        examples: ["smtp.example.com"],
      }),
      port: Type.Integer({ minimum: 1, maximum: 65_535, examples: [587] }),
      user: Type.Optional(text(320, { pattern: ONE_LINE })),
      password: Type.Optional(
        secret(1_024, "An app password, where your provider has them", { pattern: ONE_LINE }),
      ),
      from: MailAddress,
      to: MailAddress,
    },
    CLOSED,
  ),
  heartbeat: Type.Object(
    { url: secret(2_048, "Of an outside watcher: asked each minute while all is well") },
    CLOSED,
  ),
} satisfies { readonly [Kind in ChannelKind]: TObject };

type SettingsOf = { [Kind in ChannelKind]: Static<(typeof SETTINGS)[Kind]> };
true satisfies Same<SettingsOf, Plain<ChannelSettings>>;

/** What may change of the settings of a kind: null takes away what may be left out. */
export function settingsChange(kind: ChannelKind): TObject {
  const { properties, required = [] } = SETTINGS[kind] as TObject;
  const changes = Object.entries(properties).map(([name, schema]) => [
    name,
    Type.Optional(required.includes(name) ? schema : orNull(schema)),
  ]);
  const settings = Type.Object(Object.fromEntries(changes) as TProperties, CLOSED);
  return Type.Object({ settings });
}

const NotificationRule = Type.Object(
  {
    types: Type.Optional(Type.Array(choice(EVENT_TYPES), { minItems: 1, maxItems: 50 })),
    severity: Type.Optional(choice(SEVERITIES, { description: "At least so severe" })),
    accounts: Type.Optional(Type.Array(AccountIdText, { minItems: 1, maxItems: 1_000 })),
    environment: Type.Optional(Environment),
    tell: choice(["on", "silent", "off"]),
  },
  {
    title: "NotificationRule",
    description:
      "What is left out holds for all. What is critical is made silent, or left out, only by a rule that names accounts or an environment",
    ...CLOSED,
  },
);
true satisfies Same<Static<typeof NotificationRule>, Plain<Rule>>;

const TimeOfDay = Type.String({
  pattern: TIME_OF_DAY,
  description: "HH:MM",
  examples: ["22:30"],
});
const Zone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "An IANA time zone",
  examples: ["America/Chicago"],
});
const QuietHours = Type.Object(
  { from: TimeOfDay, to: TimeOfDay, zone: Zone },
  { description: "What is not critical waits for their end", ...CLOSED },
);
const Summary = Type.Object(
  { at: TimeOfDay, zone: Zone },
  { description: "When the day is summed up, each day", ...CLOSED },
);

const Name = nameText();
const Rules = Type.Array(NotificationRule, {
  maxItems: 50,
  description:
    "The first that fits counts. What none fits is told where it is a warning or worse, a fill, an exit's, a kill switch or an end of something that was told",
});
const InOrder = Type.Boolean({
  description: "One event after another: none before all earlier ones were taken or given up",
});
const Answers = Type.Boolean({
  description: "Of Telegram: who was linked by a code may ask, and act, there",
});

function creation<Kind extends ChannelKind, Terms extends TProperties>(kind: Kind, terms: Terms) {
  const word = kind[0]?.toUpperCase() + kind.slice(1);
  return Type.Object(
    {
      kind: choice([kind]),
      name: Name,
      settings: SETTINGS[kind],
      rules: Type.Optional(Rules),
      quietHours: Type.Optional(QuietHours),
      summary: Type.Optional(Summary),
      inOrder: Type.Optional(InOrder),
      ...terms,
    },
    { title: `Create${word}Destination`, ...CLOSED },
  );
}

const CREATIONS = CHANNEL_KINDS.map((kind) =>
  creation(kind, kind === "telegram" ? { answers: Type.Optional(Answers) } : {}),
);

type Creation = Static<(typeof CREATIONS)[number]> & { answers?: boolean };

export const CreateDestinationBody = Type.Unsafe<Creation>({
  title: "CreateDestination",
  type: "object",
  discriminator: { propertyName: "kind" },
  required: ["kind"],
  oneOf: CREATIONS,
});

export const ChangeDestinationBody = Type.Object(
  {
    name: Type.Optional(Name),
    settings: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]), {
        description: "Of its kind; what is left out stays",
        minProperties: 1,
        maxProperties: 8,
      }),
    ),
    rules: Type.Optional(Rules),
    quietHours: Type.Optional(orNull(QuietHours)),
    summary: Type.Optional(orNull(Summary)),
    inOrder: Type.Optional(InOrder),
    answers: Type.Optional(Answers),
    enabled: Type.Optional(
      Type.Unsafe<true>({
        type: "boolean",
        enum: [true],
        description: "Switches one on again that was switched off",
      }),
    ),
  },
  {
    title: "ChangeDestination",
    description: "What is left out stays as it is; null takes away",
    minProperties: 1,
    ...CLOSED,
  },
);

const Count = Type.Integer({ minimum: 0 });
const Status = nullable(
  Type.Integer({ description: "What came back, of HTTP or SMTP, where there was an answer" }),
);

const DESTINATION = Type.Object(
  {
    id: DestinationIdText,
    kind: choice(CHANNEL_KINDS),
    name: Type.String(),
    settings: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
      { description: "Of a secret only that it is set: true" },
    ),
    rules: Type.Array(NotificationRule),
    quietHours: orNull(QuietHours),
    summary: orNull(Summary),
    inOrder: InOrder,
    answers: Answers,
    linked: nullable(Type.Boolean({ description: "Of Telegram: whether the chat is known" })),
    createdAt: Instant,
    disabled: nullable(
      Type.Object({ reason: Type.String(), at: Instant }, { title: "DestinationOff" }),
    ),
    state: Type.Object(
      {
        waiting: {
          ...Count,
          description: "For their turn, the end of quiet hours, or another attempt",
        },
        undelivered: { ...Count, description: "Given up, and kept for a week" },
        deliveredAt: nullable(Instant),
        failures: { ...Count, description: "Attempts without a success since the last one" },
        failure: nullable(
          Type.Object(
            { at: Instant, reason: Type.String(), status: Status },
            { title: "DestinationFailure" },
          ),
        ),
        pausedUntil: nullable({ ...Instant, description: "Until then nothing is tried" }),
      },
      { title: "DestinationState" },
    ),
  },
  { title: "Destination" },
);

export const DestinationReply = DESTINATION;

export const CreatedDestinationReply = Type.Object(
  {
    ...DESTINATION.properties,
    secret: nullable(
      Type.String({
        description: "Of a signed webhook: what its posts are signed with, shown this once",
      }),
    ),
  },
  { title: "CreatedDestination" },
);

export const DestinationsReply = Type.Object(
  { destinations: Type.Array(DestinationReply) },
  { title: "Destinations" },
);

export const DestinationTestReply = Type.Object(
  {
    delivered: Type.Boolean(),
    status: Status,
    reason: nullable(Type.String({ description: "Why it was not" })),
    ms: { ...Count, description: "How long it took" },
  },
  { title: "DestinationTest" },
);

export const RotatedSecretReply = Type.Object(
  {
    secret: Type.String({ description: "Shown this once" }),
    formerUntil: { ...Instant, description: "Until then posts are signed with the former one too" },
  },
  { title: "RotatedSecret" },
);

export const LinkReply = Type.Object(
  {
    code: Type.String(),
    send: Type.String({
      description: "To the bot, in a private chat",
      examples: ["/start 4F7Q2K"],
    }),
    until: Instant,
  },
  { title: "DestinationLink" },
);

export const UndeliveredReply = Type.Object(
  {
    undelivered: Type.Array(
      Type.Object(
        {
          event: EventReply,
          attempts: Count,
          reason: Type.String({ description: "Of the last attempt" }),
          status: Status,
          givenUpAt: Instant,
        },
        { title: "UndeliveredEvent" },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: "Undelivered" },
);

export const UndeliveredQuery = Type.Object(
  { limit: PageLimit, cursor: Type.Optional(Cursor) },
  CLOSED,
);

const MOST_EVENTS = 200;
const EventId = Type.String({ pattern: "^[A-Za-z0-9_-]{1,128}$", examples: ["ev_1"] });
const ONE_OF_THEM = { minProperties: 1, maxProperties: 1, ...CLOSED } as const;

export const ReplayBody = Type.Object(
  {
    events: Type.Optional(
      Type.Array(EventId, { minItems: 1, maxItems: MOST_EVENTS, description: "Their ids" }),
    ),
    all: Type.Optional(Type.Unsafe<true>({ type: "boolean", enum: [true] })),
  },
  { title: "ReplayUndelivered", ...ONE_OF_THEM },
);

export const DiscardQuery = Type.Object(
  {
    events: Type.Optional(
      Type.String({
        pattern: `^[A-Za-z0-9_-]{1,128}(,[A-Za-z0-9_-]{1,128}){0,${MOST_EVENTS - 1}}$`,
        description: "Their ids, with commas",
        examples: ["ev_1,ev_2"],
      }),
    ),
    all: Type.Optional(choice(["true"])),
  },
  ONE_OF_THEM,
);

export const CountReply = Type.Object({ count: Count }, { title: "UndeliveredCount" });
