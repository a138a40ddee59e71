import type { OrderTerms } from "../../../../domain/alert.ts";
import type { WrittenNumber } from "../../../../domain/contracts/tick-reader.ts";
import type { OrdType } from "../../../../domain/declared/order-types.ts";
import { type Duration, DURATIONS, TIME_IN_FORCE_OF } from "../../../words.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { exitTerms, type SaidExits } from "../../exit-terms.ts";
import { readTimeout } from "../../read-timeout.ts";

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

/** Of an order that opens or grows a position. */
export function readTerms(fields: AlertFields, exits: SaidExits): OrderTerms {
  const type = fields.choice("orderType", ORDER_TYPES) ?? "market";
  const [limitPrice, stopPrice, trailOffset] = PRICES.map((name) => readPrice(fields, name, type));
  const timeInForce = TIME_IN_FORCE_OF[readDuration(fields)];
  const terms = { ordType: ORD_TYPE_OF[type], timeInForce };
  return {
    ...terms,
    ...(limitPrice !== undefined && { limitPrice }),
    ...(stopPrice !== undefined && { stopPrice }),
    ...(trailOffset !== undefined && { trailOffset }),
    ...exitTerms(exits),
    ...readTimeout(fields, "cancelAfter", terms),
  };
}

const AT_MARKET: OrderTerms = { ordType: "MARKET" };

/** Of what closes, or turns: it is done at the market, at once. */
export function readMarketTerms(fields: AlertFields): OrderTerms {
  const why = "is not done with an exit or a turn: they go at the market, so leave it out";
  const type = fields.choice("orderType", ORDER_TYPES) ?? "market";
  if (type !== "market") fields.problem("orderType", why);
  for (const name of PRICES) fields.refuse(name, why);
  readDuration(fields);
  readTimeout(fields, "cancelAfter", AT_MARKET);
  return AT_MARKET;
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
