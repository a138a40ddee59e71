import {
  createSessionClock,
  ROUND_THE_CLOCK,
} from "../../../src/brokers/paper/exchange/session-hours.ts";
import { type TradeDate, tradeDayAt } from "../bars/trade-days.ts";

/** The broker's own time: the machine's, moved by hand. Tokens, limits and stamps go by it. */
export class BrokerClock {
  readonly #session = createSessionClock();
  #offsetMs = 0;

  readonly now = (): number => Date.now() + this.#offsetMs;

  advance(ms: number): void {
    this.#offsetMs += ms;
  }

  set(at: number): void {
    this.#offsetMs = at - Date.now();
  }

  iso(aheadMs = 0): string {
    return new Date(this.now() + aheadMs).toISOString();
  }

  /** When orders for the day end: at 17:00 in New York, as at the matching core. */
  dayEndsAt(): number {
    return this.#session(ROUND_THE_CLOCK, this.now()).endsAt;
  }

  /** The date of the present trade day, which ends an hour later: at 17:00 in Chicago. */
  tradeDate(): TradeDate {
    return tradeDayAt(this.now()).date;
  }
}
