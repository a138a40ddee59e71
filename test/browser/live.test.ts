// The goal: what is shown is live, whatever is unfolded, and costs next to nothing while nothing happens.
// The method: every request that a browser makes, at rest, after a trade, when told to wait, without the stream.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { waitUntil } from "../support/wait.ts";
import { ConsoleSite, OWNER, startSession } from "./console-kit.ts";

const ACCOUNTS = 12;
const QUIET_MS = 3_000;
/** Longer than the test looks, so that the page's own clock is moved on; a stream may be silent for 45 s. */
const WAIT_SECONDS = 25;

let site: ConsoleSite;

beforeAll(async () => {
  site = await ConsoleSite.open({ settings: { PAPER_ACCOUNTS: `1-${ACCOUNTS}` } });
});
afterAll(async () => await site.close());

const buy = async (account: string) =>
  await site.gateway.api.post(`/v1/accounts/${account}/orders`, {
    symbol: "MNQ1!",
    action: "buy",
    qty: 1,
    type: "market",
  });

/** The paths that are asked for from now on. */
function asked(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

const ofAccounts = (paths: readonly string[]) =>
  paths.filter((path) => path.startsWith("/v1/accounts/"));

async function untilQuiet(paths: readonly string[]): Promise<void> {
  let count = -1;
  let since = Date.now();
  await waitUntil("no account is asked about", () => {
    if (ofAccounts(paths).length !== count) since = Date.now();
    count = ofAccounts(paths).length;
    return Date.now() - since > QUIET_MS;
  });
}

test("a dozen unfolded accounts ask no more at rest than one, and after a trade its own alone", async () => {
  const page = await site.open("/accounts");
  const folds = page.locator("button.fold");
  await folds.nth(ACCOUNTS - 1).waitFor();
  const paths = asked(page);
  for (const fold of await folds.all()) await fold.click();
  await page
    .locator("button.fold[aria-expanded=true]")
    .nth(ACCOUNTS - 1)
    .waitFor();
  await expect.poll(() => new Set(ofAccounts(paths)).size).toBe(3 * ACCOUNTS);
  await untilQuiet(paths);
  // No other address was asked for after those.
  expect(new Set(ofAccounts(paths)).size).toBe(3 * ACCOUNTS);
  // Whatever else the page looks at by itself, it is the same for one account.
  paths.length = 0;
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  expect(ofAccounts(paths)).toEqual([]);

  expect((await buy("paper-7")).status).toBe(201);
  const card = page.getByRole("region", { name: "Account Paper 7", exact: true });
  await card.getByRole("row").filter({ hasText: "Long 1" }).waitFor();
  await untilQuiet(paths);
  expect(ofAccounts(paths).filter((path) => !path.includes("/paper-7/"))).toEqual([]);
});

test("who is asked to wait waits with everything, and says so", async () => {
  const page = await site.openNew();
  await page.clock.install();
  await startSession(page, OWNER);
  await page.goto("/console/#/accounts");
  await page.getByRole("heading", { level: 2 }).first().waitFor();
  let refusals = 0;
  await page.route("**/v1/overview", async (route) => {
    refusals += 1;
    const error = { code: "RATE_LIMITED", message: "Too many requests", details: [] };
    const headers = { "Retry-After": String(WAIT_SECONDS) };
    await route.fulfill({ status: 429, headers, json: { error } });
  });
  await page.getByText("Too many requests: updated again at").waitFor();
  const paths = asked(page);
  await buy("paper-1");
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(paths).toEqual([]);
  expect(refusals).toBe(1);
  await page.unroute("**/v1/overview");
  await page.clock.fastForward(WAIT_SECONDS * 1_000);
  await page.getByText("● Up to date").waitFor();
});

test("without the stream it asks now and then, and says that it is behind", async () => {
  const page = await site.openBlank();
  await page.route("**/v1/stream", async (route) => await route.abort());
  onTestFinished(async () => await page.unroute("**/v1/stream"));
  await page.goto("/console/#/sign-in");
  await page.getByLabel("Name").fill("owner");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.goto("/console/#/accounts?account=paper-3");
  const card = page.getByRole("region", { name: "Account Paper 3", exact: true });
  await card.getByText("No open positions").waitFor();
  await page.getByText("Delayed: live updates are down").waitFor();
  await buy("paper-3");
  await card.getByRole("row").filter({ hasText: "Long 1" }).waitFor();
});
