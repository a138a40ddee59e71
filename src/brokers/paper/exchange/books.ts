import assert from "node:assert/strict";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import { ContractBook } from "./contract-book.ts";
import type { ExchangeOrder } from "./exchange-order.ts";
import type { PaperProduct } from "./product.ts";

export interface BooksDeps {
  readonly product: (contract: ContractCode) => PaperProduct | undefined;
  /** Whether the contract has live orders, and so needs its quotes. */
  readonly onInterest: (contract: ContractCode, isWanted: boolean) => void;
}

/** One book for each contract that was ever asked about. */
export class Books {
  readonly #deps: BooksDeps;
  readonly #books = new Map<ContractCode, ContractBook>();

  constructor(deps: BooksDeps) {
    this.#deps = deps;
  }

  /** Undefined for a contract that does not exist. */
  find(contract: ContractCode): ContractBook | undefined {
    const known = this.#books.get(contract);
    if (known !== undefined) return known;
    const product = this.#deps.product(contract);
    if (product === undefined) return undefined;
    const book = new ContractBook(contract, product);
    this.#books.set(contract, book);
    return book;
  }

  /** The book of an order that was taken once. */
  of({ contract }: ExchangeOrder): ContractBook {
    const book = this.find(contract);
    assert(book !== undefined, `${contract} has been traded, so it is known`);
    return book;
  }

  /** Says whether the book's quotes are wanted, when that has changed. */
  publishInterest(book: ContractBook): void {
    const isWanted = !book.isEmpty;
    if (isWanted === book.isWatched) return;
    book.isWatched = isWanted;
    this.#deps.onInterest(book.contract, isWanted);
  }
}
