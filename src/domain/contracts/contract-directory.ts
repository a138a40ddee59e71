import {
  type ContractCalendar,
  createContractCalendar,
  type FrontContract,
} from "../calendar/contract-calendar.ts";
import { type CivilDay, isoDate } from "../calendar/civil-day.ts";
import { resolveYear } from "../calendar/contract-year.ts";
import type { HolidayCalendars } from "../calendar/holidays.ts";
import { createTradingDay } from "../calendar/trading-day.ts";
import { type Contract, contractSymbol, MONTH_CODES } from "./contract.ts";
import { nearestNames } from "../nearest-names.ts";
import { withCodePoints } from "../visible-text.ts";
import { createExchanges, type Exchanges, type SymbolUse } from "./exchange.ts";
import { type IsOneMarket, marketOf, type Product } from "./product.ts";
import {
  MAX_SYMBOL_LENGTH,
  type ParsedSymbol,
  parseSymbol,
  plainSymbol,
  unknownRootOf,
} from "./symbol.ts";

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

/** The contract that a root stands for now. Days are trading days of the exchange, as ISO dates. */
export interface FrontMonth {
  readonly contract: Contract;
  readonly product: Product;
  readonly lastTradeDay: string;
  /** From the evening before this day on, when its trading day begins, `next` is the front month. */
  readonly rollDay: string;
  readonly next: Contract;
}

/** Knows every contract of the table: which one a symbol means, and when it stops trading. */
export interface ContractDirectory {
  /** A way out passes over an exchange of an unknown name. Without `use` it is for an entry. */
  readonly resolve: (text: string, nowMs: number, use?: SymbolUse) => Resolution;
  /** The parts of a symbol; its root is one of the table's own words. */
  readonly parse: (text: string) => ParsedSymbol;
  /** The exchanges of unknown names in a symbol: those that a way out passes over. */
  readonly unknownExchanges: (text: string) => readonly string[];
  readonly product: (root: string) => Product | undefined;
  readonly products: () => readonly Product[];
  readonly isOneMarket: IsOneMarket;
  /** The last trade day as an ISO date; undefined for a root that is not in the table. */
  readonly lastTradeDay: (contract: Contract) => string | undefined;
  /** True from the end of its last trading day on, and of a root that is not in the table. */
  readonly hasEnded: (contract: Contract, nowMs: number) => boolean;
  readonly frontMonth: (root: string, nowMs: number) => FrontMonth | undefined;
}

export interface ContractDirectoryDeps {
  readonly products: readonly Product[];
  readonly holidays: HolidayCalendars;
  /** By the same names, the days without a trading day of their own. */
  readonly closures: HolidayCalendars;
  /** Names of exchanges at which nothing of the table trades. */
  readonly otherExchanges?: readonly string[];
}

interface Remembered {
  readonly today: CivilDay;
  readonly resolution: Extract<Resolution, { kind: "resolved" }>;
}

/** Alerts repeat a handful of symbols; the bound only stops a sender who invents new spellings. */
const MAX_REMEMBERED = 2_000;
/** With an exchange before it; a longer text is neither remembered nor repeated. */
const MAX_QUOTED = 2 * MAX_SYMBOL_LENGTH;

export function createContractDirectory(deps: ContractDirectoryDeps): ContractDirectory {
  const byRoot = new Map(deps.products.map((product) => [product.root, product]));
  const byName = indexByName(deps.products);
  const exchanges = createExchanges(deps.products, deps.otherExchanges ?? []);
  const calendar = createContractCalendar(deps.holidays);
  const tradingDayAt = createTradingDay({ holidays: deps.closures });
  const rememberedFor = {
    entry: new Map<string, Remembered>(),
    exit: new Map<string, Remembered>(),
  };
  const fronts = new Map<string, { readonly today: CivilDay; readonly front: FrontContract }>();
  const read = (text: string) => parseSymbol(text, (root) => byName.has(root));
  const todayOf = ({ calendar: name }: Product, nowMs: number) => tradingDayAt(nowMs, name).day;

  /** By the exchange before it a share may be meant, a currency or a coin. */
  const isOfShare = (text: string) =>
    plainSymbol(text).split(":").slice(0, -1).some(exchanges.isOther);

  function frontOn(product: Product, today: CivilDay): FrontContract {
    const known = fronts.get(product.root);
    if (known?.today === today) return known.front;
    const front = calendar.frontOn(product, today);
    fronts.set(product.root, { today, front });
    return front;
  }

  function resolve(text: string, nowMs: number, use: SymbolUse = "entry"): Resolution {
    const remembered = rememberedFor[use];
    const known = remembered.get(text);
    if (known !== undefined) {
      const today = todayOf(known.resolution.product, nowMs);
      if (today === known.today) return known.resolution;
    }
    const parsed = read(text);
    const product = byName.get(parsed.root ?? "");
    if (product === undefined) {
      const near = isOfShare(text) ? [] : nearRoots(text, [...byName.keys()]);
      return unknown(`${quoted(text)} ${noRoot(parsed, near)}`);
    }

    const today = todayOf(product, nowMs);
    const front = frontOn(product, today);
    const isFuture = unknownRootOf(text).rest !== "";
    const found = find({ parsed, product, today, front, calendar, exchanges, use, isFuture });
    if (typeof found === "string") return unknown(`${quoted(text)} ${found}`);

    const isFrontMonth = parsed.kind === "front";
    const resolution = { kind: "resolved", contract: found, product, isFrontMonth } as const;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    if (text.length <= MAX_QUOTED) remembered.set(text, { today, resolution });
    return resolution;
  }

  function frontMonth(root: string, nowMs: number): FrontMonth | undefined {
    const product = byRoot.get(root);
    if (product === undefined) return undefined;
    const front = frontOn(product, todayOf(product, nowMs));
    return {
      contract: front.contract,
      product,
      lastTradeDay: isoDate(front.lastTradeDay),
      rollDay: isoDate(front.rollDay),
      next: front.next,
    };
  }

  function parse(text: string): ParsedSymbol {
    const parsed = read(text);
    const root = byName.get(parsed.root ?? "")?.root;
    return root === undefined ? parsed : { ...parsed, root };
  }

  return {
    resolve,
    parse,
    unknownExchanges: (text) => {
      const parsed = read(text);
      return parsed.kind === "unreadable" ? [] : exchanges.unknown(parsed.exchanges);
    },
    frontMonth,
    product: (root) => byRoot.get(root),
    products: () => deps.products,
    isOneMarket: (root, other) => root === other || hasMarket(byRoot.get(root), byRoot.get(other)),
    lastTradeDay: (contract) => {
      const product = byRoot.get(contract.root);
      return product && isoDate(calendar.daysOf(product, contract).lastTradeDay);
    },
    hasEnded: (contract, nowMs) => {
      const product = byRoot.get(contract.root);
      if (product === undefined) return true;
      return calendar.daysOf(product, contract).lastTradeDay < todayOf(product, nowMs);
    },
  };
}

