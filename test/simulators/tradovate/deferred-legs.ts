import type { ClOrdId } from "../../../src/domain/ids.ts";
import { protectionOf } from "./core-orders.ts";
import type { CoreRunner } from "./core-runner.ts";
import { isDead, type JournalOrder, type OrderJournal, type Origin } from "./order-journal.ts";
import { definedOf, toCoreTerms } from "./order-request.ts";
import type { Users } from "./users.ts";

interface Waiting {
  readonly entryId: number;
  readonly legs: readonly JournalOrder[];
}

export interface DeferredLegsDeps {
  readonly journal: OrderJournal;
  readonly users: Users;
  readonly runner: CoreRunner;
}

/**
 * Legs that come live only once their entry is filled to the last contract, as the broker may do it:
 * the core knows nothing of them until then. When the entry ends before, they are canceled, whatever
 * part of it was filled.
 */
export class DeferredLegs {
  readonly #deps: DeferredLegsDeps;
  #waiting: Waiting[] = [];

  constructor(deps: DeferredLegsDeps) {
    this.#deps = deps;
  }

  hold(
    entryId: number,
    legs: readonly { readonly name: ClOrdId; readonly origin: Origin }[],
  ): void {
    const { journal } = this.#deps;
    const held = legs.map(({ name, origin }) => journal.hold(name, origin, entryId));
    this.#waiting.push({ entryId, legs: held });
  }

  /** The other leg of a pair that waits. */
  cancelSibling(leg: JournalOrder): void {
    const pair = this.#waiting.find(({ legs }) => legs.includes(leg));
    const sibling = pair?.legs.find((each) => each !== leg);
    if (sibling !== undefined && !isDead(sibling)) this.#deps.journal.cancelHeld(sibling);
  }

  /** Sees which entries are over. */
  look(): void {
    const { journal } = this.#deps;
    const over = this.#waiting.filter(({ entryId }) => isOver(journal.byId(entryId)));
    if (over.length === 0) return;
    this.#waiting = this.#waiting.filter((each) => !over.includes(each));
    for (const { entryId, legs } of over) {
      const entry = journal.byId(entryId);
      const live = legs.filter((leg) => !isDead(leg));
      if (entry?.ordStatus !== "Filled") for (const leg of live) journal.cancelHeld(leg);
      else if (live.length > 0) this.#place(entry.origin, live);
    }
  }

  /** Brings the legs to the core, linked, with the entry's whole quantity. */
  #place(origin: Origin, legs: readonly JournalOrder[]): void {
    const { journal, runner, users } = this.#deps;
    const account = users.deskName(origin.accountId);
    const named = legs.flatMap(({ name, origin: { listed }, version, origin: { wish } }) => {
      const terms = toCoreTerms({ ...wish, ...definedOf(version) }, listed);
      return "value" in terms ? [{ name, terms: terms.value }] : [];
    });
    const order = protectionOf(origin, named);
    const { outcome, reports } = runner.run(() =>
      runner.desk.carryOut({ op: "submitProtection", account, order }, false),
    );
    // A stop that the market has passed by then: the legs are gone, and the position is naked.
    if (outcome.kind === "rejected") for (const leg of legs) journal.cancelHeld(leg);
    else runner.tell(reports);
  }
}

function isOver(order: JournalOrder | undefined): boolean {
  return order === undefined || isDead(order);
}
