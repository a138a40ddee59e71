import { beforeEach, describe, expect, test } from "vitest";
import { copyStatesOf } from "../../../../src/domain/copying/copy-drift.ts";
import type { CopyGroup, Follower } from "../../../../src/domain/copying/copy-group.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { type AccountId, connectionId, intentId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { CopyGroupDirectory } from "../../../../src/trading/copying/copy-group-directory.ts";
import { DriftEpisodes } from "../../../../src/trading/copying/drift-episodes.ts";
import { createMendDrift } from "../../../../src/trading/copying/mend-drift.ts";
import { createCopyGroupUses } from "../../../../src/trading/copying/manage-copy-groups.ts";
import type { AccountDirectory } from "../../../../src/trading/connections/account-directory.ts";
import type { BrokerPosition } from "../../../../src/trading/ports.ts";
import { contracts, cycleOf, ES, FIRST, group, LEADER, MNQ, NOW, OWNER } from "./copy-kit.ts";
import { CopyGroupTable } from "./memory-copy-groups.ts";
import type { Caller } from "../../../../src/trading/people/caller.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";

type Held = readonly (readonly [ContractCode, number])[];

let table: CopyGroupTable;
let held: Map<AccountId, Held>;
let sent: Intent[];
let told: string[];

const positionsOf = (account: AccountId): readonly BrokerPosition[] =>
  (held.get(account) ?? []).map(([contract, netQty]) => ({ contract, netQty }));
const accounts = {
  find: (accountId: AccountId) =>
    ({ accountId, connectionId: connectionId("c_1") }) as StoredAccount,
  require: async (_: unknown, accountId: AccountId) => ({ accountId }) as StoredAccount,
  load: async () => undefined,
} as Pick<AccountDirectory, "find" | "load" | "require">;
const caller: Caller = {
  userId: OWNER,
  scopes: ["trade"],
  receivedAt: NOW,
  requestId: "r_1",
} as unknown as Caller;

beforeEach(() => {
  [table, held, sent, told] = [new CopyGroupTable(), new Map(), [], []];
});

/** A group as it is made by its user while its accounts hold what they hold. */
async function made(change: Partial<CopyGroup>, follower: object): Promise<CopyGroup> {
  const uses = createCopyGroupUses({
    accounts,
    contracts,
    cycleOf,
    accountGroups: { read: async () => [] },
    views: {
      positions: async (account) => ({ value: positionsOf(account), asOf: NOW }),
    },
    groups: table,
    board: { status: () => "CONNECTED" },
    news: { countRejects: async () => 0, nextSeq: async () => 1, claim: async () => true },
    endMirrors: async () => undefined,
    intents: { withdraw: async () => undefined as never },
    copies: { open: async () => [] },
    newGroupId: () => group().groupId,
  });
  const followers = [{ accountId: FIRST, ...follower }];
  const { drift = "alarm" } = change;
  const view = await uses.createCopyGroup(caller, { leader: LEADER, followers, drift });
  return view.group;
}

/** What is away is mended once, as after its time. */
async function mendAll(of: CopyGroup): Promise<void> {
  const [follower] = of.followers as readonly [Follower];
  const groups = new CopyGroupDirectory(table, { ...contracts, identityOf: String });
  await groups.load();
  const mend = createMendDrift({
    groups,
    cycleOf,
    accounts,
    reads: { positions: async (_, account) => positionsOf(account) },
    intents: { now: async () => NOW },
    news: { nextSeq: async () => 7 },
    log: { note: async () => undefined },
    send: async (copies) => {
      for (const copy of copies) if (copy.kind === "send") sent.push(copy.intent);
    },
    copyId: (_, account, event) => intentId(`${account} ${event}`),
    alarms: {
      raise: (alarm) => {
        if (alarm.kind === "followerDrifted") told.push(`drifted ${alarm.entry.contract}`);
        if (alarm.kind === "followerStopped") told.push(alarm.reason);
      },
    },
  });
  const holds = (account: AccountId) => new Map(held.get(account));
  const standings = copyStatesOf(follower, holds(LEADER), holds(FIRST), cycleOf);
  const episodes = new DriftEpisodes(() => 0);
  for (const standing of standings) {
    if (standing.heldQty === standing.dueQty) continue;
    await mend(of, follower, standing, episodes.of(FIRST, standing.contract, 0));
  }
}

describe.each(["flatten", "repair", "alarm"] as const)("the policy %s", (drift) => {
  test("has nothing to do with what a follower held before it followed", async () => {
    held.set(FIRST, [
      [MNQ, 2],
      [ES, 1],
    ]);
    await mendAll(await made({ drift }, { allowedSymbols: ["MNQ"] }));
    expect([sent, told]).toEqual([[], []]);
  });

  test("has nothing to do with an option, a spread, or what has no name", async () => {
    const of = await made({ drift }, {});
    const others = ["ESZ6 C5000", "ESZ6-ESH7", "#77"] as ContractCode[];
    held.set(
      FIRST,
      others.map((contract) => [contract, 1]),
    );
    await mendAll(of);
    expect([sent, told]).toEqual([[], []]);
  });
});

describe("a flatten", () => {
  test("closes what is copied, and nothing else", async () => {
    const of = await made({ drift: "flatten" }, { allowedSymbols: ["MNQ"] });
    held.set(FIRST, [
      [MNQ, 2],
      [ES, 1],
    ]);
    await mendAll(of);
    expect(sent).toEqual([{ kind: "FLATTEN", contract: MNQ, cancelResting: true }]);
    expect(table.kept.get(of.groupId)?.followers[0]?.stopped?.reason).toMatch(/flattened/);
  });

  test("closes every contract that is copied", async () => {
    const of = await made({ drift: "flatten" }, {});
    held.set(LEADER, [[ES, 1]]);
    held.set(FIRST, [
      [MNQ, 2],
      [ES, 1],
    ]);
    await mendAll(of);
    expect(sent).toEqual([
      { kind: "FLATTEN", contract: ES, cancelResting: true },
      { kind: "FLATTEN", contract: MNQ, cancelResting: true },
    ]);
  });

  test("leaves of a contract what was held before", async () => {
    held.set(FIRST, [[MNQ, 2]]);
    const of = await made({ drift: "flatten" }, {});
    held.set(FIRST, [[MNQ, 5]]);
    await mendAll(of);
    expect(sent).toMatchObject([
      { kind: "ADJUST", contract: MNQ, aim: { to: "position", netQty: 2 } },
    ]);
  });
});
