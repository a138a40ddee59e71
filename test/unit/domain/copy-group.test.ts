import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CopyConflict,
  type CopyGroup,
  findConflict,
  type Follower,
} from "../../../src/domain/copy-group.ts";
import { accountId, copyGroupId } from "../../../src/domain/ids.ts";

type Shape = Pick<CopyGroup, "groupId" | "leader" | "followers">;

const follower = (name: string): Follower => ({
  accountId: accountId(name),
  size: { by: "fixed", qty: 1 },
  invert: false,
  symbolMap: {},
  enabled: true,
  joining: [],
});

/** Named after its id: `of("1", "a", "b", "c")` is b and c following a. */
const of = (id: string, leader: string, ...followers: string[]): Shape => ({
  groupId: copyGroupId(`cg_${id}`),
  leader: accountId(leader),
  followers: followers.map(follower),
});

const conflict = (account: string, kind: CopyConflict["kind"], id?: string) => ({
  account,
  kind,
  ...(id !== undefined && { groupId: `cg_${id}` }),
});

test.each<[string, Shape, readonly Shape[], object | undefined]>([
  ["the only one", of("1", "a", "b", "c"), [], undefined],
  ["one without followers", of("1", "a"), [of("2", "b", "c")], undefined],
  ["another one of the same leader", of("1", "a", "b"), [of("2", "a", "c")], undefined],
  ["itself as it was", of("1", "a", "b"), [of("1", "a", "b")], undefined],
  ["itself turned around", of("1", "b", "a"), [of("1", "a", "b")], undefined],
  ["a follower that leads itself", of("1", "a", "a"), [], conflict("a", "followsItself")],
  ["one twice", of("1", "a", "b", "b"), [], conflict("b", "twice")],
  [
    "two that follow each other",
    of("1", "b", "a"),
    [of("2", "a", "b")],
    conflict("b", "leaderFollows", "2"),
  ],
  [
    "a leader that follows",
    of("1", "b", "c"),
    [of("2", "a", "b")],
    conflict("b", "leaderFollows", "2"),
  ],
  [
    "a follower that leads",
    of("1", "a", "b"),
    [of("2", "b", "c")],
    conflict("b", "followerLeads", "2"),
  ],
  [
    "a follower that leads a group without followers",
    of("1", "a", "b"),
    [of("2", "b")],
    conflict("b", "followerLeads", "2"),
  ],
  [
    "a follower of another leader",
    of("1", "a", "c"),
    [of("2", "b", "c")],
    conflict("c", "followsAnother", "2"),
  ],
  [
    "a follower in another group of its leader",
    of("1", "a", "b"),
    [of("2", "a", "b")],
    conflict("b", "followsAnother", "2"),
  ],
  ["what others have wrong", of("1", "a", "b"), [of("2", "c", "c")], undefined],
])("a group that is %s", (_, wanted, groups, expected) => {
  expect(findConflict(wanted, groups)).toEqual(expected);
});

test("groups that were let in one after another never make a loop, nor two leaders", () => {
  const account = fc.constantFrom("a", "b", "c", "d", "e");
  const shape = fc
    .tuple(fc.constantFrom("1", "2", "3", "4"), account, fc.array(account, { maxLength: 3 }))
    .map(([id, leader, followers]) => of(id, leader, ...followers));
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 12 }), (wishes) => {
      let groups: readonly Shape[] = [];
      for (const wanted of wishes) {
        if (findConflict(wanted, groups) !== undefined) continue;
        groups = [...groups.filter(({ groupId }) => groupId !== wanted.groupId), wanted];
      }
      const leaders = new Set(groups.map(({ leader }) => leader));
      const following = groups.flatMap(({ followers }) => followers.map(({ accountId: it }) => it));
      expect(following.filter((it) => leaders.has(it))).toEqual([]);
      expect(new Set(following).size).toBe(following.length);
    }),
  );
});
