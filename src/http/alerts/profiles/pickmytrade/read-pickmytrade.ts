import type {
  Aim,
  AlertRequest,
  Holding,
  NamedAccount,
  OrderTerms,
} from "../../../../domain/alert.ts";
import type { Side } from "../../../../domain/order.ts";
import type { OrdType } from "../../../../domain/declared/order-types.ts";
import type { BracketTicket, WrittenNumber } from "../../../../domain/contracts/tick-reader.ts";
import { type ProfileOptions, readControls, type ReadProfile } from "../../alert-profile.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { nothingIn } from "../../written-values.ts";
import { exitTerms, type SaidExits } from "../../exit-terms.ts";
import { readSymbol } from "../../read-symbol.ts";
import { readTimeout } from "../../read-timeout.ts";
import { type AccountRow, multiplied, readAccounts } from "./accounts.ts";
import { readExits, readParts, readPrice } from "./exits.ts";
import { type EntrySize, readSize } from "./size.ts";
import { ENTRY, EXITS, FOREIGN, IGNORED, KNOWN, ORD_TYPE_OF, REFUSED } from "./fields.ts";

const DATA = ["buy", "long", "sell", "short", "close", "flat"] as const;
const ORDER_TYPES = Object.keys(ORD_TYPE_OF) as readonly (keyof typeof ORD_TYPE_OF)[];
const MARKET: OrderTerms = { ordType: "MARKET" };

/** PickMyTrade's words as its pages for Tradovate have them, and its validator where they differ. */
export function readPickMyTrade(
  fields: AlertFields,
  options: ProfileOptions,
): ReturnType<ReadProfile> {
  const { request, accounts } = readEach(fields, readAccounts(fields, options), options);
  const controls = readControls(fields, ["date"]);
  refuseUnsupported(fields);
  fields.passOver(...IGNORED);
  fields.ignore(...ENTRY);
  fields.know(...KNOWN);
  return request && { request, ...(accounts.length > 0 && { accounts }), ...controls };
}

/** What is asked of each account, on the terms of its row. What is wrong for all is told once. */
function readEach(
  fields: AlertFields,
  rows: readonly [AccountRow, ...AccountRow[]],
  options: ProfileOptions,
) {
  const requests = rows.map((row) => readRequest(fields, row, options));
  const told = new Map(fields.problems.map((one) => [`${one.path} ${one.message}`, one]));
  fields.problems.splice(0, Infinity, ...told.values());
  const accounts = rows.flatMap(({ account }, n): NamedAccount[] => {
    const request = requests[n];
    return account === undefined ? [] : [{ ...account, ...(request && { request }) }];
  });
  return { request: requests[0], accounts };
}

function readRequest(
  fields: AlertFields,
  account: AccountRow,
  options: ProfileOptions,
): AlertRequest | undefined {
  const symbol = readSymbol(fields, "symbol", { needed: true });
  const moves = { tp: fields.flag("update_tp"), sl: fields.flag("update_sl") };
  if (moves.tp || moves.sl) {
    refuseOfEntries(fields, account, ["tp", "sl"]);
    return readMove(fields, symbol, moves);
  }
  const holding = fields.sideToClose("data");
  const data = holding === undefined ? fields.choice("data", DATA, { needed: true }) : "close";
  switch (data) {
    case undefined:
      return undefined;
    case "buy":
    case "long":
      return readEntry(fields, { symbol, side: "BUY", account, ...options });
    case "sell":
    case "short":
      return readEntry(fields, { symbol, side: "SELL", account, ...options });
    case "close":
    case "flat":
      refuseOfEntries(fields, account);
      return readClose(fields, symbol, account, holding);
  }
}

interface Entry extends ProfileOptions {
  readonly symbol: string | undefined;
  readonly side: Side;
  readonly account: AccountRow;
}

