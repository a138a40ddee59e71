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
import { AnsweredTags } from "./answered-tags.ts";
import type { BracketKeeper, OnCommandEnd } from "./bracket-keeper.ts";
import { classifyAnswer, type Command, isTagInUse } from "./classify-error.ts";
import { Confirmations, unknownOutcome } from "./confirmations.ts";
import { findOrder } from "./find-order.ts";
import { readLegTag } from "./leg-tags.ts";
import { type EntryLegs, lacking, modifyBody, placeBody, type Placement } from "./order-body.ts";
import { heldQty, purposeOf, purposeOfChange } from "./order-purpose.ts";
import { toId, toNumber } from "./parse.ts";
import type { Purpose, RequestOutcome } from "./requests.ts";
import type { SessionView } from "./session-view.ts";
import type { ProjectXAccount, ProjectXOrder } from "./wire.ts";

export interface OrderDeskDeps {
  readonly session: SessionView;
  /** Without one an entry that brings exits is refused. */
  readonly keeper?: BracketKeeper;
  readonly now: () => number;
}

/** The hub names an entry's legs about when it names the entry. */
const LEGS_WITHIN_MS = 2_000;

const UNKNOWN_ACCOUNT: CommandFailure = { kind: "rejected", reason: "Unknown account" };
const UNKNOWN_ORDER: CommandFailure = { kind: "rejected", reason: "Order not found" };
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
  readonly #now: () => number;
  readonly #turns = new AccountTurns();
  readonly #confirmations: Confirmations;
  readonly #answered = new AnsweredTags();
  /** Cancels under way, by order. */
  readonly #cancels = new Map<string, Promise<unknown>>();

  constructor({ session, keeper, now }: OrderDeskDeps) {
    this.#session = session;
    this.#keeper = keeper;
    this.#now = now;
    this.#confirmations = new Confirmations(session);
  }

  async submitOrder(called: AccountId, order: NewOrderSingle): Promise<SubmitOutcome> {
    const reason = lacking(order) ?? checkOrder(order);
    if (reason !== undefined) return { kind: "rejected", reason };
    const account = this.#session.account(called);
    if (account === undefined) return UNKNOWN_ACCOUNT;
    const isExit = this.#isExit(account, order);
    const sent = await this.#turns.take(account.id, isExit, async () => {
      const place = await this.#placement(account, order.contract);
      return "kind" in place ? place : await this.#enter(place, order);
    });
    return await this.#confirmed(account.id, order, sent);
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
      const place = await this.#placement(account, contract);
      return "kind" in place ? place : await this.#close(place, clOrdId);
    });
    return await this.#confirmed(account.id, { clOrdId }, sent);
  }

  async modifyOrder(called: AccountId, change: OrderChange): Promise<CommandOutcome> {
    const account = this.#session.account(called);
    if (account === undefined) return UNKNOWN_ACCOUNT;
    const order = await this.#own(account.id, change.orderId);
    if (order === undefined) return UNKNOWN_ORDER;
    if (this.#confirmations.hasEnded(order.id)) return ORDER_ENDED;
    const report = this.#confirmations.report(order.id);
    if (report === undefined) return NOT_UNDERSTOOD;
    const { parentOrderId } = report;
    const parent =
      parentOrderId === undefined ? undefined : this.#confirmations.report(parentOrderId);
    const reason = checkChange(report, change, parent);
    if (reason !== undefined) return { kind: "rejected", reason };
    const waiting =
      report.ordStatus === "HELD" ? this.#keeper?.changeWaiting(report, change) : undefined;
    if (waiting !== undefined) return waiting;
    const onEnd = this.#keeper?.onChange(order.id, change);
    return await told(onEnd, () => this.changeOrder(order, report, change));
  }

  /** Sends a change and waits until the broker has carried it out or refused it. */
  async changeOrder(
    { id, accountId, contractId = "" }: ProjectXOrder,
    report: OrderReport,
    change: OrderChange,
  ): Promise<CommandOutcome> {
    const contract = this.#session.contracts.byId(contractId);
    if (contract === undefined) return UNKNOWN_ORDER;
    const body = modifyBody(accountId, change, contract.tickSize);
    const holding = { account: accountId, contractId };
    const purpose = purposeOfChange(this.#session.store, holding, report, change);
    const sent = await this.#turns.take(accountId, purpose === "protect", () =>
      this.#send("Order/modify", body, purpose),
    );
    if (sent.kind === "taken" || sent.kind === "pending") {
      return await this.#confirmations.changeOf(accountId, id, change);
    }
    if (sent.kind === "rejected") await this.#confirmations.lookAgain(accountId, id);
    return sent;
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
    const body = { accountId: toNumber(account), orderId: toNumber(order) };
    const sent = await this.#turns.take(account, true, () =>
      this.#send("Order/cancel", body, "protect"),
    );
    if (sent.kind === "taken" || sent.kind === "pending") {
      return await this.#confirmations.endOf(account, order);
    }
    // What the broker does not cancel may have ended, and the hub have left it out.
    if (sent.kind === "rejected") await this.#confirmations.lookAgain(account, order);
    return sent;
  }

  async #enter(place: Placement, order: NewOrderSingle): Promise<Sent> {
    if (order.bracket === undefined) return await this.#place(place, order);
    const keeper = this.#keeper;
    if (keeper === undefined) return NO_EXITS;
    const planned = await keeper.legsFor(place, order);
    if (planned.kind !== "legs") return planned;
    await keeper.wants(place, order);
    const sent = await this.#place(place, order, planned.legs);
    if (sent.kind === "placed") keeper.entered(place, order, sent.orderId);
    if (sent.kind === "rejected" || sent.kind === "notSent") keeper.forget(place, order);
    return sent;
  }

  async #close(place: Placement, clOrdId: ClOrdId): Promise<Sent> {
    const { account, contract } = place;
    try {
      await this.#session.askPositions(account.id, "protect");
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
    return await this.#place(place, { ...order, orderQty: Math.abs(held) });
  }

  async #place(place: Placement, order: NewOrderSingle, legs?: EntryLegs): Promise<Sent> {
    const { store } = this.#session;
    const { account, contract } = place;
    const purpose = purposeOf(store, { account: account.id, contractId: contract.id }, order);
    const body = placeBody(place, order, legs);
    const sent = await this.#send("Order/place", body, purpose);
    switch (sent.kind) {
      case "taken": {
        const id = toId(sent.answer["orderId"]);
        // A success that names no order proves nothing.
        if (id === undefined) return unknownOutcome("The answer of ProjectX names no order");
        this.#answered.add(account.id, order.clOrdId);
        return { kind: "placed", orderId: id };
      }
      case "pending":
        return await this.#lookUp(account.id, order.clOrdId, unknownOutcome(sent.reason));
      case "rejected":
        return sent.isTagInUse
          ? await this.#settleTag(account.id, order.clOrdId, sent)
          : this.#noted(account.id, order.clOrdId, sent);
      case "notSent":
      case "unknown":
        return sent;
    }
  }

  #noted(account: string, tag: ClOrdId, { reason }: Refused): Sent {
    this.#answered.add(account, tag);
    return { kind: "rejected", reason };
  }

  /**
   * The tag is used up. Where this session has answered for it, the second order is refused, and what was
   * said of the first one holds. Otherwise an earlier attempt of ours got through, and it is that order.
   */
  async #settleTag(account: string, tag: ClOrdId, { reason }: Refused): Promise<Sent> {
    if (this.#answered.has(account, tag)) return { kind: "rejected", reason };
    return await this.#lookUp(account, tag, unknownOutcome(`${reason}, and shows no such order`));
  }

  async #lookUp(account: string, tag: ClOrdId, otherwise: CommandFailure): Promise<Sent> {
    try {
      const found = await findOrder(this.#session, account, tag, this.#now());
      return found === undefined ? otherwise : { kind: "placed", orderId: found.id };
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      return otherwise;
    }
  }

  /** What became of an order that the broker has named, with the legs that it has named by then. */
  async #confirmed(
    account: string,
    { clOrdId, bracket }: { readonly clOrdId: ClOrdId; readonly bracket?: Bracket },
    sent: Sent,
  ): Promise<SubmitOutcome> {
    if (sent.kind !== "placed") return sent;
    const refused = await this.#confirmations.refusalOf(account, sent.orderId);
    if (refused?.kind === "unknown") this.#answered.delete(account, clOrdId);
    if (refused !== undefined) return refused;
    const legs = bracket === undefined ? {} : await this.#legsOf(sent.orderId, bracket);
    return { kind: "accepted", orderId: orderId(sent.orderId), ...legs };
  }

  async #legsOf(entry: string, bracket: Bracket): Promise<LegNames> {
    const wanted = Object.keys(bracket).length;
    const named = () => Object.keys(this.#legNames(entry)).length >= wanted;
    const isOver = () => named() || this.#confirmations.hasEnded(entry);
    await this.#session.until(isOver, LEGS_WITHIN_MS);
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
  ): Promise<Placement | CommandFailure> {
    try {
      const found = await this.#session.contracts.find(contract);
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
    const { store, contracts } = this.#session;
    const { contractId = "" } =
      store
        .positionsOf(account.id)
        .find((held) => contracts.byId(held.contractId ?? "")?.code === order.contract) ?? {};
    return purposeOf(store, { account: account.id, contractId }, order) === "protect";
  }

  async #send(command: Command, body: object, purpose: Purpose): Promise<SentCommand> {
    const outcome: RequestOutcome = await this.#session.requests.ask(command, body, purpose);
    if (outcome.kind !== "answered") return outcome;
    const judged = classifyAnswer(command, outcome.body);
    switch (judged.kind) {
      case "taken":
        return { kind: "taken", answer: outcome.body.body };
      case "rejected":
        return { ...judged, isTagInUse: isTagInUse(command, outcome.body) };
      case "pending":
      case "notSent":
      case "unknown":
        return judged;
    }
  }
}

type LegNames = Pick<
  Extract<SubmitOutcome, { kind: "accepted" }>,
  "takeProfitOrderId" | "stopLossOrderId"
>;

/** An order that the broker has named, or why there is none. */
type Sent = { readonly kind: "placed"; readonly orderId: string } | CommandFailure;

type Refused = {
  readonly kind: "rejected";
  readonly reason: string;
  readonly isTagInUse: boolean;
};

type SentCommand =
  | { readonly kind: "taken"; readonly answer: Readonly<Record<string, unknown>> }
  | { readonly kind: "pending"; readonly reason: string }
  | Refused
  | Exclude<CommandFailure, { kind: "rejected" }>;

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
