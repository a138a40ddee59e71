import { parseDecimal, type Scaled } from "../../../src/domain/contracts/decimal.ts";

/** A decimal as the domain counts it. */
export function exact(text: string): Scaled {
  const value = parseDecimal(text);
  if (value === undefined) throw new Error(`${text} is no decimal`);
  return value;
}
