// The goal: a person adds a destination, sees whether it works, and what did not arrive, and mends it.
// The method: what the page says is compared with what a program on this machine was posted.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { ALLOW_RECEIVER, Receiver } from "../support/receiver.ts";
import { ConsoleSite, OWNER } from "./console-kit.ts";

let site: ConsoleSite;
let receiver: Receiver;

beforeAll(async () => {
  [site, receiver] = await Promise.all([
    ConsoleSite.open({ settings: ALLOW_RECEIVER }),
    Receiver.open(),
  ]);
});
afterAll(async () => {
  receiver.close();
  await site.close();
});

/** A destination that is there before the page is opened. */
async function create(name: string, terms: object = {}): Promise<string> {
  const body = { kind: "webhook", name, settings: { url: receiver.url }, ...terms };
  const { status, body: made } = await site.gateway.api.post("/v1/destinations", body);
  expect(status).toBe(201);
  return made.id as string;
}
const stored = async (name: string) => {
  const { destinations } = (await site.gateway.api.get("/v1/destinations")).body;
  return destinations.find((one: { name: string }) => one.name === name);
};
const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) });

async function openForm(page: Page): Promise<Locator> {
  await button(page, "Add a destination").click();
  return page.getByRole("dialog", { name: "Add a destination" });
}

async function tellAlarm(alertname: string): Promise<void> {
  const alarm = {
    status: "firing",
    labels: { alertname, severity: "page" },
    annotations: { summary: `${alertname} fires` },
    startsAt: new Date().toISOString(),
    fingerprint: alertname,
  };
  const body = { version: "4", alerts: [alarm] };
  expect((await site.gateway.api.post("/v1/operator-alarms", body)).status).toBe(204);
}

test("a signed webhook is added with rules and times, its secret shown once", async () => {
  const page = await site.open("/notifications");
  await page.getByText("Nobody is told anything yet").waitFor();
  const form = await openForm(page);
  await form.getByLabel("Where to").selectOption({ label: "Signed webhook (for a program)" });
  await form.getByLabel("Name").fill("Journal");
  await form.getByLabel("URL").fill(receiver.url);
  await form.getByLabel("In order").check();
  await form.getByLabel("Quiet from").fill("22:30");
  await form.getByLabel("Quiet until").fill("7 am");
  await form.getByLabel("Time zone").fill("America/Chicago");
  await form.getByLabel("Daily summary at").fill("16:05");
  await button(form, "Add a rule").click();
  await button(form, "Add a rule").click();
  const rule = form.getByRole("group", { name: "Rule 2" });
  await rule.getByLabel("What to do").selectOption({ label: "Do not tell it" });
  await rule.getByLabel("Accounts' money").selectOption({ label: "Demo only" });
  await rule.getByText("All events").click();
  await rule.getByLabel(/^Filled/).check();
  await rule.getByText("All accounts").click();
  await rule.getByLabel(/^Paper 1/).check();
  await button(form, "Move up rule 2").click();
  await button(form, "Add it").click();
  await form.getByText("must look like 22:30").first().waitFor();
  await form.getByLabel("Quiet until").fill("07:00");
  await button(form, "Add it").click();
  const shown = page.getByRole("dialog", { name: "The secret of “Journal”" });
  await shown.getByText(/^whsec_/).waitFor();
  await expectFit(page);
  await button(shown, "I have it").click();
  await shown.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Journal" }).waitFor();
  expect(await page.content()).not.toContain("whsec_");
  expect(await stored("Journal")).toMatchObject({
    rules: [
      { tell: "off", environment: "demo", types: ["order.filled"], accounts: ["paper-1"] },
      { tell: "on" },
    ],
    quietHours: { from: "22:30", to: "07:00", zone: "America/Chicago" },
    summary: { at: "16:05", zone: "America/Chicago" },
    inOrder: true,
  });
  await page.getByText("Do not tell: Filled, of Paper 1, of demo accounts").waitFor();

  await button(page, "Edit").click();
  const edit = page.getByRole("dialog", { name: "Edit “Journal”" });
  await edit.getByLabel("Name").fill("Diary");
  await button(edit, "Remove rule 2").click();
  await expectFit(page);
  await button(edit, "Save").click();
  await page.getByRole("heading", { name: "Diary" }).waitFor();
  expect((await stored("Diary")).rules).toHaveLength(1);
  await button(page, "Make a new secret").click();
  await button(page.getByRole("dialog", { name: "Make a new secret" }), "Make it").click();
  const anew = page.getByRole("dialog", { name: "The secret of “Diary”" });
  await anew.getByText(/signed with the former one too/).waitFor();
  await button(anew, "I have it").click();
  await button(page, "Delete").click();
  await button(page.getByRole("dialog", { name: "Delete “Diary”" }), "Delete it").click();
  await page.getByRole("heading", { name: "Notifications" }).waitFor();
  expect(await stored("Diary")).toBeUndefined();
});

