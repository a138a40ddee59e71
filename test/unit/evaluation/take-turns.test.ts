import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurns } from "../../../src/evaluation/take-turns.ts";

test("what is asked for at once is computed in the order of asking, a round of the event loop apart", async () => {
  const turn = createTurns();
  const done: string[] = [];
  const rounds = (async () => {
    for (let round = 0; round < 5; round += 1) {
      await setImmediate();
      done.push("round");
    }
  })();
  await Promise.all([1, 2, 3].map((n) => turn(() => done.push(`computed ${n}`))));
  await rounds;
  const between = done.join(" ").split(/computed \d/);
  expect(done.filter((one) => one !== "round")).toEqual(["computed 1", "computed 2", "computed 3"]);
  // A round lies between any two of them, so that an order's next step is never behind more than one.
  for (const gap of between.slice(1, -1)) expect(gap).toContain("round");
});

test("one that fails takes nobody's turn with it", async () => {
  const turn = createTurns();
  const failing = turn(() => {
    throw new Error("no value");
  });
  const next = turn(() => "computed");
  await expect(failing).rejects.toThrow("no value");
  expect(await next).toBe("computed");
});
