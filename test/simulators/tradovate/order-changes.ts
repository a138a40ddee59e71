import { type ClOrdId, orderId } from "../../../src/domain/ids.ts";
import type { DeskOutcome } from "../exchange/desk.ts";
import type { LogEntry } from "../exchange/event-log.ts";
import { ACCESS_DENIED, type Answer, badRequest, failure, notFound, ok } from "./answer.ts";
import { type CommandLog, noteOrder, noteRejected } from "./command-log.ts";
import type { ContractDirectory, Listed } from "./contract-directory.ts";
import { changeOf } from "./core-orders.ts";
import type { CoreRunner } from "./core-runner.ts";
import type { DeferredLegs } from "./deferred-legs.ts";
import type { EntityStore } from "./entity-store.ts";
import type { Holdings } from "./holdings.ts";
import {
  type ClientCommand,
  isDead,
  type JournalOrder,
  type OrderJournal,
} from "./order-journal.ts";
import { type Asker, causeOf } from "./order-reader.ts";
import {
  type Body,
  definedOf,
  idOf,
  lacksStart,
  marketWish,
  NO_START,
  readQty,
  readWish,
  textOf,
  toCoreTerms,
} from "./order-request.ts";
import { accountRefusal, refusalOf } from "./refusals.ts";
import type { Settings } from "./settings.ts";
import type { Users } from "./users.ts";

export interface OrderChangesDeps {
  readonly store: EntityStore;
  readonly users: Users;
  readonly contracts: ContractDirectory;
  readonly journal: OrderJournal;
  readonly holdings: Holdings;
  readonly runner: CoreRunner;
  readonly deferred: DeferredLegs;
  readonly log: CommandLog;
  readonly settings: (accountId: number) => Settings;
  readonly newName: () => ClOrdId;
}

/** What is asked of orders and positions that are there: change, cancel, liquidate. */
export class OrderChanges {
  readonly #deps: OrderChangesDeps;

  constructor(deps: OrderChangesDeps) {
    this.#deps = deps;
  }

