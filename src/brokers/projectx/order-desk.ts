import { lackedBy } from "../../domain/broker-lacks.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import { type AccountId, type ClOrdId, type OrderId, orderId } from "../../domain/ids.ts";
import type {
  Bracket,
  NewOrderSingle,
  OrderChange,
  OrderReport,
  ProtectionOrder,
} from "../../domain/order.ts";
import {
  BrokerReadError,
  type CommandFailure,
  type CommandOutcome,
  type SubmitOutcome,
} from "../../trading/ports.ts";
import { checkChange, checkOrder } from "../check-order.ts";
import { AccountTurns } from "./account-turns.ts";
import type { BracketKeeper, OnCommandEnd } from "./bracket-keeper.ts";
import type { KnownContract } from "./contract-desk.ts";
import { Confirmations } from "./confirmations.ts";
import { readLegTag } from "./leg-tags.ts";
import { LACKS, modifyBody, type Placement } from "./order-body.ts";
import { heldQty, purposeOf, purposeOfChange } from "./order-purpose.ts";
import { toId, toWireId } from "./parse.ts";
import { OrderPlacer, type Placed } from "./order-placer.ts";
import type { Purpose } from "./requests.ts";
import { sendCommand, type SentCommand } from "./send-command.ts";
import type { SessionView } from "./session-view.ts";
import { ORDER_STATUS, type ProjectXAccount, type ProjectXOrder } from "./wire.ts";

export interface OrderDeskDeps {
  readonly session: SessionView;
  /** Without one an entry that brings exits is refused. */
  readonly keeper?: BracketKeeper;
  readonly now: () => number;
}

/** The hub names an entry's legs about when it names the entry. */
const LEGS_WITHIN_MS = 2_000;

const UNKNOWN_ACCOUNT: CommandFailure = { kind: "rejected", reason: "Unknown account" };
const UNKNOWN_ORDER = { kind: "rejected", reason: "Order not found" } as const;
const NO_EXITS: CommandFailure = { kind: "rejected", reason: "No exits go with an entry here" };
const NOT_UNDERSTOOD: CommandFailure = {
  kind: "rejected",
  reason: "Not enough is known of the order to change it; it can be canceled",
};
const ORDER_ENDED: CommandFailure = { kind: "rejected", reason: "The order has ended already" };

/** The commands of one session. */
export class OrderDesk {
  readonly #session: SessionView;
  readonly #keeper: BracketKeeper | undefined;
  readonly #turns = new AccountTurns();
  readonly #confirmations: Confirmations;
  readonly #placer: OrderPlacer;
  /** Cancels under way, by order. */
  readonly #cancels = new Map<string, Promise<unknown>>();

  constructor({ session, keeper, now }: OrderDeskDeps) {
    this.#session = session;
    this.#keeper = keeper;
    this.#placer = new OrderPlacer(session, now);
    this.#confirmations = new Confirmations(session);
  }

