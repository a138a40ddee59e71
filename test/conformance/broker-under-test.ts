import assert from "node:assert/strict";
import type { BrokerAdapter } from "../../src/brokers/broker-adapter.ts";
import type { Bar } from "../../src/domain/strategies/bar.ts";
import { lackedBy } from "../../src/domain/broker-lacks.ts";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { type AccountId, type ClOrdId, clOrdId, type OrderId } from "../../src/domain/ids.ts";
import {
  type ExecutionReport,
  isUnderstood,
  type NewOrderSingle,
  type OpaqueExecution,
  type OrderChange,
  type OrderReport,
  type TimeInForce,
  understood,
} from "../../src/domain/order.ts";
import { type Ticks, ticks } from "../../src/domain/contracts/price.ts";
import type { BrokerBalance } from "../../src/trading/money/ports.ts";
import type { CommandOutcome, SubmitOutcome } from "../../src/trading/ports.ts";
import { expect } from "vitest";
import { waitUntil } from "../support/wait.ts";

/** What the suite sets as the market. Sizes are contracts. */
export interface Market {
  readonly bid: number;
  readonly ask: number;
  readonly bidQty?: number;
  readonly askQty?: number;
}

/** One amount of a balance. */
export type AmountName = Exclude<keyof BrokerBalance, "currency" | "at" | "tradingDay">;

/** What a broker tells of an account's money. */
export interface MoneyUnderTest {
  /** What `contract` is counted and paid in. */
  readonly currency: string;
  /** What one tick of one contract of `contract` is worth: an exact decimal. */
  readonly tickValue: string;
  /** What one contract of `contract` costs on each side: an exact decimal, "0" for nothing. */
  readonly feePerSide: string;
  /** The amounts that it tells; its adapter leaves out all others. */
  readonly tells: readonly AmountName[];
  /** Whether it values what is open at the last trade, and not at what would close it. */
  readonly valuesAtLast?: boolean;
  /** Whether each fill names its fee. */
  readonly tellsFeeOfFill: boolean;
}

/** How a broker goes about what all of them can do. */
export interface Ways {
  /** Whether the legs of its own brackets are linked; as `nativeOco` where it is left out. */
  readonly linksLegs?: boolean;
  /**
   * Whether the same legs are live again for what the entry fills once they were used up; it is so where
   * this is left out. Otherwise they have ended, and others take their place.
   */
  readonly reusesLegs?: boolean;
  /**
   * Whether a leg whose level the market has passed by its entry's fill triggers at once; it does where
   * this is left out. Otherwise the level is counted from the fill.
   */
  readonly triggersPassedLegs?: boolean;
  /** Whether it says how long an order stays: otherwise legs are told as GTC, and all others as DAY. */
  readonly tellsTimeInForce?: boolean;
  /** Whether it tells what has happened in that order; it does where this is left out. */
  readonly tellsInOrder?: boolean;
}

/** An adapter before a broker, or a look-alike of one, whose market and link are in our hand. */
export interface BrokerUnderTest {
  readonly adapter: BrokerAdapter;
  /** Two accounts that may trade. */
  readonly account: AccountId;
  readonly otherAccount: AccountId;
  /** Two contracts that trade; flat in both accounts. */
  readonly contract: ContractCode;
  readonly otherContract: ContractCode;
  /** A contract that the broker knows, whose market is closed all the time. */
  readonly closedContract: ContractCode;
  /** A contract that the broker does not know. */
  readonly unknownContract: ContractCode;
  /** A new quote of the street with the given size, which fills what it reaches. */
  readonly setMarket: (contract: ContractCode, market: Market) => void | Promise<void>;
  /**
   * Lets the broker have these bars of a contract, oldest first, the last of which may still run.
   * Absent where the broker tells no prices, and then its adapter must have no `bars` either.
   */
  readonly setBars?: (
    contract: ContractCode,
    minutes: number,
    bars: readonly Bar[],
  ) => void | Promise<void>;
  /**
   * Whether what `setMarket` sets is heard as quotes. Without it the adapter has no prices, or says what
   * is missing.
   */
  readonly tellsQuotes?: boolean;
  /**
   * Of `account` before it has traded. Absent where the broker tells nothing of the kind, and then its
   * adapter must have no `balances` either.
   */
  readonly money?: MoneyUnderTest;
  /** What the broker does in ways that no capability names; each is checked either way. */
  readonly ways?: Ways;
  /** Cuts the link, so that the running session breaks. */
  readonly breakSession: () => void | Promise<void>;
  /** The next command's answer is lost, after the broker carried the command out or before. */
  readonly loseNextAnswer: (isCarriedOut: boolean) => void | Promise<void>;
  /** Lets the broker stop and resume letting the account trade. */
  readonly setActive: (account: AccountId, isActive: boolean) => void | Promise<void>;
  /** A new adapter before the same broker, as after a restart of the gateway. */
  readonly restart: () => BrokerAdapter | Promise<BrokerAdapter>;
  readonly close?: () => void | Promise<void>;
}

