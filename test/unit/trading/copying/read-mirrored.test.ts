import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import type { ExecutionReport, OrderReport } from "../../../../src/domain/order.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { movesOf } from "../../../../src/trading/copying/leader-moves.ts";
import { createReadMirrored } from "../../../../src/trading/copying/read-mirrored.ts";
import { having, NQ, order } from "../../domain/copying/mirror-world.ts";
import { FIRST, LEADER } from "./copy-kit.ts";
import { MirrorBench, standing } from "./mirror-bench.ts";
import { news, noted } from "./news-kit.ts";

let bench: MirrorBench;

beforeEach(() => {
  bench = new MirrorBench();
});

/** One contract of the leader's order was sold, which left it flat. */
const SOLD = news([noted(1, NQ, -1)], []);

/** Whether the follower's own orders fill what was sold. */
async function isFilled(): Promise<boolean | undefined> {
  const readWith = await createReadMirrored(bench.deps)(LEADER, bench.led);
  const mirrored = await readWith?.(SOLD);
  const [move] = movesOf(SOLD);
  return move && mirrored?.fills(FIRST, move);
}

describe("a leader that cannot be read", () => {
  test("is read again, rather than taken for one whose orders have ended", async () => {
    const mirror = bench.stands("o1", "DONE");
    bench.shown.set(FIRST, having([standing(mirror)]));
    await expect(isFilled()).rejects.toThrow("cannot be asked");
    expect(bench.memory.endedFor(mirror.copyId)).toBeUndefined();
  });

  test("leaves it to the next look at its orders to see which have ended", async () => {
    const mirror = bench.stands("o1", "DONE");
    for (const account of [LEADER, FIRST]) bench.shown.set(account, having());
    await isFilled();
    expect(bench.memory.endedFor(mirror.copyId)).toBeUndefined();
  });
});

describe("what a leg of the leader fills", () => {
  const leg = (stopPx: number, change: Partial<OrderReport> = {}) => {
    const { price: _, ...stop } = order("o1", { role: "STOP_LOSS", side: "SELL", ordType: "STOP" });
    return { ...stop, stopPx: ticks(stopPx), ...change };
  };
  const own = (stopPx: number, change: Partial<OrderReport> = {}) =>
    leg(stopPx, {
      orderId: orderId("own"),
      clOrdId: clOrdId(`i${"0".repeat(28)}-1-SL`),
      ...change,
    });

  beforeEach(() => {
    bench.shown.set(LEADER, having());
    bench.leaderOrders.onReport(LEADER, {
      order: leg(99_960, { ordStatus: "FILLED" }),
    } as ExecutionReport);
  });

  test.each<[string, readonly OrderReport[], boolean]>([
    ["is filled by the follower's that stands there too", [own(99_960)], true],
    ["is copied where the follower's stands elsewhere", [own(99_900)], false],
    [
      "is copied where the follower's is about to end",
      [own(99_960, { ordStatus: "PENDING_CANCEL" })],
      false,
    ],
    ["is copied where the follower has none", [], false],
  ])("%s", async (_, working, expected) => {
    bench.shown.set(FIRST, having(working, [[NQ, 1]]));
    expect(await isFilled()).toBe(expected);
  });
});
