// The goal: a person makes a webhook, sees its secret once, and ends it knowingly.
// The method: what the page says of a webhook is compared with what the gateway does with its alerts.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { accountNames, frontMonth } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { changesSentBy, tabToText } from "./account-view.ts";
import { ConsoleSite, doubleClick, untilFocused } from "./console-kit.ts";

const ACCOUNTS = 12;
const MNQ = frontMonth("MNQ");

let site: ConsoleSite;
const nextAccount = accountNames(ACCOUNTS);
let names = 0;

beforeAll(async () => {
  site = await ConsoleSite.open({ settings: { PAPER_ACCOUNTS: `1-${ACCOUNTS}` } });
});
afterAll(async () => {
  await site.close();
});

/** A webhook that is there before the page is opened, with an account to itself. */
async function create(options: object = {}) {
  names += 1;
  const account = nextAccount();
  const name = `Hook ${names}.`;
  const body = { accountId: account, name, ...options };
  const reply = await site.gateway.api.post("/v1/webhooks", body);
  expect(reply.status).toBe(201);
  const { id, url } = reply.body as { id: string; url: string };
  return { account, name, id, url };
}

/** The webhook as the gateway has it, by its name. */
async function stored(name: string) {
  const { webhooks } = (await site.gateway.api.get("/v1/webhooks")).body;
  return webhooks.find((one: { name: string }) => one.name === name);
}

async function openForm(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Create a webhook" }).click();
  const form = page.getByRole("dialog", { name: "Create a webhook" });
  await form.getByLabel("Name").waitFor();
  return form;
}

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole("row").filter({ hasText: name });
const BUY = { symbol: MNQ.symbol, action: "buy", qty: 1 };

describe("create", () => {
  test("its URL is shown once, is copied whole, and works; nothing shows it again", async () => {
    const page = await site.open("/webhooks");
    const form = await openForm(page);
    const account = nextAccount();
    await form.getByLabel("Name").fill("Breakout");
    await form.getByLabel("Account").selectOption({ value: account });
    await form.getByText("DEMO", { exact: true }).waitFor();
    await doubleClick(form.getByRole("button", { name: "Create it" }));
    const made = page.getByRole("dialog", { name: /Breakout/ });
    await made.getByText("This URL is shown only once.").waitFor();
    await made.getByText(/Charting platforms cannot reach .*set PUBLIC_URL/).waitFor();
    const url = await made.getByText(/^http.*\/hooks\/gwh_/).textContent();
    await made.getByRole("button", { name: "Copy the URL" }).click();
    await expect.poll(async () => await copied(page)).toBe(url);
    expect((await postAlert(url ?? "", BUY)).body).toMatchObject({ status: "filled" });
    expect(await site.gateway.broker.positions(account)).toEqual({ [MNQ.code]: 1 });

    await page.reload();
    await rowOf(page, "Breakout").waitFor();
    await expectForgotten(page, url);
    await page.getByRole("link", { name: "Breakout" }).click();
    await page.getByText("cannot be shown again").waitFor();
    await expectForgotten(page, url);
    await page.getByText("this version reads otherwise").click();
    await page.getByText("Leave the field out, or write its level").waitFor();
    const { webhooks } = (await site.gateway.api.get("/v1/webhooks")).body;
    expect(webhooks.filter(({ name }: { name: string }) => name === "Breakout")).toHaveLength(1);
  });

  test("each option that is typed in is the one that the gateway has", async () => {
    const page = await site.open("/webhooks");
    const form = await openForm(page);
    const account = nextAccount();
    await form.getByLabel("Name").fill("All options");
    await form.getByLabel("Account").selectOption({ value: account });
    await form.getByLabel(/^Profile/).selectOption("TradersPost");
    await form.getByText("Quantity and symbols").click();
    await form.getByText("Senders, age limits and rate limit").click();
    const TYPED = {
      "Default quantity": "2",
      Multiplier: "0.5",
      "Symbol map": "NQ=MNQ, ES=MES",
      "Allowed symbols": "MNQ, MES",
      "Other senders": "203.0.113.7, 198.51.100.0/24",
      "Entries expire after, seconds": "15",
      "Exits expire after, seconds": "120",
      "Duplicate window, seconds": "60",
      "Alerts per minute": "30",
    };
    for (const [label, text] of Object.entries(TYPED)) await form.getByLabel(label).fill(text);
    await form.getByLabel("Allowed side").selectOption("Long only");
    await form.getByLabel("Exits of a closed market").selectOption("Are refused");
    await form.getByLabel("Accept alerts from TradingView's addresses").check();
    await form.getByRole("button", { name: "Create it" }).click();
    await page.getByRole("dialog", { name: /All options/ }).waitFor();
    expect(await stored("All options")).toMatchObject({
      accountId: account,
      profile: "traderspost",
      defaultQty: 2,
      multiplier: "0.5",
      symbolMap: { NQ: "MNQ", ES: "MES" },
      allowedSymbols: ["MNQ", "MES"],
      allowedSide: "long",
      allowedSenders: ["tradingview", "203.0.113.7", "198.51.100.0/24"],
      entryMaxAgeSeconds: 15,
      exitMaxAgeSeconds: 120,
      exitsWhenClosed: "refuse",
      duplicateWindowSeconds: 60,
      rateLimitPerMinute: 30,
    });
  });

  test("what is wrong is told at its field, and can be put right", async () => {
    const page = await site.open("/webhooks");
    const form = await openForm(page);
    await form.getByLabel("Name").fill("Mended");
    await form.getByText("Quantity and symbols").click();
    const multiplier = form.getByLabel("Multiplier");
    await multiplier.fill("a half");
    await form.getByRole("button", { name: "Create it" }).click();
    await expect.poll(async () => await multiplier.getAttribute("aria-invalid")).toBe("true");
    expect(await stored("Mended")).toBeUndefined();
    await multiplier.fill("0.5");
    await form.getByRole("button", { name: "Create it" }).click();
    const made = page.getByRole("dialog", { name: /Mended/ });
    const url = await made.getByText(/^http.*\/hooks\/gwh_/).textContent();
    expect(await stored("Mended")).toMatchObject({ multiplier: "0.5" });
    // Closed, the URL is gone from the page too.
    await made.getByRole("button", { name: "I have it", exact: true }).click();
    await made.waitFor({ state: "detached" });
    await expectForgotten(page, url);
  });
});

