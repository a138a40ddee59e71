import type { ReadAlert, WebhookOptions } from "../../domain/alert.ts";
import type { AlertFields } from "./alert-fields.ts";

/** What a webhook's owner has set and a profile reads by. */
export type ProfileOptions = Pick<WebhookOptions, "defaultQty">;

/**
 * Reads one alert's fields as one service means them. Names everything that is wrong, or that is
 * asked for and cannot be done, as a problem of the fields; answers undefined then. Never guesses.
 */
export type ReadProfile = (fields: AlertFields, options: ProfileOptions) => ReadAlert | undefined;
