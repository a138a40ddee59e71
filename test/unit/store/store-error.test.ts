import { expect, test } from "vitest";
import { translateStoreErrors } from "../../../src/store/store-error.ts";
import { StoreError } from "../../../src/trading/store-error.ts";

test.each([
  ["Stream isn't writeable and enableOfflineQueue options is false", true],
  ["OOM command not allowed when used memory > 'maxmemory'.", true],
  [
    "OOM command not allowed when used memory > 'maxmemory'. script: 5e7f, on @user_script:9.",
    true,
  ],
  // As Redis 6.2 puts it.
  [
    "ERR Error running script (call to f_5e7f): @user_script:9: @user_script: 9: -OOM command not allowed",
    true,
  ],
  ["NOSCRIPT No matching script. Please use EVAL.", true],
  ["READONLY You can't write against a read only replica.", true],
  ["MISCONF Redis is configured to save RDB snapshots", true],
  ["LOADING Redis is loading the dataset in memory", true],
  ["NOAUTH Authentication required.", true],
  // These were on their way: Redis may have carried them out.
  ["Reached the max retries per request limit (which is 0).", false],
  ["Command timed out", false],
  ["Connection is closed.", false],
  ["read ECONNRESET", false],
  ["ERR something that says OOM further on", false],
  ["OOMPH", false],
])("%j: certainly not written is %s", async (message, certainlyNotWritten) => {
  const cause = new Error(message);
  const error: unknown = await translateStoreErrors(Promise.reject(cause)).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ certainlyNotWritten, cause });
});

test.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", "full"],
  ["Command timed out", "slow"],
  ["Redis does not answer; the connection is given up", "slow"],
  ["read ECONNRESET", undefined],
])("%j says why: %s", async (message, why) => {
  const error: unknown = await translateStoreErrors(Promise.reject(new Error(message))).catch(
    (reason: unknown) => reason,
  );
  expect(error).toHaveProperty("why", why);
});

test("what succeeds is handed on", async () => {
  expect(await translateStoreErrors(Promise.resolve(7))).toBe(7);
});
