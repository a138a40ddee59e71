// Lists the invariants that are broken, with the fewest steps that show each: `npm run model -- account
// 20000 7` takes 20,000 sequences of seed 7.
import fc from "fast-check";
import { type Broken } from "./invariants.ts";
import { knownAs } from "./known.ts";
import { carryOut, fewestSteps, sequences } from "./sequences.ts";
import type { Step } from "./steps.ts";

const [runs = "1000", seed = String(Date.now() % 2 ** 31)] = process.argv.slice(3);
const SHOWN_OF_EACH = 2;

/** Failures that differ by their numbers alone are of one kind. */
const kindOf = ({ invariant, what }: Broken): string =>
  `${invariant}: ${what.replace(/#\d+.*$/u, "").replaceAll(/-?\d+/gu, "n")}`;

const found = new Map<string, { readonly steps: readonly Step[]; readonly broken: Broken }[]>();
const began = performance.now();
for (const steps of fc.sample(sequences, { numRuns: Number(runs), seed: Number(seed) })) {
  const broken = await carryOut(steps);
  if (broken === undefined) continue;
  const kind = kindOf(broken);
  found.set(kind, [...(found.get(kind) ?? []), { steps, broken }]);
}
const rate = Math.round((Number(runs) / (performance.now() - began)) * 1_000);
process.stdout.write(`${runs} sequences of seed ${seed}, ${rate} a second\n`);
for (const [kind, failing] of found) {
  const finding = failing[0] && knownAs(failing[0].broken)?.finding;
  const how = finding === undefined ? "NEW" : `known as ${finding}`;
  process.stdout.write(`\n${kind} by ${failing.length} (${how})\n`);
  for (const { steps } of failing.slice(0, SHOWN_OF_EACH)) {
    const fewest = await fewestSteps(steps, (broken) => kindOf(broken) === kind);
    const why = await carryOut(fewest);
    const lines = [...fewest.map((step) => `  ${JSON.stringify(step)}`), why?.what ?? "", ""];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}
