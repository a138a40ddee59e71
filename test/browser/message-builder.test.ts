// The goal: whatever the page offers to paste into an alert is carried out as it says.
// The method: what was copied is filled in as TradingView fills it in, and sent to the webhook.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { accountNames, frontMonth } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { ConsoleSite, doubleClick } from "./console-kit.ts";

const ACCOUNTS = 5;
const MNQ = frontMonth("MNQ");

let site: ConsoleSite;
const nextAccount = accountNames(ACCOUNTS);

beforeAll(async () => {
  site = await ConsoleSite.open({ settings: { PAPER_ACCOUNTS: `1-${ACCOUNTS}` } });
});
afterAll(async () => {
  await site.close();
});

interface Builder {
  readonly page: Page;
  readonly account: string;
  readonly url: string;
  readonly id: string;
  readonly message: Locator;
}

/** The page of a webhook of its own. */
async function openBuilder(options: object = {}): Promise<Builder> {
  const account = nextAccount();
  const body = { accountId: account, name: `Of ${account}`, ...options };
  const reply = await site.gateway.api.post("/v1/webhooks", body);
  expect(reply.status).toBe(201);
  const { id, url } = reply.body as { id: string; url: string };
  const page = await site.open(`/webhooks/${id}`);
  const message = page.getByRole("region", { name: "Message for the alert" });
  await message.getByRole("button", { name: "Copy it" }).waitFor();
  return { page, account, url, id, message };
}

/** The text to paste, once the page shows the choice. */
async function copy({ page, message }: Builder): Promise<string> {
  // The page draws what was chosen in its next frames.
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))");
  // For some seconds it says that it has: the next copy need not wait for that.
  await message.getByRole("button", { name: /^(Copy it|Copied)$/ }).click();
  const shown = (await message.getByRole("code").textContent()) ?? "";
  const read = async () => await page.evaluate("navigator.clipboard.readText()");
  await expect.poll(read).toBe(shown);
  return shown;
}

let fired = 0;

/** What TradingView puts in the place of each placeholder; no two alerts fire in one second. */
function fillIn(message: string, side: "buy" | "sell"): string {
  fired = Math.max(fired + 1_000, Date.now() - 20_000);
  const isBuy = side === "buy";
  const values = {
    "{{strategy.order.action}}": side,
    "{{strategy.order.contracts}}": "2",
    "{{strategy.order.id}}": isBuy ? "Long" : "Short",
    "{{strategy.market_position}}": isBuy ? "long" : "short",
    "{{strategy.market_position_size}}": "2",
    "{{strategy.prev_market_position}}": "flat",
    "{{strategy.prev_market_position_size}}": "0",
    "{{ticker}}": "MNQ1!",
    "{{close}}": "25000",
    "{{timenow}}": `${new Date(fired).toISOString().slice(0, 19)}Z`,
  };
  let text = message;
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(name, value);
  expect(text).not.toMatch(/{{|}}/);
  return text;
}

/** The exits of a position that is opened at 25000, by how they are given. */
const LEVELS: Readonly<Record<string, (isAbove: boolean) => string>> = {
  "Ticks from the fill": () => "40",
  "Points from the fill": () => "10",
  "At a price": (isAbove) => (isAbove ? "25010" : "24990"),
};

async function chooseLeg(message: Locator, name: string, unit: string, isAbove: boolean) {
  const leg = message.getByRole("group", { name });
  await leg.getByRole("combobox").selectOption(unit);
  const level = LEVELS[unit];
  if (level !== undefined) await leg.getByRole("textbox").fill(level(isAbove));
}

/** How an exit can be given in the profile's words, as the page offers it. */
async function unitsOf(message: Locator): Promise<string[]> {
  const leg = message.getByRole("group", { name: "Stop-loss" });
  if ((await leg.count()) === 0) return [];
  return await leg.getByRole("combobox").getByRole("option").allTextContents();
}

const PROFILES = ["native", "position", "traderspost", "crosstrade", "pickmytrade"] as const;

/** By what the page calls the action; a strategy goes one way and the other. */
const SIDES = {
  "What the strategy does": ["buy", "sell"],
  "Always buy": ["buy"],
  "Always sell": ["sell"],
} as const;

interface Entry {
  readonly action: string;
  readonly unit: string;
  readonly side: "buy" | "sell";
}

/** Sends what is built, looks at the broker, and closes it by the message that closes. */
async function tryEntry(builder: Builder, { action, unit, side }: Entry): Promise<void> {
  const { account, message, url } = builder;
  const choice = message.getByLabel("Action");
  await choice.selectOption(action);
  await chooseLeg(message, "Stop-loss", unit, side === "sell");
  await chooseLeg(message, "Take-profit", unit, side === "buy");
  const { status, text } = await postAlert(url, fillIn(await copy(builder), side));
  const { broker } = site.gateway;
  const held = await broker.positions(account);
  const exits = (await broker.working(account)).length;
  expect({ action, unit, side, held, exits, status, text }).toMatchObject({
    held: { [MNQ.code]: side === "buy" ? 2 : -2 },
    exits: unit === "None" ? 0 : 2,
    status: 200,
  });
  await choice.selectOption("Always close");
  expect((await postAlert(url, fillIn(await copy(builder), "sell"))).status).toBe(200);
  expect(await broker.positions(account)).toEqual({});
}

