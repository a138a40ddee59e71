import { afterEach, beforeEach, expect, test } from "vitest";
import { ConnectionPool } from "../../../src/brokers/connection-pool.ts";
import { CredentialsRefusedError } from "../../../src/brokers/session-errors.ts";
import { type ConnectionId, connectionId, orderId } from "../../../src/domain/ids.ts";
import { ACCOUNT } from "../trading/lane-kit.ts";
import { ScriptedAdapter } from "./connection-kit.ts";
import { LeaseTable } from "./memory-leases.ts";
import { StopTable } from "./memory-stops.ts";
import { eventually } from "../../support/wait.ts";

const FIRST = connectionId("first");
const SECOND = connectionId("second");

let table: LeaseTable;
let stops: StopTable;
let log: string[];
let adapters: ScriptedAdapter[];
let pools: ConnectionPool[];

beforeEach(() => {
  table = new LeaseTable();
  stops = new StopTable();
  [log, adapters, pools] = [[], [], []];
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.stop()));
});

interface Settings {
  readonly plans?: readonly ConnectionId[];
  readonly stopWithinMs?: number;
}

function open(
  owner: string,
  prepare: (adapter: ScriptedAdapter) => void = () => undefined,
  { plans = [FIRST, SECOND], ...settings }: Settings = {},
): ConnectionPool {
  const pool = new ConnectionPool({
    leases: table.of(owner),
    records: stops,
    ...settings,
    plans: plans.map((connection) => ({
      connectionId: connection,
      open: () => {
        const adapter = new ScriptedAdapter();
        prepare(adapter);
        adapters.push(adapter);
        return adapter;
      },
    })),
    onOwned: async (connection, { epoch }) => {
      log.push(`${owner} owns ${connection} in ${epoch}`);
      return () => log.push(`${owner} leaves ${connection}`);
    },
    onOpened: async ({ broker }, { connectionId: connection }) => {
      log.push(`${owner} opens ${connection} at ${broker}`);
    },
    onSession: async (_, { connectionId: connection }) => {
      log.push(`${owner} session ${connection}`);
    },
    onStatus: (connection, status) => log.push(`${owner} ${connection} ${status}`),
    onReport: (account, { execType }) => log.push(`${account} ${execType}`),
    onError: (connection, error) => log.push(`${connection} ${String(error)}`),
  });
  pools.push(pool);
  pool.start();
  return pool;
}

const connected = async (pool: ConnectionPool, count = 2) =>
  await eventually(() =>
    expect(pool.statuses().map(({ status }) => status)).toEqual(
      Array.from({ length: count }, () => "CONNECTED"),
    ),
  );

test("what is owned here is found, with its epoch; what is not here is undefined", async () => {
  const pool = open("us");
  expect(pool.find(FIRST)).toBeUndefined();
  await connected(pool);
  const owned = pool.find(FIRST);
  expect(owned).toMatchObject({ status: "CONNECTED", cancelEndsLinkedLeg: true });
  expect(owned?.ownership.epoch).toBe(1);
  expect(owned?.ownership.isOwned()).toBe(true);
  expect(pool.find(connectionId("third"))).toBeUndefined();
});

test("a connection is owned, then read, then connected", async () => {
  const pool = open("us");
  await connected(pool);
  expect(log.filter((line) => line.includes("first"))).toEqual([
    "us owns first in 1",
    "us opens first at scripted",
    "us first CONNECTING",
    "us session first",
    "us first CONNECTED",
  ]);
});

test("each connection stands or breaks on its own", async () => {
  const pool = open("us");
  await connected(pool);
  const [first] = adapters;
  if (first === undefined) throw new Error("There is no adapter");
  first.failure = new Error("ECONNREFUSED");
  first.sessions[0]?.break(new Error("The link was cut"));
  await eventually(() => expect(pool.find(FIRST)?.status).toBe("RECONNECTING"));
  expect(pool.find(SECOND)?.status).toBe("CONNECTED");
  expect(log).toContain("first Error: The link was cut");
});

test("reports of every connection are handed on", async () => {
  const pool = open("us");
  await connected(pool);
  for (const { listeners, show } of adapters.map((adapter) => ({
    listeners: adapter.listeners,
    show: (id: string) => adapter.show({ orderId: orderId(id) }),
  }))) {
    for (const listener of listeners) listener(ACCOUNT, { execType: "NEW", order: show("1") });
  }
  expect(log.filter((line) => line === `${ACCOUNT} NEW`)).toHaveLength(2);
});

test("what another process owns is left to it", async () => {
  await table.of("them").takeOrRenew(FIRST, "CONNECTED");
  const us = open("us");
  await connected(us, 1);
  await eventually(() => expect(table.refusals).toBeGreaterThan(3));
  expect(us.find(FIRST)).toBeUndefined();
  expect(table.ownerOf(FIRST)).toBe("them");
});

test("stopping ends every session and gives the leases back: the other process goes on", async () => {
  const us = open("us");
  await connected(us);
  const ours = [...adapters];
  const them = open("them");
  await us.stop();
  for (const connection of [FIRST, SECOND]) them.look(connection);
  expect(ours.flatMap(({ sessions }) => sessions).every(({ signal }) => signal.aborted)).toBe(true);
  expect(us.statuses()).toEqual([]);
  await connected(them);
  expect(them.find(FIRST)?.ownership.epoch).toBe(2);
});

