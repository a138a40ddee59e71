/** What comes after the root: a continuous form, a month, or nothing. */
const REST = /^(?:\d!|[FGHJKMNQUVXZ]\d{1,4})?$/;

/** The root that a symbol stands for, such as MNQ for MNQ1!, MNQZ6 or CME_MINI:MNQ1!; undefined for others. */
export function contractOf<Contract extends { readonly root: string }>(
  symbol: string,
  contracts: readonly Contract[],
): Contract | undefined {
  const bare = symbol.trim().toUpperCase().replace(/^.*:/, "");
  return contracts
    .filter(({ root }) => bare.startsWith(root) && REST.test(bare.slice(root.length)))
    .toSorted((one, other) => other.root.length - one.root.length)[0];
}
