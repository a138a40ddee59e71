import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadConfig } from "../../config/index.ts";
import type { App } from "../../src/app/app.ts";
import type { ConnectionPlan } from "../../src/brokers/connection-owner.ts";
import type { BrokerAdapter, BrokerCapabilities } from "../../src/brokers/broker-adapter.ts";
import { accountId, type ConnectionId, connectionId } from "../../src/domain/ids.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import type { PriceSource } from "../../src/trading/money/ports.ts";
import { createExchangeAdapter } from "../simulators/exchange/adapter.ts";
import type { AccountView } from "../simulators/exchange/desk.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { ExchangeSimulator } from "../simulators/exchange/start.ts";
import type { ExchangeOp } from "../simulators/exchange/wire.ts";
import type { Listed } from "./gateway.ts";
import { type ApiClient, apiClient, type Reply } from "./http-client.ts";
import { startTestApp } from "./start-ready.ts";
import { HANGS_AFTER_MS, waitUntil } from "./wait.ts";
import { type AnswerOptions, ROOMY } from "./roomy.ts";
import { quoteHeardAt } from "../../src/domain/quote.ts";

/** More than any test asks for. */
const DEEP = 1_000_000;

const TOLD_EVERY_MS = 100;

/** Only what hangs is ended. */
const PATIENT = { deadAfterMs: HANGS_AFTER_MS / 2, answerWithinMs: HANGS_AFTER_MS / 2 };

let connections = 0;

export interface ExchangeGatewayOptions extends AnswerOptions {
  readonly accounts?: number;
  /** Whether the adapter reports the market's prices too. */
  readonly tellsPrices?: boolean;
  /** A broker that a busy machine has stopped is waited for, and its session goes on. */
  readonly isPatient?: boolean;
}

/** A gateway in this process with its own Redis and data, on every connection that it was given. */
class Host {
  readonly #dataDir: string;
  readonly #plans: readonly ConnectionPlan[];
  readonly #answers: AnswerOptions;
  #app: App | undefined;
  #key: string | undefined;

  constructor(dataDir: string, plans: readonly ConnectionPlan[], answers: AnswerOptions) {
    this.#dataDir = dataDir;
    this.#plans = plans;
    this.#answers = answers;
  }

