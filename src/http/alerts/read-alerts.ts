import type { AlertRequest, ReadAlert } from "../../domain/alert.ts";
import type { AlertProfile } from "../../domain/declared/webhook-options.ts";
import { errors, type Problem } from "../../errors.ts";
import { AlertFields } from "./alert-fields.ts";
import {
  mayBeBarTime,
  type ProfileOptions,
  type ReadProfile,
  saysFiring,
} from "./alert-profile.ts";
import { judgeUnknown, onlyTakesOut } from "./judge-unknown.ts";
import {
  type AlertForm,
  type Fields,
  readAlertText,
  unresolvedPlaceholders,
} from "./alert-text.ts";
import { type Dialect, judgeNamedExits } from "./named-exits.ts";
import { otherService } from "./other-services.ts";
import { readCrossTrade } from "./profiles/crosstrade/read-crosstrade.ts";
import { readNative } from "./profiles/native.ts";
import { readPickMyTrade } from "./profiles/pickmytrade/read-pickmytrade.ts";
import { readPineConnector } from "./profiles/pine-connector/read-pine-connector.ts";
import { SIZES_BEFORE } from "./profiles/position/fields.ts";
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

const PROFILES: Readonly<Record<Dialect, ReadProfile>> = {
  native: readNative,
  traderspost: readTradersPost,
  crosstrade: readCrossTrade,
  pickmytrade: readPickMyTrade,
  position: readPositionForm,
  csv: readPineConnector,
};

/**
 * Reads what a sender posted, in the words of the webhook's profile. Throws what is wrong with it,
 * all of it at once, or which other profile reads it: of several alerts in one body either all can be
 * read, or none is carried out.
 */
export function readAlerts(
  body: string,
  { profile = "native", ...options }: ProfileOptions & { readonly profile?: AlertProfile },
): ReadBody {
  const left = unresolvedPlaceholders(body);
  const text = readAlertText(body);
  if (!text.ok) {
    throw left.length > 0
      ? errors.unresolvedPlaceholder(left)
      : errors.validationFailed(text.problems);
  }
  const { form, isArray } = text;
  const dialect = form === "csv" ? "csv" : profile;
  const problems: Problem[] = [];
  const alerts = text.alerts.flatMap((given, place) => {
    const read = readOne(given, isArray ? `${place}.` : "", dialect, options);
    problems.push(...read.problems);
    return read.alert === undefined ? [] : [read.alert];
  });
  // A placeholder stops each entry, and of exits those that read it.
  const areExits = alerts.every(({ request }) => onlyTakesOut(request));
  if (left.length > 0 && (problems.length > 0 || !areExits)) {
    throw errors.unresolvedPlaceholder(left);
  }
  if (problems.length === 0) return { form, isArray, alerts };
  const elsewhere = otherService(text.alerts, dialect, (other) =>
    text.alerts.flatMap((given) => readOne(given, "", other, options).problems),
  );
  throw errors.validationFailed(elsewhere ?? problems);
}

function readOne(
  given: Fields,
  path: string,
  dialect: Dialect,
  options: ProfileOptions,
): { readonly problems: readonly Problem[]; readonly alert?: ReadAlert } {
  const fields = new AlertFields(given, path);
  const read = PROFILES[dialect](fields, options);
  judgeUnknown(fields, read?.request, dialect, options.allowedExtraFields);
  const notes = judgeNamedExits(fields, read?.request, dialect);
  const { problems } = fields;
  if (read === undefined) return { problems };
  const signalPrice = signalPriceOf(fields);
  const saidPosition = isCounted(read.request) ? saidPositionIn(fields) : undefined;
  const alert: ReadAlert = {
    unread: fields.unread(),
    ...(signalPrice !== undefined && { signalPrice }),
    ...(saidPosition !== undefined && { saidPosition }),
    ...(notes.length > 0 && { notes }),
    ...read,
    request: withFillTime(read, fields),
  };
  return { problems, alert };
}

/**
 * When the strategy's order filled, if its message says so to the second. Most orders fill at a full minute,
 * where a bar begins.
 */
function withFillTime(
  { request, firedAt }: Pick<ReadAlert, "request" | "firedAt">,
  fields: AlertFields,
): AlertRequest {
  if (firedAt === undefined) return request;
  if (mayBeBarTime(firedAt) && !saysFiring(fields, firedAt)) return request;
  if (request.kind !== "adjust" || request.aim.to !== "position") return request;
  const { strategy, ...aim } = request.aim;
  if (strategy === undefined) return request;
  return { ...request, aim: { ...aim, strategy: { ...strategy, filledAt: firedAt } } };
}

/** Whether it says how many, and not where that leads. */
function isCounted(request: AlertRequest): boolean {
  if (request.kind !== "adjust") return request.kind === "order";
  const { aim } = request;
  if (aim.to === "close") return "qty" in aim || aim.percent < 100;
  return aim.to !== "position";
}

const SIZES = [
  "market_position_size",
  "marketPositionSize",
  "position_size",
  "positionSize",
  ...SIZES_BEFORE,
] as const;

/** The position after or before the fill, as a template's `{{strategy.market_position_size}}` leaves it, whatever else the profile makes of it. */
function saidPositionIn(fields: AlertFields): string | undefined {
  const said = SIZES.flatMap((name) => {
    const value = fields.peek(name);
    return typeof value === "string" || typeof value === "number" ? [String(value).trim()] : [];
  });
  return said.length === 0 ? undefined : said.join(" ");
}

const DECIMAL = /^-?\d{1,15}(?:\.\d{1,12})?$/;

/** What a template's `{{close}}` leaves, whatever else the profile makes of it. */
function signalPriceOf(fields: AlertFields): string | undefined {
  const value = fields.peek("price");
  const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  return DECIMAL.test(text) && Number(text) !== 0 ? text : undefined;
}
