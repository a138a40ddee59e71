// The goal: what accounts hold, and what it is worth, is seen first, moves with prices, and never looks newer than it is.
// The method: a real gateway on the paper broker, whose prices are moved or left alone.
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { accountNames, frontMonth } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { AccountView } from "./account-view.ts";
import { ConsoleSite } from "./console-kit.ts";

const MNQ = frontMonth("MNQ");
const ACCOUNTS = 10;

let site: ConsoleSite;
const nextAccount = accountNames(ACCOUNTS);

beforeAll(async () => {
  site = await ConsoleSite.open({ settings: { PAPER_ACCOUNTS: `1-${ACCOUNTS}` } });
});
afterAll(async () => await site.close());

const accounts = (page: Page) => page.getByRole("region", { name: "Accounts", exact: true });
const rowOf = (page: Page, name: string) =>
  accounts(page)
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name, exact: true }) });

/** An account that is long two MNQ, bought at 25000.25; it is closed when the test is over. */
async function buyTwo(body: object = {}): Promise<{ id: string; name: string }> {
  const id = nextAccount();
  site.gateway.quote(MNQ, 100_000);
  const order = { symbol: MNQ.symbol, action: "buy", qty: 2, type: "market", ...body };
  expect((await site.gateway.api.post(`/v1/accounts/${id}/orders`, order)).status).toBe(201);
  onTestFinished(async () => {
    await site.gateway.api.delete(`/v1/accounts/${id}/positions`);
  });
  return { id, name: id.replace("paper-", "Paper ") };
}

let stopQuoting = (): void => undefined;

/** From now on, as a market that is open: a price is stale after ten seconds. */
function keepQuoting(bid: number): void {
  stopQuoting();
  stopQuoting = site.gateway.keepQuoting(MNQ, bid);
  onTestFinished(stopQuoting);
}

test("the accounts stand first, and what they have won moves with prices", async () => {
  const page = await site.open();
  await accounts(page).waitFor();
  expect(await page.getByRole("heading", { level: 2 }).first().textContent()).toBe("Accounts");
  const { name } = await buyTwo();
  const row = rowOf(page, name);
  await row.getByText(`long 2 ${MNQ.symbol}`, { exact: true }).waitFor();
  await row.getByText("DEMO", { exact: true }).waitFor();
  await row.getByText("Connected").waitFor();
  // Two contracts, forty ticks of half a dollar each: of the position, and of the day.
  keepQuoting(100_041);
  await expect.poll(async () => await row.getByText("+40.00 USD", { exact: true }).count()).toBe(2);
  await expect.poll(async () => await row.locator(".gain").count()).toBe(2);
  keepQuoting(99_981);
  await expect.poll(async () => await row.getByText("-20.00 USD", { exact: true }).count()).toBe(2);
  await expect.poll(async () => await row.locator(".loss").count()).toBe(2);
});

test("a price that nobody tells any more is shown with its age, and without a colour", async () => {
  const { name } = await buyTwo();
  site.gateway.quote(MNQ, 100_041);
  const page = await site.open();
  const row = rowOf(page, name);
  await row.getByText("+40.00 USD", { exact: true }).first().waitFor();
  await row
    .getByText(/\d+ s old$/)
    .first()
    .waitFor();
  expect(await row.locator(".gain, .loss").count()).toBe(0);
  const held = page
    .getByRole("region", { name: "Open positions" })
    .getByRole("row")
    .filter({ hasText: name });
  await held.getByText(/\d+ s old$/).waitFor();
  await expectFit(page);
  keepQuoting(100_042);
  await row.getByText("+41.00 USD", { exact: true }).first().waitFor();
  await row.getByText(/ old$/).waitFor({ state: "detached" });
});

test("what the broker does not tell is not 0", async () => {
  const { name } = await buyTwo();
  const page = await site.open();
  const row = rowOf(page, name);
  await row.getByText(`long 2 ${MNQ.symbol}`).waitFor();
  await page.route("**/v1/balances", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as {
      accounts: { name: string; currencies: { gateway: object }[] }[];
    };
    const account = body.accounts.find((one) => one.name === name);
    const [figures] = account?.currencies ?? [];
    const gateway = { ...figures?.gateway, openPnl: null, net: null, unpriced: [MNQ.symbol] };
    const currencies = [{ ...figures, gateway, broker: null, differs: true }];
    const pricesMissing = "The login has no market data. Order it from the broker";
    await route.fulfill({ json: { accounts: [{ ...account, currencies, pricesMissing }] } });
  });
  await row.getByText(`no price of ${MNQ.symbol}`).first().waitFor();
  await row.getByText("Broker says otherwise").waitFor();
  await accounts(page).getByText("The login has no market data.").waitFor();
  expect(await row.getByText("0.00 USD", { exact: true }).count()).toBe(0);
  await row.getByText("The broker does not tell it").waitFor();
  await expectFit(page);
  await page.unrouteAll({ behavior: "wait" });
});

