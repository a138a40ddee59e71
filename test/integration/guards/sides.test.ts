// The goal: the side that an account has claimed is not given up while its order is on its way.
// The method: the real scripts on a real Redis; the time of a claim is set back by hand.
import { afterEach, beforeEach, expect, test } from "vitest";
import { accountId, userId } from "../../../src/domain/ids.ts";
import { createRedisSides, sideScripts } from "../../../src/store/guards/redis-sides.ts";
import type { SideClaims } from "../../../src/trading/guards/opposite-sides.ts";
import { openCorner, type RedisCorner } from "../../unit/store/open-redis.ts";

const USER = userId("u_1");
const [ONE, OTHER] = [accountId("paper-1"), accountId("paper-2")];
const NOTHING = new Set<string>();

let corner: RedisCorner;
let sides: SideClaims;

beforeEach(async () => {
  corner = await openCorner();
  sides = createRedisSides({ redis: await corner.open("request", sideScripts), keys: corner.keys });
});
afterEach(() => corner.close());

const claim = async (account: typeof ONE, side: "BUY" | "SELL", root = "ES") =>
  await sides.claim(USER, {
    account,
    root,
    side,
    against: ["ES", "MES"],
    now: Date.now(),
    until: Date.now() + 86_400_000,
  });

/** As if every claim had been made so long ago. */
async function age(ms: number): Promise<void> {
  const redis = await corner.open("request");
  const key = corner.keys.sides(USER);
  for (const [field, value] of Object.entries(await redis.hgetall(key))) {
    const [side, until, at] = value.split(" ");
    await redis.hset(key, field, `${side} ${until} ${Number(at) - ms}`);
  }
}

test("what was claimed a moment ago stays, though nothing of it is seen yet", async () => {
  expect(await claim(ONE, "BUY")).toBeUndefined();
  await sides.keep(USER, ONE, NOTHING);
  expect(await claim(OTHER, "SELL", "MES")).toBe(ONE);
});

test("what is neither held nor worked is free later, of that account and no other", async () => {
  await claim(ONE, "BUY");
  await claim(ONE, "BUY", "MES");
  await claim(OTHER, "BUY");
  await age(16_000);
  await sides.keep(USER, ONE, new Set(["MES"]));
  expect(await claim(OTHER, "SELL")).toBe(ONE);
  await sides.keep(USER, ONE, NOTHING);
  expect(await claim(ONE, "SELL")).toBe(OTHER);
  expect(await claim(OTHER, "SELL")).toBeUndefined();
});
