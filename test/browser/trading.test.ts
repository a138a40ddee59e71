// The goal: what a person does to an account in its page is done once, as was said, and nothing else.
// The method: the paper broker behind the gateway, asked itself what became of it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { accountNames, frontMonth } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { AccountView, tabToText } from "./account-view.ts";
import { ConsoleSite, doubleClick, untilFocused } from "./console-kit.ts";

const MNQ = frontMonth("MNQ");
const MES = frontMonth("MES");
const ACCOUNTS = 18;

let site: ConsoleSite;
const nextAccount = accountNames(ACCOUNTS);

beforeAll(async () => {
  site = await ConsoleSite.open({ settings: { PAPER_ACCOUNTS: `1-${ACCOUNTS}` } });
});
afterAll(async () => {
  await site.close();
});

const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 20 } };

/** What a program is answered that asks for an order. */
async function order(account: string, body: object) {
  return await site.gateway.api.post(`/v1/accounts/${account}/orders`, body);
}

/** An account that is long two contracts of MNQ at 25000.25, with both exits. */
async function openHolding(): Promise<AccountView> {
  const id = nextAccount();
  const { url } = await site.gateway.createWebhook(id);
  const entry = { symbol: MNQ.symbol, action: "buy", qty: 2, ...BRACKET };
  expect((await postAlert(url, entry)).body).toMatchObject({ status: "filled", filledQty: 2 });
  const view = await AccountView.open(site, id);
  await view.button("Close …").waitFor();
  await view.button("Cancel …").first().waitFor();
  return view;
}

/** What the account holds, and what rests in it, by the broker itself. */
async function brokerOf({ id }: AccountView) {
  const { broker } = site.gateway;
  const working = await broker.working(id);
  const levels = working.map(({ price, stopPx }) => price ?? stopPx);
  return { held: await broker.positions(id), levels: levels.toSorted(upwards), working };
}

const upwards = (one = 0, other = 0): number => one - other;

/** Both exits of `openHolding`, in ticks. */
const EXITS = [99_981, 100_041];
/** Its entry, in ticks, between both. */
const FILLED_AT = 100_001;

test("an account shows what it holds, what rests in it, and whose money it is", async () => {
  const view = await openHolding();
  const position = async () => await view.row(/Long 2/).textContent();
  for (const part of [MNQ.symbol, "25000.25", "Stop 24995.25 × 2", "Target 25010.25 × 2"]) {
    await expect.poll(position).toContain(part);
  }
  await expect
    .poll(async () => await view.row("stop-loss").textContent())
    .toMatch(/Sell 2.*stop 24995\.25.*Working/);
  await expect
    .poll(async () => await view.row("take-profit").textContent())
    .toMatch(/Sell 2.*limit 25010\.25/);
  await view.card.getByText("DEMO").waitFor();
  // What comes by itself is seen by itself.
  site.gateway.quote(MES, 27_400);
  await order(view.id, { symbol: MES.symbol, action: "sell", qty: 3 });
  await view.row(/Short 3/).waitFor();
  expect(view.sent.filter((one) => one.includes("accounts"))).toEqual([]);
});

describe("each step that sends something is asked about first, and a double click sends it once", () => {
  const STOP = "stop 24995.25";
  const TARGET = "limit 25010.25";
  const POSITIONS = "DELETE /v1/accounts/ID/positions";
  /** The button, its answer, what is told of it, what is sent, and what rests then. */
  const ASKED = [
    [
      "Protect …",
      "Protect 2 contracts",
      ["long 2 MNQ", STOP],
      "POST /v1/accounts/ID/protect",
      [99_960, EXITS[1]],
    ],
    ["Close …", "Close 2 contracts", ["long 2 MNQ", "at the market", STOP], POSITIONS, []],
    ["Close everything …", "Close 2 contracts", ["long 2 MNQ", TARGET], POSITIONS, []],
    [
      "Cancel …",
      "Cancel 2 contracts",
      ["sell 2 MNQ", TARGET],
      "DELETE /v1/accounts/ID/orders/2",
      [EXITS[0]],
    ],
    [
      "Turn on …",
      "Turn the kill switch on",
      ["No position is closed by it"],
      "PUT /v1/kill-switch",
      EXITS,
    ],
  ] as const;

  test.each(ASKED)("%s", async (says, verb, told, sent, levels) => {
    const view = await openHolding();
    const { dialog, page } = view;
    const before = await brokerOf(view);
    const leave = async (how: string) => {
      if (how === "Escape") return await page.keyboard.press("Escape");
      return await dialog.getByRole("button", { name: how }).click();
    };
    for (const how of ["Leave it as it is", "Escape"]) {
      await view.button(says).first().click();
      await dialog.getByRole("button", { name: verb }).waitFor();
      const text = async () => await dialog.textContent();
      for (const part of [...told, view.id, "DEMO"]) await expect.poll(text).toContain(part);
      await leave(how);
      await dialog.waitFor({ state: "detached" });
    }
    expect(changesOf(view)).toEqual([]);
    expect(await brokerOf(view)).toEqual(before);
    // And the person is back where they were.
    await untilFocused(page, view.button(says).first());

    const opener = view.button(says).first();
    await opener.click();
    await dialog.getByRole("button", { name: verb }).waitFor();
    // The second click of a double click, at the same place: it meets what has opened there.
    await opener.click({ force: true });
    expect(changesOf(view)).toEqual([]);
    if (says === "Protect …") {
      await dialog.getByRole("group", { name: "Stop-loss" }).getByLabel("Price").fill("24990");
    }
    await doubleClick(dialog.getByRole("button", { name: verb }));
    await dialog.waitFor({ state: "detached" });
    const changes = changesOf(view);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatch(asPattern(sent.replace("ID", view.id)));
    // One entry, and one order that closed it at most.
    const isClosed = says.startsWith("Close");
    expect(await site.gateway.broker.filled(view.id)).toEqual(
      isClosed ? { qty: 4, orders: 2 } : { qty: 2, orders: 1 },
    );
    expect(await brokerOf(view)).toMatchObject({ levels });
    // The page shows each order that is left, and no other.
    await expect.poll(async () => await view.button("Cancel …").count()).toBe(levels.length);
    const left = {
      stop: levels.filter((level = 0) => level < FILLED_AT).length,
      target: levels.filter((level = 0) => level > FILLED_AT).length,
    };
    const shown = async () => ({
      stop: await view.row("stop-loss").count(),
      target: await view.row("take-profit").count(),
    });
    await expect.poll(shown).toEqual(left);
  });
});

