// The goal: an exit plan that a person makes in the console is the plan that the gateway keeps, its picture
// says what it comes to, and one that cannot work is refused beside what is wrong with it.
// The method: the page of exit plans, and the gateway asked itself what it keeps.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { ConsoleSite } from "./console-kit.ts";

let site: ConsoleSite;

beforeAll(async () => {
  site = await ConsoleSite.open();
});
afterAll(async () => await site.close());

const plansOf = async () => (await site.gateway.api.get("/v1/exit-plans")).body.exitPlans;

const group = (within: Page | Locator, name: string) =>
  within.getByRole("group", { name, exact: true });

async function fillTarget(page: Page, nth: number, ticks: string): Promise<void> {
  await group(page, `Target ${nth}`).getByLabel("Ticks", { exact: true }).fill(ticks);
}

test("a plan is made, drawn with its money, refused where it cannot work, changed and deleted", async () => {
  const page = await site.open("/exit-plans");
  await page.getByText("No exit plan yet.").waitFor();
  await page.getByRole("button", { name: "Create an exit plan" }).click();
  await page.getByLabel("Name", { exact: true }).fill("thirds");
  const stop = group(page, "Stop");

  // The second one is nearer than the first one.
  await fillTarget(page, 1, "40");
  await fillTarget(page, 2, "20");
  await stop.getByLabel("Ticks", { exact: true }).fill("20");
  await page.getByRole("button", { name: "Save the plan" }).click();
  const wrong = page.getByText("is nearer than one before it: list them as they are reached");
  const field = group(page, "Target 2").getByLabel("Target 2");
  await field.and(page.locator("[aria-invalid]")).waitFor();
  await wrong.first().waitFor();
  expect(await plansOf()).toEqual([]);

  await fillTarget(page, 1, "20");
  await fillTarget(page, 2, "40");
  const breakeven = group(page, "Breakeven");
  await breakeven.getByRole("combobox").selectOption("After a target has filled");
  await breakeven.getByLabel("Target number").fill("1");
  await page.getByLabel("Beyond the entry by, ticks").fill("2");
  await page.getByLabel("Of", { exact: true }).selectOption("MNQ: Micro E-mini Nasdaq-100");
  const picture = page.getByRole("img", { name: /^Exits of 4/ });
  for (const part of [
    "Target 1: +20 ticks, 2 leave, 2 held: +20.00 USD",
    "Stop after target 1: +2 ticks",
    "Stop: −20 ticks, 4 leave: -40.00 USD",
  ]) {
    await expect.poll(async () => await picture.getAttribute("aria-label")).toContain(part);
  }
  await page.getByText("40.00 USD", { exact: true }).waitFor();
  await expectFit(page);

  await page.getByRole("button", { name: "Save the plan" }).click();
  await page.getByRole("link", { name: "thirds" }).waitFor();
  const plan = {
    targets: [{ ticks: 20 }, { ticks: 40 }],
    stop: { ticks: 20 },
    breakeven: { after: { target: 1 }, plus: 2 },
  };
  expect(await plansOf()).toMatchObject([{ name: "thirds", plan }]);
  await expectFit(page);

  await page.getByRole("button", { name: "Edit … thirds" }).click();
  await stop.getByLabel("Ticks", { exact: true }).fill("16");
  await page.getByRole("button", { name: "Save the plan" }).click();
  await page.getByRole("link", { name: "thirds" }).waitFor();
  expect(await plansOf()).toMatchObject([{ plan: { ...plan, stop: { ticks: 16 } } }]);

  await page.getByRole("button", { name: "Delete … thirds" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
  await page.getByText("No exit plan yet.").waitFor();
  expect(await plansOf()).toEqual([]);
});

test("a plan that follows from a price is drawn once that is written", async () => {
  const body = {
    name: "percent",
    plan: { targets: [{ percent: 1 }], stop: { percent: "0.5" }, closeAfterSeconds: 60 },
  };
  expect((await site.gateway.api.post("/v1/exit-plans", body)).status).toBe(201);
  const page = await site.open("/exit-plans/percent");
  await page.getByText("Some of it follows from the price").waitFor();
  await page.getByLabel("Of", { exact: true }).selectOption("MNQ: Micro E-mini Nasdaq-100");
  await page.getByLabel("Entry price").fill("20000");
  await page.getByLabel("Entry", { exact: true }).selectOption("Sell");
  const picture = page.getByRole("img", { name: /^Exits of 4/ });
  await expect.poll(() => picture.getAttribute("aria-label")).toContain("+800 ticks, 19800");
});

test("a webhook follows a plan, and its page says what an entry may lose by it", async () => {
  const { api } = site.gateway;
  const plan = { targets: [{ ticks: 40, qty: 1 }, { ticks: 80 }], stop: { ticks: 20 } };
  expect((await api.post("/v1/exit-plans", { name: "halves", plan })).status).toBe(201);
  const made = await api.post("/v1/webhooks", { accountId: "paper-1", name: "Planned" });
  const id = String(made.body.id);
  const page = await site.open(`/webhooks/${id}`);

  await page.getByRole("button", { name: "Edit Planned" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Quantity and symbols").click();
  await dialog.getByLabel("Exit plan", { exact: true }).selectOption("halves");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const { webhooks } = (await api.get("/v1/webhooks")).body;
  expect(webhooks).toContainEqual(expect.objectContaining({ id, exitPlan: "halves" }));

  const message = page.getByRole("region", { name: "Message for the alert" });
  await message.getByLabel("Action").selectOption("Always buy");
  await message.getByLabel("Symbol").fill("MNQ1!");
  await message.getByLabel("Contracts").fill("2");
  const exits = page.getByRole("region", { name: "Exits, and the money at risk" });
  await exits.getByRole("link", { name: "halves" }).waitFor();
  await exits.getByRole("img", { name: /^Exits of 2/ }).waitFor();
  await exits.getByText("20.00 USD", { exact: true }).waitFor();

  const tried = page.getByRole("region", { name: "Try it" });
  await tried.getByRole("button", { name: "Send a test" }).click();
  await tried.getByText("buy 2 MNQ").waitFor();
  await tried.getByText("20.00 USD", { exact: true }).waitFor();
  await tried.getByRole("row", { name: /\+80 ticks/ }).waitFor();
  await expectFit(page);

  await message.getByLabel("Exit plan").selectOption("halves");
  await expect
    .poll(async () => await message.getByRole("code").textContent())
    .toContain('"exitPlan": "halves"');
});
