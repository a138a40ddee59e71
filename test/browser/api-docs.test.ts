// The goal: the page of the API document works under its strict policy, and asks nobody else.
// The method: the gateway as it is built, in a real browser.
import type { Page } from "playwright-core";
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
  await seen.page.goto(path);
  return seen;
}

const isDark = async (page: Page) =>
  await page.evaluate("document.documentElement.classList.contains('dark-mode')");

test("it shows every route and webhook of the document, and no link puts another in its place", async () => {
  const evil = "/api-docs?url=https://other.example/evil.json";
  const { page, expectNoTrespass } = await open(evil, "dark");
  await page.locator("#operations-Orders-placeOrder").waitFor();
  expect(await page.locator(".info .title").textContent()).toContain("Alert gateway");
  const document = (await gateway.api.get("/api-docs/openapi.json")).body;
  const items = Object.values<object>({ ...document.paths, ...document.webhooks });
  const count = items.flatMap((item) => Object.keys(item)).length;
  await expect.poll(async () => await page.locator(".opblock").count()).toBe(count);
  // It is dark where the system is, and follows it.
  await expect.poll(async () => await isDark(page)).toBe(true);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(async () => await isDark(page)).toBe(false);
  expectNoTrespass();
});

test("a call can be tried out with a key, in the light where the system is light", async () => {
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
  await answer.getByText("paper-1").first().waitFor();
  expect(await isDark(page)).toBe(false);
  expectNoTrespass();
});
