import type { Product } from "./product.ts";

/** The use that a symbol is wanted for. Least of all is a way out refused for what cannot be understood. */
export type SymbolUse = "entry" | "exit";

/** Answers which exchange that was said beside a product is not its own. */
export interface Exchanges {
  /** The first that speaks against it; undefined where none does. */
  readonly misfit: (
    product: Product,
    said: readonly string[],
    use: SymbolUse,
  ) => string | undefined;
  /** Whether one of them is its own. */
  readonly isNamed: (product: Product, said: readonly string[]) => boolean;
  /** Whether something of the table trades there. */
  readonly isOfTable: (name: string) => boolean;
  /** Whether it is known that nothing of the table does. */
  readonly isOther: (name: string) => boolean;
  /** Those that are no exchange of any name that is known. */
  readonly unknown: (said: readonly string[]) => readonly string[];
}

/**
 * The exchanges of the contract table by all their names, and `others`, at which no contract of it trades.
 * An entry goes to the exchange that is said, or nowhere. A way out is refused for an exchange that is
 * known to be another one: it means a share, say. An unknown word holds none back.
 */
export function createExchanges(
  products: readonly Product[],
  others: readonly string[],
): Exchanges {
  const ofTable = new Set(products.flatMap(namesOf).map(bare));
  const elsewhere = new Set(others.map(bare));
  const isOfTable = (name: string) => ofTable.has(bare(name));
  const isOther = (name: string) => !isOfTable(name) && elsewhere.has(bare(name));
  const isKnown = (name: string) => isOfTable(name) || isOther(name);
  const isOwn = (product: Product, name: string) =>
    namesOf(product).some((one) => bare(one) === bare(name));
  return {
    misfit: (product, said, use) =>
      said.find((name) => !isOwn(product, name) && (use === "entry" || isKnown(name))),
    isNamed: (product, said) => said.some((name) => isOwn(product, name)),
    isOfTable,
    isOther,
    unknown: (said) => said.filter((name) => !isKnown(name)),
  };
}

const namesOf = ({ exchange, prefixes }: Product): readonly string[] => [exchange, ...prefixes];

/** `CME_MINI`, `CME MINI` and `CMEMINI` are one exchange. */
const bare = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