/** Works one broker under test: runs its sessions and remembers what it reported. */
export class Trader {
  readonly broker: BrokerUnderTest;
  readonly reports: { readonly account: AccountId; readonly report: ExecutionReport }[] = [];
  /** Fills that were reported before, with what they cost. */
  readonly toldAgain: { readonly account: AccountId; readonly report: ExecutionReport }[] = [];
  /** Fills of orders that are not understood. */
  readonly oddFills: OpaqueExecution[] = [];
  adapter: BrokerAdapter;
  #stop = new AbortController();
  #session: Promise<void> | undefined;
  #lastId = 0;
  #sessions = 0;
  #hasEnded = false;

  constructor(broker: BrokerUnderTest) {
    this.broker = broker;
    this.adapter = broker.adapter;
    this.#listen();
  }

  /** Whether no report can have been missed: there was one session from the beginning. */
  get isWhole(): boolean {
    return this.#sessions === 1 && !this.#hasEnded;
  }

  /** Whether the fill of one leg of a bracket is the broker's word on the other one. */
  get linksLegs(): boolean {
    return this.broker.ways?.linksLegs ?? this.adapter.capabilities.nativeOco;
  }

  get reusesLegs(): boolean {
    return this.broker.ways?.reusesLegs ?? true;
  }

  get triggersPassedLegs(): boolean {
    return this.broker.ways?.triggersPassedLegs ?? true;
  }

  /** Whether the broker cannot do what the order asks for. */
  lacks(order: Partial<NewOrderSingle>): boolean {
    return lackedBy(this.adapter.capabilities.lacks, this.order(order)) !== undefined;
  }

  get tellsInOrder(): boolean {
    return this.broker.ways?.tellsInOrder ?? true;
  }

  /** What an order of `timeInForce` is told as. */
  toldTime(timeInForce: TimeInForce): TimeInForce {
    return this.broker.ways?.tellsTimeInForce === false ? "DAY" : timeInForce;
  }

