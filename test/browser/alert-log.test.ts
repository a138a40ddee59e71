// The goal: whoever looks at the log knows what became of each alert, as it happens, and why.
// The method: alerts are posted as charting platforms do while the page is open.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startTradovateSimulator } from "../simulators/tradovate/start.ts";
import { expectFit } from "../support/browser.ts";
import { accountNames, frontMonth } from "../support/gateway.ts";
import { postAlert, type Reply } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import { changesSentBy, tabToText } from "./account-view.ts";
import { ConsoleSite, doubleClick } from "./console-kit.ts";

const ACCOUNTS = 12;
const MNQ = frontMonth("MNQ");
const BUY = { symbol: MNQ.symbol, action: "buy", qty: 1 };

let site: ConsoleSite;
const nextAccount = accountNames(ACCOUNTS);

beforeAll(async () => {
  site = await ConsoleSite.open({
    settings: { PAPER_ACCOUNTS: `1-${ACCOUNTS}`, ALLOW_LOCAL_BROKERS: "true" },
  });
});
afterAll(async () => {
  await site.close();
});

/** A webhook of its own, with an account of its own unless one is given. */
async function createHook(account: string = nextAccount(), options: object = {}) {
  const name = `Of ${account}.`;
  const made = await site.gateway.api.post("/v1/webhooks", {
    accountId: account,
    name,
    ...options,
  });
  expect(made.status).toBe(201);
  const { id, url } = made.body as { id: string; url: string };
  const post = async (alert: object | string): Promise<Reply> => await postAlert(url, alert);
  return { account, id, name, post };
}

const rowOf = (page: Page, text: string | RegExp): Locator =>
  page.getByRole("row").filter({ hasText: text });

/** By the very word that stands for the outcome, not by a sentence that has it too. */
const endedAs = (page: Page, outcome: string | RegExp): Locator =>
  page.getByRole("row").filter({ has: page.getByRole("cell", { name: outcome, exact: true }) });

/** The alerts shown, the head of the table not counted. */
const shown = async (page: Page): Promise<number> =>
  Math.max(0, (await page.getByRole("row").count()) - 1);

describe("live", () => {
  test("an alert that comes appears by itself, with what became of it", async () => {
    const { name, post } = await createHook();
    const page = await site.open("/alerts");
    await page.getByRole("region", { name: "Alert log" }).waitFor();
    const loadedAt = await page.evaluate("performance.timeOrigin");
    await post({ ...BUY, takeProfit: { ticks: 40 }, stopLoss: { ticks: 20 } });
    const row = rowOf(page, name);
    await row.getByText("Done").waitFor();
    for (const part of ["buy 1", "take-profit 40 ticks", MNQ.symbol, "filled: 1 at 25000.25"]) {
      await expect.poll(async () => await row.textContent()).toContain(part);
    }
    await row.getByText("DEMO").waitFor();
    await post({ ...BUY, symbol: "NOPE" });
    await rowOf(page, "NOPE").getByText("Refused").waitFor();
    expect(await page.evaluate("performance.timeOrigin")).toBe(loadedAt);
  });

  test("who reads further down is told of new ones, and is not pushed away", async () => {
    const { id, post } = await createHook(undefined, { duplicateWindowSeconds: 0 });
    await postMany(post, 30);
    const page = await site.open(`/alerts?webhookId=${id}`);
    await expect.poll(async () => await shown(page)).toBe(30);
    await page.getByText("End of the list.").scrollIntoViewIfNeeded();
    const anchor = page.getByRole("row").last();
    const before = await anchor.boundingBox();
    await post({ ...BUY, symbol: "NEWCOMER" });
    const newer = page.getByRole("button", { name: "1 new" });
    await newer.waitFor();
    expect(await shown(page)).toBe(30);
    expect((await anchor.boundingBox())?.y).toBe(before?.y);
    await newer.click();
    await rowOf(page, "NEWCOMER").waitFor();
    expect(await shown(page)).toBe(31);
  });
});

/** So many refused ones, each with its number in its symbol. */
async function postMany(post: (alert: object) => Promise<Reply>, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    expect((await post({ ...BUY, symbol: `ROW${number}X` })).status).toBe(400);
  }
}

