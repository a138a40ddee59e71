import { parseDecimal, type Scaled } from "./contracts/decimal.ts";

/** What one side of one contract of a root costs, in its own currency; undefined where none is set. */
export type FeeOfRoot = (root: string) => Scaled | undefined;

/** A text is no table of fees; the message says which part, and why. */
export class FeeTableError extends Error {
  override readonly name = "FeeTableError";
}

const ANY_ROOT = "*";

/** Reads a text such as "ES=2.25,*=0", where * is every root that it does not name; "" sets none. */
export function readFeeTable(text: string, isRoot: (root: string) => boolean): FeeOfRoot {
  const fees = new Map<string, Scaled>();
  for (const part of text === "" ? [] : text.split(",")) {
    const [, root = "", amount = ""] =
      /^(\*|[A-Z0-9]{1,4})=(\d{1,6}(?:\.\d{1,6})?)$/.exec(part.trim()) ?? [];
    const fee = parseDecimal(amount);
    const refuse = (why: string) => new FeeTableError(`"${part}" ${why}`);
    if (fee === undefined) throw refuse("is no fee such as ES=2.25");
    if (root !== ANY_ROOT && !isRoot(root)) throw refuse("has a root that is not known");
    if (fees.has(root)) throw refuse(`is a second fee of ${root}`);
    fees.set(root, fee);
  }
  return (root) => fees.get(root) ?? fees.get(ANY_ROOT);
}
