import type { PaperBroker } from "../../../../src/brokers/paper/adapter.ts";
import type { ManualFeed } from "../../../../src/brokers/paper/feed/manual-feed.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { type Quote, quoteHeardAt } from "../../../../src/domain/quote.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { type AccountId, clOrdId, type ClOrdId, type OrderId } from "../../../../src/domain/ids.ts";
import {
  type ExecutionReport,
  isUnderstood,
  type NewOrderSingle,
  type OrderChange,
  type OrderReport,
  type ProtectionOrder,
  type Side,
  sign,
} from "../../../../src/domain/order.ts";
import { RelayedBroker } from "../../../../src/trading/lane/owned-broker.ts";
import { ACCOUNT } from "../../../unit/trading/lane-kit.ts";
import { DEEP } from "../../lane/steps.ts";

/** When one contract is shut, Unix ms. It opens with an auction until `printsAt`, which takes nothing. */
export interface Shut {
  readonly closesAt: number;
  readonly opensAt: number;
  readonly printsAt: number;
}

/** A command of the gateway as it arrived. */
export interface Arrived {
  readonly at: number;
  readonly kind: "place" | "protect" | "modify" | "cancel" | "close";
  readonly contract: ContractCode | undefined;
  readonly names: readonly ClOrdId[];
  readonly isTaken: boolean;
}

export interface Filled {
  readonly at: number;
  readonly contract: ContractCode;
  readonly name: ClOrdId | undefined;
  readonly side: Side;
  readonly qty: number;
}

/** How it is set up, beside its hours. */
export interface Mood {
  /** Risk management refuses every close at the market before this moment, Unix ms. */
  readonly refusesClosesUntil?: number;
  /** It takes no cancel before this moment, Unix ms. */
  readonly refusesCancelsUntil?: number;
}

interface Deps {
  readonly paper: PaperBroker;
  readonly feed: ManualFeed;
  readonly now: () => number;
  readonly shut: ReadonlyMap<ContractCode, Shut>;
  readonly mood: Mood;
}

const CLOSED = { kind: "rejected", reason: "The market is closed" } as const;
const RISK = { kind: "rejected", reason: "Refused by risk management" } as const;

/**
 * The matching core of the paper broker behind hours of its own. A shut contract trades nothing, and takes
 * neither orders nor changes nor cancels. Orders of the day end at its close.
 */
export class WeekendExchange extends RelayedBroker {
  readonly arrived: Arrived[] = [];
  readonly traded: Filled[] = [];
  readonly #deps: Deps;
  #byHand = 0;
  /** Called when a close has arrived, before it is carried out. */
  beforeClose: () => void = () => undefined;

  constructor(deps: Deps) {
    super(deps.paper);
    this.#deps = deps;
    deps.paper.onReport((_, report) => {
      if (isUnderstood(report)) this.#note(report);
    });
  }

  isShut(contract: ContractCode): boolean {
    const { shut, now } = this.#deps;
    const hours = shut.get(contract);
    return hours !== undefined && hours.closesAt <= now() && now() < hours.printsAt;
  }

