// The goal: what a leader's fills add up to is what each follower holds, sized and mapped as asked.
// The method: the leader trades over HTTP on the whole gateway, and the paper broker is looked at.
import { afterAll, beforeAll, expect, test } from "vitest";
import { CopySite, MNQ, NQ, untilHolds } from "./copy-desk.ts";

let site: CopySite;

beforeAll(async () => {
  site = await CopySite.open(60);
});
afterAll(async () => await site.gateway.stop());

test("a leader's fills become its followers' positions, and its exits their exits", async () => {
  const { leader, followers } = await site.group({}, [
    {},
    { multiplier: 2 },
    { multiplier: 0.5 },
    { fixedQty: 3 },
    { invert: true },
    { multiplier: 10, maxQty: 4 },
  ]);
  const holds = async (quantities: readonly number[]) => {
    for (const [n, qty] of quantities.entries()) {
      const follower = followers[n];
      if (follower === undefined) throw new Error(`There is no follower ${n}`);
      await untilHolds(follower, qty === 0 ? {} : { [MNQ.code]: qty });
    }
  };
  expect((await leader.trade("buy", 3)).status).toBe(201);
  await holds([3, 6, 1, 3, -3, 4]);
  await leader.trade("sell", 2);
  await holds([1, 2, 0, 3, -1, 4]);
  await leader.trade("sell", 3);
  await holds([-2, -4, -1, -3, 2, -4]);
  await leader.trade("buy", 2);
  await holds([0, 0, 0, 0, 0, 0]);
});

test("a symbol map trades another root in the same month", async () => {
  const { leader, followers } = await site.group({}, [
    { symbolMap: { NQ: "MNQ" }, multiplier: 10 },
    { allowedSymbols: ["ES"] },
  ]);
  const [mapped, restricted] = followers;
  if (mapped === undefined || restricted === undefined) throw new Error("Two were made");
  await leader.trade("buy", 1, { symbol: "NQ1!" });
  await untilHolds(leader, { [NQ.code]: 1 });
  await untilHolds(mapped, { [MNQ.code]: 10 });
  expect(await restricted.positions()).toEqual({});
});