const changesOf = (view: AccountView): readonly string[] =>
  view.sent.filter((one) => one !== "POST /v1/session");

/** An order's id is the broker's own. */
const asPattern = (sent: string): RegExp =>
  new RegExp(`^${sent.replace(/\d+$/, String.raw`\d+`)}$`);

describe("protect", () => {
  test("a stop is moved by ticks, and the target stays where it is", async () => {
    const view = await openHolding();
    const dialog = await view.ask("Protect …");
    const verb = dialog.getByRole("button", { name: "Protect 2 contracts" });
    expect(await verb.isDisabled()).toBe(true);
    const stop = dialog.getByRole("group", { name: "Stop-loss" });
    await stop.getByLabel("Given").selectOption("Ticks from the average price");
    await stop.getByLabel("Ticks").fill("30");
    await dialog.getByText("For 2 contracts: stop-loss 30 ticks away").waitFor();
    await view.answer("Protect 2 contracts");
    await view.row(/Long 2.*Stop 24992\.75 × 2.*Target 25010\.25 × 2/).waitFor();
    expect(await brokerOf(view)).toMatchObject({ levels: [99_971, 100_041] });
  });

  test("both exits are given by price to a position without any", async () => {
    const view = await AccountView.open(site, nextAccount());
    await order(view.id, { symbol: MNQ.symbol, action: "sell", qty: 1 });
    await view.row(/Short 1/).waitFor();
    const dialog = await view.ask("Protect …");
    for (const [name, price] of [
      ["Stop-loss", "25020"],
      ["Take-profit", "24980.5"],
    ] as const) {
      await dialog.getByRole("group", { name }).getByLabel("Price").fill(price);
    }
    await view.answer("Protect 1 contract");
    await view.row(/Short 1.*Stop 25020\.00 × 1.*Target 24980\.50 × 1/).waitFor();
    expect(await brokerOf(view)).toMatchObject({ levels: [99_922, 100_080] });
  });

  test("what the gateway refuses is told in the dialog, and nothing has changed", async () => {
    const view = await openHolding();
    const dialog = await view.ask("Protect …");
    const stop = dialog.getByRole("group", { name: "Stop-loss" });
    // Above the market, so that it would close the position at once.
    await stop.getByLabel("Price").fill("25100");
    await dialog.getByRole("button", { name: "Protect 2 contracts" }).click();
    await dialog.getByRole("alert").filter({ hasText: /stop/i }).first().waitFor();
    expect(await brokerOf(view)).toMatchObject({ levels: EXITS });
  });
});

test("one position is closed and the other one stays, until everything is closed", async () => {
  const view = await openHolding();
  await order(view.id, { symbol: MES.symbol, action: "sell", qty: 1, bracket: BRACKET });
  await view.row(/Short 1/).waitFor();
  const dialog = await view.ask(`Close … ${MNQ.symbol}`);
  await dialog.getByText("These stay:").waitFor();
  await dialog.getByText(`short 1 ${MES.symbol}`).first().waitFor();
  await view.answer("Close 2 contracts");
  await view.card.getByText(`Closed: long 2 ${MNQ.symbol}. Cancelled 2 orders.`).waitFor();
  await view.row(/Long 2/).waitFor({ state: "detached" });
  const { held, working } = await brokerOf(view);
  expect([held, working.length]).toEqual([{ [MES.code]: -1 }, 2]);

  const again = { symbol: MNQ.symbol, action: "buy", qty: 2, bracket: BRACKET };
  await order(view.id, again);
  await view.row(/Long 2/).waitFor();
  await view.ask("Close everything …");
  await view.answer("Close 3 contracts");
  await view.card.getByText("No open positions.").waitFor();
  await view.card.getByText("No working orders.").waitFor();
  const { body } = await site.gateway.api.get(`/v1/accounts/${view.id}/positions`);
  expect(body.positions).toEqual([]);
  expect(await brokerOf(view)).toEqual({ held: {}, levels: [], working: [] });
});

