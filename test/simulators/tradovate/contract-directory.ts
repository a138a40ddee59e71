import { equityIndex } from "../../../config/contracts/equity-index.ts";
import {
  type Contract,
  type ContractCode,
  contractCode,
  contractSymbol,
  parseContractCode,
} from "../../../src/domain/contract.ts";
import { formatTicks, parseTicks, type Ticks, type TickSize } from "../../../src/domain/price.ts";
import { productOf } from "../exchange/market.ts";
import type { ContractEntity } from "./entities.ts";
import type { EntityStore } from "./entity-store.ts";

const QUARTERS = [3, 6, 9, 12];
const SYMBOL = /^([A-Z0-9]{1,4})([FGHJKMNQUVXZ])(\d{1,2})$/;
const MONTHS = "FGHJKMNQUVXZ";
/** Ids of reference data are short in the real service too. */
const FIRST_PRODUCT = 700;
const FIRST_CONTRACT = 3_570_000;
export const USD = 1;
const CME = 2;
const QUARTERS_LISTED = 8;
/** Published are the id and the name; clients' models want the rest, as captures have it. */
const EXCHANGE = {
  id: CME,
  name: "CME",
  complex: "CME",
  timeZone: "CST",
  isSecuredDefault: true,
  cftcReporting: true,
  freeMarketData: "None",
  marketType: "Futures",
  foreignExchange: false,
};
/** What captures of products have, and clients' models want, though no document names it. */
const UNPUBLISHED = {
  riskDiscountContractGroupId: 1,
  exchangeChannelId: 4,
  allowProviderContractInfo: false,
  marketDataSource: "Auto",
  lookupWeight: 0,
  hasReplay: true,
  rolloverMonths: "HMUZ",
};

export interface Listed {
  readonly code: ContractCode;
  readonly entity: ContractEntity;
  readonly tickSize: TickSize;
  readonly valuePerPoint: number;
}

/**
 * Contracts by the broker's names, "ESZ6". All products of the exchange simulator's market are
 * listed, each month of each of the next ten years; entities are made when they are first named.
 */
export class ContractDirectory {
  readonly #store: EntityStore;
  readonly #now: () => number;
  readonly #products = new Map<string, number>();
  readonly #byCode = new Map<ContractCode, Listed>();
  readonly #byId = new Map<number, Listed>();
  readonly #expired = new Set<ContractCode>();
  #lastId = FIRST_CONTRACT;

  constructor(store: EntityStore, now: () => number) {
    this.#store = store;
    this.#now = now;
    store.seed("currency", { id: USD, name: "USD", symbol: "$" });
    store.seed("exchange", EXCHANGE);
    store.seed("contractGroup", { id: 1, name: "Equity Index" });
    for (const product of equityIndex) this.#list(product.root);
  }

  /** By the broker's name or by the full code; undefined for what does not trade here. */
  find(name: string): Listed | undefined {
    const contract = parseContractCode(name) ?? this.#parse(name);
    return contract && this.#obtain(contract);
  }

  /** As it is now. */
  entity({ entity }: Listed): ContractEntity {
    return this.#store.get("contract", entity.id) ?? entity;
  }

  byId(id: number): Listed | undefined {
    return this.#byId.get(id);
  }

  byCode(code: ContractCode): Listed {
    const listed = this.find(code);
    if (listed === undefined) throw new Error(`${code} does not trade here`);
    return listed;
  }

  setExpired(code: ContractCode, isExpired: boolean): void {
    if (isExpired) this.#expired.add(code);
    else this.#expired.delete(code);
    const { entity } = this.byCode(code);
    this.#store.update("contract", entity.id, { status: isExpired ? "Expired" : "Active" });
  }

  isExpired(code: ContractCode): boolean {
    return this.#expired.has(code);
  }

  /** The listed quarter after, or before, this contract. */
  roll(name: string, forward: boolean): Listed | undefined {
    const from = parseContractCode(name) ?? this.#parse(name);
    if (from === undefined) return undefined;
    const step = forward ? 1 : -1;
    let { year, month } = from;
    do {
      month += step;
      if (month > 12) [month, year] = [1, year + 1];
      if (month < 1) [month, year] = [12, year - 1];
    } while (!QUARTERS.includes(month));
    return this.#obtain({ ...from, year, month });
  }

  /** Names that begin so, the nearest month first. */
  suggest(text: string, limit: number): readonly ContractEntity[] {
    const wanted = text.toUpperCase();
    const found = this.#store
      .visible("contract", new Set())
      .filter(({ name }) => name.startsWith(wanted));
    const month = (entity: ContractEntity) =>
      this.#store.get("contractMaturity", entity.contractMaturityId)?.expirationMonth ?? 0;
    return found.sort((a, b) => month(a) - month(b)).slice(0, limit);
  }

