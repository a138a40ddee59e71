import {
  type ContractCode,
  contractCode,
  contractSymbol,
  MONTH_CODES,
  parseContractCode,
} from "../../domain/contract.ts";
import { parseDecimal, rescale } from "../../domain/decimal.ts";
import { tickSize } from "../../domain/price.ts";
import type { Product } from "../../domain/product.ts";
import type { CommandFailure } from "../../trading/ports.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import type { EntityStore } from "./entity-store.ts";
import type { KnownContract } from "./order-view.ts";
import { parseEntity } from "./parse.ts";
import type { TradovateContract, TradovateContractMaturity, TradovateProduct } from "./wire.ts";

/** Our own contract table, as far as a broker needs it. */
export interface ContractTerms {
  readonly product: (root: string) => Pick<Product, "tickSize" | "pointValue"> | undefined;
}

/** What the broker says of a contract otherwise than our table. */
export interface ContractDifference {
  readonly field: "tickSize" | "pointValue";
  readonly ours: string;
  readonly theirs: string;
}

/** A contract that orders may be sent for. */
export interface TradedContract extends KnownContract {
  readonly id: number;
  /** As Tradovate writes it: `ESZ6`. */
  readonly symbol: string;
}

/** What was learned of contracts. It outlives the session: an order is not to wait for it again. */
export class ContractMemory {
  readonly known = new Map<number, KnownContract>();
  readonly traded = new Map<ContractCode, TradedContract>();
}

export interface ContractDeskDeps {
  readonly memory: ContractMemory;
  readonly store: EntityStore;
  readonly terms: ContractTerms;
  /** Asks one entity of the broker; undefined where it knows none. Throws `BrokerReadError`. */
  readonly ask: (endpoint: string, query: string) => Promise<unknown>;
  readonly onDifference: (contract: ContractCode, difference: ContractDifference) => void;
  readonly elapsed: () => number;
}

const NAME = /^([A-Z0-9]+)([FGHJKMNQUVXZ])(\d{1,2})$/;
const ASK_AGAIN_MS = 5_000;

/** Knows which contract an id of the broker stands for, and which id a contract of ours has. */
export class ContractDesk {
  readonly #deps: ContractDeskDeps;
  readonly #searches = new Map<ContractCode, Promise<TradedContract | CommandFailure>>();
  readonly #askedAt = new Map<number, number>();

  constructor(deps: ContractDeskDeps) {
    this.#deps = deps;
  }

  /** Undefined while the broker has not told what the id stands for; it is asked then. */
  readonly byId = (id: number): KnownContract | undefined => {
    const { memory, store } = this.#deps;
    const known = memory.known.get(id);
    if (known !== undefined) return known;
    const contract = store.get("contract", id);
    const maturity = contract && store.get("contractMaturity", contract.contractMaturityId);
    const product = maturity && store.get("product", maturity.productId);
    if (contract === undefined || maturity === undefined) return undefined;
    const found = this.#read(contract, maturity, product);
    if (found !== undefined) memory.known.set(id, found);
    return found;
  };

  /** Whether something could be learned of an id that stands for nothing yet. */
  async learn(id: number): Promise<boolean> {
    const { elapsed } = this.#deps;
    const askedAt = this.#askedAt.get(id);
    if (id === 0 || (askedAt !== undefined && elapsed() - askedAt < ASK_AGAIN_MS)) return false;
    this.#askedAt.set(id, elapsed());
    const contract = await this.#entity("contract", `contract/item`, `id=${id}`);
    if (contract !== undefined) await this.#learnTerms(contract);
    return this.byId(id) !== undefined;
  }

  /** The contract as the broker trades it, or why no order can be sent for it. */
  async find(code: ContractCode): Promise<TradedContract | CommandFailure> {
    const { traded } = this.#deps.memory;
    const known = traded.get(code);
    if (known !== undefined) return known;
    const running = this.#searches.get(code);
    if (running !== undefined) return await running;
    const search = this.#search(code).finally(() => this.#searches.delete(code));
    this.#searches.set(code, search);
    const found = await search;
    if (!("kind" in found)) traded.set(code, found);
    return found;
  }

