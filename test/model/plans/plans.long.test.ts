// The goal: whatever happens while an exit plan runs, what is held has stops for just as much: never
// doubled, never naked beyond the stated time, never moved back. The method: trades with plans drawn at
// random, on the whole gateway as a process that is killed, over the simulator of Tradovate, which refuses,
// loses and delays; what the broker itself shows is looked at all the while.
import fc from "fast-check";
import { expect, test } from "vitest";
import { enter, take, trade, type Trade } from "./steps.ts";
import { World } from "./world.ts";
import { CHECK_SEED } from "../../support/check-seed.ts";

/** By hand: PLANS_RUNS=200, and CHECK_SEED and PLANS_PATH as a failure prints them. */
const RUNS = Number(process.env["PLANS_RUNS"] ?? 6);
const PATH = process.env["PLANS_PATH"];

/** Beyond it a person is told: a lost answer is looked up twice, 5 s apart. */
const NAKED_MS = 30_000;
/** A successor stands before what it stands for is made smaller, for as long as that takes. */
const DOUBLED_MS = 30_000;

test(
  "stops close just what is held, whatever happens to a plan",
  async () => {
    const world = await World.open();
    let trades = 0;
    const run = await fc.check(
      fc.asyncProperty(trade, async (one) => {
        try {
          trades += (await runTrade(world, one)) ? 1 : 0;
        } finally {
          await world.close();
        }
      }),
      {
        seed: CHECK_SEED,
        numRuns: RUNS,
        endOnFailure: true,
        includeErrorInReport: true,
        ...(PATH !== undefined && { path: PATH }),
      },
    );
    process.stderr.write(`plans: CHECK_SEED=${CHECK_SEED}, ${trades} trades opened\n`);
    // A gateway that refuses every plan breaks no promise, and proves none.
    expect(trades).toBeGreaterThan(0);
    expect(run.failed, `${await fc.asyncDefaultReportMessage(run)}`).toBe(false);
  },
  120_000 + RUNS * 60_000,
);

/** Answers whether anything was ever held. */
async function runTrade(world: World, one: Trade): Promise<boolean> {
  const watch = await world.watchAnew();
  const way = one.side === "buy" ? 1 : -1;
  const answer = await enter(world, one);
  // Not every plan that can be drawn can work.
  if (answer.status === 400) return false;
  if (answer.status !== 200 && answer.status !== 202) throw new Error(answer.text);
  for (const step of one.steps) await take(world, step, way);
  await world.turn({ knob: "reset" });
  await world.move(0);
  const now = await world.untilQuiet();
  const { nakedMs, doubledMs, doubledBy, movedBack, hasTurned, hasHeld } = watch.coverage;
  const told = `${JSON.stringify(now, replacer)} ${await world.story()}`;
  expect(now.stopped, `stops of what is held in the end: ${told}`).toBe(Math.abs(now.held));
  expect(now.targeted, `targets of what is held: ${told}`).toBeLessThanOrEqual(Math.abs(now.held));
  if (hasTurned) throw new Error(`What was held turned around: ${await world.commands()}`);
  expect(movedBack, "stops that went back").toEqual([]);
  expect(nakedMs, "ms in which stops closed too little").toBeLessThan(NAKED_MS);
  expect(doubledMs, "ms in which stops closed too much").toBeLessThan(DOUBLED_MS);
  expect(doubledBy, "contracts that stops closed too much").toBeLessThanOrEqual(one.qty);
  return hasHeld;
}

const replacer = (_: string, value: unknown) => (value instanceof Map ? [...value] : value);
