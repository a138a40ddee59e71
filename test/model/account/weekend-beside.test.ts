// The goal: what happens beside an exit that waits over a weekend neither stops it nor is touched by it: orders
// that rest, entries before and after, persons, newer targets, other contracts, plans, clocks that differ, and a
// lost link. The method: as in `weekend.test.ts`.
import { expect, test } from "vitest";
import type { Intent } from "../../../src/domain/intent.ts";
import { BID, type Desk } from "./weekend/desk.ts";
import {
  ASK,
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
  closeHalf,
  enter,
  enterByPlan,
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

const flat = (): Intent => FLAT;
const half = ({ index }: Desk): Intent => closeHalf(index);
const to =
  (netQty: number) =>
  ({ index }: Desk): Intent =>
    toBe(index, netQty);

/** An account that holds so many of the index, and has asked for its exit by a minute after the close. */
async function askedWith(
  held: number,
  asks: (desk: Desk) => Intent,
  options: Parameters<typeof openDesk>[0] = {},
) {
  const desk = await openDesk(options);
  await hold(desk, desk.index, held);
  await untilClosed(desk);
  return { desk, asked: await desk.ask(asks(desk)) };
}

const expectFlat = async (desk: Desk) =>
  expect([
    await desk.exchange.net(desk.index),
    await ordersOf(desk, desk.index),
    await desk.open(),
  ]).toEqual([0, [], []]);

test.each([
  ["flat", flat, 2],
  ["position 0", to(0), 2],
])(
  "an order that fills in the opening, before its cancel is taken, is closed by %s too",
  async (_, asks, held) => {
    const desk = await openDesk({ printsAt: BID - 20 });
    await hold(desk, desk.index, held);
    await desk.ask(rest(desk.index, "BUY", BID - 15));
    await untilClosed(desk);
    const asked = await desk.ask(asks(desk));
    // Until a minute before the opening its cancel is tried, and nothing else.
    await untilOpen(desk, -MINUTE_MS);
    expect(new Set(sentInTheWeekend(desk))).toEqual(new Set(["cancel"]));
    expect(await ordersOf(desk, desk.index)).toEqual(
      [...pairAt(held, ASK), `BUY 1 LIMIT ${BID - 15}`].toSorted(),
    );
    await untilOpen(desk, MINUTE_MS);
    expect(stateOf(desk, asked)).toBe("DONE");
    await expectFlat(desk);
    expectSound(desk);
  },
);

test("an order that rests is cancelled after the opening where it has not filled", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 2);
  await desk.ask(rest(desk.index, "BUY", BID - 15));
  await untilClosed(desk);
  const asked = await desk.ask(FLAT);
  await untilSaturday(desk);
  await desk.restart();
  await untilOpen(desk, MINUTE_MS);
  expect([stateOf(desk, asked), desk.exchange.path(desk.index)]).toEqual(["DONE", [2, 0]]);
  await expectFlat(desk);
  expectSound(desk);
});

test("a flat that waits for cattle alone closes no later entry of the index", async () => {
  const desk = await openDesk();
  await hold(desk, desk.cattle, 1);
  await desk.until(desk.cattleShut.closesAt + 5 * MINUTE_MS);
  const asked = await desk.ask(FLAT);
  expect(asked.state).toBe("HELD");
  await hold(desk, desk.index, 1);
  await untilFivePast(desk);
  await desk.until(desk.cattleShut.opensAt + MINUTE_MS);
  expect([stateOf(desk, asked), await desk.exchange.net(desk.cattle)]).toEqual(["DONE", 0]);
  expect([await desk.exchange.net(desk.index), await ordersOf(desk, desk.index)]).toEqual([
    1,
    pairAt(1, ASK),
  ]);
  expectSound(desk);
});

test("an entry on Sunday stays where the flat goes on with cattle on Monday", async () => {
  const desk = await openDesk();
  await hold(desk, desk.index, 2);
  await hold(desk, desk.cattle, 1);
  await untilClosed(desk);
  const asked = await desk.ask(FLAT);
  await untilFivePast(desk);
  await hold(desk, desk.index, 1);
  await desk.until(desk.cattleShut.opensAt + MINUTE_MS);
  expect([stateOf(desk, asked), await desk.exchange.net(desk.cattle)]).toEqual(["DONE", 0]);
  expect([await desk.exchange.net(desk.index), await ordersOf(desk, desk.index)]).toEqual([
    1,
    pairAt(1, ASK),
  ]);
  expectSound(desk);
});

