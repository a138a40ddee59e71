import type { ReadAlert } from "../../domain/alert.ts";
import type { AlertProfile } from "../../domain/declared/webhook-options.ts";
import { errors, type Problem } from "../../errors.ts";
import { AlertFields } from "./alert-fields.ts";
import type { ProfileOptions, ReadProfile } from "./alert-profile.ts";
import { judgeUnknown } from "./judge-unknown.ts";
import { type AlertForm, readAlertText, unresolvedPlaceholders } from "./alert-text.ts";
import { readCrossTrade } from "./profiles/crosstrade/read-crosstrade.ts";
import { readNative } from "./profiles/native.ts";
import { readPickMyTrade } from "./profiles/pickmytrade/read-pickmytrade.ts";
import { readPineConnector } from "./profiles/pine-connector/read-pine-connector.ts";
import { readPositionForm } from "./profiles/position/read-position-form.ts";
import { readTradersPost } from "./profiles/traderspost/read-traderspost.ts";

/** One body, read to its end. */
export interface ReadBody {
  readonly form: AlertForm;
  /** In the order in which they are to be carried out. */
  readonly alerts: readonly ReadAlert[];
  /** Answered as a list, whatever its length. */
  readonly isArray: boolean;
}

const PROFILES: Readonly<Record<AlertProfile, ReadProfile>> = {
  native: readNative,
  traderspost: readTradersPost,
  crosstrade: readCrossTrade,
  pickmytrade: readPickMyTrade,
  position: readPositionForm,
};

/**
 * Reads what a sender posted, in the words of the webhook's profile. Throws what is wrong with it,
 * all of it at once: of several alerts in one body either all can be read, or none is carried out.
 */
export function readAlerts(
  body: string,
  { profile = "native", ...options }: ProfileOptions & { readonly profile?: AlertProfile },
): ReadBody {
  const left = unresolvedPlaceholders(body);
  if (left.length > 0) throw errors.unresolvedPlaceholder(left);
  const text = readAlertText(body);
  if (!text.ok) throw errors.validationFailed(text.problems);

  const { form, isArray } = text;
  const read = form === "csv" ? readPineConnector : PROFILES[profile];
  const problems: Problem[] = [];
  const alerts = text.alerts.flatMap((given, place) => {
    const fields = new AlertFields(given, isArray ? `${place}.` : "");
    const alert = read(fields, options);
    judgeUnknown(fields, alert?.request, options.allowedExtraFields);
    if (fields.problems.length > 0) problems.push(...fields.problems);
    if (alert === undefined) return [];
    const signalPrice = signalPriceOf(fields);
    const unread = fields.unread();
    return signalPrice === undefined ? [{ unread, ...alert }] : [{ unread, signalPrice, ...alert }];
  });
  if (problems.length > 0) throw errors.validationFailed(problems);
  return { form, isArray, alerts };
}

const DECIMAL = /^-?\d{1,15}(?:\.\d{1,12})?$/;

/** What a template's `{{close}}` leaves, whatever else the profile makes of it. */
function signalPriceOf(fields: AlertFields): string | undefined {
  const value = fields.peek("price");
  const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  return DECIMAL.test(text) && Number(text) !== 0 ? text : undefined;
}
