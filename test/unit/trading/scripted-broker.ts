import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { OpaquePosition } from "../../../src/domain/exposure.ts";
import {
  type AccountId,
  type ClOrdId,
  clOrdId,
  type OrderId,
  orderId as toOrderId,
} from "../../../src/domain/ids.ts";
import {
  type Fill,
  isClosed,
  type NewOrderSingle,
  type OpaqueOrder,
  type OrderChange,
  type OrderReport,
  type ProtectionOrder,
  type WorkingOrder,
} from "../../../src/domain/order.ts";
import {
  type Broker,
  type BrokerAccount,
  type BrokerPosition,
  type CommandOutcome,
  type Decider,
  OpaquePositionsError,
  type SubmitOutcome,
  type Unread,
} from "../../../src/trading/ports.ts";

type Accepted = Extract<SubmitOutcome, { kind: "accepted" }>;
type Answer<Outcome> = Outcome | Error | (() => Outcome | undefined);

/** What was asked of the broker, in order: `["cancel", "7"]`. */
type Command = readonly [name: string, ...what: unknown[]];

/**
 * A broker whose every answer a test can write beforehand. Without a script it takes everything,
 * and shows its orders and positions accordingly.
 */
export class ScriptedBroker implements Broker {
  readonly commands: Command[] = [];
  /** What is answered next, one after another; then everything is accepted. */
  readonly next: {
    submit: Answer<SubmitOutcome>[];
    protect: Answer<SubmitOutcome>[];
    cancel: Answer<CommandOutcome>[];
    close: Answer<SubmitOutcome>[];
    modify: Answer<CommandOutcome>[];
  } = { submit: [], protect: [], cancel: [], close: [], modify: [] };
  /** Reads answer with this error instead. */
  unreadable: Error | undefined;
  held: BrokerPosition[] = [];
  readonly orders = new Map<string, OrderReport>();
  /** Working orders that it does not say enough of. */
  opaque: readonly OpaqueOrder[] = [];
  /** What is held as well and cannot be read. */
  opaqueHeld: readonly OpaquePosition[] = [];
  /** Why nothing may be opened in a contract. */
  readonly doubts = new Map<ContractCode, string>();
  readonly executions: Fill[] = [];
  readonly protections: ProtectionOrder[] = [];
  readonly sent: NewOrderSingle[] = [];
  /** Whether an accepted close fills at once. */
  closesFill = true;
  report: (account: AccountId, order: OrderReport) => void = () => undefined;
  #lastId = 100;
  #shown = 0;

  /** Puts an order at the broker, as it would show it; this gateway's own, unless it says else. */
  show(order: Partial<OrderReport> & { readonly orderId: OrderId }): OrderReport {
    const known: OrderReport = { ...RESTING, clOrdId: this.#ownId(), ...order };
    this.orders.set(order.orderId, known);
    return known;
  }

  #ownId(): ClOrdId {
    this.#shown += 1;
    return clOrdId(`i${this.#shown.toString(16).padStart(28, "0")}-1`);
  }

  change(orderId: OrderId, change: Partial<OrderReport>): void {
    this.show({ ...this.orders.get(orderId), ...change, orderId });
  }

  async accounts(): Promise<readonly BrokerAccount[]> {
    return [];
  }

  async submitOrder(account: AccountId, order: NewOrderSingle): Promise<SubmitOutcome> {
    this.commands.push(["submit", order.clOrdId]);
    this.sent.push(order);
    return answer(this.next.submit) ?? this.#take(account, order);
  }

  async submitProtection(account: AccountId, order: ProtectionOrder): Promise<SubmitOutcome> {
    this.commands.push(["protect", order.orderQty]);
    this.protections.push(order);
    return answer(this.next.protect) ?? this.#protect(account, order);
  }

  async modifyOrder(
    _account: AccountId,
    { orderId, ...values }: OrderChange,
  ): Promise<CommandOutcome> {
    this.commands.push(["modify", orderId, values]);
    const scripted = answer(this.next.modify);
    if (scripted !== undefined) return scripted;
    const known = this.orders.get(orderId);
    if (known === undefined || isClosed(known.ordStatus)) {
      return { kind: "rejected", reason: "There is no such working order" };
    }
    const { orderQty = known.orderQty } = values;
    this.change(orderId, { ...values, leavesQty: orderQty - known.cumQty });
    return { kind: "accepted" };
  }

  async cancelOrder(_account: AccountId, order: OrderId): Promise<CommandOutcome> {
    this.commands.push(["cancel", order]);
    const scripted = answer(this.next.cancel);
    if (scripted !== undefined && scripted.kind !== "accepted") return scripted;
    const known = this.orders.get(order);
    if (known === undefined || isClosed(known.ordStatus)) {
      return { kind: "rejected", reason: "There is no such working order" };
    }
    this.change(order, { ordStatus: "CANCELED", leavesQty: 0 });
    return { kind: "accepted" };
  }