test("it is narrowed by account, webhook, outcome and time, and widened again", async () => {
  const one = await createHook();
  const other = await createHook();
  await one.post(BUY);
  await one.post({ ...BUY, symbol: "NOPE" });
  await other.post(BUY);
  const page = await site.open("/alerts");
  await rowOf(page, other.name).waitFor();
  await page.getByLabel("Account").selectOption({ value: one.account });
  await rowOf(page, other.name).waitFor({ state: "detached" });
  await expect.poll(async () => await shown(page)).toBe(2);
  await page.getByLabel("Outcome").selectOption("Refused");
  await expect.poll(async () => await shown(page)).toBe(1);
  await rowOf(page, "NOPE").waitFor();
  await page.getByLabel("Received").selectOption("Last 15 minutes");
  await rowOf(page, "NOPE").waitFor();
  // A place of its own, which can be kept and reloaded.
  await page.reload();
  await rowOf(page, "NOPE").waitFor();
  expect(await shown(page)).toBe(1);
  await page.getByLabel("Webhook").selectOption(other.name);
  await page.getByText("No alerts match these filters.").waitFor();
  await page.getByRole("button", { name: "Show everything" }).click();
  await rowOf(page, other.name).waitFor();
  await page.getByLabel("Webhook").selectOption(other.name);
  await expect.poll(async () => await shown(page)).toBe(1);
});

test("older ones are there to the last one, each once, while new ones come", async () => {
  const COUNT = 120;
  const { id, post } = await createHook(undefined, { duplicateWindowSeconds: 0 });
  await postMany(post, COUNT);
  const page = await site.open(`/alerts?webhookId=${id}`);
  await rowOf(page, `ROW${COUNT}X`).waitFor();
  expect(await shown(page)).toBeLessThan(COUNT);
  await post({ ...BUY, symbol: "ROW999X" });
  const older = page.getByRole("button", { name: "Older alerts" });
  const end = page.getByText("End of the list.");
  // The button has another name while it reads, and the new alert is a row more without any reading.
  await older.or(end).waitFor();
  while ((await end.count()) === 0) {
    await older.click();
    await older.or(end).waitFor();
  }
  const texts = await page.getByRole("row").allTextContents();
  const numbers = texts.flatMap((text) => /ROW(\d+)X/.exec(text)?.[1] ?? []).map(Number);
  const expected = Array.from({ length: COUNT }, (_, index) => COUNT - index);
  expect(numbers.filter((number) => number !== 999)).toEqual(expected);
});

/** Opens the one alert of a webhook that is in the log with this outcome, as a person does. */
async function openStory(hook: { id: string }, outcome: string | RegExp): Promise<Page> {
  const page = await site.open(`/alerts?webhookId=${hook.id}`);
  await endedAs(page, outcome).getByRole("link").first().click();
  await page.getByRole("heading", { level: 1, name: "One alert" }).waitFor();
  await page.getByRole("region", { name: "Time line" }).waitFor();
  await wordOf(page).getByText(outcome).waitFor();
  return page;
}

const outcomeOf = (page: Page): Locator => page.getByRole("region", { name: "Outcome" });

/** The word for what became of it. */
const wordOf = (page: Page): Locator => outcomeOf(page).getByRole("status").first();

/** The stages as they are shown, with their milliseconds since the first one. */
async function stagesOf(page: Page): Promise<readonly (readonly [string, number])[]> {
  const items = await page
    .getByRole("region", { name: "Time line" })
    .getByRole("listitem")
    .allTextContents();
  const NAME = /^(Received|Accepted|Sent|Acknowledged|Filled|Settled)/;
  return items.map((text) => {
    const ms = /(\d{2}:\d{2}:\d{2}\.\d{3})\D*?(\d+(?:\.\d+)?) (ms|s)/.exec(text);
    expect(text).toMatch(NAME);
    expect(ms).not.toBeNull();
    return [NAME.exec(text)?.[1] ?? "", Number(ms?.[2]) * (ms?.[3] === "s" ? 1_000 : 1)];
  });
}

