// The goal: all processes together never send more orders in a minute than the whole appliance may.
// The method: processes that take, idle, die and restart at random, on a Redis whose time is moved.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { orderShareScripts, OrderShares } from "../../src/store/intents/order-shares.ts";
import { dyingAfter } from "../unit/store/failing-redis.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import { seededRandom } from "../faults/seeded-random.ts";

let corner: RedisCorner;
let redis: Redis;
/** The time that tests have added to everybody's clock. */
let moved: number;
/** The time by itself: it is fixed for a test that counts on the last second of a minute. */
let steady: () => number;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", orderShareScripts);
  moved = 0;
  steady = () => 0;
});
afterEach(() => corner.close());

const elapsed = () => steady() + moved;
const start = (connection = redis) =>
  new OrderShares({ redis: connection, keys: corner.keys, elapsed });

/** Lets time pass for the processes, and for what Redis keeps. */
async function pass(ms: number): Promise<void> {
  const shares = await redis.hgetall(corner.keys.orderShares);
  for (const [holder, share] of Object.entries(shares)) {
    const [count, freeAt] = share.split(" ").map(Number);
    await redis.hset(corner.keys.orderShares, holder, `${count} ${(freeAt ?? 0) - ms}`);
  }
  moved += ms;
}

/** How many of so many orders are let through. */
async function send(shares: OrderShares, count: number, limit: number): Promise<number> {
  const taken = await Promise.all(Array.from({ length: count }, () => shares.take(limit)));
  return taken.filter((one) => one !== undefined).length;
}

describe("one process", () => {
  test.each([1, 2, 7, 8, 600])("sends %d in a minute, and not one more", async (limit) => {
    const shares = start();
    expect(await send(shares, limit + 20, limit)).toBe(limit);
    await pass(59_000);
    expect(await send(shares, 5, limit)).toBe(0);
    await pass(1_000);
    expect(await send(shares, limit + 20, limit)).toBe(limit);
  });

  test("has what was not sent again", async () => {
    const shares = start();
    const [taken] = [await shares.take(1), await shares.take(1)];
    expect(await shares.take(1)).toBeUndefined();
    taken?.giveBack();
    expect(await shares.take(1)).toBeDefined();
    taken?.giveBack();
  });

  test("has a part at hand before it is needed, and asks for the next one ahead", async () => {
    const shares = start();
    await shares.open(80);
    let asked = 0;
    const send = redis.sendCommand.bind(redis);
    redis.sendCommand = (command, stream) => {
      asked += 1;
      return send(command, stream);
    };
    for (let order = 0; order < 5; order += 1) expect(shares.takeHeld(80)).toBeDefined();
    expect(asked).toBe(0);
    expect(shares.takeHeld(80)).toBeDefined();
    expect(asked).toBe(1);
  });

  test("uses its share no longer than its lease, and has it again when it asks", async () => {
    const shares = start();
    await shares.open(80);
    await pass(15_000);
    expect(shares.takeHeld(80)).toBeUndefined();
    expect(await shares.take(80)).toBeDefined();
  });

  test("is let nothing through where Redis is silent and its share used up", async () => {
    const { redis: dying } = dyingAfter(redis, 1);
    const shares = start(dying);
    await shares.open(8);
    expect(await send(shares, 1, 8)).toBe(1);
    await expect(shares.take(8)).rejects.toThrow("died");
  });
});

describe("a second process", () => {
  test.each([1, 2, 8, 600])(
    "finds room beside one that is idle, of a limit of %d",
    async (limit) => {
      const [first, second] = [start(), start()];
      await first.open(limit);
      await send(first, 1, limit);
      await pass(60_000);
      await first.renew();
      await second.open(limit);
      expect(await send(second, 1, limit)).toBe(1);
    },
  );

  test("has what the first leaves, and never more", async () => {
    const [first, second] = [start(), start()];
    expect(await send(first, 30, 80)).toBe(30);
    await first.renew();
    const sent = await send(second, 80, 80);
    expect(sent).toBeGreaterThanOrEqual(40);
    expect(sent).toBeLessThanOrEqual(50);
    expect(await send(first, 80, 80)).toBe(50 - sent);
  });
});