  #list(root: string): void {
    const today = new Date(this.#now());
    const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() + 1];
    const first = QUARTERS.findIndex((quarter) => isBefore(today, { year, month: quarter }));
    const start = first === -1 ? QUARTERS.length : first;
    for (let n = start; n < start + QUARTERS_LISTED; n += 1) {
      const quarter = QUARTERS[n % QUARTERS.length] ?? month;
      const years = Math.floor(n / QUARTERS.length);
      this.#obtain({ root, year: year + years, month: quarter });
    }
  }

  #obtain(contract: Contract): Listed | undefined {
    const code = contractCode(contract);
    const known = this.#byCode.get(code);
    if (known !== undefined) return known;
    const traded = productOf(code);
    const product = equityIndex.find(({ root }) => root === contract.root);
    if (traded === undefined || product === undefined) return undefined;

    this.#lastId += 2;
    const [maturityId, id] = [this.#lastId - 1, this.#lastId];
    const productId = this.#product(product);
    this.#store.seed("contractMaturity", {
      id: maturityId,
      productId,
      expirationMonth: contract.year * 100 + contract.month,
      // Without seconds, as the real service writes some dates.
      expirationDate: `${expiryOf(contract).toISOString().slice(0, 16)}Z`,
      isFront: this.#isFront(contract),
      archived: false,
      seqNo: 0,
    });
    const entity = this.#store.seed("contract", {
      id,
      name: contractSymbol(contract),
      contractMaturityId: maturityId,
      timestamp: new Date(this.#now()).toISOString(),
      providerTickSize: Number(traded.tickSize),
      status: "Active",
    });
    const listed = { code, entity, tickSize: traded.tickSize, valuePerPoint: worth(product) };
    this.#byCode.set(code, listed);
    this.#byId.set(id, listed);
    return listed;
  }

  #product(product: (typeof equityIndex)[number]): number {
    const known = this.#products.get(product.root);
    if (known !== undefined) return known;
    const id = FIRST_PRODUCT + this.#products.size;
    this.#products.set(product.root, id);
    this.#store.seed("product", {
      id,
      name: product.root,
      currencyId: USD,
      productType: "Futures",
      description: product.name,
      exchangeId: CME,
      contractGroupId: 1,
      status: "Verified",
      months: "HMUZ",
      valuePerPoint: worth(product),
      priceFormatType: "Decimal",
      priceFormat: -2,
      tickSize: Number(product.tickSize),
      ...UNPUBLISHED,
      isMicro: product.root.startsWith("M"),
    });
    return id;
  }

  #isFront(contract: Contract): boolean {
    const today = new Date(this.#now());
    const year = today.getUTCFullYear();
    const quarters = [...QUARTERS, ...QUARTERS.map((month) => month + 12)].map((month) => ({
      year: month > 12 ? year + 1 : year,
      month: month > 12 ? month - 12 : month,
    }));
    const front = quarters.find((quarter) => isBefore(today, quarter));
    return front?.year === contract.year && front.month === contract.month;
  }

  /** One digit of the year is the next such year, counted from last year; two digits say it. */
  #parse(name: string): Contract | undefined {
    const [, root = "", letter = "", digits = ""] = SYMBOL.exec(name.toUpperCase()) ?? [];
    if (root === "") return undefined;
    const month = MONTHS.indexOf(letter) + 1;
    if (digits.length === 2) return { root, month, year: 2000 + Number(digits) };
    const from = new Date(this.#now()).getUTCFullYear() - 1;
    return { root, month, year: from + ((Number(digits) - (from % 10) + 10) % 10) };
  }
}

/** Undefined for a price off tick. */
export function toTicks(price: number, size: TickSize): Ticks | undefined {
  return parseTicks(String(price), size);
}

export function toPrice(price: Ticks, size: TickSize): number {
  return Number(formatTicks(price, size));
}

function worth({ tickSize, tickValue }: { tickSize: string; tickValue: string }): number {
  return Number(tickValue) / Number(tickSize);
}

function expiryOf({ year, month }: Pick<Contract, "year" | "month">): Date {
  const firstWeekday = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const firstFriday = 1 + ((5 - firstWeekday + 7) % 7);
  return new Date(Date.UTC(year, month - 1, firstFriday + 14, 14, 30));
}

function isBefore(today: Date, month: Pick<Contract, "year" | "month">): boolean {
  return today < expiryOf(month);
}
