import type { ContractCode } from "../../domain/contracts/contract.ts";
import {
  type AccountId,
  type ClOrdId,
  isOwnClOrdId,
  legOf,
  type OrderId,
  orderId,
} from "../../domain/ids.ts";
import {
  type NewOrderSingle,
  type OrderChange,
  type OrderReport,
  pricesOf,
  type ProtectionOrder,
  type Side,
  sign,
} from "../../domain/order.ts";
import type { CommandFailure, CommandOutcome, SubmitOutcome } from "../../trading/ports.ts";
import { type LegIds, legNames } from "./bracket-legs.ts";
import { checkChange, checkOrder, checkProtection } from "../check-order.ts";
import { Confirmations, unknownOutcome } from "./confirmations.ts";
import type { LegMender } from "./leg-mender.ts";
import type { OnCommandEnd } from "./mended-bracket.ts";
import { type Holding, netPosOf } from "./position-check.ts";
import {
  bracketLegs,
  type ExitLevels,
  exitLevels,
  holdingOf,
  modifyBody,
  placeBody,
  type Placement,
  protectionLegs,
  standaloneBody,
} from "./order-bodies.ts";
import { isReplaced } from "./order-parts.ts";
import { reportOf } from "./order-view.ts";
import { isId } from "./parse.ts";
import type { RequestPurpose } from "./rate-budget.ts";
import type { CommandRequest } from "./requests.ts";
import type { TradovateSession } from "./session.ts";
import type { TradovateLeg } from "./wire.ts";

/** A broker that ends both legs of a pair tells it in one go. */
const SIBLING_ENDS_WITHIN_MS = 500;
/** How long a market entry is waited for before its legs are left to be placed later. */
const FILL_WITHIN_MS = 2_000;

const UNKNOWN_ACCOUNT: CommandFailure = { kind: "rejected", reason: "Unknown account" };
const UNKNOWN_ORDER: CommandFailure = { kind: "rejected", reason: "Order not found" };
const ORDER_ENDED: CommandFailure = { kind: "rejected", reason: "The order has ended already" };

/** Tradovate's ids of the orders that one command has made. */
interface PlacedIds {
  readonly main: number;
  /** The others, in the order in which they were asked for; undefined for what was not named. */
  readonly others: readonly (number | undefined)[];
}

/** The commands of one session. */
export class OrderDesk {
  readonly #session: TradovateSession;
  readonly #confirmations: Confirmations;
  readonly #mender: LegMender;

  constructor(session: TradovateSession, mender: LegMender) {
    this.#session = session;
    this.#confirmations = new Confirmations(session);
    this.#mender = mender;
  }

