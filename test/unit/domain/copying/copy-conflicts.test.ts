import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  barLoops,
  type CopyConflict,
  findConflict,
} from "../../../../src/domain/copying/copy-conflicts.ts";
import type { CopyGroup, Follower } from "../../../../src/domain/copying/copy-group.ts";
import { accountId, copyGroupId } from "../../../../src/domain/ids.ts";

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
  expect(findConflict(wanted, groups, String)).toEqual(expected);
});

/** `a2` is the account `a` by another login. */
const byLogin = (account: string): string => account.replace(/\d$/, "");

test.each<[string, Shape, readonly Shape[], object]>([
  ["a leader that follows itself", of("1", "a", "b", "a2"), [], conflict("a2", "followsItself")],
  ["one follower twice", of("1", "a", "b", "b2"), [], conflict("b2", "twice")],
  [
    "a leader that follows",
    of("1", "b2", "a2"),
    [of("2", "a", "b")],
    conflict("b2", "leaderFollows", "2"),
  ],
  [
    "a follower that leads",
    of("1", "c", "a2"),
    [of("2", "a", "b")],
    conflict("a2", "followerLeads", "2"),
  ],
  [
    "a follower of another leader",
    of("1", "c", "b2"),
    [of("2", "a", "b")],
    conflict("b2", "followsAnother", "2"),
  ],
])("by another login it is %s", (_, wanted, groups, expected) => {
  expect(findConflict(wanted, groups, String)).toBeUndefined();
  expect(findConflict(wanted, groups, byLogin)).toEqual(expected);
});

describe("groups whose accounts turn out to be one", () => {
  const barred = (...groups: readonly Shape[]) =>
    barLoops(groups, byLogin).map(({ followers }) =>
      followers.map((one) => one.barred !== undefined),
    );

  test("are left as they are where none is", () => {
    const groups = [of("1", "a", "b", "c"), of("2", "a", "d")];
    expect(barLoops(groups, byLogin)).toEqual(groups);
    expect(barLoops(groups, byLogin)[0]).toBe(groups[0]);
  });

  test("have those barred that would close a loop, and the earlier group stands", () => {
    expect(barred(of("1", "a", "a2", "b"))).toEqual([[true, false]]);
    expect(barred(of("1", "a", "b"), of("2", "b2", "a2", "c"))).toEqual([[false], [true, true]]);
    expect(barred(of("1", "b2", "c"), of("2", "a", "b", "d"))).toEqual([[false], [true, false]]);
    expect(barred(of("1", "a", "b"), of("2", "c", "b2"))).toEqual([[false], [true]]);
    // What is barred ties nobody.
    expect(barred(of("1", "a", "a2"), of("2", "a", "b"))).toEqual([[true], [false]]);
  });

  test("say why", () => {
    const [group] = barLoops([of("1", "a", "a2")], byLogin);
    expect(group?.followers[0]?.barred).toMatch(/its leader's own account, by another login/);
  });
});

test("groups that were let in one after another never make a loop, nor two leaders", () => {
  const account = fc.constantFrom("a", "b", "b2", "c", "d", "e2");
  const shape = fc
    .tuple(fc.constantFrom("1", "2", "3", "4"), account, fc.array(account, { maxLength: 3 }))
    .map(([id, leader, followers]) => of(id, leader, ...followers));
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 12 }), (wishes) => {
      let groups: readonly Shape[] = [];
      for (const wanted of wishes) {
        if (findConflict(wanted, groups, byLogin) !== undefined) continue;
        groups = [...groups.filter(({ groupId }) => groupId !== wanted.groupId), wanted];
      }
      expect(barLoops(groups, byLogin)).toEqual(groups);
      const leaders = new Set(groups.map(({ leader }) => byLogin(leader)));
      const following = groups.flatMap(({ followers }) =>
        followers.map(({ accountId: it }) => byLogin(it)),
      );
      expect(following.filter((it) => leaders.has(it))).toEqual([]);
      expect(new Set(following).size).toBe(following.length);
    }),
  );
});