test("a test says what came back; what failed is listed, sent again and forgotten", async () => {
  const rules = [{ types: ["operator.alarm"], tell: "on" }, { tell: "off" }];
  const id = await create("Desk", { rules });
  const page = await site.open(`/notifications/${id}`);
  await button(page, "Send a test").click();
  await page.getByText(/^✓Delivered/).waitFor();
  await page.getByText(/\d m?s, status 200/).waitFor();
  expect(receiver.of("destination.tested")).toHaveLength(1);

  receiver.status = 410;
  await button(page, "Send a test").click();
  await page.getByText("Not delivered").waitFor();
  await tellAlarm("First");
  await page.getByText("Switched off: nothing is told here.").waitFor();
  await tellAlarm("Second");
  await tellAlarm("Third");
  const list = page.getByRole("region", { name: "Undelivered" });
  const line = (name: string) => list.getByRole("row").filter({ hasText: `${name} fires` });
  await line("Third").waitFor();
  await line("First").getByText(/410/).waitFor();
  await expectFit(page);

  const overview = await site.open("/");
  await overview.getByText("Notifications are switched off").waitFor();
  await overview.getByRole("link", { name: "Desk" }).waitFor();
  await expectFit(overview);

  receiver.status = 200;
  await button(page, "Switch it on").click();
  await page.getByText("Switched off: nothing is told here.").waitFor({ state: "detached" });
  await button(page, /^Forget First/).click();
  await button(page.getByRole("dialog"), "Forget it").click();
  await line("First").waitFor({ state: "detached" });
  await button(page, /^Send again Second/).click();
  await line("Second").waitFor({ state: "detached" });
  await button(page, "Send all again").click();
  await page.getByText("Everything arrived, or is still tried.").waitFor();
  const alarms = () => receiver.of("operator.alarm").map(({ body }) => body.data["alertname"]);
  await expect.poll(alarms).toEqual(["First", "Second", "Third"]);
  await page.getByText("Arrives").waitFor();
});

test("a Telegram chat is linked by a code that its owner sends", async () => {
  const page = await site.open("/notifications");
  const form = await openForm(page);
  await form.getByLabel("Where to").selectOption({ label: "Telegram" });
  await form.getByText(/@BotFather/).waitFor();
  await form.getByLabel("Name").fill("Me");
  await form.getByLabel("Bot token").fill("123456:not-for-anyone");
  await button(form, "Add it").click();
  await page.getByText("No chat is linked yet, so nothing can be told.").waitFor();
  await button(page, "Link the chat").click();
  await page.getByText(/^\/start \S+$/).waitFor();
  await page.getByText("set, and not shown").waitFor();
  expect(await page.content()).not.toContain("not-for-anyone");
  await expectFit(page);
  const { id } = await stored("Me");
  await site.gateway.api.delete(`/v1/destinations/${id}`);
  await page.getByText("This destination no longer exists.").waitFor();
});

test("each kind is asked for what it needs, and fits in every look", async () => {
  const page = await site.open("/notifications");
  const form = await openForm(page);
  const where = form.getByLabel("Where to");
  const needs = {
    "ntfy (push to a phone)": ["Server", "Topic"],
    Discord: ["Webhook URL"],
    Slack: ["Webhook URL"],
    Pushover: ["Application token", "User or group key"],
    Email: ["SMTP server", "Port", "From", "To"],
    "Heartbeat (for an outside watcher)": ["Ping URL"],
  };
  for (const [label, fields] of Object.entries(needs)) {
    await where.selectOption({ label });
    for (const field of fields) await form.getByLabel(field, { exact: true }).waitFor();
  }
  await where.selectOption({ label: "Email" });
  await button(form, "Add a rule").click();
  await form.getByText("All events").click();
  await expectFit(page);
});

test("who did not prove themselves lately is asked before anything is added", async () => {
  await site.ageProof(OWNER);
  const page = await site.openAs(OWNER, "/notifications");
  await site.ageProof(OWNER);
  const form = await openForm(page);
  await form.getByLabel("Where to").selectOption({ label: "Signed webhook (for a program)" });
  await form.getByLabel("Name").fill("Proven");
  await form.getByLabel("URL").fill(receiver.url);
  await button(form, "Add it").click();
  const proof = page.getByRole("dialog", { name: "Confirm that it is you" });
  await proof.getByLabel(`Password of ${OWNER.name}`).fill(OWNER.password);
  await button(proof, "Confirm").click();
  await page.getByRole("dialog", { name: "The secret of “Proven”" }).waitFor();
});
