// The goal: exits that come back are sent for what is there when they leave, and what keeps failing is told
// and leaves the requests to what else must go. The method: the watch before a broker that is scripted.
import { expect, test } from "vitest";
import { tagOf, WatchedBroker } from "./watch-kit.ts";

const [LIVE, GONE] = [1, 3];
const UNKNOWN = { kind: "unknown", reason: "It was lost" } as const;

/** So many entries of one each, held, whose exits the broker has ended. */
async function bare(entries: number): Promise<WatchedBroker> {
  const broker = new WatchedBroker();
  await broker.watch.begin();
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
