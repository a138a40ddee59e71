import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConnectionPool } from "../../../src/brokers/connection-pool.ts";
import { connectionId, orderId } from "../../../src/domain/ids.ts";
import { ACCOUNT } from "../trading/lane-kit.ts";
import { ScriptedAdapter } from "./connection-kit.ts";

const FIRST = connectionId("first");
const SECOND = connectionId("second");

let pool: ConnectionPool;
let log: string[];
let first: ScriptedAdapter;
let second: ScriptedAdapter;

beforeEach(() => {
  log = [];
  [first, second] = [new ScriptedAdapter(), new ScriptedAdapter()];
  pool = new ConnectionPool({
    onSession: async (connection, adapter) => {
      log.push(`session ${connection} ${adapter === first ? "1" : "2"}`);
    },
    onStatus: (connection, status) => log.push(`${connection} ${status}`),
    onReport: (account, { execType }) => log.push(`${account} ${execType}`),
    onError: (connection, error) => log.push(`${connection} ${String(error)}`),
  });
});
afterEach(() => pool.stop());

async function connected() {
  await vi.waitFor(() =>
    expect(pool.statuses().every(({ status }) => status === "CONNECTED")).toBe(true),
  );
}

test("a connection that is not here is undefined", () => {
  expect(pool.find(FIRST)).toBeUndefined();
  expect(pool.statuses()).toEqual([]);
});

test("a connection is here from the moment it was added, and shows how it stands", async () => {
  first.readiness = "by hand";
  pool.add(FIRST, first);
  expect(pool.find(FIRST)).toMatchObject({ status: "CONNECTING", cancelEndsLinkedLeg: true });
  expect(pool.find(FIRST)?.broker).toBe(first);
  await vi.waitFor(() => expect(first.sessions).toHaveLength(1));
  first.sessions[0]?.onReady();
  await connected();
  expect(log).toEqual(["first CONNECTING", "session first 1", "first CONNECTED"]);
});

test("each connection stands or breaks on its own", async () => {
  pool.add(FIRST, first);
  pool.add(SECOND, second);
  await connected();
  first.failure = new Error("ECONNREFUSED");
  first.sessions[0]?.break(new Error("The link was cut"));
  await vi.waitFor(() => expect(pool.find(FIRST)?.status).toBe("RECONNECTING"));
  expect(pool.find(SECOND)?.status).toBe("CONNECTED");
  expect(log).toContain("first Error: The link was cut");
});

test("reports of every connection are handed on", async () => {
  pool.add(FIRST, first);
  pool.add(SECOND, second);
  await connected();
  for (const { listeners } of [first, second]) {
    for (const listener of listeners) {
      listener(ACCOUNT, { execType: "NEW", order: first.show({ orderId: orderId("1") }) });
    }
  }
  expect(log.filter((line) => line === `${ACCOUNT} NEW`)).toHaveLength(2);
});

test("stopping ends every session", async () => {
  pool.add(FIRST, first);
  pool.add(SECOND, second);
  await connected();
  await pool.stop();
  const sessions = [...first.sessions, ...second.sessions];
  expect(sessions.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(pool.statuses().map(({ status }) => status)).toEqual(["DISCONNECTED", "DISCONNECTED"]);
});
