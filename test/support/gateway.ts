import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { endWithTest } from "./side-by-side.ts";
import { loadConfig } from "../../config/index.ts";
import type { App } from "../../src/app/app.ts";
import { type ConnectionPlansDeps, PAPER, paperPorts } from "../../src/app/connection-plans.ts";
import { openPaperPlan } from "../../src/brokers/paper-connection.ts";
import type { ConnectionPlan } from "../../src/brokers/connection-owner.ts";
import type { PaperBroker } from "../../src/brokers/paper/adapter.ts";
import { createManualFeed, type ManualFeed } from "../../src/brokers/paper/feed/manual-feed.ts";
import { type AccountId, accountId } from "../../src/domain/ids.ts";
import { type OrderReport, understood } from "../../src/domain/order.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { createKeys, type Keys } from "../../src/store/keys.ts";
import { createRedisCredentialStore } from "../../src/store/people/redis-credential-store.ts";
import {
  type BrokerPosition,
  BrokerReadError,
  type BrokerStateStore,
} from "../../src/trading/ports.ts";
import type { Scope } from "../../src/domain/people/credential.ts";
import { giveEveryScope } from "./every-scope.ts";
import { frontMonth, type Listed } from "./front-month.ts";
import { type ApiClient, apiClient, postAlert, type Reply } from "./http-client.ts";
import type { ServicePlaces } from "../../src/app/keep-notifying.ts";
import { startTestApp } from "./start-ready.ts";
import { type AnswerOptions, ROOMY } from "./roomy.ts";
import { tradesNow } from "./trades-now.ts";
import { made, waitUntil } from "./wait.ts";

export { frontMonth, type Listed, quarterAfter } from "./front-month.ts";

/** The bid in ticks that a contract is quoted at unless a test says else; the ask is one above. */
const BIDS: Readonly<Record<string, number>> = {
  ES: 27_400,
  MES: 27_400,
  NQ: 100_000,
  MNQ: 100_000,
};
const DEEP = 1_000_000;

/** Settings of a test are an environment, as an operator would write it. */
export type Settings = Readonly<Record<string, string>>;

export interface GatewayOptions extends AnswerOptions {
  readonly settings?: Settings;
  /** The made-up prices of a first start instead of the test's own. */
  readonly seeded?: boolean;
  /** Where the paper broker keeps its accounts instead of in the gateway's Redis, as other brokers do. */
  readonly brokerState?: BrokerStateStore;
  /** Everything trades, whatever the day and the hour: no session ends while the test runs. */
  readonly tradesNow?: boolean;
  /** Where the services are that people are told by. */
  readonly services?: ServicePlaces;
}

/** The paper broker's accounts as they are, behind the gateway's back. */
export interface BrokerView {
  readonly positions: (account: string) => Promise<Record<string, number>>;
  readonly working: (account: string) => Promise<readonly OrderReport[]>;
  /** Contracts filled since the account was opened, and by how many orders. */
  readonly filled: (account: string) => Promise<{ readonly qty: number; readonly orders: number }>;
}

