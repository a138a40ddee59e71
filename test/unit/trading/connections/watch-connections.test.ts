import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { ConnectionStatus } from "../../../../src/domain/connection-status.ts";
import { type ConnectionId, connectionId, userId } from "../../../../src/domain/ids.ts";
import type { ConnectionRecord } from "../../../../src/trading/connections/connection-records.ts";
import { createWatchConnections } from "../../../../src/trading/connections/watch-connections.ts";
import { waitUntil } from "../../../support/wait.ts";
import type { Caller } from "../../../../src/trading/people/caller.ts";

const SIM = connectionId("sim");
const THEIRS = connectionId("theirs");

let described: Map<ConnectionId, ConnectionRecord>;
let statuses: Map<ConnectionId, ConnectionStatus>;
let listeners: Set<(connection: ConnectionId, status: ConnectionStatus) => void>;
let heard: string[];
let isAway: boolean;

beforeEach(() => {
  [described, statuses, listeners] = [new Map(), new Map(), new Set()];
  [heard, isAway] = [[], false];
});

function describeAs(user: string, connection: ConnectionId): void {
  described.set(connection, {
    connectionId: connection,
    userId: userId(user),
    broker: "simulator",
    environment: "demo",
    status: "DISCONNECTED",
    since: 0,
  });
}

function set(connection: ConnectionId, status: ConnectionStatus): void {
  statuses.set(connection, status);
  for (const listener of listeners) listener(connection, status);
}

function ask<Answer>(answer: Answer): Answer {
  if (isAway) throw new Error("The store is away");
  return answer;
}

async function watch(user = "u_1"): Promise<() => void> {
  const watchConnections = createWatchConnections({
    records: {
      list: async () => ask([...described.values()]),
      find: async (connection) => ask(described.get(connection)),
    },
    pause: async (_, signal) => await sleep(5, undefined, { signal }).catch(() => undefined),
    board: {
      known: () => [...statuses.keys()],
      status: (connection) => statuses.get(connection) ?? "DISCONNECTED",
      why: () => undefined,
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  const caller: Partial<Caller> = { userId: userId(user) };
  const stop = await watchConnections(caller as Caller, (connection, status) => {
    heard.push(`${connection} ${status}`);
  });
  onTestFinished(stop);
  return stop;
}

const untilSomeIsHeard = async () => await waitUntil("one is heard", () => heard.length > 0);

test("one whose first login was refused is told, before it ever had an account", async () => {
  describeAs("u_1", SIM);
  set(SIM, "AUTH_EXPIRED");
  await watch();
  expect(heard).toEqual(["sim AUTH_EXPIRED"]);
  set(SIM, "CONNECTING");
  expect(heard).toEqual(["sim AUTH_EXPIRED", "sim CONNECTING"]);
});

test("one that is described after it appeared is told as it stands by then", async () => {
  await watch();
  set(SIM, "CONNECTING");
  describeAs("u_1", SIM);
  set(SIM, "FATAL_ERROR");
  await untilSomeIsHeard();
  expect(heard).toEqual(["sim FATAL_ERROR"]);
});

test("one that is on the board, and described only later, is told without a further change", async () => {
  set(SIM, "AUTH_EXPIRED");
  await watch();
  expect(heard).toEqual([]);
  describeAs("u_1", SIM);
  await untilSomeIsHeard();
  expect(heard).toEqual(["sim AUTH_EXPIRED"]);
});

test("a store that is away keeps nothing back for good", async () => {
  await watch();
  isAway = true;
  describeAs("u_1", SIM);
  set(SIM, "AUTH_EXPIRED");
  isAway = false;
  await untilSomeIsHeard();
  expect(heard).toEqual(["sim AUTH_EXPIRED"]);
});

test("another user's connection is never told", async () => {
  describeAs("u_2", THEIRS);
  set(THEIRS, "CONNECTED");
  await watch();
  const later = connectionId("later");
  describeAs("u_2", later);
  set(later, "CONNECTED");
  set(THEIRS, "RECONNECTING");
  describeAs("u_1", SIM);
  set(SIM, "CONNECTED");
  await untilSomeIsHeard();
  expect(heard).toEqual(["sim CONNECTED"]);
});

test("nothing is told after its end", async () => {
  describeAs("u_1", SIM);
  const stop = await watch();
  stop();
  set(SIM, "CONNECTED");
  expect(heard).toEqual(["sim DISCONNECTED"]);
  expect(listeners.size).toBe(0);
});
