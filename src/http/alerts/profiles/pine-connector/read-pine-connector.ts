import type { Aim, AlertRequest, OrderTerms } from "../../../../domain/alert.ts";
import type { OrdType } from "../../../../domain/declared/order-types.ts";
import type { BracketTicket, WrittenNumber } from "../../../../domain/contracts/tick-reader.ts";
import {
  oneOfNames,
  type ProfileOptions,
  readControls,
  type ReadProfile,
} from "../../alert-profile.ts";
import type { PlanLevelTicket } from "../../../../domain/exits/exit-plan.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { exitTerms, type SaidExits } from "../../exit-terms.ts";
import { readSymbol } from "../../read-symbol.ts";
import { COMMANDS, type Meaning, REFUSED_COMMANDS, REFUSED_FIELDS } from "./words.ts";

const SIZES = ["vol_lots", "lots", "qty"] as const;
const PRICES = ["price", "entry_price"] as const;
const SHARES = ["pct", "partial_close_pct"] as const;
const LEVELS = ["sl_price", "tp_price"] as const;
const LEVEL_SHARES = ["sl_pct", "tp_pct"] as const;
/** Of the balance or of the equity: the smaller one of both is never the larger risk. */
const RISKS = ["vol_pct_bal_loss", "vol_pct_eq_loss"] as const;

const KNOWN = [
  "license",
  "command",
  "symbol",
  "secret",
  "comment",
  ...SIZES,
  ...PRICES,
  ...SHARES,
  ...LEVELS,
  ...LEVEL_SHARES,
  ...RISKS,
  ...Object.keys(REFUSED_FIELDS),
];

/**
 * PineConnector's comma form (docs.pineconnector.com/syntax): a licence id, a command, a symbol.
 * Its accounts hold both sides of a symbol at once, ours hold what is left of the two: a buy against
 * a short reduces it.
 */
export function readPineConnector(
  fields: AlertFields,
  options: ProfileOptions,
): ReturnType<ReadProfile> {
  const request = readRequest(fields, options);
  const controls = readControls(fields);
  for (const [name, why] of Object.entries(REFUSED_FIELDS)) fields.refuse(name, why);
  fields.ignore(...KNOWN);
  return request && { request, ...controls };
}

function readRequest(fields: AlertFields, options: ProfileOptions): AlertRequest | undefined {
  const meaning = readCommand(fields);
  if (meaning === undefined) return undefined;
  refuseOthers(fields, meaning);
  if (meaning.does === "flatten") return { kind: "flatten" };
  const symbol = readSymbol(fields, "symbol", { needed: true });
  if (symbol === undefined) return undefined;
  switch (meaning.does) {
    case "order":
    case "enter":
      return readEntry(fields, options, { symbol, meaning });
    case "close":
      return readClose(fields, symbol, meaning);
    case "exit":
      return { kind: "exit", symbol };
    case "protect":
      return readProtect(fields, symbol);
  }
}

function readCommand(fields: AlertFields): Meaning | undefined {
  const command = fields.text("command", { needed: true })?.toLowerCase();
  if (command === undefined) return undefined;
  const why = REFUSED_COMMANDS.get(command);
  if (why !== undefined) return fields.problem("command", why);
  const known = COMMANDS.get(command);
  if (known !== undefined) return known;
  const holding = fields.sideToClose("command");
  if (holding !== undefined) return { does: "close", holding, part: "all" };
  return fields.problem("command", NO_COMMAND);
}

const NO_COMMAND =
  "is no command: the comma form is a licence id, a command such as buy, sell or closelong, then the symbol";

/** What a command does not take is refused: it would not be done. */
function refuseOthers(fields: AlertFields, meaning: Meaning): void {
  const isEntry = meaning.does === "order" || meaning.does === "enter";
  const part = meaning.does === "close" ? meaning.part : "all";
  const others = [
    ...(isEntry || part === "qty" ? [] : SIZES),
    ...(isEntry ? [] : [...LEVEL_SHARES, ...RISKS]),
    ...(isEntry || meaning.does === "protect" ? [] : LEVELS),
    ...(part === "percent" ? [] : SHARES),
  ];
  for (const name of others) fields.refuse(name, "is not taken with this command");
  if (!isEntry) fields.refuse("comment", "cannot choose orders: the whole position is meant here");
}

type Entry = Extract<Meaning, { does: "order" | "enter" }>;