test.each([
  // A person's later contracts are theirs.
  ["buys one more", "BUY", 1, 1],
  ["closes one", "SELL", 1, 0],
  // So are those of a position that a person has turned around.
  ["sells one more than is held", "SELL", 3, -1],
] as const)(
  "in the first second a person %s, and the flat closes the rest of Friday's",
  async (_, side, qty, left) => {
    const { desk, asked } = await askedWith(2, flat);
    desk.at(desk.shut.opensAt + SECOND_MS / 2, async () => {
      await desk.exchange.byHand(desk.index, side, qty);
    });
    await untilFivePast(desk);
    expect([stateOf(desk, asked), await desk.exchange.net(desk.index)]).toEqual(["DONE", left]);
    expect([await ordersOf(desk, desk.index), desk.errors]).toEqual([[], []]);
  },
);

test("half closes what is left of Friday's contracts, beside an entry that came after a person", async () => {
  const { desk, asked } = await askedWith(4, half);
  desk.at(desk.shut.opensAt + SECOND_MS / 2, async () => {
    await desk.exchange.byHand(desk.index, "SELL", 3);
  });
  await untilOpen(desk, SECOND_MS);
  await hold(desk, desk.index, 2);
  await untilFivePast(desk);
  expect([stateOf(desk, asked), desk.exchange.path(desk.index)]).toEqual(["DONE", [4, 1, 3, 2]]);
  expect(await ordersOf(desk, desk.index)).toEqual(pairAt(2, ASK));
  expectSound(desk);
});

test("a target that a person has reached meanwhile closes nothing more", async () => {
  const { desk, asked } = await askedWith(2, to(1));
  desk.at(desk.shut.opensAt + SECOND_MS / 2, async () => {
    await desk.exchange.byHand(desk.index, "SELL", 1);
  });
  await untilFivePast(desk);
  expect([stateOf(desk, asked), desk.exchange.path(desk.index)]).toEqual(["DONE", [2, 1]]);
  expect(await ordersOf(desk, desk.index)).toEqual(pairAt(1, ASK));
  expectSound(desk);
});

test("a newer target that waits as well takes the place of a flat", async () => {
  const { desk, asked } = await askedWith(2, flat);
  await untilSaturday(desk);
  const target = await desk.ask(toBe(desk.index, 1));
  expect(target.state).toBe("HELD");
  await untilFivePast(desk);
  expect([stateOf(desk, asked), stateOf(desk, target)]).toEqual(["OVERTAKEN", "DONE"]);
  expect(await ordersOf(desk, desk.index)).toEqual(pairAt(1, ASK));
  expect([desk.exchange.path(desk.index), await desk.open()]).toEqual([[2, 1], []]);
  expectSound(desk);
});

test.each([
  ["half and then flat", half, flat],
  ["half and then position 0", half, to(0)],
  ["flat and then half", flat, half],
])("%s, both held, end flat, and none is turned around", async (_, first, second) => {
  const { desk, asked } = await askedWith(4, first);
  await untilSaturday(desk);
  const newer = await desk.ask(second(desk));
  await untilFivePast(desk);
  expect(stateOf(desk, asked)).toMatch(/^(?:DONE|OVERTAKEN)$/u);
  expect(stateOf(desk, newer)).toBe("DONE");
  await expectFlat(desk);
  expectSound(desk);
});

test.each([
  ["two seconds before the gateway's clock", 2 * SECOND_MS],
  ["two seconds after the gateway's clock", -2 * SECOND_MS],
])("an exchange that closes and opens %s costs no stop", async (_, aheadMs) => {
  const desk = await openDesk({ aheadMs });
  await hold(desk, desk.index, 2);
  await untilClosed(desk);
  const asked = await desk.ask(FLAT);
  await untilOpen(desk, -1);
  expect([stateOf(desk, asked), await ordersOf(desk, desk.index)]).toEqual([
    "HELD",
    pairAt(2, ASK),
  ]);
  await untilFivePast(desk);
  expect(stateOf(desk, asked)).toBe("DONE");
  await expectFlat(desk);
  expectSound(desk);
});

test("a link that is down at the opening delays the exit, and the stop stays", async () => {
  const { desk, asked } = await askedWith(2, flat);
  await untilOpen(desk, -MINUTE_MS);
  desk.loseLink();
  await untilOpen(desk, 2 * MINUTE_MS);
  expect([stateOf(desk, asked), await ordersOf(desk, desk.index)]).toEqual([
    "HELD",
    pairAt(2, ASK),
  ]);
  await desk.restart();
  await untilFivePast(desk);
  expect(stateOf(desk, asked)).toBe("DONE");
  await expectFlat(desk);
  expectSound(desk);
});

