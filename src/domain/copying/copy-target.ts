import {
  type ContractCode,
  contractCode,
  MONTH_CODES,
  parseContractCode,
} from "../contracts/contract.ts";
import type { CopySize, FollowerTerms } from "./copy-group.ts";
import { parseDecimal } from "../contracts/decimal.ts";
import type { Quantities } from "../holdings.ts";

/** The months in which a root is listed, as CME month codes; undefined for a root that is unknown. */
export type CycleOf = (root: string) => string | undefined;

/** Where a leader's contract is traded by a follower. */
export type CopiedContract =
  | { readonly kind: "contract"; readonly contract: ContractCode }
  /** It is not; why, in words. */
  | { readonly kind: "none"; readonly reason: string };

/** The same month of the root that the follower trades instead. */
export function copiedContract(
  { symbolMap, allowedSymbols }: Pick<FollowerTerms, "symbolMap" | "allowedSymbols">,
  leaderContract: ContractCode,
  cycleOf: CycleOf,
): CopiedContract {
  const parsed = parseContractCode(leaderContract);
  if (parsed === undefined) return none(`${leaderContract} is no contract`);
  const mapped = Object.hasOwn(symbolMap, parsed.root) ? symbolMap[parsed.root] : undefined;
  const root = mapped ?? parsed.root;
  if (allowedSymbols !== undefined && !allowedSymbols.includes(root)) {
    return none(`${root} is not among the follower's allowed symbols`);
  }
  const month = MONTH_CODES.charAt(parsed.month - 1);
  const cycle = cycleOf(root);
  if (cycle?.includes(month) !== true) return none(`${root} is not listed for the month ${month}`);
  return { kind: "contract", contract: contractCode({ ...parsed, root }) };
}

const none = (reason: string): CopiedContract => ({ kind: "none", reason });

/**
 * What the follower is to hold of each of its contracts, by what the leader holds: signed. Several
 * of the leader's contracts may become one of the follower's; their quantities add up before they
 * are sized. A contract in which nothing is to be held is 0 where the leader's is named.
 */
export function targetsOf(
  follower: Pick<FollowerTerms, "size" | "invert" | "symbolMap" | "allowedSymbols" | "maxQty">,
  leaderHolds: Quantities,
  cycleOf: CycleOf,
): Quantities {
  const sums = new Map<ContractCode, number>();
  for (const [leaderContract, netQty] of leaderHolds) {
    const copied = copiedContract(follower, leaderContract, cycleOf);
    if (copied.kind === "none") continue;
    sums.set(copied.contract, (sums.get(copied.contract) ?? 0) + netQty);
  }
  return new Map([...sums].map(([contract, netQty]) => [contract, sizedQty(follower, netQty)]));
}

/** What the follower holds for so many of the leader's: signed whole contracts. */
export function sizedQty(
  { size, invert, maxQty }: Pick<FollowerTerms, "size" | "invert" | "maxQty">,
  leaderQty: number,
): number {
  if (leaderQty === 0) return 0;
  const sized = scaled(size, Math.abs(leaderQty));
  const qty = maxQty === undefined ? sized : Math.min(sized, maxQty);
  if (qty === 0) return 0;
  return leaderQty > 0 === !invert ? qty : -qty;
}

/** Exact: a tenth of ten contracts is one. */
function scaled(size: CopySize, qty: number): number {
  if (size.by === "fixed") return size.qty;
  const multiplier = parseDecimal(size.multiplier);
  if (multiplier === undefined) throw new Error(`"${size.multiplier}" is no multiplier`);
  const whole = 10n ** BigInt(multiplier.scale);
  const units = BigInt(qty) * multiplier.units;
  switch (size.rounding) {
    case "down":
      return Number(units / whole);
    case "nearest":
      return Number((2n * units + whole) / (2n * whole));
    case "up":
      return Number((units + whole - 1n) / whole);
  }
}

/** Whether going from one signed quantity to another only takes something off. */
export function isReduction(from: number, to: number): boolean {
  return Math.abs(to) < Math.abs(from) && from * to >= 0;
}
