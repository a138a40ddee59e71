import type { Reporter, TestModule } from "vitest/node";

/** What the reader of a build log needs first when something failed: which, and what it said. */
const SAID_LENGTH = 300;

interface Said {
  readonly message: string;
}

/** Ends the run with one line that any reader of a build log can count on, and before it with what failed. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strays: readonly Said[]): void {
    // What was thrown outside of every test fails the run as well.
    const count = { passed: 0, failed: strays.length, skipped: 0, pending: 0 };
    const failures = strays.map((stray) => saidBy([stray]));
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        count[state] += 1;
        if (state !== "failed") continue;
        failures.push(`${module.relativeModuleId} > ${test.fullName}: ${saidBy(errors)}`);
      }
      // A file that could not be loaded has no tests to count, and is a failure all the same.
      if (module.state() === "failed" && module.errors().length > 0) {
        count.failed += 1;
        failures.push(`${module.relativeModuleId}: ${saidBy(module.errors())}`);
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    const lines = failures.map((failure) => `FAILED ${failure}\n`).join("");
    process.stdout.write(`\n${lines}${count.passed} passed, ${count.failed} failed${skipped}\n`);
  }
}

const saidBy = (errors: readonly Said[] = []): string =>
  errors
    .map(({ message }) => message.replaceAll(/\s+/g, " "))
    .join("; ")
    .slice(0, SAID_LENGTH);
