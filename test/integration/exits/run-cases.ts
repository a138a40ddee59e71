import { beforeAll, expect, test } from "vitest";
import { afterTheFile } from "../../support/connection-site.ts";
import { type ExitCase, runCase, type Seen } from "./exit-case.ts";
import { ExitSite } from "./exit-desk.ts";
import { brokenBy } from "./expect-exit.ts";

/** Most of a case is waiting. */
const AT_ONCE = 20;

const nameOf = ({ broker, form, situation }: ExitCase): string =>
  `${situation}: ${broker}: ${form.name}`;

/** One test for each case. All are run side by side from the beginning, and each test waits for its own. */
export function testCases(all: readonly ExitCase[]): void {
  // A regular expression of names, for a look at some of them.
  const only = process.env["EXIT_CASES"];
  const cases = all.filter((one) => only === undefined || new RegExp(only).test(nameOf(one)));
  const results = new Map<ExitCase, Promise<Seen>>();
  const atEnd = afterTheFile();

  beforeAll(async () => {
    const site = await ExitSite.open(atEnd);
    // Each of these works off every so-many-th case, one after another.
    const lines = Array.from({ length: AT_ONCE }, () => Promise.resolve<unknown>(undefined));
    for (const [n, one] of cases.entries()) {
      const result = lines[n % AT_ONCE]?.then(async () => await runCase(site, one));
      if (result === undefined) throw new Error("There is a line for each");
      results.set(one, result);
      lines[n % AT_ONCE] = result.catch(() => undefined);
    }
  });

  test.each(cases.map((one) => [nameOf(one), one] as const))("%s", async (_, one) => {
    const seen = await (results.get(one) as Promise<Seen>);
    // A failure shows how it went.
    expect([brokenBy(one, seen), seen.story]).toEqual([[], seen.story]);
  });
}
