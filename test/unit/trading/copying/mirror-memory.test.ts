import { beforeEach, expect, test } from "vitest";
import { intentId } from "../../../../src/domain/ids.ts";
import {
  type Ask,
  type Attempt,
  MirrorMemory,
} from "../../../../src/trading/copying/mirror-memory.ts";

const ONE = intentId("copy 1");
const OTHER = intentId("copy 2");

let elapsedMs: number;
let memory: MirrorMemory;

beforeEach(() => {
  elapsedMs = 0;
  memory = new MirrorMemory(() => elapsedMs, 0);
});

const to = (values: string): Ask => ({ of: `change ${ONE}`, values });

/** Asks, if the time has come. */
function ask(values: string, afterMs = 0): Attempt | undefined {
  elapsedMs += afterMs;
  const attempt = memory.nextAttempt(to(values));
  if (attempt !== undefined) memory.noteAsked(to(values), attempt);
  return attempt;
}

test("the same is asked again after 5 s, then after 10 s, and each time as another request", () => {
  expect(ask("2")).toEqual({ nth: 1, inVain: 0 });
  expect(ask("2", 4_999)).toBeUndefined();
  expect(ask("2", 1)).toEqual({ nth: 2, inVain: 1 });
  expect(ask("2", 9_999)).toBeUndefined();
  expect(ask("2", 1)).toEqual({ nth: 3, inVain: 2 });
});

test("other values are asked for at once, the same as before too", () => {
  expect([ask("2"), ask("3"), ask("2")]).toEqual([
    { nth: 1, inVain: 0 },
    { nth: 2, inVain: 0 },
    { nth: 3, inVain: 0 },
  ]);
});

test("a leader's order that is seen working again has not ended", () => {
  memory.noteLeaderOrder(ONE, false);
  elapsedMs = 100;
  memory.noteLeaderOrder(ONE, false);
  expect([memory.endedFor(ONE), memory.endedFor(OTHER)]).toEqual([100, undefined]);
  memory.noteLeaderOrder(ONE, true);
  expect(memory.endedFor(ONE)).toBeUndefined();
});

test("what is forgotten of one mirror stays known of the others", () => {
  for (const mirror of [ONE, OTHER]) memory.noteLeaderOrder(mirror, false);
  ask("2");
  elapsedMs = 100;
  memory.forget(ONE);
  expect([memory.endedFor(ONE), memory.endedFor(OTHER)]).toEqual([undefined, 100]);
  expect(ask("2")).toEqual({ nth: 1, inVain: 0 });
});

test("a process that begins anew asks under numbers that were not used before", () => {
  const ask = { of: "cancel c1", values: "" };
  const numbers = [1_000, 2_000].map((startedAt) => {
    const one = new MirrorMemory(() => 0, startedAt);
    return one.nextAttempt(ask)?.nth;
  });
  expect(new Set(numbers).size).toBe(2);
});