describe("one alert's story", () => {
  test("of a filled one: each stage with its milliseconds, as the gateway has them", async () => {
    const hook = await createHook();
    const { body } = await hook.post({ ...BUY, secret: "hunter2", stopLoss: { ticks: 20 } });
    const page = await openStory(hook, "Done");
    // Fills are asked for by themselves, once the story is there.
    const line = page.getByRole("region", { name: "Time line" });
    await line.getByRole("listitem").filter({ hasText: "Filled" }).waitFor();
    const stages = await stagesOf(page);
    const names = stages.map(([name]) => name);
    expect(names[0]).toBe("Received");
    expect(names.toSorted()).toEqual(
      ["Accepted", "Acknowledged", "Filled", "Received", "Sent", "Settled"].toSorted(),
    );
    const { times } = (await site.gateway.api.get(`/v1/alerts/${body.alertId}`)).body;
    const since = (at: string) => Date.parse(at) - Date.parse(times.received);
    expect(stages).toEqual(
      expect.arrayContaining([
        ["Accepted", since(times.enqueued)],
        ["Sent", since(times.sent)],
        ["Acknowledged", since(times.acknowledged)],
        ["Settled", since(times.settled)],
      ]),
    );
    const told = (await page.getByRole("main").textContent()) ?? "";
    for (const part of ["is filled: 1 at 25000.25", body.orderId, "127.0.0.1", hook.name]) {
      expect(told).toContain(part);
    }
    expect(told).not.toContain("hunter2");
    expect(await page.getByRole("button", { name: /Replay/ }).count()).toBe(0);
    await outcomeOf(page).getByText("DEMO").waitFor();
  });

  test("of a refused one: why, and what to do; nothing was sent", async () => {
    const hook = await createHook();
    await hook.post({ ...BUY, symbol: "NOPE" });
    const page = await openStory(hook, "Refused");
    for (const part of ["NOPE", "Nothing was sent", "What to do"]) {
      await expect.poll(async () => await outcomeOf(page).textContent()).toContain(part);
    }
    const names = (await stagesOf(page)).map(([name]) => name);
    expect(names).not.toContain("Sent");
    expect(await site.gateway.broker.filled(hook.account)).toEqual({ qty: 0, orders: 0 });
  });

  test("of a repeat: which one stands for it, and one order exists", async () => {
    const hook = await createHook();
    const first = await hook.post(BUY);
    await hook.post(BUY);
    const page = await openStory(hook, "Repeat");
    await outcomeOf(page).getByText("Nothing more was sent").waitFor();
    await outcomeOf(page).getByRole("link", { name: "The alert that it repeats" }).click();
    await wordOf(page).getByText("Done").waitFor();
    expect(page.url()).toContain(first.body.alertId);
    expect(await site.gateway.broker.filled(hook.account)).toEqual({ qty: 1, orders: 1 });
  });

  test("of an unknown one: look at the broker first; then how it ended, by itself", async () => {
    let broker = await startTradovateSimulator();
    onTestFinished(async () => await broker.stop());
    const { account, connection } = await addTradovate(broker);
    onTestFinished(
      async () => void (await site.gateway.api.delete(`/v1/connections/${connection}`)),
    );
    const hook = await createHook(account);
    // The broker has the order, says nothing about it, and then is gone.
    await broker.control({ knob: "fault", fault: { kind: "delay", ms: 600_000 } });
    const answered = hook.post({ ...BUY, symbol: "ES1!" });
    const isThere = async () => (await broker.state()).accounts["joe-1"]?.positions.length === 1;
    await waitUntil("the broker has the order", isThere);
    await broker.stop();
    expect((await answered).status).toBe(202);
    const page = await site.open(`/alerts?webhookId=${hook.id}`);
    await endedAs(page, "Unknown").getByRole("link").first().click();
    await outcomeOf(page)
      .getByText(/may be live at the broker/)
      .waitFor();
    await outcomeOf(page)
      .getByText(/Check the account at the broker first/)
      .first()
      .waitFor();
    // What may be live is not sent again.
    expect(await page.getByRole("button", { name: /Replay/ }).count()).toBe(0);
    broker = await startTradovateSimulator(Number(new URL(broker.url).port));
    await wordOf(page).getByText("Lost").waitFor();
    await outcomeOf(page).getByText("Nothing of it is at the broker").waitFor();
    await page.getByRole("button", { name: "Replay …" }).waitFor();
  });
});

