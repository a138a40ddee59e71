import type { Aim, AlertRequest, Holding, OrderTerms } from "../../../../domain/alert.ts";
import type { BracketTicket } from "../../../../domain/contracts/tick-reader.ts";
import { DURATIONS, TIME_IN_FORCE_OF } from "../../../words.ts";
import { type ProfileOptions, readControls, type ReadProfile } from "../../alert-profile.ts";
import { AlertFields } from "../../alert-fields.ts";
import { readSymbol } from "../../read-symbol.ts";
import { isObject } from "../../written-values.ts";
import {
  IGNORED,
  KNOWN,
  ORDER_ACTIONS,
  ORDER_TYPES,
  PLAIN_UNITS,
  REFUSED,
  SYMBOLS,
} from "./fields.ts";
import { type Place, placesOf, readTarget, saysPosition } from "./said-positions.ts";
import { strategyOrder } from "./strategy-order.ts";

const LEGS = ["takeProfit", "stopLoss"] as const;
const MAX_LAG = ["max_lag", "maxLag"] as const;
const FIRED = ["timestamp", "trigger_time"] as const;

/**
 * The form built from a strategy's own position: the account is brought to it, but nothing is opened against
 * the order that led there. An account that has the position already is left alone. That also holds for flat, for
 * which one public receiver places the order of the body instead.
 */
export function readPositionForm(
  fields: AlertFields,
  options: ProfileOptions,
): ReturnType<ReadProfile> {
  const places = placesOf(fields);
  const symbol = readOneSymbol(fields);
  const terms = readTerms(fields);
  const bracket = readBracket(fields);
  const cancels = fields.has("cancelFirst") && { cancelFirst: fields.flag("cancelFirst") };
  const controls = readLimits(fields);
  const holding = closedSide(fields, places);
  const netQty = holding === undefined ? readTarget(places, options) : undefined;
  for (const place of places) refuseUnsupported(place, netQty === 0 || holding !== undefined);
  if (symbol === undefined) return undefined;
  if (holding !== undefined) {
    const aim: Aim = { to: "close", percent: 100, holding };
    return { request: { kind: "adjust", symbol, aim, terms: { ordType: "MARKET" } }, ...controls };
  }
  if (netQty === undefined) return undefined;
  const placed = places.map((place) => place.fields);
  const request: AlertRequest = {
    kind: "adjust",
    symbol,
    aim: { to: "position", netQty, ...strategyOrder(placed, netQty) },
    // Legs belong to the order that enters; a template has them in its flat alerts as well.
    terms: netQty === 0 || bracket === undefined ? terms : { ...terms, bracket },
    ...cancels,
  };
  return { request, ...controls };
}

/** The side that an alert closes which says nothing of the position: 3Commas' signals. */
function closedSide(fields: AlertFields, places: readonly Place[]): Holding | undefined {
  return places.some(saysPosition) ? undefined : fields.sideToClose("action");
}

/** By whichever of its names; by several it is one, and each exchange that they name counts. */
function readOneSymbol(fields: AlertFields): string | undefined {
  const given = SYMBOLS.flatMap((name) => {
    const text = readSymbol(fields, name);
    return text === undefined ? [] : [{ name, text }];
  });
  const [first, ...others] = given;
  if (first === undefined) return refuseNoSymbol(fields);
  for (const { name, text } of others) {
    if (bare(text) !== bare(first.text)) fields.problem(name, `contradicts ${first.name}`);
  }
  const exchanges = new Set(given.flatMap(({ text }) => text.split(":").slice(0, -1)));
  return [...exchanges, first.text.slice(first.text.lastIndexOf(":") + 1)].join(":");
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
const bare = (symbol: string): string => symbol.slice(symbol.lastIndexOf(":") + 1).toUpperCase();

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
  const lag = fields.value(MAX_LAG);
  if (lag === undefined) return readControls(fields, FIRED);
  const controls = readControls(fields);
  if (controls.maxAgeMs !== undefined || fields.has("firedAt")) {
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
  for (const name of ["quantityType", "investmentType"]) {
    if (isFlat) fields.passOver(name);
    else fields.choice(name, PLAIN_UNITS);
  }
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