function readEntry(fields: AlertFields, entry: Entry): AlertRequest | undefined {
  const { symbol, side, account } = entry;
  const size = readSize(fields, entry);
  const terms = readTerms(fields, account, size);
  const { reverses, stacks, dropsSameSide } = readStacking(fields);
  if (symbol === undefined || size === undefined) return undefined;

  const { qty } = size;
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

function readTerms(
  fields: AlertFields,
  account: AccountRow,
  size: EntrySize | undefined,
): OrderTerms {
  const ordType = readOrdType(fields);
  const tif = fields.choice("tif", ["DAY", "GTC"]);
  const prices = readPrices(fields, ordType);
  const exits = readAllExits(fields, account, size);
  if (size?.riskPercent !== undefined) refuseUnsized(fields, exits);
  return {
    ordType,
    ...(tif !== undefined && { timeInForce: tif }),
    ...prices,
    ...exitTerms(exits),
    ...(size?.riskPercent !== undefined && { size: { riskPercent: size.riskPercent } }),
    // A market order is never unfilled for long, so a limit to that asks for nothing.
    ...readTimeout(fields, "gtd_in_second", { ordType }),
  };
}

const PARTS = "advance_tp_sl";

function hasParts(fields: AlertFields): boolean {
  const parts = fields.value(PARTS);
  return !fields.isOff(PARTS) && !(Array.isArray(parts) && parts.length === 0);
}

/** In parts, or all by one tp and one sl. */
function readAllExits(
  fields: AlertFields,
  account: AccountRow,
  size: EntrySize | undefined,
): SaidExits {
  if (!hasParts(fields)) return readExits(fields);
  for (const exit of EXITS) fields.refuse(exit, `is said by ${PARTS} already: give one of the two`);
  if (Number(account.multiplier ?? 1) !== 1) {
    account.problem("quantity_multiplier", `must be 1 beside ${PARTS}, whose parts are contracts`);
  }
  return readParts(fields, size?.riskPercent === undefined ? size?.asked : undefined) ?? {};
}

function refuseUnsized(fields: AlertFields, { stop, targets }: SaidExits): void {
  if (targets !== undefined) {
    fields.problem(PARTS, "has quantities, which risk_percentage leaves open: give one");
  } else if (stop === undefined) {
    fields.problem("risk_percentage", "needs sl or percentage_sl: the risk is counted to it");
  }
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

/** Moves the exits of what is held; `data` says nothing then, as the service documents it. */
function readMove(
  fields: AlertFields,
  symbol: string | undefined,
  moves: Readonly<Record<"tp" | "sl", boolean>>,
): AlertRequest | undefined {
  fields.ignore("data");
  readTimeout(fields, "gtd_in_second", MARKET);
  for (const name of ["tp", "sl"] as const) {
    if (moves[name]) neededPrice(fields, name, "the new price of the exit");
    else fields.refuse(name, `is not moved without update_${name}: set that too, or leave it out`);
  }
  const legs = readMoved(fields);
  return symbol === undefined || legs === undefined ? undefined : { kind: "protect", symbol, legs };
}

function readMoved(fields: AlertFields): BracketTicket | undefined {
  const [takeProfit, stopLoss] = [readPrice(fields, "tp"), readPrice(fields, "sl")];
  if (takeProfit === undefined && stopLoss === undefined) return undefined;
  return {
    ...(takeProfit !== undefined && { takeProfit: { price: takeProfit } }),
    ...(stopLoss !== undefined && { stopLoss: { price: stopLoss } }),
  };
}

/** All of the symbol, or with `full_closed` false a part of what is held. */
function readClose(
  fields: AlertFields,
  symbol: string | undefined,
  account: AccountRow,
  holding?: Holding,
): AlertRequest | undefined {
  if (readOrdType(fields) !== "MARKET") {
    fields.problem("order_type", "must be MKT on a close: it goes out at the market");
  }
  readTimeout(fields, "gtd_in_second", MARKET);
  const isPart = fields.has("full_closed") && !fields.flag("full_closed");
  const qty = isPart ? fields.part("quantity", { needed: true }) : undefined;
  if (isPart && nothingIn(fields.peek("comment")) === undefined) {
    fields.refuse(
      "comment",
      "names one entry of several, which are one position here: leave it out",
    );
  }
  if (symbol === undefined) return undefined;
  const side = holding !== undefined && { holding };
  if (!isPart && side === false) return { kind: "exit", symbol };
  if (isPart && qty === undefined) return undefined;
  const part = qty === undefined ? { percent: 100 } : { qty: multiplied(qty, account) };
  const aim: Aim = { to: "close", ...part, ...side };
  return { kind: "adjust", symbol, aim, terms: MARKET, ...(!isPart && { cancelFirst: true }) };
}

function refuseUnsupported(fields: AlertFields): void {
  for (const [name, why] of Object.entries({ ...REFUSED, ...FOREIGN })) fields.refuse(name, why);
  fields.choice("inst_type", ["FUT"]);
}

/** What says how large an entry is and how it leaves again; nothing else does anything of it. */
function refuseOfEntries(
  fields: AlertFields,
  account: AccountRow,
  but: readonly string[] = [],
): void {
  const why = "belongs to an entry: leave it out";
  const names = [...EXITS, ...(hasParts(fields) ? [PARTS] : []), "risk_percentage"];
  for (const name of names) if (!but.includes(name)) fields.refuse(name, why);
  account.refuse("risk_percentage", why);
}
