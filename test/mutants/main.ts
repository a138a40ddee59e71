import { parseArgs } from "node:util";
import { tryFaults } from "./try-faults.ts";
import { tryMutants } from "./try-mutants.ts";

const USAGE = `npm run mutants -- PATH [--sample N] [--seed N] [--at-once N] [--tests FOLDER]
npm run mutants -- scripts [WORD]
  Changes the code below PATH in N places, one at a time, and says how many of them the unit tests notice.
  The seed is printed; with the same code, it draws the same sample again.
  Fewer tests are quicker: those below FOLDER alone are asked.
  "scripts" plants faults in the scripts for Redis, those with WORD in their name,
  and runs the integration tests that should notice.`;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    "at-once": { type: "string", default: "2" },
    tests: { type: "string" },
  },
});
const [below, word = ""] = positionals;
const [size, seed, atOnce] = [values.sample, values.seed, values["at-once"]].map(Number);
if (below === undefined || !size || !atOnce || !Number.isSafeInteger(seed)) throw new Error(USAGE);
if (below === "scripts") {
  process.exitCode = (await tryFaults(word, say)) ? 0 : 1;
} else {
  say(`seed ${seed}`);
  say(await tryMutants({ below, size, seed: Number(seed), atOnce, tests: values.tests }));
}
