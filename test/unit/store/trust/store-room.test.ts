import { describe, expect, test, vi } from "vitest";
import type { SlowSync } from "../../../../src/store/trust/durability.ts";
import { alarmOfFinding, StoreRoom } from "../../../../src/store/trust/store-room.ts";

const MEGABYTE = 1024 * 1024;

const server = (usedShare: number | undefined, slowSync?: SlowSync) => ({
  memory:
    usedShare === undefined
      ? undefined
      : { usedBytes: usedShare * 100 * MEGABYTE, maxBytes: 100 * MEGABYTE },
  slowSync,
});

const kinds = (room: StoreRoom) => room.findings.map(({ kind }) => kind);

describe("of the memory", () => {
  test.each([
    [0.79, undefined, false, /^$/],
    [0.8, "memoryLow", false, /^Redis uses 80 % of its maxmemory of 100 MB: from 90 % on entries/],
    [0.9, "memoryTight", true, /90 % .* entries are refused, and exits, cancels and kill switches/],
    [0.97, "memoryFull", true, /97 % .* it is full\. Entries are refused; exits, cancels and/],
    [1.2, "memoryFull", true, /120 %/],
  ])("a share of %d is %s", (share, kind, isTight, words) => {
    const room = new StoreRoom(undefined);
    room.judge([server(share)]);
    expect([room.findings[0]?.kind, room.isTight()]).toEqual([kind, isTight]);
    expect(room.findings[0]?.text ?? "").toMatch(words);
    expect(room.memoryShare).toBeCloseTo(share);
  });

  test("nothing is said of a server without a limit", () => {
    const room = new StoreRoom(undefined);
    room.judge([server(undefined)]);
    expect([room.findings, room.memoryShare]).toEqual([[], undefined]);
  });

  test("the fullest server of several decides", () => {
    const room = new StoreRoom(undefined);
    room.judge([server(0.2), server(0.91), server(undefined)]);
    expect(room.findings[0]?.text).toMatch(/^A server of Redis uses 91 %/);
  });

  test("a level lasts until 2 % less is used", () => {
    const room = new StoreRoom(undefined);
    const seen = [0.9, 0.885, 0.87, 0.785, 0.77].map((share) => {
      room.judge([server(share)]);
      return kinds(room)[0];
    });
    expect(seen).toEqual(["memoryTight", "memoryTight", "memoryLow", "memoryLow", undefined]);
  });
});

describe("of its pace", () => {
  test("slow syncs that the server noted name the disk, and one is a pause", async () => {
    const room = new StoreRoom(undefined);
    const look = async (slowSync?: SlowSync) => {
      await room.time(Promise.resolve());
      room.judge([server(undefined, slowSync)]);
      return room.findings[0]?.text ?? "";
    };
    expect(await look({ at: 10, tookMs: 399 })).toBe("");
    expect(await look({ at: 11, tookMs: 600 })).toBe("");
    expect(await look({ at: 11, tookMs: 600 })).toBe("");
    expect(await look({ at: 13, tookMs: 400 })).toMatch(
      /^Redis is slow: its disk takes 600 ms to sync a write/,
    );
    for (let at = 0; at < 8; at += 1) expect(await look()).not.toBe("");
    expect(await look()).toBe("");
  });

  test("two slow looks of the last ten are slow, and one is a pause", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "setImmediate"] });
    try {
      const room = new StoreRoom(undefined);
      const look = async (ms: number) => {
        const timed = room.time(new Promise((resolve) => setTimeout(resolve, ms)));
        await vi.advanceTimersByTimeAsync(ms);
        await timed;
        return kinds(room);
      };
      expect(await look(600)).toEqual([]);
      expect(await look(20)).toEqual([]);
      expect(await look(700)).toEqual(["slow"]);
      expect(room.findings[0]?.text).toMatch(/^Redis is slow: it takes up to \d{3} ms to answer/);
      for (let at = 0; at < 7; at += 1) expect(await look(20)).toEqual(["slow"]);
      expect(await look(20)).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("a look that fails counts too", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "setImmediate"] });
    try {
      const room = new StoreRoom(undefined);
      for (let at = 0; at < 2; at += 1) {
        const silent = new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 900));
        const timed = room.time(silent).catch(() => undefined);
        await vi.advanceTimersByTimeAsync(900);
        await timed;
      }
      expect(kinds(room)).toEqual(["slow"]);
      expect(room.slowestMs).toBeGreaterThanOrEqual(800);
    } finally {
      vi.useRealTimers();
    }
  });
});

test.each([
  ["diskFull", "diskNeedsRoom"],
  ["memoryTight", "memoryNeedsRoom"],
  ["slow", "storeSlow"],
  ["replicas", "storeUnsafe"],
] as const)("%s raises %s", (finding, alarm) => {
  expect(alarmOfFinding(finding)).toBe(alarm);
});
