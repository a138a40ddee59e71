// The goal: a person sees what a strategy decides and why, and lets none trade unknowingly.
// The method: strategies on paper accounts over bars set by hand; what the pages say of them and do
// for them is compared with what the gateway and the broker have.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectFit } from "../support/browser.ts";
import { accountNames, frontMonth } from "../support/gateway.ts";
import { waitUntil } from "../support/wait.ts";
import { changesSentBy, tabToText } from "./account-view.ts";
import { ConsoleSite, doubleClick, tabTo, untilFocused } from "./console-kit.ts";
import { type Made, markedPixels, StrategyView, waves } from "./strategy-view.ts";

const ACCOUNTS = 20;
const MNQ = frontMonth("MNQ");
const STRATEGIES = "/v1/strategies";

const CROSS = {
  indicators: { fast: { type: "ema", period: 9 }, slow: { type: "ema", period: 21 } },
  conditions: { enterLong: "close[0] > open[0]", exitLong: "crossesBelow(fast, slow)" },
};

let site: ConsoleSite;
let strategies = 0;
const nextAccount = accountNames(ACCOUNTS);

beforeAll(async () => {
  site = await ConsoleSite.open({ settings: { PAPER_ACCOUNTS: `1-${ACCOUNTS}` } });
  setBars();
  // The first evaluation starts the thread that computes, which a busy machine may not do in time.
  await evaluate(await make(), { dryRun: true });
});
// Bars are too old after two more: on a slow machine, before the last test.
const setBars = () => site.gateway.feed.setBars(MNQ.code, 5, waves(200, 5, 100_000));
beforeEach(setBars);
afterAll(async () => {
  await site.close();
});

const held = async (account: string) => await site.gateway.broker.positions(account);

/** A strategy on an account of its own. */
async function make(more: object = {}): Promise<Made> {
  strategies += 1;
  const name = `Strategy ${strategies}.`;
  const account = nextAccount();
  const { status, body } = await site.gateway.api.post(STRATEGIES, {
    name,
    accountId: account,
    symbol: "MNQ1!",
    barMinutes: 5,
    ...CROSS,
    ...more,
  });
  expect([status, body.error]).toEqual([201, undefined]);
  return { id: String(body.id), name, account };
}

const open = async (more?: object): Promise<StrategyView> =>
  await StrategyView.open(site, await make(more));

/**
 * As a program would; bars are the account's own unless given. A busy machine may not compute it in time:
 * nothing was sent then, and it may be asked for again.
 */
const evaluate = async ({ id }: Made, more: object = {}): Promise<void> =>
  await waitUntil("it is evaluated", async () => {
    const { status, body } = await site.gateway.api.post(`${STRATEGIES}/${id}/evaluate`, more);
    if (status === 503 && body.error.retry === "safe") return false;
    expect([status, body.error]).toEqual([200, undefined]);
    return true;
  });

const openForm = async () => {
  const page = await site.open("/strategies");
  await page.getByRole("button", { name: "Create a strategy" }).click();
  return { page, form: page.getByRole("dialog", { name: "Create a strategy" }) };
};

