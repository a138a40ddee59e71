// The goal: a process that dies between a close and the cancels after it leaves no exit on a flat account. The
// method: the lane with a scripted broker without room for a cancel before the close.
import { expect, test } from "vitest";
import { orderId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { openLane, position, showPair } from "../lane-kit.ts";
import { adjustIntent as adjust } from "./adjust-kit.ts";
import { runIn, settleIn, workingIn } from "./going-on-kit.ts";

const EXITS: readonly (readonly [string, Intent])[] = [
  ["a flatten", { kind: "FLATTEN", cancelResting: true }],
  ["a close", adjust({ to: "close", percent: 100 }, { cancelFirst: true })],
  ["a flat target", adjust({ to: "position", netQty: 0 }, { cancelFirst: true })],
  ["a reversal", adjust({ to: "position", netQty: -1 }, { cancelFirst: true })],
];

test.each(EXITS.flatMap((exit) => [1, 2].map((nth) => [...exit, nth] as const)))(
  "%s, at cancel %#",
  async (_, intent, nth) => {
    const lane = await openLane();
    lane.broker.held = [position(2)];
    showPair(lane.broker);
    lane.broker.show({
      orderId: orderId("own"),
      side: "SELL",
      ordType: "STOP",
      stopPx: ticks(3950),
      orderQty: 2,
      leavesQty: 2,
    });
    lane.broker.room = 0;
    lane.broker.next.cancel.push(
      ...Array.from({ length: nth - 1 }, () => undefined as never),
      new Error("The process dies"),
    );
    const id = await runIn(lane, intent);
    for (let n = 0; n < 6; n += 1) await settleIn(lane, 6_000);
    expect([lane.record(id).state, lane.broker.held, workingIn(lane)]).toEqual(["DONE", [], []]);
  },
);
