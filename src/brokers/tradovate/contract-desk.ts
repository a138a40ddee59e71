import {
  type ContractCode,
  contractCode,
  contractSymbol,
  MONTH_CODES,
  parseContractCode,
  unnamedContract,
} from "../../domain/contracts/contract.ts";
import { formatScaled, parseDecimal, rescale } from "../../domain/contracts/decimal.ts";
import { tickSize } from "../../domain/contracts/price.ts";
import type { Product } from "../../domain/contracts/product.ts";
import type { BrokerTerms } from "../../domain/broker-terms.ts";
import type { CommandFailure } from "../../trading/ports.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import type { EntityStore } from "./entity-store.ts";
import type { KnownContract } from "./order-view.ts";
import { BudgetUsedUpError } from "./requests.ts";
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
  /** In which points the broker describes a contract otherwise than our table. */
  readonly disputes = new Map<ContractCode, readonly ContractDifference[]>();
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
/** Every price is a whole number of these, whatever its tick is, and counts of them stay exact. */
const FINEST = tickSize("0.00000001");

/** Knows which contract an id of the broker stands for, and which id a contract of ours has. */
export class ContractDesk {
  readonly #deps: ContractDeskDeps;
  readonly #searches = new Map<ContractCode, Promise<TradedContract | CommandFailure>>();
  readonly #learning = new Map<number, Promise<KnownContract | undefined>>();
  readonly #askedAt = new Map<number, number>();
  /** What the broker did not say enough of; it is asked again now and then. */
  readonly #unclear = new Map<number, KnownContract>();

  constructor(deps: ContractDeskDeps) {
    this.#deps = deps;
  }

  /**
   * Undefined while the broker has not told what the id stands for, and was not asked. What it does
   * not say enough of even then is a contract without a name: shown, counted, and never traded.
   */
  readonly byId = (id: number): KnownContract | undefined =>
    this.#clear(id) ?? this.#unclear.get(id);

  /** What an id stands for, as far as the broker says so when it is asked; undefined for none. */
  async learn(id: number): Promise<KnownContract | undefined> {
    const known = id === 0 ? undefined : this.#clear(id);
    if (id === 0 || known !== undefined) return known;
    const running = this.#learning.get(id) ?? this.#ask(id);
    this.#learning.set(id, running);
    return await running.finally(() => this.#learning.delete(id));
  }

  async #ask(id: number): Promise<KnownContract | undefined> {
    const { elapsed } = this.#deps;
    const askedAt = this.#askedAt.get(id);
    if (askedAt !== undefined && elapsed() - askedAt < ASK_AGAIN_MS) return this.#unclear.get(id);
    try {
      const contract = await this.#entity("contract", `contract/item`, `id=${id}`);
      if (contract !== undefined) await this.#learnTerms(contract);
    } catch (error) {
      // One contract that cannot be looked up keeps nobody from what else the account has.
      if (!(error instanceof BrokerReadError) || error instanceof BudgetUsedUpError) throw error;
    }
    this.#askedAt.set(id, elapsed());
    if (this.#clear(id) === undefined) this.#unclear.set(id, this.#guess(id));
    else this.#unclear.delete(id);
    return this.byId(id);
  }

  #clear(id: number): KnownContract | undefined {
    const { memory, store } = this.#deps;
    const known = memory.known.get(id);
    if (known !== undefined) return known;
    const contract = store.get("contract", id);
    const maturity = contract && store.get("contractMaturity", contract.contractMaturityId ?? 0);
    const product = maturity && store.get("product", maturity.productId);
    if (contract === undefined || maturity === undefined || !isMonth(maturity)) return undefined;
    const found = this.#read(contract, maturity, product);
    if (found !== undefined) memory.known.set(id, found);
    return found;
  }

