import type { Holding, OrderTerms } from "../../../../domain/alert.ts";
import type { Side } from "../../../../domain/order.ts";
import type { OrdType } from "../../../../domain/declared/order-types.ts";
import type { WrittenNumber } from "../../../../domain/contracts/tick-reader.ts";
import { ACTIONS, DURATIONS, SIDE_OF, TIME_IN_FORCE_OF } from "../../../words.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { oneOfNames, type ProfileOptions } from "../../alert-profile.ts";
import { exitTerms } from "../../exit-terms.ts";
import { readSymbol } from "../../read-symbol.ts";
import { readTimeout } from "../../read-timeout.ts";
import { isOff, readLegs } from "./relative-legs.ts";
import { MONTH_CODES } from "../../../../domain/contracts/contract.ts";

const ORDER_TYPES = [
  "market",
  "limit",
  "stopmarket",
  "stoplimit",
  "trailingstop",
  "trailingstoplimit",
  "mit",
] as const;
type OrderType = (typeof ORDER_TYPES)[number];

const ORD_TYPE_OF: Readonly<Record<OrderType, OrdType | undefined>> = {
  market: "MARKET",
  limit: "LIMIT",
  stopmarket: "STOP",
  stoplimit: "STOP_LIMIT",
  trailingstop: "TRAILING_STOP",
  trailingstoplimit: undefined,
  mit: undefined,
};

type Names = readonly [name: string, ...aliases: string[]];

/** The service's names of an order's own prices, ours, and the types they belong to. */
const PRICES = [
  { names: ["limit_price"], ours: "limitPrice", types: ["LIMIT", "STOP_LIMIT"] },
  { names: ["stop_price"], ours: "stopPrice", types: ["STOP", "STOP_LIMIT"] },
  // A trailing stop of ours starts where the market is: one that starts at a stop_price is another.
  { names: ["trail_offset", "peg_difference"], ours: "trailOffset", types: ["TRAILING_STOP"] },
] as const satisfies readonly {
  readonly names: Names;
  readonly ours: keyof OrderTerms;
  readonly types: readonly OrdType[];
}[];

const HOLDINGS = { flat: "FLAT", long: "LONG", short: "SHORT" } as const;
export const MARKET_POSITIONS = ["flat", "long", "short"] as const;
export type MarketPosition = (typeof MARKET_POSITIONS)[number];

export const holdingOf = (word: MarketPosition): Holding => HOLDINGS[word];

export interface CrossTradeOrder {
  readonly symbol: string;
  readonly side: Side;
  readonly qty: number;
  readonly terms: OrderTerms;
}

/**
 * The fields of PLACE. The service refuses an order without a quantity; a webhook may have one.
 * `entered` is the side of the position that legs would protect, where the action does not say it.
 */
export function readOrder(
  fields: AlertFields,
  { defaultQty }: ProfileOptions,
  entered?: Side,
): CrossTradeOrder | undefined {
  const symbol = readInstrument(fields);
  const action = fields.choice("action", ACTIONS, { needed: true });
  const names = oneOfNames(fields, ["qty", "quantity"]);
  const qty = fields.whole(names, { needed: defaultQty === undefined }) ?? defaultQty;
  const side = action && SIDE_OF[action];
  const terms = readTerms(fields, entered ?? side);
  if (symbol === undefined || side === undefined || qty === undefined) return undefined;
  return terms && { symbol, side, qty, terms };
}

/** Without a `tif` an order lives for the day: the service needs one, and this is the shorter one. */
function readTerms(fields: AlertFields, side: Side | undefined): OrderTerms | undefined {
  const type = fields.choice("order_type", ORDER_TYPES, { needed: true });
  const duration = fields.choice("tif", DURATIONS) ?? "day";
  if (type === undefined) return undefined;
  const ordType = ORD_TYPE_OF[type];
  if (ordType === undefined) {
    return fields.problem("order_type", `${type} orders are not placed here: write another type`);
  }
  const prices = readPrices(fields, type, ordType);
  // How far a distance from the last quote is from an entry that rests, nobody knows beforehand.
  const noDistance = ordType === "MARKET" ? undefined : NO_DISTANCE;
  const exits = side && readLegs(fields, { side, ...(noDistance !== undefined && { noDistance }) });
  const timeInForce = TIME_IN_FORCE_OF[duration];
  return {
    ordType,
    timeInForce,
    ...prices,
    ...exitTerms(exits ?? {}),
    ...readCancelAfter(fields, { ordType, timeInForce }),
  };
}

