import { contracts as products } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import type { CopyGroup, Follower } from "../../../../src/domain/copying/copy-group.ts";
import { accountId, copyGroupId, intentId, userId } from "../../../../src/domain/ids.ts";
import type { CopyEntry } from "../../../../src/trading/copying/ports.ts";

/** One group in plain values; a test names only what it is about. */

export const contracts = createContractDirectory({ products, holidays, closures });
export const cycleOf = (root: string) => contracts.product(root)?.cycle;
export const NOW = Date.parse("2026-11-21T15:00:00Z");
export const OWNER = userId("user_1");
export const STRANGER = userId("user_2");

export const LEADER = accountId("paper-1");
export const FIRST = accountId("paper-2");
export const SECOND = accountId("paper-3");
export const THIRD = accountId("paper-4");

export const ES = "ESZ2026" as ContractCode;
export const NQ = "NQZ2026" as ContractCode;
export const MNQ = "MNQZ2026" as ContractCode;

export function follower(change: Partial<Follower> = {}): Follower {
  return {
    accountId: FIRST,
    size: { by: "multiplier", multiplier: "1", rounding: "down" },
    invert: false,
    symbolMap: {},
    enabled: true,
    joining: [],
    ...change,
  };
}

export function group(change: Partial<CopyGroup> = {}): CopyGroup {
  return {
    groupId: copyGroupId("cg_1"),
    userId: OWNER,
    leader: LEADER,
    name: "Evaluations",
    mode: "fills",
    drift: "alarm",
    driftAfterSeconds: 10,
    maxAgeSeconds: 30,
    stopAfterRejects: 3,
    paused: false,
    followers: [follower()],
    createdAt: NOW,
    ...change,
  };
}

/** A copy of the leader's fill to the first follower. */
export function copyEntry(change: Partial<CopyEntry> = {}): CopyEntry {
  return {
    copyId: intentId("i1"),
    groupId: group().groupId,
    userId: OWNER,
    leader: LEADER,
    follower: FIRST,
    cause: "fill",
    leaderAt: NOW,
    notedAt: NOW,
    contract: ES,
    decisions: [],
    ...change,
  };
}
