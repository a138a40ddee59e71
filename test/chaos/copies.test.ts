// The goal: whatever a follower must never do is found. The method: invented histories of a leader and
// a follower, good ones and ones with one thing wrong in them, held against every check.
import { expect, test } from "vitest";
import { planGroups } from "./following.ts";
import type { History } from "./history.ts";
import { FOLLOWER, InventedCopies } from "./invented-copies.ts";
import { idOf } from "./invented-history.ts";
import { judge } from "./invariants.ts";
import { MODES } from "./modes.ts";

const run = (terms: ConstructorParameters<typeof InventedCopies>[0] = {}) =>
  new InventedCopies(terms);

/** The names of the checks that this history does not pass. */
function failed(history: History): string[] {
  return judge(history)
    .filter(({ violations }) => violations.length > 0)
    .map(({ name }) => name);
}

const DOUBLED = "no order is doubled";
const ORPHAN = "every order has its intent";
const UNSENT = "not sent is true";
const SHAPE = "an adjustment closes first, and opens once";
const AIM = "an adjustment ends where it aims";
const TOO_MANY = "no more orders than intents";
const UNSETTLED = "nothing is left unsettled";
const EVENT = "a copy has its event, and is told";
const NEVER = "a follower never holds what its leader did not come to";
const TARGET = "followers hold what their leaders come to";
const OLD = "what a leader did long ago opens nothing";
const STOPPED = "no follower is stopped";

const TWICE = { size: { by: "multiplier", multiplier: "2", rounding: "down" } } as const;
const EXPIRED = { intent: { state: "EXPIRED" }, told: { outcome: "expired" } } as const;
/** It follows from what the two hold, and from no fill. */
const REPAIR_ID = idOf(9);
const REPAIR = {
  intent: { intentId: REPAIR_ID, clOrdIds: [`${REPAIR_ID}-100`] },
  told: { copyId: REPAIR_ID, cause: "drift" },
} as const;

const NOT_SENT = {
  intent: { state: "NOTSENT", clOrdIds: [] },
  told: { outcome: "notSent" },
} as const;
const two = () => run().leads(2).copy(2);

const GOOD: Readonly<Record<string, History>> = {
  "copies one after another": run().leads(2).copy(2).leads(-1).copy(1).leads(-1).copy(0).history(),
  "fills that one copy stands for": run().leads(1).leads(1).leads(1).copy(3).history(),
  "a copy that was overtaken by a newer one": run()
    .leads(1)
    .accept(1, EXPIRED)
    .leads(1)
    .copy(2)
    .history(),
  "a copy that comes late, and leads to a position of before": run()
    .leads(1)
    .leads(-1)
    .leads(1)
    .copy(1)
    .history(),
  "a follower of twice the size, with a cap": run({ ...TWICE, maxQty: 3 })
    .leads(1)
    .copy(2)
    .leads(3)
    .copy(3)
    .history(),
  "one that goes the other way": run({ invert: true })
    .leads(2)
    .copy(-2)
    .leads(-1)
    .copy(-1)
    .history(),
  "an exit that comes long after": two().leads(-2).waits(60_000).copy(0).history(),
  "an entry that is still in time": run().leads(2).waits(14_000).copy(2).history(),
  "a repair": run().leads(2).accept(2, REPAIR).send(2).history(),
  "a copy of which nothing was sent, and its repeat": run()
    .leads(2)
    .accept(2, NOT_SENT)
    .again(2)
    .history(),
  "a copy that was skipped": run({ maxQty: 2 })
    .leads(2)
    .copy(2)
    .leads(1)
    .tell({ copyId: "i2", outcome: "skipped", targetQty: undefined })
    .history(),
};

test.each(Object.entries(GOOD))("%s: nothing is wrong", (_, history) => {
  expect(failed(history)).toEqual([]);
});

