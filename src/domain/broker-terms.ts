import type { TickSize } from "./contracts/price.ts";

/**
 * What a broker says of a contract that is not in our table. It goes with every price in such a
 * contract, so that the price can be read wherever it is kept, and after the table has changed.
 */
export interface BrokerTerms {
  /** What prices beside it are counted in; a tiny decimal where the broker tells no tick. */
  readonly tickSize: TickSize;
  /** What one tick is worth: exact. */
  readonly tickValue?: string;
  readonly currency?: string;
}
