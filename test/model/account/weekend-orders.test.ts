// The goal: an exit that waits over a weekend ends with the orders that rest beside it. The method: as in `weekend.test.ts`.
import { expect, test } from "vitest";
import { BID } from "./weekend/desk.ts";
import {
  ASK,
  openDesk,
  PLAIN,
  stateOf,
  untilClosed,
  untilFivePast,
  untilSaturday,
} from "./weekend/kit.ts";
import {
  answerTo,
  closeHalf,
  enter,
  exitByOrders,
  ordersOf,
  FLAT,
  hold,
  MINUTE_MS,
  pairAt,
  rest,
  SECOND_MS,
  STOP,
  TARGET,
  toBe,
} from "./weekend/stories.ts";

test.each([
  ["flat", () => FLAT],
  ["position 0", toBe],
])(
  "%s beside an order that rests is done at the opening, also where it was tried shortly before",
  async (_, asks) => {
    const desk = await openDesk();
    await hold(desk, desk.index, 2);
    await desk.ask(rest(desk.index, "BUY", BID - 15));
    await untilClosed(desk);
    const asked = await desk.ask(asks(desk.index, 0));
    // It is tried every five minutes, in the last one before the opening too.
    await untilFivePast(desk);
    expect([stateOf(desk, asked), desk.exchange.path(desk.index)]).toEqual(["DONE", [2, 0]]);
    expect(await ordersOf(desk, desk.index)).toEqual([]);
  },
);

const AFTER_OPENING = Date.parse(PLAIN.index.opens) + 20 * SECOND_MS;

test.each([
  ["position 0 after the close", 0, MINUTE_MS, AFTER_OPENING],
  ["position 1 after the close", 1, MINUTE_MS, AFTER_OPENING],
  // The market closes between the close of the position and the cancels.
  ["position 0 in the last minute before the close", 0, -SECOND_MS, Date.parse(PLAIN.index.closes)],
])(
  "%s leaves no order that leads beyond it, where cancels are refused after its close",
  async (_, target, askedAfterMs, refusesCancelsUntil) => {
    const desk = await openDesk({ refusesCancelsUntil });
    await desk.ask(enter(desk.index, 2));
    await exitByOrders(desk, "GTC", {
      side: "SELL",
      orderQty: 2,
      stop: ASK - STOP,
      target: ASK + TARGET,
    });
    await desk.until(desk.shut.closesAt + askedAfterMs);
    await desk.ask(toBe(desk.index, target));
    await untilFivePast(desk);
    expect(await desk.exchange.net(desk.index)).toBe(target);
    // Each of them would open the other side.
    const working = await desk.exchange.working(desk.index);
    expect(working.filter(({ leavesQty }) => leavesQty > target)).toEqual([]);
  },
);

test("half asked twice is three quarters, where both wait", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 4);
  await untilClosed(desk);
  await desk.ask(closeHalf(desk.index));
  await untilSaturday(desk);
  await desk.ask(closeHalf(desk.index));
  await untilFivePast(desk);
  expect(desk.exchange.path(desk.index).at(-1)).toBe(1);
  expect(await ordersOf(desk, desk.index)).toEqual(pairAt(1, ASK));
});

test("the answer to a flat beside an order that rests names the opening", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 2);
  await desk.ask(rest(desk.index, "BUY", BID - 15));
  await untilClosed(desk);
  const opensAt = new Date(desk.shut.opensAt).toISOString();
  expect(answerTo(await desk.ask(FLAT)).body).toMatchObject({ opensAt });
});