  print(contract: ContractCode, bid: number, qty = DEEP): void {
    if (this.isShut(contract)) throw new Error(`${contract} is shut and prints nothing`);
    this.#deps.feed.set(contract, {
      bid: ticks(bid),
      ask: ticks(bid + 1),
      bidQty: qty,
      askQty: qty,
    });
  }

  /** The newest prices; there are none while it is shut. */
  quoteOf(contract: ContractCode): Quote | undefined {
    const shown = this.isShut(contract) ? undefined : this.#deps.feed.quote(contract);
    if (shown === undefined) return undefined;
    const { bid, ask } = shown;
    return quoteHeardAt(this.#deps.now(), { bid, ask, last: bid });
  }

  /** The exchange ends the orders of the day. */
  async endOfDay(contract: ContractCode): Promise<void> {
    for (const { orderId, timeInForce } of await this.working(contract)) {
      if (timeInForce === "DAY") await this.#deps.paper.cancelOrder(ACCOUNT, orderId);
    }
  }

  /** A person trades on the broker's own screen. */
  async byHand(contract: ContractCode, side: Side, orderQty: number): Promise<void> {
    if (this.isShut(contract)) throw new Error(`${contract} is shut to persons as well`);
    this.#byHand += 1;
    const answer = await this.#deps.paper.submitOrder(ACCOUNT, {
      clOrdId: clOrdId(`hand-${this.#byHand}`),
      contract,
      side,
      orderQty,
      ordType: "MARKET",
      timeInForce: "IOC",
    });
    if (answer.kind !== "accepted") throw new Error("a person's order is taken");
  }

  async net(contract: ContractCode): Promise<number> {
    const held = await this.#deps.paper.positions(ACCOUNT);
    return held.find((one) => one.contract === contract)?.netQty ?? 0;
  }

  async working(contract: ContractCode): Promise<readonly OrderReport[]> {
    const orders = (await this.#deps.paper.workingOrders(ACCOUNT)) as readonly OrderReport[];
    return orders.filter((one) => one.contract === contract);
  }

  override async submitOrder(account: AccountId, order: NewOrderSingle) {
    const { clOrdId: name, contract, side, ordType } = order;
    const closes = ordType === "MARKET" && sign(side) * (await this.net(contract)) < 0;
    const kind = closes ? "close" : "place";
    return await this.#carryOut(kind, { contract, names: [name] }, () =>
      this.#deps.paper.submitOrder(account, order),
    );
  }

  override submitProtection(account: AccountId, order: ProtectionOrder) {
    const names = [order.takeProfit, order.stopLoss].flatMap((leg) => leg?.clOrdId ?? []);
    return this.#carryOut("protect", { contract: order.contract, names }, () =>
      this.#deps.paper.submitProtection(account, order),
    );
  }

  override async modifyOrder(account: AccountId, change: OrderChange) {
    const contract = await this.#contractOf(change.orderId);
    return await this.#carryOut("modify", { contract, names: [] }, () =>
      this.#deps.paper.modifyOrder(account, change),
    );
  }

  override async cancelOrder(account: AccountId, id: OrderId) {
    const contract = await this.#contractOf(id);
    return await this.#carryOut("cancel", { contract, names: [] }, () =>
      this.#deps.paper.cancelOrder(account, id),
    );
  }

  override closePosition(account: AccountId, contract: ContractCode, name: ClOrdId) {
    return this.#carryOut("close", { contract, names: [name] }, () => {
      this.beforeClose();
      return this.#deps.paper.closePosition(account, contract, name);
    });
  }

  protected override send<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    return run();
  }

  async #contractOf(id: OrderId): Promise<ContractCode | undefined> {
    const orders = (await this.#deps.paper.workingOrders(ACCOUNT)) as readonly OrderReport[];
    return orders.find(({ orderId }) => orderId === id)?.contract;
  }

  async #carryOut<Answer extends { readonly kind: string }>(
    kind: Arrived["kind"],
    { contract, names }: Pick<Arrived, "contract" | "names">,
    run: () => Promise<Answer>,
  ): Promise<Answer | typeof CLOSED | typeof RISK> {
    const at = this.#deps.now();
    const isShut = contract !== undefined && this.isShut(contract);
    const { refusesClosesUntil = 0, refusesCancelsUntil = 0 } = this.#deps.mood;
    const refusedUntil = { close: refusesClosesUntil, cancel: refusesCancelsUntil };
    const isRisky = (kind === "close" || kind === "cancel") && at < refusedUntil[kind];
    const answer = isShut ? CLOSED : isRisky ? RISK : await run();
    this.arrived.push({ at, kind, contract, names, isTaken: answer.kind === "accepted" });
    return answer;
  }

  #note({ execType, fill }: ExecutionReport): void {
    if (execType !== "TRADE" || fill === undefined) return;
    const { contract, clOrdId: name, side, lastQty: qty } = fill;
    this.traded.push({ at: this.#deps.now(), contract, name, side, qty });
  }

  /** The position after each fill. */
  path(contract: ContractCode): readonly number[] {
    let net = 0;
    return this.traded
      .filter((fill) => fill.contract === contract)
      .map(({ side, qty }) => (net += sign(side) * qty));
  }
}
