import { DECLARED_PRICES, ORDER_PRICES } from "../../../domain/declared/order-types.ts";
import type { Aim, AlertRequest, Holding, OrderTerms } from "../../../domain/alert.ts";
import type { BracketTicket, LegTicket } from "../../../domain/contracts/tick-reader.ts";
import type { Draft } from "../../../domain/draft.ts";
import { MOST_TIMEOUT_SECONDS, TIMEOUT_ENDS } from "../../../domain/order-handling.ts";
import {
  ACTIONS,
  DURATIONS,
  ORD_TYPE_OF,
  ORDER_TYPES,
  SIDE_OF,
  TIME_IN_FORCE_OF,
} from "../../words.ts";
import type { SizeTicket } from "../../../domain/order-handling.ts";
import { type AlertFields, MAX_QTY } from "../alert-fields.ts";
import { isObject } from "../written-values.ts";
import { CONTROLS, type ProfileOptions, readControls, type ReadProfile } from "../alert-profile.ts";
import { onlyTakesOut } from "../judge-unknown.ts";
import { limitsExit, TRAILING } from "../meant-words.ts";
import { readSymbol } from "../read-symbol.ts";
import { strategyOrder } from "./position/strategy-order.ts";
import { readExitPlan } from "./native-exit-plan.ts";

const FLATTENING = ["close", "flat", "flatten", "exit"] as const;
const NATIVE_ACTIONS = [
  ...ACTIONS,
  ...FLATTENING,
  "reverse",
  "reduce",
  "cancel",
  "protect",
] as const;

const PRICE_WORDS = ORDER_PRICES.map((name) => DECLARED_PRICES[name].word);

const KNOWN = [
  "action",
  "symbol",
  "qty",
  "type",
  ...PRICE_WORDS,
  "timeInForce",
  "bracket",
  "timeout",
  "cancelAfter",
  "cancelAfterSeconds",
  "takeProfit",
  "stopLoss",
  "exitPlan",
  "position",
  "percent",
  "cancelFirst",
  "size",
  "risk",
  "riskPercent",
  ...CONTROLS,
] as const;

const AT_MARKET = 'does not belong to "action": "reduce", which goes at the market';

/** What other services' alerts ask for with these; an order that ignored them would be another one. */
const FOREIGN: Readonly<Record<string, string>> = {
  sl: "stopLoss",
  tp: "takeProfit",
  sl_price: "stopLoss",
  tp_price: "takeProfit",
  trail: TRAILING,
  trailing: TRAILING,
  trail_stop: TRAILING,
  trail_offset: "trailOffset",
  order_type: "type",
  orderType: "type",
  tif: "timeInForce",
  quantity: "qty",
  contracts: "qty",
  ticker: "symbol",
  instrument: "symbol",
  sentiment: "position",
  market_position: "position",
  flatten_first: "cancelFirst",
};

/** The specification's own words (4.3), and what goes beyond them. */
export function readNative(fields: AlertFields, options: ProfileOptions): ReturnType<ReadProfile> {
  const request = readRequest(fields, options);
  const controls = readControls(fields);
  const takesOut = request !== undefined && onlyTakesOut(request);
  // Elsewhere it is a number of contracts, and less of a way out may be meant.
  if (takesOut && !isObject(fields.peek("size") ?? {})) fields.refuse("size", SIZE_MESSAGE);
  fields.refuseAll(FOREIGN_REASONS, takesOut ? limitsExit : undefined);
  fields.passOver(...KNOWN);
  return request && { request, ...controls };
}

function readRequest(fields: AlertFields, options: ProfileOptions): AlertRequest | undefined {
  if (fields.has("position")) return readPosition(fields);
  const holding = fields.sideToClose("action");
  if (holding !== undefined) return readSideClose(fields, holding);
  const action = fields.choice("action", NATIVE_ACTIONS, { needed: true });
  switch (action) {
    case undefined:
      return undefined;
    case "buy":
    case "sell":
      return readOrder(fields, action, options);
    case "reverse":
      return readReverse(fields);
    case "reduce":
      return readReduce(fields);
    case "cancel":
      return { kind: "cancel", ...optionalSymbol(fields) };
    case "protect":
      return readProtect(fields);
    case "close":
    case "flat":
    case "flatten":
    case "exit":
      fields.refuse("percent", 'belongs to "action": "reduce": this one closes the whole account');
      return { kind: "flatten", ...optionalSymbol(fields) };
  }
}