// unit/console/message-draft reads each pair of action and unit in the words of every profile.
test("entries and closes are filled as they are built, with the exits that were asked for", async () => {
  const builder = await openBuilder({ defaultQty: 2 });
  const { message } = builder;
  const units = await unitsOf(message);
  expect(units.toSorted()).toEqual([...Object.keys(LEVELS), "None"].toSorted());
  const actions = Object.entries(SIDES);
  for (const [place, unit] of units.entries()) {
    const [action, sides] = actions[place % actions.length] as (typeof actions)[number];
    await tryEntry(builder, { action, unit, side: sides[place % sides.length] ?? "buy" });
  }

  // Each placeholder is explained beside the message.
  await message.getByLabel("Action").selectOption("What the strategy does");
  const names = (await copy(builder)).match(/{{[^}]+}}/g) ?? [];
  expect(names.length).toBeGreaterThan(3);
  const terms = async () => await message.getByRole("term").allTextContents();
  await expect.poll(async () => (await terms()).toSorted()).toEqual([...new Set(names)].toSorted());
});

describe("a test", () => {
  test("says what would be done, and no order exists afterwards", async () => {
    const { account, id, page } = await openBuilder();
    const trial = page.getByRole("region", { name: "Try it" });
    await trial
      .getByLabel("The message with sample values")
      .fill(JSON.stringify({ symbol: MNQ.symbol, action: "buy", qty: 2, stopLoss: { ticks: 20 } }));
    await doubleClick(trial.getByRole("button", { name: "Send a test" }));
    await trial.getByText("It would be accepted").waitFor();
    const said = async () => await trial.getByRole("listitem").first().textContent();
    await expect.poll(said).toContain(`buy 2 ${MNQ.symbol}`);
    const { broker, api } = site.gateway;
    expect(await broker.filled(account)).toEqual({ qty: 0, orders: 0 });
    expect(await broker.working(account)).toEqual([]);
    const { alerts } = (await api.get(`/v1/alerts?webhookId=${id}`)).body;
    expect(alerts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["test"]);
    expect((await api.get(`/v1/accounts/${account}/intents`)).body.intents).toEqual([]);
  });

  // With no quantity of the webhook's own to fall back on.
  test("the message as it is built passes it at once, in each profile's words", async () => {
    const page = await site.open();
    const accountId = nextAccount();
    for (const profile of PROFILES) {
      const { body } = await site.gateway.api.post("/v1/webhooks", {
        accountId,
        name: `In the words of ${profile}`,
        profile,
      });
      // From one to the next, an answer might be the one before.
      await page.goto("/console/#/webhooks");
      await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
      await page.goto(`/console/#/webhooks/${body.id}`);
      await page.getByRole("heading", { name: `In the words of ${profile}` }).waitFor();
      const trial = page.getByRole("region", { name: "Try it" });
      await trial.getByRole("button", { name: "Send a test" }).click();
      await trial.getByText("It would be accepted").waitFor();
    }
  });

  test("what would be refused is told with the reason, by the limits that hold now", async () => {
    const { account, page } = await openBuilder();
    const limits = { maxOrderQty: 1, maxPositionQty: 5, maxOrdersPerMinute: 50 };
    await site.gateway.api.put(`/v1/accounts/${account}/limits`, limits);
    const trial = page.getByRole("region", { name: "Try it" });
    const message = trial.getByLabel("The message with sample values");
    const send = trial.getByRole("button", { name: "Send a test" });
    for (const [text, reason] of [
      [JSON.stringify({ symbol: MNQ.symbol, action: "buy", qty: 2 }), /limit|at most/i],
      [JSON.stringify({ symbol: "NOPE", action: "buy", qty: 1 }), /NOPE/],
      ["buy something", /JSON|read/i],
      ['{"symbol":"{{ticker}}","action":"buy","qty":1}', /placeholder|{{ticker}}/],
    ] as const) {
      await message.fill(text);
      await send.click();
      // The verdict, and then its reason; the answer to the message before may still be there.
      const said = async () => (await trial.textContent())?.replace(text, "");
      const refused = new RegExp(`would be refused[^]*(?:${reason.source})`, "i");
      await expect.poll(said).toMatch(refused);
    }
    expect(await site.gateway.broker.filled(account)).toEqual({ qty: 0, orders: 0 });
  });
});

test("it fits in every look, with an answer", async () => {
  const { page, message } = await openBuilder({
    symbolMap: { NQ: "MNQ" },
    allowedSymbols: ["MNQ", "ES"],
  });
  await chooseLeg(message, "Stop-loss", "Ticks from the fill", false);
  await page.getByRole("button", { name: "Send a test" }).click();
  const trial = page.getByRole("region", { name: "Try it" });
  await trial
    .getByText(/would be/)
    .first()
    .waitFor();
  await trial.getByText("Full answer").click();
  await page.getByText("DEMO", { exact: true }).first().waitFor();
  await expectFit(page);
});
