import { type ContractCode, rootOfCode } from "../contracts/contract.ts";
import type { Follower } from "./copy-group.ts";
import { copiedContract, type CycleOf, targetsOf } from "./copy-target.ts";
import type { Quantities } from "../holdings.ts";

/** One contract of a follower, and what its leader's position asks of it. Quantities are signed. */
export interface CopyState {
  readonly contract: ContractCode;
  /** What the leader's position comes to. */
  readonly targetQty: number;
  /** The target, as far as the follower may go there now. */
  readonly dueQty: number;
  readonly heldQty: number;
}

/**
 * Every contract that the follower holds or is to hold. What it holds of a contract that no leader's
 * could become is its own affair, and left out.
 */
export function copyStatesOf(
  follower: Follower,
  leaderHolds: Quantities,
  followerHolds: Quantities,
  cycleOf: CycleOf,
): readonly CopyState[] {
  const targets = targetsOf(follower, leaderHolds, cycleOf);
  const held = [...followerHolds].filter(([contract]) => isCopied(follower, contract, cycleOf));
  const contracts = new Set([...targets.keys(), ...held.map(([contract]) => contract)]);
  return [...contracts]
    .map((contract) => {
      const targetQty = targets.get(contract) ?? 0;
      const heldQty = followerHolds.get(contract) ?? 0;
      const dueQty = dueOf(follower, { contract, targetQty, heldQty });
      return { contract, targetQty, dueQty, heldQty };
    })
    .filter(({ targetQty, heldQty }) => targetQty !== 0 || heldQty !== 0);
}

export const driftOf = ({ heldQty, dueQty }: CopyState): number => heldQty - dueQty;

/** Why a follower may only take something off, in words; undefined where it may do everything. */
export function exitsOnlyIn(
  { stopped }: Pick<Follower, "stopped">,
  /** In the contract that is asked about. */
  isJoining: boolean,
): string | undefined {
  if (stopped !== undefined) {
    return `The follower is stopped, so only exits are copied to it: ${stopped.reason}`;
  }
  if (!isJoining) return undefined;
  return "The follower came, or was reached, too late for what the leader holds: entries are copied once the leader was flat, or after a sync";
}

/**
 * Whether a follower's target, as it was one after another, passed flat: what is held after is
 * another trade than the one before.
 */
export const hasTurned = (targets: readonly number[]): boolean =>
  targets.some((target, n) => n > 0 && target * (targets[n - 1] ?? 0) <= 0);

/**
 * The contracts in which a follower is joining no more, by what its leader held one after another:
 * the trade that it came too late for is over. Where its leader has not traded, nothing has ended.
 */
export function joinedBy(
  follower: Follower,
  along: readonly Quantities[],
  cycleOf: CycleOf,
): readonly ContractCode[] {
  const late = lateIn(follower);
  if (late.length === 0) return [];
  const traded = tradedIn(follower, along, cycleOf);
  const targets = along.map((leaderHolds) => targetsOf(follower, leaderHolds, cycleOf));
  return late.filter(
    (contract) => traded.has(contract) && hasTurned(targets.map((held) => held.get(contract) ?? 0)),
  );
}

/** The follower's contracts that stand for those in which its leader has traded. */
function tradedIn(
  follower: Follower,
  along: readonly Quantities[],
  cycleOf: CycleOf,
): ReadonlySet<ContractCode> {
  const contracts = [...new Set(along.flatMap((leaderHolds) => [...leaderHolds.keys()]))];
  const traded = contracts
    .filter((one) => new Set(along.map((leaderHolds) => leaderHolds.get(one) ?? 0)).size > 1)
    .map((one) => copiedContract(follower, one, cycleOf));
  return new Set(traded.flatMap((copied) => (copied.kind === "none" ? [] : [copied.contract])));
}

/** As one that is late for nothing. */
export const asJoined = (follower: Follower): Follower =>
  without(follower, lateIn(follower)) ?? follower;

/** The contracts in which it is joining, or holds what it held before it followed. */
export function lateIn({
  joining,
  heldBefore = {},
}: Pick<Follower, "joining" | "heldBefore">): readonly ContractCode[] {
  return [...new Set([...joining, ...(Object.keys(heldBefore) as ContractCode[])])];
}

/**
 * In these contracts joining no more, and nothing is its own any more; undefined where that changes
 * nothing.
 */
export function without(follower: Follower, joined: readonly ContractCode[]): Follower | undefined {
  if (!lateIn(follower).some((contract) => joined.includes(contract))) return undefined;
  const { heldBefore = {}, ...rest } = follower;
  const isLeft = (contract: string) => !joined.includes(contract as ContractCode);
  const kept = Object.entries(heldBefore).filter(([contract]) => isLeft(contract));
  return {
    ...rest,
    joining: follower.joining.filter(isLeft),
    ...(kept.length > 0 && { heldBefore: Object.fromEntries(kept) }),
  };
}

function dueOf(follower: Follower, state: Omit<CopyState, "dueQty">): number {
  const due = askedOf(follower, state);
  const kept = keptOf(follower, state);
  if (kept === 0) return due;
  return due * kept > 0 && Math.abs(due) > Math.abs(kept) ? due : kept;
}

/** What of it was held before the follower followed, and is none of the leader's: signed. */
export function keptOf(
  { heldBefore = {} }: Pick<Follower, "heldBefore">,
  { contract, heldQty }: Pick<CopyState, "contract" | "heldQty">,
): number {
  const before = heldBefore[contract] ?? 0;
  if (before * heldQty <= 0) return 0;
  return Math.sign(heldQty) * Math.min(Math.abs(heldQty), Math.abs(before));
}

/** By the leader's position, as far as the follower may go there now. */
function askedOf(
  follower: Follower,
  { contract, targetQty, heldQty }: Omit<CopyState, "dueQty">,
): number {
  const isJoining = follower.joining.includes(contract);
  if (exitsOnlyIn(follower, isJoining) === undefined) return targetQty;
  if (targetQty * heldQty <= 0) return 0;
  return Math.sign(targetQty) * Math.min(Math.abs(targetQty), Math.abs(heldQty));
}

/**
 * Whether some contract of a leader could become this one: options, spreads and what no table lists
 * are never copied, so they are never a drift either.
 */
export function isCopied(
  { symbolMap, allowedSymbols }: Pick<Follower, "symbolMap" | "allowedSymbols">,
  contract: ContractCode,
  cycleOf: CycleOf,
): boolean {
  const terms = { symbolMap: {}, ...(allowedSymbols !== undefined && { allowedSymbols }) };
  if (copiedContract(terms, contract, cycleOf).kind === "none") return false;
  const root = rootOfCode(contract);
  return Object.values(symbolMap).includes(root) || !Object.hasOwn(symbolMap, root);
}
