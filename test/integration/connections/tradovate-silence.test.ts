// The goal: an exit goes out though the broker's session had fallen silent, an account was left out of one
// answer, or its connection was just resumed. The method: the whole gateway, and the Tradovate simulator, whose
// sockets and lists are in our hand. Each test has a user of the broker.
import { beforeAll, expect, test } from "vitest";
import {
  startTradovateSimulator,
  type TradovateSimulator,
} from "../../simulators/tradovate/start.ts";
import { frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { postAlert, type Reply } from "../../support/http-client.ts";
import { eventually, waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES");
const QUOTE = { bid: 27_400, ask: 27_401, bidQty: 1_000_000, askQty: 1_000_000 };

let simulator: TradovateSimulator;
let gateway: TestGateway;
let users = 0;

beforeAll(async () => {
  simulator = await startTradovateSimulator();
  await simulator.control({ knob: "quote", contract: ES.code, ...QUOTE });
  gateway = await startGateway({ settings: { ALLOW_LOCAL_BROKERS: "true", PAPER_ACCOUNTS: "1" } });
  return async () => {
    await gateway.stop();
    await simulator.stop();
  };
});

/** A connected user with two accounts, the first of which holds one contract. */
class Holder {
  readonly name: string;
  readonly id: string;
  readonly account: string;
  readonly #hook: string;

  private constructor(name: string, id: string, account: string, hook: string) {
    this.name = name;
    this.id = id;
    this.account = account;
    this.#hook = hook;
  }

  static async open(): Promise<Holder> {
    users += 1;
    const name = `silent${users}`;
    const { control, url: restUrl, wsUrl, mdUrl } = simulator;
    await control({ knob: "user", name, password: "any", accounts: 2 });
    const login = { name, cid: "8", password: "any", sec: "any", appId: "any" };
    const asked = {
      broker: "tradovate",
      environment: "demo",
      name,
      settings: { ...login, restUrl, wsUrl, mdUrl },
    };
    const { body: added } = await gateway.api.post("/v1/connections", asked);
    const id = added.connectionId as string;
    const account = await eventually(async () => {
      const { body } = await gateway.api.get("/v1/accounts");
      const own = (body.accounts as { id: string }[]).filter((one) => one.id.startsWith(`${id}-`));
      return own[0]?.id ?? Promise.reject(new Error("It has no account yet"));
    });
    const { url } = await gateway.createWebhook(account);
    const holder = new Holder(name, id, account, new URL(url).pathname);
    await holder.until("CONNECTED");
    const bought = await holder.alert({ action: "buy", symbol: ES.symbol, qty: 1 });
    if (bought.status !== 200) throw new Error(`It is not bought: ${bought.text}`);
    await holder.untilHeld(1);
    return holder;
  }

  /** The broker's own number of the account. */
  get number(): number {
    return Number(this.account.split("-").at(-1));
  }

  async alert(body: object): Promise<Reply> {
    return await postAlert(`${gateway.url}${this.#hook}`, body);
  }

  async status(): Promise<string> {
    return (await gateway.api.get(`/v1/connections/${this.id}`)).body.status as string;
  }

  async until(status: string): Promise<void> {
    await waitUntil(`it is ${status}`, async () => (await this.status()) === status);
  }

  async untilHeld(qty: number): Promise<void> {
    await waitUntil(`it holds ${qty}`, async () => {
      const { body } = await gateway.api.get(`/v1/accounts/${this.account}/positions`);
      const positions = body.positions as { qty: number }[];
      return (positions[0]?.qty ?? 0) === qty;
    });
  }

  async sessions(): Promise<number> {
    const own = (await simulator.wire()).filter(({ user }) => user === this.name);
    return own.filter(({ dir, text }) => dir === "in" && text.startsWith("user/syncrequest"))
      .length;
  }

  async logins(): Promise<number> {
    const asked = (await simulator.wire()).filter(({ path = "" }) => path.includes("accesstokenr"));
    return asked.filter(({ dir, text }) => dir === "in" && text.includes(`"${this.name}"`)).length;
  }
}

test("an exit goes out in the next session, once the silent one was ended for it", async () => {
  const holder = await Holder.open();
  const before = await holder.sessions();
  await simulator.control({ knob: "halfOpen", user: holder.name, beats: true });
  const { status } = await holder.alert({ action: "close" });
  expect(status).toBeLessThan(300);
  await holder.untilHeld(0);
  expect(await holder.sessions()).toBeGreaterThan(before);
  expect(await holder.logins()).toBe(1);
});

test("a person's reconnect begins a new session with the token that is there", async () => {
  const holder = await Holder.open();
  const before = await holder.sessions();
  await simulator.control({ knob: "halfOpen", user: holder.name, beats: true });
  const { status, body } = await gateway.api.post(`/v1/connections/${holder.id}/reconnect`, {});
  expect([status, body.next]).toEqual([202, "Its session ends, and the next one begins at once"]);
  await waitUntil("there is another session", async () => (await holder.sessions()) > before);
  await holder.until("CONNECTED");
  expect((await holder.alert({ action: "close" })).status).toBe(200);
  await holder.untilHeld(0);
  expect(await holder.logins()).toBe(1);
});

test("an account that lists leave out for a moment refuses no exit", async () => {
  const holder = await Holder.open();
  const before = await holder.sessions();
  // Once when the session begins, and once when the gateway takes it over.
  const omits = { fault: { kind: "omits", ids: [holder.number] }, times: 2 } as const;
  const of = { user: holder.name, endpoint: "account/list" };
  await simulator.control({ knob: "fault", ...of, ...omits });
  await simulator.control({ knob: "closeSockets", user: holder.name });
  await waitUntil("the next session begins", async () => (await holder.sessions()) > before);
  await holder.until("CONNECTED");
  const { status } = await holder.alert({ action: "close" });
  expect(status).toBeLessThan(300);
  await holder.untilHeld(0);
});

test("an account of a connection that was just resumed refuses no exit", async () => {
  const holder = await Holder.open();
  const path = `/v1/connections/${holder.id}`;
  await gateway.api.patch(path, { paused: true });
  await holder.until("DISCONNECTED");
  expect((await holder.alert({ action: "close", alertId: "paused" })).status).toBe(403);
  await gateway.api.patch(path, { paused: false });
  const { status } = await holder.alert({ action: "close", alertId: "resumed" });
  expect(status).toBeLessThan(300);
  await holder.untilHeld(0);
});

test("an exit goes out beside a position in another contract that cannot be read", async () => {
  const holder = await Holder.open();
  const entity = { contractId: 77, timestamp: new Date().toISOString(), netPos: null };
  const of = { type: "position", account: `${holder.name}-1` } as const;
  await simulator.control({ knob: "entity", ...of, entity });
  await waitUntil("it is said", async () => {
    const { text } = await gateway.api.get("/v1/overview");
    return /position \d+, which cannot be read/.test(text);
  });
  expect((await holder.alert({ action: "buy", symbol: ES.symbol, qty: 2 })).status).toBe(422);
  const { status, body } = await holder.alert({ action: "close", symbol: ES.symbol });
  expect([status, body.closed]).toEqual([200, [expect.objectContaining({ qty: 1 })]]);
});

test("an account that may trade again in the middle of a session refuses no exit", async () => {
  const holder = await Holder.open();
  const ofAccount = { knob: "active", account: `${holder.name}-1` } as const;
  const isActive = async () => {
    const { body } = await gateway.api.get("/v1/accounts");
    const accounts = body.accounts as { id: string; active: boolean }[];
    return accounts.find(({ id }) => id === holder.account)?.active === true;
  };
  const before = await holder.sessions();
  await simulator.control({ ...ofAccount, isActive: false });
  await waitUntil("it may not trade", async () => !(await isActive()));
  expect((await holder.alert({ action: "close", alertId: "barred" })).status).toBe(403);
  await simulator.control({ ...ofAccount, isActive: true });
  await waitUntil("it may trade again", isActive);
  expect((await holder.alert({ action: "close", alertId: "again" })).status).toBe(200);
  await holder.untilHeld(0);
  expect(await holder.sessions()).toBe(before);
});
