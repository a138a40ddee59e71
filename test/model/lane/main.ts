// Which promises are not kept, and the fewest steps that show it: `npm run model -- 3000 7` takes 3,000
// sequences of seed 7. Each sequence goes on after a promise that it breaks, without that promise.
import fc from "fast-check";
import { PROMISES } from "./promises.ts";
import { carryOut, fewestSteps, sequences } from "./sequences.ts";
import type { Step } from "./steps.ts";

const [runs = "1000", seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);
const SHOWN_OF_EACH = 3;
const NAMES = Object.keys(PROMISES);

const found = new Map<string, (readonly Step[])[]>();
for (const sequence of fc.sample(sequences, { numRuns: Number(runs), seed: Number(seed) })) {
  for (const name of await brokenBy(sequence)) {
    found.set(name, [...(found.get(name) ?? []), sequence]);
  }
}
const out = [`${runs} sequences of seed ${seed}`];
for (const [name, failing] of found) {
  out.push("", `"${name}" is broken by ${failing.length}`);
  const others = new Set(NAMES.filter((other) => other !== name));
  for (const sequence of failing.slice(0, SHOWN_OF_EACH)) {
    const { steps, why } = await fewestSteps(sequence, others);
    out.push(...steps.map((step) => `  ${JSON.stringify(step)}`), why, "");
  }
}
process.stdout.write(`${out.join("\n")}\n`);

async function brokenBy(sequence: readonly Step[]): Promise<readonly string[]> {
  const broken = new Set<string>();
  for (;;) {
    const why = await carryOut(sequence, broken);
    if (why === undefined) return [...broken];
    const names = NAMES.filter((name) => why.includes(`"${name}" is broken`));
    if (names.length === 0) return [...broken, why.slice(0, 120)];
    for (const name of names) broken.add(name);
  }
}
