import {
  type Contract,
  type ContractCode,
  contractCode,
  contractSymbol,
  MONTH_CODES,
  parseContractCode,
} from "../../../src/domain/contracts/contract.ts";
import {
  formatTicks,
  parseTicks,
  type Ticks,
  type TickSize,
} from "../../../src/domain/contracts/price.ts";
import { productOf } from "../exchange/market.ts";
import { PRODUCTS, type SimulatedProduct } from "../exchange/products.ts";
import type { ContractEntity } from "./entities.ts";
import type { EntityStore } from "./entity-store.ts";

const SYMBOL = /^([A-Z0-9]{1,4})([FGHJKMNQUVXZ])(\d{1,2})$/;
/** Ids of reference data are short in the real service too. */
const FIRST_PRODUCT = 700;
const FIRST_CONTRACT = 3_570_000;
export const USD = 1;
const CURRENCIES = ["USD", "EUR", "JPY", "CAD", "CHF"];
/** The first has the number that captures show, the others the next ones. */
const EXCHANGES = ["CME", "CBOT", "NYMEX", "COMEX", "CFE", "EUREX"];
const FIRST_EXCHANGE = 2;
const MONTHS_LISTED = 8;
/** Published are the id and the name; clients' models want the rest, as captures have it. */
const EXCHANGE = {
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
};

export interface Listed {
  readonly code: ContractCode;
  readonly entity: ContractEntity;
  readonly tickSize: TickSize;
  readonly valuePerPoint: number;
  readonly currency: string;
  readonly exchange: string;
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
    for (const [n, name] of CURRENCIES.entries()) {
      store.seed("currency", { id: USD + n, name, symbol: name === "USD" ? "$" : name });
    }
    for (const [n, name] of EXCHANGES.entries()) {
      store.seed("exchange", { id: FIRST_EXCHANGE + n, name, ...EXCHANGE });
    }
    store.seed("contractGroup", { id: 1, name: "Equity Index" });
    for (const product of PRODUCTS) this.#list(product);
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

  /** The active month after, or before, this contract. */
  roll(name: string, forward: boolean): Listed | undefined {
    const from = parseContractCode(name) ?? this.#parse(name);
    if (from === undefined) return undefined;
    const product = productNamed(from.root);
    if (product === undefined) return undefined;
    return this.#obtain(nextActive(product, from, forward ? 1 : -1));
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

  #list(product: SimulatedProduct): void {
    let contract = this.#front(product);
    for (let n = 0; n < MONTHS_LISTED; n += 1) {
      this.#obtain(contract);
      contract = nextActive(product, contract, 1);
    }
  }

  /** The first active month that has not ended. */
  #front(product: SimulatedProduct): Contract {
    const today = new Date(this.#now());
    const from = { root: product.root, year: today.getUTCFullYear() - 1, month: 12 };
    let contract = nextActive(product, from, 1);
    while (today >= product.ends(contract.year, contract.month)) {
      contract = nextActive(product, contract, 1);
    }
    return contract;
  }

  #obtain(contract: Contract): Listed | undefined {
    const code = contractCode(contract);
    const known = this.#byCode.get(code);
    if (known !== undefined) return known;
    const traded = productOf(code);
    const product = productNamed(contract.root);
    if (traded === undefined || product === undefined) return undefined;

    this.#lastId += 2;
    const [maturityId, id] = [this.#lastId - 1, this.#lastId];
    const productId = this.#product(product);
    this.#store.seed("contractMaturity", {
      id: maturityId,
      productId,
      expirationMonth: contract.year * 100 + contract.month,
      // Without seconds, as the real service writes some dates.
      expirationDate: `${product.ends(contract.year, contract.month).toISOString().slice(0, 16)}Z`,
      isFront: contractCode(this.#front(product)) === code,
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
    const { valuePerPoint, currency, exchange } = product;
    const { tickSize } = traded;
    const listed = { code, entity, tickSize, valuePerPoint, currency, exchange };
    this.#byCode.set(code, listed);
    this.#byId.set(id, listed);
    return listed;
  }

  #product(product: SimulatedProduct): number {
    const known = this.#products.get(product.root);
    if (known !== undefined) return known;
    const id = FIRST_PRODUCT + this.#products.size;
    this.#products.set(product.root, id);
    this.#store.seed("product", {
      id,
      name: product.root,
      currencyId: USD + CURRENCIES.indexOf(product.currency),
      productType: "Futures",
      description: product.description,
      exchangeId: FIRST_EXCHANGE + EXCHANGES.indexOf(product.exchange),
      contractGroupId: 1,
      status: "Verified",
      months: product.months,
      valuePerPoint: product.valuePerPoint,
      priceFormatType: "Decimal",
      // As the documented NQ has it: so many digits behind the point.
      priceFormat: -(product.tickSize.split(".")[1] ?? "").length,
      tickSize: Number(product.tickSize),
      ...UNPUBLISHED,
      rolloverMonths: product.months,
      isMicro: product.root.startsWith("M"),
    });
    return id;
  }

  /** One digit of the year is the next such year, counted from last year; two digits say it. */
  #parse(name: string): Contract | undefined {
    const [, root = "", letter = "", digits = ""] = SYMBOL.exec(name.toUpperCase()) ?? [];
    if (root === "") return undefined;
    const month = MONTH_CODES.indexOf(letter) + 1;
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

function productNamed(root: string): SimulatedProduct | undefined {
  return PRODUCTS.find((product) => product.root === root);
}

function nextActive({ months }: SimulatedProduct, from: Contract, step: 1 | -1): Contract {
  let count = from.year * 12 + from.month - 1;
  do count += step;
  while (!months.includes(MONTH_CODES.charAt(count % 12)));
  return { root: from.root, year: Math.floor(count / 12), month: (count % 12) + 1 };
}
