import { type ClOrdId, clOrdId, legIdOf } from "../../../src/domain/ids.ts";
import type { LogEntry } from "../exchange/event-log.ts";
import type { ExchangeCommand } from "../exchange/wire.ts";
import { type Answer, failure, ok } from "./answer.ts";
import { type CommandLog, noteOrder, noteRejected } from "./command-log.ts";
import { bracketOf, type PlacedOrder, protectionOf, roleOf, singleOrder } from "./core-orders.ts";
import type { CoreRunner } from "./core-runner.ts";
import type { DeferredLegs } from "./deferred-legs.ts";
import type { EntityStore } from "./entity-store.ts";
import type { OrderJournal, Reported } from "./order-journal.ts";
import { type Asker, isLimitOrStop, type OrderReader } from "./order-reader.ts";
import type { Body } from "./order-request.ts";
import { MAX_QTY, PARENT_REJECTED, type Refusal, refusalOf } from "./refusals.ts";
import type { RiskDesk } from "./risk-desk.ts";
import type { Settings } from "./settings.ts";
import type { Users } from "./users.ts";

export interface OrderDeskDeps {
  readonly store: EntityStore;
  readonly users: Users;
  readonly journal: OrderJournal;
  readonly reader: OrderReader;
  readonly runner: CoreRunner;
  readonly deferred: DeferredLegs;
  readonly risk: Pick<RiskDesk, "refusalOf">;
  readonly log: CommandLog;
  readonly settings: (accountId: number) => Settings;
}

/** An order with what hangs on it, as it goes to the core, and what is answered when it is taken. */
export interface Placement {
  readonly entry: PlacedOrder;
  /** What is refused together with it. */
  readonly others: readonly PlacedOrder[];
  readonly command: ExchangeCommand;
  /** The command in the client's own names, for the log. */
  readonly logged: { readonly op: string; readonly order: object };
  readonly answer: () => object;
  readonly isLinking?: boolean;
  /** Called when the entry is in, before anything else that came of it is told. */
  readonly afterEntry?: () => void;
}

/** Takes new orders to the matching core, and answers as the real service does. */
export class OrderDesk {
  readonly #deps: OrderDeskDeps;

  constructor(deps: OrderDeskDeps) {
    this.#deps = deps;
  }

