import type { Quote } from "../../../src/brokers/paper/exchange/contract-book.ts";
import { parseTicks } from "../../../src/domain/contracts/price.ts";
import type { Listed } from "./contracts.ts";
import type { WantedLeg, WantedOrder } from "./core-request.ts";
import { ORDER_TYPE, type WireSide } from "./entities.ts";
import type { Body } from "./request.ts";
import type { Settings } from "./settings.ts";

/** What has to be known to read the body of an order. */
export interface ReadingDeps {
  readonly listed: (contractId: string) => Listed | undefined;
  readonly quoteOf: (listed: Listed) => Quote;
}

/** Why an order is none, by the number that answers it. */
export interface Refusal {
  readonly why: "contract" | "order";
  readonly reason: string;
}

/** An order as it was read, with the types that its legs were given. */
export interface ReadOrder extends WantedOrder {
  readonly legs: readonly ReadLeg[];
}

interface ReadLeg extends WantedLeg {
  readonly name: "stop loss" | "take profit";
  readonly type: number;
  /** The type that it must have, and where from its entry it must be. */
  readonly rightType: number;
  readonly direction: 1 | -1;
}

/** In ticks. */
export interface Prices {
  readonly price?: number;
  readonly stopPx?: number;
}

export const NEEDS_AUTO_OCO =
  "Brackets cannot be used with Position Brackets. You must enable Auto OCO Brackets.";
/** Longer tags are refused: children's have three characters more [COM]. */
const LONGEST_TAG = 64;

const TYPES: Readonly<Record<number, WantedOrder["type"]>> = {
  [ORDER_TYPE.limit]: "LIMIT",
  [ORDER_TYPE.market]: "MARKET",
  [ORDER_TYPE.stop]: "STOP",
  [ORDER_TYPE.trailingStop]: "TRAILING_STOP",
  [ORDER_TYPE.joinBid]: "LIMIT",
  [ORDER_TYPE.joinAsk]: "LIMIT",
};

/** The tag of an order; an empty one is none. */
export const tagOf = (body: Body): string | null => {
  const tag = body.optionalText("customTag") ?? "";
  return tag === "" ? null : tag;
};

/** Throws where the body is not of the documents' form. */
export function readOrder(
  account: number,
  body: Body,
  { settings, listed: find, quoteOf }: ReadingDeps & { readonly settings: Settings },
): ReadOrder | Refusal {
  const listed = find(body.text("contractId"));
  const wire = body.integer("type");
  const side = body.integer("side");
  const size = body.integer("size");
  const linked = body.optionalInteger("linkedOrderId");
  const legs = [
    readLeg(body.object("stopLossBracket"), "stop loss", side),
    readLeg(body.object("takeProfitBracket"), "take profit", side),
  ].filter((leg) => leg !== undefined);
  const tag = tagOf(body);
  const type = TYPES[wire];
  if (listed === undefined) return { why: "contract", reason: "Contract not found" };
  if (type === undefined) return refusal("Invalid order type");
  if (side !== 0 && side !== 1) return refusal("Invalid order side");
  if (size < 1) return refusal("Invalid order size");
  if (tag !== null && tag.length > LONGEST_TAG) return refusal("Custom tag is too long");
  const isJoining = wire === ORDER_TYPE.joinBid || wire === ORDER_TYPE.joinAsk;
  const prices = isJoining
    ? { price: quoteOf(listed)[wire === ORDER_TYPE.joinBid ? "bid" : "ask"] }
    : readPrices(body, listed);
  if (prices === undefined || (type === "LIMIT" && prices.price === undefined)) {
    return refusal("Invalid price");
  }
  if (type === "STOP" && prices.stopPx === undefined) return refusal("Invalid stop price");
  const trail =
    type === "TRAILING_STOP" ? readTrail(body, { listed, side, settings, quoteOf }) : {};
  if (trail === undefined) return refusal("Invalid trail price");
  const [stopLoss, takeProfit] = (["stop loss", "take profit"] as const).map((name) =>
    legs.find((leg) => leg.name === name),
  );
  return {
    account,
    code: listed.code,
    side: side === 0 ? "BUY" : "SELL",
    size,
    type,
    tag,
    ...(isJoining && { calledType: wire }),
    ...prices,
    ...trail,
    ...(settings.linkedOrderId === "links" && linked !== undefined && { linked }),
    ...(stopLoss !== undefined && { stopLoss }),
    ...(takeProfit !== undefined && { takeProfit }),
    legs,
  };
}

