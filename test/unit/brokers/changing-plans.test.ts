import { afterEach, beforeEach, expect, test } from "vitest";
import type { ConnectionPlan } from "../../../src/brokers/connection-owner.ts";
import { ConnectionPool } from "../../../src/brokers/connection-pool.ts";
import { type ConnectionId, connectionId } from "../../../src/domain/ids.ts";
import { ScriptedAdapter } from "./connection-kit.ts";
import { LeaseTable } from "./memory-leases.ts";
import { StopTable } from "./memory-stops.ts";
import { eventually } from "../../support/wait.ts";

const LASTING = connectionId("lasting");
const ADDED = connectionId("added");

let table: LeaseTable;
let log: string[];
let adapters: ScriptedAdapter[];
let pools: ConnectionPool[];
/** Whether what is opened is still wanted, by the store's own word. */
let isWanted: boolean;
/** What leaving waits for. */
let leaving: Promise<void>;
/** Called with each line of the log. */
let onLine: (line: string) => void;

beforeEach(() => {
  table = new LeaseTable();
  [log, adapters, pools, isWanted, leaving] = [[], [], [], true, Promise.resolve()];
  onLine = () => undefined;
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.stop()));
});

function plan(connection: ConnectionId, version = 1): ConnectionPlan {
  return {
    connectionId: connection,
    version,
    open: () => {
      if (!isWanted) return undefined;
      log.push(`opens ${connection} ${version}`);
      const adapter = new ScriptedAdapter();
      adapters.push(adapter);
      return adapter;
    },
  };
}

function say(line: string): void {
  log.push(line);
  onLine(line);
}

function open(owner: string): ConnectionPool {
  const pool = new ConnectionPool({
    leases: table.of(owner),
    records: new StopTable(),
    plans: [plan(LASTING)],
    onOwned: async () => () => undefined,
    onOpened: async () => undefined,
    onSession: async () => undefined,
    onStatus: (connection, status) => say(`${connection} ${status}`),
    onResting: async (connection) => {
      // Lanes that end what waits are worked for that long.
      say(`${connection} rests${pool.isLeaving(connection) ? ", leaving" : ""}`);
    },
    onLeaving: async (connection) => {
      say(`${connection} is left`);
      await leaving;
    },
    onReport: () => undefined,
    onError: (connection, error) => log.push(`${connection} ${String(error)}`),
  });
  pools.push(pool);
  pool.start();
  return pool;
}

const until = async (pool: ConnectionPool, connection: ConnectionId, status?: string) =>
  await eventually(() => expect(pool.find(connection)?.status).toBe(status));

const about = (connection: ConnectionId) => log.filter((line) => line.includes(connection));

test("a plan that comes is owned, and the others go on", async () => {
  const pool = open("us");
  await until(pool, LASTING, "CONNECTED");
  pool.follow([plan(ADDED)]);
  await until(pool, ADDED, "CONNECTED");
  expect(about(LASTING)).toEqual(["opens lasting 1", "lasting CONNECTING", "lasting CONNECTED"]);
});

test("the same plan again changes nothing", async () => {
  const pool = open("us");
  pool.follow([plan(ADDED)]);
  await until(pool, ADDED, "CONNECTED");
  for (let count = 0; count < 5; count += 1) pool.follow([plan(ADDED)]);
  await pool.stop();
  expect(about(ADDED).filter((line) => line.startsWith("opens"))).toEqual(["opens added 1"]);
});

test("a new version ends the session in order, and begins one in a later epoch", async () => {
  const pool = open("us");
  pool.follow([plan(ADDED)]);
  await until(pool, ADDED, "CONNECTED");
  const epoch = pool.find(ADDED)?.ownership.epoch ?? 0;
  log.length = 0;
  pool.follow([plan(ADDED, 2)]);
  await eventually(() => expect(about(ADDED)).toContain("added CONNECTED"));
  expect(about(ADDED)).toEqual([
    "added is left",
    "added DISCONNECTED",
    "opens added 2",
    "added CONNECTING",
    "added CONNECTED",
  ]);
  expect(pool.find(ADDED)?.ownership.epoch).toBeGreaterThan(epoch);
});

test("a session is not ended before what is in hand is finished", async () => {
  const pool = open("us");
  pool.follow([plan(ADDED)]);
  await until(pool, ADDED, "CONNECTED");
  let finish: () => void = () => undefined;
  leaving = new Promise((resolve) => (finish = resolve));
  pool.follow([]);
  await eventually(() => expect(pool.isLeaving(ADDED)).toBe(true));
  expect(pool.find(ADDED)).toMatchObject({ status: "CONNECTED" });
  expect(pool.find(ADDED)?.ownership.isOwned()).toBe(true);
  finish();
  await until(pool, ADDED);
  expect(pool.isLeaving(ADDED)).toBe(false);
});

