// The goal: a person adds a broker's login, sees how it stands at every moment, and ends it knowingly.
// The method: the Tradovate simulator as a process of its own, stopped and started under the open page.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startProjectXSimulator } from "../simulators/projectx/start.ts";
import { startTradovateSimulator, type TradovateSimulator } from "../simulators/tradovate/start.ts";
import { postAlert } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import { changesSentBy } from "./account-view.ts";
import { expectFit } from "../support/browser.ts";
import { ConsoleSite, doubleClick } from "./console-kit.ts";

const PASSWORD = "hunter2-of-joe";
/** The badge, and no word in a sentence. */
const LIVE = /^live$/i;
const SECRET = "secret-of-the-key";

let site: ConsoleSite;
let simulator: TradovateSimulator;

beforeAll(async () => {
  [site, simulator] = await Promise.all([
    ConsoleSite.open({ settings: { ALLOW_LOCAL_BROKERS: "true" } }),
    startTradovateSimulator(),
  ]);
});
afterAll(async () => {
  await site.close();
  await simulator.stop();
});

let users = 0;

/** A name that nobody has at the broker. */
function nextUser(): string {
  users += 1;
  return `joe${users}`;
}

interface Added {
  readonly id: string;
  readonly user: string;
}

/** A connection that is there before the page is opened, by the user's name. */
async function add(
  more: { broker?: TradovateSimulator; environment?: string; password?: string } = {},
): Promise<Added> {
  const { broker = simulator, environment = "demo", password = PASSWORD } = more;
  const user = nextUser();
  const login = { name: user, password, cid: "8", sec: SECRET };
  const { status, body } = await site.gateway.api.post("/v1/connections", {
    broker: "tradovate",
    environment,
    name: user,
    settings: { ...login, restUrl: broker.url, wsUrl: broker.wsUrl },
  });
  expect(status).toBe(201);
  const id = body.connectionId as string;
  // What is added here is ended here: the broker may be gone by then.
  onTestFinished(async () => void (await site.gateway.api.delete(`/v1/connections/${id}`)));
  return { id, user };
}

async function until(id: string, state: string): Promise<void> {
  const isThere = async () =>
    (await site.gateway.api.get(`/v1/connections/${id}`)).body.status === state;
  await waitUntil(`${id} is ${state}`, isThere);
}

/** The part of the page that is one connection's. */
const connectionOf = (page: Page, name: string): Locator =>
  page.getByRole("region", { name, exact: true });

/** Waits until the page itself says how a connection stands: `Not connected` is not `Connected`. */
async function untilShown(connection: Locator, state: string): Promise<void> {
  const whole = new RegExp(`^\\W*${state}$`);
  const said = connection.getByRole("status").filter({ hasText: whole }).first();
  await said.waitFor();
}

async function press(connection: Locator, says: string): Promise<void> {
  await connection.getByRole("button", { name: says, exact: true }).click();
}

/** Opens the form, and types in what it asks for. */
async function fillIn(page: Page, user: string, password = PASSWORD): Promise<Locator> {
  await page.getByRole("button", { name: "Add a connection" }).click();
  const form = page.getByRole("dialog", { name: "Add a connection" });
  await form.getByLabel("Broker").selectOption("Tradovate");
  await form.getByLabel("Name", { exact: true }).fill(`Mine of ${user}`);
  await form.getByLabel("User name").fill(user);
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByLabel("API client id").fill("8");
  await form.getByLabel("API secret").fill(SECRET);
  await form.getByText("More settings").click();
  await form.getByLabel("REST address").fill(simulator.url);
  await form.getByLabel("Look-alike's WebSocket").fill(simulator.wsUrl);
  return form;
}

