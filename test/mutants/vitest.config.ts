import { defineConfig } from "vitest/config";
import { NearestFirst } from "./nearest-first.ts";

const { MUTANT_TESTS } = process.env;

/** The unit tests as a mutant meets them: Stryker runs them one file after another, in a copy of the tree. */
export default defineConfig({
  test: {
    include:
      MUTANT_TESTS === undefined
        ? ["test/unit/**/*.test.ts", "test/model/lane/*.test.ts"]
        : [`${MUTANT_TESTS}/**/*.test.ts`],
    exclude: ["test/**/*.long.test.ts"],
    isolate: false,
    testTimeout: 60_000,
    sequence: { sequencer: NearestFirst },
  },
});