describe("kill switch", () => {
  const ENTRY = { symbol: MNQ.symbol, action: "buy", qty: 1 };
  const EXIT = { symbol: MNQ.symbol, action: "sell", qty: 1 };

  test("of one account: it takes exits only until it is turned off, and others trade on", async () => {
    const view = await openHolding();
    const dialog = await view.ask("Turn on …");
    await dialog.getByLabel("Reason, for the record").fill("out for lunch");
    await view.answer("Turn the kill switch on");
    await view.card.getByText("Kill switch on").waitFor();
    await view.card.getByText("out for lunch").waitFor();
    const refused = await order(view.id, ENTRY);
    expect([refused.status, refused.body.error.code]).toEqual([422, "KILL_SWITCH_ON"]);
    expect((await order(view.id, EXIT)).body).toMatchObject({ status: "filled" });
    expect((await order(nextAccount(), ENTRY)).body).toMatchObject({ status: "filled" });

    await view.ask("Turn off …");
    await view.answer("Turn the kill switch off");
    await view.card.getByText("Kill switch on").waitFor({ state: "detached" });
    expect((await order(view.id, ENTRY)).body).toMatchObject({ status: "filled" });
  });

  test("of all accounts: it is asked about, takes exits only, and can be turned off", async () => {
    const view = await openHolding();
    const all = view.page.getByRole("region", { name: "Kill switch of all accounts" });
    await all.getByRole("button", { name: "Turn on …" }).click();
    await expect.poll(async () => await view.dialog.textContent()).toContain("all accounts");
    await view.answer("Leave it as it is");
    expect((await order(nextAccount(), ENTRY)).status).toBe(201);
    await all.getByRole("button", { name: "Turn on …" }).click();
    try {
      await view.answer("Turn the kill switch on");
      await all.getByRole("button", { name: "Turn off …" }).waitFor();
      await view.card.getByText("The switch of all accounts is on.").waitFor();
      for (const account of [view.id, nextAccount()]) {
        expect((await order(account, ENTRY)).body.error.code).toBe("KILL_SWITCH_ON");
      }
      expect((await order(view.id, EXIT)).body).toMatchObject({ status: "filled" });
    } finally {
      await all.getByRole("button", { name: "Turn off …" }).click();
      await view.answer("Turn the kill switch off");
    }
    await all.getByRole("button", { name: "Turn on …" }).waitFor();
    expect((await order(view.id, ENTRY)).body).toMatchObject({ status: "filled" });
  });
});

test("a limit is changed, and what is above it is refused", async () => {
  const view = await AccountView.open(site, nextAccount());
  const field = view.card.getByLabel("Contracts in one order");
  await view.button("Change").click();
  await field.fill("0");
  await view.button("Save").click();
  await expect.poll(async () => await field.getAttribute("aria-invalid")).toBe("true");
  await field.fill("3");
  await view.button("Save").click();
  await field.waitFor({ state: "detached" });
  // It is read again first: the form would begin with what was there before.
  const shown = view.card.locator('dt:text-is("Contracts in one order") + dd');
  await expect.poll(async () => await shown.textContent()).toBe("3");
  const limits = await site.gateway.api.get(`/v1/accounts/${view.id}/limits`);
  expect(limits.body).toMatchObject({ maxOrderQty: 3 });
  const refused = await order(view.id, { symbol: MNQ.symbol, action: "buy", qty: 4 });
  expect(refused.body.error.code).toBe("LIMIT_EXCEEDED");
  // What was typed and not saved is gone.
  await view.button("Change").click();
  await field.fill("9");
  await view.button("Cancel").click();
  await view.button("Change").click();
  expect(await field.inputValue()).toBe("3");
});

test("a position is closed by keyboard alone", async () => {
  const view = await openHolding();
  const { page } = view;
  await page.reload();
  await view.button(view.name).waitFor();
  await tabToText(page, view.name);
  await page.keyboard.press("Enter");
  await view.button("Close everything").waitFor();
  await tabToText(page, "Close everything …");
  await page.keyboard.press("Enter");
  await view.dialog.waitFor();
  // A slip of the finger is not agreement: the way out comes first.
  await tabToText(page, "Leave it as it is");
  await tabToText(page, "Close 2 contracts");
  await page.keyboard.press("Enter");
  await view.card.getByText("No open positions.").waitFor();
  expect((await brokerOf(view)).held).toEqual({});
});

test("it fits in every look, dialogs too", async () => {
  const view = await openHolding();
  await expectFit(view.page);
  for (const says of ["Protect …", "Close …", "Cancel …", "Turn on …"]) {
    await view.button(says).first().click();
    await view.dialog.waitFor();
    await expectFit(view.page);
    await view.answer("Leave it as it is");
  }
  await view.button("Change").click();
  await expectFit(view.page);
});
