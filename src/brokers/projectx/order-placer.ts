import type { ClOrdId } from "../../domain/ids.ts";
import type { NewOrderSingle } from "../../domain/order.ts";
import { BrokerReadError, type CommandFailure } from "../../trading/ports.ts";
import { AnsweredTags } from "./answered-tags.ts";
import { unknownOutcome } from "./confirmations.ts";
import { findOrder } from "./find-order.ts";
import { type EntryLegs, placeBody, type Placement } from "./order-body.ts";
import { purposeOf } from "./order-purpose.ts";
import { hasEnded, toId } from "./parse.ts";
import { type RefusedCommand, sendCommand } from "./send-command.ts";
import type { SessionView } from "./session-view.ts";
import { ORDER_STATUS } from "./wire.ts";

/** An order that the broker has named, or why there is none. */
export type Placed = { readonly kind: "placed"; readonly orderId: string } | CommandFailure;

/** Sends orders, each once: the broker refuses a tag that was used before, for ever. */
export class OrderPlacer {
  readonly #session: SessionView;
  readonly #now: () => number;
  readonly #answered = new AnsweredTags();

  constructor(session: SessionView, now: () => number) {
    this.#session = session;
    this.#now = now;
  }

  async place(place: Placement, order: NewOrderSingle, legs?: EntryLegs): Promise<Placed> {
    const { store, requests } = this.#session;
    const { account, contract } = place;
    const purpose = purposeOf(store, { account: account.id, contractId: contract.id }, order);
    const body = placeBody(place, order, legs);
    const sent = await sendCommand(requests, "Order/place", body, purpose);
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
        return await this.#judgeRefusal(account.id, order.clOrdId, sent);
      case "notSent":
      case "unknown":
        return sent;
    }
  }

  /** What was said of the order is not known any more. */
  takeBack(account: string, tag: ClOrdId): void {
    this.#answered.delete(account, tag);
  }

  /**
   * Where a tag is used up and this session has answered for it, the second order is refused, and what
   * was said of the first one holds. Otherwise an earlier attempt of ours got through: it is that order.
   */
  async #judgeRefusal(account: string, tag: ClOrdId, refused: RefusedCommand): Promise<Placed> {
    const { reason, isTagInUse, orderId } = refused;
    if (isTagInUse && !this.#answered.has(account, tag)) {
      return await this.#lookUp(account, tag, unknownOutcome(`${reason}, and shows no such order`));
    }
    const stands =
      isTagInUse || orderId === undefined ? "no" : await this.#stands(account, tag, orderId);
    if (stands === "unknown") {
      return unknownOutcome(`${reason}, and what became of the order that it names is not known`);
    }
    this.#answered.add(account, tag);
    return orderId !== undefined && stands === "yes"
      ? { kind: "placed", orderId }
      : { kind: "rejected", reason };
  }

  /** A refused order is kept, and may be named [COM]: whether it stands there all the same. */
  async #stands(account: string, tag: ClOrdId, id: string): Promise<"yes" | "no" | "unknown"> {
    const { store } = this.#session;
    const told = store.order(id);
    try {
      const order = hasEnded(told?.status) ? told : await this.#session.learnOrder(account, id);
      if (order === undefined || (order.customTag ?? tag) !== tag) return "no";
      const { status, fillVolume = 0 } = order;
      const hasFilled = status === ORDER_STATUS.filled || fillVolume > 0;
      return hasFilled || !hasEnded(status) || store.tradesOf(id).length > 0 ? "yes" : "no";
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      return "unknown";
    }
  }

  async #lookUp(account: string, tag: ClOrdId, otherwise: CommandFailure): Promise<Placed> {
    try {
      const found = await findOrder(this.#session, tag, {
        account,
        now: this.#now(),
        purpose: "load",
      });
      if (found === undefined) return otherwise;
      this.#answered.add(account, tag);
      return { kind: "placed", orderId: found.id };
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      return otherwise;
    }
  }
}