describe("many processes", () => {
  test.each([
    [10, 6],
    [40, 16],
    [600, 40],
  ])("of a limit of %d, %d find room for an order each, also all at once", async (limit, count) => {
    const processes = Array.from({ length: count }, () => start());
    for (const one of processes) await one.open(limit);
    for (let round = 0; round < 3; round += 1) {
      // Twice: in the first they find each other.
      for (const one of [...processes, ...processes]) await one.renew();
      const sent = await Promise.all(processes.map((one) => send(one, 1, limit)));
      expect(sent).toEqual(processes.map(() => 1));
      await pass(60_000);
    }
    for (const one of [...processes, ...processes]) await one.renew();
    const [first] = processes;
    // One alone has all but what the others keep at hand, which is half at most.
    expect(first && (await send(first, limit, limit))).toBeGreaterThanOrEqual(limit / 2);
  });
});

describe("a restart", () => {
  test.each([1, 2, 600])(
    "finds what its predecessor has not used, of a limit of %d",
    async (limit) => {
      const before = start();
      await before.open(limit);
      await before.close();
      expect(await send(start(), limit, limit)).toBe(limit);
    },
  );

  test("counts what its predecessor has sent, for a minute", async () => {
    const before = start();
    await send(before, 5, 8);
    await before.close();
    expect(await send(start(), 10, 8)).toBe(3);
    await pass(60_000);
    expect(await send(start(), 10, 8)).toBe(5);
  });

  test("counts the whole share of one that has died, until its lease and a minute are over", async () => {
    await start().open(80);
    const after = start();
    expect(await send(after, 80, 80)).toBe(70);
    await pass(60_000);
    expect(await send(start(), 80, 80)).toBe(0);
    await pass(15_000);
    expect(await send(start(), 80, 80)).toBeGreaterThan(0);
  });

  test("with a lower limit waits for what was sent under the higher one", async () => {
    const before = start();
    await send(before, 50, 600);
    await before.close();
    const after = start();
    expect(await send(after, 10, 10)).toBe(0);
    await pass(60_000);
    expect(await send(after, 20, 10)).toBe(10);
  });

  test("lets nothing be taken by one that has given back", async () => {
    const shares = start();
    await shares.open(8);
    await shares.close();
    expect(await send(shares, 3, 8)).toBe(0);
  });
});

test.each([1, 2, 3, 10, 40])("whatever processes do, no minute has more than %d", async (limit) => {
  // Redis' own time goes on beside it.
  steady = () => performance.now();
  const random = seededRandom(limit);
  const below = (most: number) => Math.floor(random() * most);
  let running = [start(), start(), start()];
  const sent: number[] = [];
  for (let step = 0; step < 250; step += 1) {
    const shares = running[below(running.length)] ?? start();
    const what = below(12);
    if (what < 6) {
      const count = 1 + below(Math.max(2, limit / 2));
      const taken = await Promise.all(Array.from({ length: count }, () => shares.take(limit)));
      for (const one of taken) {
        if (one !== undefined && below(5) === 0) one.giveBack();
        else if (one !== undefined) {
          // Redis can be slow before it is begun.
          if (below(3) === 0) await pass(below(900));
          one.begun();
          sent.push(elapsed());
        }
      }
    } else if (what < 8) await pass(below(20_000));
    else if (what < 10) await Promise.all(running.map(async (one) => await one.renew()));
    else {
      if (what === 10) await shares.close();
      running = [...running.filter((one) => one !== shares), start()];
    }
  }
  for (const end of sent) {
    const minute = sent.filter((at) => at <= end && at > end - 59_900);
    expect(minute.length).toBeLessThanOrEqual(limit);
  }
  // It does send, too: it holds a good part of what it may.
  expect(sent.length).toBeGreaterThan((moved / 60_000) * limit * 0.2);
});
