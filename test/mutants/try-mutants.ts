import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { ROOT } from "../support/source-tree.ts";
import { drawn, mutantsBelow, rangeOf } from "./sample.ts";
import { interval, percent } from "./share.ts";

interface Wanted {
  /** A folder or file of the product, from the project's root. */
  readonly below: string;
  readonly size: number;
  readonly seed: number;
  /** The only folder of unit tests that is asked; undefined for all. */
  readonly tests: string | undefined;
  /** How many processes run mutants at once. */
  readonly atOnce: number;
}

/** Tries a sample of the mutants below a path on the unit tests, and says what share of them is noticed. */
export async function tryMutants({ below, size, seed, tests, atOnce }: Wanted): Promise<string> {
  const all = await mutantsBelow(below);
  if (all.length === 0) throw new Error(`There is nothing to change below ${below}`);
  const sample = drawn(all, size, seed);
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-mutants-"));
  try {
    process.env["MUTANT_SAMPLE"] = path.join(folder, "sample.json");
    await writeFile(process.env["MUTANT_SAMPLE"], JSON.stringify(sample));
    if (tests !== undefined) process.env["MUTANT_TESTS"] = tests;
    const results = await new Stryker({
      mutate: [...new Set(sample.map(rangeOf))],
      testRunner: "vitest",
      vitest: { configFile: "test/mutants/vitest.config.ts" },
      checkers: ["sample"],
      plugins: [
        import.meta.resolve("@stryker-mutator/vitest-runner"),
        import.meta.resolve("./sample-checker.mjs"),
      ],
      coverageAnalysis: "perTest",
      incremental: false,
      concurrency: atOnce,
      // A busy machine is no endless loop.
      timeoutMS: 60_000,
      timeoutFactor: 5,
      dryRunTimeoutMinutes: 30,
      tempDirName: folder,
      cleanTempDir: "always",
      ignorePatterns: ["dist", "data", "test/browser", "*.log"],
      reporters: ["progress-append-only"],
      allowConsoleColors: false,
    }).runMutationTest();
    return described(results, { below, seed, of: all.length });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Results = Awaited<ReturnType<Stryker["runMutationTest"]>>;

function described(
  results: Results,
  { below, seed, of }: { readonly below: string; readonly seed: number; readonly of: number },
): string {
  const withStatus = (status: string) => results.filter((result) => result.status === status);
  const [killed, timeouts, survived, uncovered, broken] = [
    "Killed",
    "Timeout",
    "Survived",
    "NoCoverage",
    "RuntimeError",
  ].map(withStatus) as [Results, Results, Results, Results, Results];
  const noticed = killed.length + timeouts.length;
  const tried = noticed + survived.length + uncovered.length;
  const [from, to] = interval(noticed, tried);
  const lines = [...survived, ...uncovered].map((mutant) => {
    const { fileName, location, status, mutatorName, replacement } = mutant;
    const line = `${path.relative(ROOT, fileName)}:${location.start.line}:${location.start.column}`;
    return `${line} ${status} ${mutatorName} -> ${replacement.replaceAll(/\s+/g, " ")}`;
  });
  return [
    ...lines.toSorted(),
    `${below}, seed ${seed}: ${tried} of ${of} mutants tried, ${killed.length} killed, ` +
      `${timeouts.length} timed out, ${survived.length} survived, ${uncovered.length} in no test's way` +
      (broken.length === 0 ? "" : `, ${broken.length} could not be run`),
    `noticed: ${percent(noticed / tried)}, with 95 % certainty between ${percent(from)} and ${percent(to)}`,
  ].join("\n");
}
