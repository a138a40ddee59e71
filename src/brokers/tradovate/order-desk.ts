import type { ContractCode } from "../../domain/contract.ts";
import { type AccountId, type ClOrdId, legOf, type OrderId, orderId } from "../../domain/ids.ts";
import {
  type NewOrderSingle,
  type OrderChange,
  type OrderReport,
  type ProtectionOrder,
  sign,
} from "../../domain/order.ts";
import type { CommandFailure, CommandOutcome, SubmitOutcome } from "../../trading/ports.ts";
import { checkChange, checkOrder, checkProtection } from "./check-order.ts";
import { hasEnded } from "./entity-store.ts";
import type { LegMender } from "./leg-mender.ts";
import {
  bracketLegs,
  exitLevels,
  modifyBody,
  placeBody,
  type Placement,
  protectionLegs,
  standaloneBody,
} from "./order-bodies.ts";
import { isReplaced, standingOf, textOf, toOrderReport, wordsOfCommand } from "./order-view.ts";
import { isId } from "./parse.ts";
import type { RequestPurpose } from "./rate-budget.ts";
import type { TradovateSession } from "./session.ts";
import type { TradovateAccount, TradovateLeg } from "./wire.ts";

/** An accepted order may be refused by the risk check right after; so long that is waited for. */
const RISK_CHECK_MS = 2_000;
/** The refusal's words may come right after it. */
const WORDS_WITHIN_MS = 200;
/** A change or cancel is only queued when it is answered. */
const CONFIRMED_WITHIN_MS = 3_000;
/** A broker that ends both legs of a pair tells it in one go. */
const SIBLING_ENDS_WITHIN_MS = 500;
/** How long a market entry is waited for before its legs are left to be placed later. */
const FILL_WITHIN_MS = 2_000;

const UNKNOWN_ACCOUNT: CommandFailure = { kind: "rejected", reason: "Unknown account" };
const UNKNOWN_ORDER: CommandFailure = { kind: "rejected", reason: "Order not found" };

/** Tradovate's ids of the orders that one command has made. */
interface PlacedIds {
  readonly main: number;
  /** The others, in the order in which they were asked for; undefined for what was not named. */
  readonly others: readonly (number | undefined)[];
}

/** The commands of one session. */
export class OrderDesk {
  readonly #session: TradovateSession;
  readonly #mender: LegMender;

  constructor(session: TradovateSession, mender: LegMender) {
    this.#session = session;
    this.#mender = mender;
  }

  async submitOrder(account: AccountId, order: NewOrderSingle): Promise<SubmitOutcome> {
    const reason = checkOrder(order);
    if (reason !== undefined) return { kind: "rejected", reason };
    const place = await this.#placement(account, order.contract);
    if ("kind" in place) return place;
    if (order.bracket === undefined) {
      return await this.#placePlain(place, order, this.#purposeOf(place, order));
    }
    const levels = exitLevels(order, order.price ?? order.stopPx);
    const wanted = Object.keys(order.bracket).length;
    return Object.keys(levels).length === wanted
      ? await this.#placeBracket(place, order)
      : await this.#placeThenProtect(place, order);
  }

  async submitProtection(account: AccountId, order: ProtectionOrder): Promise<SubmitOutcome> {
    const reason = checkProtection(order);
    if (reason !== undefined) return { kind: "rejected", reason };
    const place = await this.#placement(account, order.contract);
    return "kind" in place ? place : await this.placeExits(place, order);
  }

