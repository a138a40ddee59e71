// Stryker takes ranges of text and makes every mutant that lies in one. This plugin leaves the sampled
// ones, and reports each other as one that does not compile: Stryker does not run those.
// It is JavaScript, since Stryker loads it in processes of its own without a translator.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const LEFT_OUT = { status: "compileError", reason: "not in the sample" };

function createChecker() {
  const sample = JSON.parse(readFileSync(process.env.MUTANT_SAMPLE, "utf8"));
  const verdictOn = ({ id, fileName, mutatorName, replacement, location }) => {
    const mutant = { fileName, mutatorName, replacement, location };
    const isSampled = sample.some((sampled) => isDeepStrictEqual(sampled, mutant));
    return [id, isSampled ? { status: "passed" } : LEFT_OUT];
  };
  return {
    init: async () => undefined,
    group: async (mutants) => [mutants.map(({ id }) => id)],
    check: async (mutants) => Object.fromEntries(mutants.map(verdictOn)),
  };
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", factory: createChecker }];
