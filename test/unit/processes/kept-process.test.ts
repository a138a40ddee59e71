// The goal: a process that cannot be started is tried again, with pauses, and nothing else waits for it.
// The method: forking throws, as it does where the system has no memory for one more process.
import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadConfig } from "../../../config/index.ts";
import { createLogger } from "../../../src/observability/logger.ts";
import { KeptProcess } from "../../../src/processes/kept-process.ts";

test("where none can be forked, it is tried again after growing pauses", async () => {
  const fork = vi.spyOn(cluster, "fork").mockImplementation(() => {
    // One that is tried without a pause would never let this test go on.
    if (fork.mock.calls.length > 100) void kept.end();
    throw new Error("spawn ENOMEM");
  });
  onTestFinished(() => fork.mockRestore());
  const lines: string[] = [];
  const log = createLogger("error", { write: (line) => void lines.push(line) });
  const answering = new Set<object>();
  const kept: KeptProcess = new KeptProcess({ role: "ingress", environment: {} }, answering, {
    config: loadConfig({}),
    log,
    onHopeless: () => undefined,
  });

  // At 0, 0, 50, 150 and 350 ms, if the machine has time.
  await sleep(400);
  await kept.end();

  const tries = fork.mock.calls.length;
  expect(tries).toBeGreaterThan(1);
  expect(tries).toBeLessThan(7);
  // Each is asked to answer for all, since nobody else does.
  for (const [environment] of fork.mock.calls) {
    expect(environment).toEqual({ GATEWAY_OTHERS_ANSWER: "no" });
  }
  expect(answering.size).toBe(0);
  expect(lines[0]).toMatch(/"kind":"ingress".*ENOMEM.*"A process ended on its own and is started/);
});
