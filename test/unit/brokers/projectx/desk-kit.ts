import { ContractDesk, ContractMemory } from "../../../../src/brokers/projectx/contract-desk.ts";
import { EntityStore } from "../../../../src/brokers/projectx/entity-store.ts";
import { isRecord, parseAnswer } from "../../../../src/brokers/projectx/parse.ts";
import { RateBudget } from "../../../../src/brokers/projectx/rate-budget.ts";
import { Requests } from "../../../../src/brokers/projectx/requests.ts";
import type { RestReply } from "../../../../src/brokers/projectx/rest-client.ts";
import type { SessionView } from "../../../../src/brokers/projectx/session-view.ts";
import { Waits } from "../../../../src/brokers/waits.ts";
import { contractCode } from "../../../../src/domain/contracts/contract.ts";
import { tickSize, ticks } from "../../../../src/domain/contracts/price.ts";
import { accountId, clOrdId } from "../../../../src/domain/ids.ts";
import type { NewOrderSingle } from "../../../../src/domain/order.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";

export const ACCOUNT = accountId("px-465");
export const OTHER = accountId("px-466");
export const ES = contractCode({ root: "ES", year: 2025, month: 9 });
const ES_ID = "CON.F.US.EP.U25";
export const TAG = clOrdId("i0123456789abcdef0123456789ab-1");

export const MARKET: NewOrderSingle = {
  clOrdId: TAG,
  contract: ES,
  side: "BUY",
  orderQty: 2,
  ordType: "MARKET",
  timeInForce: "DAY",
};
export const LIMIT: NewOrderSingle = { ...MARKET, ordType: "LIMIT", price: ticks(40) };

/** A request as it was sent. */
export interface Sent {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How the broker answers a request; undefined where nothing was said of it. */
type Answering = (sent: Sent) => object | RestReply | undefined | Promise<object | RestReply>;

export const refusal = (errorCode: number, errorMessage?: string) => ({
  success: false,
  errorCode,
  ...(errorMessage !== undefined && { errorMessage }),
});
export const LOST: RestReply = { kind: "unknown", reason: "It was lost" };
export const NOT_SENT: RestReply = { kind: "notSent", reason: "Nobody is there" };

/** A session whose broker says what it is told to say, by requests and by the hub. */
export class ScriptedSession implements SessionView {
  /** What a list of trades has that the hub has left out. */
  readonly listedTrades: object[] = [];
  readonly store = new EntityStore();
  readonly contracts: ContractDesk;
  readonly requests: Requests;
  readonly heardAt = 0;
  readonly sent: Sent[] = [];
  answering: Answering = () => undefined;
  readonly #waits = new Waits(new AbortController().signal);

  constructor() {
    const memory = new ContractMemory();
    const es = { code: ES, id: ES_ID, tickSize: tickSize("0.25") };
    memory.traded.set(ES, es);
    memory.known.set(ES_ID, es);
    this.requests = new Requests({
      rest: { post: ({ path, body }) => this.#answer(path.replace("api/", ""), body) },
      budget: new RateBudget({ most: 1_000, withinMs: 60_000 }, () => 0),
      barsBudget: new RateBudget({ most: 1_000, withinMs: 60_000 }, () => 0),
      token: () => "token",
      renew: () => Promise.resolve(false),
      mayWrite: () => true,
      onRefused: () => undefined,
      signal: new AbortController().signal,
    });
    this.contracts = new ContractDesk({
      memory,
      terms: { product: () => undefined },
      read: (path, body, purpose) => this.requests.read(path, body, purpose),
      onDifference: () => undefined,
      elapsed: () => 0,
    });
    for (const id of [465, 466]) this.hub("account", { id, name: "50K", canTrade: true });
  }

  /** The hub tells something. */
  hub(type: "account" | "order" | "position" | "trade", entity: object): void {
    this.store.apply(type, entity);
    this.#waits.wake();
  }

  /** The hub tells of an order in ES. */
  order(id: number, status: number, more: object = {}): void {
    const plain = { accountId: 465, contractId: ES_ID, type: 1, side: 0, size: 2, limitPrice: 10 };
    const creationTimestamp = "2026-11-27T14:00:00Z";
    this.hub("order", { ...plain, creationTimestamp, customTag: TAG, id, status, ...more });
  }

  paths(): readonly string[] {
    return this.sent.map(({ path }) => path);
  }

  account(called: string) {
    return this.store.accounts().find(({ id }) => this.accountOf(id) === called);
  }

  accountOf(brokerAccount: string) {
    return accountId(`px-${brokerAccount}`);
  }

  until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
    return this.#waits.until(isTrue, withinMs);
  }

  async refresh(account: string): Promise<void> {
    await this.settlePositions(account);
  }

  async settlePositions(account: string): Promise<void> {
    const body = { accountId: Number(account) };
    const answer = await this.requests.read("Position/searchOpen", body, "protect");
    const positions = answer.body["positions"];
    for (const one of Array.isArray(positions) ? positions : []) this.store.apply("position", one);
  }

  takeListed(account: string, order: unknown): void {
    this.store.apply("order", { accountId: account, ...(isRecord(order) && order) });
  }

  learnTrades(): Promise<void> {
    for (const trade of this.listedTrades) this.store.apply("trade", trade);
    return Promise.resolve();
  }

  learnAgain(account: string, id: string) {
    return this.learnOrder(account, id);
  }

  async learnOrder(account: string, id: string) {
    const body = { accountId: Number(account), orderId: Number(id) };
    const outcome = await this.requests.ask("Order/searchById", body, "protect");
    if (outcome.kind !== "answered") throw new BrokerReadError(outcome.reason);
    if (!outcome.body.success) return undefined;
    this.store.apply("order", outcome.body.body["order"]);
    return this.store.order(id);
  }

  async #answer(path: string, body: object): Promise<RestReply> {
    const sent = { path, body: body as Sent["body"] };
    this.sent.push(sent);
    const told = await this.answering(sent);
    if (told === undefined) return { kind: "answered", status: 200, data: refusal(1) };
    if ("kind" in told) return told;
    const data = { success: true, errorCode: 0, ...told };
    return parseAnswer(data) === undefined ? LOST : { kind: "answered", status: 200, data };
  }
}

/** A row of what is held in ES. */
export const held = (type: 1 | 2, size: number) => ({
  positions: [{ id: 1, accountId: 465, contractId: ES_ID, type, size, averagePrice: 10 }],
});
