import type { AccountId, ConnectionId } from "../../../src/domain/ids.ts";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";
import type { App } from "../../../src/app/app.ts";
import type { AccountView } from "../../simulators/exchange/desk.ts";
import { startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { startProjectXSimulator } from "../../simulators/projectx/start.ts";
import { startTradovateSimulator } from "../../simulators/tradovate/start.ts";
import { type AtEnd, ConnectionSite } from "../../support/connection-site.ts";
import { EXCHANGE } from "../../support/exchange-broker.ts";
import { frontMonth } from "../../support/gateway.ts";
import type { ApiClient } from "../../support/http-client.ts";
import { made, waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES").code;
/** In ticks. It does not move, so that no exit fills by itself. */
export const BID = 27_400;
const MANY = 1_000_000;

export const BROKERS = ["exchange", "ProjectX", "Tradovate"] as const;
export type BrokerName = (typeof BROKERS)[number];

/** One account at a broker that can be made to misbehave, as it is there. */
export interface ExitDesk {
  readonly connection: string;
  readonly account: string;
  readonly view: () => Promise<AccountView | undefined>;
  /** So many of the next orders at the market are refused for certain. */
  readonly refuse: (times: number) => Promise<unknown>;
  /** The next command is carried out, and the link is cut instead of an answer. */
  readonly cutAtFirst: () => Promise<unknown>;
  /** The next order at the market is carried out or not, and the link is cut instead of an answer. */
  readonly loseClose: (isCarriedOut: boolean) => Promise<unknown>;
  /** Something else goes wrong, in the simulator's own words; undefined where it knows no faults. */
  readonly fault: ((of: object, fault: object, times?: number) => Promise<unknown>) | undefined;
  /** Whether the account may trade; the gateway hears of it only with `isTold`. */
  readonly allow: (mayTrade: boolean, isTold: boolean) => Promise<unknown>;
}

interface Opened extends Omit<ExitDesk, "connection" | "account"> {
  readonly broker: string;
  readonly settings: object;
  readonly begin: (connection: string, account: string) => Promise<void>;
}

/** All brokers, and one gateway that a connection of each case is added to. */
export class ExitSite {
  readonly app: App;
  readonly api: ApiClient;
  readonly #site: ConnectionSite;
  readonly #open: Readonly<Record<BrokerName, (n: number) => Promise<Opened>>>;
  #cases = 0;

  private constructor(
    site: ConnectionSite,
    app: App,
    open: Readonly<Record<BrokerName, (n: number) => Promise<Opened>>>,
  ) {
    this.#site = site;
    this.app = app;
    this.api = site.api(app);
    this.#open = open;
  }

  static async open(atEnd: AtEnd): Promise<ExitSite> {
    const exchange = await startExchangeSimulator();
    atEnd(exchange.stop);
    const projectx = await startProjectXSimulator();
    atEnd(projectx.stop);
    const tradovate = await startTradovateSimulator();
    atEnd(tradovate.stop);
    const price = { contract: ES, bid: BID, ask: BID + 1 };
    await exchange.control({ knob: "quote", ...price, bidQty: MANY, askQty: MANY });
    await projectx.control({ knob: "quote", ...price });
    await tradovate.control({ knob: "quote", ...price });
    await projectx.control({ knob: "set", requestsPerMinute: MANY, barsPerHalfMinute: MANY });
    await tradovate.control({ knob: "set", userLimit: {}, endpointLimits: {} });
    const site = await ConnectionSite.open(exchange, atEnd);
    site.brokers = { ...BROKER_KINDS, ...site.broker.kinds };
    const app = await site.start({ LOG_LEVEL: "info" }, { tradesNow: true });

    return new ExitSite(site, app, {
      exchange: async () => {
        let connection = "" as ConnectionId;
        let account = "" as AccountId;
        const begin = async (...names: [string, string]) => {
          [connection, account] = names as unknown as [ConnectionId, AccountId];
        };
        return {
          broker: EXCHANGE,
          settings: { user: "joe", password: site.broker.password },
          begin,
          view: async () => (await exchange.state()).accounts[account],
          refuse: (times) => exchange.control({ knob: "refuseAtMarket", account, times }),
          fault: undefined,
          cutAtFirst: () =>
            exchange.control({ knob: "loseNextAnswer", connection, isCarriedOut: true }),
          loseClose: (isCarriedOut) =>
            exchange.control({
              knob: "loseNextAnswer",
              connection,
              isCarriedOut,
              isAtMarket: true,
            }),
          allow: async (isActive, isTold) => {
            await exchange.control({ knob: "active", account, isActive });
            if (isTold) await exchange.control({ knob: "closeSessions", connection });
          },
        };
      },
      ProjectX: async (n) => {
        const user = `px${n}`;
        const answer = await projectx.control({ knob: "user", name: user, apiKey: "key" });
        const [{ id } = { id: 0 }] = answer["accounts"] as readonly { readonly id: number }[];
        const { url, rtcUrl } = projectx;
        const atMarket = { user, path: "Order/place", having: { type: 2 } };
        return {
          broker: "projectx",
          settings: { firm: "topstep", userName: user, apiKey: "key", restUrl: url, rtcUrl },
          begin: () => Promise.resolve(),
          view: async () => (await projectx.state()).accounts[String(id)],
          refuse: (times) =>
            projectx.control({
              knob: "fault",
              ...atMarket,
              times,
              fault: { kind: "code", code: 2, message: "Trading is halted", isCarriedOut: false },
            }),
          cutAtFirst: () => projectx.control({ knob: "loseNextAnswer", user, isCarriedOut: true }),
          fault: (of, fault, times = 1) =>
            projectx.control({ knob: "fault", user, ...of, times, fault } as Parameters<
              typeof projectx.control
            >[0]),
          loseClose: (isCarriedOut) =>
            projectx.control({
              knob: "fault",
              ...atMarket,
              fault: { kind: "drop", isCarriedOut, cutsHubs: true },
            }),
          allow: (canTrade, isTold) =>
            projectx.control({ knob: "account", account: id, canTrade, isTold }),
        };
      },
      Tradovate: async (n) => {
        const user = `tv${n}`;
        await tradovate.control({ knob: "user", name: user, password: "any", accounts: 1 });
        const login = { name: user, cid: "8", password: "any", sec: "any", appId: "any" };
        const { url, wsUrl, mdUrl } = tradovate;
        const atMarket = { user, endpoint: "order/placeorder", having: { orderType: "Market" } };
        return {
          broker: "tradovate",
          settings: { ...login, restUrl: url, wsUrl, mdUrl },
          begin: () => Promise.resolve(),
          view: async () => (await tradovate.state()).accounts[`${user}-1`],
          refuse: (times) =>
            tradovate.control({
              knob: "fault",
              ...atMarket,
              times,
              fault: { kind: "riskReject", text: "Trading is halted" },
            }),
          cutAtFirst: () => tradovate.control({ knob: "loseNextAnswer", user, isCarriedOut: true }),
          fault: (of, fault, times = 1) =>
            tradovate.control({ knob: "fault", user, ...of, times, fault } as Parameters<
              typeof tradovate.control
            >[0]),
          loseClose: (isCarriedOut) =>
            tradovate.control({
              knob: "fault",
              ...atMarket,
              fault: { kind: "drop", isCarriedOut, cutsSockets: true },
            }),
          allow: (isActive) =>
            tradovate.control({ knob: "active", account: `${user}-1`, isActive }),
        };
      },
    });
  }

  /** A connection with one account, on which nothing has happened. */
  async desk(broker: BrokerName): Promise<ExitDesk> {
    this.#cases += 1;
    const opened = await this.#open[broker](this.#cases);
    const body = await made(() =>
      this.api.post("/v1/connections", {
        broker: opened.broker,
        environment: opened.broker === "projectx" ? "live" : "demo",
        name: "Mine",
        settings: opened.settings,
      }),
    );
    const connection = body.connectionId as string;
    await this.#site.until(this.app, connection, "CONNECTED");
    const account = await this.#accountOf(connection);
    await opened.begin(connection, account);
    return { ...opened, connection, account };
  }

  async #accountOf(connection: string): Promise<string> {
    const { body } = await this.api.get("/v1/accounts");
    const all = body.accounts as { id: string; connectionId: string }[];
    const found = all.find(({ connectionId }) => connectionId === connection);
    if (found === undefined) throw new Error(`${connection} has no account`);
    return found.id;
  }

  async isActive({ account }: ExitDesk): Promise<boolean> {
    return (await this.#site.isActive(this.app, account)) === true;
  }

  async untilActive(desk: ExitDesk, isActive: boolean): Promise<void> {
    const word = isActive ? "active" : "inactive";
    await waitUntil(`it is ${word}`, async () => (await this.isActive(desk)) === isActive);
  }

  async remove({ connection }: ExitDesk): Promise<void> {
    await this.api.delete(`/v1/connections/${connection}`);
  }
}
