import { LACKS_NOTHING } from "../../../src/domain/broker-lacks.ts";
import assert from "node:assert/strict";
import { once } from "node:events";
import type { BrokerAdapter, BrokerCapabilities } from "../../../src/brokers/broker-adapter.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import {
  type AccountId,
  type ClOrdId,
  type ConnectionId,
  legOf,
  type OrderId,
} from "../../../src/domain/ids.ts";
import type {
  ExecutionReport,
  Fill,
  NewOrderSingle,
  OrderChange,
  OrderReport,
  ProtectionOrder,
} from "../../../src/domain/order.ts";
import {
  type BrokerAccount,
  type BrokerPosition,
  BrokerReadError,
  type CommandFailure,
  type CommandOutcome,
  type ReportListener,
  type SubmitOutcome,
} from "../../../src/trading/ports.ts";
import { ExchangeClient, type ExchangeTiming } from "./client.ts";
import type { ExchangeCommand, ExchangeRead } from "./wire.ts";

export interface ExchangeAdapterDeps {
  readonly connectionId: ConnectionId;
  /** The simulator's WebSocket, or a proxy before it. */
  readonly url: string;
  /** How many accounts: `<connection>-1` to `<connection>-N`. */
  readonly accounts: number;
  /** Asked right before a command's frame is written; false means `notSent` and ends the session. */
  readonly beforeWrite?: () => boolean;
  readonly timing?: Partial<ExchangeTiming>;
  /**
   * What it says of the broker, whose knobs `abilities` and `duplicates` must say the same. By
   * default all but `refusesDuplicates`, which no test that turns the knob could keep.
   */
  readonly capabilities?: Partial<BrokerCapabilities>;
}

const TIMING: ExchangeTiming = { pingEveryMs: 1_000, deadAfterMs: 3_000, answerWithinMs: 3_000 };

const CAPABILITIES: BrokerCapabilities = {
  nativeBracket: true,
  nativeOco: true,
  trailsFromMarket: true,
  keepsHours: true,
  cancelEndsLinkedLeg: true,
  // It may be told to take duplicates, so nothing is ever sent again.
  refusesDuplicates: false,
  lacks: LACKS_NOTHING,
};

const NOT_RUNNING = "The session with the exchange simulator is not running";

/** The adapter of the exchange simulator: a broker of tests that is a process of its own. */
export function createExchangeAdapter(deps: ExchangeAdapterDeps): BrokerAdapter {
  return new ExchangeAdapter(deps);
}

class ExchangeAdapter implements BrokerAdapter {
  readonly broker = "exchange-simulator";
  readonly environment = "demo";
  readonly capabilities: BrokerCapabilities;
  readonly silentAfterMs: number;

  readonly #deps: ExchangeAdapterDeps;
  readonly #listeners = new Set<ReportListener>();
  #isRunning = false;
  #client: ExchangeClient | undefined;

  constructor(deps: ExchangeAdapterDeps) {
    this.#deps = deps;
    this.capabilities = { ...CAPABILITIES, ...deps.capabilities };
    this.silentAfterMs = deps.timing?.deadAfterMs ?? TIMING.deadAfterMs;
  }

  lastMessageAt(): number | undefined {
    return this.#client?.heardAt;
  }

