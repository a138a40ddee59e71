import {
  frontMonth,
  type GatewayOptions,
  type Settings,
  startGateway,
  type TestGateway,
} from "./gateway.ts";
import { type ApiClient, postAlert, type Reply } from "./http-client.ts";
import { untilTaken, waitUntil } from "./wait.ts";

export const ES = frontMonth("ES");
export const MES = frontMonth("MES");
/** What both are bid at unless a test says else, in ticks: 6850.00. A tick of ES is 12.50 USD, of MES 1.25. */
export const BID = 27_400;

// oxlint-disable-next-line typescript/no-explicit-any -- tests reach into answers freely
export type Row = any;

const EVERY = { mode: "on", lock: "soft" } as const;

/** Each with only what a test is about: the rest is what most accounts would say. */
export const RULES = {
  loss: (more: object = {}) => ({
    id: "loss",
    ...EVERY,
    kind: "loss",
    period: "day",
    limit: 1_000,
    counts: "open",
    then: "flatten",
    ...more,
  }),
  profit: (more: object = {}) => ({ ...RULES.loss(), id: "profit", kind: "profit", ...more }),
  drawdown: (more: object = {}) => ({
    id: "drawdown",
    ...EVERY,
    kind: "drawdown",
    trails: "live",
    size: 2_000,
    start: 50_000,
    then: "flatten",
    ...more,
  }),
  lots: (more: object = {}) => ({
    id: "lots",
    ...EVERY,
    kind: "lots",
    max: 5,
    weights: { MES: 0.1 },
    ...more,
  }),
  orderValue: (max: number) => ({ id: "value", ...EVERY, kind: "orderValue", max }),
  count: (of: string, max: number) => ({ id: of.toLowerCase(), ...EVERY, kind: "count", of, max }),
  opposite: (more: object = {}) => ({
    id: "sides",
    ...EVERY,
    kind: "opposite",
    groups: [["ES", "MES"]],
    ...more,
  }),
  news: (more: object = {}) => ({
    id: "news",
    ...EVERY,
    kind: "news",
    calendar: "none",
    beforeSeconds: 120,
    afterSeconds: 120,
    forbids: "positions",
    whenExpired: "tell",
    ...more,
  }),
};

/** One account of a gateway, with its guards, its webhook and its positions. */
export class GuardedAccount {
  readonly id: string;
  readonly #desk: Pick<TestGateway, "api" | "broker" | "createWebhook">;
  #hook: string | undefined;

  constructor(id: string, desk: Pick<TestGateway, "api" | "broker" | "createWebhook">) {
    this.id = id;
    this.#desk = desk;
  }

  get path(): string {
    return `/v1/accounts/${this.id}`;
  }

