// The goal: one look tells what is held and what needs a person, and never that all is clear when nobody knows.
// The method: real causes at a real gateway, each until the page has told it and told its end.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { frontMonth, startGateway } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { waitUntil } from "../support/wait.ts";
import { ConsoleSite, untilFocused } from "./console-kit.ts";

const ES = frontMonth("ES");

let site: ConsoleSite;

beforeAll(async () => {
  site = await ConsoleSite.open({ settings: { PAPER_ACCOUNTS: "1-2" } });
});
afterAll(async () => await site.close());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const answer = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const heldRow = (page: Page, account: string) =>
  answer(page, "Open positions").getByRole("row").filter({ hasText: account });
const untilSafe = async (page: Page) => await answer(page, "All clear").waitFor();
const untilUnsafe = async (page: Page) => await answer(page, "1 problem needs attention").waitFor();

const isStopped = async () => (await site.gateway.api.get("/v1/kill-switch")).body.active === true;
const buy = async (account: string) =>
  await site.gateway.api.post(`/v1/accounts/${account}/orders`, {
    symbol: ES.symbol,
    action: "buy",
    qty: 1,
    type: "market",
  });

const close = async (account: string) =>
  await site.gateway.api.delete(`/v1/accounts/${account}/positions`);

/** A position whose stop the broker does not show; all is closed when the test is over. */
async function loseStop(): Promise<() => Promise<void>> {
  const { redis, keys } = site.gateway;
  expect((await buy("paper-2")).status).toBe(201);
  const key = keys.unprotected("paper-2" as Parameters<typeof keys.unprotected>[0]);
  await redis.hset(key, ES.code, "STOP_LOSS");
  const giveBack = async () => {
    await redis.del(key);
    await close("paper-2");
  };
  onTestFinished(giveBack);
  return giveBack;
}

test("where all is well, it says so, and what was checked", async () => {
  const page = await site.open();
  await untilSafe(page);
  await page.getByText(/^Checked 1 connection and 0 positions at \d/).waitFor();
  await page.getByText("1 of 1", { exact: true }).waitFor();
  await page.getByText("Up to date").waitFor();
});

test("what is held is told, and a position without a stop is never all clear", async () => {
  const page = await site.open();
  await untilSafe(page);
  onTestFinished(async () => void (await Promise.all([close("paper-1"), close("paper-2")])));
  await buy("paper-1");
  await answer(page, "No problems, 1 position without a stop-loss").waitFor();
  const row = heldRow(page, "Paper 1");
  await row.getByText("▲ Long 1").waitFor();
  await row.getByText("not requested by the API call").waitFor();
  // With the digits of its tick.
  await row.getByText("6850.25", { exact: true }).waitFor();
  await row.getByText("6850.00", { exact: true }).waitFor();

  const protect = { symbol: ES.symbol, stopLoss: { price: 6800 } };
  await site.gateway.api.post("/v1/accounts/paper-1/protect", protect);
  await row.getByText("Stop 6800.00 × 1").waitFor();
  await answer(page, "All clear").waitFor();
  await page.getByText(/: 1 with a stop-loss\.$/).waitFor();

  await buy("paper-2");
  await heldRow(page, "Paper 2").waitFor();
  await button(page, "Close all positions …").click();
  const dialog = page.getByRole("dialog", { name: "Close all positions" });
  await dialog.getByText("Paper 2").waitFor();
  await dialog.getByText(`long 1 ${ES.symbol}`).first().waitFor();
  await expectFit(page);
  await dialog.getByRole("button", { name: "Close 2 contracts in 2 accounts" }).click();
  await page.getByText("No open positions.").waitFor();
  expect(await site.gateway.broker.positions("paper-1")).toEqual({});
  expect(await site.gateway.broker.positions("paper-2")).toEqual({});
});

test("the kill switch stops everything by the second of two steps, and is told", async () => {
  onTestFinished(async () => {
    await site.gateway.api.put("/v1/kill-switch", { active: false });
  });
  const page = await site.open();
  await button(page, "Turn it on …").click();
  const dialog = page.getByRole("dialog", { name: "Stop all accounts" });
  await dialog.getByText("No position is closed by it").waitFor();
  await button(page, "Leave it as it is").click();
  await dialog.waitFor({ state: "detached" });
  expect(await isStopped()).toBe(false);
  await untilFocused(page, button(page, "Turn it on …"));

  await button(page, "Turn it on …").click();
  await dialog.getByLabel("Reason, for the record").fill("News at noon");
  await button(page, "Turn the kill switch on").click();
  await answer(page, "Trading is stopped by a kill switch").waitFor();
  await page.getByText("News at noon").waitFor();
  expect(await isStopped()).toBe(true);
  expect((await buy("paper-1")).body.error.code).toBe("KILL_SWITCH_ON");

  // The way out stands where the trouble is told.
  await button(page, "Go to the switch").click();
  await untilFocused(page, button(page, "Turn it off …"));
  await page.keyboard.press("Enter");
  await button(page, "Turn the kill switch off").click();
  await untilSafe(page);
  expect(await isStopped()).toBe(false);
});

