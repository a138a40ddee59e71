import { MONTH_CODES } from "../../../../domain/contracts/contract.ts";

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