describe("add", () => {
  test("what is typed in is logged in, and its accounts are found", async () => {
    const page = await site.open("/accounts");
    const user = nextUser();
    const form = await fillIn(page, user);
    for (const secret of ["Password", "API secret"]) {
      expect(await form.getByLabel(secret, { exact: true }).getAttribute("type")).toBe("password");
    }
    await doubleClick(form.getByRole("button", { name: "Add the demo connection" }));
    await form.waitFor({ state: "detached" });
    const mine = connectionOf(page, `Mine of ${user}`);
    await untilShown(mine, "Connected");
    for (const account of [`${user}-1`, `${user}-2`]) {
      const card = mine.getByRole("region", { name: `Account ${account}` });
      await card.getByText("DEMO").waitFor();
      await card.getByText(/Active$/).waitFor();
    }
    const { text, body } = await site.gateway.api.get("/v1/connections");
    const names = ({ name }: { name: string | null }) => name === `Mine of ${user}`;
    expect(body.connections.filter(names)).toMatchObject([
      { broker: "tradovate", environment: "demo" },
    ]);
    const shown = await page.content();
    for (const secret of [PASSWORD, SECRET]) expect(shown + text).not.toContain(secret);
  });

  test("what is wrong is told at its field, and can be put right", async () => {
    const page = await site.open("/accounts");
    const user = nextUser();
    const form = await fillIn(page, user);
    const address = form.getByLabel("REST address");
    await address.fill("http://broker.example/v1");
    const send = form.getByRole("button", { name: "Add the demo connection" });
    await send.click();
    await expect.poll(async () => await address.getAttribute("aria-invalid")).toBe("true");
    await address.fill(simulator.url);
    await send.click();
    await untilShown(connectionOf(page, `Mine of ${user}`), "Connected");
  });

  test("a firm is chosen, with its rules in sight, and its accounts are found", async () => {
    const projectX = await startProjectXSimulator();
    onTestFinished(projectX.stop);
    await projectX.control({ knob: "user", name: "trader7", apiKey: SECRET, accounts: 2 });
    const page = await site.open("/accounts");
    await page.getByRole("button", { name: "Add a connection" }).click();
    const form = page.getByRole("dialog", { name: "Add a connection" });
    expect(await form.getByText("remote server").count()).toBe(0);
    await form.getByLabel("Broker").selectOption("ProjectX (TopstepX)");
    await form.getByText(/VPS, a VPN or a remote server/).waitFor();
    await form
      .getByText(/article 11187768.*2026-11-27/)
      .first()
      .waitFor();
    await form.getByLabel("Name", { exact: true }).fill("Practice");
    await form.getByLabel("User name").fill("trader7");
    await form.getByLabel("API key").fill(SECRET);
    await form.getByText("More settings").click();
    await form.getByLabel("REST address").fill(projectX.url);
    await form.getByLabel("Look-alike's hubs").fill(projectX.rtcUrl);
    const send = form.getByRole("button", { name: "Add the live connection" });
    await send.click();
    const firm = form.getByLabel("Firm");
    await expect.poll(async () => await firm.getAttribute("aria-invalid")).toBe("true");
    await firm.selectOption("Topstep (TopstepX)");
    await expectFit(page);
    await send.click();
    const mine = connectionOf(page, "Practice");
    await untilShown(mine, "Connected");
    await expect.poll(async () => await mine.getByText(/Active$/).count()).toBe(2);
  });

  test("real money is said to be so, from the form on, wherever something can be sent", async () => {
    const page = await site.open("/accounts");
    const user = nextUser();
    const form = await fillIn(page, user);
    await form.getByLabel("Environment").selectOption("Live: real money");
    await form.getByRole("button", { name: "Add the live connection" }).click();
    const mine = connectionOf(page, `Mine of ${user}`);
    await untilShown(mine, "Connected");
    const card = mine.getByRole("region", { name: `Account ${user}-1` });
    await card.getByText(LIVE).waitFor();
    const dialog = page.getByRole("dialog");
    for (const says of ["Edit", "Pause", "Remove"]) {
      await press(mine, says);
      await dialog.getByText(LIVE).waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    await press(card, `${user}-1`);
    await press(card, "Turn on …");
    await dialog.getByText(LIVE).waitFor();
  });
});

describe("how it stands", () => {
  test("is seen at once when the broker goes and comes back, without a reload", async () => {
    let broker = await startTradovateSimulator();
    onTestFinished(async () => await broker.stop());
    const { user } = await add({ broker });
    const page = await site.open("/accounts");
    const mine = connectionOf(page, user);
    await untilShown(mine, "Connected");
    const loadedAt = await page.evaluate("performance.timeOrigin");
    // From here on the health stream is the only one that tells.
    await page.route("**/v1/connections", (route) => route.abort());
    await broker.stop();
    await untilShown(mine, "Reconnecting");
    broker = await startTradovateSimulator(Number(new URL(broker.url).port));
    await untilShown(mine, "Connected");
    await page.unroute("**/v1/connections");
    expect(await page.evaluate("performance.timeOrigin")).toBe(loadedAt);
  });

  test("a refused login says why, and goes on when the password is put right", async () => {
    const { id, user } = await add();
    await until(id, "CONNECTED");
    const page = await site.open("/accounts");
    const mine = connectionOf(page, user);
    await untilShown(mine, "Connected");
    await press(mine, "Edit");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password", { exact: true }).fill("mistyped");
    await dialog.getByRole("button", { name: "Save" }).click();
    await untilShown(mine, "Login refused");
    await mine.getByText(/incorrect username or password/i).waitFor();
    await press(mine, "Edit");
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Save" }).click();
    await untilShown(mine, "Connected");
  });

  test("it logs in again when it is asked to, after it was settled with the broker", async () => {
    const user = `joe${users + 1}`;
    await simulator.control({ knob: "user", name: user, password: "at the broker" });
    const { id } = await add();
    await until(id, "AUTH_EXPIRED");
    const page = await site.open("/accounts");
    const mine = connectionOf(page, user);
    await untilShown(mine, "Login refused");
    await simulator.control({ knob: "user", name: user, password: PASSWORD });
    await press(mine, "Reconnect");
    await untilShown(mine, "Connected");
    // A connected one begins a new session too.
    const ended = async () =>
      (await simulator.log()).filter(({ op, connection }) => op === "end" && connection === user)
        .length;
    const before = await ended();
    await press(mine, "Reconnect");
    await expect.poll(ended).toBeGreaterThan(before);
    await untilShown(mine, "Connected");
  });
});

test("a login is tried, connected or not", async () => {
  const { id, user } = await add();
  await until(id, "CONNECTED");
  const page = await site.open("/accounts");
  const mine = connectionOf(page, user);
  await press(mine, "Test the login");
  await mine.getByText("It is connected already, so no second login was tried.").waitFor();
  expect((await site.gateway.api.patch(`/v1/connections/${id}`, { paused: true })).status).toBe(
    200,
  );
  await untilShown(mine, "Paused");
  await press(mine, "Test the login");
  await mine.getByText("The login works").waitFor();
});

test("what is changed is kept, and a secret that is left empty too", async () => {
  const { id, user } = await add();
  await until(id, "CONNECTED");
  const page = await site.open("/accounts");
  await press(connectionOf(page, user), "Edit");
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save" });
  expect(await save.isDisabled()).toBe(true);
  expect(await dialog.getByLabel("API secret").inputValue()).toBe("");
  await dialog.getByLabel("Name", { exact: true }).fill(`Renamed ${user}`);
  await dialog.getByText("More settings").click();
  await dialog.getByLabel("Application name").fill("my-app");
  await save.click();
  const mine = connectionOf(page, `Renamed ${user}`);
  await untilShown(mine, "Connected");
  const { body } = await site.gateway.api.get(`/v1/connections/${id}`);
  expect(body).toMatchObject({ name: `Renamed ${user}`, settings: { appId: "my-app" } });
  // With what was sealed before: nothing else would be let in.
  expect((await site.gateway.api.patch(`/v1/connections/${id}`, { paused: true })).status).toBe(
    200,
  );
  await untilShown(mine, "Paused");
  await press(mine, "Test the login");
  await mine.getByText("The login works").waitFor();
});

describe("pause and remove", () => {
  /** A connected one with a webhook for its first account. */
  async function openTraded() {
    const { id, user } = await add();
    await until(id, "CONNECTED");
    const { body } = await site.gateway.api.get("/v1/accounts");
    const account = body.accounts.find(({ name }: { name: string }) => name === `${user}-1`).id;
    const hook = await site.gateway.api.post("/v1/webhooks", {
      accountId: account,
      name: `Hook of ${user}`,
    });
    const page = await site.open("/accounts");
    const sent = changesSentBy(page);
    const mine = connectionOf(page, user);
    await untilShown(mine, "Connected");
    const card = page.getByRole("region", { name: `Account ${user}-1` });
    const alert = async (body: object) => await postAlert(hook.body.url as string, body);
    return { alert, id, user, account, page, sent, mine, card, dialog: page.getByRole("dialog") };
  }

  test("each says what will happen; left, it does nothing; paused, nothing is taken until it is resumed", async () => {
    const { alert, user, page, sent, mine, card, dialog } = await openTraded();
    for (const [says, verb] of [
      ["Remove", "Remove it"],
      ["Pause", "Pause it"],
    ] as const) {
      await press(mine, says);
      await dialog.getByRole("button", { name: verb }).waitFor();
      await dialog.getByText(`Hook of ${user}`).waitFor();
      for (const part of [`${user}-1`, `${user}-2`, "stay open at the broker", "exits too"]) {
        await expect.poll(async () => await dialog.textContent()).toContain(part);
      }
      await dialog.getByRole("button", { name: "Leave it as it is" }).click();
      await dialog.waitFor({ state: "detached" });
      await press(mine, says);
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    expect(sent).toEqual([]);
    await untilShown(mine, "Connected");

    await press(mine, "Pause");
    await doubleClick(dialog.getByRole("button", { name: "Pause it" }));
    await untilShown(mine, "Paused");
    await card.getByText(/Inactive$/).waitFor();
    expect(sent).toHaveLength(1);
    expect((await alert({ symbol: "ES1!", action: "buy", qty: 1 })).status).toBe(403);
    await press(mine, "Resume");
    await untilShown(mine, "Connected");
    await card.getByText(/Active$/).waitFor();
    const filled = await alert({ symbol: "ES1!", action: "buy", qty: 1, comment: 2 });
    expect([filled.status, filled.body.status]).toEqual([200, "filled"]);
  });

  test("removed, it is gone, and its accounts stay in sight as what they are", async () => {
    const { alert, id, mine, page, card, dialog } = await openTraded();
    await press(mine, "Remove");
    await dialog.getByRole("button", { name: "Remove it" }).click();
    await mine.waitFor({ state: "detached" });
    const left = page.getByRole("region", { name: "Without a connection" });
    await left.waitFor();
    await card.getByText(/Inactive$/).waitFor();
    expect((await site.gateway.api.get(`/v1/connections/${id}`)).status).toBe(404);
    expect((await alert({ symbol: "ES1!", action: "buy", qty: 1 })).status).toBe(403);
  });

  test("what a paused account held is shown with its age until a person says it is flat", async () => {
    const { alert, account, user, mine, card, dialog } = await openTraded();
    expect((await alert({ symbol: "ES1!", action: "buy", qty: 1 })).status).toBe(200);
    await press(mine, "Pause");
    await dialog.getByRole("button", { name: "Pause it" }).click();
    await card.getByText(/Inactive$/).waitFor();
    await press(card, `${user}-1`);
    await card.getByText(/^Last seen .*long 1 ES/).waitFor();
    await press(card, "It is flat at the broker …");
    await dialog.getByText("Look at the broker first.").waitFor();
    await dialog.getByRole("button", { name: "It is flat: forget them" }).click();
    await dialog.waitFor({ state: "detached" });
    await card.getByText(/^Last seen/).waitFor({ state: "detached" });
    const { body } = await site.gateway.api.get(`/v1/accounts/${account}/positions`);
    expect(body.positions).toEqual([]);
  });

  test("a position at the broker is closed from the page", async () => {
    const { alert, account, user, card, dialog } = await openTraded();
    const entry = { symbol: "ES1!", action: "buy", qty: 1, stopLoss: { ticks: 40 } };
    expect((await alert(entry)).body).toMatchObject({ status: "filled" });
    await press(card, `${user}-1`);
    await card.getByRole("row").filter({ hasText: "stop-loss" }).waitFor();
    await press(card, "Close everything …");
    await doubleClick(dialog.getByRole("button", { name: "Close 1 contract" }));
    await card.getByText("No open positions.").waitFor();
    // The page may hear of the position before the exits are cancelled.
    await dialog.waitFor({ state: "detached" });
    const { body } = await site.gateway.api.get(`/v1/accounts/${account}/positions`);
    expect(body.positions).toEqual([]);
    const { accounts } = await simulator.state();
    expect(accounts[`${user}-1`]).toMatchObject({ positions: [], workingOrders: [] });
  });
});

test("entries of an account that cannot cancel are sent once a person has said so", async () => {
  const projectX = await startProjectXSimulator();
  onTestFinished(projectX.stop);
  const made = await projectX.control({
    knob: "user",
    name: "trader8",
    apiKey: SECRET,
    accounts: 1,
  });
  const [{ id: account }] = (made as { accounts: [{ id: number }] }).accounts;
  await projectX.control({ knob: "account", account, simulated: false });
  const settings = { userName: "trader8", apiKey: SECRET, firm: "topstep" };
  const { status, body } = await site.gateway.api.post("/v1/connections", {
    broker: "projectx",
    environment: "live",
    name: "Funded",
    settings: { ...settings, restUrl: projectX.url, rtcUrl: projectX.rtcUrl },
  });
  expect([status, body.error]).toEqual([201, undefined]);
  onTestFinished(async () => {
    await site.gateway.api.delete(`/v1/connections/${body.connectionId as string}`);
  });
  const page = await site.open("/accounts");
  const card = connectionOf(page, "Funded").getByRole("region", { name: /^Account / });
  await card.getByText(LIVE).waitFor();
  await card.getByText("Cancels refused").waitFor();
  await card.getByRole("button", { expanded: false }).click();
  await card.getByText("Entries are refused").waitFor();
  await press(card, "Send entries all the same …");
  const dialog = page.getByRole("dialog");
  for (const part of [/not reported as simulated/, /cancel there by hand/]) {
    await dialog.getByText(part).first().waitFor();
  }
  await expectFit(page);
  await doubleClick(dialog.getByRole("button", { name: "Send entries" }));
  await dialog.waitFor({ state: "detached" });
  await card.getByText("Entries are sent").waitFor();
  await press(card, "Refuse entries …");
  await dialog.getByRole("button", { name: "Refuse entries" }).click();
  await card.getByText("Entries are refused").waitFor();
});

test("the gateway's own connection can be neither edited nor removed here", async () => {
  const page = await site.open("/accounts");
  const own = connectionOf(page, "paper");
  await untilShown(own, "Connected");
  for (const says of ["Edit", "Pause", "Remove"]) {
    expect(await own.getByRole("button", { name: says, exact: true }).count()).toBe(0);
  }
});

test("it fits in every look, forms too", async () => {
  const [{ user }, refused] = await Promise.all([add(), addRefused()]);
  const page = await site.open("/accounts");
  const mine = connectionOf(page, user);
  await untilShown(mine, "Connected");
  await untilShown(connectionOf(page, refused), "Login refused");
  await press(mine, "Test the login");
  await mine.getByText("It is connected already").waitFor();
  await expectFit(page);
  const dialog = page.getByRole("dialog");
  for (const says of ["Edit", "Pause", "Remove"]) {
    await press(mine, says);
    await dialog.waitFor();
    await expectFit(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
  await fillIn(page, nextUser());
  await expectFit(page);
});

/** Its user's name. */
async function addRefused(): Promise<string> {
  const password = "not this one";
  await simulator.control({ knob: "user", name: `joe${users + 1}`, password: "another" });
  return (await add({ password })).user;
}