describe("the form", () => {
  test("by keyboard alone: a wrong condition is told at its field, the right one is created", async () => {
    const page = await site.open("/strategies");
    const into = async (label: string, text: string) => {
      await tabTo(page, form.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    };
    const sent = changesSentBy(page);
    await tabTo(page, page.getByRole("button", { name: "Create a strategy" }));
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Create a strategy" });
    await untilFocused(page, form.getByLabel("Name"));
    await page.keyboard.type("By keyboard");
    await into("Symbol", "MNQ1!");
    await tabToText(page, "Add an indicator");
    await page.keyboard.press("Enter");
    const row = form.getByRole("group", { name: "Indicator" });
    await page.keyboard.press("Shift+Tab");
    await tabTo(page, row.getByLabel("Name", { exact: true }));
    await page.keyboard.type("fast");
    await into("Enter long when", "close[0] > quick[0]");
    await tabToText(page, "Create it");
    await page.keyboard.press("Enter");

    const wrong = form.getByLabel("Enter long when");
    await untilFocused(page, wrong);
    expect(await wrong.getAttribute("aria-invalid")).toBe("true");
    const told = await wrong.getAttribute("aria-describedby");
    await form
      .locator(`[id="${told}"]`)
      .getByText(/Unknown variable: quick/)
      .waitFor();
    expect(sent).toEqual([`POST ${STRATEGIES}`]);

    await page.keyboard.press("Control+A");
    await page.keyboard.type("close[0] > fast[0]");
    await tabToText(page, "Create it");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "By keyboard" }).waitFor();
    const made = (await site.gateway.api.get(STRATEGIES)).body.strategies.find(
      ({ name }: { name: string }) => name === "By keyboard",
    );
    expect(made).toMatchObject({
      symbol: "MNQ1!",
      barMinutes: 5,
      indicators: { fast: { type: "ema", period: 20 } },
      conditions: { enterLong: "close[0] > fast[0]" },
      mode: "observe",
      schedule: null,
    });
  });

  test("tells each problem at its own field, and what it knows itself without asking", async () => {
    const { page, form } = await openForm();
    const isWrong = async (label: string) =>
      await form.getByLabel(label, { exact: true }).getAttribute("aria-invalid");
    const fill = async (label: string, text: string) =>
      await form.getByLabel(label, { exact: true }).fill(text);
    await fill("Symbol", "MNQ1!");
    await form.getByRole("button", { name: "Add an indicator" }).click();
    const row = form.getByRole("group", { name: "Indicator" });
    await row.getByLabel("Name", { exact: true }).fill("fast");
    await row.getByLabel("Period, bars").fill("1000");
    await fill("Number of bars", "many");
    await fill("Stop loss, ticks", "0");
    await fill("Enter long when", "true");
    await form.getByRole("button", { name: "Create it" }).click();
    const invalid = form.locator('[aria-invalid="true"]');
    await expect.poll(async () => await invalid.count()).toBe(3);
    await form
      .getByText(/must be a whole number/)
      .first()
      .waitFor();
    expect(await isWrong("Number of bars")).toBe("true");
    expect(await isWrong("Period, bars")).toBe("true");
    expect(await row.getByLabel("Name", { exact: true }).getAttribute("aria-invalid")).toBeNull();

    await row.getByLabel("Period, bars").fill("150");
    await fill("Number of bars", "100");
    await fill("Stop loss, ticks", "");
    await fill("When", "61 * * * *");
    await fill("Time zone", "Mars/Base");
    await form.getByRole("button", { name: "Create it" }).click();
    await form.getByText("needs 150 bars, and barCount is 100").first().waitFor();
    expect(await row.getByLabel("Name", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await isWrong("When")).toBe("true");
    expect(await isWrong("Time zone")).toBe("true");

    await row.getByLabel("Period, bars").fill("15");
    await fill("When", "0 9 * * *");
    await fill("Time zone", "America/Chicago");
    await fill("Enter long when", "");
    await fill("Exit long when", "true");
    await form.getByRole("button", { name: "Create it" }).click();
    const conditions = form.getByRole("group", { name: "Conditions" });
    await conditions.getByText("need enterLong, enterShort or both").waitFor();
    await fill("Symbol", "NOPE");
    await form.getByRole("button", { name: "Create it" }).click();
    await untilFocused(page, form.getByLabel("Symbol"));

    const sent = changesSentBy(page);
    await form.getByRole("button", { name: "Add an indicator" }).click();
    const rows = form.getByRole("group", { name: /^Indicator / });
    await rows.last().getByLabel("Name", { exact: true }).fill("fast");
    await form.getByRole("button", { name: "Create it" }).click();
    await form.getByText("Is the name of another indicator too").waitFor();
    await form.getByRole("button", { name: "Remove indicator fast" }).first().click();
    await form.getByText("Is the name of another indicator too").waitFor({ state: "detached" });
    expect(sent).toEqual([]);
  });

  test("tells at its field that an exit is no whole number of ticks away", async () => {
    const view = await open({ bracket: { stopLoss: { offset: 10 } } });
    const form = await view.ask("Edit");
    await form.getByLabel("Stop loss, in price").fill("10.1");
    await form.getByRole("button", { name: "Save" }).click();
    await untilFocused(view.page, form.getByLabel("Stop loss, in price"));
    await form.getByText(/tick/).first().waitFor();
  });

  test("asks before it makes one that trades, and says what that means", async () => {
    const account = nextAccount();
    const { page, form } = await openForm();
    const sent = changesSentBy(page);
    await form.getByLabel("Name").fill("Trades at once");
    await form.getByLabel("Account").selectOption(account);
    await form.getByLabel("Symbol").fill("MNQ1!");
    await form.getByLabel("Enter long when").fill("close[0] > open[0]");
    await form.getByLabel("Mode").selectOption("trade");
    await form.getByRole("button", { name: "Create it" }).click();
    const question = page.getByRole("dialog", { name: "Let it trade" });
    await expect
      .poll(async () => await question.textContent())
      .toMatch(/DEMO.*MNQ1!.*sends orders.*1 of MNQ1!/);
    await question.getByRole("button", { name: "Leave it as it is" }).click();
    await question.waitFor({ state: "detached" });
    expect(sent).toEqual([]);
    await form.getByRole("button", { name: "Create it" }).click();
    await question.getByRole("button", { name: "Create it, and let it trade" }).click();
    await page.getByRole("heading", { level: 1, name: "Trades at once" }).waitFor();
    expect(sent).toEqual([`POST ${STRATEGIES}`]);
  });

  test("changes what was changed, and nothing else", async () => {
    const view = await open({ bracket: { stopLoss: { offset: 10 } } });
    const form = await view.ask("Edit");
    expect(await form.getByLabel("Stop loss, in price").inputValue()).toBe("10");
    const slow = form.getByRole("group", { name: "Indicator slow" });
    await slow.getByLabel("Type").selectOption("bollinger");
    await form.getByLabel("Exit long when").fill("close[0] < slow.lower[0]");
    await view.page.keyboard.press("Escape");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await view.region("Rules").getByText("bollinger 21 2").waitFor();
    expect(await view.stored()).toMatchObject({
      indicators: {
        fast: { type: "ema", period: 9 },
        slow: { type: "bollinger", period: 21, deviations: 2 },
      },
      conditions: { enterLong: "close[0] > open[0]", exitLong: "close[0] < slow.lower[0]" },
      bracket: { stopLoss: { offset: 10 } },
      version: 2,
    });
  });
});

