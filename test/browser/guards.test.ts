// The goal: what a person sets, locks and ends in the page of guards is what the gateway holds, and the
// page says how near each rule is.
// The method: the paper broker on prices in our hand, and the gateway asked itself what it holds.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { GUARDS } from "../../src/http/schemas/guard-examples.ts";
import { expectFit } from "../support/browser.ts";
import { accountNames, frontMonth } from "../support/gateway.ts";
import { ConsoleSite, OWNER } from "./console-kit.ts";

const MNQ = frontMonth("MNQ");
const ACCOUNTS = 6;

let site: ConsoleSite;
const nextAccount = accountNames(ACCOUNTS);

beforeAll(async () => {
  site = await ConsoleSite.open({ settings: { PAPER_ACCOUNTS: `1-${ACCOUNTS}` } });
});
afterAll(async () => await site.close());

interface Shown {
  readonly id: string;
  readonly page: Page;
  readonly dialog: Locator;
}

/** The guards of an account, opened in their page. */
async function open(id: string = nextAccount()): Promise<Shown> {
  const page = await site.open(`/accounts/${id}/guards`);
  await page.getByRole("region", { name: "Now" }).waitFor();
  return { id, page, dialog: page.getByRole("dialog") };
}

const guardsOf = async (id: string) =>
  (await site.gateway.api.get(`/v1/accounts/${id}/guards`)).body;

const setGuards = async (id: string, ...rules: readonly object[]) => {
  const { status } = await site.gateway.api.put(`/v1/accounts/${id}/guards`, { rules });
  expect(status).toBe(200);
};

const button = (within: Page | Locator, name: string) => within.getByRole("button", { name });

const order = async (id: string, action: "buy" | "sell") =>
  await site.gateway.api.post(`/v1/accounts/${id}/orders`, { symbol: MNQ.symbol, action, qty: 1 });

const HARD_LOSS = {
  id: "daily-loss",
  kind: "loss",
  mode: "on",
  lock: "hard",
  period: "day",
  limit: 1_000,
  counts: "open",
  then: "flatten",
};
const FEW_TRADES = { id: "count", kind: "count", mode: "on", lock: "soft", of: "trades", max: 9 };