  /** One exit alone, or two as the broker's own pair. */
  async placeExits(place: Placement, order: ProtectionOrder): Promise<SubmitOutcome> {
    const [first, second] = protectionLegs(order, place.contract.tickSize);
    if (first === undefined) return { kind: "rejected", reason: "A protection needs an exit" };
    const body = standaloneBody(place, first, order.orderQty);
    const placed = await this.#send({
      ...(second === undefined
        ? { endpoint: "order/placeorder", body, others: [] }
        : { endpoint: "order/placeoco", body: { ...body, other: second }, others: ["ocoId"] }),
      purpose: "protect",
    });
    if ("kind" in placed) return placed;
    const exits = [placed.main, ...placed.others];
    const confirmed = await Promise.all(exits.map((id) => this.#confirm(id)));
    const refused = confirmed.find((one) => one !== undefined);
    if (refused !== undefined) return await this.#takeBack(exits, refused);
    const names = namesOf([first, ...(second === undefined ? [] : [second])], exits);
    return { kind: "accepted", orderId: orderId(String(placed.main)), ...names };
  }

  async modifyOrder(account: AccountId, change: OrderChange): Promise<CommandOutcome> {
    const id = Number(change.orderId);
    const report = this.#report(account, id);
    if (report === undefined) return UNKNOWN_ORDER;
    if (this.#hasEnded(id)) return { kind: "rejected", reason: "The order has ended already" };
    const { parentOrderId } = report;
    const parent =
      parentOrderId === undefined ? undefined : this.#report(account, Number(parentOrderId));
    const reason = checkChange(report, change, parent);
    if (reason !== undefined) return { kind: "rejected", reason };
    const undo = this.#mender.onChange(id, change);
    const outcome = await this.changeOrder(report, change);
    if (isUndone(outcome)) undo();
    return outcome;
  }

  /** Sends a change and waits until the broker has carried it out or refused it. */
  async changeOrder(report: OrderReport, change: OrderChange): Promise<CommandOutcome> {
    const { requests, store, contracts } = this.#session;
    const id = Number(report.orderId);
    const contract = contracts.byId(store.get("order", id)?.contractId ?? 0);
    if (contract === undefined) return UNKNOWN_ORDER;
    const answer = await requests.command({
      endpoint: "order/modifyorder",
      body: modifyBody(report, change, contract.tickSize),
      purpose: "protect",
      isPointless: () => this.#hasEnded(id),
    });
    if (answer.kind !== "taken") return answer;
    const command = answer.data["commandId"];
    if (!isId(command)) return unknown("The answer names no command");
    return await this.#confirmCommand(command, () => {
      const status = store.get("command", command)?.commandStatus ?? "";
      return WAITING_IS_DONE.has(status) || isReplaced(store, command);
    });
  }

  async cancelOrder(account: AccountId, order: OrderId): Promise<CommandOutcome> {
    const id = Number(order);
    const known = this.#session.store.get("order", id);
    const isOthers = known !== undefined && this.#session.accountOf(known.accountId) !== account;
    if (isOthers || !isId(id)) return UNKNOWN_ORDER;
    if (this.#hasEnded(id)) return { kind: "rejected", reason: "The order has ended already" };
    const undo = this.#mender.onCancel(id);
    const outcome = await this.endOrder(id);
    if (isUndone(outcome)) undo();
    const isPair = outcome.kind === "accepted" && known?.ocoId !== undefined;
    return isPair ? await this.#endSibling(known.ocoId) : outcome;
  }

  /** That a cancel ends the linked leg too is promised: it is done here where the broker does not. */
  async #endSibling(id: number): Promise<CommandOutcome> {
    const { store } = this.#session;
    const isOver = () => store.get("order", id) === undefined || this.#hasEnded(id);
    if (await this.#session.until(isOver, SIBLING_ENDS_WITHIN_MS)) return { kind: "accepted" };
    const outcome = await this.endOrder(id);
    if (outcome.kind === "accepted" || isOver()) return { kind: "accepted" };
    return unknown(`The linked leg may still work: ${outcome.reason}`);
  }

  /** Sends a cancel and waits for the order's end. */
  async endOrder(id: number): Promise<CommandOutcome> {
    const { requests, store } = this.#session;
    const answer = await requests.command({
      endpoint: "order/cancelorder",
      body: { orderId: id, isAutomated: true },
      purpose: "protect",
      isPointless: () => this.#hasEnded(id),
    });
    if (answer.kind !== "taken") return answer;
    const command = answer.data["commandId"];
    if (!isId(command)) return unknown("The answer names no command");
    const outcome = await this.#confirmCommand(command, () => this.#hasEnded(id));
    if (outcome.kind !== "accepted") return outcome;
    const status = store.get("order", id)?.ordStatus;
    const isCanceled = status === "Canceled" || status === "Expired";
    return isCanceled ? outcome : { kind: "rejected", reason: `The order is ${status} already` };
  }

  /**
   * A market order over what is held. `liquidateposition` would close whatever is there by then, but
   * it carries no identifier of ours, so an unknown outcome of it could never be settled, and it ends
   * every order in the contract besides.
   */
  async closePosition(
    account: AccountId,
    contract: ContractCode,
    clOrdId: ClOrdId,
  ): Promise<SubmitOutcome> {
    const place = await this.#placement(account, contract);
    if ("kind" in place) return place;
    const held = await this.#session.positions(place.account.id);
    const netPos = held
      .filter(({ contractId }) => contractId === place.contract.id)
      .reduce((sum, position) => sum + position.netPos, 0);
    if (netPos === 0) return { kind: "rejected", reason: "No open position" };
    const side = netPos > 0 ? "SELL" : "BUY";
    const market = { ordType: "MARKET", timeInForce: "DAY", side } as const;
    const order = { ...market, clOrdId, contract, orderQty: Math.abs(netPos) };
    return await this.#placePlain(place, order, "protect");
  }

  async #placePlain(
    place: Placement,
    order: NewOrderSingle,
    purpose: RequestPurpose,
  ): Promise<SubmitOutcome> {
    const body = placeBody(place, order);
    const placed = await this.#send({ endpoint: "order/placeorder", body, others: [], purpose });
    if ("kind" in placed) return placed;
    const refused = await this.#confirm(placed.main);
    return refused ?? { kind: "accepted", orderId: orderId(String(placed.main)) };
  }

  /** Legs whose prices are known go with their entry: they are at the broker before any fill. */
  async #placeBracket(place: Placement, order: NewOrderSingle): Promise<SubmitOutcome> {
    const levels = exitLevels(order, order.price ?? order.stopPx);
    const legs = bracketLegs(order, levels, place.contract.tickSize);
    const [bracket1, bracket2] = legs;
    const placed = await this.#send({
      endpoint: "order/placeoso",
      body: { ...placeBody(place, order), bracket1, ...(bracket2 !== undefined && { bracket2 }) },
      others: ["oso1Id", "oso2Id"].slice(0, legs.length),
      purpose: "entry",
    });
    if ("kind" in placed) return placed;
    const refused = await this.#confirm(placed.main);
    if (refused !== undefined) return refused;
    const standing = await Promise.all(placed.others.map((id) => this.#standing(id)));
    const names = namesOf(legs, standing);
    this.#mender.watch({ place, order, entry: placed.main, ...legIds(names) });
    return { kind: "accepted", orderId: orderId(String(placed.main)), ...names };
  }

  /**
   * A leg by distance counts from the entry's fill, and a market entry has no price before. There is
   * no quote here to guess from, and a guess could put a stop on the wrong side of the fill. So the
   * entry goes alone, and its legs follow at its first fill; until they stand the answer does not
   * name them, by which the gateway knows that the position is not protected yet.
   */
  async #placeThenProtect(place: Placement, order: NewOrderSingle): Promise<SubmitOutcome> {
    const { bracket: _, ...entry } = order;
    const outcome = await this.#placePlain(place, entry, "entry");
    if (outcome.kind !== "accepted") return outcome;
    const id = Number(outcome.orderId);
    const watched = this.#mender.watch({ place, order, entry: id });
    const isOver = () => this.#hasEnded(id) || this.#session.store.of("fill", id).length > 0;
    if (!(await this.#session.until(isOver, FILL_WITHIN_MS))) return outcome;
    await watched.protect();
    return { ...outcome, ...watched.names() };
  }

  /** What lowers risk may use the part of the request budget that is kept for it. */
  #purposeOf(place: Placement, { clOrdId, side, orderQty }: NewOrderSingle): RequestPurpose {
    const isExit = legOf(clOrdId) !== undefined || -sign(side) * this.#netPos(place) >= orderQty;
    return isExit ? "protect" : "entry";
  }

  #netPos({ account, contract }: Placement): number {
    return this.#session.store
      .all("position")
      .filter((one) => one.accountId === account.id && one.contractId === contract.id)
      .reduce((sum, { netPos }) => sum + netPos, 0);
  }

  async #placement(
    account: AccountId,
    contract: ContractCode,
  ): Promise<Placement | CommandFailure> {
    const found = this.#account(account);
    if (found === undefined) return UNKNOWN_ACCOUNT;
    const traded = await this.#session.contracts.find(contract);
    return "kind" in traded ? traded : { account: found, contract: traded };
  }

  #account(account: AccountId): TradovateAccount | undefined {
    const { store } = this.#session;
    return store.all("account").find(({ id }) => this.#session.accountOf(id) === account);
  }

  async #send(request: {
    readonly endpoint: string;
    readonly body: object;
    /** The fields of the answer that name the other orders. */
    readonly others: readonly string[];
    readonly purpose: RequestPurpose;
  }): Promise<PlacedIds | CommandFailure> {
    const answer = await this.#session.requests.command(request);
    if (answer.kind !== "taken") return answer;
    const { data } = answer;
    const main = data["orderId"];
    // An empty answer, or one that says "Success" without an order, proves nothing.
    if (!isId(main)) return unknown("The answer names no order");
    const others = request.others.map((field) => (isId(data[field]) ? data[field] : undefined));
    return { main, others };
  }

  /** Undefined when the order was taken, as far as the time allows to know; else its refusal. */
  async #confirm(id: number | undefined): Promise<CommandFailure | undefined> {
    if (id === undefined) return unknown("The answer does not name both orders");
    const { store } = this.#session;
    // Named but not refused in time: it is the broker's word that the order is there, and a refusal
    // that comes later is reported like any other.
    await this.#session.until(() => !this.#isPending(id), RISK_CHECK_MS);
    if (store.get("order", id)?.ordStatus !== "Rejected") return undefined;
    if (store.of("fill", id).length > 0) return undefined;
    await this.#session.until(() => textOf(store, { id }) !== undefined, WORDS_WITHIN_MS);
    const reason = textOf(store, { id }) ?? "Tradovate rejected the order without a reason";
    return { kind: "rejected", reason };
  }

  /** The leg's id once it is there; an answer has named legs that never were. */
  async #standing(id: number | undefined): Promise<number | undefined> {
    if (id === undefined) return undefined;
    const isThere = await this.#session.until(() => !this.#isPending(id), RISK_CHECK_MS);
    const isRefused = this.#session.store.get("order", id)?.ordStatus === "Rejected";
    return isThere && !isRefused ? id : undefined;
  }

  /** A pair of which one exit was refused is none: the other one is ended. */
  async #takeBack(
    exits: readonly (number | undefined)[],
    refused: CommandFailure,
  ): Promise<SubmitOutcome> {
    for (const id of exits) {
      if (id === undefined || this.#hasEnded(id)) continue;
      const ended = await this.endOrder(id);
      if (ended.kind !== "accepted") return unknown(`Half of the pair is left: ${refused.reason}`);
    }
    return refused;
  }

  /** Waits for what proves that a command was carried out, or that it was not. */
  async #confirmCommand(command: number, isDone: () => boolean): Promise<CommandOutcome> {
    const { store } = this.#session;
    const isRefused = () => REFUSED.has(store.get("command", command)?.commandStatus ?? "");
    await this.#session.until(() => isDone() || isRefused(), CONFIRMED_WITHIN_MS);
    if (isRefused()) {
      await this.#session.until(
        () => wordsOfCommand(store, command) !== undefined,
        WORDS_WITHIN_MS,
      );
      const reason = wordsOfCommand(store, command) ?? "Tradovate refused the change";
      return { kind: "rejected", reason };
    }
    return isDone() ? { kind: "accepted" } : unknown("Tradovate has not confirmed it in time");
  }

  #report(account: AccountId, id: number): OrderReport | undefined {
    const view = this.#session.view(id);
    if (view === undefined || this.#session.accountOf(view.order.accountId) !== account) {
      return undefined;
    }
    const { store } = this.#session;
    return toOrderReport(store, view, standingOf(store, view));
  }

  #hasEnded(id: number): boolean {
    return hasEnded(this.#session.store.get("order", id)?.ordStatus ?? "");
  }

  #isPending(id: number): boolean {
    const status = this.#session.store.get("order", id)?.ordStatus ?? "Unknown";
    return status === "Unknown" || status === "PendingNew";
  }
}