  async submitOrder(called: AccountId, order: NewOrderSingle): Promise<SubmitOutcome> {
    const reason = lackedBy(LACKS, order) ?? checkOrder(order);
    if (reason !== undefined) return { kind: "rejected", reason };
    const account = this.#session.account(called);
    if (account === undefined) return UNKNOWN_ACCOUNT;
    const isExit = this.#isExit(account, order);
    const sent = await this.#turns.take(account.id, isExit, async () => {
      const place = await this.#placement(account, order.contract, isExit ? "protect" : "entry");
      return "kind" in place ? place : await this.#enter(place, order);
    });
    const outcome = await this.#confirmed(account.id, order, sent);
    if (outcome.kind === "accepted") this.#keeper?.exitStands(account.id, order);
    return outcome;
  }

  /** ProjectX attaches nothing to a position: a protection is two plain orders there. */
  submitProtection(_called: AccountId, _order: ProtectionOrder): Promise<SubmitOutcome> {
    const reason = "ProjectX links no orders to a position";
    return Promise.resolve({ kind: "rejected", reason });
  }

  /**
   * A market order over what is held. `Position/closeContract` would close whatever is there by then, but
   * it carries no tag and names no order, so that an unknown outcome of it could never be settled, and
   * what was sent twice would be done twice.
   */
  async closePosition(
    called: AccountId,
    contract: ContractCode,
    clOrdId: ClOrdId,
  ): Promise<SubmitOutcome> {
    const account = this.#session.account(called);
    if (account === undefined) return UNKNOWN_ACCOUNT;
    const sent = await this.#turns.take(account.id, true, async () => {
      const place = await this.#placement(account, contract, "protect");
      return "kind" in place ? place : await this.#close(place, clOrdId);
    });
    return await this.#confirmed(account.id, { clOrdId }, sent);
  }

  async modifyOrder(called: AccountId, change: OrderChange): Promise<CommandOutcome> {
    const account = this.#session.account(called);
    if (account === undefined) return UNKNOWN_ACCOUNT;
    const order = await this.#own(account.id, change.orderId);
    if (order === undefined) return UNKNOWN_ORDER;
    // A leg that waits is shown by the hub alone, which may be late: one that is listed is live. And what
    // the hub has told in a word that is not known may be told by the order's number in one that is.
    const isWaiting = order.status === ORDER_STATUS.suspended;
    const isOdd = this.#confirmations.report(order.id) === undefined;
    if (isWaiting || isOdd) await this.#confirmations.lookAgain(account.id, order.id);
    if (this.#confirmations.hasEnded(order.id)) return ORDER_ENDED;
    const report = this.#confirmations.report(order.id);
    if (report === undefined) return NOT_UNDERSTOOD;
    const { parentOrderId } = report;
    const parent =
      parentOrderId === undefined ? undefined : this.#confirmations.report(parentOrderId);
    const reason = checkChange(report, change, parent);
    if (reason !== undefined) return { kind: "rejected", reason };
    if (report.ordStatus === "HELD") {
      const waiting = await this.#changeWaiting(order, report, change);
      if (waiting !== undefined) return waiting;
    }
    return await this.#changeAsAsked(order, report, change);
  }

  /** A part of what a leg waits for may have filled, and have an exit of its own: that is moved first. */
  async #changeWaiting(
    order: ProjectXOrder,
    report: OrderReport,
    change: OrderChange,
  ): Promise<CommandOutcome | undefined> {
    const { orderQty } = change;
    const inStead = orderQty === undefined ? this.#keeper?.inSteadOf(report.orderId) : undefined;
    for (const live of inStead ?? []) {
      const known = this.#confirmations.report(live.id);
      if (known === undefined) return NOT_UNDERSTOOD;
      const moved = { ...change, orderId: known.orderId };
      const outcome = await this.#changeAsAsked(live, known, moved);
      if (outcome.kind !== "accepted") return outcome;
    }
    const waiting = this.#keeper?.changeWaiting(report, change);
    // Whether the broker changes what waits is not documented: the keeper sees to it all the same.
    if (waiting?.kind === "accepted") await this.#sendChange(order, report, change);
    return waiting;
  }

  async #changeAsAsked(
    order: ProjectXOrder,
    report: OrderReport,
    change: OrderChange,
  ): Promise<CommandOutcome> {
    const onEnd = this.#keeper?.onChange(order.id, change);
    return await told(onEnd, () => this.changeOrder(order, report, change));
  }

  /** Places a leg in the stead of one that is gone, unless what came before it has left it nothing. */
  async placeLeg(
    place: Placement,
    order: NewOrderSingle,
    isWanted: () => boolean,
  ): Promise<SubmitOutcome | undefined> {
    const sent = await this.#turns.take(place.account.id, true, async () =>
      isWanted() ? await this.#placer.place(place, order) : undefined,
    );
    if (sent === undefined) return undefined;
    return await this.#confirmed(place.account.id, { clOrdId: order.clOrdId }, sent);
  }

  /** Sends a change and waits until the broker has carried it out or refused it. */
  async changeOrder(
    order: ProjectXOrder,
    report: OrderReport,
    change: OrderChange,
  ): Promise<CommandOutcome> {
    const { id, accountId } = order;
    const sent = await this.#sendChange(order, report, change);
    if (sent.kind === "taken" || sent.kind === "pending") {
      return await this.#confirmations.changeOf(accountId, id, change);
    }
    return await this.#failed(accountId, id, sent);
  }

  async #sendChange(
    { accountId, contractId = "" }: ProjectXOrder,
    report: OrderReport,
    change: OrderChange,
  ): Promise<SentCommand> {
    const { contracts, store, requests } = this.#session;
    const contract = contracts.byId(contractId);
    if (contract === undefined) return { ...UNKNOWN_ORDER, isTagInUse: false, orderId: undefined };
    const body = modifyBody(accountId, change, contract.tickSize);
    const purpose = purposeOfChange(store, { account: accountId, contractId }, report, change);
    return await this.#turns.take(accountId, purpose === "protect", () =>
      sendCommand(requests, "Order/modify", body, purpose),
    );
  }

  /** Of two cancels of an order the second one finds what the first one has come to. */
  async cancelOrder(called: AccountId, order: OrderId): Promise<CommandOutcome> {
    const account = this.#session.account(called);
    if (account === undefined) return UNKNOWN_ACCOUNT;
    const known = this.#session.store.order(order);
    const isOthers = known !== undefined && known.accountId !== account.id;
    if (isOthers || toId(order) === undefined) return UNKNOWN_ORDER;
    const onEnd = this.#keeper?.onCancel(order);
    return await told(onEnd, () => this.endOrder(account.id, order));
  }

  /** Sends a cancel, after those of the same order that are under way, and waits for the order's end. */
  async endOrder(account: string, order: string): Promise<CommandOutcome> {
    const before = this.#cancels.get(order);
    const ending = (async () => {
      await before;
      return await this.#end(account, order);
    })();
    this.#cancels.set(order, ending);
    try {
      return await ending;
    } finally {
      if (this.#cancels.get(order) === ending) this.#cancels.delete(order);
    }
  }

  async #end(account: string, order: string): Promise<CommandOutcome> {
    if (this.#confirmations.hasEnded(order)) return ORDER_ENDED;
    const body = { accountId: toWireId(account), orderId: toWireId(order) };
    const sent = await this.#turns.take(account, true, () =>
      sendCommand(this.#session.requests, "Order/cancel", body, "protect"),
    );
    if (sent.kind === "taken" || sent.kind === "pending") {
      return await this.#confirmations.endOf(account, order);
    }
    return await this.#failed(account, order, sent);
  }

  /** An order about which the broker refuses something may have ended, and the hub have left it out. */
  async #failed(account: string, order: string, failure: CommandFailure): Promise<CommandFailure> {
    const { kind, reason } = failure;
    if (kind === "rejected") await this.#confirmations.lookAgain(account, order);
    return { kind, reason };
  }

  async #enter(place: Placement, order: NewOrderSingle): Promise<Placed> {
    if (order.bracket === undefined) return await this.#placer.place(place, order);
    const keeper = this.#keeper;
    if (keeper === undefined) return NO_EXITS;
    const planned = await keeper.legsFor(place, order);
    if (planned.kind !== "legs") return planned;
    await keeper.wants(place, order);
    const sent = await this.#placer.place(place, order, planned.legs);
    if (sent.kind === "placed") keeper.entered(place, order, sent.orderId);
    if (sent.kind === "rejected" || sent.kind === "notSent") keeper.forget(place, order);
    return sent;
  }

  async #close(place: Placement, clOrdId: ClOrdId): Promise<Placed> {
    const { account, contract } = place;
    try {
      const question = { contract: contract.id, purpose: "protect" } as const;
      await this.#session.settlePositions(account.id, question);
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      const reason = `What is held is not known, and nothing was sent: ${error.message}`;
      return { kind: "notSent", reason };
    }
    const holding = { account: account.id, contractId: contract.id };
    const held = heldQty(this.#session.store, holding);
    if (held === undefined) {
      const reason = "How much of it is held cannot be read; nothing was sent";
      return { kind: "notSent", reason };
    }
    if (held === 0) return { kind: "rejected", reason: "No open position" };
    const market = { ordType: "MARKET", timeInForce: "DAY" } as const;
    const side = held > 0 ? "SELL" : "BUY";
    const order = { ...market, side, clOrdId, contract: contract.code } as const;
    return await this.#placer.place(place, { ...order, orderQty: Math.abs(held) });
  }

  /** What became of an order that the broker has named, with the legs that it has named by then. */
  async #confirmed(
    account: string,
    { clOrdId, bracket }: { readonly clOrdId: ClOrdId; readonly bracket?: Bracket },
    sent: Placed,
  ): Promise<SubmitOutcome> {
    if (sent.kind !== "placed") return sent;
    const refused = await this.#confirmations.refusalOf(account, sent.orderId);
    if (refused?.kind === "unknown") this.#placer.takeBack(account, clOrdId);
    if (refused !== undefined) return refused;
    const legs = bracket === undefined ? {} : await this.#legsOf(sent.orderId, bracket);
    return { kind: "accepted", orderId: orderId(sent.orderId), ...legs };
  }

  async #legsOf(entry: string, bracket: Bracket): Promise<LegNames> {
    const wanted = Object.keys(bracket).length;
    const areNamed = () => Object.keys(this.#legNames(entry)).length >= wanted;
    await this.#session.until(areNamed, LEGS_WITHIN_MS);
    await this.#keeper?.settled(orderId(entry));
    return this.#legNames(entry);
  }

  /** Those that are refused are none. */
  #legNames(entry: string): LegNames {
    const legs = this.#session.store
      .childrenOf(entry)
      .filter(({ id }) => !this.#confirmations.isRejected(id));
    const idOf = (role: "TAKE_PROFIT" | "STOP_LOSS") =>
      legs.find(({ customTag = "" }) => readLegTag(customTag)?.role === role)?.id;
    const [target, stop] = [idOf("TAKE_PROFIT"), idOf("STOP_LOSS")];
    return {
      ...(target !== undefined && { takeProfitOrderId: orderId(target) }),
      ...(stop !== undefined && { stopLossOrderId: orderId(stop) }),
    };
  }

  async #placement(
    account: ProjectXAccount,
    contract: ContractCode,
    purpose: Purpose,
  ): Promise<Placement | CommandFailure> {
    const held = this.#heldContract(account.id, contract);
    // What is held is closed by the number that it is held under, whatever a search finds.
    if (held !== undefined) return { account, contract: held };
    try {
      const found = await this.#session.contracts.find(contract, purpose);
      if (found !== undefined) return { account, contract: found };
      return { kind: "rejected", reason: `ProjectX knows no contract ${contract}` };
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      const reason = `The contract could not be looked up, and nothing was sent: ${error.message}`;
      return { kind: "notSent", reason };
    }
  }

  /** Undefined for an order that the broker shows nowhere, or on another account. */
  async #own(account: string, order: string): Promise<ProjectXOrder | undefined> {
    const known = this.#session.store.order(order);
    if (known !== undefined) return known.accountId === account ? known : undefined;
    if (toId(order) === undefined) return undefined;
    await this.#confirmations.lookAgain(account, order);
    const found = this.#session.store.order(order);
    return found?.accountId === account ? found : undefined;
  }

  /** As far as it can be told before the order's turn: a contract that is held is known. */
  #isExit(account: ProjectXAccount, order: NewOrderSingle): boolean {
    const contractId = this.#heldContract(account.id, order.contract)?.id ?? "";
    const holding = { account: account.id, contractId };
    return purposeOf(this.#session.store, holding, order) === "protect";
  }

  #heldContract(account: string, contract: ContractCode): KnownContract | undefined {
    const { store, contracts } = this.#session;
    return store
      .positionsOf(account)
      .flatMap(({ contractId = "" }) => contracts.byId(contractId) ?? [])
      .find(({ code }) => code === contract);
  }
}

type LegNames = Pick<
  Extract<SubmitOutcome, { kind: "accepted" }>,
  "takeProfitOrderId" | "stopLossOrderId"
>;

/** Sends a command, and tells how it ended: not before it has, and whatever becomes of it. */
async function told(
  onEnd: OnCommandEnd | undefined,
  send: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  let isUndone = false;
  try {
    const outcome = await send();
    isUndone = outcome.kind === "rejected" || outcome.kind === "notSent";
    return outcome;
  } finally {
    onEnd?.(isUndone);
  }
}
