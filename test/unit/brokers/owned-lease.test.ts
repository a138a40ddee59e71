import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OwnedLease, type Instant } from "../../../src/brokers/owned-lease.ts";
import { connectionId } from "../../../src/domain/ids.ts";
import { LeaseTable } from "./memory-leases.ts";

const CONNECTION = connectionId("one");

let table: LeaseTable;
let now: { -readonly [Hand in keyof Instant]: number };
let lease: OwnedLease;
let isLost: boolean;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  table = new LeaseTable();
  now = { elapsed: 0, wall: 0 };
  const leases = table.of("us");
  const epoch = await leases.takeOrRenew(CONNECTION, "CONNECTING");
  lease = new OwnedLease({
    connection: CONNECTION,
    epoch: epoch ?? 0,
    since: { ...now },
    leases,
    status: () => "CONNECTED",
    clock: () => ({ ...now }),
  });
  isLost = false;
  void lease.lost.then(() => (isLost = true));
});
afterEach(() => {
  lease.drop();
  vi.useRealTimers();
});

/** Both clocks and the timers go on together. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    now.elapsed += 100;
    now.wall += 100;
    await vi.advanceTimersByTimeAsync(100);
  }
}

test("a lease that is renewed is held for ever", async () => {
  await pass(60_000);
  expect(lease.isOwned()).toBe(true);
  expect(await table.of("other").takeOrRenew(CONNECTION, "CONNECTING")).toBeUndefined();
});

test("a process that was frozen does not believe in its lease when it thaws", () => {
  now.elapsed += 2_100;
  expect(lease.isOwned()).toBe(false);
});

test("a machine that slept does not either, although its steady clock stood still", () => {
  now.wall += 2_100;
  expect(lease.isOwned()).toBe(false);
});

test("a wall clock that is set back changes nothing", () => {
  now.wall -= 3_600_000;
  expect(lease.isOwned()).toBe(true);
});

test("while the store is away it is soon not held, and held again after the next renewal", async () => {
  table.failure = new Error("The store is away");
  await pass(3_000);
  expect(lease.isOwned()).toBe(false);
  expect(isLost).toBe(false);
  table.failure = undefined;
  await pass(1_000);
  expect(lease.isOwned()).toBe(true);
});

test("a lease that another process took is lost, once and for all", async () => {
  table.end(CONNECTION);
  await table.of("other").takeOrRenew(CONNECTION, "CONNECTING");
  await pass(1_000);
  expect(isLost).toBe(true);
  table.end(CONNECTION);
  await pass(5_000);
  expect(lease.isOwned()).toBe(false);
});

test("one that had ended meanwhile is lost too, though nobody took it: its epoch is over", async () => {
  table.end(CONNECTION);
  await pass(1_000);
  expect(isLost).toBe(true);
  expect(lease.isOwned()).toBe(false);
});

test("a dropped lease is not renewed any more", async () => {
  lease.drop();
  expect(lease.isOwned()).toBe(false);
  table.end(CONNECTION);
  await pass(5_000);
  expect(table.ownerOf(CONNECTION)).toBeUndefined();
});
