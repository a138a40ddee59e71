import { type SchemaOptions, type Static, type TSchema, Type } from "@sinclair/typebox";
import { ALERT_PROFILES, SIDE_SWAPS } from "../../domain/alert.ts";
import { POSITION_SIDES } from "../words.ts";
import { choice } from "./parts.ts";

/** What a webhook's owner sets for all of its alerts: in its bodies flat beside name and account. */

const Root = Type.String({ minLength: 1, maxLength: 32, examples: ["MNQ"] });

const Multiplier = Type.Unsafe<number | string>({
  anyOf: [{ type: "number" }, { type: "string" }],
  description:
    "Every quantity of an alert is multiplied by it and rounded down. What is less than one contract then opens nothing: a target is flat, and what closes takes out one contract. Above 0, at most 1000, with at most 4 decimals. A percentage of a position stays as it is",
  examples: ["0.5"],
});

const OPTIONS = {
  profile: choice(ALERT_PROFILES, {
    description:
      "Whose words the alerts are written in: native is this gateway's own, position the target position of TradingView's {{strategy.market_position}}. Without it native",
  }),
  sideSwap: choice(SIDE_SWAPS, {
    description:
      "Of the profile traderspost: what a buy or sell against the position does. off closes it and stops there; on closes it and enters the other side with the alert's quantity; subtract enters with what that is more than was closed. Without it off",
  }),
  allowedExtraFields: Type.Array(Type.String({ pattern: "^[A-Za-z_][\\w.-]{0,63}$" }), {
    minItems: 1,
    maxItems: 50,
    description:
      "Names of fields that your alerts carry beside the order and that ask for nothing. Every other name that is not known is refused. A name that may protect, limit or change an order cannot be allowed",
    examples: [["rsi", "confidence"]],
  }),
  defaultQty: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: "Contracts of an order that names no quantity",
  }),
  multiplier: Multiplier,
  symbolMap: Type.Record(Type.String(), Root, {
    maxProperties: 50,
    description: "What is traded instead: with NQ to MNQ an alert for NQ1! trades MNQ1!",
    examples: [{ NQ: "MNQ" }],
  }),
  allowedSymbols: Type.Array(Root, {
    minItems: 1,
    maxItems: 100,
    description:
      "The roots that may be traded, after the map. Exits of everything else still pass. Without it all",
    examples: [["MNQ", "MES"]],
  }),
  allowedSide: choice(POSITION_SIDES, {
    description:
      "The only side on which a position may be opened or grown. Exits always pass. Without it both",
  }),
  allowedSenders: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    maxItems: 50,
    description:
      "Addresses and networks that alerts may come from; tradingview stands for the addresses that TradingView publishes. Behind a reverse proxy the operator has to set TRUSTED_PROXIES. Without it everywhere",
    examples: [["tradingview", "203.0.113.0/24"]],
  }),
  entryMaxAgeSeconds: Type.Integer({
    minimum: 1,
    maximum: 3_600,
    description: "Age at which an unsent order that opens or grows a position is dropped",
  }),
  exitMaxAgeSeconds: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: "Age at which an unsent order that reduces a position is dropped, with an alarm",
  }),
  duplicateWindowSeconds: Type.Integer({
    minimum: 0,
    maximum: 3_600,
    description:
      "How long the same body counts as the same alert, sent again; 0 makes each one an alert of its own",
  }),
  rateLimitPerMinute: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: "Alerts in any 60 seconds; what is above is refused with a 429",
  }),
};

/** At creation: what is left out is what the gateway does by itself. */
export const WEBHOOK_OPTIONS = Type.Partial(Type.Object(OPTIONS)).properties;

/** As they are shown: null is what the gateway does by itself. */
export const WEBHOOK_OPTIONS_SHOWN = {
  profile: orNull(OPTIONS.profile),
  sideSwap: orNull(OPTIONS.sideSwap),
  allowedExtraFields: orNull(OPTIONS.allowedExtraFields),
  defaultQty: orNull(OPTIONS.defaultQty),
  multiplier: orNull(Type.String(notesOf(OPTIONS.multiplier))),
  symbolMap: orNull(OPTIONS.symbolMap),
  allowedSymbols: orNull(OPTIONS.allowedSymbols),
  allowedSide: orNull(OPTIONS.allowedSide),
  allowedSenders: orNull(OPTIONS.allowedSenders),
  entryMaxAgeSeconds: orNull(OPTIONS.entryMaxAgeSeconds),
  exitMaxAgeSeconds: orNull(OPTIONS.exitMaxAgeSeconds),
  duplicateWindowSeconds: orNull(OPTIONS.duplicateWindowSeconds),
  rateLimitPerMinute: orNull(OPTIONS.rateLimitPerMinute),
};

/** In a change, null clears one. */
export const WEBHOOK_OPTIONS_CHANGE = Type.Partial(
  Type.Object({ ...WEBHOOK_OPTIONS_SHOWN, multiplier: orNull(OPTIONS.multiplier) }),
).properties;

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

function notesOf({ description = "", examples = [] }: SchemaOptions) {
  return { description, examples };
}
