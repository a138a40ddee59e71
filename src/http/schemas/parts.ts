import { type SchemaOptions, type TSchema, Type } from "@sinclair/typebox";
import { SHOWN_NAME } from "../../domain/visible-text.ts";

/**
 * Pieces that the schemas of bodies and replies are made of. A schema with a `title` becomes a
 * component of the API document under that name.
 */

/** One of a few words. As a plain enum, a wrong word gets one message that lists the right ones. */
export function choice<const Words extends readonly string[]>(
  words: Words,
  options: SchemaOptions = {},
) {
  return Type.Unsafe<Words[number]>({ type: "string", enum: [...words], ...options });
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** A name that people choose for something that they keep. Names from before this rule stay. */
export const nameText = (...examples: readonly string[]) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: SHOWN_NAME,
    ...(examples.length > 0 && { examples: [...examples] }),
  });

export const AccountIdText = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "An account's id, as listed by GET /v1/accounts",
  examples: ["paper-1"],
});

export const Symbol = Type.String({
  minLength: 1,
  maxLength: 32,
  description:
    "A contract (ESZ6, ESZ26) or, for the current front month, its root or continuous form (ES, ES1!, ES!, CME_MINI:ES1!)",
  examples: ["ES1!"],
});

export const ResolvedSymbol = Type.String({
  description: "The contract with its one-digit year",
  examples: ["ESZ6"],
});

export const Instant = Type.String({ description: "An instant in UTC", format: "date-time" });

export const Price = Type.Number({ description: "A multiple of the contract's tick size" });

export const Distance = Type.Number({ exclusiveMinimum: 0, description: "A distance in price" });

/** As an alert may write it: what it was is told once it is read. */
export const NumberOrText = Type.Union([Type.Number(), Type.String()]);

export const Quantity = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  description: "A number of contracts",
});

export const OrderIdText = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "The broker's id of an order",
  examples: ["4000001"],
});

export const IntentIdText = Type.String({
  description: "What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}",
  examples: ["01J8ZK3V7M"],
});

export const IdempotencyKeyText = Type.String({
  minLength: 1,
  maxLength: 257,
  description:
    "Your name for this order, in quotes or bare. For 24 hours the same key on the same account, from whichever of your API keys, answers with the first call's answer and places nothing; with another body it is refused",
  examples: ["8e03978e-40d5-43e8-bc93-6894a57f9324"],
});

export const CredentialIdText = Type.String({
  description: "The public id of a webhook; not its secret",
  examples: ["wh_5Q2m"],
});

/** How many items of a log a page has, at most. */
export const PageLimit = Type.Integer({ minimum: 1, maximum: 200, default: 50 });

export const Cursor = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: "nextCursor of the page before, with the same filters",
});

/** Of a log: null where nothing comes after. */
export const NextCursor = nullable(
  Type.String({ description: "For the next page, which is older; a page may be short" }),
);

/** What a route without query parameters takes: any parameter is an unknown one. */
export const NO_QUERY = Type.Object({}, { additionalProperties: false });

export const Holding = {
  symbol: ResolvedSymbol,
  qty: Type.Integer({ minimum: 1 }),
  side: choice(["long", "short"]),
};

/** What was closed, and the order that closed it. */
export const Closed = Type.Object({ ...Holding, orderId: OrderIdText }, { title: "Closed" });
