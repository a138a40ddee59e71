import { endWithTest } from "../../support/side-by-side.ts";
import type { App } from "../../../src/app/app.ts";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import type { Settings } from "../../simulators/projectx/settings.ts";
import { type ProjectXSimulator, startProjectXSimulator } from "../../simulators/projectx/start.ts";
import { type AtEnd, ConnectionSite } from "../../support/connection-site.ts";
import { frontMonth } from "../../support/gateway.ts";
import type { ApiClient } from "../../support/http-client.ts";
import { untilTaken, waitUntil } from "../../support/wait.ts";

export const ES = frontMonth("ES").code;
/** In ticks. */
export const BID = 27_400;

/** A gateway with a connection to the simulator of ProjectX, whose price is in our hand. */
export class ProjectXSite {
  readonly simulator: ProjectXSimulator;
  readonly site: ConnectionSite;
  /** The accounts of the connection. */
  accounts: readonly string[] = [];
  app: App;

  private constructor(simulator: ProjectXSimulator, site: ConnectionSite, app: App) {
    this.simulator = simulator;
    this.site = site;
    this.app = app;
  }

  static async open(
    behaviour: Partial<Settings> = {},
    atEnd: AtEnd = endWithTest,
  ): Promise<ProjectXSite> {
    const simulator = await startProjectXSimulator();
    atEnd(simulator.stop);
    await simulator.control({ knob: "user", name: "joe", apiKey: "key-of-joe", accounts: 2 });
    await simulator.control({ knob: "set", ...behaviour });
    const site = await ConnectionSite.open(simulator, atEnd);
    site.brokers = BROKER_KINDS;
    const one = new ProjectXSite(simulator, site, await site.start());
    await one.quote(BID);
    return one;
  }

  get api(): ApiClient {
    return this.site.api(this.app);
  }

  get account(): string {
    return this.accounts[0] ?? "";
  }

  /** Adds the connection by the command line; answers what that printed. */
  async connect(): Promise<string> {
    const { url, rtcUrl } = this.simulator;
    const settings = { firm: "topstep", userName: "joe", restUrl: url, rtcUrl };
    const set = Object.entries(settings).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
    const words = ["connection", "add", "projectx", "--environment", "live", ...set];
    const stdin = "apiKey=key-of-joe\n";
    const said = await this.site.command([...words, "--secrets", "stdin"], { stdin });
    await this.untilConnected();
    const { body } = await this.api.get("/v1/accounts");
    const all = body.accounts as { id: string; broker: string }[];
    this.accounts = all.filter(({ broker }) => broker === "projectx").map(({ id }) => id);
    return said;
  }

  async untilConnected(): Promise<void> {
    await this.site.until(this.app, "projectx-1", "CONNECTED");
  }

  async quote(bid: number): Promise<void> {
    await this.simulator.control({ knob: "quote", contract: ES, bid, ask: bid + 1 });
  }

  async order(asked: object, account = this.account) {
    const order = { symbol: "ES1!", action: "buy", qty: 1, type: "market", ...asked };
    return await untilTaken(() => this.api.post(`/v1/accounts/${account}/orders`, order));
  }

  /** Signed, of all contracts together. */
  async held(account = this.account): Promise<number> {
    const { body } = await untilTaken(() => this.api.get(`/v1/accounts/${account}/positions`));
    const positions = body.positions as { side: string; qty: number }[];
    return positions.reduce((sum, { side, qty }) => sum + (side === "long" ? qty : -qty), 0);
  }

  /** Working orders in words: `stopLoss 1 at 6840`. */
  async working(account = this.account): Promise<readonly string[]> {
    const path = `/v1/accounts/${account}/working-orders`;
    const { body } = await untilTaken(() => this.api.get(path));
    const orders = body.orders as {
      role: string;
      remainingQty: number;
      limitPrice: number | null;
      stopPrice: number | null;
    }[];
    return orders
      .map((one) => `${one.role} ${one.remainingQty} at ${one.limitPrice ?? one.stopPrice}`)
      .toSorted();
  }

  async untilWorking(expected: readonly string[], account = this.account): Promise<void> {
    const wanted = JSON.stringify([...expected].toSorted());
    let seen: readonly string[] = [];
    const isThere = async () => {
      seen = await this.working(account);
      return JSON.stringify(seen) === wanted;
    };
    await waitUntil(`what works is ${wanted}`, isThere).catch((cause) => {
      throw new Error(`There works: ${seen.join(", ") || "nothing"}`, { cause });
    });
  }
}