test("a position without its stop is told, with the way to it", async () => {
  const page = await site.open();
  await untilSafe(page);
  const giveBack = await loseStop();
  await untilUnsafe(page);
  await page.getByText("has no stop-loss, although one was requested").waitFor();
  // On the other pages, too.
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("link", { name: "Overview 1 problem" }).click();
  await page.getByRole("link", { name: "Protect or close", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
  await page.getByRole("region", { name: "Account Paper 2" }).waitFor();

  await page.getByRole("link", { name: "Overview" }).click();
  await giveBack();
  await untilSafe(page);
});

test("a switch is told beside a problem, and counts as none", async () => {
  onTestFinished(async () => {
    await site.gateway.api.put("/v1/kill-switch", { accountId: "paper-1", active: false });
  });
  const page = await site.open();
  await loseStop();
  await site.gateway.api.put("/v1/kill-switch", { accountId: "paper-1", active: true });
  await untilUnsafe(page);
  await page.getByText("Kill switch on for Paper 1").waitFor();
  await page.getByRole("link", { name: "1 account has its own on" }).waitFor();
});

test("a gateway that is away is not taken for a safe one", async () => {
  const page = await site.open();
  await untilSafe(page);
  const { port } = new URL(site.url);
  await site.gateway.halt();
  try {
    await answer(page, "No current data").waitFor();
    await page.getByText("trade at the broker directly").waitFor();
    await page.getByText("○ Not up to date").waitFor();
    expect(await answer(page, "All clear").count()).toBe(0);
  } finally {
    await site.gateway.restart({ PORT: port });
  }
  await untilSafe(page);
});

test("a connection that nobody works is told, until somebody does", async () => {
  const { server } = await startTestRedis(await temporaryFolder());
  const shared = { REDIS_URL: `unix:${server.path}`, PAPER_ACCOUNTS: "1-2" };
  const worker = await startGateway({ settings: { ...shared, ROLE: "worker" } });
  onTestFinished(worker.stop);
  const split = await ConsoleSite.open({ settings: { ...shared, ROLE: "ingress" } });
  onTestFinished(async () => await split.close());
  const page = await split.open();
  await untilSafe(page);
  await worker.halt();
  await untilUnsafe(page);
  await page.getByText("0 of 1", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Open connections" }).click();
  await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
  await worker.restart();
  await page.getByRole("link", { name: "Overview" }).click();
  await untilSafe(page);
});

test("what the charts draw is said in words and in a table", async () => {
  const { url } = await site.gateway.createWebhook("paper-2");
  onTestFinished(async () => void (await close("paper-2")));
  for (const qty of [1, 2]) await postAlert(url, { symbol: "ES1!", action: "buy", qty });
  await postAlert(url, "nonsense");
  const read = async () => (await site.gateway.api.get("/v1/overview")).body.alerts;
  const sumIn = (minutes: Record<"accepted" | "refused", number>[]) => ({
    accepted: minutes.reduce((all, { accepted }) => all + accepted, 0),
    refused: minutes.reduce((all, { refused }) => all + refused, 0),
  });
  await waitUntil("all are counted", async () => {
    const { accepted, refused } = sumIn((await read()).minutes);
    return accepted >= 2 && refused >= 1;
  });
  const { minutes, latencyMs } = await read();
  const { accepted, refused } = sumIn(minutes);
  const page = await site.open();
  const counts = `${accepted} accepted, ${refused} refused`;
  await page.getByRole("img", { name: `Alerts in the last hour: ${counts}` }).waitFor();
  await page.getByRole("img", { name: `of ${latencyMs.count}` }).waitFor();

  const perMinute = answer(page, "Alerts per minute");
  await perMinute.getByText("As a table").click();
  const rows = await perMinute.getByRole("row").allInnerTexts();
  const inTable = rows.slice(1).map((row) => row.split("\t").slice(1).map(Number));
  const total = (column: number) => inTable.reduce((all, row) => all + (row[column] ?? 0), 0);
  expect([total(0), total(1)]).toEqual([accepted, refused]);

  const latency = answer(page, "Received to acknowledged");
  await latency.getByText("As a table").click();
  await latency.getByRole("row", { name: /^Half of them within \d/ }).waitFor();
  await latency.getByRole("row", { name: /^99 % within \d/ }).waitFor();
});

test("the page is for everybody, in every look", async () => {
  onTestFinished(async () => void (await close("paper-1")));
  await site.gateway.alert({ symbol: "MNQ1!", action: "buy", qty: 1 });
  await close("paper-1");
  await buy("paper-1");
  const page = await site.open();
  await answer(page, "No problems, 1 position without a stop-loss").waitFor();
  await page.getByRole("img", { name: "Received to acknowledged" }).waitFor();
  await expectFit(page);

  const giveBack = await loseStop();
  await untilUnsafe(page);
  for (const table of await page.getByText("As a table").all()) await table.click();
  await expectFit(page);
  await button(page, "Turn it on …").click();
  await page.getByRole("dialog").waitFor();
  await expectFit(page);
  await giveBack();
});
