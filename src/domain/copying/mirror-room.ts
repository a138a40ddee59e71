import type { ContractCode } from "../contracts/contract.ts";
import type { MirrorView } from "./copy-mirror.ts";
import { copiedContract, sizedQty } from "./copy-target.ts";
import { type OrderReport, type Side, sign } from "../order.ts";

/** What one mirror asks for. Quantities are contracts that are not filled yet. */
export interface RoomRequest {
  readonly contract: ContractCode;
  readonly side: Side;
  /** The follower's. */
  readonly qty: number;
  /** What may still fill of the leader's order, where it was not counted before. */
  readonly leaderLeavesQty: number;
  /** It may only reduce what is held. */
  readonly isExit: boolean;
}

/** On one side of one contract. */
interface Given {
  /** What may still fill of the leader's orders that something was given to. */
  leaderQty: number;
  qty: number;
}

/**
 * How much a follower's mirrors may still fill, handed out one after another: together never more
 * than brings it to its target once the leader's orders that they stand for have filled as well, and
 * exits together never more than is held. Whichever side fills first, that stays true.
 */
export class MirrorRoom {
  readonly #view: MirrorView;
  readonly #leaderNet: ReadonlyMap<ContractCode, number>;
  readonly #given = new Map<string, Given>();

  constructor(view: MirrorView) {
    this.#view = view;
    const { follower, leader, cycleOf } = view;
    const net = new Map<ContractCode, number>();
    for (const [contract, qty] of leader.holds) {
      const copied = copiedContract(follower, contract, cycleOf);
      if (copied.kind === "contract") {
        net.set(copied.contract, (net.get(copied.contract) ?? 0) + qty);
      }
    }
    this.#leaderNet = net;
  }

  /** Answers how much of it may work, at least 0; only what may is counted from then on. */
  take({ contract, side, qty, leaderLeavesQty, isExit }: RoomRequest): number {
    const { follower, own } = this.#view;
    const given = this.#givenTo({ contract, side });
    const leaderQty = given.leaderQty + leaderLeavesQty;
    const heldQty = own.holds.get(contract) ?? 0;
    const net = (this.#leaderNet.get(contract) ?? 0) + sign(side) * leaderQty;
    const toTarget = sign(side) * (sizedQty(follower, net) - heldQty) - given.qty;
    const toFlat = -sign(side) * heldQty - given.qty;
    const room = isExit ? Math.min(toTarget, toFlat) : toTarget;
    const granted = Math.max(0, Math.min(qty, room));
    if (granted === 0) return 0;
    given.leaderQty = leaderQty;
    given.qty += granted;
    return granted;
  }

  /** What may still fill of a leader's order belongs to what the follower is to hold. */
  count(mirror: Pick<RoomRequest, "contract" | "side">, leaderLeavesQty: number): void {
    this.#givenTo(mirror).leaderQty += leaderLeavesQty;
  }

  #givenTo({ contract, side }: Pick<RoomRequest, "contract" | "side">): Given {
    const key = `${contract} ${side}`;
    const given = this.#given.get(key) ?? { leaderQty: 0, qty: 0 };
    this.#given.set(key, given);
    return given;
  }
}

/** Whether a leader's order only takes something off what the leader holds. */
export function isLeaderExit(
  { contract, side, leavesQty }: OrderReport,
  { leader }: Pick<MirrorView, "leader">,
): boolean {
  return leavesQty <= -sign(side) * (leader.holds.get(contract) ?? 0);
}

/** Whether a leader's order takes something off what the leader holds, and may turn it around. */
export function opposesLeader(
  { contract, side }: OrderReport,
  { leader }: Pick<MirrorView, "leader">,
): boolean {
  return sign(side) * (leader.holds.get(contract) ?? 0) < 0;
}

/** Whether an order on that side takes something off what the follower holds. */
export function opposes(
  side: Side,
  contract: ContractCode,
  { own }: Pick<MirrorView, "own">,
): boolean {
  return sign(side) * (own.holds.get(contract) ?? 0) < 0;
}
