import fc from "fast-check";
import { CHECK_SEED } from "../../support/check-seed.ts";
import type { Broken } from "./invariants.ts";
import { knownAs } from "./known.ts";
import { carryOut, fewestSteps, sequences } from "./sequences.ts";

/** The first failure of no known kind, with the fewest steps that show it. */
export async function firstUnknown(runs: number, seed = CHECK_SEED): Promise<string | undefined> {
  for (const steps of fc.sample(sequences, { numRuns: runs, seed })) {
    const broken = await carryOut(steps);
    if (broken === undefined || knownAs(broken) !== undefined) continue;
    const fewest = await fewestSteps(steps, (other) => isAsNew(other, broken));
    const why = (await carryOut(fewest)) ?? broken;
    const lines = fewest.map((step) => `  ${JSON.stringify(step)}`);
    return [`CHECK_SEED=${seed}`, ...lines, `"${why.invariant}" is broken: ${why.what}`].join("\n");
  }
  return undefined;
}

const isAsNew = (one: Broken, other: Broken): boolean =>
  one.invariant === other.invariant && knownAs(one) === undefined;
