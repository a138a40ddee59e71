import { type ContractCode, rootOfCode } from "./contract.ts";
import type { Follower } from "./copy-group.ts";
import { type CycleOf, targetsOf } from "./copy-target.ts";
import type { Quantities } from "./holdings.ts";

/** One contract of a follower, and what its leader's position asks of it. Quantities are signed. */
export interface CopyStanding {
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
export function standingsOf(
  follower: Follower,
  leaderHolds: Quantities,
  followerHolds: Quantities,
  cycleOf: CycleOf,
): readonly CopyStanding[] {
  const targets = targetsOf(follower, leaderHolds, cycleOf);
  const held = [...followerHolds].filter(([contract]) => isCopied(follower, contract));
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

export const driftOf = ({ heldQty, dueQty }: CopyStanding): number => heldQty - dueQty;

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
 * the trade that it came too late for is over.
 */
export function joinedBy(
  follower: Follower,
  along: readonly Quantities[],
  cycleOf: CycleOf,
): readonly ContractCode[] {
  if (follower.joining.length === 0) return [];
  const targets = along.map((leaderHolds) => targetsOf(follower, leaderHolds, cycleOf));
  return follower.joining.filter((contract) =>
    hasTurned(targets.map((held) => held.get(contract) ?? 0)),
  );
}

/** Joining no more in these contracts; undefined where it was in none of them. */
export function without(follower: Follower, joined: readonly ContractCode[]): Follower | undefined {
  const joining = follower.joining.filter((contract) => !joined.includes(contract));
  return joining.length === follower.joining.length ? undefined : { ...follower, joining };
}

function dueOf(
  follower: Follower,
  { contract, targetQty, heldQty }: Omit<CopyStanding, "dueQty">,
): number {
  const isJoining = follower.joining.includes(contract);
  if (exitsOnlyIn(follower, isJoining) === undefined) return targetQty;
  if (targetQty * heldQty <= 0) return 0;
  return Math.sign(targetQty) * Math.min(Math.abs(targetQty), Math.abs(heldQty));
}

/** Whether some contract of a leader could become this one. */
function isCopied(
  { symbolMap, allowedSymbols }: Pick<Follower, "symbolMap" | "allowedSymbols">,
  contract: ContractCode,
): boolean {
  const root = rootOfCode(contract);
  if (allowedSymbols !== undefined && !allowedSymbols.includes(root)) return false;
  return Object.values(symbolMap).includes(root) || !Object.hasOwn(symbolMap, root);
}
