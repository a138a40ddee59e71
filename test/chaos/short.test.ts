// The goal: whatever dies, and whenever, each accepted intent becomes exactly one right order or says
// why not. The method: the short chaos run, five processes of the gateway with faults of a fixed seed.
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { MODES } from "./modes.ts";
import { report, stories } from "./report.ts";
import { runChaos } from "./run.ts";

/** Among others: Redis killed, a worker frozen beyond its lease, deaths with and without a report. */
const SEED = 492;

test(
  "a short run under faults keeps every promise",
  async () => {
    const folder = await temporaryFolder();
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const run = await runChaos({
      ...MODES.short,
      seed: SEED,
      logFile: path.join(folder, "processes.log"),
      say: () => undefined,
      signal: ending.signal,
    });
    const wrong = run.verdicts.filter(({ violations }) => violations.length > 0);
    expect(wrong, `${report(run)}\n${stories(run)}`).toEqual([]);
    // It did what it is for.
    expect(run.history.intents.length).toBeGreaterThan(500);
    expect(run.faults.filter(({ isHit }) => isHit).length).toBeGreaterThanOrEqual(5);
  },
  5 * 60_000,
);
