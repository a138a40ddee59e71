// The goal: a broker whose answer is final is asked once, by whichever process, until a person says
// otherwise; one that is silent or drops its sessions is tried again, ever more slowly.
// The method: the whole gateway on an exchange simulator in its own process, which counts the logins.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { loadConfig } from "../../config/index.ts";
import { type App, startApp } from "../../src/app/app.ts";
import { runCommand } from "../../src/cli/cli.ts";
import { type ConnectionId, connectionId } from "../../src/domain/ids.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { createExchangeAdapter } from "../simulators/exchange/adapter.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../simulators/exchange/start.ts";
import type { Settings } from "../support/gateway.ts";
import { apiClient, call, postAlert, type Reply } from "../support/http-client.ts";
import { startTestRedis } from "../support/test-redis.ts";
import { giveEveryScope } from "../support/every-scope.ts";
import { startReady } from "../support/start-ready.ts";
import { untilTaken, waitUntil } from "../support/wait.ts";
import { type AnswerOptions, answerTimesOf, ROOMY } from "../support/roomy.ts";

const BUY = { symbol: "ES1!", action: "buy", qty: 1 };

let shared: ExchangeSimulator;
let sites = 0;

beforeAll(async () => {
  shared = await startExchangeSimulator();
  return shared.stop;
});

/** A machine with a Redis, a connection of its own, and as many gateways as a test starts. */
class Site {
  readonly connection: ConnectionId;
  readonly log: string[] = [];
  readonly #simulator: ExchangeSimulator;
  readonly #dataDir: string;
  readonly #redis: string;
  #key = "";

  private constructor(simulator: ExchangeSimulator, dataDir: string, redis: string) {
    sites += 1;
    this.connection = connectionId(`site-${sites}`);
    this.#simulator = simulator;
    this.#dataDir = dataDir;
    this.#redis = redis;
  }

