// The goal: an account is as it should be after a weekend for which it was asked to be out. An exit that waits
// costs no stop, ends once, closes what it was for and nothing else, and turns no position around.
// The method: one account for each story, from Friday to the trade after the opening, in virtual time. The lane,
// its keepers and the presenters are real, with the product's calendar. The exchange keeps hours that are written
// down by hand in UTC. It takes no order, change or cancel while it is shut, ends orders of the day at its close,
// and may open with an auction. The world of the model has one contract, and an exchange that takes cancels at any
// time, so the desk is a world of its own. A gateway on a real Redis would need a clock that jumps over the 49
// hours, and its timers would not pass them. `integration/going-on-store.test.ts` has the store's part.
import { describe, expect, test } from "vitest";
import { BID, type Desk, type DeskOptions } from "./weekend/desk.ts";
import { WEEKENDS } from "./weekend/hours.ts";
import {
  ASK,
  AUCTION_MS,
  expectSound,
  openDesk,
  PLAIN,
  sentInTheWeekend,
  sentSince,
  stateOf,
  untilClosed,
  untilFivePast,
  untilOpen,
  untilSaturday,
} from "./weekend/kit.ts";
import {
  answerTo,
  CALL_TO_FLATTEN,
  closeHalf,
  enter,
  exitByOrders,
  ordersOf,
  FLAT,
  hold,
  MINUTE_MS,
  pairAt,
  refusalOf,
  SECOND_MS,
  STOP,
  TARGET,
  toBe,
} from "./weekend/stories.ts";

describe.each(WEEKENDS.map((weekend) => [weekend.name, weekend] as const))("%s", (_, weekend) => {
  const opensAt = new Date(weekend.index.opens).toISOString();

  test("a flat before the close is done at once, and what has closed before waits for its own opening", async () => {
    const desk = await openDesk({}, weekend);
    await hold(desk, desk.index, 2);
    await hold(desk, desk.cattle, 1);
    await desk.until(desk.shut.closesAt - 5 * MINUTE_MS);
    const flat = await desk.ask(FLAT);
    const cattleOpens = new Date(weekend.cattle.opens).toISOString();
    expect(answerTo(flat)).toMatchObject({
      status: 202,
      body: { outcome: "held", opensAt: cattleOpens },
    });
    expect(await desk.exchange.net(desk.index)).toBe(0);
    expect(await ordersOf(desk, desk.index)).toEqual([]);
    expect(await desk.exchange.net(desk.cattle)).toBe(1);
    await untilFivePast(desk);
    expect([stateOf(desk, flat), sentSince(desk)]).toEqual(["HELD", []]);
    expect(await ordersOf(desk, desk.cattle)).toEqual(pairAt(1, ASK));
    await desk.until(desk.cattleShut.opensAt + 5 * SECOND_MS);
    expect([stateOf(desk, flat), await desk.exchange.net(desk.cattle)]).toEqual(["DONE", 0]);
    expect(await ordersOf(desk, desk.cattle)).toEqual([]);
    expectSound(desk);
  });

  test("a flat after the close waits over a new owner, and closes each contract at its opening", async () => {
    const desk = await openDesk({}, weekend);
    await hold(desk, desk.index, 2);
    await hold(desk, desk.cattle, -1);
    await untilClosed(desk);
    const flat = await desk.ask(FLAT);
    expect(answerTo(flat)).toMatchObject({ status: 202, body: { outcome: "held", opensAt } });
    await untilSaturday(desk);
    await desk.restart();
    await untilOpen(desk, 2 * SECOND_MS - 1);
    expect([stateOf(desk, flat), sentInTheWeekend(desk), sentSince(desk)]).toEqual([
      "HELD",
      [],
      [],
    ]);
    expect(await ordersOf(desk, desk.index)).toEqual(pairAt(2, ASK));
    await untilFivePast(desk);
    const closedAt = desk.exchange.traded.at(-1)?.at ?? 0;
    expect(closedAt - desk.shut.opensAt).toBeLessThanOrEqual(5 * SECOND_MS);
    expect([await desk.exchange.net(desk.index), await ordersOf(desk, desk.index)]).toEqual([
      0,
      [],
    ]);
    // The rest of it waits for cattle alone.
    expect(stateOf(desk, flat)).toBe("HELD");
    expect(await ordersOf(desk, desk.cattle)).toEqual(pairAt(-1, BID));
    await desk.until(desk.cattleShut.opensAt + 5 * SECOND_MS);
    expect(answerTo(desk.record(flat.intentId))).toMatchObject({
      status: 200,
      body: { outcome: "done" },
    });
    expect([await desk.exchange.net(desk.cattle), await desk.open()]).toEqual([0, []]);
    expect(await ordersOf(desk, desk.cattle)).toEqual([]);
    expectSound(desk);
  });
});

