// The goal: the page of the API document works under its strict policy, and asks nobody else.
// The method: the gateway as it is built, in a real browser.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { visit } from "../support/browser.ts";

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
});

async function open(path: string, scheme?: "light" | "dark") {
  const seen = await visit(gateway.url, scheme);
  onTestFinished(seen.close);
  // The whole document is drawn at once: seconds, on a machine that is busy.
  seen.page.setDefaultTimeout(30_000);
  await seen.page.goto(path);
  return seen;
}

test("it shows every route of the document", async () => {
  const { page, expectNoTrespass } = await open("/api-docs");
  await page.locator("#operations-Orders-placeOrder").waitFor();
  const { paths } = (await gateway.api.get("/api-docs/openapi.json")).body as {
    paths: Record<string, object>;
  };
  const count = Object.values(paths).flatMap((item) => Object.keys(item)).length;
  expect(await page.locator(".opblock").count()).toBe(count);
  expectNoTrespass();
});

test("a call can be tried out with a key", async () => {
  const { page, expectNoTrespass } = await open("/api-docs");
  await page.getByRole("button", { name: "Authorize", exact: true }).click();
  await page.locator(".auth-container input").first().fill(gateway.key);
  await page.locator(".auth-btn-wrapper .authorize").first().click();
  await page.locator(".auth-btn-wrapper .btn-done").first().click();
  const operation = page.locator("#operations-Accounts-listAccounts");
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.getByRole("button", { name: "Execute" }).click();
  const answer = operation.locator(".live-responses-table .response-col_description");
  expect(await answer.getByText("paper-1").first().textContent()).toContain("paper-1");
  expectNoTrespass();
});

test("no other document can be put in its place by a link", async () => {
  const { page, expectNoTrespass } = await open("/api-docs?url=https://other.example/evil.json");
  expect(await page.locator(".info .title").textContent()).toContain("Alert gateway");
  expectNoTrespass();
});

test.each(["light", "dark"] as const)("it is %s where the system is", async (scheme) => {
  const { page } = await open("/api-docs", scheme);
  const isDark = await page.evaluate("document.documentElement.classList.contains('dark-mode')");
  expect(isDark).toBe(scheme === "dark");
});
