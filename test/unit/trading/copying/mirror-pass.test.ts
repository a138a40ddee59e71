import { beforeEach, describe, expect, test } from "vitest";
import type { AccountId } from "../../../../src/domain/ids.ts";
import type { PlannedCopy } from "../../../../src/trading/copying/plan-copies.ts";
import { createMirrorPass } from "../../../../src/trading/copying/mirror-pass.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { having, NQ, order } from "../../domain/copying/mirror-world.ts";
import { FIRST, follower, group, LEADER, NOW, SECOND } from "./copy-kit.ts";
import { MirrorBench, standing } from "./mirror-bench.ts";

let bench: MirrorBench;

beforeEach(() => {
  bench = new MirrorBench();
});

const kept = (account = FIRST) => (bench.mirrors.get(account) ?? []).length;
const LONG_MS = 3_600_000;

describe("a mirror whose leader's order has ended", () => {
  beforeEach(() => bench.shown.set(LEADER, having()));

  test("is kept while its follower cannot be seen, and cancelled then", async () => {
    const mirror = bench.stands("1", "DONE");
    await bench.pass();
    await bench.pass(LONG_MS);
    expect(kept()).toBe(1);
    bench.shown.set(FIRST, having([standing(mirror)]));
    await bench.pass(1_000);
    expect(bench.news()).toEqual([
      "Its order for 1 is cancelled: The leader's order works no more",
    ]);
  });

  test("is forgotten a minute after, once its follower shows no such order", async () => {
    bench.stands("1", "DONE");
    bench.shown.set(FIRST, having());
    await bench.pass();
    await bench.pass(60_000);
    expect(kept()).toBe(1);
    await bench.pass(1);
    expect(kept()).toBe(0);
  });

  test("is kept however long its outcome is unknown", async () => {
    bench.stands("1", "UNKNOWN");
    bench.shown.set(FIRST, having());
    await bench.pass();
    await bench.pass(LONG_MS);
    expect(kept()).toBe(1);
  });

  test.each([
    ["until it can be accepted no more, where it has no intent", undefined, 3_000],
    ["as long as its outcome is unknown", "UNKNOWN", LONG_MS],
  ] as const)("explains what its follower lacks %s", async (_, state, ms) => {
    bench.stands("1", state);
    const filled = order("1", { cumQty: 1, ordStatus: "FILLED" });
    bench.leaderOrders.onReport(LEADER, { execType: "TRADE", order: filled });
    bench.shown.set(LEADER, having([], [[NQ, 1]]));
    bench.shown.set(FIRST, having());
    const explains = async (afterMs: number) =>
      (await bench.pass(afterMs)).apart.get(FIRST)?.has(NQ);
    expect(await explains(0)).toBe(true);
    expect(await explains(2_999)).toBe(true);
    expect(await explains(ms - 2_999)).toBe(state !== undefined);
  });

  test("goes on once the leader's is seen working after all", async () => {
    const mirror = bench.stands("1", "DONE");
    bench.shown.set(FIRST, having([standing(mirror)]));
    bench.shown.set(LEADER, having());
    await bench.pass();
    bench.shown.set(LEADER, having([order("1")]));
    await bench.pass(LONG_MS);
    bench.shown.set(LEADER, having());
    await bench.pass(1);
    // Its last report may come yet.
    expect(bench.news()).toEqual([]);
  });
});

test("a process that stood still since it saw the leader's order places nothing for it", async () => {
  bench.shown.set(LEADER, having([order("1")]));
  bench.shown.set(FIRST, having());
  let [stops, goOn] = [() => {}, () => {}];
  const stood = new Promise<void>((resolve) => (stops = resolve));
  const frozen = new Promise<void>((resolve) => (goOn = resolve));
  const { note } = bench.deps.mirrors;
  const mirrors = {
    ...bench.deps.mirrors,
    note: async (...args: Parameters<typeof note>) => {
      stops();
      await frozen;
      return note(...args);
    },
  };
  const receivedAt: (number | undefined)[] = [];
  const send = async (copies: readonly PlannedCopy[]) => {
    for (const copy of copies) if (copy.kind === "send") receivedAt.push(copy.seenAt);
  };
  const passing = createMirrorPass({ ...bench.deps, mirrors, send })(LEADER, []);
  await stood;
  bench.intents.clock = NOW + 10_000;
  goOn();
  await passing;
  // By then it is accepted no more: another process may have taken it for over.
  expect(receivedAt).toEqual([NOW]);
});

test("what is accepted beside something that is not is noted, exits first", async () => {
  const gone = bench.stands("1", "DONE");
  bench.shown.set(LEADER, having([], [[NQ, 1]]));
  bench.shown.set(FIRST, having([standing(gone)], [[NQ, 1]]));
  await bench.pass();
  bench.shown.set(LEADER, having([order("2", { side: "SELL" })], [[NQ, 1]]));
  const sent: string[] = [];
  const send = async ([copy]: readonly PlannedCopy[]) => {
    if (copy?.kind !== "send") return;
    sent.push(`${copy.isExit ? "exit" : "entry"} ${copy.intent.kind}`);
    if (copy.intent.kind === "PLACE") throw new Error("too late");
  };
  bench.elapsedMs += 1_000;
  await expect(createMirrorPass({ ...bench.deps, send })(LEADER, [])).rejects.toThrow("too late");
  expect(sent.toSorted()).toEqual(["exit CANCEL", "exit PLACE"]);
  const ended = (bench.mirrors.get(FIRST) ?? []).find(({ copyId }) => copyId === gone.copyId);
  expect(ended?.isEnded).toBe(true);
});