type Form = readonly [
  string,
  {
    readonly held: number;
    readonly asks: (desk: Desk) => Parameters<Desk["ask"]>[0];
    readonly left: number;
  },
];
const FORMS: readonly Form[] = [
  ["flat", { held: 2, asks: () => FLAT, left: 0 }],
  ["close half", { held: 4, asks: ({ index }) => closeHalf(index), left: 2 }],
  ["position 0", { held: -2, asks: ({ index }) => toBe(index, 0), left: 0 }],
  ["position -1 of what is long", { held: 2, asks: ({ index }) => toBe(index, -1), left: 0 }],
];

describe.each(FORMS)("%s after the close", (_, { held, asks, left }) => {
  const entryPx = held > 0 ? ASK : BID;
  const away = Math.sign(held);

  const holdAndAsk = async (options: DeskOptions = {}) => {
    const desk = await openDesk(options);
    await hold(desk, desk.index, held);
    await untilClosed(desk);
    return { desk, asked: await desk.ask(asks(desk)) };
  };

  test("is held with its opening, touches nothing over the weekend, and is done after it", async () => {
    const { desk, asked } = await holdAndAsk();
    const opensAt = new Date(desk.shut.opensAt).toISOString();
    expect(answerTo(asked)).toMatchObject({ status: 202, body: { outcome: "held", opensAt } });
    await untilSaturday(desk);
    await desk.restart();
    await untilOpen(desk);
    expect([stateOf(desk, asked), sentInTheWeekend(desk)]).toEqual(["HELD", []]);
    expect(await ordersOf(desk, desk.index)).toEqual(pairAt(held, entryPx));
    await untilFivePast(desk);
    expect([stateOf(desk, asked), await desk.exchange.net(desk.index)]).toEqual(["DONE", left]);
    expect(await ordersOf(desk, desk.index)).toEqual(left === 0 ? [] : pairAt(left, entryPx));
    expectSound(desk);
  });

  test("keeps its stop while an auction refuses everything, and is done after that", async () => {
    const { desk, asked } = await holdAndAsk({ auctionMs: AUCTION_MS });
    await untilOpen(desk, AUCTION_MS - 1);
    expect([stateOf(desk, asked), sentSince(desk)]).toEqual(["UNFINISHED", ["close"]]);
    expect(await ordersOf(desk, desk.index)).toEqual(pairAt(held, entryPx));
    await untilFivePast(desk);
    expect([stateOf(desk, asked), await desk.exchange.net(desk.index)]).toEqual(["DONE", left]);
    expect(await ordersOf(desk, desk.index)).toEqual(left === 0 ? [] : pairAt(left, entryPx));
    expectSound(desk);
  });

  test.each([
    ["stop", -(STOP + 20)],
    ["target", TARGET + 20],
  ])("sends no close where the %s fires in the opening", async (_leg, by) => {
    const { desk, asked } = await holdAndAsk({ printsAt: BID + away * by });
    await untilFivePast(desk);
    expect([stateOf(desk, asked), await desk.exchange.net(desk.index)]).toEqual(["DONE", 0]);
    expect([sentSince(desk).includes("close"), await ordersOf(desk, desk.index)]).toEqual([
      false,
      [],
    ]);
    expectSound(desk);
  });

  test("sends no second close where the stop fires after an auction that refused the first", async () => {
    const printsAt = BID - away * (STOP + 20);
    const { desk, asked } = await holdAndAsk({ auctionMs: AUCTION_MS, printsAt });
    await untilFivePast(desk);
    expect([stateOf(desk, asked), await desk.exchange.net(desk.index)]).toEqual(["DONE", 0]);
    expect(sentSince(desk).filter((kind) => kind === "close")).toHaveLength(1);
    expect(await ordersOf(desk, desk.index)).toEqual([]);
    expectSound(desk);
  });

  test("is done with nothing sent where a person has closed the position in the first second", async () => {
    const { desk, asked } = await holdAndAsk();
    desk.at(desk.shut.opensAt + SECOND_MS / 2, async () => {
      await desk.exchange.byHand(desk.index, held > 0 ? "SELL" : "BUY", Math.abs(held));
    });
    await untilFivePast(desk);
    expect([stateOf(desk, asked), await desk.exchange.net(desk.index)]).toEqual(["DONE", 0]);
    // The exits that a person left behind would open a position.
    expect([sentSince(desk).includes("close"), await ordersOf(desk, desk.index)]).toEqual([
      false,
      [],
    ]);
    expectSound(desk);
  });

  test("is taken back by a person on Saturday: position and stop stay over the opening", async () => {
    const { desk, asked } = await holdAndAsk();
    await untilSaturday(desk);
    expect(await desk.takeBack(asked.intentId)).toBe(true);
    await untilFivePast(desk);
    expect([stateOf(desk, asked), sentSince(desk)]).toEqual(["WITHDRAWN", []]);
    expect([await desk.exchange.net(desk.index), await desk.open()]).toEqual([held, []]);
    expect(await ordersOf(desk, desk.index)).toEqual(pairAt(held, entryPx));
    expectSound(desk);
  });

  test.each([
    ["before its first try", 0],
    ["while its closes are refused", 20 * SECOND_MS],
  ])("leaves an entry after the opening alone that comes %s", async (_when, refusedMs) => {
    const desk = await openDesk({
      refusesClosesUntil: Date.parse(PLAIN.index.opens) + refusedMs,
    });
    await hold(desk, desk.index, held);
    await untilClosed(desk);
    const asked = await desk.ask(asks(desk));
    // The first try is in the third second, where nothing is refused.
    await untilOpen(desk, refusedMs === 0 ? 2 * SECOND_MS - 1 : 3 * SECOND_MS + 1);
    desk.exchange.print(desk.index, BID + 8);
    await hold(desk, desk.index, away);
    await untilFivePast(desk);
    expect(stateOf(desk, asked)).toBe("DONE");
    expect(await desk.exchange.net(desk.index)).toBe(left + away);
    const own = pairAt(away, (held > 0 ? ASK : BID) + 8);
    const rest = left === 0 ? [] : pairAt(left, entryPx);
    expect(await ordersOf(desk, desk.index)).toEqual([...own, ...rest].toSorted());
    expectSound(desk);
  });
});