test("an owner whose lease went to another process ends its session by itself", async () => {
  const us = open("us");
  await connected(us);
  const ours = [...adapters];
  table.end(FIRST);
  await table.of("them").takeOrRenew(FIRST, "CONNECTING");
  await eventually(() => expect(us.find(FIRST)).toBeUndefined());
  expect(log).toContain("us leaves first");
  expect(ours.filter(({ sessions }) => sessions[0]?.signal.aborted === true)).toHaveLength(1);
  expect(us.find(SECOND)?.status).toBe("CONNECTED");
});

test("a word that the lease is free is enough to take it at once", async () => {
  await table.of("them").takeOrRenew(FIRST, "CONNECTED");
  const us = open("us");
  await connected(us, 1);
  table.end(FIRST);
  us.look(FIRST);
  await connected(us);
  expect(us.find(FIRST)?.ownership.epoch).toBe(2);
});

test("a resync halts, reads the broker again and goes on, in the same session", async () => {
  const pool = open("us");
  await connected(pool);
  log.length = 0;
  pool.resync();
  expect(pool.find(FIRST)?.status).toBe("RECONNECTING");
  await connected(pool);
  expect(log.filter((line) => line.includes("first"))).toEqual([
    "us first RECONNECTING",
    "us session first",
    "us first CONNECTED",
  ]);
  expect(adapters.map(({ sessions }) => sessions.length)).toEqual([1, 1]);
});

test("who cannot take a connection over leaves it to another process", async () => {
  let [canOwn, attempts] = [false, 0];
  const failing = new ConnectionPool({
    leases: table.of("failing"),
    records: stops,
    plans: [{ connectionId: connectionId("third"), open: () => new ScriptedAdapter() }],
    onOwned: async () => {
      attempts += 1;
      if (!canOwn) throw new Error("The store is half away");
      return () => undefined;
    },
    onOpened: async () => undefined,
    onSession: async () => undefined,
    onStatus: () => undefined,
    onReport: () => undefined,
    onError: () => undefined,
  });
  pools.push(failing);
  failing.start();
  const third = connectionId("third");
  await eventually(() => expect(attempts).toBe(1));
  expect(table.ownerOf(third)).toBeUndefined();
  canOwn = true;
  await eventually(() => expect(failing.find(third)?.status).toBe("CONNECTED"));
});

test("refused credentials stop every process, until a person asks in any of them", async () => {
  const refuse = (adapter: ScriptedAdapter) => {
    adapter.failure = new CredentialsRefusedError("Incorrect password");
  };
  const logins = () => adapters.flatMap(({ sessions }) => sessions).length;
  const us = open("us", refuse);
  const stopped = async (pool: ConnectionPool) =>
    await eventually(() =>
      expect(pool.statuses().map(({ status }) => status)).toEqual(["AUTH_EXPIRED", "AUTH_EXPIRED"]),
    );
  await stopped(us);
  expect(logins()).toBe(2);

  await us.stop();
  const them = open("them");
  await stopped(them);
  expect(logins()).toBe(2);
  expect(await table.of("us").read(FIRST)).toEqual({ status: "AUTH_EXPIRED", owner: "them" });

  stops.resume(FIRST);
  them.look(FIRST);
  await eventually(() => expect(them.find(FIRST)?.status).toBe("CONNECTED"));
  expect(them.find(SECOND)?.status).toBe("AUTH_EXPIRED");
  expect(logins()).toBe(3);
});

test("figures tell how often sessions broke", async () => {
  const pool = open("us");
  await connected(pool);
  adapters[1]?.sessions[0]?.break(new Error("The link was cut"));
  await eventually(() => expect(pool.figures().map(({ retries }) => retries)).toEqual([0, 1]));
});

test("figures tell when a broker was last heard of, where an adapter listens for it", async () => {
  const heardAt = performance.now() - 60_000;
  const pool = open("us", (adapter) => {
    if (adapters.length === 0) Object.assign(adapter, { lastMessageAt: () => heardAt });
  });
  await connected(pool);
  // A report is no sign of life: the next one may be hours away.
  for (const adapter of adapters) {
    const order = adapter.show({ orderId: orderId("1") });
    for (const listener of adapter.listeners) listener(ACCOUNT, { execType: "NEW", order });
  }
  const told = pool.figures().map(({ lastMessageAt }) => lastMessageAt);
  const expected = performance.timeOrigin + heardAt;
  expect(told).toEqual([expect.closeTo(expected, -4), undefined]);
});

test("a session that was left behind does not speak for the next one", async () => {
  let endFirst: (() => void) | undefined;
  const third = connectionId("third");
  const pool = open(
    "us",
    (adapter) => {
      if (adapters.length > 0) return;
      adapter.runSession = async ({ onReady }) => {
        onReady();
        await new Promise<void>((_, reject) => {
          endFirst = () => reject(new Error("The end of the first one"));
        });
      };
    },
    { plans: [third], stopWithinMs: 50 },
  );
  await connected(pool, 1);
  table.end(third);
  await table.of("them").takeOrRenew(third, "CONNECTING");
  await eventually(() => expect(log).toContain("us leaves third"));
  table.end(third, "them");
  await connected(pool, 1);
  await eventually(() => expect(adapters).toHaveLength(2));
  endFirst?.();
  // What the first one says, it says at once: the second one's end comes later.
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.filter((line) => !line.includes("owns") && !line.includes("opens"))).toEqual([
    "us third CONNECTING",
    "us session third",
    "us third CONNECTED",
    "third Error: The session does not end; it is left behind",
    "us third DISCONNECTED",
    "us leaves third",
    "us third CONNECTING",
    "us session third",
    "us third CONNECTED",
  ]);
});
