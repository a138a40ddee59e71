import { type Contract, MONTH_CODES } from "../contracts/contract.ts";
import type { Product, RollRule } from "../contracts/product.ts";
import { type BusinessCalendar, createBusinessCalendar } from "./business-days.ts";
import {
  addDays,
  type CivilDay,
  civilDay,
  nthWeekday,
  parseIsoDate,
  toYearMonthDay,
} from "./civil-day.ts";
import type { HolidayCalendars } from "./holidays.ts";
import { lastTradeDayOf } from "./last-trade-day.ts";

/** The two trading days that matter in a contract's life. */
export interface ContractDays {
  readonly lastTradeDay: CivilDay;
  /** The first trading day on which the next contract is the front month. */
  readonly rollDay: CivilDay;
}

/** The front month on one trading day, and what follows it. */
export interface FrontContract extends ContractDays {
  readonly contract: Contract;
  readonly next: Contract;
}

/** Works out last trade days, roll days and front months from the table's rules. */
export interface ContractCalendar {
  readonly daysOf: (product: Product, contract: Contract) => ContractDays;
  readonly frontOn: (product: Product, today: CivilDay) => FrontContract;
}

/** Far above what one table lists at a time; reached only when decades are asked for. */
const MAX_KNOWN_CONTRACTS = 20_000;
/** A three-month SOFR contract trades until three months after the month it is named after. */
const MONTHS_BACK = 4;

/** An order in the front month must have time to be closed: it leaves so many business days before its end. */
const LEAVES_BEFORE_END = 2;

const FRIDAY = 5;
const FROM_FRIDAY_TO_MONDAY = 4;

export function createContractCalendar(holidays: HolidayCalendars): ContractCalendar {
  const calendars = new Map<string, BusinessCalendar>();
  const known = new Map<string, ContractDays>();

  function calendarOf({ root, calendar }: Product): BusinessCalendar {
    let found = calendars.get(calendar);
    if (found === undefined) {
      const rules = holidays[calendar];
      if (rules === undefined) throw new Error(`${root} names no holiday calendar: "${calendar}"`);
      found = createBusinessCalendar(rules);
      calendars.set(calendar, found);
    }
    return found;
  }

  function daysOf(product: Product, contract: Contract): ContractDays {
    const key = `${product.root} ${contract.year} ${contract.month}`;
    const found = known.get(key);
    if (found !== undefined) return found;

    if (known.size >= MAX_KNOWN_CONTRACTS) known.clear();
    const days = workOut(product, contract, calendarOf(product));
    known.set(key, days);
    return days;
  }

  function frontOn(product: Product, today: CivilDay): FrontContract {
    const { year, month } = toYearMonthDay(today);
    let contract = nextContract(product, { root: product.root, year, month: month - MONTHS_BACK });
    for (;;) {
      const days = daysOf(product, contract);
      const next = nextContract(product, contract);
      if (days.rollDay > today) return { ...days, contract, next };
      contract = next;
    }
  }

  return { daysOf, frontOn };
}

function workOut(product: Product, contract: Contract, calendar: BusinessCalendar): ContractDays {
  const month = `${contract.year}-${String(contract.month).padStart(2, "0")}`;
  const exception = product.lastTradeExceptions?.[month];
  const lastTradeDay =
    (exception === undefined ? undefined : parseIsoDate(exception)) ??
    lastTradeDayOf(contract, product.lastTrade, calendar);
  const latest = calendar.before(lastTradeDay, LEAVES_BEFORE_END);
  const ruled = rollDayOf(contract, product.roll, lastTradeDay, calendar);
  return { lastTradeDay, rollDay: ruled < latest ? ruled : latest };
}

/** The liquid contract after a month, which need not be a month of the cycle itself. */
function nextContract({ root, cycle, liquid = cycle }: Product, after: Contract): Contract {
  let months = after.year * 12 + after.month - 1;
  do months += 1;
  while (!liquid.includes(MONTH_CODES.charAt(months % 12)));
  return { root, year: Math.floor(months / 12), month: (months % 12) + 1 };
}

/** The same by the product's own rule, which counts where it is earlier. */
function rollDayOf(
  { year, month }: Contract,
  rule: RollRule,
  lastTradeDay: CivilDay,
  calendar: BusinessCalendar,
): CivilDay {
  switch (rule.kind) {
    case "monday-before-third-friday":
      return addDays(nthWeekday({ year, month }, FRIDAY, 3), -FROM_FRIDAY_TO_MONDAY);
    case "before-last-trade":
      return calendar.before(lastTradeDay, rule.businessDays);
    case "before-first-notice":
      return calendar.before(civilDay(year, month, 1), rule.noticeDays + rule.businessDays);
  }
}
