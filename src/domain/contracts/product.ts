import type { Weekday } from "../calendar/civil-day.ts";
import type { ShortDays, TradingHours } from "../calendar/trading-hours.ts";
import type { TickSize } from "./price.ts";

/**
 * When a contract stops trading, as data. `monthOffset` counts months from the one the contract
 * is named after: -1 is the month before. "Business day" is a day of the product's calendar.
 */
export type LastTradeRule =
  /**
   * A weekday of the month, or the business day before it where it is a holiday; with
   * `businessDaysBefore`, that many business days before the weekday, holiday or not.
   */
  | {
      readonly kind: "weekday";
      readonly weekday: Weekday;
      readonly nth: number | "last";
      readonly businessDaysBefore?: number;
      readonly monthOffset?: number;
    }
  /** The nth business day of the month. */
  | { readonly kind: "nth-business-day"; readonly nth: number }
  /** The nth business day from the end of the month. `nthFor` replaces `nth` for a named month. */
  | {
      readonly kind: "nth-last-business-day";
      readonly nth: number;
      readonly nthFor?: Readonly<Record<number, number>>;
      readonly monthOffset?: number;
    }
  /**
   * So many business days before a date of the month. `whenClosed` says what follows from that
   * date being closed itself: nothing, one more business day to count, or counting from the next
   * open day instead.
   */
  | {
      readonly kind: "before-date";
      readonly day: number;
      readonly businessDaysBefore: number;
      readonly whenClosed: "nothing" | "one-more" | "next-open-day";
      readonly monthOffset?: number;
    }
  /** The Thursday of Feeder Cattle, which must have no holiday in the four weekdays before it. */
  | { readonly kind: "feeder-cattle-thursday" }
  /** The Wednesday 30 days before the third Friday of the month after, as VIX options have it. */
  | { readonly kind: "vix-wednesday" };

/**
 * From which day on the next contract is the front month, as data. It is never later than two business
 * days before the last trade day, whatever the rule says.
 */
export type RollRule =
  | { readonly kind: "monday-before-third-friday" }
  | { readonly kind: "before-last-trade"; readonly businessDays: number }
  /**
   * So many business days before first notice day, which itself is `noticeDays` business days
   * before the delivery month begins; 0 stands for the first business day of that month.
   */
  | {
      readonly kind: "before-first-notice";
      readonly businessDays: number;
      readonly noticeDays: number;
    };

/** An ISO 4217 code. Amounts are never added or compared across currencies: no rate is known here. */
export type Currency = "USD" | "EUR" | "JPY" | "CAD" | "CHF";

/** One row of the contract table: everything the gateway knows of a futures root. */
export interface Product {
  readonly root: string;
  /** Other words of charting platforms for the root: `BRN` is Brent of ICE. */
  readonly aliases?: readonly string[];
  readonly name: string;
  /**
   * The root of the largest contract on the same thing that is quoted in the same unit: a price of one is
   * a price of all of them. Absent of the largest, and of one that is alone.
   */
  readonly market?: string;
  readonly exchange: string;
  /**
   * Its other names: what may stand before the colon of a symbol, or be said beside it, without the suffix
   * of delayed data. The first one is written in advice.
   */
  readonly prefixes: readonly string[];
  /** Set for one-letter roots: without its exchange `BZ6` cannot be told from a cut-off `BZ`. */
  readonly prefixRequired?: boolean;
  readonly currency: Currency;
  readonly tickSize: TickSize;
  /** What one tick, and one point of the quoted price, are worth: exact decimals. */
  readonly tickValue: string;
  readonly pointValue: string;
  /** Set where the exchange lets prices go to zero and below, as crude oil did in April 2020. */
  readonly mayBeNegative?: boolean;
  /**
   * The months that may be named, as month codes in calendar order: all that the exchange lists, the
   * serial ones included. Every month stands where the exchange's list is not known: whether such a
   * contract exists is then for the broker to say.
   */
  readonly cycle: string;
  /** The active months among them, of which the front month is one; all when missing. */
  readonly liquid?: string;
  readonly lastTrade: LastTradeRule;
  /**
   * Last trade days that an exchange set against its own rule: contract month to date, for
   * example `{ "2027-06": "2027-06-17" }`.
   */
  readonly lastTradeExceptions?: Readonly<Record<string, string>>;
  readonly roll: RollRule;
  /** The name of the holiday calendar that its business days follow. */
  readonly calendar: string;
  /** Its regular week. Holidays follow from its calendar. */
  readonly hours: TradingHours;
  /** The days on which it closes before its hour. */
  readonly shortDays: readonly ShortDays[];
  /** The IANA time zone in which its days begin. */
  readonly timeZone: string;
  /**
   * How far ahead a one-digit year is believed: as far as the exchange may list contracts, for the
   * broker knows which of them exist. What points further rather means the contract that has
   * expired. Must stay below 119.
   */
  readonly listedMonths: number;
}

/** The root that names its market. */
export const marketOf = ({ root, market }: Pick<Product, "root" | "market">): string =>
  market ?? root;

/** Whether a price in the contracts of one root means the same in those of the other. */
export type IsOneMarket = (root: string, other: string) => boolean;
