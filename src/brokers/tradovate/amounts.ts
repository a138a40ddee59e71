import { type Minor, toMinor } from "../../domain/money.ts";

/** Twelve places are as many as an exact amount may have here; a double has noise beyond them. */
export const toAmount = (value: number, currency: string): Minor | undefined =>
  toMinor(String(value), currency) ?? toMinor(value.toFixed(12), currency);
