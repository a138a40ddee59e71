import {
  type ContractCalendar,
  createContractCalendar,
  type FrontContract,
} from "../calendar/contract-calendar.ts";
import { type CivilDay, isoDate } from "../calendar/civil-day.ts";
import { resolveYear } from "../calendar/contract-year.ts";
import { createExchangeDay } from "../calendar/exchange-day.ts";
import type { HolidayCalendars } from "../calendar/holidays.ts";
import { type Contract, contractSymbol, MONTH_CODES } from "./contract.ts";
import type { Product } from "./product.ts";
import { MAX_SYMBOL_LENGTH, type ParsedSymbol, parseSymbol } from "./symbol.ts";

/** What a symbol stands for. `reason` is one sentence: why not, and what to write instead. */
export type Resolution =
  | {
      readonly kind: "resolved";
      readonly contract: Contract;
      readonly product: Product;
      /** The symbol named no month: the contract is the front month of now. */
      readonly isFrontMonth: boolean;
    }
  | { readonly kind: "unknown"; readonly reason: string };

/** The contract that a root stands for now. Days are ISO dates of the exchange. */
export interface FrontMonth {
  readonly contract: Contract;
  readonly product: Product;
  readonly lastTradeDay: string;
  /** From this day on, `next` is the front month. */
  readonly rollDay: string;
  readonly next: Contract;
}

/** Knows every contract of the table: which one a symbol means, and when it stops trading. */
export interface ContractDirectory {
  readonly resolve: (text: string, nowMs: number) => Resolution;
  readonly product: (root: string) => Product | undefined;
  readonly products: () => readonly Product[];
  /** The last trade day as an ISO date; undefined for a root that is not in the table. */
  readonly lastTradeDay: (contract: Contract) => string | undefined;
  readonly frontMonth: (root: string, nowMs: number) => FrontMonth | undefined;
}

export interface ContractDirectoryDeps {
  readonly products: readonly Product[];
  readonly holidays: HolidayCalendars;
}

interface Remembered {
  readonly today: CivilDay;
  readonly resolution: Extract<Resolution, { kind: "resolved" }>;
}

/** Alerts repeat a handful of symbols; the bound only stops a sender who invents new spellings. */
const MAX_REMEMBERED = 2_000;

export function createContractDirectory(deps: ContractDirectoryDeps): ContractDirectory {
  const byRoot = indexByRoot(deps.products);
  const calendar = createContractCalendar(deps.holidays);
  const exchangeDay = createExchangeDay();
  const remembered = new Map<string, Remembered>();
  const fronts = new Map<string, { readonly today: CivilDay; readonly front: FrontContract }>();
  const isRoot = (root: string) => byRoot.has(root);

  function frontOn(product: Product, today: CivilDay): FrontContract {
    const known = fronts.get(product.root);
    if (known?.today === today) return known.front;
    const front = calendar.frontOn(product, today);
    fronts.set(product.root, { today, front });
    return front;
  }

  function resolve(text: string, nowMs: number): Resolution {
    const known = remembered.get(text);
    if (known !== undefined) {
      const today = exchangeDay(known.resolution.product.timeZone, nowMs);
      if (today === known.today) return known.resolution;
    }
    const parsed = parseSymbol(text, isRoot);
    const product = byRoot.get(parsed.root ?? "");
    if (product === undefined) return unknown(`${quoted(text)} ${noRoot(parsed)}`);

    const today = exchangeDay(product.timeZone, nowMs);
    const front = frontOn(product, today);
    const found = find({ parsed, product, today, front, calendar });
    if (typeof found === "string") return unknown(`${quoted(text)} ${found}`);

    const isFrontMonth = parsed.kind === "front";
    const resolution = { kind: "resolved", contract: found, product, isFrontMonth } as const;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    if (text.length <= MAX_SYMBOL_LENGTH) remembered.set(text, { today, resolution });
    return resolution;
  }

  function frontMonth(root: string, nowMs: number): FrontMonth | undefined {
    const product = byRoot.get(root);
    if (product === undefined) return undefined;
    const front = frontOn(product, exchangeDay(product.timeZone, nowMs));
    return {
      contract: front.contract,
      product,
      lastTradeDay: isoDate(front.lastTradeDay),
      rollDay: isoDate(front.rollDay),
      next: front.next,
    };
  }

  return {
    resolve,
    frontMonth,
    product: (root) => byRoot.get(root),
    products: () => deps.products,
    lastTradeDay: (contract) => {
      const product = byRoot.get(contract.root);
      return product && isoDate(calendar.daysOf(product, contract).lastTradeDay);
    },
  };
}

interface Search {
  readonly parsed: ParsedSymbol;
  readonly product: Product;
  readonly today: CivilDay;
  readonly front: FrontContract;
  readonly calendar: ContractCalendar;
}

/** The contract that was meant, or what is wrong with the symbol. */
function find({ parsed, product, today, front, calendar }: Search): Contract | string {
  const advice = `use ${spelled(product, `${product.root}1!`)} or a full contract such as ${spelled(
    product,
    contractSymbol(front.contract),
  )}`;
  if (parsed.kind === "unreadable") return `${parsed.problem}; ${advice}`;

  const { exchange } = parsed;
  if (exchange !== undefined && !product.prefixes.includes(exchange)) {
    return `names the exchange ${exchange}, but ${product.root} trades on ${product.exchange}; ${advice}`;
  }
  if (exchange === undefined && product.prefixRequired === true) {
    return `needs its exchange, for it would be ${product.name} on ${product.exchange}; ${advice}`;
  }
  if (parsed.kind === "front") return front.contract;

  const code = MONTH_CODES.charAt(parsed.month - 1);
  if (!product.cycle.includes(code)) {
    return `names a month that is not listed: ${product.root} has ${product.cycle}; ${advice}`;
  }
  const found = resolveYear({ product, month: parsed.month, year: parsed.year }, calendar, today);
  return typeof found === "string" ? `${found}; ${advice}` : found;
}

function indexByRoot(products: readonly Product[]): ReadonlyMap<string, Product> {
  const byRoot = new Map<string, Product>();
  for (const product of products) {
    if (byRoot.has(product.root)) throw new Error(`the contract table lists ${product.root} twice`);
    byRoot.set(product.root, product);
  }
  return byRoot;
}

function noRoot(parsed: ParsedSymbol): string {
  const problem = parsed.kind === "unreadable" ? parsed.problem : "has no known root";
  return `${problem}; write a root of the contract table, such as ES, ES1! or ESZ6`;
}

/** How a symbol of this product is written, with its exchange where that is needed. */
function spelled(product: Product, symbol: string): string {
  return product.prefixRequired === true ? `${product.prefixes[0]}:${symbol}` : symbol;
}

function quoted(text: string): string {
  return JSON.stringify(
    text.length > MAX_SYMBOL_LENGTH ? `${text.slice(0, MAX_SYMBOL_LENGTH)}…` : text,
  );
}

function unknown(reason: string): Resolution {
  return { kind: "unknown", reason };
}
