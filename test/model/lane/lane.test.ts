// The goal: the rules for money hold however orders fill in part, answers get lost, owners die and
// exits, targets and switches follow each other. The method: steps drawn at random on the real lane and
// the paper broker in memory, with a clock in hand; the broker's own record is held against the promises.
import fc from "fast-check";
import { expect, test } from "vitest";
import { NOT_KEPT_YET } from "../known.ts";
import { PROMISES } from "./promises.ts";
import { carryOut, fewestSteps, sequences } from "./sequences.ts";
import { CHECK_SEED } from "../../support/check-seed.ts";

/**
 * By hand: CHECK_SEED=new LANE_RUNS=20000 takes new sequences; a failure prints CHECK_SEED and LANE_PATH;
 * LANE_ONLY names a promise.
 */
const RUNS = Number(process.env["LANE_RUNS"] ?? 400);
const PATH = process.env["LANE_PATH"];
const ONLY = process.env["LANE_ONLY"];
const LIMIT_MS = 60_000 + RUNS * 100;

const without = new Set(
  ONLY === undefined
    ? Object.keys(NOT_KEPT_YET)
    : Object.keys(PROMISES).filter((promise) => !promise.includes(ONLY)),
);

test(
  "the rules for money hold on the lane",
  async () => {
    const holds = fc.asyncProperty(sequences, async (sequence) => {
      const why = await carryOut(sequence, without);
      if (why !== undefined) throw new Error(why);
    });
    const run = await fc.check(holds, {
      seed: CHECK_SEED,
      numRuns: RUNS,
      interruptAfterTimeLimit: LIMIT_MS,
      ...(PATH !== undefined && { path: PATH }),
    });
    const failure = await report(run);
    expect(run.failed, `${failure}`).toBe(false);
    expect(run.numRuns).toBeGreaterThan(0);
  },
  LIMIT_MS + 30_000,
);

async function report({
  seed,
  counterexamplePath,
  counterexample,
}: Pick<fc.RunDetails<[unknown]>, "seed" | "counterexamplePath"> & {
  readonly counterexample: [Parameters<typeof carryOut>[0]] | null;
}): Promise<string> {
  const [failing] = counterexample ?? [];
  if (failing === undefined) return "";
  const { steps, why } = await fewestSteps(failing, without);
  const lines = steps.map((step) => `  ${JSON.stringify(step)}`);
  return [`CHECK_SEED=${seed} LANE_PATH=${counterexamplePath}`, ...lines, why].join("\n");
}