test("a call of /v1 is refused with the opening, and nothing is touched until after it", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 2);
  await untilClosed(desk);
  const call = await desk.ask(CALL_TO_FLATTEN, "api");
  expect(refusalOf(call)).toMatchObject({
    status: 409,
    body: {
      error: {
        code: "MARKET_CLOSED",
        retry: "safe",
        opensAt: new Date(desk.shut.opensAt).toISOString(),
      },
    },
  });
  await untilFivePast(desk);
  expect([sentInTheWeekend(desk), sentSince(desk)]).toEqual([[], []]);
  expect(await ordersOf(desk, desk.index)).toEqual(pairAt(2, ASK));
  expectSound(desk);
});

test.each([
  ["an order", (desk: Desk) => enter(desk.index, 1)],
  ["a greater target", (desk: Desk) => toBe(desk.index, 3)],
])(
  "%s on Saturday is refused for all to see, waits for nothing, and replaces no exit",
  async (_, asks) => {
    const desk = await openDesk();
    await hold(desk, desk.index, 2);
    await untilClosed(desk);
    const flat = await desk.ask(FLAT);
    await untilSaturday(desk);
    const entry = await desk.ask(asks(desk));
    expect([answerTo(entry).status, entry.state]).toEqual([422, "REJECTED"]);
    await untilFivePast(desk);
    expect([stateOf(desk, flat), await desk.exchange.net(desk.index)]).toEqual(["DONE", 0]);
    expect([await ordersOf(desk, desk.index), await desk.open()]).toEqual([[], []]);
    expectSound(desk);
  },
);

test("a second flat over one that is held closes nothing twice, and both are done", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 2);
  await untilClosed(desk);
  const first = await desk.ask(FLAT);
  await untilSaturday(desk);
  const second = await desk.ask(FLAT);
  expect(second.state).toBe("HELD");
  await untilFivePast(desk);
  expect([stateOf(desk, first), stateOf(desk, second)]).toEqual(["DONE", "DONE"]);
  expect(sentSince(desk).filter((kind) => kind === "close")).toHaveLength(1);
  expect([await desk.exchange.net(desk.index), await ordersOf(desk, desk.index)]).toEqual([0, []]);
  expectSound(desk);
});