/** A change of an order that waits for its entry is done once it is put aside with it. */
const WAITING_IS_DONE: ReadonlySet<string> = new Set(["OnHold", "ExecutionSuspended", "Replaced"]);
const REFUSED: ReadonlySet<string> = new Set(["RiskRejected", "ExecutionRejected"]);

/** Certainly nothing of it was carried out. */
const isUndone = ({ kind }: CommandOutcome): boolean => kind === "rejected" || kind === "notSent";

const unknown = (reason: string): CommandFailure => ({ kind: "unknown", reason });

interface LegNames {
  readonly takeProfitOrderId?: OrderId;
  readonly stopLossOrderId?: OrderId;
}

/** Which of the orders is which exit; those that are not there are left out. */
function namesOf(legs: readonly TradovateLeg[], ids: readonly (number | undefined)[]): LegNames {
  const idOf = (orderType: string) => ids[legs.findIndex((leg) => leg.orderType === orderType)];
  const [target, stop] = [idOf("Limit"), idOf("Stop")];
  return {
    ...(target !== undefined && { takeProfitOrderId: orderId(String(target)) }),
    ...(stop !== undefined && { stopLossOrderId: orderId(String(stop)) }),
  };
}

function legIds({ takeProfitOrderId, stopLossOrderId }: LegNames) {
  return {
    ...(takeProfitOrderId !== undefined && { target: Number(takeProfitOrderId) }),
    ...(stopLossOrderId !== undefined && { stop: Number(stopLossOrderId) }),
  };
}