function readOrder(
  fields: AlertFields,
  action: (typeof ACTIONS)[number],
  { defaultQty, ...options }: ProfileOptions,
): AlertRequest | undefined {
  const symbol = neededSymbol(fields);
  const size = readSize(fields) ?? (fields.has("qty") ? undefined : sizeBySetting(options));
  const needed = size === undefined && defaultQty === undefined;
  const asked = fields.whole("qty", { needed }) ?? (size === undefined ? defaultQty : undefined);
  // Sized, it is the least that it may be.
  const orderQty = size === undefined ? asked : 1;
  const terms = { ...readTerms(fields), ...(size !== undefined && { size }) };
  const cancelFirst = fields.flag("cancelFirst");
  if (symbol === undefined || orderQty === undefined) return undefined;
  const side = SIDE_OF[action];
  if (!cancelFirst) return { kind: "order", ticket: { symbol, side, orderQty, ...terms } };
  const aim: Aim = { to: "order", side, qty: orderQty };
  return { kind: "adjust", symbol, aim, terms, cancelFirst };
}

/** `position` is signed: where the position in the symbol is to stand afterwards. */
function readPosition(fields: AlertFields): AlertRequest | undefined {
  const message = "belongs to another way of saying it: give position, or action with qty";
  for (const name of ["action", "qty", "size", "risk", "riskPercent"]) {
    if (fields.has(name)) fields.problem(name, message);
  }
  const symbol = neededSymbol(fields);
  const netQty = fields.whole("position", { needed: true, min: -MAX_QTY });
  return readAdjustment(
    fields,
    symbol,
    netQty === undefined
      ? undefined
      : { to: "position", netQty, ...strategyOrder([fields], netQty) },
  );
}

function readReverse(fields: AlertFields): AlertRequest | undefined {
  const symbol = neededSymbol(fields);
  const qty = fields.whole("qty");
  const aim = { to: "reverse", ...(qty !== undefined && { qty }) } as const;
  return readAdjustment(fields, symbol, aim, readSize(fields));
}

function readAdjustment(
  fields: AlertFields,
  symbol: string | undefined,
  aim: Aim | undefined,
  size?: SizeTicket,
): AlertRequest | undefined {
  const terms = { ...readTerms(fields), ...(size !== undefined && { size }) };
  const cancels = fields.has("cancelFirst") && { cancelFirst: fields.flag("cancelFirst") };
  if (symbol === undefined || aim === undefined) return undefined;
  return { kind: "adjust", symbol, aim, terms, ...cancels };
}

/** Out of one side, or a part of it; the other one is neither closed nor opened. */
function readSideClose(fields: AlertFields, holding: Holding): AlertRequest | undefined {
  const symbol = neededSymbol(fields);
  const isPart = fields.has("qty") || fields.has("percent");
  const part = isPart ? readPart(fields) : { percent: 100 };
  if (symbol === undefined || part === undefined) return undefined;
  const aim: Aim = { to: "close", ...part, holding };
  return { kind: "adjust", symbol, aim, terms: { ordType: "MARKET" } };
}

function readReduce(fields: AlertFields): AlertRequest | undefined {
  const symbol = neededSymbol(fields);
  const type = fields.choice("type", ORDER_TYPES);
  if (type !== undefined && type !== "market") fields.problem("type", AT_MARKET);
  const part = readPart(fields);
  if (symbol === undefined || part === undefined) return undefined;
  return { kind: "adjust", symbol, aim: { to: "close", ...part }, terms: { ordType: "MARKET" } };
}

function readPart(
  fields: AlertFields,
): { readonly qty: number } | { readonly percent: number } | undefined {
  const qty = fields.part("qty");
  const percent = Number(fields.number("percent") ?? NaN);
  if (fields.has("qty") === fields.has("percent")) {
    return fields.problem(
      "qty",
      "or percent is needed to reduce a position: exactly one of the two",
    );
  }
  if (fields.has("percent") && !(percent > 0 && percent <= 100)) {
    return fields.problem("percent", "must be above 0 and at most 100");
  }
  return qty === undefined ? { percent } : { qty };
}

function readProtect(fields: AlertFields): AlertRequest | undefined {
  const symbol = neededSymbol(fields);
  const legs = readBracket(fields);
  const exitPlan = readExitPlan(fields);
  if (legs !== undefined && exitPlan !== undefined) return fields.problem("exitPlan", INSTEAD);
  if (legs === undefined && exitPlan === undefined && !fields.has("exitPlan")) {
    return fields.problem("stopLoss", "or takeProfit or exitPlan is needed to protect");
  }
  if (symbol === undefined) return undefined;
  return { kind: "protect", symbol, legs: legs ?? {}, ...(exitPlan !== undefined && { exitPlan }) };
}