  async closePosition(
    account: AccountId,
    contract: ContractCode,
    clOrdId: ClOrdId,
  ): Promise<SubmitOutcome> {
    this.commands.push(["close", contract, clOrdId]);
    const scripted = answer(this.next.close);
    if (scripted !== undefined) return scripted;
    const orderId = this.#newId();
    if (this.closesFill) {
      const qty = this.held.find((position) => position.contract === contract)?.netQty ?? 0;
      this.held = this.held.filter((position) => position.contract !== contract);
      const filled = { ordStatus: "FILLED", leavesQty: 0, cumQty: Math.abs(qty) } as const;
      const order = { orderId, clOrdId, contract, ...filled };
      this.report(account, this.show(order));
    }
    return { kind: "accepted", orderId };
  }

  /** The deciders for which positions and orders were read. */
  readonly askedBy: (Decider | undefined)[] = [];

  async positions(_account?: AccountId, by?: Decider): Promise<readonly BrokerPosition[]> {
    this.askedBy.push(by);
    this.#read("positions");
    if (this.opaqueHeld.length > 0) throw new OpaquePositionsError(this.held, this.opaqueHeld);
    return this.held;
  }

  async contractDoubt(contract: ContractCode): Promise<string | undefined> {
    return this.doubts.get(contract);
  }

  /** How many requests its limits leave. */
  room = Infinity;

  hasRoomFor(requests: number): boolean {
    return requests <= this.room;
  }

  tendsExits(): boolean {
    return false;
  }

  unread(): readonly Unread[] {
    return [];
  }

  async workingOrders(_account?: AccountId, by?: Decider): Promise<readonly WorkingOrder[]> {
    this.askedBy.push(by);
    this.#read("working");
    const known = [...this.orders.values()].filter(({ ordStatus }) => !isClosed(ordStatus));
    return [...known, ...this.opaque];
  }

  async findOrder(_account: AccountId, clOrdId: ClOrdId): Promise<OrderReport | undefined> {
    this.#read("find");
    return [...this.orders.values()].find((order) => order.clOrdId === clOrdId);
  }

  async fills(_account: AccountId, sinceAt: number): Promise<readonly Fill[]> {
    this.#read("fills");
    return this.executions.filter(({ transactTimeAt }) => transactTimeAt >= sinceAt);
  }

  #read(what: string): void {
    if (this.unreadable !== undefined) throw this.unreadable;
    if (this.failingRead === what) throw new Error(`The broker cannot show its ${what}`);
  }

  /** One read that fails in a way nobody foresaw. */
  failingRead: string | undefined;

  #take(account: AccountId, order: NewOrderSingle): Accepted {
    const orderId = this.#newId();
    const { bracket: _, ...rest } = order;
    const resting = order.ordType !== "MARKET";
    const report = this.show({
      ...rest,
      orderId,
      ordStatus: resting ? "NEW" : "FILLED",
      cumQty: resting ? 0 : order.orderQty,
      leavesQty: resting ? order.orderQty : 0,
    });
    this.report(account, report);
    return { kind: "accepted", orderId };
  }

  #protect(account: AccountId, { takeProfit, stopLoss, ...order }: ProtectionOrder): Accepted {
    const profit = takeProfit && this.#newId();
    const loss = stopLoss && this.#newId();
    const common = { ...order, leavesQty: order.orderQty, ordStatus: "NEW" } as const;
    if (profit !== undefined) {
      const leg = { ...common, ...takeProfit, orderId: profit, role: "TAKE_PROFIT" } as const;
      this.report(account, this.show({ ...leg, ...(loss && { linkedOrderId: loss }) }));
    }
    if (loss !== undefined) {
      const leg = { ...common, ...stopLoss, orderId: loss, role: "STOP_LOSS" } as const;
      this.report(account, this.show({ ...leg, ...(profit && { linkedOrderId: profit }) }));
    }
    return {
      kind: "accepted",
      orderId: profit ?? loss ?? this.#newId(),
      ...(profit !== undefined && { takeProfitOrderId: profit }),
      ...(loss !== undefined && { stopLossOrderId: loss }),
    };
  }

  #newId(): OrderId {
    this.#lastId += 1;
    return toOrderId(`${this.#lastId}`);
  }
}

const RESTING: OrderReport = {
  orderId: toOrderId("0"),
  contract: "ESZ2026" as ContractCode,
  side: "SELL",
  ordType: "LIMIT",
  timeInForce: "DAY",
  ordStatus: "NEW",
  orderQty: 1,
  cumQty: 0,
  leavesQty: 1,
  role: "ORDER",
  transactTimeAt: 0,
};

function answer<Outcome>(queue: Answer<Outcome>[]): Outcome | undefined {
  const scripted = queue.shift();
  if (scripted instanceof Error) throw scripted;
  if (typeof scripted === "function") return (scripted as () => Outcome | undefined)();
  return scripted;
}