  /** Answered with the command's number alone: the change itself is told by events. */
  modify(asker: Asker, body: Body): Answer {
    const order = this.#ownOrder(asker, body);
    if ("status" in order) return order;
    const { listed, wish: before, accountId } = order.origin;
    const qty = readQty(body);
    if ("answer" in qty) return qty.answer;
    const asked = readWish({ ...body, action: before.action });
    if ("answer" in asked) return asked.answer;
    const refusal = this.#deadAnswer(asker, order) ?? this.#accountRefusal(accountId);
    if (refusal !== undefined) return refusal;
    if (asked.value.orderType !== before.orderType) {
      return failure("Unsupported", "The type of an order cannot be changed");
    }
    if (this.#deps.settings(accountId).trailingNeedsStop && lacksStart(asked.value)) {
      return NO_START;
    }
    const terms = toCoreTerms({ ...asked.value, timeInForce: before.timeInForce }, listed);
    if ("answer" in terms) return terms.answer;

    const { journal, runner, users, log, settings } = this.#deps;
    const wish = { ...before, ...definedOf(asked.value) };
    const command = { orderId: order.id, cause: causeOf(asker, body), wish, orderQty: qty.value };
    const change = changeOf(order, terms.value, qty.value);
    const account = users.deskName(accountId);
    const noted = log.add(asker, account, {
      op: "modifyOrder",
      clOrdId: textOf(body["clOrdId"]),
      orderId: order.id,
      command: { change: { ...change, orderId: orderId(String(order.id)) } },
    });
    if (order.coreId === undefined) {
      return runner.answer(asker.user, () => ({ commandId: journal.changeHeld(order, command) }));
    }
    const answer = this.#carryOut(asker, noted, command, () =>
      runner.desk.carryOut({ op: "modifyOrder", account, change }, false),
    );
    const isPair = order.parentId !== undefined || order.origin.siblingName !== undefined;
    if (isPair && settings(accountId).modifyOfLegCancelsBoth) this.#cancelPair(order);
    return answer;
  }

  cancel(asker: Asker, body: Body): Answer {
    const order = this.#ownOrder(asker, body);
    if ("status" in order) return this.#cancelTold(asker, body) ?? order;
    const dead = this.#deadAnswer(asker, order);
    if (dead !== undefined) return dead;
    const { users, runner, journal, deferred, log, settings } = this.#deps;
    const { accountId } = order.origin;
    const account = users.deskName(accountId);
    const command = { orderId: order.id, cause: causeOf(asker, body) };
    const noted = log.add(asker, account, {
      op: "cancelOrder",
      clOrdId: textOf(body["clOrdId"]),
      orderId: order.id,
      command: { orderId: orderId(String(order.id)) },
    });
    const { coreId } = order;
    if (coreId !== undefined) {
      return this.#carryOut(asker, noted, command, () =>
        runner.desk.carryOut({ op: "cancelOrder", account, orderId: coreId }, false),
      );
    }
    return runner.answer(asker.user, () => {
      const commandId = journal.cancelHeld(order, command);
      if (settings(accountId).cancelEndsSibling) deferred.cancelSibling(order);
      return { commandId };
    });
  }

  /** Cancels what works in the contract, then closes what is held of it. */
  liquidate(asker: Asker, body: Body): Answer {
    const accountId = idOf(body["accountId"]);
    const contractId = idOf(body["contractId"]);
    if (accountId === undefined || contractId === undefined || typeof body["admin"] !== "boolean") {
      return badRequest("Missing or malformed field: accountId, contractId or admin");
    }
    if (!asker.user.accounts.has(accountId)) return ACCESS_DENIED;
    const { contracts, settings, runner, journal } = this.#deps;
    const listed = contracts.byId(contractId);
    if (listed === undefined) return notFound(`contract ${contractId}`);
    const hasTag = textOf(body["customTag50"]) !== undefined;
    const isRefused = hasTag && settings(accountId).liquidateRefusesTag50;
    if (isRefused) return notFound("order/liquidateposition");
    return runner.answer(asker.user, () => {
      for (const order of journal.live(accountId)) {
        if (order.origin.listed === listed) this.#cancelByServer(order);
      }
      return this.#close(asker, accountId, listed);
    });
  }

  liquidateAll(asker: Asker, body: Body): Answer {
    const ids = body["positions"];
    if (!Array.isArray(ids)) return badRequest("Missing field: positions");
    const afterwards: (() => void)[] = [];
    for (const id of ids) {
      const position = this.#deps.store.get("position", idOf(id) ?? 0);
      if (position === undefined) return ok({ ok: false, errorText: `No position ${String(id)}` });
      const { accountId, contractId } = position;
      const answer = this.liquidate(asker, { accountId, contractId, admin: false });
      if (answer.afterwards !== undefined) afterwards.push(answer.afterwards);
    }
    return { ...ok({ ok: true }), afterwards: () => afterwards.forEach((release) => release()) };
  }

  /** As the service itself closes everything that an account holds. */
  closeAll(accountId: number): void {
    const { store, users, contracts, runner } = this.#deps;
    const user = users.ownerOf(accountId);
    if (user === undefined) return;
    for (const { contractId, netPos } of store.visible("position", new Set([accountId]))) {
      const listed = contracts.byId(contractId);
      if (listed === undefined || netPos === 0) continue;
      runner.answer(user, () => this.#close({ user }, accountId, listed)).afterwards?.();
    }
  }

  /** As the service itself ends orders; what is dead already is passed over. */
  end(orders: readonly JournalOrder[]): void {
    for (const order of orders) this.#cancelByServer(order);
  }

  /** Ends the day orders whose trade day is over and that the core keeps, as it does with legs. */
  expireLegs(): void {
    const { runner, journal } = this.#deps;
    const over = journal.dayOrdersOver();
    if (over.length === 0) return;
    runner.disturb(() => {
      for (const order of over) this.#cancelByServer(order);
    });
  }

  #close(asker: Asker, accountId: number, listed: Listed): object {
    const { holdings, settings, journal, users, runner, log, newName } = this.#deps;
    const netQty = holdings.netQty(accountId, listed);
    if (netQty === 0) {
      if (settings(accountId).liquidateWhenFlat === "empty") return {};
      return { failureReason: "UnknownReason", failureText: "There is no position to liquidate" };
    }
    const name = newName();
    const account = users.deskName(accountId);
    journal.expect(name, {
      accountId,
      listed,
      wish: marketWish(netQty > 0 ? "Sell" : "Buy"),
      orderQty: Math.abs(netQty),
      cause: { senderId: asker.user.id, userSessionId: asker.session?.id },
    });
    const contract = listed.code;
    const noted = log.add(asker, account, { op: "closePosition", command: { contract } });
    const { outcome, reports } = runner.run(() =>
      runner.desk.carryOut({ op: "closePosition", account, contract, clOrdId: name }, false),
    );
    if (outcome.kind === "rejected") return refusedBody(noted, outcome.reason);
    runner.tell(reports);
    const id = journal.byName(name)?.id ?? 0;
    noteOrder(noted, id);
    return { orderId: id };
  }

  /** Runs a client's command at the core, and answers with its number or with why it failed. */
  #carryOut(
    { user }: Asker,
    noted: LogEntry,
    command: ClientCommand,
    act: () => DeskOutcome,
  ): Answer {
    const { runner } = this.#deps;
    return runner.answer(user, () => {
      const { outcome, reports } = runner.run(act);
      const commandId = runner.tell(reports, command);
      return outcome.kind === "rejected" ? refusedBody(noted, outcome.reason) : { commandId };
    });
  }

  #cancelPair(order: JournalOrder): void {
    const { journal, runner } = this.#deps;
    const { siblingName } = order.origin;
    const sibling = siblingName === undefined ? undefined : journal.byName(siblingName);
    runner.disturb(() => {
      this.#cancelByServer(order);
      if (sibling !== undefined) this.#cancelByServer(sibling);
    });
  }

  #cancelByServer(order: JournalOrder): void {
    if (isDead(order)) return;
    const { runner, journal, users } = this.#deps;
    const { coreId } = order;
    const account = users.deskName(order.origin.accountId);
    if (coreId === undefined) journal.cancelHeld(order);
    else {
      const cancel = { op: "cancelOrder", account, orderId: coreId } as const;
      runner.tell(runner.run(() => runner.desk.carryOut(cancel, false)).reports);
    }
  }

  #deadAnswer({ fault }: Asker, order: JournalOrder): Answer | undefined {
    const tooLate = failure("TooLate", "Too late");
    if (fault?.kind === "tooLate") return tooLate;
    if (!isDead(order)) return undefined;
    const { cancelOfDeadOrder } = this.#deps.settings(order.origin.accountId);
    if (cancelOfDeadOrder === 401) return ACCESS_DENIED;
    return cancelOfDeadOrder === 404 ? notFound(`order ${order.id}`) : tooLate;
  }

  /** Orders of an account that may not trade may be canceled, and not changed. */
  #accountRefusal(accountId: number): Answer | undefined {
    const account = this.#deps.store.get("account", accountId);
    return account && accountRefusal(account);
  }

  /** An order that nobody placed here, but that is there all the same (the knob `entity`). */
  #cancelTold({ user }: Asker, body: Body): Answer | undefined {
    const { store } = this.#deps;
    const id = idOf(body["orderId"]) ?? 0;
    const told = store.get("order", id);
    if (told === undefined || !user.accounts.has(told.accountId)) return undefined;
    store.update("order", id, { ordStatus: "Canceled" });
    return ok({ commandId: store.nextId() });
  }

  #ownOrder({ user }: Asker, body: Body): JournalOrder | Answer {
    const id = idOf(body["orderId"]);
    if (id === undefined) return badRequest("Missing or malformed field: orderId");
    const order = this.#deps.journal.byId(id);
    const isOwn = order !== undefined && user.accounts.has(order.origin.accountId);
    return isOwn ? order : notFound(`order ${id}`);
  }
}

function refusedBody(noted: LogEntry, reason: string): object {
  noteRejected(noted, reason);
  const { rejectReason, text } = refusalOf(reason);
  return { failureReason: rejectReason, failureText: text };
}
