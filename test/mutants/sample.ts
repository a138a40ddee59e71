import { readFileSync } from "node:fs";
import path from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import fc from "fast-check";
import { ROOT, sourceFiles } from "../support/source-tree.ts";

/** One change to the code, as Stryker's instrumenter describes it: lines and columns count from 0. */
export type Mutant = Pick<
  Awaited<ReturnType<Instrumenter["instrument"]>>["mutants"][number],
  "fileName" | "mutatorName" | "replacement" | "location"
>;

/** Every mutant that Stryker makes of the files below a path, in the order of files and lines. */
export async function mutantsBelow(below: string): Promise<readonly Mutant[]> {
  const [top = ""] = below.split("/");
  const files = sourceFiles(top)
    .filter((file) => file === below || file.startsWith(`${below}/`))
    .map((file) => path.join(ROOT, file));
  const { mutants } = await new Instrumenter(SILENT).instrument(
    files.map((name) => ({ name, mutate: true, content: readFileSync(name, "utf8") })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  return mutants.map(({ fileName, mutatorName, replacement, location }) => ({
    fileName,
    mutatorName,
    replacement,
    location,
  }));
}

/** So many of them by chance: the same for the same seed and the same code. */
export function drawn(mutants: readonly Mutant[], size: number, seed: number): readonly Mutant[] {
  const length = Math.min(size, mutants.length);
  const choice = fc.shuffledSubarray([...mutants], { minLength: length, maxLength: length });
  return fc.sample(choice, { seed, numRuns: 1 }).flat();
}

/** The text that a mutant replaces, as Stryker's option `mutate` wants it: lines count from 1. */
export const rangeOf = ({ fileName, location: { start, end } }: Mutant): string =>
  `${path.relative(ROOT, fileName)}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;

const SILENT = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  fatal: () => undefined,
};
