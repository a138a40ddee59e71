import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connectionId, type ConnectionId } from "../../../src/domain/ids.ts";
import { type Member, spread } from "../../../src/domain/spread.ts";

const connections = (count: number): ConnectionId[] =>
  Array.from({ length: count }, (_, index) => connectionId(`tradovate-${index + 1}`));
const named = (count: number): Member[] =>
  Array.from({ length: count }, (_, index) => ({ name: `worker-${index + 1}` }));

const countsOf = (spreading: ReadonlyMap<ConnectionId, string>, members: readonly Member[]) =>
  members.map(({ name }) => [...spreading.values()].filter((owner) => owner === name).length);

const movedFrom = (
  before: ReadonlyMap<ConnectionId, string>,
  after: ReadonlyMap<ConnectionId, string>,
) => [...before].filter(([connection, owner]) => after.get(connection) !== owner);

const someMembers = fc.uniqueArray(
  fc.record(
    {
      name: fc.string({ minLength: 1, maxLength: 12 }),
      most: fc.integer({ min: 0, max: 30 }),
      failed: fc.array(fc.constantFrom(...connections(40)), { maxLength: 5 }),
    },
    { requiredKeys: ["name"] },
  ),
  { selector: ({ name }) => name, maxLength: 8 },
);

describe("spread", () => {
  it("gives two connections to two members", () => {
    for (let first = 0; first < 50; first += 1) {
      const two = [connectionId(`paper-${first}`), connectionId(`tradovate-${first}`)];
      expect(countsOf(spread(two, named(2)), named(2))).toEqual([1, 1]);
    }
  });

  it("is the same whatever the order in which both are told", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), someMembers, (count, members) => {
        const there = spread(connections(count), members);
        const again = spread(connections(count).toReversed(), members.toReversed());
        expect(new Map(again)).toEqual(new Map(there));
      }),
    );
  });

  it("gives every connection a member while there is room, and nobody more than the limit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), someMembers, (count, members) => {
        const spreading = spread(connections(count), members);
        const room = members.reduce((sum, { most = Infinity }) => sum + most, 0);
        expect(spreading.size).toBe(Math.min(count, room));
        countsOf(spreading, members).forEach((own, index) =>
          expect(own).toBeLessThanOrEqual(members[index]?.most ?? Infinity),
        );
      }),
    );
  });

  it("gives nobody more than a quarter above an even part", () => {
    for (const [count, members] of [
      [100, 4],
      [1000, 20],
      [10, 3],
    ] as const) {
      const part = count / members;
      const most = Math.max(
        ...countsOf(spread(connections(count), named(members)), named(members)),
      );
      expect(most).toBeLessThanOrEqual(Math.max(Math.ceil(part), 1.25 * part));
    }
  });

  it("moves little more than what a member that goes had, and as little when one comes", () => {
    const all = connections(1000);
    for (const members of [3, 5, 20]) {
      const before = spread(all, named(members));
      const after = spread(all, named(members - 1));
      const gone = countsOf(before, named(members)).at(-1) ?? 0;
      expect(movedFrom(before, after).length).toBeLessThanOrEqual(1.1 * gone);
    }
  });

  it("moves hardly anything when a connection is added", () => {
    const moved = Array.from({ length: 100 }, (_, index) => {
      const before = spread(connections(200 + index), named(8));
      return movedFrom(before, spread(connections(201 + index), named(8))).length;
    });
    expect(moved.reduce((sum, count) => sum + count, 0)).toBeLessThan(100);
  });

  it("leaves a connection to another member where one could not take it over", () => {
    const [one = connectionId("paper-1")] = connections(1);
    const first = spread([one], named(3)).get(one);
    const members = named(3).map((member) =>
      member.name === first ? { ...member, failed: [one] } : member,
    );
    expect(spread([one], members).get(one)).not.toBe(first);
    const everywhere = named(3).map((member) => ({ ...member, failed: [one] }));
    expect(spread([one], everywhere).get(one)).toBe(first);
  });

  it("leaves with a member that failed them only what the others have no room for", () => {
    const room = fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.nat(40), room, (count, first, limits) => {
        const failed = connections(count).slice(first);
        const others = limits.map((most, index): Member => ({ name: `other-${index}`, most }));
        const spreading = spread(connections(count), [{ name: "failing", failed }, ...others]);
        const left = failed.filter((connection) => spreading.get(connection) === "failing");
        const elsewhere = limits.reduce((sum, most) => sum + most, 0);
        expect(left).toHaveLength(Math.max(0, failed.length - elsewhere));
      }),
    );
  });

  it("gives one more than its part where the others could not take them over", () => {
    const all = connections(8);
    const [able, ...failed] = named(3);
    const members = [able, ...failed.map((member) => ({ ...member, failed: all }))] as Member[];
    expect(countsOf(spread(all, members), members)).toEqual([8, 0, 0]);
  });

  it("has no member for anything where there is none", () => {
    expect(spread(connections(3), []).size).toBe(0);
    expect(spread([], named(2)).size).toBe(0);
  });
});
