import type { Aim, AlertRequest, OrderTerms } from "../../../../domain/alert.ts";
import type { Side } from "../../../../domain/order.ts";
import type { OrdType } from "../../../../domain/declared/order-types.ts";
import type { BracketTicket, WrittenNumber } from "../../../../domain/contracts/tick-reader.ts";
import { type ProfileOptions, readControls, type ReadProfile } from "../../alert-profile.ts";
import { type AlertFields, isObject } from "../../alert-fields.ts";
import { ENTRY, FOREIGN, IGNORED, KNOWN, ORD_TYPE_OF, REFUSED } from "./fields.ts";

const DATA = ["buy", "long", "sell", "short", "close", "flat"] as const;
const ORDER_TYPES = Object.keys(ORD_TYPE_OF) as readonly (keyof typeof ORD_TYPE_OF)[];
const MARKET: OrderTerms = { ordType: "MARKET" };

/** PickMyTrade's words as its pages for Tradovate have them, and its validator where they differ. */
export function readPickMyTrade(
  fields: AlertFields,
  options: ProfileOptions,
): ReturnType<ReadProfile> {
  const request = readRequest(fields, options);
  const controls = readControls(fields);
  refuseUnsupported(fields);
  readAccounts(fields);
  fields.passOver(...IGNORED);
  fields.ignore(...ENTRY);
  fields.know(...KNOWN);
  return request && { request, ...controls };
}

function readRequest(fields: AlertFields, options: ProfileOptions): AlertRequest | undefined {
  const symbol = fields.text("symbol", { needed: true, max: 32 });
  const moves = { tp: fields.flag("update_tp"), sl: fields.flag("update_sl") };
  if (moves.tp || moves.sl) return readMove(fields, symbol, moves);
  const data = fields.choice("data", DATA, { needed: true });
  switch (data) {
    case undefined:
      return undefined;
    case "buy":
    case "long":
      return readEntry(fields, { symbol, side: "BUY", ...options });
    case "sell":
    case "short":
      return readEntry(fields, { symbol, side: "SELL", ...options });
    case "close":
    case "flat":
      return readClose(fields, symbol);
  }
}

interface Entry extends ProfileOptions {
  readonly symbol: string | undefined;
  readonly side: Side;
}

/** A quantity of 0 is refused and not the webhook's default: it may be a position that is gone. */
function readEntry(fields: AlertFields, entry: Entry): AlertRequest | undefined {
  const { symbol, side, defaultQty } = entry;
  const qty = fields.whole("quantity", { needed: defaultQty === undefined }) ?? defaultQty;
  const terms = readTerms(fields);
  const { reverses, stacks, dropsSameSide } = readStacking(fields);
  if (symbol === undefined || qty === undefined) return undefined;

  if (reverses) {
    const whenHeld = stacks ? "add" : dropsSameSide ? "refuse" : "replace";
    const aim: Aim = { to: "enter", side, qty, whenHeld, whenOpposite: "close" };
    return { kind: "adjust", symbol, aim, terms, cancelFirst: true };
  }
  if (dropsSameSide) {
    const onlyWhen = ["FLAT", side === "BUY" ? "SHORT" : "LONG"] as const;
    return { kind: "adjust", symbol, aim: { to: "order", side, qty }, terms, onlyWhen };
  }
  return { kind: "order", ticket: { symbol, side, orderQty: qty, ...terms } };
}

/**
 * What an entry does where a position stands. `duplicate_position_allow` is the old name of
 * `pyramid` on one page and a flag of its own on another: its false drops an entry on the side that
 * is held, as the page that explains it has it, and its true alone never stacks one.
 */
function readStacking(fields: AlertFields) {
  const reverses = fields.flag("reverse_order_close");
  const stacks = fields.flag("pyramid");
  const ignoresSameSide = fields.flag("same_direction_ignore");
  const forbidsSecond =
    fields.has("duplicate_position_allow") && !fields.flag("duplicate_position_allow");
  if (stacks && ignoresSameSide) {
    fields.problem("same_direction_ignore", "says the opposite of pyramid: set one of them");
  }
  return { reverses, stacks, dropsSameSide: ignoresSameSide || (forbidsSecond && !stacks) };
}

function readTerms(fields: AlertFields): OrderTerms {
  const ordType = readOrdType(fields);
  const tif = fields.choice("tif", ["DAY", "GTC"]);
  const prices = readPrices(fields, ordType);
  const bracket = readBracket(fields);
  // A market order is never unfilled for long, so a limit to that asks for nothing.
  if (ordType !== "MARKET") {
    fields.refuse("gtd_in_second", "is not done here: leave it 0, and send a close in time");
  }
  return {
    ordType,
    ...(tif !== undefined && { timeInForce: tif }),
    ...prices,
    ...(bracket !== undefined && { bracket }),
  };
}

function readOrdType(fields: AlertFields): OrdType {
  return ORD_TYPE_OF[fields.choice("order_type", ORDER_TYPES) ?? "MKT"];
}

