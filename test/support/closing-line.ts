import type { Reporter, TestCase, TestModule } from "vitest/node";
import { CHECK_SEED } from "./check-seed.ts";

/** What the reader of a build log needs first when something failed: which, and what it said. */
const SAID_LENGTH = 300;

interface Said {
  readonly message: string;
  /** As vitest wrote down both sides of a comparison, of which the message shows little. */
  readonly actual?: string;
  readonly expected?: string;
}

/** Ends the run with one line that any reader of a build log can count on, and before it with what failed. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strays: readonly Said[]): void {
    // What was thrown outside of every test fails the run as well.
    const count = { passed: 0, failed: strays.length, skipped: 0, pending: 0 };
    const failures = strays.map((stray) => `FAILED outside of every test: ${saidBy([stray])}`);
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        count[state] += 1;
        if (state !== "failed") continue;
        failures.push(failed(module, test.fullName, errors), alone(module, nameOf(test)));
      }
      // A hook that fails skips the tests of its group: the group itself is the failure.
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length === 0) continue;
        count.failed += 1;
        failures.push(failed(module, suite.fullName, suite.errors()), alone(module));
      }
      // A file that could not be loaded has no tests to count, and is a failure all the same.
      if (module.state() === "failed" && module.errors().length > 0) {
        count.failed += 1;
        failures.push(failed(module, "the file", module.errors()), alone(module));
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    const lines = failures.map((line) => `${line}\n`).join("");
    process.stdout.write(`\n${lines}${count.passed} passed, ${count.failed} failed${skipped}\n`);
  }
}

const failed = ({ relativeModuleId }: TestModule, name: string, errors?: readonly Said[]): string =>
  `FAILED ${relativeModuleId} > ${name.replaceAll(/\s+/g, " ")}: ${saidBy(errors)}`;

const saidBy = (errors: readonly Said[] = []): string =>
  errors
    .map(({ message, actual, expected }) => {
      const both = actual === undefined ? [] : [`got ${actual}`, `for ${expected}`];
      return [message, ...both].map((part) => cut(part.replaceAll(/\s+/g, " "))).join(", ");
    })
    .join("; ");

const cut = (text: string): string => text.slice(0, SAID_LENGTH);

/** The seed, date and zone of this run. */
const AS_IT_WAS = [
  `CHECK_SEED=${CHECK_SEED}`,
  ...["CHECK_DATE", "TZ"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [`${name}=${quote(value)}`];
  }),
].join(" ");

/** The command that runs a file, or one test of it, alone and as it was run. */
function alone({ relativeModuleId, project }: TestModule, name?: string): string {
  const only = name === undefined ? "" : ` -t ${quote(`^${escapePattern(name)}$`)}`;
  const run = `npx vitest run --config test/vitest.config.ts --project ${project.name}`;
  return `ALONE ${AS_IT_WAS} ${run} ${quote(relativeModuleId)}${only}`;
}

/** As `-t` compares it: the names of the groups and of the test, with spaces between them. */
function nameOf(test: TestCase): string {
  const names = [test.name];
  for (let at = test.parent; at.type === "suite"; at = at.parent) names.unshift(at.name);
  return names.join(" ");
}

/** A line break in a name would end the command. */
const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll("\n", String.raw`\s`);

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
