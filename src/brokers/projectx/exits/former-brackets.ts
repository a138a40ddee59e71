import { isOwnClOrdId, type OrderId, orderId } from "../../../domain/ids.ts";
import { BrokerReadError } from "../../../trading/ports.ts";
import type { BracketBook, WantedEntry } from "./bracket-book.ts";
import type { LegTrouble } from "../observer.ts";
import { nameOf, statusOf } from "../order-view.ts";
import { hasEnded } from "../parse.ts";
import type { SessionView } from "../session-view.ts";
import { showWaiting } from "./waiting-legs.ts";
import type { ProjectXOrder } from "../wire.ts";

export interface FormerBracketsDeps {
  readonly session: SessionView;
  readonly book: BracketBook;
  readonly onTrouble: (account: string, trouble: LegTrouble) => void;
  readonly onError: (error: unknown) => void;
  /** A clock in ms that is never set. */
  readonly elapsed: () => number;
}

const ASK_EVERY_MS = 5_000;
const LOST =
  "Which exits the entries of an earlier run were to have is not known any more: what the broker ends of them does not come back";

/** What earlier sessions have left, of this owner and of former ones. */
export class FormerBrackets {
  readonly #deps: FormerBracketsDeps;
  readonly #askedAt = new Map<WantedEntry, number>();
  readonly #nowhere = new Set<WantedEntry>();

  constructor(deps: FormerBracketsDeps) {
    this.#deps = deps;
  }

  /** Takes them over, once the snapshot is in the store. Never rejects. */
  async begin(): Promise<void> {
    const { book, onError } = this.#deps;
    const former = await book.load().catch(onError);
    if (former === "none" || former === "unreadable") this.#tellLost(former === "unreadable");
    for (const entry of book.all()) await this.ask(entry);
  }

  /** Asks for what no list shows of an entry: now and then, while there is no answer. Never rejects. */
  async ask(entry: WantedEntry): Promise<void> {
    const { elapsed, onError } = this.#deps;
    const askedMs = elapsed() - (this.#askedAt.get(entry) ?? Number.NEGATIVE_INFINITY);
    if (this.#nowhere.has(entry) || askedMs < ASK_EVERY_MS) return;
    this.#askedAt.set(entry, elapsed());
    try {
      await this.#learn(entry);
    } catch (error) {
      if (!(error instanceof BrokerReadError)) onError(error);
    }
  }

  /** Whether the broker has answered that it has no such entry. */
  isNowhere(entry: WantedEntry): boolean {
    return entry.orderId === undefined || this.#nowhere.has(entry);
  }

  async #learn(wanted: WantedEntry): Promise<void> {
    const { session } = this.#deps;
    const { account, contractId, tag, orderId: id = "" } = wanted;
    if (session.store.account(account) === undefined) return;
    await session.contracts.learn(contractId);
    const entry =
      session.store.byTag(account, tag) ?? (await this.#orderOf(account, wanted.orderId));
    if (entry === undefined) {
      if (id !== "") this.#nowhere.add(wanted);
      return;
    }
    const hasFilled = (entry.fillVolume ?? 0) > 0;
    if (!hasFilled && !hasEnded(entry.status)) showWaiting(session, wanted, entry);
    if (!hasFilled) return;
    // What they have closed of it counts, however they ended.
    const legs = [...wanted.legs.values()];
    const ids = legs.flatMap(({ orderId: own, againIds }) => [own, ...againIds]);
    for (const leg of ids) await this.#orderOf(account, leg);
  }

  async #orderOf(account: string, id: string | undefined): Promise<ProjectXOrder | undefined> {
    const { session } = this.#deps;
    if (id === undefined) return undefined;
    return session.store.order(id) ?? (await session.learnOrder(account, id));
  }

  /** Orders that this gateway has placed, and by which nobody knows what they were to have. */
  #tellLost(isSure: boolean): void {
    const { session, onTrouble } = this.#deps;
    const { store, contracts } = session;
    for (const { id: account } of store.accounts()) {
      const ours = store.ordersOf(account).filter((order) => this.#isOursAndWorks(order));
      // Where nothing at all was found, no order of ours may ever have been placed.
      const held = isSure ? store.positionsOf(account) : [];
      const found = new Map<string | undefined, OrderId>();
      for (const { contractId } of held) found.set(contractId, orderId(""));
      for (const { contractId, id } of ours) found.set(contractId, orderId(id));
      for (const [contractId = "", entry] of found) {
        const contract = contracts.byId(contractId)?.code;
        if (contract === undefined) continue;
        onTrouble(account, { entry, contract, exits: [], reason: LOST });
      }
    }
  }

  #isOursAndWorks(order: ProjectXOrder): boolean {
    const name = nameOf(order);
    const isOurs = name !== undefined && isOwnClOrdId(name);
    return isOurs && !hasEnded(statusOf(this.#deps.session.store, order));
  }
}