function readTerms(fields: AlertFields): OrderTerms {
  fields.refuse("percent", 'belongs to "action": "reduce"');
  const type = fields.choice("type", ORDER_TYPES) ?? "market";
  const duration = fields.choice("timeInForce", DURATIONS) ?? "day";
  const terms: Draft<OrderTerms> = {
    ordType: ORD_TYPE_OF[type],
    timeInForce: TIME_IN_FORCE_OF[duration],
  };
  for (const word of PRICE_WORDS) {
    const price = fields.number(word);
    if (price !== undefined) terms[word] = price;
  }
  const bracket = readBracket(fields);
  if (bracket !== undefined) terms.bracket = bracket;
  const timeout = readTimeout(fields);
  if (timeout !== undefined) terms.timeout = timeout;
  const exitPlan = readExitPlan(fields);
  if (exitPlan !== undefined) terms.exitPlan = exitPlan;
  if (exitPlan !== undefined && bracket !== undefined) fields.problem("exitPlan", INSTEAD);
  return terms;
}

/** As an object, or flat as the seconds after which what rests is cancelled; not both. */
function readTimeout(fields: AlertFields): OrderTerms["timeout"] {
  const names = ["timeout", "cancelAfter", "cancelAfterSeconds"].filter((name) => fields.has(name));
  for (const name of names.slice(1)) {
    fields.problem(name, `is given twice: here and as ${names[0]}`);
  }
  const given = fields.strictObject("timeout", TIMEOUT_MESSAGE);
  if (given !== undefined) {
    const afterSeconds = given.whole("afterSeconds", { needed: true, max: MOST_TIMEOUT_SECONDS });
    const then = given.choice("then", TIMEOUT_ENDS, { needed: true });
    given.ignore("afterSeconds", "then");
    return afterSeconds === undefined || then === undefined ? undefined : { afterSeconds, then };
  }
  const [flat] = names;
  const afterSeconds =
    flat === undefined ? undefined : fields.whole(flat, { max: MOST_TIMEOUT_SECONDS });
  return afterSeconds === undefined ? undefined : { afterSeconds, then: "cancel" };
}

const TIMEOUT_MESSAGE = 'must be an object with afterSeconds and then: "cancel" or "market"';

/** In `size`, or its risk beside the other fields; instead of `qty`. */
function readSize(fields: AlertFields): SizeTicket | undefined {
  const object = fields.strictObject("size", SIZE_MESSAGE);
  const places = [fields, ...(object === undefined ? [] : [object])];
  const size: Draft<SizeTicket> = {};
  const given = places.flatMap((place) =>
    (["risk", "riskPercent"] as const).flatMap((name) => {
      const value = place.number(name);
      if (value !== undefined) size[name] = value;
      return place.has(name) ? [name] : [];
    }),
  );
  const min = object?.whole("min");
  if (min !== undefined) size.min = min;
  if (object === undefined && given.length === 0) return undefined;
  if (given.length !== 1) fields.problem("size", "needs exactly one of risk and riskPercent");
  if (fields.has("qty")) {
    const [name = "size"] = object === undefined ? given : [];
    fields.problem(name, "works out how many contracts: give it or qty, not both");
  }
  return size;
}

/** What the webhook's owner lets an order risk that says nothing of how large it is. */
function sizeBySetting({ riskMoney, riskPercent }: ProfileOptions): SizeTicket | undefined {
  if (riskMoney === undefined && riskPercent === undefined) return undefined;
  return {
    ...(riskMoney !== undefined && { risk: riskMoney }),
    ...(riskPercent !== undefined && { riskPercent }),
  };
}

const SIZE_MESSAGE = "must be an object with risk or riskPercent; contracts are qty";

/** The legs stand in `bracket` or beside the other fields, but not in both places. */
function readBracket(fields: AlertFields): BracketTicket | undefined {
  const bracket = fields.strictObject("bracket", LEGS_MESSAGE);
  const legs: { takeProfit?: LegTicket; stopLoss?: LegTicket } = {};
  for (const name of ["takeProfit", "stopLoss"] as const) {
    if (bracket?.has(name) === true && fields.has(name)) {
      fields.problem(name, "is given twice: here and in bracket");
    }
    const leg = bracket?.has(name) === true ? bracket.leg(name) : fields.leg(name);
    if (leg !== undefined) legs[name] = leg;
  }
  bracket?.ignore("takeProfit", "stopLoss");
  if (bracket !== undefined && !bracket.has("takeProfit") && !bracket.has("stopLoss")) {
    fields.problem("bracket", LEGS_MESSAGE);
  }
  return legs.takeProfit === undefined && legs.stopLoss === undefined ? undefined : legs;
}

const INSTEAD = "is instead of takeProfit and stopLoss: give the one or the others";
const LEGS_MESSAGE = "must be an object with takeProfit, stopLoss or both";

const neededSymbol = (fields: AlertFields): string | undefined =>
  readSymbol(fields, "symbol", { needed: true });

function optionalSymbol(fields: AlertFields): { readonly symbol?: string } {
  const symbol = readSymbol(fields, "symbol");
  return symbol === undefined ? {} : { symbol };
}

const FOREIGN_REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries(FOREIGN).map(([name, ours]) => [
    name.toLowerCase(),
    `is another service's word: write ${ours}, or set the webhook's profile`,
  ]),
);