  /** With a gateway that has connected once, so that there are accounts and a key. */
  static async open(simulator = shared): Promise<{ site: Site; app: App }> {
    const dataDir = await mkdtemp(path.join(tmpdir(), "gateway-site-"));
    onTestFinished(async () => await rm(dataDir, { recursive: true, force: true }));
    const { server } = await startTestRedis(dataDir);
    const site = new Site(simulator, dataDir, `unix:${server.path}`);
    const app = await startReady(loadConfig(site.settings()), async () => await site.start());
    site.#key = app.first?.keySecret ?? "";
    await giveEveryScope({ DATA_DIR: dataDir, REDIS_URL: site.#redis }, site.#key);
    await site.until(app, "CONNECTED");
    return { site, app };
  }

  settings(settings: Settings = {}): Settings {
    return {
      ...ROOMY,
      DATA_DIR: this.#dataDir,
      REDIS_URL: this.#redis,
      ...settings,
    };
  }

  async start(settings: Settings = {}, answers: AnswerOptions = {}): Promise<App> {
    const config = loadConfig(this.settings(settings));
    const { connection: id } = this;
    const open = () =>
      createExchangeAdapter({ connectionId: id, url: this.#simulator.url, accounts: 1 });
    const app = await startApp({
      config,
      log: createLogger(config.LOG_LEVEL, { write: (line) => this.log.push(line) }),
      version: "test",
      answerTimes: answerTimesOf(answers),
      connections: async () => await Promise.resolve([{ connectionId: id, open }]),
    });
    onTestFinished(async () => void (await app.stop()));
    return app;
  }

  /** The broker's last word to whoever logs in; without one it lets everyone in again. */
  async turnAway(reason?: string, over: "credentials" | "account" = "credentials") {
    const word = reason === undefined ? {} : { reason, over };
    await this.#simulator.control({ knob: "turnAway", connection: this.connection, ...word });
  }

  /** When the broker saw logins, whatever it answered: Unix ms. */
  async logins(): Promise<readonly number[]> {
    const log = await this.#simulator.log();
    return log
      .filter(({ op, connection }) => op === "login" && connection === this.connection)
      .map(({ at }) => at);
  }

  api(app: App) {
    return apiClient(app.url, this.#key);
  }

  /** As `GET /v1/connections` shows it. */
  async shown(app: App): Promise<Reply["body"]> {
    const { body } = await this.api(app).get("/v1/connections");
    return body.connections[0];
  }

  async until(app: App, status: string): Promise<void> {
    const isThere = async () => (await this.shown(app))?.status === status;
    await waitUntil(`${this.connection} is ${status}`, isThere);
  }

  async reconnect(app: App): Promise<Reply> {
    return await this.api(app).post(`/v1/connections/${this.connection}/reconnect`, {});
  }

  /** Places the one order of a test: its status, or the refusal, and what the broker answered each time. */
  async placeOnce(app: App): Promise<readonly [number | string, readonly unknown[]]> {
    const { status, text } = await untilTaken(async () => await this.place(app));
    const sent = (await this.#simulator.log()).filter(
      ({ op, account }) => op === "submitOrder" && account === `${this.connection}-1`,
    );
    return [status === 201 ? status : text, sent.map(({ outcome }) => outcome)];
  }

  async place(app: App): Promise<Reply> {
    return await this.api(app).post(`/v1/accounts/${this.connection}-1/orders`, BUY);
  }

  async metric(app: App, name: string): Promise<number> {
    const { text } = await call(app.url, "GET", "/metrics");
    const line = new RegExp(`^${name}\\{connection_id="${this.connection}"\\} (\\S+)$`, "m");
    return Number(line.exec(text)?.[1]);
  }

  /** One command as the program runs it, with its exit status first. */
  async command(...words: string[]): Promise<string> {
    let said = "";
    const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      said += String(text);
      return true;
    });
    try {
      return `${await runCommand(words, loadConfig(this.settings()))} ${said}`;
    } finally {
      write.mockRestore();
    }
  }
}

test("refused credentials are tried once, also after a restart, until a person asks", async () => {
  const { site, app } = await Site.open();
  await app.stop();
  await site.turnAway("Incorrect username or password");
  const before = (await site.logins()).length;
  const logins = async () => (await site.logins()).length - before;

  const first = await site.start();
  await site.until(first, "AUTH_EXPIRED");
  expect(await site.shown(first)).toEqual({
    connectionId: site.connection,
    broker: "exchange-simulator",
    environment: "demo",
    name: null,
    paused: false,
    status: "AUTH_EXPIRED",
    since: expect.stringMatching(/^\d{4}-/) as unknown,
    reason: "Incorrect username or password",
    retryAt: null,
  });
  const refused = await site.place(first);
  expect([refused.status, refused.body.error.code]).toEqual([503, "BROKER_UNAVAILABLE"]);
  expect(refused.body.error.message).toContain("refused the credentials");
  const { since } = await site.shown(first);
  await first.stop();

  const second = await site.start();
  await site.until(second, "AUTH_EXPIRED");
  expect((await site.shown(second)).since).toBe(since);
  expect(await logins()).toBe(1);

  expect((await site.reconnect(second)).status).toBe(202);
  await waitUntil("it was tried once more", async () => (await logins()) === 2);
  // As before it was tried, but for the time of the refusal.
  const isRefusedAgain = async () => {
    const shown = await site.shown(second);
    return shown.status === "AUTH_EXPIRED" && shown.since !== since;
  };
  await waitUntil("it is refused again", isRefusedAgain);

  await site.turnAway();
  expect((await site.reconnect(second)).status).toBe(202);
  await site.until(second, "CONNECTED");
  expect(await site.shown(second)).toMatchObject({ reason: null });
  expect(await logins()).toBe(3);
  expect(await site.placeOnce(second)).toEqual([201, ["accepted"]]);
});

test("an alert for a connection that needs a person waits, and expires visibly", async () => {
  const { site, app } = await Site.open();
  const accountId = `${site.connection}-1`;
  const { body } = await site.api(app).post("/v1/webhooks", { accountId });
  await app.stop();
  await site.turnAway("The account is closed", "account");
  // Whether it is an entry cannot be told without the broker: it ends by the age of an exit.
  const ages = { ENTRY_MAX_AGE_SECONDS: "4", EXIT_MAX_AGE_SECONDS: "4" };
  const stopped = await site.start(ages, { answersOnTime: true });
  await site.until(stopped, "FATAL_ERROR");

  const { pathname } = new URL(body.url as string);
  const alert = await postAlert(`${stopped.url}${pathname}`, BUY);
  expect(alert.status).toBe(202);
  const intent = `/v1/accounts/${accountId}/intents/${alert.body.alertId}`;
  const shown = async () => (await site.api(stopped).get(intent)).body;
  const isExpired = async () => (await shown()).state === "expired";
  await waitUntil("the alert has expired", isExpired);
  expect((await shown()).reason).not.toBe("");
});

test("the process that takes over does not log in, and any process can be asked to", async () => {
  const { site, app: owner } = await Site.open();
  const other = await site.start();
  await site.turnAway("The session was ended by the risk desk", "account");
  const before = (await site.logins()).length;
  await shared.control({ knob: "closeSessions", connection: site.connection });
  await site.until(other, "FATAL_ERROR");
  await owner.stop();

  await site.until(other, "FATAL_ERROR");
  const refused = await site.place(other);
  expect(refused.body.error.message).toContain("refuses every session");
  expect((await site.logins()).length - before).toBe(1);

  const third = await site.start();
  await site.until(third, "FATAL_ERROR");
  expect((await site.logins()).length - before).toBe(1);
  await site.turnAway();
  expect((await site.reconnect(third)).status).toBe(202);
  await site.until(third, "CONNECTED");
  expect(await site.placeOnce(third)).toEqual([201, ["accepted"]]);
  // On a busy machine the connection may change its owner once more, who then logs in as it may.
  expect((await site.logins()).length - before).toBeGreaterThanOrEqual(2);
});

test.each(["running", "stopped"] as const)(
  "the command line shows it and lets it log in again with the gateway %s",
  async (how) => {
    const { site, app } = await Site.open();
    await app.stop();
    await site.turnAway("Incorrect username or password");
    let gateway = await site.start();
    await site.until(gateway, "AUTH_EXPIRED");
    await site.turnAway();
    if (how === "stopped") await gateway.stop();

    const listed = await site.command("connection", "list");
    const status = how === "running" ? "AUTH_EXPIRED" : "DISCONNECTED";
    expect(listed).toMatch(
      new RegExp(`^${site.connection} .* ${status} .* Incorrect username or password$`, "m"),
    );
    expect(await site.command("connection", "reconnect", site.connection)).toMatch(/^0 site-/);
    if (how === "stopped") gateway = await site.start();
    await site.until(gateway, "CONNECTED");
  },
);

test("a key without the scope trade may see connections, and not reconnect them", async () => {
  const { site, app } = await Site.open();
  const said = await site.command("keys", "create", "--name", "eye", "--scopes", "read");
  const api = apiClient(app.url, /^gwk_\S+$/m.exec(said)?.[0] ?? "");
  expect((await api.get("/v1/connections")).body.connections).toHaveLength(1);
  const refused = await api.post(`/v1/connections/${site.connection}/reconnect`, {});
  expect([refused.status, refused.body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  const unknown = await site.api(app).post("/v1/connections/none/reconnect", {});
  expect([unknown.status, unknown.body.error.code]).toEqual([404, "NOT_FOUND"]);
});

test("a broker that falls silent loses its session, and is connected again when it speaks", async () => {
  const own = await startExchangeSimulator();
  onTestFinished(own.stop);
  const { site, app } = await Site.open(own);
  const heardAt = await site.metric(app, "gateway_connection_last_message_timestamp_seconds");
  expect(Math.abs(Date.now() / 1_000 - heardAt)).toBeLessThan(60);
  expect(await site.metric(app, "gateway_connection_reconnects_total")).toBe(0);

  own.signal("SIGSTOP");
  await site.until(app, "RECONNECTING");
  expect(site.log.join("\n")).toMatch(/"The broker has said nothing for \d/);
  own.signal("SIGCONT");
  await site.until(app, "CONNECTED");
  expect(await site.metric(app, "gateway_connection_reconnects_total")).toBeGreaterThan(0);
  expect(await site.placeOnce(app)).toEqual([201, ["accepted"]]);
});

test("a broker that lets in and drops at once is asked ever more slowly", async () => {
  const { site, app } = await Site.open();
  const drop = { knob: "dropAfterLogin", connection: site.connection } as const;
  await shared.control({ ...drop, isOn: true });
  const before = (await site.logins()).length;
  await shared.control({ knob: "closeSessions", connection: site.connection });

  await waitUntil("it was tried", async () => (await site.logins()).length > before + 2);
  const tried = (await site.logins()).slice(before);
  const gaps = tried.slice(1).map((at, nth) => at - (tried[nth] ?? 0));
  // At least half of what the wait may be at most: the rest of it is chance.
  for (const [nth, leastMs] of [500, 1_000].entries()) {
    expect(gaps[nth]).toBeGreaterThanOrEqual(leastMs - 5);
  }

  await shared.control({ ...drop, isOn: false });
  await site.until(app, "CONNECTED");
});
