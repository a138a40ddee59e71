import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import { AccountGroupIdText } from "./account-group.ts";
import { AccountIdText, choice, Instant, nameText, nullable } from "./parts.ts";
import {
  OPTION_NAMES,
  type OptionName,
  type OptionValues,
  type WebhookOption,
  webhookOption,
} from "../../domain/declared/webhook-options.ts";
import { POSITION_SIDES, type PositionSide } from "../words.ts";

/** What a webhook's owner sets for all of its alerts: in its bodies flat beside name and account. */

const ITEMS = {
  names: Type.String({ pattern: "^[A-Za-z_][\\w.-]{0,63}$" }),
  roots: Type.String({ minLength: 1, maxLength: 32, examples: ["MNQ"] }),
  senders: Type.String({ minLength: 1, maxLength: 64 }),
};

type Given = Writable<OptionValues<PositionSide, number | string>>;
type Shown = Writable<OptionValues<PositionSide, string>>;

/** At creation: what is left out is what the gateway does by itself. */
export const WEBHOOK_OPTIONS_GIVEN = optional(schemas<Given>(givenSchema));

/** As they are shown: null is what the gateway does by itself. */
export const WEBHOOK_OPTIONS_SHOWN = schemas<OrNull<Shown>>((option) =>
  orNull(option.kind === "decimal" ? Type.String(notesOf(option)) : givenSchema(option)),
);

/** In a change, null clears one. */
export const WEBHOOK_OPTIONS_CHANGE = optional(
  schemas<OrNull<Given>>((option) => orNull(givenSchema(option))),
);

/** All of them, none set. */
export const NO_WEBHOOK_OPTIONS = Object.fromEntries(
  OPTION_NAMES.map((name) => [name, null]),
) as Readonly<Record<OptionName, null>>;

/** The lists of TypeBox can be written. */
type Writable<Values> = {
  -readonly [Name in keyof Values]: Values[Name] extends readonly (infer Item)[]
    ? Item[]
    : Values[Name];
};
type OrNull<Values> = { [Name in keyof Values]: Values[Name] | null };

function schemas<Values extends Record<OptionName, unknown>>(of: (one: WebhookOption) => TSchema) {
  return Object.fromEntries(OPTION_NAMES.map((name) => [name, of(webhookOption(name))])) as {
    [Name in OptionName]: TUnsafe<Values[Name]>;
  };
}

function optional<Properties extends TProperties>(properties: Properties) {
  return Type.Partial(Type.Object(properties)).properties;
}

function givenSchema(option: WebhookOption): TSchema {
  const notes = notesOf(option);
  switch (option.kind) {
    case "choice":
      return choice(option.words, notes);
    case "side":
      return choice(POSITION_SIDES, notes);
    case "whole":
      return Type.Integer({ minimum: option.min, maximum: option.max, ...notes });
    case "decimal":
      return Type.Unsafe({ anyOf: [{ type: "number" }, { type: "string" }], ...notes });
    case "name":
      return Type.String({ minLength: 1, maxLength: 40, ...notes });
    case "list":
      return Type.Array(ITEMS[option.items], { minItems: 1, maxItems: option.max, ...notes });
    case "map":
      return Type.Record(Type.String(), ITEMS.roots, { maxProperties: option.max, ...notes });
  }
}

function notesOf({ description, examples }: WebhookOption) {
  return { description, ...(examples !== undefined && { examples: [...examples] }) };
}

/** Within the schema and not around it: then its own limits are what a refusal names. */
export function orNull<Schema extends TSchema>(schema: Schema) {
  const {
    type,
    enum: words,
    anyOf,
    ...rest
  } = schema as Schema & { readonly [key: string]: unknown };
  return Type.Unsafe<Static<Schema> | null>({
    ...rest,
    ...(type !== undefined && { type: [type, "null"] }),
    ...(words !== undefined && { enum: [...(words as unknown[]), null] }),
    ...(anyOf !== undefined && { anyOf: [...(anyOf as unknown[]), { type: "null" }] }),
  });
}

const Name = nameText();

export const CreateWebhookBody = Type.Object(
  {
    accountId: Type.Optional(AccountIdText),
    groupId: Type.Optional(AccountGroupIdText),
    name: Type.Optional(Name),
    ...WEBHOOK_OPTIONS_GIVEN,
  },
  {
    title: "CreateWebhook",
    description:
      "For one account, or for the accounts of a group: exactly one of accountId and groupId",
    additionalProperties: false,
  },
);

export const ChangeWebhookBody = Type.Object(
  {
    accountId: Type.Optional(AccountIdText),
    groupId: Type.Optional(AccountGroupIdText),
    name: Type.Optional(Name),
    paused: Type.Optional(Type.Boolean()),
    ...WEBHOOK_OPTIONS_CHANGE,
  },
  {
    title: "ChangeWebhook",
    description:
      "What is left out stays as it is; null puts an option back to what the gateway does by itself. With accountId its alerts go to that account, with groupId to the accounts of that group; not both",
    additionalProperties: false,
    minProperties: 1,
  },
);

const WEBHOOK = {
  id: Type.String(),
  accountId: Type.String({
    ...AccountIdText,
    description:
      "Where its alerts go. Of a webhook with a groupId: the account that it lies with, which is none of its doing",
  }),
  groupId: nullable(AccountGroupIdText),
  name: Type.String(),
  paused: Type.Boolean(),
  ...WEBHOOK_OPTIONS_SHOWN,
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
};

export const WebhookReply = Type.Object(WEBHOOK, { title: "Webhook" });

export const CreatedWebhookReply = Type.Object(
  {
    ...WEBHOOK,
    url: Type.String({ description: "Post alerts here. A secret, shown this once" }),
    message: Type.String({
      description: "What to paste into an alert on a strategy, in the words of the profile",
    }),
    warning: nullable(
      Type.String({
        description: "Why charting platforms cannot post to the URL as it is, and what to do",
      }),
    ),
  },
  { title: "CreatedWebhook" },
);

export const WebhooksReply = Type.Object(
  { webhooks: Type.Array(WebhookReply) },
  { title: "Webhooks" },
);
