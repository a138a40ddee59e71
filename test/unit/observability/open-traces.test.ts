import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { intentId } from "../../../src/domain/ids.ts";
import type { IntentRecord } from "../../../src/domain/intent.ts";
import { createLogger } from "../../../src/observability/logger.ts";
import { openTraces } from "../../../src/observability/open-traces.ts";
import { TraceReceiver } from "../../support/trace-receiver.ts";
import { waitUntil } from "../../support/wait.ts";

let receiver: TraceReceiver;

beforeEach(async () => {
  receiver = await TraceReceiver.start();
  receiver.hangs = true;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await receiver.stop();
});

/** The receiver of the last traces does not answer; `isOver` says whether the close has ended. */
async function closing(withinMs: number) {
  const traces = openTraces({
    endpoint: receiver.url,
    headers: undefined,
    version: "test",
    processId: "p1",
    log: createLogger("error", { write: () => undefined }),
  });
  const record = {
    intentId: intentId("i00112233445566778899aabbccdd"),
    source: { kind: "webhook" },
    intent: { kind: "PLACE" },
    acceptedAt: 1_000_000,
    settledAt: 1_000_070,
    outcome: { kind: "done" },
  } as IntentRecord;
  traces.intentSettled(record, 1_000_010);
  await new Promise((resolve) => void setImmediate(resolve));
  const state = { isOver: false };
  const closed = traces.close(withinMs).then(() => (state.isOver = true));
  await waitUntil("it hangs", () => receiver.bodies.length > 0);
  return { state, closed };
}

test.each([
  ["a second at most", 20_000, 1_000],
  ["half of what is left", 600, 300],
])("a stop waits for a receiver that hangs for %s", async (_, withinMs, lastMs) => {
  const { state } = await closing(withinMs);
  await vi.advanceTimersByTimeAsync(lastMs - 1);
  expect(state.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(state.isOver).toBe(true);
});

test("a stop waits no longer than a receiver takes", async () => {
  receiver.hangs = false;
  const { state, closed } = await closing(20_000);
  await closed;
  expect(state.isOver).toBe(true);
});
