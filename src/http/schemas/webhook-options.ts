import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import {
  OPTION_NAMES,
  type OptionName,
  type OptionValues,
  type WebhookOption,
  webhookOption,
} from "../../domain/declared/webhook-options.ts";
import { POSITION_SIDES, type PositionSide } from "../words.ts";
import { choice } from "./parts.ts";

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
