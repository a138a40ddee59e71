import type { Ticks } from "../../../domain/contracts/price.ts";

/** The best prices of the street and the contracts shown at them. A new object is a new quote. */
export interface Quote {
  readonly bid: Ticks;
  readonly ask: Ticks;
  readonly bidQty: number;
  readonly askQty: number;
}
