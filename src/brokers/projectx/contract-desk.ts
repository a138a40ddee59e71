import {
  type ContractCode,
  contractCode,
  contractSymbol,
  MONTH_CODES,
  parseContractCode,
  unnamedContract,
} from "../../domain/contracts/contract.ts";
import { formatScaled, parseDecimal, rescale } from "../../domain/contracts/decimal.ts";
import { type TickSize, tickSize } from "../../domain/contracts/price.ts";
import type { Product } from "../../domain/contracts/product.ts";
import type { BrokerTerms } from "../../domain/broker-terms.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import { rootOfSymbol, symbolOfRoot } from "./contract-roots.ts";
import { CURRENCY, listOf, parseContract } from "./parse.ts";
import { BudgetUsedUpError, type Purpose } from "./requests.ts";
import type { ProjectXAnswer, ProjectXContract } from "./wire.ts";

/** Our own contract table, as far as a broker needs it. */
export interface ContractTerms {
  readonly product: (root: string) => Pick<Product, "tickSize" | "tickValue"> | undefined;
}

/** What the broker says of a contract otherwise than our table. */
export interface ContractDifference {
  readonly field: "tickSize" | "tickValue";
  readonly ours: string;
  readonly theirs: string;
}

/** A contract as it is called here, and what a price of it is counted in. */
export interface KnownContract {
  readonly code: ContractCode;
  /** As ProjectX numbers it: `CON.F.US.EP.U25`. */
  readonly id: string;
  readonly tickSize: TickSize;
  /** Present where our table lacks it. */
  readonly terms?: BrokerTerms;
}

/** What was learned of contracts. It outlives the session: an order is not to wait for it again. */
export class ContractMemory {
  readonly known = new Map<string, KnownContract>();
  readonly traded = new Map<ContractCode, KnownContract>();
  /** In which points the broker describes a contract otherwise than our table. */
  readonly disputes = new Map<ContractCode, readonly ContractDifference[]>();
}

export interface ContractDeskDeps {
  readonly memory: ContractMemory;
  readonly terms: ContractTerms;
  /** Throws `BrokerReadError`. */
  readonly read: (path: string, body: object, purpose: Purpose) => Promise<ProjectXAnswer>;
  readonly onDifference: (contract: ContractCode, difference: ContractDifference) => void;
  readonly elapsed: () => number;
}

const ID = /^CON\.(F\.[A-Z]+\.([A-Z0-9]+))\.([FGHJKMNQUVXZ])(\d{2})$/;
const NAME = /^([A-Z0-9]+)[FGHJKMNQUVXZ]\d{1,2}$/;
const CENTURY = 2_000;
const ASK_AGAIN_MS = 5_000;
/** Every price is a whole number of these, whatever its tick is, and counts of them stay exact. */
const FINEST = tickSize("0.00000001");

/** Knows which contract an id of the broker stands for, and which id a contract of ours has. */
export class ContractDesk {
  readonly #deps: ContractDeskDeps;
  readonly #learning = new Map<string, Promise<KnownContract | undefined>>();
  readonly #searches = new Map<string, Promise<KnownContract | undefined>>();
  readonly #askedAt = new Map<string, number>();
  /** What the broker did not say enough of; it is asked again now and then. */
  readonly #unclear = new Map<string, KnownContract>();

  constructor(deps: ContractDeskDeps) {
    this.#deps = deps;
  }

  /**
   * Undefined while the broker was not asked what the id stands for. What it does not say enough of even
   * then is a contract without a name: shown, counted, and never opened.
   */
  readonly byId = (id: string): KnownContract | undefined =>
    this.#deps.memory.known.get(id) ?? this.#unclear.get(id);