describe("an evaluation", () => {
  test("now says what it would do and why, sends nothing, and stands in the log", async () => {
    const view = await open({ mode: "trade" });
    await view.button("Evaluate now").click();
    const answer = view.region("State").getByRole("status").filter({ hasText: "Evaluated" });
    await answer.getByText("Evaluated, and nothing was sent").waitFor();
    const said = async () => await answer.textContent();
    await expect
      .poll(said)
      .toMatch(/Enter long.*enterLong is true, it is flat.*A dry run: nothing was sent/);
    await expect.poll(said).toMatch(/flat, to be long 1 in MNQ.*fast 2\d{4}.*slow 2\d{4}/);
    await expect.poll(said).toMatch(/enterLong ✓true.*exitLong –false/);
    expect(view.sent).toEqual([`POST ${STRATEGIES}/${view.made.id}/evaluate`]);
    expect(await held(view.made.account)).toEqual({});

    const line = view.logged("dry run");
    await line.getByText("flat → long 1").waitFor();
    const [newest] = (await site.gateway.api.get(`${STRATEGIES}/${view.made.id}/logs`)).body.logs;
    await line.getByRole("button", { expanded: false }).press("Enter");
    await view.region("Log").getByText(newest.inputsHash).waitFor();
    await line.getByRole("button", { expanded: true }).press("Enter");
    await view.region("Log").getByText(newest.inputsHash).waitFor({ state: "detached" });
  });

  test("that trades is asked about, is carried out once, and leads to its intent", async () => {
    const view = await open({ mode: "trade", bracket: { stopLoss: { ticks: 400 } } });
    const dialog = await view.ask("Evaluate and trade");
    await expect
      .poll(async () => await dialog.textContent())
      .toMatch(/DEMO.*MNQ1!.*carries out at once.*1 of MNQ1!/);
    await view.answer("Leave it as it is");
    expect(view.sent).toEqual([]);
    await view.ask("Evaluate and trade");
    await doubleClick(view.dialog.getByRole("button", { name: "Evaluate and trade" }));
    await view.dialog.waitFor({ state: "detached" });
    await view.region("State").getByText("Evaluated and carried out").waitFor();
    expect(view.sent).toEqual([`POST ${STRATEGIES}/${view.made.id}/evaluate`]);
    expect(await held(view.made.account)).toEqual({ [MNQ.code]: 1 });

    const line = view.logged("asked for");
    await line.getByText("✓Done").waitFor();
    await line.getByRole("button", { expanded: false }).click();
    const [page] = await Promise.all([
      view.page.waitForEvent("popup"),
      view
        .region("Log")
        .getByRole("link", { name: /its record/ })
        .click(),
    ]);
    await page.waitForLoadState();
    expect(JSON.parse((await page.locator("body").textContent()) ?? "")).toMatchObject({
      accountId: view.made.account,
    });
  });

  test("that could not decide says so, in the list too", async () => {
    const made = await make({
      barMinutes: 15,
      schedule: { cron: "*/10 * * * * *", timeZone: "UTC" },
    });
    const view = await StrategyView.open(site, made);
    await view.button("Evaluate now").click();
    await view.region("State").getByText("There are no bars yet").first().waitFor();
    await view.page.getByRole("link", { name: "All strategies" }).click();
    const row = view.page.getByRole("row").filter({ hasText: made.name });
    await row.getByText("Not ready").waitFor();
    await row.getByText("✓Scheduled").waitFor();
    await row.getByText("Observes only").waitFor();
  });

  test("by its schedule comes into the open page by itself", async () => {
    const view = await open({ schedule: { cron: "*/10 * * * * *", timeZone: "UTC" } });
    const line = view.logged("It only observes: nothing was sent.").first();
    await line.waitFor();
    await expect.poll(async () => await line.textContent()).toContain("Enter long");
    await view.region("State").getByText("✓Scheduled").waitFor();
  });

  test("of which nothing came is left out where only what mattered is asked for", async () => {
    const made = await make({ conditions: { enterLong: "close[0] > open[0]" } });
    await evaluate(made, { dryRun: true, position: { netQty: 1, averagePrice: 25_000 } });
    await evaluate(made);
    const view = await StrategyView.open(site, made);
    await view.logged("Nothing was to change.").waitFor();
    await view.region("Log").getByLabel("Only what mattered").check();
    await view.logged("Nothing was to change.").waitFor({ state: "detached" });
    await view.logged("It only observes").waitFor();
    expect(view.page.url()).toContain("notable=true");
  });

  test("long ago is found by going back", async () => {
    const made = await make();
    for (let n = 0; n < 52; n += 1) await evaluate(made, { dryRun: true });
    const view = await StrategyView.open(site, made);
    const lines = view.logged("dry run");
    await expect.poll(async () => await lines.count()).toBe(50);
    await view.page.getByRole("button", { name: "Older evaluations" }).click();
    await view.region("Log").getByText("End of the list.").waitFor();
    expect(await lines.count()).toBe(52);
  });
});

