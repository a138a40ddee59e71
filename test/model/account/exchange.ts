import type { PaperBroker } from "../../../src/brokers/paper/adapter.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { type AccountId, clOrdId, type ClOrdId, type OrderId } from "../../../src/domain/ids.ts";
import {
  type ExecutionReport,
  isUnderstood,
  type NewOrderSingle,
  type OrderChange,
  type OrderReport,
  type ProtectionOrder,
} from "../../../src/domain/order.ts";
import { RelayedBroker } from "../../../src/trading/lane/owned-broker.ts";
import type { ReportListener } from "../../../src/trading/ports.ts";
import type { Sent } from "./record.ts";
import type { Refusal, FillReport } from "./steps.ts";
import { Tape } from "./tape.ts";
import { opposite } from "../../../src/domain/order.ts";

/** A command as it arrives at the exchange. */
export type Arrival = Pick<Sent, "kind" | "name" | "order" | "isStop">;

/** Keeps the record of everything the exchange did. */
export interface ExchangeWatch {
  /** Called before a command is carried out; returns the function that records its refusal. */
  readonly arrived: (arrival: Arrival) => { refused: () => void };
  readonly filled: (report: ExecutionReport) => void;
  /** Called before a fill is taken back, which is undone at a market that takes it. */
  readonly tookBack: (report: ExecutionReport) => void;
  readonly reported: (report: ExecutionReport) => void;
  /** The positions were read; their reader continues once it resolves. */
  readonly wasRead: () => Promise<void>;
  readonly after: (ms: number, run: () => unknown) => unknown;
}

const CLOSED = { kind: "rejected", reason: "The market is closed" } as const;
const REFUSED = { kind: "rejected", reason: "Refused by risk management" } as const;
const BUST = "bust-";
const BUST_AFTER_MS = 1_000;

/** The paper exchange with knobs: its refusals, its hours, and how it reports fills. */
export class UnkindExchange extends RelayedBroker {
  readonly #paper: PaperBroker;
  readonly #account: AccountId;
  readonly #watch: ExchangeWatch;
  readonly #tape: Tape;
  readonly #refusals = new Map<Refusal, number>();
  #busts = 0;
  isClosed = false;

  constructor(paper: PaperBroker, account: AccountId, watch: ExchangeWatch) {
    super(paper);
    this.#paper = paper;
    this.#account = account;
    this.#watch = watch;
    this.#tape = new Tape({ ...watch, bust: (report) => this.#bust(report) });
    paper.onReport((_, report) => {
      if (isUnderstood(report) && !isBust(report.order)) this.#hear(report);
    });
  }

  onReport(listener: ReportListener): void {
    this.#tape.onReport((report) => {
      this.#watch.reported(report);
      listener(this.#account, report);
    });
  }

  refuse(what: Refusal, times: number): void {
    this.#refusals.set(what, times);
  }

  reportNext(how: FillReport): void {
    this.#tape.reportNext(how);
  }

  calm(): void {
    this.#refusals.clear();
    this.#tape.calm();
    this.isClosed = false;
  }

  /** Whether a fill, or the end of one, is not reported yet. */
  get isUnreported(): boolean {
    return this.#tape.isUnreported;
  }

  override submitOrder(account: AccountId, order: NewOrderSingle) {
    const arrival = {
      kind: "place",
      name: order.clOrdId,
      isStop: order.ordType === "STOP",
    } as const;
    const what = order.ordType === "MARKET" ? (["close", "place"] as const) : (["place"] as const);
    return this.#carryOut(arrival, what, () => this.#paper.submitOrder(account, order));
  }

  override submitProtection(account: AccountId, order: ProtectionOrder) {
    const name = (order.stopLoss ?? order.takeProfit)?.clOrdId;
    const arrival = {
      kind: "protect",
      ...(name !== undefined && { name }),
      isStop: order.stopLoss !== undefined,
    } as const;
    return this.#carryOut(arrival, ["place"], () => this.#paper.submitProtection(account, order));
  }

  override async modifyOrder(account: AccountId, change: OrderChange) {
    const order = await this.#working(change.orderId);
    return await this.#carryOut({ kind: "modify", order, isStop: false }, [], () =>
      this.#paper.modifyOrder(account, change),
    );
  }

  override async cancelOrder(account: AccountId, id: OrderId) {
    const order = await this.#working(id);
    return await this.#carryOut({ kind: "cancel", order, isStop: false }, ["cancel"], () =>
      this.#paper.cancelOrder(account, id),
    );
  }

  override closePosition(account: AccountId, contract: ContractCode, name: ClOrdId) {
    return this.#carryOut({ kind: "close", name, isStop: false }, ["close"], () =>
      this.#paper.closePosition(account, contract, name),
    );
  }

  override async positions(account: AccountId) {
    const positions = await this.#paper.positions(account);
    await this.#watch.wasRead();
    return positions;
  }

  override async workingOrders(account: AccountId) {
    const orders = await this.#paper.workingOrders(account);
    return (orders as readonly OrderReport[])
      .filter((order) => !isBust(order))
      .map((order) => this.#tape.shown(order));
  }

  override async findOrder(account: AccountId, name: ClOrdId) {
    const order = await this.#paper.findOrder(account, name);
    return order && this.#tape.shown(order);
  }

  override async fills(account: AccountId, sinceAt: number) {
    const fills = await this.#paper.fills(account, sinceAt);
    return this.#tape.shownFills(fills.filter((fill) => !isBust(fill)));
  }

  protected override send<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    return run();
  }

  #hear(report: ExecutionReport): void {
    if (report.execType === "TRADE") this.#watch.filled(report);
    this.#tape.report(report);
  }

  async #carryOut<Answer extends { readonly kind: string }>(
    arrival: Arrival,
    kinds: readonly Refusal[],
    run: () => Promise<Answer>,
  ): Promise<Answer | typeof CLOSED | typeof REFUSED> {
    const { refused } = this.#watch.arrived(arrival);
    // An exchange that is closed takes cancels.
    const isShut = this.isClosed && arrival.kind !== "cancel";
    const answer = isShut ? CLOSED : this.#isRefused(kinds) ? REFUSED : await run();
    if (answer.kind !== "accepted") refused();
    return answer;
  }

  #isRefused(kinds: readonly Refusal[]): boolean {
    const kind = kinds.find((one) => (this.#refusals.get(one) ?? 0) > 0);
    if (kind === undefined) return false;
    this.#refusals.set(kind, (this.#refusals.get(kind) ?? 0) - 1);
    return true;
  }

  async #working(id: OrderId): Promise<OrderReport | undefined> {
    const orders = (await this.#paper.workingOrders(this.#account)) as readonly OrderReport[];
    return orders.find(({ orderId }) => orderId === id);
  }

  /** The exchange takes a fill back: the position is as if it had never happened. */
  #bust(report: ExecutionReport): void {
    this.#watch.after(BUST_AFTER_MS, async () => {
      const { fill } = report;
      if (fill === undefined) return;
      this.#busts += 1;
      this.#watch.tookBack(report);
      await this.#paper.submitOrder(this.#account, {
        clOrdId: clOrdId(`${BUST}${this.#busts}`),
        contract: fill.contract,
        side: opposite(fill.side),
        orderQty: fill.lastQty,
        ordType: "MARKET",
        timeInForce: "DAY",
      });
      this.#tape.reportTakenBack(report);
    });
  }
}

const isBust = ({ clOrdId: name }: { readonly clOrdId?: ClOrdId }): boolean =>
  name?.startsWith(BUST) === true;