  /** What can be said of a contract that the broker does not tell all of. */
  #guess(id: number): KnownContract {
    const name = this.#deps.store.get("contract", id)?.name;
    const terms = { tickSize: FINEST };
    const code = unnamedContract(name ?? String(id));
    return { code, tickSize: FINEST, terms, ...(name !== undefined && { name }) };
  }

  /**
   * Why nothing may be opened in a contract; undefined where the broker describes it as our table,
   * or knows no such contract and refuses the order itself.
   * Throws `BrokerReadError` when it could not be asked.
   */
  async doubt(code: ContractCode): Promise<string | undefined> {
    const { disputes: compared } = this.#deps.memory;
    let found = await this.find(code);
    // What it did not describe then, it may by now.
    if (!("kind" in found) && !compared.has(code)) found = await this.#search(code);
    if ("kind" in found) {
      if (found.kind === "notSent") throw new BrokerReadError(found.reason);
      return undefined;
    }
    const disputes = compared.get(code);
    if (disputes === undefined) {
      return `Tradovate does not say what a tick and a point of ${found.symbol} are`;
    }
    if (disputes.length === 0) return undefined;
    const words = disputes.map(
      ({ field, ours, theirs }) => `${FIELDS[field]} ${theirs} instead of ${ours}`,
    );
    return `Tradovate gives ${found.symbol} ${words.join(" and ")}`;
  }

  /** What is held, and what there are orders for. */
  async learnUsed(): Promise<void> {
    const { store } = this.#deps;
    const held = store.all("position").filter(({ netPos }) => netPos !== 0);
    const traded = store.all("order").map(({ contractId }) => contractId ?? 0);
    for (const id of new Set([...held.map(({ contractId }) => contractId), ...traded])) {
      await this.learn(id);
    }
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
    // What it told is as it calls it, whatever a contract is called elsewhere.
    const symbol = this.#nameOf(code) ?? (contract && contractSymbol(contract));
    if (symbol === undefined) return rejected(`Tradovate does not tell how ${code} is called`);
    try {
      const found = await this.#entity("contract", "contract/find", `name=${symbol}`);
      if (found === undefined || found.name !== symbol) {
        return rejected(`Tradovate knows no contract ${symbol}`);
      }
      const product = await this.#learnTerms(found);
      const known = this.byId(found.id);
      if (known === undefined) return rejected(`Tradovate does not say what ${symbol} is`);
      if (known.code !== code) return rejected(`Tradovate's ${symbol} is ${known.code}`);
      if (contract !== undefined && product !== undefined) {
        this.#compare(code, contract.root, product);
      }
      return { ...known, id: found.id, symbol };
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      return { kind: "notSent", reason: `${symbol} could not be looked up: ${error.message}` };
    }
  }

  /** Options and the like are called at the broker as they are shown here. */
  #nameOf(code: ContractCode): string | undefined {
    const known = [...this.#deps.memory.known.values(), ...this.#unclear.values()];
    return known.find((one) => one.code === code)?.name;
  }

  async #learnTerms(contract: TradovateContract): Promise<TradovateProduct | undefined> {
    const { store } = this.#deps;
    const month = contract.contractMaturityId;
    if (month === undefined) return undefined;
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
    const listed = this.#deps.terms.product(root);
    const terms = listed === undefined ? this.#termsOf(product) : undefined;
    // Without its product nobody can say what it is counted in; it may be told yet.
    if (listed === undefined && product === undefined) return undefined;
    const size = listed?.tickSize ?? terms?.tickSize ?? FINEST;
    const known = { name, tickSize: size, ...(terms !== undefined && { terms }) };
    // What no future is called so stays as the broker writes it: shown and closed, never opened.
    if (root === "") return { code: name as ContractCode, ...known };
    const month = MONTH_CODES.indexOf(letter) + 1;
    const year = fullYear(digits, Math.trunc(maturity.expirationMonth / 100));
    return { code: contractCode({ root, year, month }), ...known };
  }

  /** The broker's own facts of what our table lacks. */
  #termsOf(product: TradovateProduct | undefined): BrokerTerms {
    const size = product && decimalText(product.tickSize);
    const worth = product && decimalText(product.valuePerPoint);
    const { name: currency } = this.#deps.store.get("currency", product?.currencyId ?? 0) ?? {};
    const tickValue =
      size === undefined || worth === undefined ? undefined : productOf(size, worth);
    return {
      tickSize: size === undefined ? FINEST : tickSize(size),
      ...(tickValue !== undefined && { tickValue }),
      ...(currency !== undefined && /^[A-Z]{3}$/.test(currency) && { currency }),
    };
  }

  #compare(code: ContractCode, root: string, product: TradovateProduct): void {
    const terms = this.#deps.terms.product(root);
    if (terms === undefined) return;
    const disputes: ContractDifference[] = [];
    const compare = (field: ContractDifference["field"], ours: string, value: number) => {
      const theirs = decimalText(value) ?? String(value);
      if (!isEqual(ours, theirs)) disputes.push({ field, ours, theirs });
    };
    compare("tickSize", terms.tickSize, product.tickSize);
    compare("pointValue", terms.pointValue, product.valuePerPoint);
    this.#deps.memory.disputes.set(code, disputes);
    for (const difference of disputes) this.#deps.onDifference(code, difference);
  }
}

const FIELDS = { tickSize: "a tick of", pointValue: "a point worth" } as const;

/** Two exact decimals, multiplied. */
function productOf(one: string, other: string): string | undefined {
  const [left, right] = [parseDecimal(one), parseDecimal(other)];
  if (left === undefined || right === undefined) return undefined;
  return formatScaled({ units: left.units * right.units, scale: left.scale + right.scale });
}

/** Whether its figure is a year and a month of our time: a year is told by it. */
function isMonth({ expirationMonth }: TradovateContractMaturity): boolean {
  const [year, month] = [Math.trunc(expirationMonth / 100), expirationMonth % 100];
  return year >= 2000 && year < 2100 && Number.isInteger(month) && month >= 1 && month <= 12;
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
