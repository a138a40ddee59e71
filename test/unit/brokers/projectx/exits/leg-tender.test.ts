// The goal: exits that come back are sent for what is there when they leave, and what keeps failing is told
// and leaves the requests to what else must go. The method: the watch before a broker that is scripted.
import { expect, test } from "vitest";
import { tagOf, WatchedBroker } from "./watch-kit.ts";

const [LIVE, GONE] = [1, 3];
const UNKNOWN = { kind: "unknown", reason: "It was lost" } as const;

/** So many entries of one each, held, whose exits the broker has ended. */
async function bare(entries: number): Promise<WatchedBroker> {
  const broker = await WatchedBroker.begun();
  broker.holds(entries);
  for (let n = 1; n <= entries; n += 1) {
    await broker.enter(n, 1);
    broker.legs(n, LIVE, 1);
  }
  await broker.through(500);
  for (let n = 1; n <= entries; n += 1) broker.legs(n, GONE, 1);
  return broker;
}

test("an exit whose turn comes once all is closed is not sent, and nobody is told of trouble", async () => {
  const broker = await bare(1);
  broker.onTurn = () => broker.holds(0);
  await broker.through(12_000);
  expect([broker.placed, broker.troubles]).toEqual([[], []]);
});

test("one whose turn comes once a part is closed is sent for the rest", async () => {
  const broker = await bare(2);
  broker.onTurn = () => broker.holds(1);
  await broker.through(8_000);
  expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([1, 1]);
  expect(broker.placed.every(({ clOrdId }) => clOrdId.startsWith(tagOf(2)))).toBe(true);
});

test("questions that fail are asked ever less often, and a person is told", async () => {
  const broker = await bare(2);
  broker.isDown = true;
  await broker.through(4_000);
  const before = broker.session.sent.length;
  await broker.through(60_000);
  // Four exits are missing: one question every 5 s, where each look would ask.
  expect(broker.session.sent.length - before).toBeLessThan(25);
  expect(broker.troubles).toHaveLength(4);
  expect(broker.troubles[0]?.reason).toMatch(/^The stop-loss cannot be seen to .* lost$/);
  broker.isDown = false;
  await broker.through(22_000);
  expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([2, 2]);
});

test("what may have come through goes on, ever less often the more there is of it", async () => {
  const broker = await bare(4);
  for (let n = 0; n < 200; n += 1) broker.answers.push(UNKNOWN);
  await broker.through(10_000);
  const before = broker.placed.length;
  await broker.through(60_000);
  // Eight exits share what one would take.
  expect(broker.placed.length - before).toBeLessThan(25);
  broker.answers.length = 0;
  // Once it goes for one, the others do not wait any longer.
  const tries = broker.placed.length;
  while (broker.placed.length === tries) await broker.through(100);
  await broker.through(5_000);
  expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([4, 4]);
});

test("all that is held has exits again where the newer entry filled first and others closed of it", async () => {
  const broker = await WatchedBroker.begun();
  for (const n of [1, 2]) await broker.enter(n, 2, 0);
  const fill = (n: number, cumQty: number): void => {
    broker.holds(broker.heldQty + 1);
    broker.fill(n, 2, cumQty);
    broker.trade(n * 10, 1, 10);
  };
  fill(2, 1);
  fill(2, 2);
  broker.holds(1);
  broker.trade(700, 1, 10, 1);
  fill(1, 1);
  await broker.through(8_000);
  const qtyOf = (n: number) =>
    broker.placed.filter(({ clOrdId }) => clOrdId.startsWith(tagOf(n))).map((one) => one.orderQty);
  // Each for what is its own, at its own levels.
  expect([qtyOf(1), qtyOf(2)]).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

test.each([
  ["are told", true],
  ["were before all that is told", false],
])(
  "what the gateway has cut away from the newer entry is not taken from the older one too, where fills %s",
  async (_name, isTold) => {
    const broker = await bare(2);
    await broker.through(6_000);
    for (const n of isTold ? [1, 2] : []) broker.trade(n * 10, 1, 10);
    broker.holds(1);
    broker.trade(700, 1, 10, 1);
    const [stop, target] = [broker.idOf(`${tagOf(2)}-r2-SL`), broker.idOf(`${tagOf(2)}-r2-TP`)];
    for (const id of [stop, target]) {
      const ended = broker.watch.onCancel(id);
      broker.turn(id, GONE);
      ended(false);
    }
    for (const ending of ["-r2-SL", "-r2-TP"]) {
      broker.turn(broker.idOf(`${tagOf(1)}${ending}`), GONE);
    }
    await broker.through(6_000);
    expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([1, 1]);
  },
);

test("what others close is the oldest, also where somebody has opened more by hand since", async () => {
  const broker = await WatchedBroker.begun();
  broker.holds(1);
  await broker.enter(1, 1);
  broker.trade(10, 1, 10);
  broker.legs(1, LIVE, 1);
  await broker.through(500);
  broker.holds(2);
  broker.trade(700, 1, 10);
  broker.holds(1);
  broker.trade(701, 1, 10, 1);
  broker.legs(1, GONE, 1);
  await broker.through(8_000);
  // The entry's contract is closed, and the one that is held was bought by hand, without exits.
  expect(broker.placed).toEqual([]);
});

test("what was held by hand before is closed before what an entry has opened", async () => {
  const broker = await WatchedBroker.begun();
  broker.holds(1);
  broker.trade(700, 1, 10);
  broker.holds(2);
  await broker.enter(1, 1);
  broker.trade(10, 1, 10);
  broker.legs(1, LIVE, 1);
  await broker.through(500);
  broker.holds(1);
  broker.trade(701, 1, 10, 1);
  broker.legs(1, GONE, 1);
  await broker.through(8_000);
  expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([1, 1]);
});

test("of entries that filled before all that is told, others close the one that was placed first", async () => {
  const broker = await WatchedBroker.begun();
  broker.holds(2);
  // The one that was placed first has the later tag.
  for (const n of [2, 1]) {
    await broker.enter(n, 1);
    broker.legs(n, LIVE, 1);
  }
  await broker.through(500);
  broker.holds(1);
  broker.trade(700, 1, 10, 1);
  for (const n of [2, 1]) broker.legs(n, GONE, 1);
  await broker.through(8_000);
  expect(broker.placed.length).toBeGreaterThan(0);
  expect(broker.placed.every(({ clOrdId }) => clOrdId.startsWith(tagOf(1)))).toBe(true);
});
