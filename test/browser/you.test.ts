// The goal: what lets a person in is changed by that person alone, and what it opened before ends.
// The method: people in several windows; what a page says is held against the gateway.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addAuthenticator, expectFit } from "../support/browser.ts";
import { ConsoleClient } from "../support/console-client.ts";
import { ConsoleSite, signIn } from "./console-kit.ts";

let site: ConsoleSite;

beforeAll(async () => {
  site = await ConsoleSite.open();
});
afterAll(async () => await site.close());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const isChanged = (page: Page) => page.getByText("Password changed.");

async function change(page: Page, password: string): Promise<void> {
  await page.getByLabel("New password").fill(password);
  await button(page, "Change the password").click();
}

test("it says who one is and how long that lasts, and sends no password that is too short", async () => {
  const page = await site.openAs(await site.addPerson("ann"), "/you");
  const sheet = page.getByRole("region", { name: "Signed in" });
  await sheet.getByText("ann", { exact: true }).waitFor();
  const times = await sheet.getByRole("time").all();
  const said = await Promise.all(times.map((time) => time.getAttribute("datetime")));
  const [since = 0, proof = 0, end = 0] = said.map((text) => Date.parse(text ?? ""));
  expect(proof).toBe(since);
  expect(end - since).toBe(12 * 3_600_000);

  // A password that is too short is not sent.
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "GET" || sent.push(request.url()));
  await change(page, "short");
  await page.getByText("7 more characters").waitFor();
  expect(await isChanged(page).count()).toBe(0);
  expect(sent).toEqual([]);
});

test("a changed password is the only one, and ends what is open elsewhere", async () => {
  const person = await site.addPerson("bea");
  const elsewhere = await site.openAs(person, "/keys");
  const page = await site.openAs(person, "/you");
  await change(page, "and now other words");
  await isChanged(page).waitFor();
  await elsewhere.getByText("You were signed out: the session is over").waitFor();

  await signIn(elsewhere, person);
  await elsewhere.getByRole("alert").getByText("The name or the password is wrong").waitFor();
  await signIn(elsewhere, { name: "bea", password: "and now other words" });
  await heading(elsewhere, "API keys").waitFor();
  // Where it was changed, one is still in.
  await page.reload();
  await heading(page, "You").waitFor();
});

test("after a while lasting access wants a new proof; without it nothing is changed, with it it goes on", async () => {
  const person = await site.addPerson("dan");
  const page = await site.openAs(person, "/you");
  await site.ageProof(person);
  await change(page, "and now other words");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Nothing was changed: it needs your confirmation").waitFor();
  // The former one still lets in.
  const client = new ConsoleClient(site.url);
  expect((await client.signIn(person.name, person.password)).status).toBe(200);
  await change(page, "and now other words");
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Password of dan").fill("not these");
  await button(page, "Confirm").click();
  await dialog.getByText("The name or the password is wrong").waitFor();
  await dialog.getByLabel("Password of dan").fill(person.password);
  await button(page, "Confirm").click();
  await isChanged(page).waitFor();
});

test("a passkey proves it, too, and a device has one of a person", async () => {
  const person = await site.addPerson("fay");
  const page = await site.openAs(person, "/you");
  await addAuthenticator(page);
  const add = async (name: string) => {
    await button(page, "Add a passkey").click();
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await button(page, "Add it").click();
  };
  await add("Laptop");
  await page.getByRole("row", { name: "Laptop" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await add("Laptop again");
  await page.getByRole("alert").getByText("This device already has a passkey for you").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await site.ageProof(person);
  await change(page, "and now other words");
  await button(page, "Use a passkey").click();
  await isChanged(page).waitFor();
});

test("the page is for everybody, in every look", async () => {
  const person = await site.addPerson("reader");
  const page = await site.openAs(person, "/you");
  await button(page, "Add a passkey").click();
  await page.getByRole("dialog").getByLabel("Name").fill("The laptop in the office upstairs");
  await expectFit(page);
  // Looking for barriers takes authenticators away.
  await addAuthenticator(page);
  await button(page, "Add it").click();
  await page.getByRole("row", { name: "The laptop" }).waitFor();
  await change(page, "short");
  await page.getByText("7 more characters").waitFor();
  await expectFit(page);

  await button(page, "Remove The laptop in the office upstairs").click();
  await page.getByRole("dialog").waitFor();
  await expectFit(page);
  await page.keyboard.press("Escape");
  await site.ageProof(person);
  await change(page, "and now other words");
  await page.getByRole("dialog", { name: "Confirm that it is you" }).waitFor();
  await expectFit(page);
});
