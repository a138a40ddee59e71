// The goal: an exit takes nothing off that it may not be able to give back, and acts on what the broker reports
// where its answer is lost. The method: the lane with a scripted broker.
import { beforeEach, describe, expect, test } from "vitest";
import type { Intent } from "../../../../src/domain/intent.ts";
import type { SubmitOutcome } from "../../../../src/trading/ports.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  NOT_SENT,
  openLane,
  position,
  REJECTED,
  showPair,
  UNKNOWN,
} from "../lane-kit.ts";
import { adjustIntent as adjust } from "./adjust-kit.ts";
import { FLATTEN, runIn, settleIn, workingIn } from "./going-on-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
  showPair(lane.broker);
});

const names = () => lane.broker.commands.map(([name]) => name);
const stops = () => workingIn(lane).filter(({ role }) => role === "STOP_LOSS");
const run = async (intent: Intent) => lane.record(await runIn(lane, intent)).outcome;

const WHOLE: readonly (readonly [string, Intent])[] = [
  ["a flatten", FLATTEN],
  ["a close", adjust({ to: "close", percent: 100 })],
  ["a flat target", adjust({ to: "position", netQty: 0 })],
];

describe.each(WHOLE)("%s with little room in the broker's limits", (_, intent) => {
  // Two cancels, a close and the way back need ten.
  test("closes first, and then cancels the exits", async () => {
    lane.broker.room = 9;
    expect(await run(intent)).toMatchObject({ kind: "done" });
    expect(names()).toEqual(["close", "cancel", "cancel"]);
    expect(workingIn(lane)).toEqual([]);
  });

  test("takes nothing off where no request is left for the close", async () => {
    lane.broker.room = 0;
    lane.broker.next.close.push(NOT_SENT);
    await run(intent);
    expect([names(), stops()]).toMatchObject([["close"], [{ leavesQty: 2 }]]);
  });

  test("cancels first where there is room", async () => {
    lane.broker.room = 10;
    await run(intent);
    expect(names()).toEqual(["cancel", "cancel", "close"]);
  });
});

/** The broker carries the close out, reports it, and its answer is lost. */
function lost(): SubmitOutcome {
  const { commands } = lane.broker;
  const [name, first, second] = commands.at(-1) ?? [];
  const clOrdId = name === "submit" ? first : second;
  const left = name === "submit" ? [position(1)] : [];
  const closed = name === "submit" ? 1 : 2;
  lane.broker.held = left;
  const order = lane.broker.show({
    orderId: `lost-${commands.length}` as never,
    clOrdId: clOrdId as never,
    contract: ES,
    side: "SELL",
    ordType: "MARKET",
    ordStatus: "FILLED",
    orderQty: closed,
    cumQty: closed,
    leavesQty: 0,
  });
  lane.broker.report(ACCOUNT, order);
  return UNKNOWN;
}

describe("a close whose answer is lost and that is reported", () => {
  test.each(WHOLE)("%s is done in the same turn", async (_, intent) => {
    lane.broker.next.close.push(lost);
    expect(await run(intent)).toMatchObject({ kind: "done" });
    expect(workingIn(lane)).toEqual([]);
  });

  test("of a part is done", async () => {
    lane.broker.next.submit.push(lost);
    expect(await run(adjust({ to: "close", percent: 50 }))).toMatchObject({
      kind: "done",
      result: { netQty: 1 },
    });
  });

  test("stays unknown where nothing is reported, and is sent once", async () => {
    lane.broker.next.close.push(UNKNOWN);
    expect(await run(FLATTEN)).toMatchObject({ kind: "unknown" });
    expect(names().filter((name) => name === "close")).toHaveLength(1);
  });
});

const REVERSAL = adjust({ to: "position", netQty: -1 });

test("a reversal whose first close only the exits stood against opens the other side", async () => {
  // The broker takes the cancels, and shows the orders for a moment longer.
  const [first, second] = workingIn(lane);
  const late = (): undefined => {
    for (const order of [first, second]) {
      if (order !== undefined) lane.broker.orders.set(order.orderId, order);
    }
    return undefined;
  };
  lane.broker.next.close.push(() => {
    late();
    return REJECTED;
  });
  const outcome = await run(REVERSAL);
  expect(names()).toEqual(["cancel", "cancel", "close", "close", "cancel", "cancel", "submit"]);
  expect(outcome).toMatchObject({ kind: "done", result: { problems: [] } });
});

test("a reversal says which exits are missing", async () => {
  lane.broker.next.close.push(REJECTED, REJECTED);
  lane.broker.next.protect.push(REJECTED);
  expect(await run(REVERSAL)).toMatchObject({
    kind: "unfinished",
    reason: expect.stringContaining("its exits are cancelled"),
  });
});

test("what goes on asks the broker as an exit does", async () => {
  lane.broker.next.close.push(REJECTED);
  await runIn(lane, REVERSAL);
  lane.broker.askedBy.length = 0;
  await settleIn(lane, 1_000);
  expect(new Set(lane.broker.askedBy)).toEqual(new Set(["exit"]));
});
