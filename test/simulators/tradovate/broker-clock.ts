import {
  createSessionClock,
  ROUND_THE_CLOCK,
} from "../../../src/brokers/paper/exchange/session-hours.ts";
import type { TradeDate } from "./entities.ts";

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

  /** When the trade day ends that runs now: at 17:00 in New York, as at the matching core. */
  dayEndsAt(): number {
    return this.#session(ROUND_THE_CLOCK, this.now()).endsAt;
  }

  /** The day on which the present trade day ends. */
  tradeDate(): TradeDate {
    const day = new Date(this.dayEndsAt());
    return { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() };
  }
}