const BAD: readonly (readonly [string, History, readonly string[]])[] = [
  [
    "a copy whose order traded twice",
    two().send(2).history(),
    [DOUBLED, SHAPE, AIM, TOO_MANY, NEVER, TARGET],
  ],
  [
    "a copy that says it was not sent, and was",
    run()
      .leads(2)
      .accept(2, { ...EXPIRED })
      .send(2)
      .history(),
    [UNSENT],
  ],
  [
    "an order of a copy that the record does not name",
    run()
      .leads(2)
      .copy(2, { intent: { clOrdIds: [] } })
      .history(),
    [ORPHAN],
  ],
  ["a copy that was never sent", run().leads(2).history(), [TARGET]],
  [
    "a copy that is still to be sent",
    run()
      .leads(2)
      .accept(2, { intent: { state: "PREPARED" }, told: { outcome: "pending" } })
      .history(),
    [UNSETTLED, EVENT, TARGET],
  ],
  [
    "what looks like a repair, and is told as the copy of a fill",
    run()
      .leads(2)
      .accept(2, { ...REPAIR, told: { copyId: REPAIR_ID } })
      .send(2)
      .history(),
    [EVENT],
  ],
  [
    "a repeat of a copy that expired",
    run().leads(2).accept(2, EXPIRED).again(2).history(),
    [EVENT],
  ],
  ["a copy of no fill", two().history({ fills: {} }), [EVENT]],
  ["a copy of another leader's fill", two().history({ fills: { "sim-9": ["0"] } }), [EVENT]],
  ["a copy that the log does not tell", two().history({ copies: [] }), [EVENT]],
  [
    "a copy that is told of another follower",
    run()
      .leads(2)
      .copy(2, { told: { follower: "sim-3-1" } })
      .history(),
    [EVENT],
  ],
  ["a copy that is told, and has no intent", two().tell({ copyId: "i2" }).history(), [EVENT]],
  [
    "a copy that was noted, and went nowhere",
    two().tell({ copyId: "i2", outcome: "pending" }).history(),
    [EVENT],
  ],
  ["a follower that holds too much", run().leads(2).copy(3).history(), [NEVER, TARGET]],
  [
    "a follower that held too much for a moment",
    run().leads(2).copy(4).leads(-1).copy(1).history(),
    [NEVER],
  ],
  [
    "a follower above its cap",
    run({ ...TWICE, maxQty: 3 })
      .leads(2)
      .copy(4)
      .history(),
    [NEVER, TARGET],
  ],
  [
    "a follower that is there before its leader",
    run()
      .copy(2, { told: { cause: "drift" } })
      .leads(2)
      .history(),
    [NEVER],
  ],
  [
    "a follower that goes the wrong way",
    run({ invert: true }).leads(2).copy(2).history(),
    [NEVER, TARGET],
  ],
  ["a follower that stays behind", two().leads(1).accept(3, EXPIRED).history(), [TARGET]],
  ["a follower that stays when its leader is flat", two().leads(-2).history(), [TARGET]],
  ["an entry that comes long after", run().leads(2).waits(31_000).copy(2).history(), [OLD]],
  [
    "a follower that was stopped",
    two().history({ stopped: { [FOLLOWER]: "3 refused" } }),
    [STOPPED],
  ],
];

test.each(BAD)("%s: it is found", (_, history, names) => {
  expect(failed(history)).toEqual(names);
});

test("followers of a run follow one leader each, and nobody calls for them", () => {
  const { shape } = MODES.short;
  const names = (kind: string, count: number) =>
    Array.from({ length: shape.connections }, (_, connection) =>
      Array.from({ length: count }, (__, n) => `${connection}-${kind}-${n}`),
    );
  const called = names("called", shape.accountsPerConnection).flat();
  const followers = names("follows", shape.groupsPerConnection * shape.followersPerGroup);
  const groups = planGroups({ called, followers }, shape);
  const following = groups.flatMap((group) => group.followers.map(({ accountId }) => accountId));
  expect(following.toSorted()).toEqual(followers.flat().toSorted());
  const leaders = groups.map(({ leader }) => leader);
  expect(new Set(leaders).size).toBe(shape.connections * shape.groupsPerConnection);
  expect(called).toEqual(expect.arrayContaining(leaders));
  for (const group of groups) {
    const places = group.followers.map(({ accountId }) => accountId.split("-")[0]);
    expect(new Set(places).size).toBe(shape.followersPerGroup);
  }
});