/** In minutes. The service times limit orders only; a longer time than it takes is taken here. */
function readCancelAfter(
  fields: AlertFields,
  terms: Pick<OrderTerms, "ordType" | "timeInForce">,
): Pick<OrderTerms, "timeout"> {
  const isTimed = terms.ordType === "LIMIT" || terms.ordType === "MARKET";
  if (isTimed) return readTimeout(fields, "cancel_after", terms, 60);
  fields.refuse(
    "cancel_after",
    "is of limit orders alone: send CANCELORDERS when this one is to go",
  );
  return {};
}

const NO_DISTANCE = "is counted from the last quote, not from the entry: write a price";

interface OwnPrices {
  limitPrice?: WrittenNumber;
  stopPrice?: WrittenNumber;
  trailOffset?: WrittenNumber;
}

function readPrices(fields: AlertFields, type: OrderType, ordType: OrdType): OwnPrices {
  const prices: OwnPrices = {};
  for (const { names, ours, types } of PRICES) {
    if (!types.some((one) => one === ordType)) {
      for (const name of names) fields.refuse(name, `is not taken with order_type=${type}`);
      continue;
    }
    const price = readPrice(fields, oneOfNames(fields, names));
    if (price !== undefined) prices[ours] = price;
  }
  return prices;
}

/** Only a price: from which last quote a relative one would be counted, nobody knows afterwards. */
function readPrice(fields: AlertFields, names: Names): WrittenNumber | undefined {
  const value = fields.value(names);
  if (isOff(value)) return fields.problem(names, "is needed for this type of order");
  if (typeof value === "string" && RELATIVE.test(value)) {
    return fields.problem(names, "is relative to the last quote: write a price");
  }
  return fields.number(names);
}

const RELATIVE = /(?:%|ticks?|points?|dollars?)\s*$/i;

export function readInstrument(fields: AlertFields): string | undefined {
  const instrument = readSymbol(fields, "instrument", { needed: true });
  if (instrument === undefined) return undefined;
  const at = instrument.lastIndexOf(":") + 1;
  const symbol = instrumentSymbol(instrument.slice(at));
  if (symbol !== undefined) return `${instrument.slice(0, at)}${symbol}`;
  return fields.problem("instrument", "must be an instrument such as ES1!, ES 09-26 or ESU6");
}

/**
 * `require_market_position=long,flat`, of what the command itself asks for (`within`). Documented
 * with commas, and in one place with a slash.
 */
export function readOnlyWhen(
  fields: AlertFields,
  within?: readonly Holding[],
): readonly Holding[] | undefined {
  const name = "require_market_position";
  if (isOff(fields.value(name))) return within;
  const words = fields
    .text(name)
    ?.toLowerCase()
    .split(/[,/]/)
    .map((word) => word.trim());
  if (words === undefined) return undefined;
  if (!words.every((word) => Object.hasOwn(HOLDINGS, word))) {
    return fields.problem(name, "must be flat, long, short or a list of them");
  }
  const required = MARKET_POSITIONS.filter((word) => words.includes(word)).map(holdingOf);
  const both = within === undefined ? required : required.filter((one) => within.includes(one));
  if (both.length > 0) return both;
  return fields.problem(name, "asks for a position in which this command does nothing");
}

/** `ES 09-26`, `ES 9-26` and `ES SEP26`, as NinjaTrader names a contract. */
const NUMBERED = /^(\w{1,6})\s+(0?[1-9]|1[0-2])-(\d{2}|\d{4})$/;
const NAMED = /^(\w{1,6})\s+([A-Z]{3})(\d{2}|\d{4})$/;
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/**
 * The symbol of an instrument: `ES 09-26` is `ESU26`. What has no space in it, such as `ES1!`,
 * `ESU6` or `ES`, is a symbol already; undefined for a text that names no month.
 */
export function instrumentSymbol(instrument: string): string | undefined {
  const text = instrument.trim().toUpperCase();
  if (!/\s/.test(text)) return instrument.trim();
  const [, root = "", number = "0", year = ""] = NUMBERED.exec(text) ?? [];
  if (root !== "") return symbolOf(root, Number(number), year);
  const [, named = "", name = "", namedYear = ""] = NAMED.exec(text) ?? [];
  return symbolOf(named, MONTHS.indexOf(name) + 1, namedYear);
}

function symbolOf(root: string, month: number, year: string): string | undefined {
  return month === 0 ? undefined : `${root}${MONTH_CODES.charAt(month - 1)}${year}`;
}
