import {
  type ContractCode,
  contractCode,
  contractSymbol,
  MONTH_CODES,
  parseContractCode,
} from "../../../src/domain/contracts/contract.ts";
import { type TickSize, tickSize } from "../../../src/domain/contracts/price.ts";
import { PRODUCTS, type SimulatedProduct } from "../exchange/products.ts";
import type { ContractEntity } from "./entities.ts";

/**
 * How ProjectX calls products that it does not call by their roots [COM: lists of contracts that users
 * have published]. All others are called by their root here, which is a guess.
 */
const PRODUCT_CODES: Readonly<Record<string, string>> = {
  ES: "EP",
  NQ: "ENQ",
  CL: "CLE",
  MCL: "MCLE",
  NG: "NGE",
  GC: "GCE",
  SI: "SIE",
  HG: "CPE",
  PL: "PLE",
  ZN: "TYA",
  ZB: "USA",
  MET: "GMET",
  "6E": "EU6",
  "6B": "BP6",
  "6J": "JY6",
  "6C": "CA6",
};
const NAME = /^([A-Z0-9]{1,4})([FGHJKMNQUVXZ])(\d)$/;
const ID = /^CON\.F\.US\.([A-Z0-9]+)\.([FGHJKMNQUVXZ])(\d{2})$/;
const CENTURY = 2_000;
/** What a search for one root finds besides, and before it [COM: QG and QM were seen]. */
const FOUND_TOO: Readonly<Record<string, readonly string[]>> = { NG: ["QG"], CL: ["QM"] };
/** A search lists no more [OFF]. */
const MOST_FOUND = 20;
const MONTHS_LISTED = 2;

export interface Listed {
  readonly code: ContractCode;
  readonly entity: ContractEntity;
  readonly tickSize: TickSize;
}

interface Product extends SimulatedProduct {
  /** `EP`. */
  readonly called: string;
}

/** Contracts by their ids, names and codes: every month of every year of all products. */
export class Contracts {
  readonly #now: () => number;
  readonly #byRoot = new Map<string, Product>();
  readonly #byCalled = new Map<string, Product>();
  readonly #listed = new Map<ContractCode, Listed>();
  readonly #inactive = new Set<ContractCode>();
  readonly #unlisted = new Set<ContractCode>();

  constructor(now: () => number) {
    this.#now = now;
    for (const product of PRODUCTS) {
      const called = { ...product, called: PRODUCT_CODES[product.root] ?? product.root };
      this.#byRoot.set(product.root, called);
      this.#byCalled.set(called.called, called);
    }
  }

  /** By `CON.F.US.EP.Z26`. */
  byId(id: string): Listed | undefined {
    const [, called = "", month = "", year = ""] = ID.exec(id) ?? [];
    const product = this.#byCalled.get(called);
    return product && this.#obtain(product, CENTURY + Number(year), month);
  }

  byCode(code: ContractCode): Listed | undefined {
    const contract = parseContractCode(code);
    const product = contract && this.#byRoot.get(contract.root);
    if (contract === undefined || product === undefined) return undefined;
    return this.#obtain(product, contract.year, MONTH_CODES.charAt(contract.month - 1));
  }

  /** By `ESZ2026`, `ESZ6` or an id. A digit is the next such year, counted from last year. */
  find(name: string): Listed | undefined {
    return this.byCode(name as ContractCode) ?? this.byId(name) ?? this.#byName(name);
  }

  /** What has the text in its name or description, in any product. */
  search(text: string): readonly ContractEntity[] {
    const wanted = text.trim().toUpperCase();
    const exact = this.#byName(wanted);
    const root = NAME.exec(wanted)?.[1] ?? wanted;
    const besides = (FOUND_TOO[root] ?? []).flatMap((other) => this.#byRoot.get(other) ?? []);
    const products = [...this.#byRoot.values()].filter((product) => {
      const { called, description } = product;
      const words = [product.root, called, description.toUpperCase()];
      return words.some((word) => word.includes(wanted));
    });
    const monthsOf = (some: readonly Product[]) => some.flatMap((one) => this.#months(one));
    const found = [...monthsOf(besides), ...(exact ? [exact] : []), ...monthsOf(products)];
    const shown = found.filter(({ code }) => !this.#unlisted.has(code));
    return [...new Set(shown)].slice(0, MOST_FOUND).map((one) => this.entity(one));
  }

  /** The front month of everything. */
  available(): readonly ContractEntity[] {
    return [...this.#byRoot.values()].flatMap((product) => {
      const [front] = this.#months(product);
      return front === undefined ? [] : [this.entity(front)];
    });
  }

  /** As it is now. */
  entity({ entity, code }: Listed): ContractEntity {
    return { ...entity, activeContract: entity.activeContract && !this.#inactive.has(code) };
  }

  isActive(code: ContractCode): boolean {
    return !this.#inactive.has(code);
  }

  setActive(code: ContractCode, isActive: boolean): void {
    if (isActive) this.#inactive.delete(code);
    else this.#inactive.add(code);
  }

  /** What is not listed is in no search, and can be asked for by its id. */
  setListed(code: ContractCode, isListed: boolean): void {
    if (isListed) this.#unlisted.delete(code);
    else this.#unlisted.add(code);
  }

  #byName(name: string): Listed | undefined {
    const [, root = "", month = "", digit = ""] = NAME.exec(name) ?? [];
    const product = this.#byRoot.get(root);
    if (product === undefined) return undefined;
    const from = new Date(this.#now()).getUTCFullYear() - 1;
    const year = from + ((Number(digit) - (from % 10) + 10) % 10);
    return this.#obtain(product, year, month);
  }

  #months(product: Product): readonly Listed[] {
    const now = new Date(this.#now());
    const months: Listed[] = [];
    for (let n = 0; months.length < MONTHS_LISTED; n += 1) {
      const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n, 1));
      const month = MONTH_CODES.charAt(at.getUTCMonth());
      const isTraded = product.months.includes(month);
      const ends = product.ends(at.getUTCFullYear(), at.getUTCMonth() + 1);
      if (isTraded && ends > now) months.push(this.#obtain(product, at.getUTCFullYear(), month));
    }
    return months;
  }

  #obtain(product: Product, year: number, letter: string): Listed {
    const contract = { root: product.root, year, month: MONTH_CODES.indexOf(letter) + 1 };
    const code = contractCode(contract);
    const known = this.#listed.get(code);
    if (known !== undefined) return known;
    const symbolId = `F.US.${product.called}`;
    const years = String(year % 100).padStart(2, "0");
    const listed: Listed = {
      code,
      tickSize: tickSize(product.tickSize),
      entity: {
        id: `CON.${symbolId}.${letter}${years}`,
        name: contractSymbol(contract),
        description: `${product.description}: ${MONTHS[contract.month - 1] ?? ""} ${year}`,
        tickSize: Number(product.tickSize),
        tickValue: Number(product.tickValue),
        activeContract: true,
        symbolId,
      },
    };
    this.#listed.set(code, listed);
    return listed;
  }
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
