import { contracts } from "../../../config/contracts.ts";
import type { PaperProduct } from "../../../src/brokers/paper/exchange/product.ts";
import type { Quote } from "../../../src/brokers/paper/exchange/contract-book.ts";
import type { SessionHours } from "../../../src/brokers/paper/exchange/session-hours.ts";
import { referenceTicks } from "../../../src/brokers/paper/reference-prices.ts";
import {
  type ContractCode,
  parseContractCode,
  rootOfCode,
} from "../../../src/domain/contracts/contract.ts";
import { tickSize, ticks } from "../../../src/domain/contracts/price.ts";
import { PRODUCTS, type SimulatedProduct } from "./products.ts";

/** Its market is never open. */
const CLOSED_ROOT = "RTY";
const NEVER: SessionHours = { timeZone: "America/New_York", parts: [] };

/** Every month of every year trades, so that a test can have contracts of its own. */
const TRADED: ReadonlyMap<string, PaperProduct> = new Map(
  PRODUCTS.map((product) => [product.root, toPaperProduct(product)]),
);

/** More than any run takes out of one quote. */
const DEEP = 1_000_000_000;

export function productOf(contract: ContractCode): PaperProduct | undefined {
  const root = parseContractCode(contract)?.root;
  return root === undefined ? undefined : TRADED.get(root);
}

/** Where a contract trades until a quote is set: a plausible price, one tick wide, without bottom. */
export function openingQuote(contract: ContractCode): Quote {
  const row = contracts.find(({ root }) => root === rootOfCode(contract));
  const size = productOf(contract)?.tickSize;
  const bid = referenceTicks(row && size && { ...row, tickSize: size });
  return { bid, ask: ticks(bid + 1), bidQty: DEEP, askQty: DEEP };
}

function toPaperProduct(product: SimulatedProduct): PaperProduct {
  const { root, tickValue, currency } = product;
  const size = tickSize(product.tickSize);
  const open = { tickSize: size, tickValue, currency, isExpired: () => false };
  return root === CLOSED_ROOT ? { ...open, hours: NEVER } : open;
}