  /**
   * What an id stands for, as far as the broker says so when it is asked. Throws `BudgetUsedUpError`
   * where it was never asked.
   */
  async learn(id: string): Promise<KnownContract | undefined> {
    const known = this.#deps.memory.known.get(id);
    if (known !== undefined) return known;
    const running = this.#learning.get(id) ?? this.#ask(id);
    this.#learning.set(id, running);
    return await running.finally(() => this.#learning.delete(id));
  }

  /** The broker's id of a contract; undefined where it has none such. Throws `BrokerReadError`. */
  async idOf(code: ContractCode): Promise<string | undefined> {
    return (await this.find(code))?.id;
  }

  /**
   * The contract as the broker trades it; undefined where it has none such, which is asked again each
   * time: what is no exit's must leave the exits' requests alone. Throws `BrokerReadError`.
   */
  async find(code: ContractCode, purpose: Purpose = "entry"): Promise<KnownContract | undefined> {
    const { traded } = this.#deps.memory;
    const known = traded.get(code);
    if (known !== undefined) return known;
    const key = `${purpose} ${code}`;
    const search = this.#searches.get(key) ?? this.#search(code, purpose);
    this.#searches.set(key, search);
    const found = await search.finally(() => this.#searches.delete(key));
    if (found !== undefined) traded.set(code, found);
    return found;
  }

  /**
   * Why nothing may be opened in a contract; undefined where the broker describes it as our table, or
   * knows no such contract and refuses the order itself. Throws `BrokerReadError`.
   */
  async doubt(code: ContractCode): Promise<string | undefined> {
    const { disputes } = this.#deps.memory;
    let found = await this.find(code);
    // What it did not describe then, it may by now.
    if (found !== undefined && !disputes.has(code)) found = await this.#search(code, "entry");
    if (found === undefined) return undefined;
    const told = disputes.get(code);
    if (told === undefined) return `ProjectX does not say what a tick of ${found.id} is`;
    if (told.length === 0) return undefined;
    const words = told.map(
      ({ field, ours, theirs }) => `${FIELDS[field]} ${theirs} instead of ${ours}`,
    );
    return `ProjectX gives ${found.id} ${words.join(" and ")}`;
  }

  async #ask(id: string): Promise<KnownContract | undefined> {
    const { elapsed, read, memory } = this.#deps;
    const askedAt = this.#askedAt.get(id);
    if (askedAt !== undefined && elapsed() - askedAt < ASK_AGAIN_MS) return this.#unclear.get(id);
    let name = id;
    const isUnclear = this.#unclear.has(id);
    try {
      // What the broker did not describe once leaves the exits' requests alone.
      const purpose = isUnclear ? "read" : "protect";
      const answer = await read("Contract/searchById", { contractId: id }, purpose);
      const contract = parseContract(answer.body["contract"]);
      if (contract?.id === id) this.#learnFrom(contract);
      name = contract?.name ?? id;
    } catch (error) {
      // One contract that cannot be looked up keeps nobody from what else the account has.
      if (!(error instanceof BrokerReadError)) throw error;
      // It stays what it was called.
      if (isUnclear) return this.#unclear.get(id);
      if (error instanceof BudgetUsedUpError) throw error;
    }
    this.#askedAt.set(id, elapsed());
    const unnamed = { code: unnamedContract(name), id, tickSize: FINEST, terms: FINE_TERMS };
    if (memory.known.has(id)) this.#unclear.delete(id);
    else this.#unclear.set(id, unnamed);
    return this.byId(id);
  }

  /**
   * A search finds what has the text anywhere in it, other products among it: what counts is the id that
   * is made of the product's own symbol and the month.
   */
  async #search(code: ContractCode, purpose: Purpose): Promise<KnownContract | undefined> {
    const contract = parseContractCode(code);
    if (contract === undefined) return this.#nameless(code);
    for (const searchText of [contractSymbol(contract), contract.root]) {
      const body = { searchText, live: false };
      const answer = await this.#deps.read("Contract/search", body, purpose);
      const listed = listOf(answer, "contracts");
      if (listed === undefined) throw new BrokerReadError("ProjectX lists no contracts");
      const found = listed
        .flatMap((one) => parseContract(one) ?? [])
        .map((one) => this.#learnFrom(one))
        .find((one) => one?.code === code);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What is shown by the broker's own number. */
  #nameless(code: ContractCode): KnownContract | undefined {
    const all = [...this.#deps.memory.known.values(), ...this.#unclear.values()];
    return all.find((one) => one.code === code);
  }

  #learnFrom(contract: ProjectXContract): KnownContract | undefined {
    const known = this.#read(contract);
    if (known === undefined) return undefined;
    this.#deps.memory.known.set(contract.id, known);
    return known;
  }

  #read(contract: ProjectXContract): KnownContract | undefined {
    const [, symbol = "", , letter = "", year = ""] = ID.exec(contract.id) ?? [];
    if (letter === "" || (contract.symbolId ?? symbol) !== symbol) return undefined;
    const root = rootOfSymbol(symbol) ?? this.#rootByName(contract, symbol);
    if (root === undefined) return undefined;
    const month = MONTH_CODES.indexOf(letter) + 1;
    const code = contractCode({ root, year: CENTURY + Number(year), month });
    if (parseContractCode(code) === undefined) return undefined;
    const listed = this.#deps.terms.product(root);
    if (listed !== undefined) {
      this.#compare(code, listed, contract);
      return { code, id: contract.id, tickSize: listed.tickSize };
    }
    const terms = termsOf(contract);
    return { code, id: contract.id, tickSize: terms.tickSize, terms };
  }

  /**
   * A product whose symbol is not known here is the one that its contracts are called by, unless that
   * one is known to have another symbol, or another tick.
   */
  #rootByName({ name, tickSize: size }: ProjectXContract, symbol: string): string | undefined {
    const [, root] = NAME.exec(name ?? "") ?? [];
    if (root === undefined) return undefined;
    const own = symbolOfRoot(root);
    if (own !== undefined && own !== symbol) return undefined;
    const listed = this.#deps.terms.product(root);
    if (listed === undefined) return root;
    return size !== undefined && isEqual(listed.tickSize, size) ? root : undefined;
  }