describe("the chart", () => {
  test("draws bars, lines and each decision, and says all of it in words and in a table", async () => {
    const made = await make({
      indicators: { ...CROSS.indicators, strength: { type: "rsi", period: 14 } },
    });
    const plain = await StrategyView.open(site, made);
    await plain.plot.waitFor();
    await expect
      .poll(async () => await plain.plot.getAttribute("aria-label"))
      .toMatch(
        new RegExp(
          `^200 bars of 5 minutes of ${MNQ.symbol} .*, last price \\S+, with no decision$`,
        ),
      );
    expect(await markedPixels(plain)).toBe(0);

    await evaluate(made);
    const view = await StrategyView.open(site, made);
    await view.plot.and(view.page.getByLabel("1 entry long")).waitFor();
    expect(await markedPixels(view)).toBeGreaterThan(10);
    await view
      .region("Chart")
      .getByRole("img", { name: /strength \d/ })
      .waitFor();
    await view.region("Chart").getByText("As a table").click();
    const rows = view.region("Chart").getByRole("row");
    await expect.poll(async () => await rows.count()).toBe(201);
    const newest = await rows.nth(1).innerText();
    expect(newest).toContain("Enter long: It only observes: nothing was sent.");
    expect(newest.split("\t").slice(1, 8).map(Number)).not.toContain(Number.NaN);
  });

  test("stays as a table where what draws it cannot be had", async () => {
    const made = await make();
    const page = await site.openFresh("/strategies");
    await page.route("**/assets/uPlot*", (route) => route.abort());
    await page.goto(`/console/#/strategies/${made.id}`);
    const chart = page.getByRole("region", { name: "Chart" });
    await chart.getByText("As a table").click();
    await chart.getByRole("row").nth(200).waitFor();
    expect(await chart.locator("canvas").count()).toBe(0);
  });

  test("says why there is none", async () => {
    const bare = await open({ symbol: "ES1!" });
    await bare
      .region("Chart")
      .getByText(/broker tells the gateway no bars of ES/)
      .waitFor();
    const made = await make();
    const page = await site.open("/strategies");
    const error = { code: "BROKER_UNAVAILABLE", message: "Down", retry: "safe" };
    await page.route("**/chart", (route) => route.fulfill({ status: 503, json: { error } }));
    await page.goto(`/console/#/strategies/${made.id}`);
    await page.getByText("its connection is down").waitFor();
  });
});

