import { MONTH_CODES } from "./contract.ts";

/** What a symbol says, before it is checked whether such a contract trades. */
export type ParsedSymbol =
  | { readonly kind: "front"; readonly root: string; readonly exchange: string | undefined }
  | {
      readonly kind: "contract";
      readonly root: string;
      readonly exchange: string | undefined;
      /** 1 to 12. */
      readonly month: number;
      /** The digits as written: one, two or four of them. */
      readonly year: string;
    }
  /** `problem` completes the sentence that begins with the symbol; `root` is set where it is known. */
  | { readonly kind: "unreadable"; readonly problem: string; readonly root: string | undefined };

/** No symbol is longer; what is, is not worth repeating in an answer. */
export const MAX_SYMBOL_LENGTH = 32;

const FULL_CONTRACT = /^(.+)([A-Z])(\d{4}|\d{2}|\d)$/;
const ROOT_AND_MONTH = /^(.+)([A-Z])$/;
const NUMBERED = /^(.+?)(\d+)$/;
/** Charting platforms mark delayed data so: `CME_MINI_DL:ES1!`. The contract is the same. */
const DELAYED = /_DLY?$/;

/**
 * Reads every accepted form of a symbol. The root is only ever taken from the known ones, since
 * roots may begin with, hold and end in digits and month letters: `6E`, `M2K`, `SR3`, `NG`. No
 * text has two readings then.
 */
export function parseSymbol(text: string, isRoot: (root: string) => boolean): ParsedSymbol {
  const trimmed = text.trim().toUpperCase();
  if (trimmed === "") return unreadable("is empty");
  if (trimmed.length > MAX_SYMBOL_LENGTH) {
    return unreadable(`is longer than ${MAX_SYMBOL_LENGTH} characters`);
  }
  const colon = trimmed.indexOf(":");
  if (colon === 0) return unreadable("has no exchange before the colon");

  const exchange = colon < 0 ? undefined : trimmed.slice(0, colon).replace(DELAYED, "");
  const body = trimmed.slice(colon + 1);
  if (isRoot(body)) return { kind: "front", root: body, exchange };
  return body.endsWith("!")
    ? parseContinuous(body.slice(0, -1), exchange, isRoot)
    : parseContract(body, exchange, isRoot);
}

function parseContinuous(
  body: string,
  exchange: string | undefined,
  isRoot: (root: string) => boolean,
): ParsedSymbol {
  // First the whole text: the digit of `SR3!` and `E7!` belongs to the root.
  if (isRoot(body)) return { kind: "front", root: body, exchange };
  const first = body.slice(0, -1);
  if (body.endsWith("1") && isRoot(first)) return { kind: "front", root: first, exchange };
  // `SR32!` is the second month of SR3: only the last digit may go before a root is found.
  const numbered = [first, NUMBERED.exec(body)?.[1] ?? ""].find(isRoot);
  return numbered !== undefined && /\d$/.test(body)
    ? unreadable("is not the front month", numbered)
    : unreadable("has no known root");
}

function parseContract(
  body: string,
  exchange: string | undefined,
  isRoot: (root: string) => boolean,
): ParsedSymbol {
  const match = FULL_CONTRACT.exec(body);
  const [, root = "", code = "", year = ""] = match ?? [];
  if (isRoot(root)) {
    const month = MONTH_CODES.indexOf(code) + 1;
    return month === 0
      ? unreadable(`has no month: ${code} is no month code`, root)
      : { kind: "contract", root, exchange, month, year };
  }
  const [, bare = "", letter = ""] = ROOT_AND_MONTH.exec(body) ?? [];
  return isRoot(bare) && MONTH_CODES.includes(letter)
    ? unreadable("has a month but no year", bare)
    : unreadable("has no known root");
}

function unreadable(problem: string, root?: string): ParsedSymbol {
  return { kind: "unreadable", problem, root };
}
