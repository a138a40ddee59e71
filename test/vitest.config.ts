import { defineConfig } from "vitest/config";
import "./support/check-seed.ts";
import { LongestFirst } from "./support/longest-first.ts";
import { HANGS_AFTER_MS } from "./support/wait.ts";
import { beginAt } from "./support/run-date.ts";

/** What needs processes of its own, minutes, or to try the same over and over: `npm run check:long`. */
const LONG = "test/**/*.long.test.ts";

const { CHECK_DATE } = process.env;
if (CHECK_DATE !== undefined) beginAt(CHECK_DATE);

/**
 * A Chromium keeps a core busy, and so do unit tests: fewer at a time, after those that mostly wait.
 * Projects of a group come by their names, so that unit tests fill what the last windows leave free.
 */
const AFTER_THE_GATEWAY = { maxWorkers: 4, sequence: { groupOrder: 1 } };

/** Only what hangs is ended: no limit here is a promise. A test outlives the waits in it, which say more. */
const PATIENT = {
  testTimeout: 2 * HANGS_AFTER_MS,
  hookTimeout: 2 * HANGS_AFTER_MS,
  expect: { poll: { timeout: HANGS_AFTER_MS } },
};

const SEEDED = { setupFiles: ["test/support/seed-properties.ts"] };

/** Unit tests need nothing; the others start what they need and end it themselves. */
export default defineConfig({
  test: {
    // Six at a time, also on two cores: most of a test's time is waiting.
    maxWorkers: 6,
    teardownTimeout: HANGS_AFTER_MS,
    // What was translated once is not again, in no project and no later run: it is kept by its content.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./test/support/closing-line.ts"],
    projects: [
      {
        test: {
          name: "unit",
          // Nothing here changes its process for the next file, so modules are loaded once per worker.
          isolate: false,
          include: [
            "test/{unit,architecture,chaos}/**/*.test.ts",
            "test/model/{account,lane}/*.test.ts",
          ],
          exclude: [LONG],
          globalSetup: ["test/support/run-folder.ts"],
          ...PATIENT,
          ...SEEDED,
          ...AFTER_THE_GATEWAY,
        },
      },
      {
        test: {
          name: "integration",
          // Likewise: what starts processes or changes its own is in the long check.
          isolate: false,
          include: ["test/{integration,conformance}/**/*.test.ts"],
          exclude: [LONG],
          globalSetup: [
            "test/support/run-folder.ts",
            "test/support/compile-programs.ts",
            "test/support/redis.ts",
          ],
          ...PATIENT,
          ...SEEDED,
        },
      },
      {
        test: {
          name: "browser",
          // A worker has one Chromium for all of its files, and loads the gateway once.
          isolate: false,
          include: ["test/browser/**/*.test.ts"],
          globalSetup: [
            "test/support/run-folder.ts",
            "test/support/compile-programs.ts",
            "test/support/redis.ts",
            "test/support/console-build.ts",
          ],
          ...PATIENT,
          ...AFTER_THE_GATEWAY,
        },
      },
      {
        test: {
          name: "long",
          include: [LONG],
          globalSetup: [
            "test/support/run-folder.ts",
            "test/support/compile-programs.ts",
            "test/support/redis.ts",
          ],
          ...PATIENT,
          ...SEEDED,
        },
      },
    ],
  },
});