test("a newer flat goes on where the older one is taken back", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 2);
  await untilClosed(desk);
  const first = await desk.ask(FLAT);
  const second = await desk.ask(FLAT);
  await desk.takeBack(first.intentId);
  await untilFivePast(desk);
  expect([stateOf(desk, first), stateOf(desk, second)]).toEqual(["WITHDRAWN", "DONE"]);
  expect([await desk.exchange.net(desk.index), await ordersOf(desk, desk.index)]).toEqual([0, []]);
  expectSound(desk);
});

test("a newer target for what is held takes the place of a flat: the position stays", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 2);
  await untilClosed(desk);
  const flat = await desk.ask(FLAT);
  await untilSaturday(desk);
  const target = await desk.ask(toBe(desk.index, 2));
  expect(target.state).toBe("DONE");
  await untilFivePast(desk);
  expect(stateOf(desk, flat)).toBe("OVERTAKEN");
  expect([await desk.exchange.net(desk.index), sentSince(desk)]).toEqual([2, []]);
  expect(await ordersOf(desk, desk.index)).toEqual(pairAt(2, ASK));
  expectSound(desk);
});

test("exits of the day end with it, and the flat is done after the opening all the same", async () => {
  const desk = await openDesk();
  await desk.ask(enter(desk.index, 2));
  await exitByOrders(desk, "DAY", {
    side: "SELL",
    orderQty: 2,
    stop: ASK - STOP,
    target: ASK + TARGET,
  });
  await untilClosed(desk);
  expect(await ordersOf(desk, desk.index)).toEqual([]);
  const flat = await desk.ask(FLAT);
  await untilOpen(desk);
  expect([stateOf(desk, flat), sentInTheWeekend(desk)]).toEqual(["HELD", []]);
  await untilFivePast(desk);
  expect([stateOf(desk, flat), await desk.exchange.net(desk.index)]).toEqual(["DONE", 0]);
  expect([await ordersOf(desk, desk.index), desk.errors]).toEqual([[], []]);
});

test("a flat in the first minute after the close is tried, is then held, and keeps the stop", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 2);
  await desk.until(desk.shut.closesAt + 20 * SECOND_MS);
  const flat = await desk.ask(FLAT);
  expect(answerTo(flat)).toMatchObject({ status: 202, body: { outcome: "unfinished" } });
  await untilSaturday(desk);
  expect(desk.record(flat.intentId).outcome).toMatchObject({
    kind: "held",
    opensAt: desk.shut.opensAt,
  });
  await untilOpen(desk);
  expect(await ordersOf(desk, desk.index)).toEqual(pairAt(2, ASK));
  await untilFivePast(desk);
  expect([stateOf(desk, flat), await desk.exchange.net(desk.index)]).toEqual(["DONE", 0]);
  expect(await ordersOf(desk, desk.index)).toEqual([]);
  expectSound(desk);
});

test("a flat in the last minute before the opening is tried, and keeps the stop until it is closed", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 2);
  await untilOpen(desk, -30 * SECOND_MS);
  const flat = await desk.ask(FLAT);
  expect(answerTo(flat)).toMatchObject({ status: 202, body: { outcome: "unfinished" } });
  await untilOpen(desk);
  expect(await ordersOf(desk, desk.index)).toEqual(pairAt(2, ASK));
  await untilFivePast(desk);
  expect([stateOf(desk, flat), await desk.exchange.net(desk.index)]).toEqual(["DONE", 0]);
  expect(await ordersOf(desk, desk.index)).toEqual([]);
  expectSound(desk);
});

test("the stop that fires while the close is on its way leaves nothing for it to close", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 2);
  await untilClosed(desk);
  const flat = await desk.ask(FLAT);
  desk.exchange.beforeClose = () => desk.exchange.print(desk.index, BID - STOP - 20);
  await untilFivePast(desk);
  expect([stateOf(desk, flat), await desk.exchange.net(desk.index)]).toEqual(["DONE", 0]);
  expect(await ordersOf(desk, desk.index)).toEqual([]);
  expectSound(desk);
});

test("half of what is held is what it was on Friday, where a person has closed a part by Sunday", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 4);
  await untilClosed(desk);
  const half = await desk.ask(closeHalf(desk.index));
  desk.at(desk.shut.opensAt + SECOND_MS / 2, async () => {
    await desk.exchange.byHand(desk.index, "SELL", 3);
  });
  await untilFivePast(desk);
  expect([stateOf(desk, half), await desk.exchange.net(desk.index)]).toEqual(["DONE", 0]);
  expect(await ordersOf(desk, desk.index)).toEqual([]);
  expectSound(desk);
});