interface Search {
  readonly parsed: ParsedSymbol;
  readonly product: Product;
  readonly today: CivilDay;
  readonly front: FrontContract;
  readonly calendar: ContractCalendar;
  readonly exchanges: Exchanges;
  readonly use: SymbolUse;
  /** It is written as futures alone are. */
  readonly isFuture: boolean;
}

/** The contract that was meant, or what is wrong with the symbol. */
function find({ parsed, product, today, front, calendar, ...search }: Search): Contract | string {
  const advice = `use ${spelled(product, `${product.root}1!`)} or a full contract such as ${spelled(
    product,
    contractSymbol(front.contract),
  )}`;
  if (parsed.kind === "unreadable") return `${parsed.problem}; ${advice}`;

  const misfit = search.exchanges.misfit(product, parsed.exchanges, search.use);
  if (misfit !== undefined) {
    const told = `names the exchange ${withCodePoints(misfit)}, but ${product.root} trades on ${product.exchange}`;
    // Another thing may be meant, as the share CL: then the future is no advice.
    const isMeant =
      search.exchanges.isOfTable(misfit) || (search.isFuture && !search.exchanges.isOther(misfit));
    return isMeant ? `${told}; ${advice}` : `${told}, and is ${product.name} here`;
  }
  const isShort = product.prefixRequired === true && parsed.root === product.root;
  if (isShort && !search.exchanges.isNamed(product, parsed.exchanges)) {
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

/** False for a root that the table does not know: its market is unknown. */
const hasMarket = (one: Product | undefined, other: Product | undefined): boolean =>
  one !== undefined && other !== undefined && marketOf(one) === marketOf(other);

/** By each root, and by whatever else it is called. */
function indexByName(products: readonly Product[]): ReadonlyMap<string, Product> {
  const byName = new Map<string, Product>();
  for (const product of products) {
    for (const name of [product.root, ...(product.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`the contract table lists ${name} twice`);
      byName.set(name, product);
    }
  }
  return byName;
}

/**
 * Symbols of the known roots that are nearest to the one that was written. Only a future is mistyped for a
 * future: `MSFT` and `META` are shares, and near to roots.
 */
function nearRoots(text: string, roots: readonly string[]): readonly string[] {
  if (text.length > MAX_QUOTED) return [];
  const { root, rest } = unknownRootOf(text);
  if (rest === "") return [];
  return nearestNames(root, roots)
    .slice(0, MOST_MEANT)
    .map((near) => `${near}${rest}`);
}

const MOST_MEANT = 3;

function noRoot(parsed: ParsedSymbol, near: readonly string[]): string {
  const problem = parsed.kind === "unreadable" ? parsed.problem : "has no known root";
  const meant = near.length === 0 ? "" : `. Did you mean ${near.join(" or ")}?`;
  return `${problem}; only futures of the contract table are traded here${meant}`;
}

/** How a symbol of this product is written, with its exchange where that is needed. */
function spelled(product: Product, symbol: string): string {
  return product.prefixRequired === true ? `${product.prefixes[0]}:${symbol}` : symbol;
}

function quoted(text: string): string {
  const shown = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  return JSON.stringify(withCodePoints(shown));
}

function unknown(reason: string): Resolution {
  return { kind: "unknown", reason };
}