/** In ticks; undefined where a price is between two. */
export function readPrices(body: Body, { tickSize }: Listed): Prices | undefined {
  const prices: { price?: number; stopPx?: number } = {};
  for (const [name, own] of [
    ["limitPrice", "price"],
    ["stopPrice", "stopPx"],
  ] as const) {
    const value = body.optionalNumber(name);
    if (value === undefined) continue;
    const at = parseTicks(decimalOf(value), tickSize);
    if (at === undefined) return undefined;
    prices[own] = at;
  }
  return prices;
}

/** How far behind the market a stop follows it; undefined where `trailPrice` does not say. */
export function readTrail(
  body: Body,
  {
    listed,
    side,
    settings,
    quoteOf,
  }: {
    readonly listed: Listed;
    readonly side: WireSide;
    readonly settings: Settings;
    readonly quoteOf: ReadingDeps["quoteOf"];
  },
): { readonly trailOffset: number } | undefined {
  const value = body.optionalNumber("trailPrice");
  const at = value === undefined ? undefined : parseTicks(decimalOf(value), listed.tickSize);
  if (at === undefined) return undefined;
  const { bid, ask } = quoteOf(listed);
  const behind = side === 0 ? at - ask : bid - at;
  const trailOffset = settings.trailPriceIs === "price" ? behind : at;
  return trailOffset > 0 ? { trailOffset } : undefined;
}

/** Why an order is refused for its legs, and kept as a refused one [COM: the words of live refusals]. */
export function legProblem({ side, legs }: ReadOrder, settings: Settings): string | undefined {
  if (legs.length > 0 && settings.bracketMode === "positionBrackets") return NEEDS_AUTO_OCO;
  const going = side === "BUY" ? "longing" : "going short";
  for (const { name, type, rightType } of legs) {
    if (type !== rightType) return `Invalid ${name} type (${TYPE_NAMES[type] ?? "Unknown"})`;
  }
  for (const { name, ticks, direction } of legs) {
    const than = direction > 0 ? "greater" : "less";
    if (ticks * direction <= 0) {
      return `Invalid ${name} ticks (${ticks}). Ticks should be ${than} than zero when ${going}.`;
    }
  }
  const { leastTicks } = settings;
  const near = legs.find(({ ticks }) => Math.abs(ticks) < leastTicks);
  if (near === undefined) return undefined;
  const name = near.name === "stop loss" ? "Stop loss" : "Take profit";
  return `Invalid ${near.name} ticks (${near.ticks}). ${name} tick value should be at least ${leastTicks} ticks.`;
}

function readLeg(leg: Body | undefined, name: ReadLeg["name"], side: number): ReadLeg | undefined {
  if (leg === undefined) return undefined;
  const isStop = name === "stop loss";
  return {
    name,
    ticks: leg.integer("ticks"),
    type: leg.integer("type"),
    rightType: isStop ? ORDER_TYPE.stop : ORDER_TYPE.limit,
    direction: (side === 0) === isStop ? -1 : 1,
  };
}

const refusal = (reason: string): Refusal => ({ why: "order", reason });

/** Without an exponent, as tiny ticks print. */
const decimalOf = (value: number): string =>
  String(value).includes("e") ? value.toFixed(12).replace(/0+$/, "") : String(value);

const TYPE_NAMES: Readonly<Record<number, string>> = {
  1: "Limit",
  2: "Market",
  3: "StopLimit",
  4: "Stop",
  5: "TrailingStop",
  6: "JoinBid",
  7: "JoinAsk",
};