describe("a strategy", () => {
  test("trades only after a question, and stops after another one", async () => {
    const view = await open();
    expect(await view.button("Evaluate and trade").count()).toBe(0);
    const dialog = await view.ask("Let it trade");
    await expect
      .poll(async () => await dialog.textContent())
      .toMatch(/DEMO.*sends orders when it is asked to/);
    await view.answer("Leave it as it is");
    expect(view.sent).toEqual([]);
    await view.ask("Let it trade");
    await view.answer("Let it trade");
    await view.button("Evaluate and trade").waitFor();
    expect(await view.stored()).toMatchObject({ mode: "trade", enabled: true });

    await view.ask("Switch off");
    await expect.poll(async () => await dialog.textContent()).toContain("Positions stay");
    await view.answer("Switch it off");
    await view.region("State").getByText("–Off", { exact: true }).waitFor();
    expect(await view.button("Evaluate and trade").count()).toBe(0);
    // On again is to trade again.
    await view.ask("Switch on");
    await expect.poll(async () => await dialog.textContent()).toContain("sends orders");
    await view.answer("Switch it on");
    await view.ask("Only observe");
    await view.answer("Only observe");
    await view.region("State").getByText("–Observes only", { exact: true }).waitFor();
    expect(await view.stored()).toMatchObject({ mode: "observe", enabled: true });
  });

  test("that would share a market with another one is refused in the question", async () => {
    const made = await make({ mode: "trade" });
    const other = await site.gateway.api.post(STRATEGIES, {
      name: "The second",
      accountId: made.account,
      symbol: "MNQ1!",
      barMinutes: 5,
      ...CROSS,
    });
    const of = { id: String(other.body.id), name: "The second", account: made.account };
    const view = await StrategyView.open(site, of);
    await view.ask("Let it trade");
    await view.dialog.getByRole("button", { name: "Let it trade", exact: true }).click();
    await view.dialog
      .getByRole("alert")
      .getByText(/trades MNQ on .* already/)
      .waitFor();
    expect(await view.stored()).toMatchObject({ mode: "observe" });
  });

  test("that is deleted is gone with its log, and its position stays", async () => {
    const made = await make({ mode: "trade" });
    await evaluate(made);
    const view = await StrategyView.open(site, made);
    const dialog = await view.ask("Delete");
    await expect
      .poll(async () => await dialog.textContent())
      .toMatch(/its log are deleted.*Positions stay\..*DEMO/);
    await view.answer("Delete it");
    await view.page.getByRole("heading", { level: 1, name: "Strategies" }).waitFor();
    await view.page.getByRole("link", { name: made.name }).waitFor({ state: "detached" });
    expect((await site.gateway.api.get(`${STRATEGIES}/${made.id}`)).status).toBe(404);
    expect(await held(made.account)).toEqual({ [MNQ.code]: 1 });
    await view.page.goto(`/console/#/strategies/${made.id}`);
    await view.page.getByText("This strategy no longer exists.").waitFor();
  });
});

