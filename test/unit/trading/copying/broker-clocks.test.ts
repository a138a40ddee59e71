import { beforeEach, describe, expect, test } from "vitest";
import { connectionId } from "../../../../src/domain/ids.ts";
import type { BrokerReport, Fill } from "../../../../src/domain/order.ts";
import { BrokerClocks, stampOf } from "../../../../src/trading/copying/broker-clocks.ts";
import { order } from "../../domain/copying/mirror-world.ts";
import { ES, NOW } from "./copy-kit.ts";
import { noted } from "./news-kit.ts";

const HERE = connectionId("sim-1");
const THERE = connectionId("sim-2");

/** The true time since the test began; what clocks show is told as their distance from it. */
let sinceMs: number;
let clocks: BrokerClocks;

beforeEach(() => {
  sinceMs = 0;
  clocks = new BrokerClocks(() => 5_000 + sinceMs);
});

/** The broker stamps something, and it is heard so late. */
function hear({ lateMs = 0, brokerAheadMs = 0, isLive = true, on = HERE } = {}): void {
  clocks.record(on, { stampedAt: NOW + sinceMs + brokerAheadMs - lateMs, isLive });
}

/** By how much the broker's clock is taken to be ahead of the true time. */
const takenAhead = (storeAheadMs: number, on = HERE) =>
  clocks.now(on, NOW + sinceMs + storeAheadMs) - (NOW + sinceMs);

function offset(storeAheadMs: number): number | undefined {
  clocks.noteStoreNow(NOW + sinceMs + storeAheadMs);
  return clocks.offsetMs(HERE);
}

describe("a broker's clock", () => {
  test("counts as ours while nothing was heard, and where only another one was", () => {
    expect(takenAhead(31_000)).toBe(31_000);
    expect(offset(31_000)).toBeUndefined();
    hear({ on: THERE });
    sinceMs += 20_000;
    hear({ on: THERE });
    expect(takenAhead(31_000)).toBe(31_000);
    expect(takenAhead(31_000, THERE)).toBe(0);
  });

  test("is known once two reports agree, and ours is no part of it", () => {
    hear({ lateMs: 100 });
    expect(takenAhead(31_000)).toBe(31_000);
    expect(offset(31_000)).toBeUndefined();
    sinceMs += 20_000;
    hear({ lateMs: 300 });
    expect(takenAhead(31_000)).toBe(-100);
    expect(offset(31_000)).toBe(31_100);
    // Somebody sets ours.
    expect(takenAhead(2_000)).toBe(-100);
    expect(offset(2_000)).toBe(2_100);
  });

  test("is ahead of ours as far as one report proves, however it was heard", () => {
    hear({ brokerAheadMs: 20_000, isLive: false });
    sinceMs += 60_000;
    expect(takenAhead(0)).toBe(20_000);
    expect(offset(0)).toBe(-20_000);
  });

  test("is never taken for later than a report proves once it is known", () => {
    hear();
    sinceMs += 20_000;
    hear();
    expect(takenAhead(10_000)).toBe(0);
  });
});

describe("what comes late makes nothing young", () => {
  test("where it is the first that is heard", () => {
    hear({ lateMs: 40_000 });
    expect(takenAhead(0)).toBe(0);
    expect(offset(0)).toBeUndefined();
  });

  test("where several come together after a silence", () => {
    for (const lateMs of [40_000, 39_500, 39_000]) hear({ lateMs });
    sinceMs += 5_000;
    hear({ lateMs: 39_000 });
    expect(takenAhead(0)).toBe(0);
  });

  test("where a broker came in time before", () => {
    hear();
    sinceMs += 20_000;
    hear();
    for (let n = 0; n < 5; n += 1) {
      sinceMs += 20_000;
      hear({ lateMs: 40_000 });
    }
    expect(takenAhead(0)).toBe(0);
  });

  test("where new sessions find it", () => {
    for (let n = 0; n < 3; n += 1) {
      hear({ lateMs: 600_000, isLive: false });
      sinceMs += 20_000;
    }
    expect(takenAhead(0)).toBe(0);
  });

  test("by more than a minute, however often it comes so late", () => {
    for (let n = 0; n < 3; n += 1) {
      hear({ lateMs: 300_000 });
      sinceMs += 20_000;
    }
    expect(takenAhead(0)).toBe(-60_000);
  });
});

test("what was heard an hour before the newest report counts no more", () => {
  hear({ brokerAheadMs: 10_000 });
  sinceMs += 3_500_000;
  hear();
  expect(takenAhead(0)).toBe(10_000);
  sinceMs += 100_000;
  hear();
  expect(takenAhead(0)).toBe(0);
  // Rest ages nothing.
  sinceMs += 86_400_000;
  expect(takenAhead(0)).toBe(0);
});

test("what was read of our clock a while ago changes nothing", () => {
  hear();
  sinceMs += 20_000;
  hear();
  expect(offset(0)).toBe(0);
  expect(takenAhead(-20_000)).toBe(0);
  expect(offset(0)).toBe(0);
});

test("a machine that slept knows nothing of it any more", () => {
  hear();
  sinceMs += 20_000;
  hear();
  expect(takenAhead(4_000)).toBe(0);
  // Its own clock has stood still for as long.
  const asleepMs = 50_000;
  expect(takenAhead(4_000 + asleepMs)).toBe(4_000 + asleepMs);
  expect(offset(4_000 + asleepMs)).toBeUndefined();
});

test("a report names the newest instant of its order and its fill", () => {
  const { fill } = noted(1, ES, 1, { at: NOW + 5 });
  const report = (transactTimeAt: number, its?: Fill): BrokerReport => ({
    execType: "NEW",
    order: order("1", { transactTimeAt }),
    ...(its && { fill: its }),
  });
  expect(stampOf(report(NOW))).toBe(NOW);
  expect(stampOf(report(NOW, fill))).toBe(NOW + 5);
  expect(stampOf(report(0))).toBeUndefined();
});
