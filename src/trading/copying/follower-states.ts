import type { AccountId } from "../../domain/ids.ts";
import type { DriftedFollower } from "../ports.ts";

/** How a follower is, as this process last saw it. */
export type FollowerState = "following" | "joining" | "drifted" | "stopped" | "offline" | "off";

export type States = ReadonlyMap<
  AccountId,
  { readonly leader: AccountId; readonly state: FollowerState }
>;

/** How the followers were at the last look, of the leaders whose connection is owned here. */
export class FollowerStates {
  #states: States = new Map();

  /** Answers who is not among them any more. */
  replace(states: States): readonly AccountId[] {
    const gone = [...this.#states.keys()].filter((account) => !states.has(account));
    this.#states = states;
    return gone;
  }

  counts(): ReadonlyMap<FollowerState, number> {
    const counts = new Map<FollowerState, number>();
    for (const { state } of this.#states.values()) counts.set(state, (counts.get(state) ?? 0) + 1);
    return counts;
  }

  /** Those that need a person. */
  drifted(): readonly DriftedFollower[] {
    return [...this.#states].flatMap(([account, { leader, state }]) =>
      state === "drifted" || state === "stopped" ? [{ account, leader, state }] : [],
    );
  }
}
