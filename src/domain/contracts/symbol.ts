import { bareText, hiddenIn } from "../visible-text.ts";
import { MONTH_CODES } from "./contract.ts";

/** What a symbol says, before it is checked whether such a contract trades. */
export type ParsedSymbol =
  | { readonly kind: "front"; readonly root: string; readonly exchanges: readonly string[] }
  | {
      readonly kind: "contract";
      readonly root: string;
      /** Each one before it, without the mark of delayed data. */
      readonly exchanges: readonly string[];
      /** 1 to 12. */
      readonly month: number;
      /** The digits as written: one, two or four of them. */
      readonly year: string;
    }
  /** `problem` completes the sentence that begins with the symbol; `root` is set where it is known. */
  | { readonly kind: "unreadable"; readonly problem: string; readonly root: string | undefined };

/** No symbol is longer, without its exchange; what is, is not worth repeating in an answer. */
export const MAX_SYMBOL_LENGTH = 32;

const FULL_CONTRACT = /^(.+)([A-Z])(\d{4}|\d{2}|\d)$/;
const ROOT_AND_MONTH = /^(.+)([A-Z])$/;
const NUMBERED = /^(.+?)(\d+)$/;
/** Charting platforms mark delayed data so: `CME_MINI_DL:ES1!`. The contract is the same. */
const DELAYED = /_DLY?$/;
/** A chart's own id: `={"session":"extended","symbol":"CME_MINI:ES1!"}`. */
const CHART_ID = /^([^={]*)=?(\{.*\})$/s;
/** They part the contracts of `NQ1!-ES1!`, `2*ES1!` and `CME_MINI:NQ1!/CME_MINI:ES1!`. */
const OPERATORS = /[-+*/()]/;

/** The text of a symbol as it is meant: without what cannot be seen, and out of a chart's own id. */
export function plainSymbol(text: string): string {
  const bare = bareText(text);
  const [, before = "", id] = CHART_ID.exec(bare) ?? [];
  const symbol = id === undefined ? undefined : symbolIn(id);
  return symbol === undefined ? bare : `${before}${symbol}`;
}

/** A chart of Renko bars, say, has another id for its symbol. */
function symbolIn(id: string): string | undefined {
  try {
    const { symbol } = JSON.parse(id) as { readonly symbol?: unknown };
    if (typeof symbol === "string") return plainSymbol(symbol);
    return symbol instanceof Object ? plainSymbol(JSON.stringify(symbol)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads every accepted form of a symbol. The root is only ever taken from the known ones, since
 * roots may begin with, hold and end in digits and month letters: `6E`, `M2K`, `SR3`, `NG`. No
 * text has two readings then.
 */
export function parseSymbol(text: string, isRoot: (root: string) => boolean): ParsedSymbol {
  const written = plainSymbol(text).toUpperCase();
  if (written === "") return unreadable("is empty");
  const parts = written.split(":");
  const body = parts.at(-1) ?? "";
  if (body.length > MAX_SYMBOL_LENGTH) {
    return unreadable(`is longer than ${MAX_SYMBOL_LENGTH} characters`);
  }
  const hidden = hiddenIn(body);
  if (hidden !== undefined) return unreadable(hidden);
  if (isSpread(written, isRoot)) return unreadable(SPREAD);
  const exchanges = parts.slice(0, -1).map((exchange) => exchange.trim().replace(DELAYED, ""));
  if (exchanges.includes("")) return unreadable("has no exchange before the colon");
  if (isRoot(body)) return { kind: "front", root: body, exchanges };
  return body.endsWith("!")
    ? parseContinuous(body.slice(0, -1), exchanges, isRoot)
    : parseContract(body, exchanges, isRoot);
}

const SPREAD =
  "is a spread: contracts are traded one by one here, so send an alert for each of them";

/** An exchange may have a mark of its own in its name; `BTC-USD` and `ES 09-26` are no spreads. */
function isSpread(written: string, isRoot: (root: string) => boolean): boolean {
  const from = written.slice(0, written.indexOf(":") + 1).includes("!")
    ? 0
    : written.indexOf(":") + 1;
  const operands = written
    .slice(from)
    .split(OPERATORS)
    .filter((operand) => operand.trim() !== "");
  if (!OPERATORS.test(written.slice(from))) return false;
  const known = operands.filter((operand) => parseSymbol(operand, isRoot).kind !== "unreadable");
  return known.length > 1 || operands.some((operand) => operand.endsWith("!"));
}

function parseContinuous(
  body: string,
  exchanges: readonly string[],
  isRoot: (root: string) => boolean,
): ParsedSymbol {
  // First the whole text: the digit of `SR3!` and `E7!` belongs to the root.
  if (isRoot(body)) return { kind: "front", root: body, exchanges };
  const first = body.slice(0, -1);
  if (body.endsWith("1") && isRoot(first)) return { kind: "front", root: first, exchanges };
  // `SR32!` is the second month of SR3: only the last digit may go before a root is found.
  const numbered = [first, NUMBERED.exec(body)?.[1] ?? ""].find(isRoot);
  return numbered !== undefined && /\d$/.test(body)
    ? unreadable("is not the front month", numbered)
    : unreadable(NO_ROOT);
}

function parseContract(
  body: string,
  exchanges: readonly string[],
  isRoot: (root: string) => boolean,
): ParsedSymbol {
  const match = FULL_CONTRACT.exec(body);
  const [, root = "", code = "", year = ""] = match ?? [];
  if (isRoot(root)) {
    const month = MONTH_CODES.indexOf(code) + 1;
    return month === 0
      ? unreadable(`has no month: ${code} is no month code`, root)
      : { kind: "contract", root, exchanges, month, year };
  }
  const [, bare = "", letter = ""] = ROOT_AND_MONTH.exec(body) ?? [];
  return isRoot(bare) && MONTH_CODES.includes(letter)
    ? unreadable("has a month but no year", bare)
    : unreadable(NO_ROOT);
}

const NO_ROOT = "has no known root";

function unreadable(problem: string, root?: string): ParsedSymbol {
  return { kind: "unreadable", problem, root };
}

/** Follows a root: a place in the row of months, or a month with its year. */
const AFTER_ROOT = new RegExp(`(?:\\d?!|[${MONTH_CODES}](?:\\d{4}|\\d{2}|\\d))$`);

/** The root that a symbol without a known one names, and what follows it. */
export function unknownRootOf(symbol: string): { readonly root: string; readonly rest: string } {
  const written = plainSymbol(symbol).toUpperCase();
  const body = written.slice(written.lastIndexOf(":") + 1);
  const [rest = ""] = AFTER_ROOT.exec(body) ?? [];
  return { root: body.slice(0, body.length - rest.length), rest };
}
