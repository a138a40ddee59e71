import type { ReadAlert, WebhookOptions } from "../../domain/alert.ts";
import type { AlertFields } from "./alert-fields.ts";

/** What a webhook's owner has set and a profile reads by. */
export type ProfileOptions = Pick<WebhookOptions, "defaultQty" | "sideSwap" | "allowedExtraFields">;

/**
 * Reads one alert's fields as one service means them. Names everything that is wrong, or that is
 * asked for and cannot be done, as a problem of the fields. Answers what is asked for as far as
 * it can be told, else undefined. Never guesses. Problems, and what it has not asked for, are judged
 * after it.
 */
export type ReadProfile = (
  fields: AlertFields,
  options: ProfileOptions,
) => Omit<ReadAlert, "unread"> | undefined;