test("pages that cannot be loaded after an update say so, and the others go on", async () => {
  const page = await site.openFresh();
  await page.route("**/assets/strategies-page*", (route) => route.fulfill({ status: 404 }));
  await page.getByRole("link", { name: "Strategies" }).click();
  await page.getByRole("heading", { level: 1, name: "This page could not be loaded" }).waitFor();
  await expectFit(page);
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  await page.getByRole("link", { name: "Strategies" }).click();
  await page.getByRole("heading", { level: 1, name: "This page could not be loaded" }).waitFor();
  await page.unroute("**/assets/strategies-page*");
  await page.getByRole("button", { name: "Reload the console" }).click();
  await page.getByRole("heading", { level: 1, name: "Strategies" }).waitFor();
});

/** All that a page of a strategy can show. */
async function everything(): Promise<Made> {
  const made = await make({
    mode: "trade",
    indicators: {
      ...CROSS.indicators,
      bands: { type: "bollinger", period: 20, deviations: 2 },
      strength: { type: "rsi", period: 14 },
      trend: { type: "macd", fast: 12, slow: 26, signal: 9 },
    },
    bracket: { takeProfit: { ticks: 800 }, stopLoss: { offset: 100 } },
    schedule: { cron: "0 3 * * *", timeZone: "America/Argentina/ComodRivadavia" },
    // The table of the chart has a row for each.
    barCount: 40,
  });
  await evaluate(made);
  await evaluate(made, { dryRun: true, position: { netQty: 0 } });
  return made;
}

test("it fits in every look, dialogs too", async () => {
  const shown = await everything();
  const view = await StrategyView.open(site, shown);
  await view.plot.locator("canvas").waitFor();
  await view.button("Evaluate now").click();
  await view.region("State").getByText("Evaluated, and nothing was sent").waitFor();
  // Each by its own button: the first folded one is another as soon as the page has drawn.
  const folds = view.region("Log").locator("button[aria-expanded]");
  await folds.nth(2).waitFor();
  for (const fold of await folds.all()) await fold.click();
  await view.region("Chart").getByText("As a table").click();
  await expectFit(view.page);
  await view.region("Chart").getByText("As a table").click();
  for (const says of ["Evaluate and trade", "Switch off", "Only observe", "Delete", "Edit"]) {
    await view.ask(says);
    if (says === "Edit") await view.dialog.getByText("What a condition may say").click();
    await expectFit(view.page);
    await view.page.keyboard.press("Escape");
    await view.dialog.waitFor({ state: "detached" });
  }
  await view.page.goto("/console/#/strategies");
  await view.page.getByRole("link", { name: shown.name }).waitFor();
  await expectFit(view.page);
});