function readEntry(
  fields: AlertFields,
  options: ProfileOptions,
  { symbol, meaning }: { readonly symbol: string; readonly meaning: Entry },
): AlertRequest | undefined {
  const exits = readExits(fields);
  const risk = readRisk(fields, exits);
  const qty = risk === undefined ? readQty(fields, options.defaultQty) : 1;
  const ordType = meaning.does === "order" ? meaning.ordType : "MARKET";
  const terms = {
    ...readTerms(fields, ordType),
    ...exitTerms(exits),
    ...(risk !== undefined && { size: { riskPercent: risk } }),
  };
  if (qty === undefined) return undefined;
  const { side } = meaning;
  if (meaning.does === "order") {
    return { kind: "order", ticket: { symbol, side, orderQty: qty, ...terms } };
  }
  const { whenHeld } = meaning;
  const aim: Aim = { to: "enter", side, qty, whenHeld, whenOpposite: "close" };
  return { kind: "adjust", symbol, aim, terms };
}

/** A lot is a contract. An order without any is refused, unless the webhook has a quantity. */
function readQty(fields: AlertFields, defaultQty?: number): number | undefined {
  const names = oneOfNames(fields, SIZES);
  return fields.whole(names, { needed: defaultQty === undefined }) ?? defaultQty;
}

/** How much of the account may be lost at the stop, instead of lots. */
function readRisk(fields: AlertFields, { stop }: SaidExits): WrittenNumber | undefined {
  const names = oneOfNames(fields, RISKS);
  const risk = fields.percent(names);
  if (risk === undefined) return undefined;
  for (const name of SIZES) fields.refuse(name, `says the same as ${names.join(" or ")}: give one`);
  if (stop === undefined) fields.problem(names, NEEDS_STOP);
  return risk;
}

const NEEDS_STOP = "needs sl_price or sl_pct: the risk is counted to it";

/** Orders live for the day; a `price` beside a market order says where the market was. */
function readTerms(fields: AlertFields, ordType: OrdType): OrderTerms {
  if (ordType === "MARKET") return { ordType };
  const price = fields.number(oneOfNames(fields, PRICES), { needed: true });
  if (price === undefined) return { ordType };
  return { ordType, ...(ordType === "LIMIT" ? { limitPrice: price } : { stopPrice: price }) };
}

/** The exits of an entry, at prices or at so many percent of what it is entered at. */
function readExits(fields: AlertFields): SaidExits {
  const target = readExit(fields, "tp");
  const stop = readExit(fields, "sl");
  return { ...(target !== undefined && { target }), ...(stop !== undefined && { stop }) };
}

function readExit(fields: AlertFields, name: "sl" | "tp"): PlanLevelTicket | undefined {
  const price = readLevel(fields, `${name}_price`);
  const percent = fields.percent(`${name}_pct`);
  if (price !== undefined && percent !== undefined) {
    return fields.problem(`${name}_pct`, `says the same as ${name}_price: give one of the two`);
  }
  if (price !== undefined) return { price };
  return percent === undefined ? undefined : { percent };
}

function readLegs(fields: AlertFields): BracketTicket | undefined {
  const stopLoss = readLevel(fields, "sl_price");
  const takeProfit = readLevel(fields, "tp_price");
  if (stopLoss === undefined && takeProfit === undefined) return undefined;
  return {
    ...(takeProfit !== undefined && { takeProfit: { price: takeProfit } }),
    ...(stopLoss !== undefined && { stopLoss: { price: stopLoss } }),
  };
}

/** 0 is a level that is not set. */
function readLevel(fields: AlertFields, name: (typeof LEVELS)[number]): WrittenNumber | undefined {
  const price = fields.number(name);
  return Number(price) === 0 ? undefined : price;
}

function readClose(
  fields: AlertFields,
  symbol: string,
  { holding, part }: Extract<Meaning, { does: "close" }>,
): AlertRequest | undefined {
  const aim = readPart(fields, part);
  return aim && { kind: "adjust", symbol, aim: { ...aim, holding }, terms: { ordType: "MARKET" } };
}

function readPart(
  fields: AlertFields,
  part: Extract<Meaning, { does: "close" }>["part"],
): Extract<Aim, { to: "close" }> | undefined {
  if (part === "all") return { to: "close", percent: 100 };
  if (part === "qty") {
    const qty = fields.part(oneOfNames(fields, SIZES), { needed: true });
    return qty === undefined ? undefined : { to: "close", qty };
  }
  const written = fields.number(oneOfNames(fields, SHARES), { needed: true });
  if (written === undefined) return undefined;
  const percent = Number(written);
  if (percent > 0 && percent <= 100) return { to: "close", percent };
  return fields.problem(SHARES, "must be above 0 and at most 100");
}

/** A level on the wrong side of what is held is refused when it comes to it. */
function readProtect(fields: AlertFields, symbol: string): AlertRequest | undefined {
  const legs = readLegs(fields);
  if (legs === undefined) return fields.problem("sl_price", "or tp_price is needed");
  return { kind: "protect", symbol, legs };
}