test("a plan that goes lets go of the connection, for good and for everyone", async () => {
  const pool = open("us");
  pool.follow([plan(ADDED)]);
  await until(pool, ADDED, "CONNECTED");
  pool.follow([]);
  await until(pool, ADDED);
  await eventually(() => expect(table.ownerOf(ADDED)).toBeUndefined());
  expect(about(ADDED).slice(-3)).toEqual(["added rests", "added is left", "added DISCONNECTED"]);
  expect(await table.of("us").known()).toEqual([LASTING]);
  pool.follow([]);
  expect(pool.statuses()).toEqual([{ connectionId: LASTING, status: "CONNECTED" }]);
});

test("one that comes back is owned again", async () => {
  const pool = open("us");
  pool.follow([plan(ADDED)]);
  await until(pool, ADDED, "CONNECTED");
  pool.follow([]);
  pool.follow([plan(ADDED, 2)]);
  await eventually(() => expect(about(ADDED)).toContain("opens added 2"));
  await until(pool, ADDED, "CONNECTED");
  expect(await table.of("us").known()).toContain(ADDED);
});

test("who has not heard yet that it is not wanted opens nothing", async () => {
  isWanted = false;
  const pool = open("us");
  pool.follow([plan(ADDED)]);
  await eventually(() => expect(about(ADDED)).toContain("added rests"));
  await eventually(() => expect(table.ownerOf(ADDED)).toBeUndefined());
  expect(adapters).toEqual([]);
});

test("an owner that lost its lease leaves the connection to the next one", async () => {
  const us = open("us");
  us.follow([plan(ADDED)]);
  await until(us, ADDED, "CONNECTED");
  table.end(ADDED);
  await table.of("them").takeOrRenew(ADDED, "CONNECTED");
  await until(us, ADDED);
  expect(about(ADDED)).not.toContain("added rests");
  us.follow([]);
  await us.stop();
  expect(table.ownerOf(ADDED)).toBe("them");
  expect(await table.of("them").known()).toContain(ADDED);
});

test("a plan that goes as the lease is lost is let go of all the same", async () => {
  const pool = open("us");
  pool.follow([plan(ADDED)]);
  await until(pool, ADDED, "CONNECTED");
  isWanted = false;
  table.end(ADDED);
  await table.of("them").takeOrRenew(ADDED, "CONNECTED");
  // The renewal finds another owner; the plan goes before the session has ended.
  onLine = (line) => {
    if (line === "added DISCONNECTED") pool.follow([]);
  };
  await until(pool, ADDED);
  table.end(ADDED);
  await eventually(() => expect(about(ADDED)).toContain("added rests"));
  await eventually(() => expect(table.ownerOf(ADDED)).toBeUndefined());
  expect(await table.of("us").known()).toEqual([LASTING]);
  expect(adapters).toHaveLength(2);
});

test("a plan that went as the lease was lost, and is wanted again, rests nothing", async () => {
  const pool = open("us");
  pool.follow([plan(ADDED)]);
  await until(pool, ADDED, "CONNECTED");
  table.end(ADDED);
  await table.of("them").takeOrRenew(ADDED, "CONNECTED");
  onLine = (line) => {
    if (line === "added DISCONNECTED") pool.follow([]);
  };
  await until(pool, ADDED);
  // The store says by now that it is wanted, and this process has not heard of it yet.
  table.end(ADDED);
  await eventually(() => expect(log.filter((line) => line === "opens added 1")).toHaveLength(2));
  await eventually(() => expect(table.ownerOf(ADDED)).toBeUndefined());
  expect(about(ADDED)).not.toContain("added rests");
  pool.follow([plan(ADDED, 2)]);
  await until(pool, ADDED, "CONNECTED");
});

test("a stop of the process gives the lease back, and keeps the connection known", async () => {
  const us = open("us");
  us.follow([plan(ADDED)]);
  await until(us, ADDED, "CONNECTED");
  await us.stop();
  us.follow([plan(connectionId("late"))]);
  expect(about(ADDED)).not.toContain("added rests");
  expect(table.ownerOf(ADDED)).toBeUndefined();
  expect(await table.of("us").known()).toContain(ADDED);
});

test.each([
  ["while the lanes finish", "added is left"],
  ["while the session ends", "added DISCONNECTED"],
])("a plan that goes %s, for another reason, is let go of like any", async (_, moment) => {
  const pool = open("us");
  pool.follow([plan(ADDED)]);
  await until(pool, ADDED, "CONNECTED");
  log.length = 0;
  onLine = (line) => {
    if (line === moment) pool.follow([]);
  };
  pool.follow([plan(ADDED, 2)]);
  await eventually(() => expect(table.ownerOf(ADDED)).toBeUndefined());
  expect(about(ADDED).toSorted()).toEqual(
    ["added DISCONNECTED", "added is left", "added is left", "added rests"].toSorted(),
  );
  expect(await table.of("us").known()).toEqual([LASTING]);
});
