import { type Static, Type } from "@sinclair/typebox";
import type { WebhookOptions, WebhookOptionsChange } from "../../domain/alert.ts";
import { type OptionName, webhookOption } from "../../domain/declared/webhook-options.ts";
import { errors } from "../../errors.ts";
import { maySaySomething } from "../alerts/meant-words.ts";
import { WEBHOOK_OPTIONS_CHANGE, WEBHOOK_OPTIONS_GIVEN } from "../schemas/webhook-options.ts";
import { type PositionSide, SIDE_OF_POSITION } from "../words.ts";

const Given = Type.Object(WEBHOOK_OPTIONS_GIVEN);
const Changed = Type.Object(WEBHOOK_OPTIONS_CHANGE);

/** A webhook's options from the body that creates it, in the domain's words. */
export function readOptions(given: Static<typeof Given>): WebhookOptions {
  return readChangedOptions(given) as WebhookOptions;
}

/** What changes of them; null stays null, which clears one. */
export function readChangedOptions(changed: Static<typeof Changed>): WebhookOptionsChange {
  checkExtraFields(changed.allowedExtraFields);
  const read = Object.entries(changed).map(([name, value]) => [
    name,
    value === null ? null : inDomain(name as OptionName, value),
  ]);
  return Object.fromEntries(read) as WebhookOptionsChange;
}

function inDomain(name: OptionName, value: unknown): unknown {
  switch (webhookOption(name).kind) {
    case "side":
      return SIDE_OF_POSITION[value as PositionSide];
    case "decimal":
      return String(value);
    case "choice":
    case "whole":
    case "list":
    case "map":
      return value;
  }
}

/** What may protect, limit or change an order is never let through unread. */
function checkExtraFields(names: readonly string[] | null | undefined): void {
  const message = "may say something about the order, and cannot be allowed unread";
  const problems = (names ?? []).flatMap((name, n) =>
    maySaySomething(name) ? [{ path: `allowedExtraFields.${n}`, message }] : [],
  );
  if (problems.length > 0) throw errors.validationFailed(problems);
}
