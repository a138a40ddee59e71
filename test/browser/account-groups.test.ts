// The goal: a group that a person makes in the console is the one that the gateway sends to, and the log
// shows what became of an alert in each of its accounts.
// The method: the pages, alerts that are posted to the webhook, and the gateway asked itself.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { postAlert } from "../support/http-client.ts";
import { ConsoleSite } from "./console-kit.ts";

let site: ConsoleSite;

beforeAll(async () => {
  site = await ConsoleSite.open({ settings: { PAPER_ACCOUNTS: "1-3" } });
});
afterAll(async () => await site.close());

const groupsOf = async () => (await site.gateway.api.get("/v1/account-groups")).body.accountGroups;
const member = (page: Page, name: string): Locator => page.getByRole("group", { name });

test("a group is made, refused where it is wrong, put in order, used and deleted", async () => {
  const page = await site.open("/account-groups");
  await page.getByText("No account group yet.").waitFor();
  await page.getByRole("button", { name: "Create a group" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Both");
  const add = page.getByRole("button", { name: "Add an account" });
  await add.click();
  await add.click();
  await member(page, "Paper 1").getByLabel("Multiplier").fill("0");
  const save = page.getByRole("button", { name: "Save the group" });
  await save.click();
  await member(page, "Paper 1")
    .getByLabel("Multiplier")
    .and(page.locator("[aria-invalid]"))
    .waitFor();
  expect(await groupsOf()).toEqual([]);

  await member(page, "Paper 1").getByLabel("Multiplier").fill("2");
  await member(page, "Paper 2").getByLabel("Size").selectOption("Always the same");
  await member(page, "Paper 2").getByLabel("Contracts").fill("1");
  await page.getByRole("button", { name: "Up Paper 2" }).click();
  await expectFit(page);
  await save.click();
  await page.getByRole("link", { name: "Both" }).waitFor();
  const [group] = await groupsOf();
  expect(group).toMatchObject({
    name: "Both",
    members: [
      { accountId: "paper-2", fixedQty: 1 },
      { accountId: "paper-1", multiplier: "2" },
    ],
  });
  await expectFit(page);

  await page.goto("/console/#/webhooks");
  await page.getByRole("button", { name: "Create a webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("For both");
  await dialog.getByLabel("Account or group").selectOption("Group: Both");
  await dialog.getByRole("button", { name: "Create it" }).click();
  const url = (await page.locator("code.secret").first().textContent()) ?? "";
  await page.getByRole("button", { name: "I have it", exact: true }).click();
  await page
    .getByRole("row", { name: /For both/ })
    .getByText("2 accounts")
    .waitFor();

  const body = JSON.stringify({ action: "buy", symbol: "MNQ1!", qty: 1, alertId: "one" });
  expect((await postAlert(url.replace("localhost", "127.0.0.1"), body)).status).toBe(200);
  await page.goto("/console/#/alerts");
  await page.getByRole("row", { name: /Both/ }).getByRole("link").first().click();
  const parts = page.getByRole("region", { name: "In each account" });
  await parts
    .getByRole("row", { name: /Paper 1/ })
    .getByText(/filled: 2 at/)
    .waitFor();
  await parts
    .getByRole("row", { name: /Paper 2/ })
    .getByText("Done")
    .waitFor();
  await expectFit(page);
  await parts.getByRole("link", { name: /Paper 1/ }).click();
  await page.getByRole("link", { name: "The alert as a whole, for the group Both" }).waitFor();

  await page.goto("/console/#/webhooks");
  await page.getByRole("link", { name: "For both" }).click();
  const tried = page.getByRole("region", { name: "Try it" });
  await tried
    .getByLabel("The message with sample values")
    .fill(JSON.stringify({ action: "buy", symbol: "MNQ1!", qty: 1 }));
  await tried.getByRole("button", { name: "Send a test" }).click();
  await tried.getByText("buy 2 MNQ").waitFor();
  await tried.getByText("buy 1 MNQ").waitFor();

  await page.goto("/console/#/account-groups");
  await page.getByRole("button", { name: "Delete … Both" }).click();
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await dialog.getByRole("alert").waitFor();
  expect(await groupsOf()).toHaveLength(1);
});