test("prices are read once a second at most, and not while nobody looks", async () => {
  await buyTwo();
  const page = await site.open();
  await accounts(page).waitFor();
  let reads = 0;
  page.on("request", (request) => (reads += Number(request.url().endsWith("/v1/balances"))));
  let bid = 100_000;
  const timer = setInterval(() => site.gateway.quote(MNQ, (bid += 1)), 100);
  onTestFinished(() => clearInterval(timer));
  await expect.poll(() => reads).toBeGreaterThan(0);
  // However long it takes on this machine, and whatever the page asked before was seen by then.
  const began = performance.now();
  await page.evaluate("0");
  reads = 0;
  await sleep(5_000);
  await page.evaluate("0");
  expect(reads).toBeLessThanOrEqual((performance.now() - began) / 1_000 + 1);
  // As when another tab is looked at.
  const look = async (hidden: boolean) =>
    await page.evaluate(`Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));`);
  await look(true);
  await sleep(1_500);
  reads = 0;
  await sleep(3_000);
  expect(reads).toBe(0);
  await look(false);
  await expect.poll(() => reads).toBeGreaterThan(0);
});

test("accounts at rest stand folded, with their count", async () => {
  const { name } = await buyTwo();
  const page = await site.open();
  await rowOf(page, name).waitFor();
  const quiet = nextAccount().replace("paper-", "Paper ");
  expect(await rowOf(page, quiet).count()).toBe(0);
  const folded = accounts(page).getByText(/^\d+ more accounts without positions or trades today$/);
  await folded.click();
  await rowOf(page, quiet).waitFor();
  await expectFit(page);
});

test("an account shows balances by their source, marks that move, and its ledger", async () => {
  const { id } = await buyTwo();
  const webhook = await site.gateway.createWebhook(id);
  await postAlert(webhook.url, { symbol: MNQ.symbol, action: "sell", qty: 1, price: 25_000.5 });
  keepQuoting(100_041);
  const view = await AccountView.open(site, id);
  const held = view.row(/Long 1/);
  await held.getByText("25010.25", { exact: true }).waitFor();
  await held.getByText("+20.00 USD").waitFor();
  await view.card
    .getByRole("row", { name: /^Open P&L/ })
    .getByText("+20.00 USD")
    .first()
    .waitFor();
  // What this broker does not say is as if it did.
  await view.page.route("**/v1/balances", async (route) => {
    const response = await route.fetch();
    const { accounts: all } = (await response.json()) as {
      accounts: { id: string; asOf: string; currencies: object[] }[];
    };
    const broker = { cash: 50_120.5, realizedPnl: -7, asOf: all[0]?.asOf, tradingDay: null };
    const nothing = { netLiquidation: null, openPnl: null, fees: null, marginExcess: null };
    const said = { ...nothing, initialMargin: null, maintenanceMargin: null, ...broker };
    const changed = all.map((one) =>
      one.id === id
        ? { ...one, currencies: [{ ...one.currencies[0], broker: said, differs: true }] }
        : one,
    );
    await route.fulfill({ json: { accounts: changed } });
  });
  await view.card.getByRole("row", { name: /^Cash/ }).getByText("50,120.50 USD").waitFor();
  const won = view.card.getByRole("row", { name: /^Closed today/ });
  await won.getByText("-7.00 USD").waitFor();
  await won.getByText("differs").waitFor();
  await view.card.getByText("Broker and ledger differ.").waitFor();

  await view.card.getByText("Ledger: everything it has traded").click();
  const sale = view.row(/Sell 1/);
  // The alert named 25000.50, and it was sold at 25000.00.
  await sale.getByText("25000.5", { exact: false }).first().waitFor();
  await sale.getByText("2 ticks worse").waitFor();
  await sale.getByText(/^Alert/).waitFor();
  await view.row(/Buy 2/).getByText("API call").waitFor();
  await expectFit(view.page);
  await view.page.unrouteAll({ behavior: "wait" });
});

test("the day of an account is set, and what is wrong is shown at its field", async () => {
  const { id } = await buyTwo();
  const view = await AccountView.open(site, id);
  await view.card.getByText(/until 17:00 in America\/Chicago/).waitFor();
  const dialog = await view.ask("Set day");
  await dialog.getByText("never cut short").waitFor();
  await expectFit(view.page);
  const zone = dialog.getByLabel("Time zone");
  await dialog.getByLabel("Begins at").fill("00:00");
  await zone.fill("Berlin");
  await dialog.getByRole("button", { name: "Save the day" }).click();
  await expect.poll(async () => await zone.getAttribute("aria-invalid")).toBe("true");
  await zone.fill("Europe/Berlin");
  await view.answer("Save the day");
  // It may end by either clock, and the next one is shown from now on.
  const { body } = await site.gateway.api.get(`/v1/accounts/${id}`);
  expect(body.day.next).toMatchObject({ begins: "00:00", zone: "Europe/Berlin" });
  await view.ask("Set day");
  expect(await dialog.getByLabel("Time zone").inputValue()).toBe("Europe/Berlin");
});