test("nothing is placed again for an order that ended while its followers were read", async () => {
  bench.stands("1", undefined);
  bench.shown.set(LEADER, having([order("1")]));
  bench.shown.set(FIRST, having());
  const ended = (account: AccountId) => {
    if (account === FIRST) bench.shown.set(LEADER, having());
  };
  const { workingOrders } = bench.deps.reads;
  const reads = {
    ...bench.deps.reads,
    workingOrders: async (of: unknown, account: AccountId) => {
      const working = await workingOrders(of, account);
      ended(account);
      return working;
    },
  };
  await createMirrorPass({ ...bench.deps, reads })(LEADER, []);
  expect(bench.news()).toEqual([]);
});

test("a leader that cannot be read ends nothing", async () => {
  const mirror = bench.stands("1", "DONE");
  bench.shown.set(FIRST, having([standing(mirror)]));
  await expect(bench.pass()).rejects.toThrow("cannot be asked");
  bench.shown.set(LEADER, having());
  await bench.pass(LONG_MS);
  expect(bench.news()).toEqual([]);
});

describe("what was not sent yet is withdrawn", () => {
  const stateOf = (mirror: ReturnType<MirrorBench["stands"]>) =>
    bench.intents.record(FIRST, mirror.copyId).state;

  test.each([
    ["when its group is paused", [group({ mode: "orders", paused: true })]],
    [
      "when its follower is off",
      [group({ mode: "orders", followers: [follower({ enabled: false })] })],
    ],
    [
      "when its follower has left",
      [group({ mode: "orders", followers: [follower({ accountId: SECOND })] })],
    ],
    ["when its group is gone", []],
  ])("%s, though its follower cannot be seen", async (_, led) => {
    bench.shown.set(LEADER, having([order("1")]));
    const mirror = bench.stands("1", "PREPARED");
    await bench.pass();
    expect(stateOf(mirror)).toBe("PREPARED");
    bench.led = led;
    await bench.pass();
    expect(stateOf(mirror)).toBe("WITHDRAWN");
  });
});

describe("a change", () => {
  const works = (own: Parameters<typeof order>[1], leaders: Parameters<typeof order>[1]) => {
    const [mirror = bench.stands("1", "DONE")] = bench.mirrors.get(FIRST) ?? [];
    bench.shown.set(LEADER, having([order("1", leaders)]));
    bench.shown.set(FIRST, having([standing(mirror, own)]));
  };
  const sentAfter = async (ms: number) => {
    await bench.pass(ms);
    return bench.news();
  };
  const CHANGE = ['{"orderQty":2}'];

  test("that did not help is asked for again after 5 s, then after 10 s", async () => {
    works({ orderQty: 1 }, { orderQty: 2 });
    expect(await sentAfter(0)).toEqual(CHANGE);
    expect(await sentAfter(4_999)).toEqual([]);
    expect(await sentAfter(1)).toEqual(CHANGE);
    expect(await sentAfter(9_999)).toEqual([]);
    expect(await sentAfter(1)).toEqual(CHANGE);
  });

  test("is a new intent each time", async () => {
    works({ orderQty: 1 }, { orderQty: 2 });
    await bench.pass();
    await bench.pass(5_000);
    expect(new Set(bench.sent.map(({ entry }) => entry.copyId)).size).toBe(2);
  });

  test("that is needed again later is sent again", async () => {
    const ids = [];
    for (const [own, due] of [
      [3, 2],
      [2, 3],
      [3, 2],
    ] as const) {
      works({ orderQty: own }, { orderQty: due });
      await bench.pass(10);
      ids.push(...bench.sent.splice(0).map(({ entry }) => entry.copyId));
    }
    expect(new Set(ids).size).toBe(3);
  });

  test("of what works for too much becomes a cancel after three attempts", async () => {
    works({ orderQty: 3 }, { orderQty: 2 });
    for (const ms of [0, 5_000, 10_000]) expect(await sentAfter(ms)).toEqual(CHANGE);
    expect(await sentAfter(15_000)).toEqual([]);
    expect(await sentAfter(300)).toEqual([
      "Its order for 3 is cancelled: It works for too much, and 3 changes did not help",
    ]);
  });

  test("of a price is asked for however often it is refused", async () => {
    works({}, { price: ticks(5) });
    for (const ms of [0, 5_000, 10_000, 15_000, 20_000]) {
      expect(await sentAfter(ms)).toEqual(['{"price":5}']);
    }
  });
});

test("exits that could not be put are put again", async () => {
  const stop = order("SL", { role: "STOP_LOSS", side: "SELL", ordType: "STOP", stopPx: ticks(9) });
  bench.shown.set(LEADER, having([stop], [[NQ, 1]]));
  bench.shown.set(FIRST, having([], [[NQ, 1]]));
  const times: number[] = [];
  for (let n = 0; n < 40; n += 1) {
    await bench.pass(500);
    if (bench.news().length > 0) times.push(bench.elapsedMs);
  }
  expect(times).toEqual([1_000, 6_500, 17_000]);
});

test("an order is as old as the clock of its leader's broker says", async () => {
  bench.storeAheadMs = 31_000;
  const at = NOW - bench.storeAheadMs - 10_000;
  bench.shown.set(LEADER, having([order("1", { transactTimeAt: at })]));
  bench.shown.set(FIRST, having());
  await bench.pass();
  expect(bench.sent).toMatchObject([
    { kind: "send", entryMaxAgeMs: 20_000, entry: { leaderAt: at, notedAt: NOW } },
  ]);
});