  async runSession({ signal, onReady }: Parameters<BrokerAdapter["runSession"]>[0]): Promise<void> {
    if (signal.aborted) return;
    assert(!this.#isRunning, "a session runs once at a time");
    this.#isRunning = true;
    const { connectionId, accounts } = this.#deps;
    const client = this.#newClient();
    const ended = new AbortController();
    const aborted = once(signal, "abort", { signal: ended.signal });
    aborted.catch(() => undefined);
    try {
      const login = client.login({ connection: connectionId, accounts });
      await Promise.race([login, client.broken, aborted]);
      if (signal.aborted) return;
      this.#client = client;
      onReady();
      await Promise.race([client.broken, aborted]);
    } finally {
      ended.abort();
      this.#client = undefined;
      await client.close();
      this.#isRunning = false;
    }
  }

  onReport(listener: ReportListener): () => void {
    // Wrapped, so that a listener added twice is called twice and removed once.
    const own: ReportListener = (account, report) => listener(account, report);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  accounts(): Promise<readonly BrokerAccount[]> {
    return this.#readList<BrokerAccount>({ op: "accounts" });
  }

  submitOrder(account: AccountId, order: NewOrderSingle): Promise<SubmitOutcome> {
    return this.#submit({ op: "submitOrder", account, order });
  }

  submitProtection(account: AccountId, order: ProtectionOrder): Promise<SubmitOutcome> {
    return this.#submit({ op: "submitProtection", account, order });
  }

  async modifyOrder(account: AccountId, change: OrderChange): Promise<CommandOutcome> {
    const done = await this.#command({ op: "modifyOrder", account, change });
    return done.kind === "accepted" ? { kind: "accepted" } : done;
  }

  async cancelOrder(account: AccountId, orderId: OrderId): Promise<CommandOutcome> {
    const done = await this.#command({ op: "cancelOrder", account, orderId });
    return done.kind === "accepted" ? { kind: "accepted" } : done;
  }

  closePosition(
    account: AccountId,
    contract: ContractCode,
    clOrdId: ClOrdId,
  ): Promise<SubmitOutcome> {
    return this.#submit({ op: "closePosition", account, contract, clOrdId });
  }

  positions(account: AccountId): Promise<readonly BrokerPosition[]> {
    return this.#readList<BrokerPosition>({ op: "positions", account });
  }

  contractDoubt(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  hasRoomFor(): boolean {
    return true;
  }

  tendsExits(): boolean {
    return false;
  }

  unread(): readonly [] {
    return [];
  }

  async workingOrders(account: AccountId): Promise<readonly OrderReport[]> {
    const orders = await this.#readList<OrderReport>({ op: "workingOrders", account });
    return orders.map((order) => this.#withRole(order));
  }

  async findOrder(account: AccountId, clOrdId: ClOrdId): Promise<OrderReport | undefined> {
    const found = await this.#read({ op: "findOrder", account, clOrdId });
    if (typeof found !== "object") throw new BrokerReadError("The answer is no order");
    return found === null ? undefined : this.#withRole(found as OrderReport);
  }

  fills(account: AccountId, sinceAt: number): Promise<readonly Fill[]> {
    return this.#readList<Fill>({ op: "fills", account, sinceAt });
  }

  #newClient(): ExchangeClient {
    const { url, timing = {}, beforeWrite = () => true } = this.#deps;
    return new ExchangeClient({
      url,
      // Read at each use: a test may change them while a session runs.
      timing: {
        get pingEveryMs() {
          return timing.pingEveryMs ?? TIMING.pingEveryMs;
        },
        get deadAfterMs() {
          return timing.deadAfterMs ?? TIMING.deadAfterMs;
        },
        get answerWithinMs() {
          return timing.answerWithinMs ?? TIMING.answerWithinMs;
        },
      },
      beforeWrite,
      onReport: (account, report) => this.#tell(account, report),
    });
  }

  #tell(account: AccountId, report: ExecutionReport): void {
    const told = { ...report, order: this.#withRole(report.order) };
    for (const listener of this.#listeners) listener(account, told);
  }

  /** Where a leg is a plain order to the broker, its identifier says what it is. */
  #withRole(order: OrderReport): OrderReport {
    if (this.capabilities.nativeOco || order.clOrdId === undefined) return order;
    return { ...order, role: legOf(order.clOrdId) ?? order.role };
  }

  async #submit(command: ExchangeCommand): Promise<SubmitOutcome> {
    const done = await this.#command(command);
    if (done.kind !== "accepted") return done;
    const taken = done.result as Omit<Extract<SubmitOutcome, { kind: "accepted" }>, "kind"> | null;
    if (typeof taken?.orderId === "string") return { kind: "accepted", ...taken };
    return { kind: "unknown", reason: "The answer names no order" };
  }

  async #command(
    command: ExchangeCommand,
  ): Promise<{ readonly kind: "accepted"; readonly result: unknown } | CommandFailure> {
    const client = this.#client;
    if (client === undefined) return { kind: "notSent", reason: NOT_RUNNING };
    const reply = await client.command(command);
    if (reply.kind !== "answered") return reply;
    const { answer } = reply;
    if (answer.ok) return { kind: "accepted", result: answer.result };
    return { kind: "rejected", reason: answer.reason };
  }

  async #readList<Item>(request: ExchangeRead): Promise<readonly Item[]> {
    const list = await this.#read(request);
    if (!Array.isArray(list)) throw new BrokerReadError("The answer is no list");
    return list as readonly Item[];
  }

  async #read(request: ExchangeRead): Promise<unknown> {
    const client = this.#client;
    if (client === undefined) throw new BrokerReadError(NOT_RUNNING);
    const reply = await client.read(request);
    if (reply.kind !== "answered") throw new BrokerReadError(reply.reason);
    const { answer } = reply;
    if (!answer.ok) throw new BrokerReadError(answer.reason);
    return answer.result;
  }
}