test("a daily loss is set, its bar moves, and one that locks at once is asked about first", async () => {
  const { id, page, dialog } = await open();
  await button(page, "Daily loss").click();
  const limit = dialog.getByLabel("Lose at most, USD");
  await limit.fill("0");
  await button(dialog, "Add the rule").click();
  await limit.and(page.locator("[aria-invalid]")).waitFor();
  await limit.fill("100.50");
  await button(dialog, "Add the rule").click();
  await dialog.waitFor({ state: "detached" });
  const row = page.getByRole("row", { name: /Daily loss of 100\.50 USD/ });
  await row.getByText("OK").waitFor();

  expect((await order(id, "buy")).status).toBe(201);
  onTestFinished(site.gateway.keepQuoting(MNQ, 99_930));
  const bar = row.getByRole("meter");
  await expect.poll(() => bar.getAttribute("aria-valuetext")).toMatch(/^3\d % used$/);

  await button(row, "Edit").click();
  await limit.fill("20");
  for (const answer of ["Leave it as it is", "Set it, and lock the account"]) {
    await button(dialog, "Save").click();
    const asked = page.getByRole("dialog", { name: "The account would be locked at once" });
    await asked.getByText("the loss limit is").waitFor();
    expect(await guardsOf(id)).toMatchObject({ rules: [{ rule: { limit: 100.5 } }], lock: null });
    await button(asked, answer).click();
    await asked.waitFor({ state: "detached" });
  }
  await page.getByText("The account is locked: only exits pass").waitFor();
  expect(await guardsOf(id)).toMatchObject({ lock: { ruleId: "daily-loss", then: "flatten" } });
  await expect.poll(() => site.gateway.broker.positions(id)).toEqual({});
  await expectFit(page);

  await page.goto("/console/#/");
  await page.getByRole("link", { name: "Open its guards" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Guards of Paper 1" }).waitFor();
});

test("an account is locked, and its lock is ended by who proves who they are", async () => {
  const { id, page, dialog } = await open();
  await button(page, "Lock now …").click();
  await dialog.getByLabel("What is held").selectOption("flatten");
  await dialog.getByText("Every position is closed at the market").waitFor();
  await dialog.getByLabel("What is held").selectOption("exitsOnly");
  await dialog.getByLabel("Reason, for the record").fill("enough for today");
  await dialog.getByText("No position is closed by it").waitFor();
  await button(dialog, "Lock the account").click();
  await page.getByText("The account is locked: only exits pass").waitFor();
  expect(await guardsOf(id)).toMatchObject({ lock: { lock: "soft", reason: "enough for today" } });
  expect((await order(id, "buy")).status).toBe(422);

  await site.ageProof(OWNER);
  await button(page, "End the lock …").click();
  await dialog.getByLabel("Reason, for the record").fill("one more");
  await button(dialog, "End the lock").click();
  const proof = page.getByRole("dialog", { name: "Confirm that it is you" });
  await proof.getByLabel(/^Password of/).fill(OWNER.password);
  await button(proof, "Confirm").click();
  await page.getByText("Entries pass").waitFor();
  expect((await guardsOf(id)).lock).toBeNull();
  const log = page.getByRole("region", { name: "Decisions" });
  await log.getByRole("row").filter({ hasText: "Unlocked" }).getByText("one more").waitFor();
});

test("what others changed meanwhile is not overwritten, and what is loosened waits", async () => {
  const id = nextAccount();
  await setGuards(id, HARD_LOSS);
  const { page, dialog } = await open(id);
  await button(page, "Edit … Daily loss").click();
  // The dialog begins with what is set now.
  await dialog.getByLabel("Lose at most, USD").waitFor();
  await setGuards(id, HARD_LOSS, FEW_TRADES);
  await dialog.getByLabel("Lose at most, USD").fill("2000");
  await button(dialog, "Save").click();
  await dialog.getByText(/Somebody else has changed the guards/).waitFor();
  await button(dialog, "Save").click();
  await dialog.waitFor({ state: "detached" });
  const next = page.getByRole("region", { name: "Counts from the next trading day on" });
  await next.getByText(/becomes: Daily loss of 2,000\.00 USD/).waitFor();
  expect(await guardsOf(id)).toMatchObject({
    rules: [{ rule: { limit: 1_000 } }, { rule: FEW_TRADES }],
    next: { rules: [{ limit: 2_000 }, FEW_TRADES] },
  });

  // What waits is still wanted when something else is changed.
  await button(page, "Edit … At most 9 trades").click();
  await dialog.getByLabel("Mode").selectOption("shadow");
  await button(dialog, "Save").click();
  await page.getByRole("row").getByText("Shadow: only tells").waitFor();
  await button(page, "Remove … At most 9 trades").click();
  await button(dialog, "Remove the rule").click();
  await page.getByRole("row", { name: /At most 9 trades/ }).waitFor({ state: "detached" });
  expect(await guardsOf(id)).toMatchObject({ next: { rules: [{ limit: 2_000 }] } });
});

test("what the broker holds, and that figures are missing, is told beside our own rules", async () => {
  const id = nextAccount();
  const page = await site.open();
  // The paper broker has no rules of its own, and always knows its figures.
  const shown = {
    ...GUARDS,
    accountId: id,
    blind: { since: GUARDS.asOf, reason: "no price of MNQ since 14:29" },
    entriesRefused: "Figures are missing. Only exits are sent",
  };
  await page.route(`**/v1/accounts/${id}/guards`, (route) => route.fulfill({ json: shown }));
  await page.goto(`/console/#/accounts/${id}/guards`);
  const now = page.getByRole("region", { name: "Now" });
  for (const told of ["Entries refused", "no price of MNQ since 14:29", /After 60 s: only tell/]) {
    await now.getByText(told).waitFor();
  }
  const rules = page.getByRole("region", { name: "Rules" });
  await rules
    .getByRole("row", { name: /Daily loss of 1,000\.00 USD.*Hard.*Near.*257\.50/ })
    .waitFor();
  const broker = page.getByRole("region", { name: "The broker's own" });
  await broker
    .getByRole("row", { name: /Daily loss.*Locked by the firm.*1,000\.00 USD/ })
    .waitFor();
});

test("a firm's preset is shown with its date and doubts, and set in shadow", async () => {
  const { id, page, dialog } = await open();
  await button(page, "From a firm's preset").click();
  await dialog.getByLabel("Firm and account").selectOption("topstep-combine-50k");
  for (const told of [/^Dated .* check with your firm/, "Where it is from", "What it sets"]) {
    await dialog.getByText(told).first().waitFor();
  }
  await expectFit(page);
  await dialog.getByText("Only tell at first").click();
  await button(dialog, "Set these rules").click();
  await page.getByRole("row", { name: /Drawdown of 2,000\.00 USD.*Shadow/ }).waitFor();
  const { rules } = (await guardsOf(id)) as { rules: { rule: { id: string; mode: string } }[] };
  expect(new Set(rules.map(({ rule }) => rule.mode))).toEqual(new Set(["shadow"]));
  await expectFit(page);
});

test("a calendar is given, says what was left out of it, and is deleted", async () => {
  const page = await site.open("/calendars");
  const dialog = page.getByRole("dialog");
  await button(page, "Add a calendar").click();
  await dialog.getByLabel("Name", { exact: true }).fill("us-releases");
  const text = dialog.getByLabel("Or its text");
  await text.fill("start,title\nsoon,CPI");
  await button(dialog, "Save the calendar").click();
  await dialog.getByRole("alert").waitFor();
  const year = new Date().getUTCFullYear() + 1;
  const line = `${year}-01-13 08:30,CPI,high`;
  await dialog.getByLabel("File").setInputFiles({
    name: "us.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`start,title,impact\n${line}\n${line}`),
  });
  await expect.poll(() => text.inputValue()).toContain(line);
  await button(dialog, "Save the calendar").click();
  await page.getByText("“us-releases” has 1 event now. Left out: 1.").waitFor();
  await page.getByRole("row", { name: /us-releases.*Current.*CPI/ }).waitFor();
  await expectFit(page);
  await button(page, "Delete … us-releases").click();
  await button(dialog, "Delete it").click();
  await page.getByText("No calendar yet.").waitFor();
});
