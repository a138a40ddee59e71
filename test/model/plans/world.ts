import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Knob } from "../../simulators/tradovate/knobs.ts";
import {
  startTradovateSimulator,
  type TradovateSimulator,
} from "../../simulators/tradovate/start.ts";
import { GatewayMachine, type GatewayProcess } from "../../support/gateway-process.ts";
import { frontMonth } from "../../support/front-month.ts";
import { postAlert, type Reply } from "../../support/http-client.ts";
import { HANGS_AFTER_MS, made, waitUntil } from "../../support/wait.ts";
import { CoverageWatch, type Moment, momentOf } from "./coverage.ts";

const ES = frontMonth("ES").code;
/** Where the market begins, in ticks. */
export const START = 27_400;
const DEEP = 1_000;
const LOOK_MS = 15;
const QUIET_MS = 1_500;
const CUT_WITHIN_MS = 10_000;
const QUIET_WITHIN_MS = HANGS_AFTER_MS;

const SETTINGS = { ALLOW_LOCAL_BROKERS: "true" };

/** The whole gateway as a process, on a broker that is one of its own; what the broker shows is kept. */
export class World {
  readonly simulator: TradovateSimulator;
  readonly #machine: GatewayMachine;
  #gateway: GatewayProcess;
  #hook = "";
  #account = "";
  #name = "";
  #alerts = 0;
  #watch = new CoverageWatch();
  #isOver = false;
  #from = 0;
  bid = START;
  size = DEEP;

  private constructor(
    simulator: TradovateSimulator,
    machine: GatewayMachine,
    gateway: GatewayProcess,
  ) {
    this.simulator = simulator;
    this.#machine = machine;
    this.#gateway = gateway;
  }

  static async open(): Promise<World> {
    const simulator = await startTradovateSimulator();
    onTestFinished(simulator.stop);
    await simulator.control({ knob: "user", name: "joe", password: "any", accounts: 1 });
    const machine = await GatewayMachine.create(SETTINGS);
    onTestFinished(machine.stop);
    const world = new World(simulator, machine, await machine.start());
    await world.#connect();
    const looking = world.#look();
    onTestFinished(async () => {
      world.#isOver = true;
      await looking;
    });
    return world;
  }

  async #connect(): Promise<void> {
    const { api } = this.#machine;
    const { url: restUrl, wsUrl, mdUrl } = this.simulator;
    const login = { name: "joe", cid: "8", password: "any", sec: "any", appId: "any" };
    await this.move(0);
    const added = await api.post("/v1/connections", {
      broker: "tradovate",
      environment: "demo",
      settings: { ...login, restUrl, wsUrl, mdUrl },
    });
    if (added.status !== 201) throw new Error(added.text);
    await this.untilUp();
    const body = await made(() => api.get("/v1/accounts"));
    const found = (body.accounts as { id: string; broker: string; name: string }[]).find(
      ({ broker }) => broker === "tradovate",
    );
    if (found === undefined) throw new Error("It has no account");
    this.#account = found.id;
    this.#name = found.name;
    const webhook = await made(() => api.post("/v1/webhooks", { accountId: found.id }));
    this.#hook = new URL(webhook.url as string).pathname;
  }

  async untilUp(): Promise<void> {
    const isUp = async () =>
      (await this.#machine.api.get("/v1/connections/tradovate-1")).body.status === "CONNECTED";
    await waitUntil("the connection is up", isUp);
  }

  async alert(body: object): Promise<Reply> {
    this.#alerts += 1;
    const alert = { symbol: "ES1!", alertId: `alert ${this.#alerts}`, ...body };
    return await postAlert(`${this.#gateway.url}${this.#hook}`, alert);
  }

  /** As an entry on that side: what is held may be on it from now on. */
  async enter(side: "buy" | "sell", body: object): Promise<Reply> {
    this.#watch.enter(side === "buy" ? 1 : -1);
    return await this.alert({ action: side, ...body });
  }

  async move(by: number, size = DEEP): Promise<void> {
    this.bid += by;
    this.size = size;
    const quote = { bid: this.bid, ask: this.bid + 1, bidQty: size, askQty: size };
    await this.simulator.control({ knob: "quote", contract: ES, ...quote });
  }

  readonly turn = async (knob: Knob): Promise<void> => void (await this.simulator.control(knob));

  async killAndStart(): Promise<void> {
    const watch = this.#watch;
    watch.isUp = false;
    this.#gateway.signal("SIGKILL");
    await this.#gateway.ended;
    this.#gateway = await this.#machine.start();
    await this.untilUp();
    watch.isUp = true;
  }

  /** From now on; what was seen before is judged by whoever asked for it. */
  async watchAnew(): Promise<CoverageWatch> {
    this.#watch = new CoverageWatch();
    this.#from = (await this.simulator.log()).length;
    return this.#watch;
  }

  /** What the broker was asked and did since then. */
  async commands(): Promise<string> {
    const entries = await this.simulator.log();
    return entries
      .slice(this.#from)
      .map((entry) => JSON.stringify(entry))
      .join("\n");
  }

  async now(): Promise<Moment> {
    const { accounts } = await this.simulator.state();
    const view = accounts[this.#name];
    if (view === undefined) throw new Error(`There is no account ${this.#name}`);
    return momentOf(view, performance.now());
  }

  /** Waits until nothing has changed for a while; answers how it stands then. */
  async untilQuiet(): Promise<Moment> {
    const deadline = performance.now() + QUIET_WITHIN_MS;
    let last = await this.now();
    let since = performance.now();
    for (;;) {
      await sleep(50);
      const now = await this.now();
      if (!isSame(last, now)) since = performance.now();
      last = now;
      const isCovered = now.stopped === Math.abs(now.held);
      const isOver = performance.now() > deadline;
      if (isOver || (isCovered && performance.now() - since > QUIET_MS)) return now;
    }
  }

  /** Exits are for no more than is held, or it takes long. */
  async untilCut(): Promise<void> {
    const deadline = performance.now() + CUT_WITHIN_MS;
    while (performance.now() < deadline) {
      const { held, stopped, targeted } = await this.now();
      if (Math.max(stopped, targeted) <= Math.abs(held)) return;
      await sleep(20);
    }
  }

  /** Nothing of the account is left at the broker. */
  async close(): Promise<void> {
    await this.turn({ knob: "reset" });
    await this.move(0);
    const isEmpty = async () => {
      const { accounts } = await this.simulator.state();
      const view = accounts[this.#name];
      return view?.positions.length === 0 && view.workingOrders.length === 0;
    };
    const deadline = performance.now() + 60_000;
    while (!(await isEmpty())) {
      if (performance.now() > deadline) {
        const { accounts } = await this.simulator.state();
        throw new Error(`Not everything was closed: ${JSON.stringify(accounts[this.#name])}`);
      }
      await this.alert({ action: "close", symbol: undefined });
      await sleep(300);
    }
  }

  /** What a person sees of it, for a failure. */
  async story(): Promise<string> {
    const { body } = await this.#machine.api.get(`/v1/accounts/${this.#account}/orders`);
    return JSON.stringify(body);
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      if (this.#name !== "") this.#watch.see(await this.now());
      await sleep(LOOK_MS);
    }
  }
}

const isSame = (one: Moment, other: Moment): boolean =>
  one.held === other.held &&
  one.stopped === other.stopped &&
  one.targeted === other.targeted &&
  JSON.stringify([...one.stops]) === JSON.stringify([...other.stops]);
