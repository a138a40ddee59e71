import type { OrderTerms } from "../../../../domain/alert.ts";
import type {
  BracketTicket,
  LegTicket,
  WrittenNumber,
} from "../../../../domain/contracts/tick-reader.ts";
import type { OrdType } from "../../../../domain/declared/order-types.ts";
import { type Duration, DURATIONS, TIME_IN_FORCE_OF } from "../../../words.ts";
import { type AlertFields, isObject } from "../../alert-fields.ts";

const ORDER_TYPES = ["market", "limit", "stop", "stop_limit", "trailing_stop"] as const;
type TheirOrderType = (typeof ORDER_TYPES)[number];

const ORD_TYPE_OF: Readonly<Record<TheirOrderType, OrdType>> = {
  market: "MARKET",
  limit: "LIMIT",
  stop: "STOP",
  stop_limit: "STOP_LIMIT",
  trailing_stop: "TRAILING_STOP",
};

const PRICES = ["limitPrice", "stopPrice", "trailAmount"] as const;
const PRICES_OF: Readonly<Record<TheirOrderType, readonly (typeof PRICES)[number][]>> = {
  market: [],
  limit: ["limitPrice"],
  stop: ["stopPrice"],
  stop_limit: ["limitPrice", "stopPrice"],
  trailing_stop: ["trailAmount"],
};

const UNDONE_DURATIONS = ["opg", "cls", "gtd"] as const;

const LEGS = ["takeProfit", "stopLoss"] as const;
type Leg = (typeof LEGS)[number];

const STOP_TYPES = ["stop", "stop_limit", "trailing_stop"] as const;
const PRICE_OF = { takeProfit: "limitPrice", stopLoss: "stopPrice" } as const;
const OF_PRICE = "is not done: write amount, a distance in price, or";
const NO_TRAIL = "is not done: only a stop that stays where it is protects here";

/** What a leg may ask for and we cannot do: a leg that did less would not be the one asked for. */
const UNDONE_IN: Readonly<Record<Leg, Readonly<Record<string, string>>>> = {
  takeProfit: {
    percent: `${OF_PRICE} limitPrice`,
    pnlAmount: `${OF_PRICE} limitPrice`,
    value: "is not a known field: write limitPrice",
    price: "is not a known field: write limitPrice",
  },
  stopLoss: {
    percent: `${OF_PRICE} stopPrice`,
    pnlAmount: `${OF_PRICE} stopPrice`,
    value: "is not a known field: write stopPrice",
    price: "is not a known field: write stopPrice",
    limitPrice: "is not done: a stop-loss goes at the market",
    trailAmount: NO_TRAIL,
    trailPercent: NO_TRAIL,
    trailPrice: NO_TRAIL,
  },
};

/** Of an order that opens or grows a position. */
export function readTerms(fields: AlertFields): OrderTerms {
  const type = fields.choice("orderType", ORDER_TYPES) ?? "market";
  const [limitPrice, stopPrice, trailOffset] = PRICES.map((name) => readPrice(fields, name, type));
  const bracket = readLegs(fields);
  return {
    ordType: ORD_TYPE_OF[type],
    timeInForce: TIME_IN_FORCE_OF[readDuration(fields)],
    ...(limitPrice !== undefined && { limitPrice }),
    ...(stopPrice !== undefined && { stopPrice }),
    ...(trailOffset !== undefined && { trailOffset }),
    ...(bracket !== undefined && { bracket }),
  };
}

/** Of what closes, or turns: it is done at the market, at once. */
export function readMarketTerms(fields: AlertFields): OrderTerms {
  const why = "is not done with an exit or a turn: they go at the market, so leave it out";
  const type = fields.choice("orderType", ORDER_TYPES) ?? "market";
  if (type !== "market") fields.problem("orderType", why);
  for (const name of PRICES) fields.refuse(name, why);
  readDuration(fields);
  return { ordType: "MARKET" };
}

export function refuseLegs(fields: AlertFields): void {
  for (const name of LEGS) {
    fields.refuse(
      name,
      'belongs to an entry: to move exits send a native alert, "action": "protect"',
    );
  }
}

/**
 * Some of the service's own pages make `price` the limit, others call it the price that the alert
 * saw, and without a limit the service takes the market's. None of them is guessed.
 */
function readPrice(
  fields: AlertFields,
  name: (typeof PRICES)[number],
  type: TheirOrderType,
): WrittenNumber | undefined {
  if (PRICES_OF[type].includes(name)) {
    if (fields.has(name)) return fields.number(name);
    const message = `is needed with orderType ${type}: price and signalPrice are never taken for it`;
    return fields.problem(name, message);
  }
  fields.refuse(name, `has no meaning with orderType ${type}`);
  return undefined;
}

/** The service's own default is day or gtc, by broker: a day order cannot stay forgotten. */
function readDuration(fields: AlertFields): Duration {
  const duration = fields.choice("timeInForce", [...DURATIONS, ...UNDONE_DURATIONS]) ?? "day";
  const done = DURATIONS.find((known) => known === duration);
  if (done === undefined) fields.problem("timeInForce", "is not done: write day, gtc, ioc or fok");
  return done ?? "day";
}

export function readLegs(fields: AlertFields): BracketTicket | undefined {
  const legs: { -readonly [Name in Leg]?: LegTicket } = {};
  for (const name of LEGS) {
    const leg = readLeg(fields, name);
    if (leg !== undefined) legs[name] = leg;
  }
  return legs.takeProfit === undefined && legs.stopLoss === undefined ? undefined : legs;
}

/**
 * The service counts `amount` from the limit or from its quote, and the fill is near both; here it
 * counts from the fill, so that the distance is the one asked for.
 */
function readLeg(fields: AlertFields, name: Leg): LegTicket | undefined {
  const price = PRICE_OF[name];
  const message = `must be an object with exactly one of ${price} and amount`;
  const leg = isObject(fields.value(name)) ? fields.strictObject(name) : undefined;
  if (leg === undefined) {
    fields.refuse(name, message);
    return undefined;
  }
  const before = leg.problems.length;
  checkType(leg, name);
  for (const [undone, why] of Object.entries(UNDONE_IN[name])) leg.refuse(undone, why);
  const level = readLevel(leg, price);
  const offset = readLevel(leg, "amount");
  if (leg.problems.length > before) return undefined;
  if (level !== undefined && offset === undefined) return { price: level };
  if (offset !== undefined && level === undefined) return { offset };
  return fields.problem(name, message);
}

/** A level of 0 was left out: there is nothing to protect at it. */
function readLevel(leg: AlertFields, name: string): WrittenNumber | undefined {
  const written = leg.number(name);
  return Number(written) === 0 ? undefined : written;
}

/** A stop-loss without a type is of the subscription's, which is a plain stop unless changed. */
function checkType(leg: AlertFields, name: Leg): void {
  if (name === "takeProfit") {
    leg.choice("type", ["limit"]);
    return;
  }
  const type = leg.choice("type", STOP_TYPES) ?? "stop";
  if (type === "stop_limit") leg.problem("type", "is not done: write stop, which surely gets out");
  if (type === "trailing_stop") leg.problem("type", NO_TRAIL);
}