  #compare(
    code: ContractCode,
    ours: Pick<Product, "tickSize" | "tickValue">,
    theirs: ProjectXContract,
  ): void {
    const fields = ["tickSize", "tickValue"] as const;
    if (fields.some((field) => theirs[field] === undefined)) return;
    const told = fields.flatMap((field) => {
      const value = theirs[field] ?? 0;
      return isEqual(ours[field], value)
        ? []
        : [{ field, ours: ours[field], theirs: String(value) }];
    });
    this.#deps.memory.disputes.set(code, told);
    for (const difference of told) this.#deps.onDifference(code, difference);
  }
}

const FIELDS = { tickSize: "a tick of", tickValue: "a tick worth" } as const;
const FINE_TERMS: BrokerTerms = { tickSize: FINEST };

/** The broker's own facts of what our table lacks. */
function termsOf({ tickSize: size, tickValue }: ProjectXContract): BrokerTerms {
  const [tick, worth] = [decimalText(size), decimalText(tickValue)];
  if (tick === undefined) return FINE_TERMS;
  return {
    tickSize: tickSize(tick),
    ...(worth !== undefined && { tickValue: worth, currency: CURRENCY }),
  };
}

/** Undefined for what can be no tick size or value. */
function decimalText(value: number | undefined): string | undefined {
  const parsed = value === undefined ? undefined : parseDecimal(String(value));
  return parsed === undefined || parsed.units <= 0n ? undefined : formatScaled(parsed);
}

function isEqual(ours: string, theirs: number): boolean {
  const [left, right] = [parseDecimal(ours), parseDecimal(String(theirs))];
  if (left === undefined || right === undefined) return false;
  const scale = Math.max(left.scale, right.scale);
  return rescale(left, scale) === rescale(right, scale);
}