  /** Runs a session until it is ready. */
  async connect(): Promise<void> {
    this.#sessions += 1;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    await new Promise<void>((resolve, reject) => {
      this.#session = this.adapter.runSession({ signal, onReady: resolve });
      this.#session.catch(reject).finally(() => (this.#hasEnded = true));
    });
  }

  /** Resolves when the session has ended, rejects when it had broken. */
  async disconnect(): Promise<void> {
    this.#stop.abort();
    await this.#session;
  }

  /** Resolves with what broke the session. */
  async broken(): Promise<unknown> {
    assert(this.#session !== undefined, "a session runs");
    return this.#session.then(
      () => assert.fail("the session ended without an error"),
      (cause: unknown) => cause,
    );
  }

  /** The gateway starts anew: another adapter, another session, the same broker. */
  async restart(): Promise<void> {
    await this.disconnect();
    this.adapter = await this.broker.restart();
    this.#listen();
    await this.connect();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#session?.catch(() => undefined);
    await this.broker.close?.();
  }

  newId(): ClOrdId {
    this.#lastId += 1;
    return clOrdId(`suite-${this.#lastId}`);
  }

  order(order: Partial<NewOrderSingle> = {}): NewOrderSingle {
    return {
      clOrdId: this.newId(),
      contract: this.broker.contract,
      side: "BUY",
      orderQty: 1,
      ordType: "MARKET",
      timeInForce: "DAY",
      ...order,
    };
  }

  async market(bid: number, ask: number, qty = 1_000): Promise<void> {
    const { contract, setMarket } = this.broker;
    await setMarket(contract, { bid, ask, bidQty: qty, askQty: qty });
  }

  submit(order: Partial<NewOrderSingle> = {}): Promise<SubmitOutcome> {
    return this.adapter.submitOrder(this.broker.account, this.order(order));
  }

  /** Places an order that must be taken. */
  async place(order: Partial<NewOrderSingle> = {}) {
    return accepted(await this.submit(order));
  }

  limit(side: "BUY" | "SELL", price: number, order: Partial<NewOrderSingle> = {}) {
    return this.place({ side, ordType: "LIMIT", price: ticks(price), ...order });
  }

  async working(): Promise<readonly OrderReport[]> {
    return understood(await this.adapter.workingOrders(this.broker.account));
  }

  /** The working order with this id; undefined when it works no more. */
  async workingOrder(orderId: string | undefined): Promise<OrderReport | undefined> {
    return (await this.working()).find((order) => order.orderId === orderId);
  }

  cancel(order: OrderId, account = this.broker.account): Promise<CommandOutcome> {
    return this.adapter.cancelOrder(account, order);
  }

  modify(change: OrderChange, account = this.broker.account): Promise<CommandOutcome> {
    return this.adapter.modifyOrder(account, change);
  }

  /** Closes what is held of the contract. */
  closeOut(id = this.newId()): Promise<SubmitOutcome> {
    return this.adapter.closePosition(this.broker.account, this.broker.contract, id);
  }

  async netQty(account = this.broker.account): Promise<number> {
    const positions = await this.adapter.positions(account);
    return positions.find(({ contract }) => contract === this.broker.contract)?.netQty ?? 0;
  }

  waitForPosition(netQty: number): Promise<void> {
    return waitUntil(`the position is ${netQty}`, async () => (await this.netQty()) === netQty);
  }

  /** Waits until exactly these orders work, in whatever order the broker lists them. */
  waitForWorking(...ids: readonly (string | undefined)[]): Promise<void> {
    const wanted = ids.map(String).sort(byText);
    return waitUntil(`${wanted.length} orders work: ${wanted.join(", ")}`, async () => {
      const working = (await this.working()).map(({ orderId }) => String(orderId)).sort(byText);
      return working.length === wanted.length && working.every((id, n) => id === wanted[n]);
    });
  }

  /** The order as it stood in the last report of it. */
  lastSeen(orderId: string | undefined, account = this.broker.account): OrderReport | undefined {
    return this.reportsOf(orderId, account).at(-1)?.order;
  }

  /** Numbers of orders are an account's own. */
  reportsOf(
    orderId: string | undefined,
    account = this.broker.account,
  ): readonly ExecutionReport[] {
    return this.reports
      .filter((told) => told.account === account)
      .map(({ report }) => report)
      .filter(({ order }) => order.orderId === orderId);
  }

  async waitForReport(
    orderId: string | undefined,
    execType: ExecutionReport["execType"],
  ): Promise<ExecutionReport> {
    const find = () => this.reportsOf(orderId).find((report) => report.execType === execType);
    await waitUntil(`${execType} of order ${orderId} is reported`, () => find() !== undefined);
    const report = find();
    assert(report !== undefined);
    return report;
  }

  #listen(): void {
    this.adapter.onReport((account, report) => {
      if (!isUnderstood(report)) this.oddFills.push(report);
      else if (report.execType === "RESTATED" && report.fill !== undefined) {
        this.toldAgain.push({ account, report });
      } else this.reports.push({ account, report });
    });
  }
}

export function accepted(outcome: SubmitOutcome) {
  assert(outcome.kind === "accepted", `the broker took the order: ${JSON.stringify(outcome)}`);
  return outcome;
}

const byText = (a: string, b: string) => a.localeCompare(b);

/** A refusal in the broker's words. */
export const REFUSED = { kind: "rejected", reason: expect.stringMatching(/\w/) as string } as const;

export const atPrice = (price: number) => ({ by: "price", price: ticks(price) }) as const;
export const atDistance = (distance: number) =>
  ({ by: "distance", distance: ticks(distance) }) as const;
export const px = (price: number): Ticks => ticks(price);
