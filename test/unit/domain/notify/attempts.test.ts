import { expect, test } from "vitest";
import {
  isToBeDisabled,
  nextAttemptIn,
  pauseAfter,
} from "../../../../src/domain/notify/attempts.ts";

const signed = { kind: "webhook", severity: "info" } as const;
const chat = { kind: "discord", severity: "info" } as const;
const minutes = (ms: number | undefined) => ms && ms / 60_000;
const after = (of: typeof signed | typeof chat, chance = 0) =>
  Array.from({ length: 12 }, (_, n) =>
    minutes(nextAttemptIn({ ...of, attempts: n + 1 }, undefined, chance)),
  );

test("a signed webhook is tried as its standard says: ten times over three days", () => {
  const hours = [2, 5, 10, 14, 20, 24].map((h) => h * 60);
  expect(after(signed)).toEqual([5 / 60, 5, 30, ...hours, undefined, undefined, undefined]);
});

test("a chat is tried for a quarter of an hour, unless money is at risk", () => {
  expect(after(chat).filter((wait) => wait !== undefined)).toHaveLength(5);
  const critical = after({ ...chat, severity: "critical" } as unknown as typeof chat);
  expect(critical.slice(0, 6)).toEqual([...after(chat).slice(0, 5), 30]);
  expect(critical.filter((wait) => wait !== undefined)).toHaveLength(12);
});

test("a heartbeat is not tried again: the next minute says more", () => {
  const beat = { kind: "heartbeat", severity: "info", attempts: 1 } as const;
  expect(nextAttemptIn(beat, undefined, 0)).toBeUndefined();
});

test("a wait is a fifth longer at most, and never shorter than was asked for", () => {
  expect(nextAttemptIn({ ...signed, attempts: 2 }, undefined, 1)).toBe(6 * 60_000);
  expect(nextAttemptIn({ ...signed, attempts: 1 }, 3_600_000, 0)).toBe(3_600_000);
  expect(nextAttemptIn({ ...signed, attempts: 2 }, 1_000, 0)).toBe(5 * 60_000);
});

test("a destination that takes nothing is asked ever less often, up to every five minutes", () => {
  expect([1, 2, 3, 4, 5, 6, 50].map((n) => pauseAfter("discord", n) / 1_000)).toEqual([
    2, 10, 30, 60, 300, 300, 300,
  ]);
  expect(pauseAfter("discord", 1, 90_000)).toBe(90_000);
});

test("it is switched off only after many failures and a whole day of them", () => {
  const day = 24 * 3_600_000;
  expect(isToBeDisabled(20, day)).toBe(true);
  expect(isToBeDisabled(19, day)).toBe(false);
  expect(isToBeDisabled(500, day - 1)).toBe(false);
});
