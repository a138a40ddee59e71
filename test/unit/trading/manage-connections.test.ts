import { describe, expect, test } from "vitest";
import type { ConnectionStatus } from "../../../src/domain/connection-status.ts";
import { type ConnectionId, connectionId, userId } from "../../../src/domain/ids.ts";
import type { ConnectionRecord } from "../../../src/trading/connection-records.ts";
import { createConnectionUses } from "../../../src/trading/manage-connections.ts";
import { createRequireConnection } from "../../../src/trading/require-connection.ts";

const OURS = { userId: userId("u_1") };
const RECORD = {
  ...OURS,
  connectionId: connectionId("sim-1"),
  broker: "simulator",
  environment: "demo",
  status: "AUTH_EXPIRED",
  since: 1_000,
  stop: { status: "AUTH_EXPIRED", reason: "Wrong password" },
} as const satisfies ConnectionRecord;
const THEIRS = { ...RECORD, connectionId: connectionId("sim-2"), userId: userId("u_2") };

function open() {
  const resumed: ConnectionId[] = [];
  const records: readonly ConnectionRecord[] = [RECORD, THEIRS];
  const uses = createConnectionUses({
    records: {
      list: async () => records,
      find: async (id) => records.find((record) => record.connectionId === id),
      resume: async (id) => void resumed.push(id),
    },
  });
  return { ...uses, resumed };
}

const VIEW = {
  connectionId: "sim-1",
  broker: "simulator",
  environment: "demo",
  status: "AUTH_EXPIRED",
  since: 1_000,
  reason: "Wrong password",
};

test("a user's own connections are listed, with the broker's words", async () => {
  expect(await open().listConnections(OURS)).toEqual([VIEW]);
});

test("a user's own connection may log in again", async () => {
  const { reconnectConnection, resumed } = open();
  expect(await reconnectConnection(OURS, RECORD.connectionId)).toEqual(VIEW);
  expect(resumed).toEqual(["sim-1"]);
});

test.each([
  ["another user's", THEIRS.connectionId],
  ["an unknown", connectionId("sim-3")],
])("%s connection is not found, and stays as it is", async (_, id) => {
  const { reconnectConnection, resumed } = open();
  await expect(reconnectConnection(OURS, id)).rejects.toMatchObject({ name: "NOT_FOUND" });
  expect(resumed).toEqual([]);
});

describe("a call that needs the broker", () => {
  const requireAt = (status: ConnectionStatus) =>
    createRequireConnection({ known: () => [RECORD.connectionId], status: () => status });

  test("passes while the connection stands", () => {
    expect(() => requireAt("CONNECTED")(RECORD.connectionId)).not.toThrow();
  });

  test.each([
    ["RECONNECTING", /^The broker connection "sim-1" is not available; nothing was sent$/],
    ["AUTH_EXPIRED", /refused the credentials of connection "sim-1"; nothing was sent/],
    ["FATAL_ERROR", /refuses every session of connection "sim-1".*connections\/sim-1\/reconnect/],
  ] as const)("is refused while it is %s, with what to do", (status, words) => {
    expect(() => requireAt(status)(RECORD.connectionId)).toThrow(
      expect.objectContaining({
        name: "BROKER_UNAVAILABLE",
        message: expect.stringMatching(words) as unknown,
      }),
    );
  });
});
