import type { AlertRequest, OrderTerms } from "../../../../domain/alert.ts";
import type { BracketTicket } from "../../../../domain/contracts/tick-reader.ts";
import { DURATIONS, TIME_IN_FORCE_OF } from "../../../words.ts";
import { type ProfileOptions, readControls, type ReadProfile } from "../../alert-profile.ts";
import { AlertFields, isObject } from "../../alert-fields.ts";
import {
  EXCHANGES,
  IGNORED,
  KNOWN,
  ORDER_ACTIONS,
  ORDER_TYPES,
  PLAIN_UNITS,
  REFUSED,
  SYMBOLS,
} from "./fields.ts";
import { type Place, placesOf, readTarget } from "./said-positions.ts";

const LEGS = ["takeProfit", "stopLoss"] as const;
const MAX_LAG = ["max_lag", "maxLag"] as const;

/**
 * The form built from a strategy's own position: the account is brought to where the strategy
 * stands, whatever order led there. Nothing is done where it stands already; that also holds for
 * flat, for which one public receiver places the order of the body instead.
 */
export function readPositionForm(
  fields: AlertFields,
  options: ProfileOptions,
): ReturnType<ReadProfile> {
  const places = placesOf(fields);
  const symbol = readSymbol(fields);
  const terms = readTerms(fields);
  const bracket = readBracket(fields);
  const cancels = fields.has("cancelFirst") && { cancelFirst: fields.flag("cancelFirst") };
  const controls = readLimits(fields);
  const netQty = readTarget(places, options);
  for (const place of places) refuseUnsupported(place, netQty === 0);
  if (symbol === undefined || netQty === undefined) return undefined;
  const request: AlertRequest = {
    kind: "adjust",
    symbol,
    aim: { to: "position", netQty },
    // Legs belong to the order that enters; a template has them in its flat alerts as well.
    terms: netQty === 0 || bracket === undefined ? terms : { ...terms, bracket },
    ...cancels,
  };
  return { request, ...controls };
}

/**
 * With its exchange where one is given, whatever it is: the reader of symbols refuses what does not
 * trade there, so that the share `CL` of another exchange is never taken for crude oil.
 */
function readSymbol(fields: AlertFields): string | undefined {
  const given = SYMBOLS.flatMap((name) => {
    const text = fields.text(name, { max: 32 });
    return text === undefined ? [] : [{ name, text }];
  });
  const exchanges = EXCHANGES.map((name) => fields.text(name, { max: 32 }));
  const [first, ...others] = given;
  if (first === undefined) return refuseNoSymbol(fields);
  for (const { name, text } of others) {
    if (bare(text) !== bare(first.text)) fields.problem(name, `contradicts ${first.name}`);
  }
  const exchange = exchanges.find((one) => one !== undefined);
  const isWhole = exchange === undefined || first.text.includes(":");
  return isWhole ? first.text : `${exchange}:${first.text}`;
}

function refuseNoSymbol(fields: AlertFields): undefined {
  const currency = fields.value("currency");
  if (isObject(currency)) {
    fields.problem("currency.base", "names no contract: write symbol, such as ES1!");
  }
  return SYMBOLS.some((name) => fields.has(name))
    ? undefined
    : fields.problem("symbol", "is needed");
}

/** A symbol without its exchange. */
const bare = (symbol: string): string => symbol.slice(symbol.indexOf(":") + 1).toUpperCase();

function readTerms(fields: AlertFields): OrderTerms {
  const duration = fields.choice(["timeInForce", "tif"], DURATIONS);
  return {
    ordType: "MARKET",
    ...(duration !== undefined && { timeInForce: TIME_IN_FORCE_OF[duration] }),
  };
}

function readBracket(fields: AlertFields): BracketTicket | undefined {
  const takeProfit = fields.leg("takeProfit");
  const stopLoss = fields.leg("stopLoss");
  if (takeProfit === undefined && stopLoss === undefined) return undefined;
  return {
    ...(takeProfit !== undefined && { takeProfit }),
    ...(stopLoss !== undefined && { stopLoss }),
  };
}

/** 3Commas and OKX give an age in seconds that counts from `timestamp`. */
function readLimits(fields: AlertFields): ReturnType<typeof readControls> {
  const controls = readControls(fields);
  const lag = fields.value(MAX_LAG);
  if (lag === undefined) return controls;
  if (controls.maxAgeMs !== undefined || controls.firedAt !== undefined) {
    fields.problem(MAX_LAG, "says the same as maxAgeSeconds and firedAt: give one of the two");
  }
  const ours = { maxAgeSeconds: lag, firedAt: fields.value("timestamp") };
  const theirs = new AlertFields(ours);
  const limits = readControls(theirs);
  for (const { path, message } of theirs.problems) {
    fields.problem(path === "firedAt" ? "timestamp" : MAX_LAG, message);
  }
  return { ...controls, ...limits };
}

function refuseUnsupported({ fields, prefix, names }: Place, isFlat: boolean): void {
  for (const [name, why] of Object.entries(REFUSED)) {
    for (const spelt of new Set([name, name.replaceAll("_", "")])) fields.refuse(spelt, why);
  }
  for (const name of ["quantityType", "investmentType"]) fields.choice(name, PLAIN_UNITS);
  if (fields.text("account")?.includes(",") === true) {
    fields.problem("account", "names several: one webhook is one account");
  }
  if (prefix !== "") {
    for (const leg of LEGS) fields.refuse(leg, `belongs beside ${prefix.slice(0, -1)}, not in it`);
  }
  // The order that led to flat is done, of whatever type it was.
  if (isFlat) fields.passOver(...ORDER_TYPES);
  else refuseOrderTypes(fields);
  fields.passOver(...IGNORED);
  if (isOrderAction(fields)) fields.ignore("action");
  else fields.passOver("action");
  fields.know(...names.sides, ...names.signed, ...names.sizes, ...LEGS);
  if (prefix === "") fields.know(...KNOWN);
}

function refuseOrderTypes(fields: AlertFields): void {
  for (const name of ORDER_TYPES) {
    const type = fields.text(name)?.toLowerCase();
    if (type === undefined || type === "market" || type === "mkt") continue;
    fields.problem(name, "must be market in this form: write a native position for other orders");
  }
}

/** What led there says nothing; another word is none we know, and is shown as unread. */
function isOrderAction(fields: AlertFields): boolean {
  const action = fields.peek("action");
  return typeof action === "string" && ORDER_ACTIONS.has(action.trim().toLowerCase());
}
