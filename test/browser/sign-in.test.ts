// The goal: who can prove who they are gets in, nobody else does, and each is told what to do.
// The method: people with a real browser at a real gateway, each with a name of their own.
import type { Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addAuthenticator, expectFit } from "../support/browser.ts";
import { ConsoleSite, type Person, signIn, tabTo, untilFocused } from "./console-kit.ts";

let site: ConsoleSite;

beforeAll(async () => {
  site = await ConsoleSite.open();
});
afterAll(async () => await site.close());

const WRONG = "The name or the password is wrong";
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Whether the browser is let in at the gateway, whatever its pages show. */
async function isLetIn(page: Page): Promise<boolean> {
  const status = await page.evaluate("fetch('/v1/session').then(({ status }) => status)");
  expect([200, 401]).toContain(status);
  return status === 200;
}

/** Other words each time, and each time until they are refused. */
async function failToSignIn(page: Page, { name }: Person, times: number): Promise<void> {
  for (let tried = 0; tried < times; tried += 1) {
    const isOfSignIn = (response: Response) =>
      response.url().endsWith("/v1/session") && response.request().method() === "POST";
    const refused = page.waitForResponse(isOfSignIn);
    await signIn(page, { name, password: `not what was chosen ${tried}` });
    expect((await refused).status()).toBe(401);
    await page.getByRole("alert").getByText(WRONG).waitFor();
  }
}

async function signOut(page: Page): Promise<void> {
  await page.goto("/console/#/you");
  await button(page, "Sign out").click();
  await heading(page, "Sign in").waitFor();
}

describe("by password", () => {
  test("whoever signs in is where they wanted to go", async () => {
    const page = await site.openAsStranger("/keys");
    await heading(page, "Sign in").waitFor();
    expect(await isLetIn(page)).toBe(false);
    await signIn(page, await site.addPerson("ann"));
    await heading(page, "API keys").waitFor();
    await page.getByRole("link", { name: "ann" }).waitFor();
    expect(await isLetIn(page)).toBe(true);
  });

  test("what is typed can be looked at, and is refused in the same words for a wrong password and an unknown name", async () => {
    const page = await site.openAsStranger();
    const typed = page.getByLabel("Password", { exact: true });
    await typed.fill("several words");
    expect(await typed.getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: "Show what is typed" }).click();
    await page.locator('input[type="text"]').and(typed).waitFor();
    await failToSignIn(page, await site.addPerson("bea"), 1);
    // What was typed stays: most wrong passwords are a slip of one key.
    expect(await page.getByLabel("Name").inputValue()).toBe("bea");
    await page.reload();
    await failToSignIn(page, { name: "nobody", password: "" }, 1);
    expect(await isLetIn(page)).toBe(false);
  });

  test("after five failures even the right one has to wait, and others do not", async () => {
    const guessed = await site.addPerson("cid");
    const page = await site.openAsStranger();
    await failToSignIn(page, guessed, 5);
    await signIn(page, guessed);
    const told = page.getByRole("alert");
    await told.getByText(/^Too many attempts\. Try again at .*\d/).waitFor();
    await told.getByText(/^1[45] minutes left$/).waitFor();
    expect(await isLetIn(page)).toBe(false);

    await signIn(page, await site.addPerson("dan"));
    await heading(page, "Overview").waitFor();
  });

  test("no mouse is needed", async () => {
    const { name, password } = await site.addPerson("eve");
    const page = await site.openAsStranger("/you");
    await untilFocused(page, page.getByLabel("Name"));
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await heading(page, "You").waitFor();
    await tabTo(page, button(page, "Sign out"));
    await page.keyboard.press("Enter");
    await heading(page, "Sign in").waitFor();
    expect(await isLetIn(page)).toBe(false);
  });
});

describe("the end of a session", () => {
  test("signing out ends it at the gateway, too", async () => {
    const page = await site.openAs(await site.addPerson("fay"), "/you");
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({
      name: "__Host-session",
      httpOnly: true,
      secure: true,
      sameSite: "Strict",
      path: "/",
    });
    await signOut(page);
    expect(await page.context().cookies()).toEqual([]);
    // Whoever had taken a copy has nothing, either.
    if (cookie !== undefined) await page.context().addCookies([cookie]);
    expect(await isLetIn(page)).toBe(false);
    await page.goBack();
    await heading(page, "Sign in").waitFor();
  });

  test("the other tab shows within moments that it is over, and goes on where it was", async () => {
    const person = await site.addPerson("gus");
    const page = await site.openAs(person, "/keys");
    await heading(page, "API keys").waitFor();
    const other = await page.context().newPage();
    await other.goto("/console/");
    await heading(other, "Overview").waitFor();
    await signOut(page);

    await other.getByText("You were signed out: the session is over").waitFor();
    await other.getByText("All clear").waitFor({ state: "detached" });
    await other.evaluate("location.hash = '#/webhooks'");
    await signIn(other, person);
    await heading(other, "Webhooks").waitFor();
  });
});

describe("by passkey", () => {
  async function addPasskey(page: Page): Promise<void> {
    await addAuthenticator(page);
    await page.goto("/console/#/you");
    await button(page, "Add a passkey").click();
    await page.getByRole("dialog").getByLabel("Name").fill("Laptop");
    await button(page, "Add it").click();
    await page.getByRole("row", { name: "Laptop" }).waitFor();
  }

  test("whoever has added one signs in without typing anything", async () => {
    const page = await site.openAs(await site.addPerson("jan"));
    await addPasskey(page);
    await signOut(page);
    await button(page, "Sign in with a passkey").click();
    await page.getByRole("link", { name: "jan" }).waitFor();
    expect(await isLetIn(page)).toBe(true);
    const row = page.getByRole("row", { name: "Laptop" });
    await row.waitFor();
    expect(await row.getByText("never").count()).toBe(0);
  });

  test("one that was removed lets nobody in", async () => {
    const page = await site.openAs(await site.addPerson("kim"));
    await addPasskey(page);
    await button(page, "Remove Laptop").click();
    await page.getByRole("dialog", { name: "Remove the passkey Laptop" }).waitFor();
    await button(page, "Leave it as it is").click();
    expect(await page.getByRole("row", { name: "Laptop" }).count()).toBe(1);

    await button(page, "Remove Laptop").click();
    await button(page, "Remove it").click();
    await page.getByRole("row", { name: "Laptop" }).waitFor({ state: "detached" });
    await signOut(page);
    await button(page, "Sign in with a passkey").click();
    await page.getByRole("alert").getByText("The passkey is not one of ours").waitFor();
    expect(await isLetIn(page)).toBe(false);
  });

  test("a browser that has none says so, and the password still works", async () => {
    const person = await site.addPerson("lea");
    const page = await site.openAsStranger();
    await addAuthenticator(page);
    await button(page, "Sign in with a passkey").click();
    await page.getByRole("alert").getByText("No passkey was used").waitFor();
    await signIn(page, person);
    await heading(page, "Overview").waitFor();
  });
});

test("the page is for everybody, in every look", async () => {
  const page = await site.openAsStranger("/");
  await heading(page, "Sign in").waitFor();
  await page.getByText("No password yet, or it is lost").click();
  await page.getByText("npm run gateway -- users link").waitFor();
  await expectFit(page);
  await failToSignIn(page, { name: "nobody-at-all", password: "" }, 1);
  await expectFit(page);
});