export interface TestGateway {
  readonly url: string;
  /** Of the first start, also after a restart. */
  readonly key: string;
  /** What the newest start offered for choosing a password; empty once somebody has. */
  readonly setUpLink: string;
  /** The first webhook's URL, bound to paper-1. */
  readonly webhook: string;
  readonly dataDir: string;
  readonly api: ApiClient;
  readonly alert: (alert: object | string) => Promise<Reply>;
  readonly paper: PaperBroker;
  /**
   * Cuts the paper broker's session, and lets none begin until the returned function is called, at the
   * latest when the test is over.
   */
  readonly loseBroker: () => () => void;
  readonly broker: BrokerView;
  readonly feed: ManualFeed;
  /** Moves a contract: the bid in ticks, and how much is shown on each side. */
  readonly quote: (contract: Listed, bid: number, qty?: number) => void;
  /** The same, repeated each second until the returned function is called: a price is stale after ten. */
  readonly keepQuoting: (contract: Listed, bid: number) => () => void;
  /** Moves the front months to where they are after a start. */
  readonly quoteAsUsual: () => void;
  readonly redis: Redis;
  readonly keys: Keys;
  /** The process of the gateway's own Redis as it runs now. */
  readonly redisPid: () => Promise<number>;
  /** Every line logged since the first start. */
  readonly log: readonly string[];
  readonly createKey: (
    ...scopes: Scope[]
  ) => Promise<{ id: string; secret: string; api: ApiClient }>;
  /** A webhook of an account, by its URL. */
  readonly createWebhook: (account: string) => Promise<{ id: string; url: string }>;
  /** Stops in order and starts again on the same data. */
  readonly restart: (settings?: Settings) => Promise<void>;
  /** Stops in order and keeps the data, for `restart`. */
  readonly halt: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The whole gateway in this process, with its own Redis, data and prices; `stop` removes it all. */
export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "gateway-app-"));
  const running = new RunningGateway(dataDir, options);
  try {
    await running.start();
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

class RunningGateway implements TestGateway {
  readonly dataDir: string;
  readonly log: string[] = [];
  readonly keys = createKeys();
  readonly feed = createManualFeed();
  readonly #options: GatewayOptions;
  #settings: Settings;
  #app: App | undefined;
  #paper: PaperBroker | undefined;
  #redis: Redis | undefined;
  #first: { key: string; token: string } | undefined;

  constructor(dataDir: string, options: GatewayOptions) {
    this.dataDir = dataDir;
    this.#options = options;
    this.#settings = options.settings ?? {};
    this.quoteAsUsual();
  }

  async start(): Promise<void> {
    const config = loadConfig({ ...ROOMY, DATA_DIR: this.dataDir, ...this.#settings });
    const { answersOnTime, services } = this.#options;
    this.#app = await startTestApp(config, (line) => void this.log.push(line), {
      answersOnTime,
      ...(this.#options.tradesNow === true && { scheduleLookups: tradesNow() }),
      ...(services !== undefined && { services }),
      connections: async (deps) => [await this.#paperPlan(deps)],
    });
    const { first } = this.#app;
    if (first !== undefined) this.#first = { key: first.keySecret, token: first.webhookSecret };
    this.#redis = new Redis({
      path: path.join(this.dataDir, "redis/redis.sock"),
      retryStrategy: () => 20,
    });
    this.#redis.on("error", () => undefined);
    if (first !== undefined) await giveEveryScope(config, first.keySecret);
  }

  async #paperPlan(deps: ConnectionPlansDeps): Promise<ConnectionPlan> {
    return await openPaperPlan({
      ...deps,
      ...paperPorts(deps),
      ...(this.#options.brokerState !== undefined && { state: this.#options.brokerState }),
      connectionId: PAPER,
      feed: this.#options.seeded === true ? undefined : this.feed,
      onOpen: (paper) => (this.#paper = paper),
    });
  }

  get url(): string {
    return this.#running.url;
  }

  get key(): string {
    return this.#known.key;
  }

  get setUpLink(): string {
    return this.#running.setUpLink ?? "";
  }

  get webhook(): string {
    return `${this.url}/hooks/${this.#known.token}`;
  }

  get api(): ApiClient {
    return apiClient(this.url, this.key);
  }

  get paper(): PaperBroker {
    if (this.#paper === undefined) throw new Error("The gateway does not own the paper broker");
    return this.#paper;
  }

  get redis(): Redis {
    if (this.#redis === undefined) throw new Error("The gateway is not running");
    return this.#redis;
  }

  readonly alert = async (alert: object | string) => await postAlert(this.webhook, alert);

  readonly broker: BrokerView = {
    positions: async (account) => {
      const positions = await read(() => this.paper.positions(accountId(account)));
      return Object.fromEntries(positions.map(toRow));
    },
    working: async (account) =>
      understood(await read(() => this.paper.workingOrders(accountId(account)))),
    filled: async (account) => {
      const fills = await read(() => this.paper.fills(accountId(account), 0));
      return {
        qty: fills.reduce((sum, { lastQty }) => sum + lastQty, 0),
        orders: new Set(fills.map(({ orderId }) => orderId)).size,
      };
    },
  };

  quote({ code }: Listed, bid: number, qty = DEEP): void {
    this.feed.set(code, {
      bid: ticks(bid),
      ask: ticks(bid + 1),
      bidQty: qty,
      askQty: qty,
    });
  }

  keepQuoting(contract: Listed, bid: number): () => void {
    this.quote(contract, bid);
    const again = setInterval(() => this.quote(contract, bid), 1_000);
    return () => clearInterval(again);
  }

  quoteAsUsual(): void {
    for (const [root, bid] of Object.entries(BIDS)) this.quote(frontMonth(root), bid);
  }

  loseBroker(): () => void {
    const { paper } = this;
    const runSession = paper.runSession.bind(paper);
    let letIn = (): void => undefined;
    const isLetIn = new Promise<void>((resolve) => (letIn = resolve));
    // It waits, since a session that fails is tried less and less often.
    paper.runSession = async (session) => {
      await isLetIn;
      await runSession(session);
    };
    paper.breakSession(new Error("The link is lost"));
    const bringBack = () => {
      paper.runSession = runSession;
      letIn();
    };
    endWithTest(bringBack);
    return bringBack;
  }

  async redisPid(): Promise<number> {
    return Number(await readFile(path.join(this.dataDir, "redis/redis.pid"), "utf8"));
  }

  async createKey(...scopes: Scope[]) {
    const credentials = createRedisCredentialStore({ redis: this.redis, keys: this.keys });
    const [owner] = await credentials.users();
    if (owner === undefined) throw new Error("The gateway has no user");
    const { userId } = owner;
    const { key, secret } = await credentials.createKey({ userId, name: "test", scopes });
    return { id: key.id as string, secret, api: apiClient(this.url, secret) };
  }

  async createWebhook(account: string) {
    const body = await made(() => this.api.post("/v1/webhooks", { accountId: account }));
    return { id: body.id as string, url: body.url as string };
  }

  async restart(settings: Settings = {}): Promise<void> {
    await this.#end();
    this.#settings = { ...this.#settings, ...settings };
    await this.start();
  }

  async halt(): Promise<void> {
    await this.#end();
  }

  readonly stop = async (): Promise<void> => {
    await this.#end();
    await rm(this.dataDir, { recursive: true, force: true });
  };

  async #end(): Promise<void> {
    this.#redis?.disconnect();
    this.#redis = undefined;
    const report = await this.#app?.stop();
    this.#app = undefined;
    const left = [...(report?.unfinished ?? []), ...(report?.failures ?? [])];
    if (left.length > 0) throw new Error(`Did not end in order: ${JSON.stringify(left)}`);
  }

  get #running(): App {
    if (this.#app === undefined) throw new Error("The gateway is not running");
    return this.#app;
  }

  get #known() {
    if (this.#first === undefined) throw new Error("There was no first start");
    return this.#first;
  }
}

/** The session begins anew after the machine stood still for seconds: then it is read again. */
async function read<Value>(ask: () => Promise<Value>): Promise<Value> {
  const found: Value[] = [];
  await waitUntil("the paper broker can be read", async () => {
    try {
      found.push(await ask());
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
    }
    return found.length > 0;
  });
  return found[0] as Value;
}

function toRow({ contract, netQty }: BrokerPosition): [string, number] {
  return [contract, netQty];
}

/** Hands out accounts of a shared gateway, so that each test has one to itself. */
export function accountNames(count: number): () => AccountId {
  let next = 0;
  return () => {
    next += 1;
    if (next > count) throw new Error(`There are only ${count} accounts`);
    return accountId(`paper-${next}`);
  };
}
