import type { Aim, AlertRequest, Holding } from "../../../../domain/alert.ts";
import { formatScaled, parseDecimal } from "../../../../domain/contracts/decimal.ts";
import { ACTIONS, SIDE_OF } from "../../../words.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { exitTerms } from "../../exit-terms.ts";
import { readLegs } from "./relative-legs.ts";
import { holdingOf, readInstrument, readOnlyWhen } from "./order-commands.ts";

export const EXITS = [
  "REVERSE",
  "CLOSEPOSITION",
  "FLATTEN",
  "FLATTENEVERYTHING",
  "CANCELORDERS",
  "CANCELALLORDERS",
  "CANCELANDBRACKET",
] as const;

/** The commands that act on what is held or rests, rather than enter with an order of their own. */
export function readExit(
  fields: AlertFields,
  command: (typeof EXITS)[number],
  holding?: Holding,
): AlertRequest | undefined {
  switch (command) {
    case "REVERSE":
      return readReverse(fields);
    case "CLOSEPOSITION":
      return readClose(fields, holding);
    case "FLATTEN":
      return readFlatten(fields);
    case "FLATTENEVERYTHING":
      return readFlattenEverything(fields);
    case "CANCELORDERS":
    case "CANCELALLORDERS":
      return readCancel(fields);
    case "CANCELANDBRACKET":
      return readProtect(fields);
  }
}

/** Tradovate users may give an order to be entered with when nothing is held; here that is refused. */
function readReverse(fields: AlertFields): AlertRequest | undefined {
  for (const name of ["action", "order_type"]) {
    fields.refuse(
      name,
      "is not taken with command=REVERSE, which turns what is held at the market",
    );
  }
  const symbol = readInstrument(fields);
  if (symbol === undefined) return undefined;
  return { kind: "adjust", symbol, aim: { to: "reverse" }, terms: AT_MARKET };
}

/** Left empty, as an unfilled template does, these would make more of the alert than was meant. */
function refuseBlank(fields: AlertFields, ...names: readonly string[]): void {
  for (const name of names) {
    if (fields.isBlank(name)) fields.problem(name, "is empty: leave it out to mean all");
  }
}

const AT_MARKET = { ordType: "MARKET" } as const;

/** All of it with what rests in it, or a part of it while its exits stay. */
function readClose(fields: AlertFields, holding?: Holding): AlertRequest | undefined {
  refuseBlank(fields, "quantity", "percent");
  const symbol = readInstrument(fields);
  const onlyWhen = readOnlyWhen(fields);
  const aim = readPart(fields);
  if (symbol === undefined) return undefined;
  const guard = onlyWhen !== undefined && { onlyWhen };
  if (holding !== undefined) {
    const part = aim ?? { to: "close", percent: 100 };
    const whole = aim === undefined && { cancelFirst: true as const };
    return {
      kind: "adjust",
      symbol,
      aim: { ...part, holding },
      terms: AT_MARKET,
      ...whole,
      ...guard,
    };
  }
  if (aim === undefined) return readAll(symbol, onlyWhen);
  return { kind: "adjust", symbol, aim, terms: AT_MARKET, ...guard };
}

function readAll(symbol: string, onlyWhen: readonly Holding[] | undefined): AlertRequest {
  if (onlyWhen === undefined) return { kind: "exit", symbol };
  const aim: Aim = { to: "close", percent: 100 };
  return { kind: "adjust", symbol, aim, terms: AT_MARKET, cancelFirst: true, onlyWhen };
}

/** The quantity counts where both are given. `percent` is a fraction: 0.25 is a quarter. */
function readPart(fields: AlertFields): Extract<Aim, { to: "close" }> | undefined {
  const qty = fields.part("quantity");
  if (fields.has("quantity")) return qty === undefined ? undefined : { to: "close", qty };
  const fraction = fields.number("percent");
  if (fraction === undefined) return undefined;
  const scaled = parseDecimal(String(fraction));
  const percent =
    scaled && Number(formatScaled({ units: scaled.units * 100n, scale: scaled.scale }));
  if (percent !== undefined && percent > 0 && percent <= 100) return { to: "close", percent };
  return fields.problem("percent", "must be a fraction above 0 and at most 1: 0.25 is a quarter");
}

/**
 * The service closes in every account where it is told none. The account of the token is the widest
 * that there is here.
 */
function readFlatten(fields: AlertFields): AlertRequest | undefined {
  refuseBlank(fields, "instrument", "market_position");
  const side = fields.choice("market_position", ["long", "short"]);
  const onlyWhen = readOnlyWhen(fields);
  if (fields.has("instrument")) {
    const symbol = readInstrument(fields);
    if (symbol === undefined) return undefined;
    if (side === undefined) return readAll(symbol, onlyWhen);
    const aim: Aim = { to: "close", percent: 100, holding: holdingOf(side) };
    const guard = onlyWhen !== undefined && { onlyWhen };
    return { kind: "adjust", symbol, aim, terms: AT_MARKET, ...guard };
  }
  for (const name of ["market_position", "require_market_position"]) {
    fields.refuse(name, "needs an instrument: without one the whole account is closed");
  }
  return { kind: "flatten" };
}

/** With it the service takes no filter: what an instrument or a side stands for is closed too. */
function readFlattenEverything(fields: AlertFields): AlertRequest {
  fields.refuse("require_market_position", "needs another command: this one closes all there is");
  for (const name of ["instrument", "market_position"]) {
    if (fields.has(name)) fields.overlook(name);
  }
  return { kind: "flatten" };
}

/** The service cancels protective stops too; here the exits of an open position stay. */
function readCancel(fields: AlertFields): AlertRequest | undefined {
  refuseBlank(fields, "instrument");
  if (!fields.has("instrument")) return { kind: "cancel" };
  const symbol = readInstrument(fields);
  return symbol === undefined ? undefined : { kind: "cancel", symbol };
}

/**
 * `action` is the side that is held. New exits are for all that is held, and a level that the market
 * has passed is refused when it comes to it. Distances are counted from the last quote by the
 * service and from the entry by us, which for a position that is open are two places.
 */
function readProtect(fields: AlertFields): AlertRequest | undefined {
  const symbol = readInstrument(fields);
  const action = fields.choice("action", ACTIONS, { needed: true });
  if (action === undefined) return undefined;
  const exits = readLegs(fields, { side: SIDE_OF[action], noDistance: NO_DISTANCE });
  const legs = exitTerms(exits).bracket;
  if (legs === undefined) return fields.problem("stop_loss", "or take_profit is needed");
  return symbol === undefined ? undefined : { kind: "protect", symbol, legs };
}

const NO_DISTANCE = "is counted from the last quote, not from the entry: write a price";