/** With a market order `price` is what the chart showed, and no limit. */
function readPrices(
  fields: AlertFields,
  ordType: OrdType,
): Pick<OrderTerms, "limitPrice" | "stopPrice"> {
  if (ordType !== "STOP_LIMIT") {
    fields.refuse("stp_limit_stp_price", "is the trigger of order_type STPLMT, which this is not");
  }
  if (ordType === "MARKET") return {};
  const price = neededPrice(
    fields,
    "price",
    ordType === "STOP" ? "the order's trigger" : "the order's limit",
  );
  if (ordType === "STOP") return price === undefined ? {} : { stopPrice: price };
  const limit = price === undefined ? {} : { limitPrice: price };
  if (ordType !== "STOP_LIMIT") return limit;
  const trigger = neededPrice(fields, "stp_limit_stp_price", "the order's trigger");
  return trigger === undefined ? limit : { ...limit, stopPrice: trigger };
}

function neededPrice(fields: AlertFields, name: string, what: string): WrittenNumber | undefined {
  const before = fields.problems.length;
  const price = readPrice(fields, name);
  if (price !== undefined || fields.problems.length > before) return price;
  return fields.problem(name, `is needed: it is ${what}`);
}

/** 0 stands for no price. */
function readPrice(fields: AlertFields, name: string): WrittenNumber | undefined {
  const written = fields.number(name);
  if (written === undefined || Number(written) === 0) return undefined;
  return Number(written) > 0 ? written : fields.problem(name, "must be a price above 0, or 0");
}

function readBracket(fields: AlertFields): BracketTicket | undefined {
  const takeProfit = readPrice(fields, "tp");
  const stopLoss = readPrice(fields, "sl");
  if (takeProfit === undefined && stopLoss === undefined) return undefined;
  return {
    ...(takeProfit !== undefined && { takeProfit: { price: takeProfit } }),
    ...(stopLoss !== undefined && { stopLoss: { price: stopLoss } }),
  };
}

/** Moves the exits of what is held; `data` says nothing then, as the service documents it. */
function readMove(
  fields: AlertFields,
  symbol: string | undefined,
  moves: Readonly<Record<"tp" | "sl", boolean>>,
): AlertRequest | undefined {
  fields.ignore("data");
  for (const name of ["tp", "sl"] as const) {
    if (moves[name]) neededPrice(fields, name, "the new price of the exit");
    else fields.refuse(name, `is not moved without update_${name}: set that too, or leave it out`);
  }
  const legs = readBracket(fields);
  return symbol === undefined || legs === undefined ? undefined : { kind: "protect", symbol, legs };
}

/** All of the symbol, or with `full_closed` false a part of what is held. */
function readClose(fields: AlertFields, symbol: string | undefined): AlertRequest | undefined {
  for (const name of ["tp", "sl"]) {
    fields.refuse(name, "belongs to an entry: a close leaves nothing that it could protect");
  }
  if (readOrdType(fields) !== "MARKET") {
    fields.problem("order_type", "must be MKT on a close: it goes out at the market");
  }
  const isPart = fields.has("full_closed") && !fields.flag("full_closed");
  const qty = isPart ? fields.part("quantity", { needed: true }) : undefined;
  if (isPart) {
    fields.refuse(
      "comment",
      "names one entry of several, which are one position here: leave it out",
    );
  }
  if (symbol === undefined) return undefined;
  if (!isPart) return { kind: "exit", symbol };
  if (qty === undefined) return undefined;
  return { kind: "adjust", symbol, aim: { to: "close", qty }, terms: MARKET };
}

function refuseUnsupported(fields: AlertFields): void {
  for (const [name, why] of Object.entries({ ...REFUSED, ...FOREIGN })) fields.refuse(name, why);
  fields.choice("inst_type", ["FUT"]);
  const legs = fields.value("advance_tp_sl");
  if (Array.isArray(legs) && legs.length === 0) return;
  fields.refuse("advance_tp_sl", "is not done here: write one tp and one sl for the whole entry");
}

/** One row without a size of its own says no more than the webhook's token does. */
function readAccounts(fields: AlertFields): void {
  const name = "multiple_accounts";
  const rows = fields.value(name);
  if (rows === undefined) return;
  if (!Array.isArray(rows)) return fields.problem(name, "must be a list of accounts");
  const [only]: readonly unknown[] = rows;
  if (rows.length > 1) return fields.problem(name, "names several: one webhook is one account");
  if (!isObject(only)) return fields.problem(name, "must hold one account, or be left out");

  const row = fields.within(`${name}.0`, only);
  const before = row.problems.length;
  const multiplier = Number(row.number("quantity_multiplier") ?? 1);
  if (row.problems.length === before && multiplier !== 1) {
    row.problem("quantity_multiplier", "must be 1: the multiplier is an option of the webhook");
  }
  for (const [refused, why] of Object.entries(REFUSED)) row.refuse(refused, why);
  for (const misplaced of ["quantity", "tp", "sl"]) {
    row.refuse(misplaced, "is no field of an account: write it beside multiple_accounts");
  }
  row.ignore(...IGNORED);
  row.know(...KNOWN);
}