  place(asker: Asker, body: Body): Answer {
    const read = this.#deps.reader.read(asker, body);
    if ("answer" in read) return read.answer;
    const entry = read.value;
    this.#deps.journal.expect(entry.name, entry.origin);
    return this.#submit(asker, {
      entry,
      others: [],
      command: { op: "submitOrder", account: this.#account(entry), order: singleOrder(entry) },
      logged: { op: "submitOrder", order: singleOrder(named(entry)) },
      answer: () => ({ orderId: this.#idOf(entry.name) }),
    });
  }

  /** The entry, and one or two legs that are Suspended until it fills. */
  placeOso(asker: Asker, body: Body): Answer {
    const { reader, store } = this.#deps;
    const read = reader.read(asker, body);
    if ("answer" in read) return read.answer;
    const legs = reader.readLegs(read.value, [body["bracket1"], body["bracket2"]]);
    if ("answer" in legs) return legs.answer;
    const missing = asker.fault?.kind === "legMissing" ? asker.fault.leg : undefined;
    const placement = this.bracket(read.value, legs.value, missing);
    const ids = () =>
      placement.legs.map(({ name, isMissing }) => (isMissing ? store.nextId() : this.#idOf(name)));
    return this.#submit(asker, {
      ...placement,
      answer: () => {
        const [oso1Id, oso2Id] = ids();
        const orderId = this.#idOf(placement.entry.name);
        return { orderId, oso1Id, ...(oso2Id !== undefined && { oso2Id }) };
      },
    });
  }

  /** Two exits of which one's fill ends the other. */
  placeOco(asker: Asker, body: Body): Answer {
    const { reader, journal } = this.#deps;
    const read = reader.read(asker, body);
    if ("answer" in read) return read.answer;
    const entry = read.value;
    const second = reader.readOther(entry, body["other"]);
    if ("answer" in second) return second.answer;
    const other = second.value;
    if (!isLimitOrStop([entry, other]) || entry.terms.side !== other.terms.side) {
      return failure("Unsupported", "An OCO is one Limit and one Stop of the same side");
    }
    journal.expect(entry.name, { ...entry.origin, siblingName: other.name });
    journal.expect(other.name, { ...other.origin, siblingName: entry.name });
    const account = this.#account(entry);
    return this.#submit(asker, {
      entry,
      others: [other],
      command: {
        op: "submitProtection",
        account,
        order: protectionOf(entry.origin, [entry, other]),
      },
      logged: {
        op: "submitProtection",
        order: protectionOf(entry.origin, [named(entry), named(other)]),
      },
      answer: () => ({ orderId: this.#idOf(entry.name), ocoId: this.#idOf(other.name) }),
    });
  }

  /** `{}` for an order that would be read as it stands; what the exchange makes of it is not asked. */
  dryRun(asker: Asker, body: Body): Answer {
    const read = this.#deps.reader.read(asker, body);
    return "answer" in read ? read.answer : ok({});
  }

  /** An entry with legs. The core names legs after their entry, so they go by those names here. */
  bracket(entry: PlacedOrder, wanted: readonly PlacedOrder[], missing?: number) {
    const { journal, deferred } = this.#deps;
    const legs = wanted.map((leg, n) => ({
      ...leg,
      name: legIdOf(entry.name, roleOf(leg.terms)),
      isMissing: n + 1 === missing,
    }));
    const placed = legs.filter(({ isMissing }) => !isMissing);
    const withSibling = placed.map((leg, n) => {
      const origin = { ...leg.origin, siblingName: placed[1 - n]?.name };
      return { ...leg, origin };
    });
    journal.expect(entry.name, entry.origin);
    for (const { name, origin } of withSibling) journal.expect(name, origin);
    const { osoLegsLinked, activateOnFullFillOnly } = this.#deps.settings(entry.origin.accountId);
    const bracket = bracketOf(placed);
    const order = singleOrder(entry);
    return {
      entry,
      legs,
      others: withSibling,
      command: {
        op: "submitOrder",
        account: this.#account(entry),
        order: activateOnFullFillOnly ? order : { ...order, bracket },
      },
      logged: { op: "submitOrder", order: { ...singleOrder(named(entry)), bracket } },
      isLinking: osoLegsLinked,
      ...(activateOnFullFillOnly && {
        afterEntry: () => deferred.hold(this.#idOf(entry.name), withSibling),
      }),
    } as const;
  }

  submit(asker: Asker, placement: Placement): Answer {
    return this.#submit(asker, placement);
  }

  #submit(asker: Asker, placement: Placement): Answer {
    const { entry, command, answer, logged, isLinking = true } = placement;
    const { runner, log } = this.#deps;
    const account = this.#account(entry);
    const { clOrdId: client, isAutomated } = entry.origin.cause;
    const { op, order } = logged;
    const noted = log.add(asker, account, { op, clOrdId: client, command: { order, isAutomated } });
    const refused = this.#deps.risk.refusalOf(entry.origin);
    if (refused !== undefined) {
      noteRejected(noted, "The account takes exits only");
      return refused;
    }
    const risk = this.#riskOf(asker, entry);
    if (risk !== undefined) {
      return this.#reject(asker, placement, { ...risk, stage: "RiskRejected", noted });
    }
    const { outcome, reports } = runner.runLinking(isLinking, () =>
      runner.desk.carryOut(command, false),
    );
    if (outcome.kind === "rejected") {
      const refusal = refusalOf(outcome.reason);
      const isLate = this.#deps.settings(entry.origin.accountId).exchangeRefusals === "late";
      // Another order may have been filled by the opening quote.
      runner.tell(reports);
      if (isLate) {
        return this.#reject(asker, placement, { ...refusal, stage: "ExecutionRejected", noted });
      }
      noteRejected(noted, outcome.reason);
      return failure(refusal.rejectReason, refusal.text);
    }
    return runner.answer(asker.user, () => {
      this.#tell(reports, placement.afterEntry);
      noteOrder(noted, this.#idOf(entry.name));
      return answer();
    });
  }

  /** Legs that the core is not told of come right after their entry, before its fills. */
  #tell(reports: readonly Reported[], afterEntry: (() => void) | undefined): void {
    const { runner, deferred } = this.#deps;
    if (afterEntry === undefined) {
      runner.tell(reports);
      return;
    }
    const first = reports.findIndex(({ report }) => report.execType === "NEW") + 1;
    runner.tell(reports.slice(0, first));
    afterEntry();
    runner.tell(reports.slice(first));
    deferred.look();
  }

  /** Answered as taken; the word that it is not follows the answer. */
  #reject(
    { user }: Asker,
    { entry, others, answer }: Placement,
    {
      noted,
      stage,
      ...refusal
    }: Refusal & { noted: LogEntry; stage: "RiskRejected" | "ExecutionRejected" },
  ): Answer {
    const { journal, runner } = this.#deps;
    noteRejected(noted, refusal.text);
    return runner.answerFirst(user, () => {
      const { id } = journal.reject(entry.name, entry.origin, { ...refusal, stage });
      noteOrder(noted, id);
      for (const { name, origin } of others) {
        journal.reject(name, origin, { ...PARENT_REJECTED, stage: "RiskRejected", parentId: id });
      }
      return answer();
    });
  }

  #riskOf({ fault }: Asker, { origin }: PlacedOrder): Refusal | undefined {
    if (fault?.kind === "riskReject") {
      const { rejectReason = MAX_QTY.rejectReason, text = MAX_QTY.text } = fault;
      return { rejectReason, text };
    }
    const { maxOrderQty } = this.#deps.settings(origin.accountId);
    return origin.orderQty > maxOrderQty ? MAX_QTY : undefined;
  }

  #idOf(name: ClOrdId): number {
    return this.#deps.journal.byName(name)?.id ?? 0;
  }

  #account({ origin }: PlacedOrder) {
    return this.#deps.users.deskName(origin.accountId);
  }
}

/** Under the identifier that the client gave it. */
function named(order: PlacedOrder): PlacedOrder {
  return { ...order, name: clOrdId(order.origin.cause.clOrdId ?? "") };
}
