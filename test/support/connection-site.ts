import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, vi } from "vitest";
import { endWithTest } from "./side-by-side.ts";
import { loadConfig } from "../../config/index.ts";
import type { App } from "../../src/app/app.ts";
import type { BrokerKinds } from "../../src/brokers/broker-kind.ts";
import { runCommand } from "../../src/cli/cli.ts";
import type { ExchangeSimulator } from "../simulators/exchange/start.ts";
import { EXCHANGE, ExchangeBroker } from "./exchange-broker.ts";
import type { Settings } from "./gateway.ts";
import { type ApiClient, apiClient, type Reply } from "./http-client.ts";
import { giveEveryScope } from "./every-scope.ts";
import { startTestApp } from "./start-ready.ts";
import { startTestRedis } from "./test-redis.ts";
import { tradesNow } from "./trades-now.ts";
import { waitUntil } from "./wait.ts";
import { type AnswerOptions, ROOMY } from "./roomy.ts";

/** Has something ended after a test, or after all tests of a file. */
export type AtEnd = (end: () => Promise<void>) => void;

interface StartOptions extends AnswerOptions {
  /** Everything trades, whatever the day and the hour. */
  readonly tradesNow?: boolean;
}

interface CommandInput {
  readonly stdin?: string;
  readonly environment?: Settings;
}

/** Tests side by side share the output of their process: one command at a time writes to it. */
let lastCommand: Promise<unknown> = Promise.resolve();

/** Ends what the tests of a file share after the last one, in the reverse order. */
export function afterTheFile(): AtEnd {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return (end) => void ends.push(end);
}

/** A Redis, a data folder, and as many gateways on them as a test starts. */
export class ConnectionSite {
  readonly broker: ExchangeBroker;
  readonly dataDir: string;
  readonly redisDir: string;
  /** Everything that was logged, answered and printed. */
  readonly said: string[] = [];
  readonly #redis: string;
  readonly #atEnd: AtEnd;
  #key = "";

  private constructor(
    simulator: Pick<ExchangeSimulator, "url">,
    dirs: readonly [string, string],
    redis: string,
    atEnd: AtEnd,
  ) {
    this.broker = new ExchangeBroker(simulator.url);
    this.brokers = this.broker.kinds;
    [this.dataDir, this.redisDir] = dirs;
    this.#redis = redis;
    this.#atEnd = atEnd;
  }

  /** The brokers that connections can be added for. */
  brokers: BrokerKinds;

  static async open(
    simulator: Pick<ExchangeSimulator, "url">,
    atEnd: AtEnd = endWithTest,
  ): Promise<ConnectionSite> {
    const dataDir = await mkdtemp(path.join(tmpdir(), "gateway-connections-"));
    const redisDir = await mkdtemp(path.join(tmpdir(), "gateway-connections-redis-"));
    const folders = [dataDir, redisDir] as const;
    atEnd(async () => {
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    });
    const { server } = await startTestRedis(redisDir, undefined, atEnd);
    return new ConnectionSite(simulator, folders, `unix:${server.path}`, atEnd);
  }

  /** One gateway; it owns nothing of its own, only what is added. */
  async start(settings: Settings = {}, options: StartOptions = {}): Promise<App> {
    const config = loadConfig(this.#settings(settings));
    const write = (line: string) => void this.said.push(line);
    const { tradesNow: isOpen = false, ...answers } = options;
    const app = await startTestApp(config, write, {
      ...answers,
      brokers: this.brokers,
      ...(isOpen && { scheduleLookups: tradesNow() }),
    });
    this.#atEnd(async () => void (await app.stop()));
    if (app.first === undefined) return app;
    this.#key = app.first.keySecret;
    await giveEveryScope(config, this.#key);
    return app;
  }

  api(app: App): ApiClient {
    return apiClient(app.url, this.#key);
  }

  async add(app: App, more: object = {}): Promise<string> {
    const { status, body } = await this.#heard(
      this.api(app).post("/v1/connections", {
        broker: EXCHANGE,
        environment: "demo",
        name: "Mine",
        settings: { user: "joe", password: this.broker.password, ...more },
      }),
    );
    if (status !== 201) throw new Error(`It was not added: ${status} ${JSON.stringify(body)}`);
    return body.connectionId as string;
  }

  async change(app: App, id: string, change: object): Promise<Reply> {
    return await this.#heard(this.api(app).patch(`/v1/connections/${id}`, change));
  }

  async read(app: App, id: string): Promise<Reply> {
    return await this.#heard(this.api(app).get(`/v1/connections/${id}`));
  }

  async test(app: App, id: string): Promise<Reply["body"]> {
    return (await this.#heard(this.api(app).post(`/v1/connections/${id}/test`, {}))).body;
  }

  async remove(app: App, id: string): Promise<Reply> {
    return await this.#heard(this.api(app).delete(`/v1/connections/${id}`));
  }

  async until(app: App, id: string, status: string): Promise<void> {
    const isThere = async () => (await this.read(app, id)).body.status === status;
    await waitUntil(`${id} is ${status}`, isThere);
  }

  /** Whether an account is open for trading; undefined when there is none. */
  async isActive(app: App, account: string): Promise<boolean | undefined> {
    const { body } = await this.api(app).get("/v1/accounts");
    const accounts = body.accounts as { id: string; active: boolean }[];
    return accounts.find(({ id }) => id === account)?.active;
  }

  /** The path of a webhook's URL; it is the same at every gateway. */
  async webhook(app: App, accountId: string): Promise<string> {
    let url = "";
    // A process that does not own the connection hears of its accounts a moment later.
    await waitUntil(`${accountId} is known`, async () => {
      const { status, body } = await this.api(app).post("/v1/webhooks", { accountId });
      url = String(body.url);
      return status === 201;
    });
    return new URL(url).pathname;
  }

  /** One command as the program runs it: its exit status, and everything it printed. */
  async command(words: readonly string[], given: CommandInput = {}): Promise<string> {
    const turn = lastCommand.then(async () => await this.#command(words, given));
    lastCommand = turn.catch(() => undefined);
    return await turn;
  }

  async #command(
    words: readonly string[],
    { stdin = "", environment = {} }: CommandInput,
  ): Promise<string> {
    let said = "";
    const write = (text: unknown) => {
      said += String(text);
      return true;
    };
    const out = vi.spyOn(process.stdout, "write").mockImplementation(write);
    const err = vi.spyOn(process.stderr, "write").mockImplementation(write);
    try {
      const status = await runCommand(words, loadConfig(this.#settings()), {
        environment,
        stdin: Readable.from([stdin]),
        brokers: this.brokers,
      });
      this.said.push(said);
      return `${status} ${said}`;
    } finally {
      out.mockRestore();
      err.mockRestore();
    }
  }

  #settings(settings: Settings = {}): Settings {
    return {
      ...ROOMY,
      LOG_LEVEL: "debug",
      ALLOW_LOCAL_BROKERS: "true",
      DATA_DIR: this.dataDir,
      REDIS_URL: this.#redis,
      ...settings,
    };
  }

  async #heard(asked: Promise<Reply>): Promise<Reply> {
    const reply = await asked;
    this.said.push(reply.text);
    return reply;
  }
}
