// The goal: an exit takes nothing off that it may not be able to give back, whatever else uses up the broker's
// limits. The method: lanes with scripted brokers whose commands use up the same room.
import { describe, expect, test } from "vitest";
import { PromisedRoom } from "../../../../src/brokers/promised-room.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { type Lane, NOT_SENT, openLane, position, REJECTED, showPair } from "../lane-kit.ts";
import { adjustIntent as adjust } from "./adjust-kit.ts";
import { FLATTEN, runIn, settleIn, workingIn } from "./going-on-kit.ts";

/** Each command uses up one request; without one it is not sent. */
async function openLimited(
  room: { left: number },
  promised = new PromisedRoom(() => 0),
): Promise<Lane> {
  const lane = await openLane();
  const { broker } = lane;
  broker.held = [position(2)];
  showPair(broker);
  broker.hasRoomFor = (requests) => promised.take(requests, (all) => all <= room.left);
  const limited =
    <Args extends unknown[], Answer>(send: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer | typeof NOT_SENT> => {
      if (room.left <= 0) return NOT_SENT;
      room.left -= 1;
      return await send(...args);
    };
  broker.cancelOrder = limited(broker.cancelOrder.bind(broker));
  broker.closePosition = limited(broker.closePosition.bind(broker));
  broker.submitOrder = limited(broker.submitOrder.bind(broker));
  broker.submitProtection = limited(broker.submitProtection.bind(broker));
  return lane;
}

const stops = (lane: Lane) => workingIn(lane).filter(({ ordType }) => ordType === "STOP").length;
/** Something is held, and no stop is there for it. */
const isBare = (lane: Lane) => lane.broker.held.length > 0 && stops(lane) === 0;

function showEntries({ broker }: Lane, count: number): void {
  for (let n = 0; n < count; n += 1) {
    broker.show({ orderId: orderId(`e${n}`), side: "BUY", price: ticks(3900 - n) });
  }
}

describe("beside many resting entries", () => {
  const whole: Intent = { kind: "FLATTEN", cancelResting: true };
  test("a position is not left bare", async () => {
    const lane = await openLimited({ left: 20 });
    showEntries(lane, 18);
    await runIn(lane, whole);
    expect(isBare(lane)).toBe(false);
  });

  test("the close is sent before the room is used up by other cancels", async () => {
    const lane = await openLimited({ left: 9 });
    showEntries(lane, 10);
    await runIn(lane, whole);
    expect(lane.broker.held).toEqual([]);
  });

  test("so it is for a target of nothing", async () => {
    const lane = await openLimited({ left: 20 });
    showEntries(lane, 20);
    await runIn(lane, adjust({ to: "position", netQty: 0 }, { cancelFirst: true }));
    expect(isBare(lane)).toBe(false);
  });
});

test("accounts of one connection that are flattened at once leave none of them bare", async () => {
  const room = { left: 10 };
  const promised = new PromisedRoom(() => 0);
  const lanes = await Promise.all(
    Array.from({ length: 5 }, async () => await openLimited(room, promised)),
  );
  await Promise.all(lanes.map(async (lane) => await runIn(lane, FLATTEN)));
  expect(lanes.map(isBare)).toEqual(lanes.map(() => false));
});

test("a market that was not sure at first: a broker that takes no close beside exits", async () => {
  const lane = await openLimited({ left: Infinity });
  const contract = lane.broker.held[0]?.contract;
  if (contract === undefined) throw new Error("nothing is held");
  lane.markets.set(contract, { kind: "unsure" });
  const beside = () => (stops(lane) > 0 ? REJECTED : undefined);
  lane.broker.next.close.push(...Array.from({ length: 60 }, () => beside));
  const id = await runIn(lane, FLATTEN);
  lane.markets.clear();
  for (let n = 0; n < 30; n += 1) await settleIn(lane, 300_001);
  expect([lane.record(id).state, lane.broker.held]).toEqual(["DONE", []]);
});