  async submitOrder(account: AccountId, order: NewOrderSingle): Promise<SubmitOutcome> {
    const reason = checkOrder(order);
    if (reason !== undefined) return { kind: "rejected", reason };
    const place = await this.#placement(account, order.contract);
    if ("kind" in place) return place;
    if (order.bracket === undefined) {
      return await this.#placePlain(place, order, await this.#purposeOf(place, order));
    }
    const levels = exitLevels(order, order.price ?? order.stopPx);
    const wanted = Object.keys(order.bracket).length;
    return Object.keys(levels).length === wanted
      ? await this.#placeBracket(place, order, levels)
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
    const legs = protectionLegs(order, place.contract.tickSize);
    const [first, second] = legs;
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
    const confirmed = await Promise.all(exits.map((id) => this.#confirmations.refusalOf(id)));
    const refused = confirmed.find((one) => one !== undefined);
    if (refused !== undefined) return await this.#takeBack(exits, refused);
    const ids = idsByLeg(legs, exits);
    return { kind: "accepted", orderId: orderId(String(placed.main)), ...legNames(ids) };
  }

  async modifyOrder(account: AccountId, change: OrderChange): Promise<CommandOutcome> {
    const id = Number(change.orderId);
    const report = this.#report(account, id);
    if (report === undefined) return UNKNOWN_ORDER;
    if (this.#confirmations.hasEnded(id)) return ORDER_ENDED;
    const { parentOrderId } = report;
    const parent =
      parentOrderId === undefined ? undefined : this.#report(account, Number(parentOrderId));
    const reason = checkChange(report, change, parent);
    if (reason !== undefined) return { kind: "rejected", reason };
    const isHeld = this.#purposeOfChange(report, change) === "entry";
    const held = isHeld ? this.#session.entriesHeld : undefined;
    if (held !== undefined) return { kind: "notSent", reason: held };
    const onEnd = this.#mender.onChange(id, change);
    return await told(onEnd, () => this.changeOrder(report, change));
  }

  /** Sends a change and waits until the broker has carried it out or refused it. */
  async changeOrder(report: OrderReport, change: OrderChange): Promise<CommandOutcome> {
    const { store, contracts } = this.#session;
    const order = Number(report.orderId);
    const contract = contracts.byId(store.get("order", order)?.contractId ?? 0);
    if (contract === undefined) return UNKNOWN_ORDER;
    const body = modifyBody(report, change, contract.tickSize);
    const purpose = this.#purposeOfChange(report, change);
    const request = { order, endpoint: "order/modifyorder", body, purpose };
    return await this.#carryOut(request, (command) => {
      const status = store.get("command", command)?.commandStatus ?? "";
      return WAITING_IS_DONE.has(status) || isReplaced(store, command);
    });
  }

  async cancelOrder(account: AccountId, order: OrderId): Promise<CommandOutcome> {
    const id = Number(order);
    const known = this.#session.store.get("order", id);
    const isOthers = known !== undefined && this.#session.accountOf(known.accountId) !== account;
    if (isOthers || !isId(id)) return UNKNOWN_ORDER;
    if (this.#confirmations.hasEnded(id)) return ORDER_ENDED;
    const outcome = await told(this.#mender.onCancel(id), () => this.endOrder(id));
    const isPair = outcome.kind === "accepted" && known?.ocoId !== undefined;
    return isPair ? await this.#endSibling(known.ocoId) : outcome;
  }

  /** That a cancel ends the linked leg too is promised: it is done here where the broker does not. */
  async #endSibling(id: number): Promise<CommandOutcome> {
    const { store } = this.#session;
    const isOver = () => store.get("order", id) === undefined || this.#confirmations.hasEnded(id);
    if (await this.#session.until(isOver, SIBLING_ENDS_WITHIN_MS)) return { kind: "accepted" };
    const outcome = await this.endOrder(id);
    if (outcome.kind === "accepted" || isOver()) return { kind: "accepted" };
    return unknownOutcome(`The linked leg may still work: ${outcome.reason}`);
  }

  /** Sends a cancel and waits for the order's end. */
  async endOrder(order: number): Promise<CommandOutcome> {
    const body = { orderId: order, isAutomated: true };
    const request = { order, endpoint: "order/cancelorder", body, purpose: "protect" } as const;
    const outcome = await this.#carryOut(request, () => this.#confirmations.hasEnded(order));
    if (outcome.kind !== "accepted") return outcome;
    const status = this.#session.store.get("order", order)?.ordStatus;
    const isCanceled = status === "Canceled" || status === "Expired";
    return isCanceled ? outcome : { kind: "rejected", reason: `The order is ${status} already` };
  }

  /** Sends a command about an order that is there, and waits for what becomes of it. */
  async #carryOut(
    about: Pick<CommandRequest, "endpoint" | "body" | "purpose"> & { readonly order: number },
    isDone: (command: number) => boolean,
  ): Promise<CommandOutcome> {
    const { order, ...request } = about;
    const answer = await this.#session.requests.command({
      ...request,
      isPointless: () => this.#confirmations.hasEnded(order),
    });
    if (answer.kind !== "taken") return answer;
    const command = answer.data["commandId"];
    if (!isId(command)) return unknownOutcome("The answer names no command");
    return await this.#confirmations.outcomeOf({ command, order }, () => isDone(command));
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
    await this.#session.renew();
    const { positions, unread } = await this.#session.holdings(place.account.id);
    const holding = holdingOf(place);
    if (unread.some(({ contractId }) => contractId === holding.contractId)) {
      const reason = "How much of it is held cannot be read; nothing was sent";
      return { kind: "notSent", reason };
    }
    const netPos = netPosOf(positions, holding);
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
    const refused = await this.#confirmations.refusalOf(placed.main);
    return refused ?? { kind: "accepted", orderId: orderId(String(placed.main)) };
  }

