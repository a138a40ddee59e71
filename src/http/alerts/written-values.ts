import { parseDecimal } from "../../domain/contracts/decimal.ts";
import { bareText, trimmed } from "../../domain/visible-text.ts";

export const TRUE = new Set(["true", "1", "yes", "on"]);
export const FALSE = new Set(["false", "0", "no", "off"]);

/** A field without any of these was left out. */
export const isThere = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === "string" && trimmed(value) === "");

/** Whether a value is absent or says no; `0.00` is how a charting placeholder may print a zero. */
export function isNo(value: unknown): boolean {
  const written = plain(value);
  return value === undefined || value === false || FALSE.has(written) || isZero(written);
}

export const plainText = (value: string | number): string => trimmed(String(value));

export const plain = (value: unknown): string =>
  typeof value === "string" || typeof value === "number"
    ? bareText(String(value)).toLowerCase()
    : "";

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isZero = (written: string): boolean => parseDecimal(written)?.units === 0n;

/** A placeholder that a template has left, as the pattern of a regular expression. */
export const PLACEHOLDER = String.raw`\{\{[^{}]{0,200}\}\}`;
const HAS_PLACEHOLDER = new RegExp(PLACEHOLDER);
/** A text of unfilled placeholders alone. */
const UNFILLED = new RegExp(String.raw`^\s*(?:${PLACEHOLDER}\s*)+$`);
const NO_VALUE = new Set(["nan", "na", "n/a", "none", "null", "nil", "undefined", "infinity"]);

/** How a value says nothing: left blank, as a zero, or by a plain no. */
export type Nothing = "blank" | "zero" | "no";

/** Undefined for a value that says something. An object of nothing but blanks is blank. */
export function nothingIn(value: unknown): Nothing | undefined {
  if (!isThere(value)) return "blank";
  if (typeof value === "object") {
    const all = Object.values(value as object);
    return all.every((one) => nothingIn(one) === "blank") ? "blank" : undefined;
  }
  const written = plain(value).replace(/^-/, "");
  if (NO_VALUE.has(written) || UNFILLED.test(written)) return "blank";
  if (isZero(written)) return "zero";
  return isNo(value) ? "no" : undefined;
}

/** Whether a placeholder is left in it. */
export const isUnfilled = (value: unknown): boolean =>
  typeof value === "string" && HAS_PLACEHOLDER.test(value);
