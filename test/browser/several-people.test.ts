// The goal: people share an appliance and nothing else, on every page and by every address.
// The method: an owner who has one of everything, and somebody else in a browser beside them.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConsoleSite, OWNER, type Person, signIn } from "./console-kit.ts";

let site: ConsoleSite;
let other: Person;
let alertId: string;

beforeAll(async () => {
  site = await ConsoleSite.open();
  other = await site.addPerson("other");
  const { body } = await site.gateway.alert({ action: "buy", symbol: "MNQ1!", qty: 1 });
  alertId = String(body.alertId);
});
afterAll(async () => await site.close());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** Of everything that the owner has; none of it is what the console itself says. */
const OWNERS = ["Paper 1", "paper-1", "First key", "First webhook", "MNQ"];

/** By page: its data, what is seen when it is there and empty, and what of the owner's is on it. */
const PAGES = [
  ["/", "/v1/overview", "Overview", "no broker connected", "1 of 1"],
  ["/accounts", "/v1/accounts", "Accounts", undefined, "Paper 1"],
  ["/webhooks", "/v1/webhooks", "Webhooks", undefined, "First webhook"],
  ["/keys", "/v1/keys", "API keys", "No key yet", "First key"],
  ["/alerts", "/v1/alerts", "Alerts", undefined, "MNQ"],
] as const;

const ownersIn = (text: string) => OWNERS.filter((one) => text.includes(one));

test("each page shows each their own", async () => {
  const owners = await site.open();
  const page = await site.openAs(other);
  for (const [place, data, title, empty, own] of PAGES) {
    await owners.goto(`/console/#${place}`);
    await heading(owners, title).waitFor();
    await owners.getByText(own).first().waitFor();

    // The page before would be up to date already.
    await page.goto("about:blank");
    const [answer] = await Promise.all([
      page.waitForResponse((one) => new URL(one.url()).pathname === data),
      page.goto(`/console/#${place}`),
    ]);
    expect({ data, seen: ownersIn(await answer.text()) }).toEqual({ data, seen: [] });
    await heading(page, title).waitFor();
    if (empty !== undefined) await page.getByText(empty).first().waitFor();
    // All that is asked for is there.
    await page.getByText("Up to date").waitFor();
    await page.getByText("One moment").waitFor({ state: "detached" });
    const text = await page.getByRole("main").innerText();
    expect({ place, seen: ownersIn(text) }).toEqual({ place, seen: [] });
  }
});

test("the address of another's alert leads nowhere", async () => {
  const owners = await site.open(`/alerts/${alertId}`);
  await owners.getByText("MNQ").first().waitFor();
  const page = await site.openAs(other, `/alerts/${alertId}`);
  await page.getByText("There is no").first().waitFor();
  expect(await page.getByText("MNQ").count()).toBe(0);
});

test("one's kill switch stops nobody else", async () => {
  const page = await site.openAs(other);
  await page.getByRole("button", { name: "Turn it on …" }).click();
  await page.getByRole("button", { name: "Turn the kill switch on" }).click();
  await page.getByRole("button", { name: "Turn it off …" }).waitFor();
  expect((await site.gateway.api.get("/v1/kill-switch")).body.active).toBe(false);
  const owners = await site.open();
  await owners.getByRole("region", { name: /All clear|No problems/ }).waitFor();
  await page.getByRole("button", { name: "Turn it off …" }).click();
  await page.getByRole("button", { name: "Turn the kill switch off" }).click();
  await page.getByRole("button", { name: "Turn it on …" }).waitFor();
});

test("in one window, who comes second sees nothing that was left", async () => {
  const page = await site.openAs(OWNER, "/keys");
  await page.getByRole("row", { name: "First key" }).waitFor();
  await page.getByRole("link", { name: OWNER.name }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();
  await signIn(page, other);
  await page.goto("/console/#/keys");
  await page.getByText("No key yet").waitFor();
  expect(await page.content()).not.toContain("First key");
  await page.getByRole("link", { name: "other" }).waitFor();
  expect(await page.getByText(OWNER.name, { exact: true }).count()).toBe(0);
});
