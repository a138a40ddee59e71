import { type Static, Type } from "@sinclair/typebox";
import type { WebhookOptions, WebhookOptionsChange } from "../domain/alert.ts";
import { WEBHOOK_OPTIONS, WEBHOOK_OPTIONS_CHANGE } from "./schemas/webhook-options.ts";
import { SIDE_OF_POSITION } from "./words.ts";

const Given = Type.Object(WEBHOOK_OPTIONS);
const Changed = Type.Object(WEBHOOK_OPTIONS_CHANGE);

/** A webhook's options from the body that creates it, in the domain's words. */
export function readOptions(given: Static<typeof Given>): WebhookOptions {
  const { multiplier, allowedSide, ...options } = given;
  return {
    ...options,
    ...(multiplier !== undefined && { multiplier: String(multiplier) }),
    ...(allowedSide !== undefined && { allowedSide: SIDE_OF_POSITION[allowedSide] }),
  };
}

/** What changes of them; null stays null, which clears one. */
export function readChangedOptions(changed: Static<typeof Changed>): WebhookOptionsChange {
  const { multiplier, allowedSide, ...options } = changed;
  return {
    ...options,
    ...(multiplier !== undefined && {
      multiplier: multiplier === null ? null : String(multiplier),
    }),
    ...(allowedSide !== undefined && {
      allowedSide: allowedSide === null ? null : SIDE_OF_POSITION[allowedSide],
    }),
  };
}
