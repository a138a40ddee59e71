// The goal: a program gets a key that is seen once and works, until its person takes it away.
// The method: keys made and revoked in the page; what they may do is asked at the gateway.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { apiClient } from "../support/http-client.ts";
import { openStream } from "../support/stream-client.ts";
import { ConsoleSite, doubleClick, OWNER, tabTo } from "./console-kit.ts";

const run = promisify(execFile);

let site: ConsoleSite;

beforeAll(async () => {
  site = await ConsoleSite.open();
});
afterAll(async () => await site.close());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const shown = (page: Page) => page.getByRole("dialog").getByText(/^gwk_[\w-]{43}$/);
const sheet = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const clipboard = async (page: Page) =>
  String(await page.evaluate("navigator.clipboard.readText()"));

/** It says so for a moment: the wait begins before that. */
const untilCopied = async (page: Page, copy: () => Promise<void>) =>
  await Promise.all([button(page, "Copied").waitFor(), copy()]);

type Scope = "read" | "trade" | "manage" | "notify";

async function fillIn(page: Page, name: string, scopes: readonly Scope[]): Promise<void> {
  await button(page, "Create a key").click();
  const dialog = page.getByRole("dialog", { name: "Create a key" });
  await dialog.getByLabel("Name").fill(name);
  for (const scope of ["manage", "trade", "read", "notify"] as const) {
    await dialog.getByRole("checkbox", { name: scope }).setChecked(scopes.includes(scope));
  }
}

/** Creates one, and leaves it shown. */
async function create(page: Page, name: string, scopes: readonly Scope[] = ["read", "trade"]) {
  await fillIn(page, name, scopes);
  await button(page, "Create the key").click();
  return (await shown(page).textContent()) ?? "";
}