  /** Legs whose prices are known go with their entry: they are at the broker before any fill. */
  async #placeBracket(
    place: Placement,
    order: NewOrderSingle,
    levels: ExitLevels,
  ): Promise<SubmitOutcome> {
    const legs = bracketLegs(order, levels, place.contract.tickSize);
    const [bracket1, bracket2] = legs;
    const placed = await this.#send({
      endpoint: "order/placeoso",
      body: { ...placeBody(place, order), bracket1, ...(bracket2 !== undefined && { bracket2 }) },
      others: ["oso1Id", "oso2Id"].slice(0, legs.length),
      purpose: await this.#purposeOf(place, order),
    });
    if ("kind" in placed) return placed;
    const refused = await this.#confirmations.refusalOf(placed.main);
    if (refused !== undefined) return refused;
    const standing = await Promise.all(placed.others.map((id) => this.#confirmations.standing(id)));
    const ids = idsByLeg(legs, standing);
    this.#mender.watch({ place, order, entry: placed.main, ...ids });
    return { kind: "accepted", orderId: orderId(String(placed.main)), ...legNames(ids) };
  }

  /**
   * A leg by distance counts from the entry's fill, and a market entry has no price before. There is
   * no quote here to guess from, and a guess could put a stop on the wrong side of the fill. So the
   * entry goes alone, and its legs follow at its first fill; until they stand the answer does not
   * name them, by which the gateway knows that the position is not protected yet.
   */
  async #placeThenProtect(place: Placement, order: NewOrderSingle): Promise<SubmitOutcome> {
    const { bracket: _, ...entry } = order;
    const outcome = await this.#placePlain(place, entry, await this.#purposeOf(place, order));
    if (outcome.kind !== "accepted") return outcome;
    const id = Number(outcome.orderId);
    const watched = this.#mender.watch({ place, order, entry: id });
    // The broker may call it filled before it reports the fill.
    const isOver = () =>
      (this.#confirmations.hasEnded(id) && !this.#confirmations.isFilled(id)) ||
      this.#session.store.of("fill", id).length > 0;
    if (!(await this.#session.until(isOver, FILL_WITHIN_MS))) return outcome;
    await watched.protect();
    return { ...outcome, ...watched.names() };
  }

  /** What lowers risk may use the part of the request budget that is kept for it. */
  async #purposeOf(
    place: Placement,
    { clOrdId, side, orderQty }: NewOrderSingle,
  ): Promise<RequestPurpose> {
    if (legOf(clOrdId) !== undefined) return "protect";
    const doesClose = () => this.#closes(holdingOf(place), side, orderQty);
    if (!doesClose()) return "entry";
    if (this.#session.isFed) return "protect";
    // Where nothing is told, what closes by the last answers may open something by now.
    await this.#session.renew();
    return doesClose() ? "protect" : "entry";
  }

  /** The same of a change: by what the order does, and by whether it is only made smaller. */
  #purposeOfChange(report: OrderReport, change: OrderChange): RequestPurpose {
    const { side, leavesQty, clOrdId, parentOrderId } = report;
    const { orderQty = report.orderQty } = change;
    const isSameLevel = Object.keys(pricesOf(change)).length === 0;
    const isNamed = clOrdId !== undefined && isOwnClOrdId(clOrdId) && legOf(clOrdId) !== undefined;
    const isLeg = isNamed || parentOrderId !== undefined;
    if (isLeg || (isSameLevel && orderQty < report.orderQty)) return "protect";
    const { accountId = 0, contractId = 0 } =
      this.#session.store.get("order", Number(report.orderId)) ?? {};
    const qty = leavesQty + orderQty - report.orderQty;
    return this.#closes({ accountId, contractId }, side, qty) ? "protect" : "entry";
  }

  /** Whether an order of this size can do no more than close what is held. */
  #closes(holding: Holding, side: Side, qty: number): boolean {
    return -sign(side) * netPosOf(this.#session.store.all("position"), holding) >= qty;
  }

  async #placement(
    account: AccountId,
    contract: ContractCode,
  ): Promise<Placement | CommandFailure> {
    const found = this.#session.account(account);
    if (found === undefined) return UNKNOWN_ACCOUNT;
    const traded = await this.#session.contracts.find(contract);
    return "kind" in traded ? traded : { account: found, contract: traded };
  }

  async #send(request: {
    readonly endpoint: string;
    readonly body: object;
    /** The fields of the answer that name the other orders. */
    readonly others: readonly string[];
    readonly purpose: RequestPurpose;
  }): Promise<PlacedIds | CommandFailure> {
    const held = request.purpose === "entry" ? this.#session.entriesHeld : undefined;
    if (held !== undefined) return { kind: "notSent", reason: held };
    const answer = await this.#session.requests.command(request);
    if (answer.kind !== "taken") return answer;
    const { data } = answer;
    const main = data["orderId"];
    // An empty answer, or one that says "Success" without an order, proves nothing.
    if (!isId(main)) return unknownOutcome("The answer names no order");
    const others = request.others.map((field) => (isId(data[field]) ? data[field] : undefined));
    return { main, others };
  }

  /** A pair of which one exit was refused is none: the other one is ended. */
  async #takeBack(
    exits: readonly (number | undefined)[],
    refused: CommandFailure,
  ): Promise<SubmitOutcome> {
    for (const id of exits) {
      if (id === undefined || this.#confirmations.hasEnded(id)) continue;
      const { kind } = await this.endOrder(id);
      const left = `Half of the pair is left: ${refused.reason}`;
      if (kind !== "accepted") return unknownOutcome(left);
    }
    return refused;
  }

  #report(account: AccountId, id: number): OrderReport | undefined {
    const view = this.#session.view(id);
    if (view === undefined || this.#session.accountOf(view.order.accountId) !== account) {
      return undefined;
    }
    return reportOf(this.#session.store, view);
  }
}

/** A change of an order that waits for its entry is done once it is put aside with it. */
const WAITING_IS_DONE: ReadonlySet<string> = new Set(["OnHold", "ExecutionSuspended", "Replaced"]);

/** Sends a command, and tells how it ended: not before it has, and whatever becomes of it. */
async function told(
  onEnd: OnCommandEnd,
  send: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  let isUndone = false;
  try {
    const outcome = await send();
    isUndone = outcome.kind === "rejected" || outcome.kind === "notSent";
    return outcome;
  } finally {
    onEnd(isUndone);
  }
}

/** Which of the orders is which exit; those that are not there are left out. */
function idsByLeg(legs: readonly TradovateLeg[], ids: readonly (number | undefined)[]): LegIds {
  const idOf = (orderType: string) => ids[legs.findIndex((leg) => leg.orderType === orderType)];
  return { target: idOf("Limit"), stop: idOf("Stop") };
}