  async #search(code: ContractCode): Promise<TradedContract | CommandFailure> {
    const contract = parseContractCode(code);
    if (contract === undefined) return rejected(`${code} is no contract`);
    const symbol = contractSymbol(contract);
    try {
      const found = await this.#entity("contract", "contract/find", `name=${symbol}`);
      if (found === undefined || found.name !== symbol) {
        return rejected(`Tradovate knows no contract ${symbol}`);
      }
      const product = await this.#learnTerms(found);
      const known = this.byId(found.id);
      if (known === undefined) return rejected(`Tradovate does not say what ${symbol} is`);
      if (known.code !== code) return rejected(`Tradovate's ${symbol} is ${known.code}`);
      if (product !== undefined) this.#compare(code, contract.root, product);
      return { ...known, id: found.id, symbol };
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      return { kind: "notSent", reason: `${symbol} could not be looked up: ${error.message}` };
    }
  }

  async #learnTerms(contract: TradovateContract): Promise<TradovateProduct | undefined> {
    const { store } = this.#deps;
    const month = contract.contractMaturityId;
    const maturity =
      store.get("contractMaturity", month) ??
      (await this.#entity("contractMaturity", "contractMaturity/item", `id=${month}`));
    if (maturity === undefined) return undefined;
    const { productId } = maturity;
    return (
      store.get("product", productId) ??
      (await this.#entity("product", "product/item", `id=${productId}`))
    );
  }

  async #entity<Type extends "contract" | "contractMaturity" | "product">(
    type: Type,
    endpoint: string,
    query: string,
  ) {
    const entity = parseEntity(type, await this.#deps.ask(endpoint, query));
    if (entity !== undefined) this.#deps.store.merge(type, [entity]);
    return entity;
  }

  #read(
    { name }: TradovateContract,
    maturity: TradovateContractMaturity,
    product: TradovateProduct | undefined,
  ): KnownContract | undefined {
    const [, root = "", letter = "", digits = ""] = NAME.exec(name) ?? [];
    const terms = this.#deps.terms.product(root);
    const theirs = product && decimalText(product.tickSize);
    const size = terms?.tickSize ?? (theirs === undefined ? undefined : tickSize(theirs));
    if (size === undefined) return undefined;
    // What no future is called so stays as the broker writes it: shown, and never traded.
    if (root === "") return { code: name as ContractCode, tickSize: size };
    const month = MONTH_CODES.indexOf(letter) + 1;
    const year = fullYear(digits, Math.trunc(maturity.expirationMonth / 100));
    return { code: contractCode({ root, year, month }), tickSize: size };
  }

  #compare(code: ContractCode, root: string, product: TradovateProduct): void {
    const terms = this.#deps.terms.product(root);
    if (terms === undefined) return;
    const compare = (field: ContractDifference["field"], ours: string, value: number) => {
      const theirs = decimalText(value);
      if (theirs === undefined || isEqual(ours, theirs)) return;
      this.#deps.onDifference(code, { field, ours, theirs });
    };
    compare("tickSize", terms.tickSize, product.tickSize);
    compare("pointValue", terms.pointValue, product.valuePerPoint);
  }
}

/** The year nearest to the one of the expiration that ends in these digits. */
function fullYear(digits: string, near: number): number {
  const span = digits.length === 1 ? 10 : 100;
  const base = near - (near % span) + Number(digits);
  const choices = [base - span, base, base + span];
  return choices.reduce((best, year) =>
    Math.abs(year - near) < Math.abs(best - near) ? year : best,
  );
}

/** Undefined for what can be no tick size or value. */
function decimalText(value: number): string | undefined {
  const text = String(value);
  const parsed = parseDecimal(text);
  return parsed === undefined || parsed.units <= 0n ? undefined : text;
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  if (left === undefined || right === undefined) return false;
  const scale = Math.max(left.scale, right.scale);
  return rescale(left, scale) === rescale(right, scale);
}

const rejected = (reason: string): CommandFailure => ({ kind: "rejected", reason });
