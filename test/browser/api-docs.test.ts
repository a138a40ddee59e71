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

async function open(path: string, scheme?: "dark") {
  const seen = await visit(gateway.url, scheme);
  onTestFinished(seen.close);
  // The whole document is drawn at once: seconds, on a machine that is busy.
  seen.page.setDefaultTimeout(30_000);
  await seen.page.goto(path);
  return seen;
}

test("it shows every route and webhook of the document, and no link puts another in its place", async () => {
  const { page, expectNoTrespass } = await open("/api-docs?url=https://other.example/evil.json");
  await page.locator("#operations-Orders-placeOrder").waitFor();
  expect(await page.locator(".info .title").textContent()).toContain("Alert gateway");
  const document = (await gateway.api.get("/api-docs/openapi.json")).body;
  const items = Object.values<object>({ ...document.paths, ...document.webhooks });
  const count = items.flatMap((item) => Object.keys(item)).length;
  expect(await page.locator(".opblock").count()).toBe(count);
  expectNoTrespass();
});

test("a call can be tried out with a key", async () => {
  const { page, expectNoTrespass } = await open("/api-docs");
  await page.locator(".auth-wrapper .btn.authorize").click();
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

test("it is light or dark where the system is, and follows it", async () => {
  const { page } = await open("/api-docs", "dark");
  const isDark = async () =>
    await page.evaluate("document.documentElement.classList.contains('dark-mode')");
  expect(await isDark()).toBe(true);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(isDark).toBe(false);
  await page.reload();
  expect(await isDark()).toBe(false);
});
