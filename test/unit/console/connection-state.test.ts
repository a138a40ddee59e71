import { expect, test } from "vitest";
import { mayReconnect } from "../../../src/console/pages/accounts/connection-state.ts";

const ADDED = { name: "Mine", paused: false } as const;

test.each([
  ["that is connected", { ...ADDED, status: "CONNECTED" }, true],
  ["whose login was refused", { ...ADDED, status: "AUTH_EXPIRED" }, true],
  ["that logs in by itself", { ...ADDED, status: "RECONNECTING" }, false],
  ["that is paused", { ...ADDED, paused: true, status: "CONNECTED" }, false],
  ["of the gateway itself", { ...ADDED, name: null, status: "CONNECTED" }, false],
  ["of the gateway itself that stopped", { ...ADDED, name: null, status: "FATAL_ERROR" }, true],
] as const)("a reconnect is offered for a connection %s: %j", (_, connection, isOffered) => {
  expect(mayReconnect(connection)).toBe(isOffered);
});
