import type { Aim, AlertRequest, Holding, OrderTerms } from "../../../../domain/alert.ts";
import type { SideSwap } from "../../../../domain/declared/webhook-options.ts";
import type { Side } from "../../../../domain/order.ts";
import { ACTIONS, SIDE_OF } from "../../../words.ts";
import { type ProfileOptions, readControls, type ReadProfile } from "../../alert-profile.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { exitTerms } from "../../exit-terms.ts";
import { readSymbol } from "../../read-symbol.ts";
import { plain } from "../../written-values.ts";
import { LEGS, readExits, refuseLegs } from "./exits.ts";
import { ALL, type Part, readEntrySize, readExitPart, readPart, readWholeQty } from "./quantity.ts";
import { refuseUndone } from "./refused-fields.ts";
import { readMarketTerms, readTerms } from "./terms.ts";

const THEIR_ACTIONS = [...ACTIONS, "exit", "cancel", "add", "reverse", "breakeven"] as const;

/** The position that may be there afterwards. */
const SENTIMENT_OF: Readonly<Record<string, Holding>> = {
  bullish: "LONG",
  long: "LONG",
  bearish: "SHORT",
  short: "SHORT",
  flat: "FLAT",
};
const SENTIMENTS = Object.keys(SENTIMENT_OF);

/** The position that a side leads to, and the one that it leads out of. */
const TOWARDS: Readonly<Record<Side, Holding>> = { BUY: "LONG", SELL: "SHORT" };
const AWAY_FROM: Readonly<Record<Side, Holding>> = { BUY: "SHORT", SELL: "LONG" };

