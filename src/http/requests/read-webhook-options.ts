import { type Static, Type } from "@sinclair/typebox";
import type { WebhookOptions, WebhookOptionsChange } from "../../domain/alert.ts";
import { errors } from "../../errors.ts";
import { maySaySomething } from "../alerts/meant-words.ts";
import { WEBHOOK_OPTIONS, WEBHOOK_OPTIONS_CHANGE } from "../schemas/webhook-options.ts";
import { SIDE_OF_POSITION } from "../words.ts";

const Given = Type.Object(WEBHOOK_OPTIONS);
const Changed = Type.Object(WEBHOOK_OPTIONS_CHANGE);

/** A webhook's options from the body that creates it, in the domain's words. */
export function readOptions(given: Static<typeof Given>): WebhookOptions {
  const { multiplier, allowedSide, ...options } = given;
  checkExtraFields(options.allowedExtraFields);
  return {
    ...options,
    ...(multiplier !== undefined && { multiplier: String(multiplier) }),
    ...(allowedSide !== undefined && { allowedSide: SIDE_OF_POSITION[allowedSide] }),
  };
}

/** What changes of them; null stays null, which clears one. */
export function readChangedOptions(changed: Static<typeof Changed>): WebhookOptionsChange {
  const { multiplier, allowedSide, ...options } = changed;
  checkExtraFields(options.allowedExtraFields);
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

/** What may protect, limit or change an order is never let through unread. */
function checkExtraFields(names: readonly string[] | null | undefined): void {
  const message = "may say something about the order, and cannot be allowed unread";
  const problems = (names ?? []).flatMap((name, n) =>
    maySaySomething(name) ? [{ path: `allowedExtraFields.${n}`, message }] : [],
  );
  if (problems.length > 0) throw errors.validationFailed(problems);
}
