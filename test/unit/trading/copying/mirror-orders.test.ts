import { beforeEach, describe, expect, test } from "vitest";
import type { CopyGroup } from "../../../../src/domain/copying/copy-group.ts";
import type { AccountId } from "../../../../src/domain/ids.ts";
import type { ExecutionReport } from "../../../../src/domain/order.ts";
import { LeaderOrders } from "../../../../src/trading/copying/leader-orders.ts";
import { MirrorOrders } from "../../../../src/trading/copying/mirror-orders.ts";
import type { MirrorsSeen } from "../../../../src/trading/copying/mirror-pass.ts";
import type { MirrorPair } from "../../../../src/trading/copying/ports.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import { NQ, order } from "../../domain/copying/mirror-world.ts";
import { FIRST, group, LEADER, SECOND } from "./copy-kit.ts";

let elapsedMs: number;
let passes: number;
let seen: MirrorsSeen | Error;
let led: readonly CopyGroup[];
let pairs: readonly MirrorPair[];
let failures: unknown[];
let isHere: boolean;
let orders: MirrorOrders;

const QUIET: MirrorsSeen = { apart: new Map(), isUnsure: false, isMoving: false, works: false };
const AWAY = new BrokerReadError("The broker is away");

beforeEach(() => {
  [elapsedMs, passes, seen, failures, isHere] = [0, 0, QUIET, [], true];
  [led, pairs] = [[group({ mode: "orders" })], []];
  orders = new MirrorOrders({
    groups: {
      leaders: () => [LEADER],
      ledBy: (account) => (account === LEADER ? led : []),
    },
    mirrors: { pairs: async () => pairs },
    leaderOrders: new LeaderOrders(),
    pass: async () => {
      passes += 1;
      if (seen instanceof Error) throw seen;
      return seen;
    },
    isHere: () => isHere,
    onError: (error) => failures.push(error),
    waitFor: async () => undefined,
    elapsed: () => elapsedMs,
  });
});

/** How many passes one look comes to. */
async function look(afterMs = 1_000): Promise<number> {
  elapsedMs += afterMs;
  const before = passes;
  await orders.look();
  return passes - before;
}

const tell = (account: AccountId) =>
  orders.onReport(account, { order: order("1") } as ExecutionReport);

describe("the timer", () => {
  test("passes over a leader that nothing is told of only every 30 s", async () => {
    expect(await look()).toBe(1);
    expect(await look(29_999)).toBe(0);
    expect(await look(1)).toBe(1);
  });

  test.each<[string, () => void]>([
    ["something works", () => (seen = { ...QUIET, works: true })],
    ["something stands for its orders", () => (pairs = [{ leader: LEADER, follower: SECOND }])],
  ])("does so every 5 s while %s", async (_, arrange) => {
    arrange();
    await look();
    expect(await look(4_999)).toBe(0);
    expect(await look(1)).toBe(1);
  });

  test.each<[string, () => unknown]>([
    ["something was told of a follower", () => tell(FIRST)],
    ["a difference was asked about", () => orders.isFilling(FIRST, NQ)],
    ["its groups were changed", () => (led = [group({ mode: "orders", paused: true })])],
  ])("does so with the next look once %s, and not again after", async (_, happen) => {
    await look();
    happen();
    expect(await look()).toBe(1);
    expect(await look()).toBe(0);
  });

  test.each<[string, MirrorsSeen | Error]>([
    ["did something", { ...QUIET, isMoving: true }],
    ["failed", AWAY],
  ])("does so with the next look while the last pass %s", async (_, last) => {
    seen = last;
    await look();
    expect(await look()).toBe(1);
    seen = QUIET;
    expect(await look()).toBe(1);
    expect(await look()).toBe(0);
  });

  test("does so at once when the leader's connection comes back", async () => {
    await look();
    isHere = false;
    expect(await look()).toBe(0);
    isHere = true;
    expect(await look()).toBe(1);
  });
});

test("what is told of the leader is looked at without the timer", async () => {
  await look();
  tell(LEADER);
  await orders.stop();
  expect(passes).toBe(2);
});

test("what cannot be read three times in a row is told once", async () => {
  seen = AWAY;
  for (let n = 0; n < 10; n += 1) await look();
  expect(failures).toEqual([AWAY]);
  seen = QUIET;
  await look();
  seen = AWAY;
  for (let n = 0; n < 3; n += 1) await look(30_000);
  expect(failures).toHaveLength(2);
});

test("nothing counts as filling after a look that failed", async () => {
  seen = { ...QUIET, apart: new Map([[FIRST, new Set([NQ])]]) };
  await look();
  expect(orders.isFilling(FIRST, NQ)).toBe(true);
  seen = AWAY;
  await look();
  expect(orders.isFilling(FIRST, NQ)).toBe(false);
});
