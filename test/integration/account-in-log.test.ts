// The goal: what a stranger writes where an account's id belongs is not logged.
// The method: ask for such an account without a key, and search the log.
import { expect, onTestFinished, test } from "vitest";
import { startGateway } from "../support/gateway.ts";
import { call } from "../support/http-client.ts";

test("an account's id is logged once it is known whose it is", async () => {
  const gateway = await startGateway();
  onTestFinished(gateway.stop);
  const { status } = await call(gateway.url, "GET", "/v1/accounts/hunter2-short-secret/positions");
  expect(status).toBe(401);
  expect(gateway.log.join("")).not.toContain("hunter2-short-secret");
});