/** What a person would paste now. */
const copied = async (page: Page): Promise<unknown> =>
  await page.evaluate("navigator.clipboard.readText()");

async function expectForgotten(page: Page, url: string | null): Promise<void> {
  const secret = url?.split("/hooks/")[1] ?? "no secret";
  expect(secret).toMatch(/^gwh_/);
  const kept = await page.evaluate(
    "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])",
  );
  expect((await page.content()) + String(kept)).not.toContain(secret);
}

test("it is edited: what is emptied goes back to what the gateway does by itself", async () => {
  const { name, url } = await create({ allowedSide: "short", defaultQty: 3 });
  const page = await site.open("/webhooks");
  await page.getByRole("button", { name: `Edit ${name}` }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill(`${name} edited`);
  const qty = form.getByLabel("Default quantity");
  if (!(await qty.isVisible())) await form.getByText("Quantity and symbols").click();
  expect(await qty.inputValue()).toBe("3");
  await qty.fill("");
  await form.getByLabel("Allowed side").selectOption("Long only");
  await form.getByRole("button", { name: "Save" }).click();
  await rowOf(page, `${name} edited`).waitFor();
  expect(await stored(`${name} edited`)).toMatchObject({ allowedSide: "long", defaultQty: null });
  const refused = await postAlert(url, { ...BUY, action: "sell" });
  expect(refused.body.error.code).toBe("SIDE_NOT_ALLOWED");
  expect((await postAlert(url, BUY)).body).toMatchObject({ status: "filled" });
});

test("paused after a question, it takes nothing until it is resumed", async () => {
  const { name, url } = await create();
  const page = await site.open("/webhooks");
  const sent = changesSentBy(page);
  const dialog = page.getByRole("dialog");
  const ask = page.getByRole("button", { name: `Pause ${name}` });
  await ask.click();
  await dialog.getByText("exits too").waitFor();
  await dialog.getByText("DEMO").waitFor();
  await dialog.getByRole("button", { name: "Leave it as it is" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(sent).toEqual([]);
  await ask.click();
  await doubleClick(dialog.getByRole("button", { name: "Pause it" }));
  await rowOf(page, name).getByText("Paused").waitFor();
  expect(sent).toHaveLength(1);
  expect((await postAlert(url, BUY)).status).toBe(403);
  await page.getByRole("button", { name: `Resume ${name}` }).click();
  await rowOf(page, name).getByText("Takes alerts").waitFor();
  expect((await postAlert(url, { ...BUY, comment: 2 })).body).toMatchObject({ status: "filled" });
});

test("deleted after a question, its URL is nobody's", async () => {
  const { name, url, id } = await create();
  expect((await postAlert(url, BUY)).status).toBe(200);
  const page = await site.open("/webhooks");
  const sent = changesSentBy(page);
  const dialog = page.getByRole("dialog");
  const ask = page.getByRole("button", { name: `Delete ${name}` });
  await ask.click();
  await dialog.getByText("cannot be brought back").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect([sent, (await stored(name))?.id]).toEqual([[], id]);
  await ask.click();
  await doubleClick(dialog.getByRole("button", { name: "Delete it" }));
  await rowOf(page, name).waitFor({ state: "detached" });
  expect(sent).toEqual([`DELETE /v1/webhooks/${id}`]);
  expect((await postAlert(url, { ...BUY, comment: 2 })).status).toBe(404);
  expect(await stored(name)).toBeUndefined();
});

test("it is made by keyboard alone", async () => {
  const page = await site.open("/webhooks");
  await page.getByRole("button", { name: "Create a webhook" }).waitFor();
  await tabToText(page, "Create a webhook");
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "Create a webhook" });
  await untilFocused(page, form.getByLabel("Name"));
  await page.keyboard.type("By keyboard");
  await tabToText(page, "Create it");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: /By keyboard/ }).waitFor();
  await tabToText(page, "I have it");
  await page.keyboard.press("Enter");
  await rowOf(page, "By keyboard").waitFor();
  expect(await stored("By keyboard")).toMatchObject({ accountId: "paper-1", paused: false });
});

test("it fits in every look, dialogs too", async () => {
  const { name } = await create({ allowedSymbols: ["MNQ"], symbolMap: { NQ: "MNQ" } });
  const page = await site.open("/webhooks");
  await rowOf(page, name).waitFor();
  await expectFit(page);
  const dialog = page.getByRole("dialog");
  for (const says of ["Edit", "Pause", "Delete"]) {
    await page.getByRole("button", { name: `${says} ${name}` }).click();
    await dialog.waitFor();
    await expectFit(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
  const form = await openForm(page);
  await form.getByText("Quantity and symbols").click();
  await form.getByText("Senders, age limits and rate limit").click();
  await form.getByLabel("Name").fill("Seen");
  await expectFit(page);
  await form.getByRole("button", { name: "Create it" }).click();
  await page.getByText("This URL is shown only once.").waitFor();
  await expectFit(page);
});