  get #api(): ApiClient {
    return this.#desk.api;
  }

  /** Asks for these guards, without a buffer unless it is said. */
  async put(rules: readonly object[], more: object = {}, api = this.#api): Promise<Reply> {
    const guards = { bufferPercent: 0, rules, ...more };
    return await untilTaken(() => api.put(`${this.path}/guards`, guards));
  }

  /** Sets them, and waits until their owner has judged them. */
  async guard(rules: readonly object[], more: object = {}): Promise<void> {
    answered(200, await this.put(rules, more));
    await waitUntil(`${this.id} is judged`, async () => (await this.guards()).judgedAt !== null);
  }

  async guards(): Promise<Row> {
    return answered(200, await this.#api.get(`${this.path}/guards`));
  }

  async verdict(ruleId: string): Promise<Row> {
    const { rules } = await this.guards();
    return rules.find(({ rule }: Row) => rule.id === ruleId)?.verdict;
  }

  /** What was decided, oldest first. */
  async history(): Promise<readonly Row[]> {
    const reply = await this.#api.get(`${this.path}/guards/history?limit=100`);
    return answered(200, reply).decisions.toReversed();
  }

  /** How often each of these was decided. */
  async times(what: string): Promise<number> {
    return (await this.history()).filter((one) => one.what === what).length;
  }

  async untilDecided(what: string): Promise<Row> {
    let found: Row;
    await waitUntil(`${this.id} has decided "${what}"`, async () => {
      found = (await this.history()).find((one) => one.what === what);
      return found !== undefined;
    });
    return found;
  }

  /** By its webhook, another one each time. */
  async alert(alert: object): Promise<Reply> {
    this.#hook ??= (await this.#desk.createWebhook(this.id)).url;
    const [url, sent] = [this.#hook, { alertId: nextId(), ...alert }];
    return await untilTaken(() => postAlert(url, sent));
  }

  async order(order: object, api = this.#api): Promise<Reply> {
    const sent = { symbol: "ES1!", qty: 1, ...order };
    return await untilTaken(() => api.post(`${this.path}/orders`, sent));
  }

  /** An order at the market that must fill. */
  async trade(action: "buy" | "sell", qty = 1, more: object = {}): Promise<Row> {
    return answered(201, await this.order({ action, qty, ...more }));
  }

  /** Signed, by contract, as the broker has it. */
  async held(): Promise<Record<string, number>> {
    return await this.#desk.broker.positions(this.id);
  }

  async working(): Promise<readonly Row[]> {
    return await this.#desk.broker.working(this.id);
  }

  async untilFlat(): Promise<void> {
    await waitUntil(`${this.id} is flat and empty`, async () => {
      const [held, working] = [await this.held(), await this.working()];
      return Object.keys(held).length === 0 && working.length === 0;
    });
  }

  /** Answers the lock. */
  async untilLocked(): Promise<Row> {
    let lock: Row = null;
    await waitUntil(`${this.id} is locked`, async () => {
      ({ lock } = await this.guards());
      return lock !== null;
    });
    return lock;
  }
}

/** A gateway whose accounts are given out one by one. */
export class GuardSite {
  readonly gateway: TestGateway;
  #given = 0;
  #ticks = 0;

  private constructor(gateway: TestGateway) {
    this.gateway = gateway;
  }

  static async open(
    settings: Settings = {},
    options: Pick<GatewayOptions, "tradesNow"> = {},
  ): Promise<GuardSite> {
    const given = { PAPER_ACCOUNTS: "1-40", ...settings };
    return new GuardSite(await startGateway({ settings: given, ...options }));
  }

  account(): GuardedAccount {
    this.#given += 1;
    return new GuardedAccount(`paper-${this.#given}`, this.gateway);
  }

  /** The bid of both contracts, in ticks from where it is at first. */
  move(ticks: number): void {
    this.#ticks = ticks;
    this.gateway.quote(ES, BID + ticks);
    this.gateway.quote(MES, BID + ticks);
  }

  /** Quotes as at first, and repeats the last move until the returned function is called. */
  keepQuoting(): () => void {
    this.move(0);
    const again = setInterval(() => this.move(this.#ticks), 1_000);
    return () => clearInterval(again);
  }

  /** What the overview warns of, of one account. */
  async troubles(account: GuardedAccount): Promise<readonly string[]> {
    const { troubles } = answered(200, await this.gateway.api.get("/v1/overview"));
    return troubles
      .filter(({ accountId }: Row) => accountId === account.id)
      .map(({ message }: Row) => message);
  }

  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.gateway.url}/metrics`)).text();
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? Number.NaN);
  }

  /** The types of what is to be told of an account. */
  async told(account: GuardedAccount): Promise<readonly string[]> {
    const { redis, keys } = this.gateway;
    const lines = await redis.xrange(keys.outbox(account.id as never), "-", "+");
    return lines.flatMap(([, fields]) => {
      const text = fields.join(" ");
      return /"type":"(guard\.[a-z_]+)"/.exec(text)?.[1] ?? [];
    });
  }
}

/** What a call was refused with. */
export const codeOf = ({ status, body }: Reply): string =>
  `${status} ${body?.error?.code ?? body?.error ?? body?.outcome}`;

export function answered(status: number, reply: Reply): Row {
  if (reply.status !== status) throw new Error(`Answered ${reply.status}: ${reply.text}`);
  return reply.body;
}

let ids = 0;
const nextId = () => `guarded-${(ids += 1)}`;
