/**
 * What ProjectX calls products otherwise than their exchanges, as far as it was seen: ES, NQ, ZN, ZB, HG,
 * MCL and MET in contract ids that several clients have published, the others by one source. All that
 * is not here is found by the name of its contracts.
 */
const SYMBOLS: Readonly<Record<string, string>> = {
  ES: "F.US.EP",
  NQ: "F.US.ENQ",
  ZN: "F.US.TYA",
  ZB: "F.US.USA",
  HG: "F.US.CPE",
  MCL: "F.US.MCLE",
  MET: "F.US.GMET",
};

const ROOTS: ReadonlyMap<string, string> = new Map(
  Object.entries(SYMBOLS).map(([root, symbol]) => [symbol, root]),
);

/** The exchange's root of a product; undefined where no source says it. */
export const rootOfSymbol = (symbol: string): string | undefined => ROOTS.get(symbol);

/** ProjectX's symbol of a root; undefined where no source says it. */
export const symbolOfRoot = (root: string): string | undefined => SYMBOLS[root];
