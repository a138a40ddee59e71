import { expect, test } from "vitest";
import { translateStoreErrors } from "../../../src/store/store-error.ts";
import { StoreError } from "../../../src/trading/store-error.ts";

test.each([
  ["Stream isn't writeable and enableOfflineQueue options is false", true],
  ["OOM command not allowed when used memory > 'maxmemory'.", true],
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

test("what succeeds is handed on", async () => {
  expect(await translateStoreErrors(Promise.resolve(7))).toBe(7);
});