test("a new owner in the middle of the auction goes on where the former one was", async () => {
  const { desk, asked } = await askedWith(2, flat, { auctionMs: 5 * SECOND_MS });
  await untilOpen(desk, 4 * SECOND_MS);
  expect([stateOf(desk, asked), sentSince(desk)]).toEqual(["UNFINISHED", ["close"]]);
  await desk.restart();
  await untilFivePast(desk);
  expect(stateOf(desk, asked)).toBe("DONE");
  await expectFlat(desk);
  expectSound(desk);
});

test("a person takes it back while an auction refuses it: no close is sent any more", async () => {
  const { desk, asked } = await askedWith(2, flat, { auctionMs: 30 * SECOND_MS });
  await untilOpen(desk, 10 * SECOND_MS);
  expect(await desk.takeBack(asked.intentId)).toBe(true);
  const { length } = sentSince(desk);
  await untilFivePast(desk);
  expect([stateOf(desk, asked), sentSince(desk).length]).toEqual(["WITHDRAWN", length]);
  expect(await ordersOf(desk, desk.index)).toEqual(pairAt(2, ASK));
  expectSound(desk);
});

test.each([
  ["flat", flat],
  ["half", half],
  ["position 1", to(1)],
])("%s whose closes are refused sends none where the stop fires then", async (_, asks) => {
  const { desk, asked } = await askedWith(4, asks, {
    refusesClosesUntil: Date.parse(PLAIN.index.opens) + 30 * SECOND_MS,
  });
  await untilOpen(desk, 10 * SECOND_MS);
  // Three of four at first: the stop is filling.
  desk.exchange.print(desk.index, BID - STOP - 20, 3);
  await untilOpen(desk, 20 * SECOND_MS);
  desk.exchange.print(desk.index, BID - STOP - 20);
  await untilFivePast(desk);
  expect([stateOf(desk, asked), desk.exchange.path(desk.index)]).toEqual(["DONE", [4, 1, 0]]);
  await expectFlat(desk);
  expectSound(desk);
});

test.each([
  ["flat", flat],
  ["position 0", to(0)],
])(
  "its stop and target end with %s once cancels are taken, where these are refused after the close",
  async (_, asks) => {
    const { desk, asked } = await askedWith(2, asks, {
      refusesCancelsUntil: Date.parse(PLAIN.index.opens) + 20 * SECOND_MS,
    });
    await untilFivePast(desk);
    expect([stateOf(desk, asked), desk.exchange.path(desk.index)]).toEqual(["DONE", [2, 0]]);
    await expectFlat(desk);
    expectSound(desk);
  },
);

const [NEAR, FAR] = [TARGET, TARGET + 40];
const legsAt = (qty: number, target: number) => [
  `SELL ${qty} LIMIT ${ASK + target}`,
  `SELL ${qty} STOP ${ASK - STOP}`,
];

test.each([
  ["flat", flat, BID, 0, []],
  ["half", half, BID, 2, legsAt(2, FAR)],
  ["position 1", to(1), BID, 1, legsAt(1, FAR)],
  ["flat, with a target that fills in the opening", flat, BID + NEAR + 10, 0, []],
  [
    "position 1, with a target that fills in the opening",
    to(1),
    BID + NEAR + 10,
    1,
    legsAt(1, FAR),
  ],
] as const)(
  "a position with an exit plan is closed as well: %s",
  async (_, asks, printsAt, left, legs) => {
    const desk = await openDesk({ printsAt });
    await desk.ask(enterByPlan(desk.index, 4, { targets: [NEAR, FAR], stop: STOP }));
    await untilClosed(desk);
    const asked = await desk.ask(asks(desk));
    await untilSaturday(desk);
    await desk.restart();
    await untilOpen(desk, -1);
    expect([stateOf(desk, asked), sentInTheWeekend(desk)]).toEqual(["HELD", []]);
    expect(await ordersOf(desk, desk.index)).toEqual(
      [...legsAt(2, NEAR), ...legsAt(2, FAR)].toSorted(),
    );
    await untilFivePast(desk);
    expect([stateOf(desk, asked), await desk.exchange.net(desk.index)]).toEqual(["DONE", left]);
    expect([await ordersOf(desk, desk.index), await desk.open()]).toEqual([legs, []]);
    expectSound(desk);
  },
);

test("a position without any exits waits and is closed like others", async () => {
  const desk = await openDesk();
  await desk.ask(enter(desk.index, 2));
  await untilClosed(desk);
  const asked = await desk.ask(FLAT);
  await untilFivePast(desk);
  expect([stateOf(desk, asked), sentSince(desk)]).toEqual(["DONE", ["close"]]);
  await expectFlat(desk);
});
