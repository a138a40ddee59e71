// How an entry waits until its account is judged. The method: waits end when the test ends them.
import { beforeEach, expect, test } from "vitest";
import { untilJudged } from "../../../../src/trading/guards/until-judged.ts";

interface Wait {
  readonly ms: number;
  readonly end: () => void;
}

let waits: Wait[];
let attempts: number;
let isJudged: boolean;
let failures: unknown[];
let isOver: boolean;
let catchUp: () => Promise<void>;

beforeEach(() => {
  [waits, attempts, isJudged, failures, isOver] = [[], 0, false, [], false];
  catchUp = async () => await Promise.resolve();
});

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function begin(): Promise<void> {
  const judging = untilJudged({
    catchUp: async () => {
      attempts += 1;
      await catchUp();
    },
    isJudged: () => isJudged,
    waitFor: (ms, onWake) =>
      new Promise((resolve) => {
        waits.push({ ms, end: resolve });
        onWake(resolve);
      }),
    onError: (error) => void failures.push(error),
  });
  void judging.then(() => (isOver = true));
  await turn();
}

/** Time is up of the newest wait of so many ms. */
async function pass(ms: number): Promise<void> {
  waits.findLast((wait) => wait.ms === ms)?.end();
  await turn();
}

test("is over at once where the first attempt judges it", async () => {
  isJudged = true;
  await begin();
  expect([attempts, isOver]).toEqual([1, true]);
});

test("tries again every 50 ms until it is judged", async () => {
  await begin();
  await pass(50);
  expect([attempts, isOver]).toEqual([2, false]);
  isJudged = true;
  await pass(50);
  expect([attempts, isOver]).toEqual([3, true]);
});

test("ends after a second without a verdict, and tries no more", async () => {
  await begin();
  await pass(1_000);
  expect(isOver).toBe(true);
  await pass(50);
  await pass(50);
  expect(attempts).toBe(2);
});

test("ends, and does not fail, where an attempt fails", async () => {
  catchUp = async () => await Promise.reject(new Error("away"));
  await begin();
  expect([isOver, failures]).toEqual([true, [new Error("away")]]);
});
