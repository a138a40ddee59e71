import type { ContractCalendar } from "../calendar/contract-calendar.ts";
import type { SessionsOf } from "../calendar/session-close.ts";
import type { TradingDayAt } from "../calendar/trading-day.ts";
import { calledRoot, type ContractCode, isNameless } from "../contracts/contract.ts";
import type { Product } from "../contracts/product.ts";
import type { EconomicCalendar } from "./economic-calendar.ts";

/** What the rules of schedules look things up in. */
export interface ScheduleDeps {
  /** Undefined for a root that is not in the table. */
  readonly productOf: (root: string) => Product | undefined;
  readonly sessionsOf: SessionsOf;
  readonly tradingDayAt: TradingDayAt;
  readonly contractDays: ContractCalendar["daysOf"];
  /** The user's calendars by name. */
  readonly calendars: ReadonlyMap<string, EconomicCalendar>;
}

/** A stretch of time, both ends belong to it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Whether a rule for some roots concerns a contract: one whose root is not known may be any of them. */
export function concerns(roots: readonly string[] | undefined, contract: ContractCode): boolean {
  return roots === undefined || isNameless(contract) || roots.includes(calledRoot(contract));
}

/** The sessions that a contract trades in. */
export const sessionsFor = (contract: ContractCode, { productOf, sessionsOf }: ScheduleDeps) =>
  sessionsOf(productOf(calledRoot(contract)));
