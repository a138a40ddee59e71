// The goal: what a date decides is right on days that are unlike today, and in other zones.
// The method: tests named after calendars, clocks, holidays, schedules and symbols run again on such a day.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { beginAt, withoutClock } from "../support/run-date.ts";
import { ROOT } from "../support/source-tree.ts";

const NAMED_AFTER = ["calendar", "clock", "holiday", "schedule", "symbol"];
const VITEST = path.join(ROOT, "node_modules/vitest/vitest.mjs");
const PROJECTS = [
  "--config",
  "test/vitest.config.ts",
  "--project",
  "unit",
  "--project",
  "integration",
  // Each worker loads the whole gateway again, which costs more than these few files.
  "--no-file-parallelism",
];

/** All that a run of these tests prints, and how it ended. */
async function runOn(date: string, zone: string) {
  const child = spawn(process.execPath, [VITEST, "run", ...PROJECTS, ...NAMED_AFTER], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...withoutClock(process.env), CHECK_DATE: date, TZ: zone },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  }
  const [code] = (await once(child, "close")) as unknown[];
  return { code, printed };
}

// Most of a run waits for its own gateway.
test.concurrent.each([
  ["after Thanksgiving's early close", "2026-11-26T18:30:00Z", "America/New_York"],
  ["as clocks go forward", "2027-03-14T06:59:30Z", "America/New_York"],
  ["as the year ends", "2026-12-31T23:59:30Z", "Pacific/Auckland"],
])(
  "%s, %s in %s",
  async (_, date, zone) => {
    const { code, printed } = await runOn(date, zone);
    const failed = printed.split("\n").filter((line) => line.startsWith("FAILED "));
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
    expect(printed).toMatch(/^[1-9]\d* passed, 0 failed$/m);
  },
  600_000,
);

test("a page of Chromium has the run's date, and its cookies end by it", async () => {
  const date = "2027-03-14T06:59:30Z";
  const startedAt = performance.now();
  beginAt(date);
  const browser = await openBrowser();
  onTestFinished(async () => await browser.close());
  const page = await browser.newPage();
  const since = (await page.evaluate<number>("Date.now()")) - Date.parse(date);
  // A shift is whole seconds.
  expect(since).toBeGreaterThan(-1_000);
  expect(since).toBeLessThan(performance.now() - startedAt + 1_000);
  const expires = Date.parse(date) / 1_000;
  const cookie = { value: "1", url: "http://localhost" };
  await page.context().addCookies([
    { ...cookie, name: "kept", expires: expires + 86_400 },
    { ...cookie, name: "over", expires: expires - 86_400 },
  ]);
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(["kept"]);
});
