import type { TickSize } from "../../../domain/contracts/price.ts";
import type { SessionHours } from "./session-hours.ts";

/** What the exchange must know about one contract to trade it. */
export interface PaperProduct {
  readonly tickSize: TickSize;
  /** What one tick of one contract is worth: an exact decimal, for example "12.50". */
  readonly tickValue: string;
  readonly currency: string;
  isExpired(nowMs: number): boolean;
  /** Absent for a product that trades round the clock. */
  readonly hours?: SessionHours;
}
