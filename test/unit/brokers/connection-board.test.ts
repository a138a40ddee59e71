import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { untilConnected } from "../../../src/brokers/connection-board.ts";
import type { ConnectionStatus } from "../../../src/domain/connection-status.ts";
import { type ConnectionId, connectionId } from "../../../src/domain/ids.ts";

const [ONE, TWO] = [connectionId("one"), connectionId("two")];

// Its own limit never comes: without an answer it would wait for ever.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function boardOf(statuses: ReadonlyMap<ConnectionId, ConnectionStatus>) {
  return {
    known: () => [...statuses.keys()],
    status: (id: ConnectionId) => statuses.get(id) ?? "DISCONNECTED",
  };
}

test.each([["AUTH_EXPIRED"], ["FATAL_ERROR"]] as const)(
  "a connection that is %s keeps nobody waiting: it needs a person",
  async (status) => {
    const statuses = new Map<ConnectionId, ConnectionStatus>([
      [ONE, "CONNECTED"],
      [TWO, status],
    ]);
    await expect(untilConnected(boardOf(statuses))).resolves.toBeUndefined();
  },
);

test("one that connects is waited for", async () => {
  const statuses = new Map<ConnectionId, ConnectionStatus>([[ONE, "CONNECTING"]]);
  let isOver = false;
  const waiting = untilConnected(boardOf(statuses)).then(() => (isOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  statuses.set(ONE, "CONNECTED");
  await waiting;
});
