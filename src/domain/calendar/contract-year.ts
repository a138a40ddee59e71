import { type Contract, MONTH_CODES } from "../contracts/contract.ts";
import type { Product } from "../contracts/product.ts";
import type { ContractCalendar } from "./contract-calendar.ts";
import { type CivilDay, isoDate, toYearMonthDay } from "./civil-day.ts";

/** A contract as written: with one, two or four digits of its year. */
export interface WrittenContract {
  readonly product: Product;
  /** 1 to 12. */
  readonly month: number;
  readonly year: string;
}

/** A full year may point beyond the listed months, where the broker decides, but not at random. */
const MAX_YEARS_AWAY = 15;

/**
 * Finds the year that was meant. The answer is the contract, or a text that completes a sentence
 * beginning with the symbol.
 */
export function resolveYear(
  written: WrittenContract,
  calendar: ContractCalendar,
  today: CivilDay,
): Contract | string {
  return written.year.length === 1
    ? resolveDigit(written, calendar, today)
    : resolveFullYear(written, calendar, today);
}

function resolveFullYear(
  { product, month, year: digits }: WrittenContract,
  calendar: ContractCalendar,
  today: CivilDay,
): Contract | string {
  const year = Number(digits.length === 2 ? `20${digits}` : digits);
  const thisYear = toYearMonthDay(today).year;
  // Checked before any date is worked out: the rules know no holidays of distant centuries.
  if (year < thisYear - MAX_YEARS_AWAY) return "expired long ago";
  if (year > thisYear + MAX_YEARS_AWAY) return "is too far ahead";

  const contract = { root: product.root, year, month };
  const { lastTradeDay } = calendar.daysOf(product, contract);
  return lastTradeDay < today ? expired(lastTradeDay) : contract;
}

/**
 * One digit means the earliest such year whose contract still trades. A contract may stop trading
 * in the year before its name (January crude in December), so the search begins a year early and
 * goes by the last trade day, never by the year alone. An answer beyond the listed months is none:
 * then the contract that has just expired was meant.
 */
function resolveDigit(
  { product, month, year: digit }: WrittenContract,
  calendar: ContractCalendar,
  today: CivilDay,
): Contract | string {
  const { root } = product;
  const lastTradeDay = (year: number) =>
    calendar.daysOf(product, { root, year, month }).lastTradeDay;

  let year = toYearMonthDay(today).year - 1;
  while (year % 10 !== Number(digit) || lastTradeDay(year) < today) year += 1;
  if (monthsBetween(today, lastTradeDay(year)) <= product.listedMonths) {
    return { root, year, month };
  }
  const inFull = `${root}${MONTH_CODES.charAt(month - 1)}${year % 100}`;
  return `${expired(lastTradeDay(year - 10))} (for ${year} write ${inFull})`;
}

function expired(lastTradeDay: CivilDay): string {
  return `expired: it last traded on ${isoDate(lastTradeDay)}`;
}

function monthsBetween(from: CivilDay, to: CivilDay): number {
  const start = toYearMonthDay(from);
  const end = toYearMonthDay(to);
  return (end.year - start.year) * 12 + end.month - start.month;
}