const MAX_AGE_SECONDS = 86_400;
const HAS_ZONE = /\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * TradersPost (https://docs.traderspost.io/docs/core-concepts/signals/webhooks): an alert says on
 * which side the ticker's position is to be. The body alone counts here: there is no subscription
 * whose settings stand beside it.
 */
export function readTradersPost(
  fields: AlertFields,
  options: ProfileOptions,
): ReturnType<ReadProfile> {
  const request = readRequest(fields, options);
  const controls = withAge(fields);
  refuseUndone(fields);
  return request && { request, ...controls };
}

function readRequest(fields: AlertFields, options: ProfileOptions): AlertRequest | undefined {
  const holding = fields.sideToClose("action");
  const action =
    holding === undefined ? fields.choice("action", THEIR_ACTIONS, { needed: true }) : "exit";
  // Without one the rest is read all the same, so that every problem is named at once.
  const symbol = readSymbol(fields, "ticker", { needed: true }) ?? "";
  if (action === undefined) return undefined;
  const { defaultQty = 1 } = options;
  if (action === "buy" || action === "sell") {
    const { sideSwap = "off" } = options;
    return readTrade(fields, symbol, { side: SIDE_OF[action], defaultQty, sideSwap });
  }
  // Beside an exit it says what that leads to.
  if (action === "exit" && plain(fields.peek("sentiment")) === "flat") fields.ignore("sentiment");
  else fields.refuse("sentiment", `belongs to buy and sell, not to ${action}: leave it out`);
  switch (action) {
    case "exit":
      return readExit(fields, symbol, holding);
    case "add":
      return readAdd(fields, symbol, defaultQty);
    case "reverse":
      return readReverse(fields, symbol);
    case "cancel":
      refuseLegs(fields);
      return { kind: "cancel", symbol };
    case "breakeven":
      return readBreakeven(fields, symbol);
  }
}

interface Trade {
  readonly side: Side;
  /** Where nothing is said: the webhook's, or one contract as the service does. */
  readonly defaultQty: number;
  readonly sideSwap: SideSwap;
}

/** What the service's switches "allow side swapping" and "subtract exit quantity" come to. */
const SWAP_OF = { off: "never", on: undefined, subtract: "withRest" } as const;

function readTrade(fields: AlertFields, symbol: string, trade: Trade): AlertRequest {
  const said = fields.choice("sentiment", SENTIMENTS);
  const sentiment = said === undefined ? undefined : SENTIMENT_OF[said];
  return sentiment === undefined || sentiment === TOWARDS[trade.side]
    ? readEntry(fields, symbol, { ...trade, sentiment })
    : readClosing(fields, symbol, { ...trade, sentiment });
}

/**
 * A sentiment says that the other side has to go. Without one, a quantity that is less than what is
 * held there only makes it smaller: that is the service's own rule.
 */
function readEntry(
  fields: AlertFields,
  symbol: string,
  { side, defaultQty, sideSwap, sentiment }: Trade & { readonly sentiment: Holding | undefined },
): AlertRequest {
  const exits = readExits(fields);
  const { qty: given, size } = readEntrySize(fields, exits);
  const terms = { ...readTerms(fields, exits), ...(size !== undefined && { size }) };
  const swap = SWAP_OF[sideSwap];
  if (size !== undefined && swap === "withRest") fields.problem("quantityType", NOT_SUBTRACTED);
  const aim: Aim = {
    to: "enter",
    side,
    // What is sized is at least one contract.
    qty: size === undefined ? (given ?? defaultQty) : 1,
    whenHeld: "refuse",
    whenOpposite: sentiment === undefined && given !== undefined ? "reduceIfLess" : "close",
    ...(swap !== undefined && { swap }),
  };
  // The service gets out of the other side with an order of the same type, which waits for its
  // price. The lane closes at once, at the market, so such an order may not meet the other side.
  const onlyWhen: readonly Holding[] = ["FLAT", TOWARDS[side]];
  const rests = terms.ordType !== "MARKET";
  return { kind: "adjust", symbol, aim, terms, ...cancelFirst(fields), ...(rests && { onlyWhen }) };
}

const NOT_SUBTRACTED =
  "cannot be worked out where what is closed counts towards it: set the webhook's sideSwap to on or off, or write a quantity in contracts";

/** Out of the other side, and not in: flat is all of it, whatever `quantity` says. */
function readClosing(
  fields: AlertFields,
  symbol: string,
  { side, sentiment }: Trade & { readonly sentiment: Holding },
): AlertRequest {
  const isFlat = sentiment === "FLAT";
  if (isFlat) fields.ignore("quantity", "quantityType");
  const part = isFlat ? ALL : readPart(fields);
  const terms = readClosingTerms(fields, part);
  const aim: Aim = { to: "close", ...part, holding: AWAY_FROM[side] };
  return { kind: "adjust", symbol, aim, terms, ...cancelFirst(fields) };
}

/** With `"cancel": false` only the exits of what is closed go with it. */
function readExit(fields: AlertFields, symbol: string, holding?: Holding): AlertRequest {
  const part = readExitPart(fields);
  const terms = readClosingTerms(fields, part);
  const cancels = fields.flag("cancel");
  const isWhole = part === ALL && (cancels || !fields.has("cancel"));
  if (holding === undefined && isWhole) return { kind: "exit", symbol };
  const aim: Aim = { to: "close", ...part, ...(holding !== undefined && { holding }) };
  return { kind: "adjust", symbol, aim, terms, ...((cancels || isWhole) && CANCEL_FIRST) };
}

const CANCEL_FIRST = { cancelFirst: true } as const;

function readAdd(fields: AlertFields, symbol: string, defaultQty: number): AlertRequest {
  const exits = readExits(fields);
  const { qty = defaultQty, size } = readEntrySize(fields, exits);
  const aim: Aim = { to: "add", qty: size === undefined ? qty : 1 };
  const terms = { ...readTerms(fields, exits), ...(size !== undefined && { size }) };
  const cancels = fields.flag("cancel");
  return { kind: "adjust", symbol, aim, terms, ...(cancels && { cancelFirst: true as const }) };
}

/** The service does not say how large the other side becomes: as large as the one that is left. */
function readReverse(fields: AlertFields, symbol: string): AlertRequest {
  const qty = readWholeQty(fields);
  const aim: Aim = { to: "reverse", ...(qty !== undefined && { qty }) };
  const terms = { ...readMarketTerms(fields), ...exitTerms(readExits(fields)) };
  return { kind: "adjust", symbol, aim, terms, ...cancelFirst(fields) };
}

/** The stop of all that is held, to where it was entered; a target that is there stays. */
function readBreakeven(fields: AlertFields, symbol: string): AlertRequest {
  fields.choice("orderType", ["stop"]);
  for (const name of ["quantity", "limitPrice", "stopPrice", "trailAmount"]) {
    fields.refuse(name, "is not done with breakeven, which moves the stop of all that is held");
  }
  refuseLegs(fields);
  return { kind: "protect", symbol, legs: { stopLoss: { atEntry: true } } };
}

/**
 * Whether open orders are cancelled without being asked depends at the service on a setting, whose
 * default its pages tell in three ways. What is left behind could open a position again, so they go.
 */
function cancelFirst(fields: AlertFields): { readonly cancelFirst?: true } {
  const isKept = fields.has("cancel") && !fields.flag("cancel");
  return isKept ? {} : { cancelFirst: true };
}

/** A bracket belongs to an entry: none is left to protect after a whole close. */
function readClosingTerms(fields: AlertFields, part: Part): OrderTerms {
  if (part !== ALL) refuseLegs(fields);
  else for (const leg of LEGS) if (fields.has(leg)) fields.overlook(leg);
  return readMarketTerms(fields);
}

type Controls = ReturnType<typeof readControls>;

/** The service takes times without a zone, and does not say of which they are. */
const TIME = ["time"] as const;

/** `rejectAfter` counts from `time`, or else from when the alert came. */
function withAge(fields: AlertFields): Controls {
  const seconds = readRejectAfter(fields);
  if (seconds === undefined) return readControls(fields, TIME);
  const controls = readControls(fields);
  const firedAt = controls.firedAt ?? readTime(fields);
  const maxAgeMs = Math.min(seconds * 1000, controls.maxAgeMs ?? Infinity);
  return { ...controls, maxAgeMs, ...(firedAt !== undefined && { firedAt }) };
}

function readRejectAfter(fields: AlertFields): number | undefined {
  if (fields.value("rejectAfter") === false) return undefined;
  const seconds = fields.whole("rejectAfter", { min: 0, max: MAX_AGE_SECONDS });
  return seconds === 0 ? undefined : seconds;
}

function readTime(fields: AlertFields): number | undefined {
  const text = fields.text("time", { max: 40 });
  if (text === undefined) return undefined;
  const at = HAS_ZONE.test(text) ? Date.parse(text) : NaN;
  if (at > 0) return at;
  return fields.problem("time", "must be a time with its zone, such as 2026-09-21T14:30:00Z");
}