async function keep(page: Page): Promise<void> {
  await page.getByLabel("I have kept the key").check();
  await button(page, "Done").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function revoke(page: Page, name: string): Promise<void> {
  await button(page, `Revoke ${name}`).click();
  await button(page, "Revoke the key").click();
  await sheet(page, "Revoked").getByRole("row", { name }).waitFor();
}

const apiOf = (key: string) => apiClient(site.gateway.url, key);

/** What a key is answered with: when it asks, and when it wants to trade. */
async function powers(key: string): Promise<readonly [read: number, trade: number]> {
  const read = await apiOf(key).get("/v1/accounts");
  const trade = await apiOf(key).delete("/v1/accounts/paper-1/positions");
  return [read.status, trade.status];
}

/** The names of the person's keys at the gateway, as often as they have one. */
async function count(page: Page, name: string): Promise<number> {
  const asked = "fetch('/v1/keys').then((response) => response.json())";
  const { keys } = (await page.evaluate(asked)) as { keys: readonly { name: string }[] };
  return keys.filter((key) => key.name === name).length;
}

test("what is copied is the key, and a command that works as it stands", async () => {
  const page = await site.open("/keys");
  const key = await create(page, "copied");
  expect(await powers(key)).toEqual([200, 200]);
  await untilCopied(page, async () => await button(page, "Copy the key").click());
  expect(await clipboard(page)).toBe(key);

  await button(page, "Copy the command").click();
  await expect.poll(async () => await clipboard(page)).toContain("curl");
  const { stdout } = await run("sh", ["-c", `${await clipboard(page)} --silent --fail`]);
  expect(stdout).toBe((await apiOf(key).get("/v1/accounts")).text);
  await keep(page);
});

test("a double click makes one key, which is shown once, and only the tick lets it go", async () => {
  const page = await site.open("/keys");
  await fillIn(page, "single", ["read"]);
  await doubleClick(button(page, "Create the key"));
  const key = (await shown(page).textContent()) ?? "no key";
  await page.keyboard.press("Escape");
  expect(await button(page, "Done").isDisabled()).toBe(true);
  expect(await shown(page).isVisible()).toBe(true);
  await keep(page);
  expect(await count(page, "single")).toBe(1);

  await sheet(page, "In use").getByRole("row", { name: "single" }).waitFor();
  expect(await page.content()).not.toContain(key);
  await page.reload();
  await sheet(page, "In use").getByRole("row", { name: "single" }).waitFor();
  expect(await page.content()).not.toContain("gwk_");
});

test("a window that is closed too early warns first", async () => {
  const page = await site.open("/keys");
  await create(page, "hasty");
  const warned = page.waitForEvent("dialog");
  const reloaded = page.reload();
  const dialog = await warned;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloaded;
  await button(page, "Create a key").waitFor();
  expect(await page.content()).not.toContain("gwk_");
});

// A scope's powers are tested at each route (`unit/http/admission`); here, that each box gives its own.
test("a key can do what was ticked and no more, and the list says when it was last used", async () => {
  const page = await site.open("/keys");
  for (const [scopes, expected] of [
    [
      ["read", "manage"],
      [200, 403],
    ],
    [["trade"], [403, 200]],
    [["notify"], [403, 403]],
  ] as const) {
    const name = `for-${scopes.join("-")}`;
    const key = await create(page, name, scopes);
    await keep(page);
    const row = sheet(page, "In use").getByRole("row", { name });
    await row.getByText("never").waitFor();
    const said = await row.getByRole("cell").first().innerText();
    expect(said.match(/\w+/g)).toEqual(scopes);
    expect(await powers(key)).toEqual(expected);
    await page.reload();
    await row.waitFor();
    expect(await row.getByText("never").count()).toBe(0);
  }
});

test("a key without a name or a scope is not created", async () => {
  const page = await site.open("/keys");
  await fillIn(page, "powerless", []);
  await page.getByText("Choose at least one").waitFor();
  expect(await button(page, "Create the key").isDisabled()).toBe(true);
  await page.getByRole("checkbox", { name: "read" }).check();
  await page.getByRole("dialog").getByLabel("Name").fill("");
  await button(page, "Create the key").click();
  expect(await page.getByRole("dialog", { name: "Create a key" }).isVisible()).toBe(true);
  expect(await count(page, "")).toBe(0);
});

test("a key is revoked by the second of two steps, and its open streams end", async () => {
  const page = await site.open("/keys");
  const key = await create(page, "ended");
  await keep(page);
  const stream = await openStream(site.gateway.url, key);
  onTestFinished(stream.close);

  await button(page, "Revoke ended").click();
  const dialog = page.getByRole("dialog", { name: "Revoke the key ended" });
  await dialog.getByText("refused within a second").waitFor();
  await button(page, "Leave it as it is").click();
  expect(await powers(key)).toEqual([200, 200]);

  await revoke(page, "ended");
  expect(await powers(key)).toEqual([401, 401]);
  await expect.poll(stream.end).toBeDefined();
  expect(await sheet(page, "In use").getByRole("row", { name: "ended" }).count()).toBe(0);
});

test("a new key wants a proof that is not old", async () => {
  const page = await site.open("/keys");
  await site.ageProof(OWNER);
  await fillIn(page, "proven", ["read"]);
  await button(page, "Create the key").click();
  await page.getByLabel("Password of owner").fill(OWNER.password);
  await button(page, "Confirm").click();
  await shown(page).waitFor();
  await keep(page);
  expect(await count(page, "proven")).toBe(1);
});

test("revoking wants none: it only takes power away", async () => {
  const page = await site.open("/keys");
  const key = await create(page, "leaked");
  await keep(page);
  await site.ageProof(OWNER);
  await revoke(page, "leaked");
  expect(await powers(key)).toEqual([401, 401]);
});

test("no mouse is needed from the overview to a revoked key", async () => {
  const page = await site.openFresh();
  await tabTo(page, page.getByRole("link", { name: "API keys" }));
  await page.keyboard.press("Enter");
  await tabTo(page, button(page, "Create a key"));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("dialog").getByLabel("Name"));
  await page.keyboard.type("typed");
  await page.keyboard.press("Enter");
  await tabTo(page, button(page, "Copy the key"));
  await untilCopied(page, async () => await page.keyboard.press("Enter"));
  const key = await clipboard(page);
  expect((await powers(key))[0]).toBe(200);
  await tabTo(page, page.getByLabel("I have kept the key"));
  await page.keyboard.press("Space");
  await tabTo(page, button(page, "Done"));
  await page.keyboard.press("Enter");
  await tabTo(page, button(page, "Revoke typed"));
  await page.keyboard.press("Enter");
  await tabTo(page, button(page, "Revoke the key"));
  await page.keyboard.press("Enter");
  await sheet(page, "Revoked").getByRole("row", { name: "typed" }).waitFor();
  expect((await powers(key))[0]).toBe(401);
});

test("the page is for everybody, in every look", async () => {
  const name = "A program with a long name, in the office upstairs";
  const page = await site.open("/keys");
  await fillIn(page, name, ["read", "trade"]);
  await expectFit(page);
  await button(page, "Create the key").click();
  await shown(page).waitFor();
  await expectFit(page);
  await keep(page);
  await button(page, `Revoke ${name}`).click();
  await page.getByRole("dialog").waitFor();
  await expectFit(page);
  await button(page, "Revoke the key").click();
  await sheet(page, "Revoked").getByRole("row", { name }).waitFor();
  await expectFit(page);
});
