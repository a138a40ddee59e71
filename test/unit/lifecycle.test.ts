import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Lifecycle } from "../../src/app/lifecycle.ts";

const never = () => new Promise<void>(() => undefined);

test("what was started last ends first, each only when the one before it has ended", async () => {
  const lifecycle = new Lifecycle();
  const log: string[] = [];
  for (const name of ["redis", "lanes", "http"]) {
    lifecycle.started(name, async () => {
      log.push(`${name} ends`);
      await sleep(5);
      log.push(`${name} ended`);
    });
  }
  expect(await lifecycle.stop(600_000)).toEqual({ unfinished: [], failures: [] });
  expect(log).toEqual([
    "http ends",
    "http ended",
    "lanes ends",
    "lanes ended",
    "redis ends",
    "redis ended",
  ]);
});

test("what hangs is named, and the others still end", async () => {
  const lifecycle = new Lifecycle();
  const ended: string[] = [];
  lifecycle.started("redis", () => void ended.push("redis"));
  lifecycle.started("lanes", never);
  lifecycle.started("http", () => void ended.push("http"));
  expect(await lifecycle.stop(20)).toEqual({ unfinished: ["lanes"], failures: [] });
  expect(ended).toEqual(["http", "redis"]);
});

test("what is stopped knows how long it may take", async () => {
  const lifecycle = new Lifecycle();
  const given: number[] = [];
  lifecycle.started("sessions", (withinMs) => void given.push(withinMs));
  await lifecycle.stop(3_600_000);
  // Less the moment that has passed since, two minutes of a stalled machine at most.
  expect(given).toHaveLength(1);
  expect(given[0]).toBeLessThanOrEqual(3_600_000);
  expect(given[0]).toBeGreaterThanOrEqual(3_480_000);
});

test("one deadline holds for the whole", async () => {
  const lifecycle = new Lifecycle();
  for (const name of ["first", "second", "third"]) lifecycle.started(name, never);
  const begin = performance.now();
  const { unfinished } = await lifecycle.stop(100);
  expect(unfinished).toEqual(["third", "second", "first"]);
  // What is left after the deadline gets a moment each, not the whole deadline again.
  expect(performance.now() - begin).toBeLessThan(15_000);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("broken");
    },
  ],
  ["rejects", () => Promise.reject(new Error("broken"))],
])("what %s is reported, and the others still end", async (_, stop) => {
  const lifecycle = new Lifecycle();
  const ended: string[] = [];
  lifecycle.started("redis", () => void ended.push("redis"));
  lifecycle.started("lanes", stop);
  const report = await lifecycle.stop(600_000);
  expect(report.unfinished).toEqual([]);
  expect(report.failures).toMatchObject([{ name: "lanes", error: { message: "broken" } }]);
  expect(ended).toEqual(["redis"]);
});

test("stopping twice is stopping once, with one report for both", async () => {
  const lifecycle = new Lifecycle();
  let stops = 0;
  lifecycle.started("http", async () => {
    stops += 1;
    await sleep(5);
  });
  const first = lifecycle.stop(600_000);
  const second = lifecycle.stop(600_000);
  expect(await first).toBe(await second);
  expect(await lifecycle.stop(600_000)).toBe(await first);
  expect(stops).toBe(1);
});

test("nothing started is ended at once", async () => {
  expect(await new Lifecycle().stop(0)).toEqual({ unfinished: [], failures: [] });
});