  async start(): Promise<void> {
    const config = loadConfig({ ...ROOMY, DATA_DIR: this.#dataDir });
    this.#app = await startTestApp(config, () => undefined, {
      answersOnTime: this.#answers.answersOnTime,
      connections: async () => await Promise.resolve(this.#plans),
    });
    this.#key ??= this.#app.first?.keySecret;
  }

  async halt(): Promise<void> {
    const report = await this.#app?.stop();
    this.#app = undefined;
    const left = [...(report?.unfinished ?? []), ...(report?.failures ?? [])];
    if (left.length > 0) throw new Error(`Did not end in order: ${JSON.stringify(left)}`);
  }

  async stop(): Promise<void> {
    await this.halt();
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  get api(): ApiClient {
    if (this.#app === undefined || this.#key === undefined) {
      throw new Error("The gateway is not running");
    }
    return apiClient(this.#app.url, this.#key);
  }
}

/**
 * The whole gateway in this process, on one account, or several, of a broker that is a process of its
 * own and can do no more than `capabilities` says. Each has a connection to itself; the market is
 * shared by all gateways of one simulator.
 */
export class ExchangeGateway {
  /** The first one. */
  readonly account: string;
  readonly accounts: readonly string[];
  readonly #simulator: ExchangeSimulator;
  readonly #connection: ConnectionId;
  readonly #capabilities: Partial<BrokerCapabilities>;
  readonly #isPatient: boolean;
  /** Its bids, where the adapter reports prices too. */
  readonly #told: Map<string, number> | undefined;
  #host: Host | undefined;

  private constructor(
    simulator: ExchangeSimulator,
    capabilities: Partial<BrokerCapabilities>,
    { accounts = 1, tellsPrices = false, isPatient = false }: ExchangeGatewayOptions,
  ) {
    connections += 1;
    this.#simulator = simulator;
    this.#connection = connectionId(`sim-${connections}`);
    this.#capabilities = capabilities;
    this.#isPatient = isPatient;
    this.#told = tellsPrices ? new Map() : undefined;
    this.account = `${this.#connection}-1`;
    this.accounts = Array.from({ length: accounts }, (_, n) => `${this.#connection}-${n + 1}`);
  }

  static async start(
    simulator: ExchangeSimulator,
    capabilities: Partial<BrokerCapabilities> = {},
    options: ExchangeGatewayOptions = {},
  ): Promise<ExchangeGateway> {
    const gateway = new ExchangeGateway(simulator, capabilities, options);
    await ExchangeGateway.#startAll(simulator, [gateway], options);
    return gateway;
  }

  /** One running gateway, seen from each of its connections: what starts or stops one does so to all. */
  static async startSeveral(
    simulator: ExchangeSimulator,
    count: number,
    capabilities: Partial<BrokerCapabilities> = {},
    options: ExchangeGatewayOptions = {},
  ): Promise<readonly ExchangeGateway[]> {
    const views = Array.from(
      { length: count },
      () => new ExchangeGateway(simulator, capabilities, options),
    );
    await ExchangeGateway.#startAll(simulator, views, options);
    // A gateway is ready with the first of them.
    await Promise.all(views.map(async (view) => await view.waitUntilConnected()));
    return views;
  }

  static async #startAll(
    simulator: ExchangeSimulator,
    views: readonly ExchangeGateway[],
    answers: AnswerOptions = {},
  ): Promise<void> {
    const dataDir = await mkdtemp(path.join(tmpdir(), "gateway-exchange-"));
    const plans = views.map((view) => ({
      connectionId: view.#connection,
      open: () => view.#openAdapter(),
    }));
    const host = new Host(dataDir, plans, answers);
    for (const view of views) {
      view.#host = host;
      const { refusesDuplicates: _duplicates, lacks: _lacks, ...abilities } = view.#capabilities;
      const connection = view.#connection;
      await simulator.control({ knob: "abilities", connection, ...abilities });
    }
    try {
      await host.start();
    } catch (error) {
      await host.stop();
      throw error;
    }
  }

  /** Also after `halt`, on the same data. */
  async start(): Promise<void> {
    await this.#gateway.start();
  }

  #openAdapter(): BrokerAdapter {
    const adapter = createExchangeAdapter({
      connectionId: this.#connection,
      url: this.#simulator.url,
      accounts: this.accounts.length,
      capabilities: this.#capabilities,
      ...(this.#isPatient && { timing: PATIENT }),
    });
    const told = this.#told;
    return told === undefined ? adapter : Object.assign(adapter, { prices: pricesOf(told) });
  }

  /** Stops in order and keeps the data. */
  async halt(): Promise<void> {
    await this.#gateway.halt();
  }

  /** Ends the gateway, and what it left working at the broker: the next test has the same market. */
  readonly stop = async (): Promise<void> => {
    await this.#gateway.stop();
    const account = accountId(this.account);
    const left = (await this.broker())?.workingOrders ?? [];
    for (const { orderId } of left) {
      await this.#simulator.control({ knob: "cancelOrder", account, orderId });
    }
  };

  get api(): ApiClient {
    return this.#gateway.api;
  }

  get #gateway(): Host {
    if (this.#host === undefined) throw new Error("The gateway was not started");
    return this.#host;
  }

  post(route: string, body: object): Promise<Reply> {
    return this.api.post(this.#pathOf(route), body);
  }

  patch(route: string, body: object): Promise<Reply> {
    return this.api.patch(this.#pathOf(route), body);
  }

  delete(route: string): Promise<Reply> {
    return this.api.delete(this.#pathOf(route));
  }

  get(route: string): Promise<Reply> {
    return this.api.get(this.#pathOf(route));
  }

  /** The account as the broker itself has it; undefined before the first session. */
  async broker(): Promise<AccountView | undefined> {
    return (await this.#simulator.state()).accounts[this.account];
  }

  /** What the broker was sent, in order, whatever became of it; of these kinds when any are named. */
  async commands(...kinds: ExchangeOp[]): Promise<readonly LogEntry[]> {
    return await this.commandsOf(this.account, ...kinds);
  }

  async commandsOf(of: string, ...kinds: ExchangeOp[]): Promise<readonly LogEntry[]> {
    const log = await this.#simulator.log();
    const isWanted = ({ op }: LogEntry) =>
      kinds.length === 0 || (kinds as readonly string[]).includes(op);
    return log.filter((entry) => {
      const { account, session, command } = entry;
      // What was done by hand has no session.
      const isSent = session !== undefined && command !== undefined;
      return isSent && account === of && isWanted(entry);
    });
  }

  /** The bid in ticks, the ask one above, and how much is shown on each side. */
  async quote({ code }: Listed, bid: number, qty = DEEP): Promise<void> {
    this.#told?.set(code, bid);
    await this.#simulator.control({
      knob: "quote",
      contract: code,
      bid,
      ask: bid + 1,
      bidQty: qty,
      askQty: qty,
    });
  }

  /** The broker does the next command or not, and its session breaks instead of an answer. */
  async loseNextAnswer({ isCarriedOut }: { isCarriedOut: boolean }): Promise<void> {
    await this.#simulator.control({
      knob: "loseNextAnswer",
      connection: this.#connection,
      isCarriedOut,
    });
  }

  /** The broker ends the session, tells nothing of what happens then, and lets no other one in. */
  async breakSession(forMs: number): Promise<void> {
    const connection = this.#connection;
    await this.refuseLogins(forMs);
    await this.#simulator.control({ knob: "closeSessions", connection });
  }

  /** No new session is let in until `letIn`; the one that is open goes on. */
  async refuseLogins(forMs = HANGS_AFTER_MS): Promise<void> {
    const connection = this.#connection;
    await this.#simulator.control({ knob: "refuseLogins", connection, ms: forMs });
  }

  /** No session is let in until `letIn`, and the gateway knows that its own has ended. */
  async goDown(): Promise<void> {
    await this.breakSession(HANGS_AFTER_MS);
    await waitUntil("the connection is down", async () => !(await this.isConnected()));
  }

  /** Ends what `breakSession`, `goDown` or `refuseLogins` began before its time. */
  async letIn(): Promise<void> {
    await this.refuseLogins(0);
  }

  async waitUntilConnected(): Promise<void> {
    await waitUntil("the broker is connected", () => this.isConnected());
  }

  async isConnected(): Promise<boolean> {
    const { status, body } = await this.api.get(`/v1/accounts/${this.account}`);
    return status === 200 && body.connectionStatus === "CONNECTED";
  }

  #pathOf(route: string): string {
    return `/v1/accounts/${this.account}/${route}`;
  }
}

function pricesOf(told: ReadonlyMap<string, number>): PriceSource {
  return {
    missing: () => undefined,
    watch: (contract, listener) => {
      const timer = setInterval(() => {
        const bid = told.get(contract);
        if (bid === undefined) return;
        listener(quoteHeardAt(Date.now(), { bid: ticks(bid), ask: ticks(bid + 1) }));
      }, TOLD_EVERY_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
    bars: () => Promise.resolve([]),
  };
}