async function addTradovate(simulator: { url: string; wsUrl: string }) {
  const { api } = site.gateway;
  const login = { name: "joe", password: "hunter2-of-joe", cid: "8", sec: "secret-of-the-key" };
  const settings = { ...login, restUrl: simulator.url, wsUrl: simulator.wsUrl };
  const added = await api.post("/v1/connections", {
    broker: "tradovate",
    environment: "demo",
    name: "Silent",
    settings,
  });
  const connection = added.body.connectionId as string;
  const read = async () => (await api.get(`/v1/connections/${connection}`)).body.status as string;
  await waitUntil("it is connected", async () => (await read()) === "CONNECTED");
  const { accounts } = (await api.get("/v1/accounts")).body as {
    accounts: { id: string; name: string }[];
  };
  return { connection, account: accounts.find(({ name }) => name === "joe-1")?.id ?? "" };
}

describe("replay", () => {
  /** An alert that was refused because the kill switch was on, which is off by now. */
  async function openRefused() {
    const hook = await createHook();
    const { api } = site.gateway;
    const killSwitch = async (active: boolean) =>
      await api.put("/v1/kill-switch", { active, accountId: hook.account });
    await killSwitch(true);
    expect((await hook.post(BUY)).status).toBe(422);
    await killSwitch(false);
    const page = await openStory(hook, /Refused|Denied/);
    return { hook, page, dialog: page.getByRole("dialog"), sent: changesSentBy(page) };
  }

  test("asks first, and nothing is sent when it is left", async () => {
    const { hook, page, dialog, sent } = await openRefused();
    await page.getByRole("button", { name: "Replay …" }).click();
    for (const part of ["buy 1", hook.account, "DEMO"]) {
      await expect.poll(async () => await dialog.textContent()).toContain(part);
    }
    await dialog.getByRole("button", { name: "Leave it as it is" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(sent).toEqual([]);
    expect(await site.gateway.broker.filled(hook.account)).toEqual({ qty: 0, orders: 0 });
  });

  test("carries it out once, also by a double click, and shows the new one", async () => {
    const { hook, page, dialog } = await openRefused();
    const before = page.url();
    await page.getByRole("button", { name: "Replay …" }).click();
    await doubleClick(dialog.getByRole("button", { name: "Carry it out now" }));
    await dialog.waitFor({ state: "detached" });
    await wordOf(page).getByText("Done").waitFor();
    expect(page.url()).not.toBe(before);
    await outcomeOf(page)
      .getByRole("link", { name: /carries out again/ })
      .waitFor();
    expect(await site.gateway.broker.filled(hook.account)).toEqual({ qty: 1, orders: 1 });
    expect(await site.gateway.broker.positions(hook.account)).toEqual({ [MNQ.code]: 1 });
  });
});

test("one alert is reached and left by keyboard alone", async () => {
  const hook = await createHook();
  await hook.post(BUY);
  const page = await site.open(`/alerts?webhookId=${hook.id}`);
  const link = endedAs(page, "Done").getByRole("link").first();
  const time = (await link.textContent())?.trim() ?? "";
  await tabToText(page, time);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "One alert" }).waitFor();
  await page.getByRole("region", { name: "Time line" }).waitFor();
  await tabToText(page, "All alerts");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();
});

/** Alerts with every kind of end that needs no broker's fault. */
async function createMixed() {
  const hook = await createHook();
  await hook.post({ ...BUY, takeProfit: { ticks: 40 }, stopLoss: { ticks: 20 } });
  await hook.post({ ...BUY, takeProfit: { ticks: 40 }, stopLoss: { ticks: 20 } });
  await hook.post({ ...BUY, symbol: "NOPE" });
  await hook.post("what is this {{strategy.order.action}} supposed to be");
  await hook.post({ ...BUY, qty: 51 });
  await site.gateway.api.post(`/v1/webhooks/${hook.id}/test`, BUY);
  return hook;
}

test("it fits in every look, the stories too", async () => {
  const { id } = await createMixed();
  const page = await site.open(`/alerts?webhookId=${id}`);
  await expect.poll(async () => await shown(page)).toBe(6);
  await expectFit(page);
  // One with exits, one that cannot be read, and one that may be replayed: the others look like these.
  for (const outcome of ["Done", "Refused", "Denied"]) {
    await endedAs(page, outcome).first().getByRole("link").first().click();
    await page.getByRole("region", { name: "Time line" }).waitFor();
    await expectFit(page);
    await page.goBack();
    await expect.poll(async () => await shown(page)).toBe(6);
  }
});
