import { clOrdId, orderId } from "../../domain/ids.ts";
import {
  type NewOrderSingle,
  opposite,
  type OrderChange,
  type OrderReport,
} from "../../domain/order.ts";
import type { CommandOutcome, SubmitOutcome } from "../../trading/ports.ts";
import type { BracketBook, WantedEntry, WantedLeg } from "./bracket-book.ts";
import { type BracketView, coveredByOthers, isLive, type SeenLeg } from "./bracket-view.ts";
import { type LegRole, legTag } from "./leg-tags.ts";
import type { LegTrouble } from "./observer.ts";
import type { Placement } from "./order-body.ts";
import { reportOf, viewOrder } from "./order-view.ts";
import type { SessionView } from "./session-view.ts";
import type { ProjectXOrder } from "./wire.ts";

/** What the watch has the order desk do. None of it rejects. */
export interface LegCommands {
  readonly placeLeg: (place: Placement, order: NewOrderSingle) => Promise<SubmitOutcome>;
  readonly changeOrder: (
    order: ProjectXOrder,
    report: OrderReport,
    change: OrderChange,
  ) => Promise<CommandOutcome>;
  readonly endOrder: (account: string, order: string) => Promise<CommandOutcome>;
}

export interface LegTenderDeps {
  readonly session: SessionView;
  readonly book: BracketBook;
  readonly commands: () => LegCommands;
  readonly onTrouble: (account: string, trouble: LegTrouble) => void;
  /** A clock in ms that is never set. */
  readonly elapsed: () => number;
}

/** One exit of an entry, and how all of it looks now. */
export interface WantedPart {
  readonly entry: WantedEntry;
  readonly view: BracketView;
  readonly role: LegRole;
  readonly leg: WantedLeg;
}

/** What belongs together comes together: so long a leg that is missing may be on its way. */
const GRACE_MS = 2_000;
const RETRY_MS = 1_000;
/** After so many refusals in a row a person is told, and it is tried no more. */
const ATTEMPTS = 3;
/** Tags go no further. */
const LAST_ATTEMPT = 9;

/** What is under way for one leg. */
interface Tending {
  /** Since when it was missing, by the steady clock. */
  missingSince?: number | undefined;
  /** What was missing was asked for, and still is. */
  isVerified: boolean;
  failures: number;
  /** A person was told. */
  isGivenUp: boolean;
  notBefore: number;
  /** Commands of others about it that are under way. */
  changing: number;
}

/** Brings single legs to where and what they are to be, one step at a time. */
export class LegTender {
  readonly #deps: LegTenderDeps;
  readonly #tending = new WeakMap<WantedLeg, Tending>();

  constructor(deps: LegTenderDeps) {
    this.#deps = deps;
  }

  /** Leaves a leg alone until the answer is called: somebody else's command about it is under way. */
  pause(leg: WantedLeg): () => void {
    const tending = this.#tendingOf(leg);
    tending.changing += 1;
    return () => (tending.changing -= 1);
  }

  /** Whether something was sent, after which all of it looks different. */
  async tend({ entry, view, role, leg }: WantedPart): Promise<boolean> {
    const tending = this.#tendingOf(leg);
    const isPaused = tending.changing > 0 || this.#deps.elapsed() < tending.notBefore;
    if (isPaused || tending.isGivenUp || leg.level === undefined) return false;
    const live = view.legs.filter((seen) => seen.role === role && isLive(seen));
    const displaced = live.find((seen) => seen.level !== leg.level);
    if (displaced !== undefined && leg.byHand !== "ended") {
      return await this.#move(entry, displaced, leg);
    }
    const working = live.reduce((sum, { leavesQty }) => sum + leavesQty, 0);
    const left = view.filledQty - view.closedQty;
    if (working > left) return await this.#cut(live, working - left);
    return await this.#fillUp(entry, { role, leg, live, working, left, view });
  }

  /** The broker counts its legs from the fill, which is not where they were asked for. */
  async #move(entry: WantedEntry, { order, role }: SeenLeg, leg: WantedLeg): Promise<boolean> {
    const { session, commands } = this.#deps;
    const known = viewOrder(session.store, order.id, session.contracts.byId);
    const { level } = leg;
    if (known === undefined || level === undefined) return false;
    const prices = role === "TAKE_PROFIT" ? { price: level } : { stopPx: level };
    const change = { orderId: orderId(order.id), ...prices };
    const outcome = await commands().changeOrder(order, reportOf(session.store, known), change);
    this.#note(entry, role, leg, outcome, "could not be moved to where it was asked for");
    return true;
  }

  /** Legs placed again and the broker's own together: more than is left of the entry. */
  async #cut(live: readonly SeenLeg[], excess: number): Promise<boolean> {
    const { session, commands } = this.#deps;
    const [newest] = live
      .filter(({ attempt }) => attempt > 1)
      .toSorted((one, other) => other.attempt - one.attempt);
    if (newest === undefined) return false;
    const { order, leavesQty } = newest;
    if (leavesQty <= excess) {
      await commands().endOrder(order.accountId, order.id);
      return true;
    }
    const known = viewOrder(session.store, order.id, session.contracts.byId);
    if (known === undefined) return false;
    const change = { orderId: orderId(order.id), orderQty: (order.size ?? 0) - excess };
    await commands().changeOrder(order, reportOf(session.store, known), change);
    return true;
  }

  async #fillUp(
    entry: WantedEntry,
    now: {
      readonly role: LegRole;
      readonly leg: WantedLeg;
      readonly live: readonly SeenLeg[];
      readonly working: number;
      readonly left: number;
      readonly view: BracketView;
    },
  ): Promise<boolean> {
    const { role, leg, live, working, left, view } = now;
    const { session, elapsed } = this.#deps;
    const tending = this.#tendingOf(leg);
    const isHandled = leg.byHand === "ended" || (leg.byHand === "smaller" && live.length > 0);
    const most = (view.heldQty ?? 0) - coveredByOthers(session, entry, role);
    const missing = Math.min(left, most) - working;
    if (isHandled || missing <= 0) {
      tending.missingSince = undefined;
      tending.isVerified = false;
      return false;
    }
    tending.missingSince ??= elapsed();
    if (elapsed() - tending.missingSince < GRACE_MS) return false;
    if (!tending.isVerified) {
      await this.#verify(entry, leg);
      tending.isVerified = true;
      return true;
    }
    return await this.#arm(entry, role, leg, missing);
  }

  /** What is held, and what became of the leg, by the broker's word of now. Throws `BrokerReadError`. */
  async #verify({ account, orderId: entryId }: WantedEntry, leg: WantedLeg): Promise<void> {
    const { session } = this.#deps;
    await session.refresh(account, "protect");
    for (const id of [entryId, leg.orderId]) {
      if (id !== undefined) await session.learnOrder(account, id);
    }
  }

  async #arm(entry: WantedEntry, role: LegRole, leg: WantedLeg, qty: number): Promise<boolean> {
    const { session, commands, book } = this.#deps;
    const { account: number, contractId, side, tag } = entry;
    const account = session.store.account(number);
    const contract = session.contracts.byId(contractId);
    const { level } = leg;
    if (account === undefined || contract === undefined || level === undefined) return false;
    if (leg.attempt >= LAST_ATTEMPT) {
      this.#giveUp(entry, role, leg, "was ended too often");
      return false;
    }
    // Kept before it leaves: after a restart the same tag is not used for another order.
    leg.attempt += 1;
    book.save();
    const isStop = role === "STOP_LOSS";
    const order: NewOrderSingle = {
      clOrdId: clOrdId(legTag({ entry: tag, role, attempt: leg.attempt })),
      contract: contract.code,
      side: opposite(side),
      orderQty: qty,
      timeInForce: "GTC",
      ...(isStop ? { ordType: "STOP", stopPx: level } : { ordType: "LIMIT", price: level }),
    };
    const outcome = await commands().placeLeg({ account, contract }, order);
    const tending = this.#tendingOf(leg);
    tending.isVerified = false;
    tending.missingSince = undefined;
    // Nothing left, so that the tag is free: else it is another order, whatever became of this one.
    if (outcome.kind === "notSent") leg.attempt -= 1;
    this.#note(entry, role, leg, outcome, "could not be placed again");
    return true;
  }

  #note(
    entry: WantedEntry,
    role: LegRole,
    leg: WantedLeg,
    outcome: SubmitOutcome | CommandOutcome,
    what: string,
  ): void {
    const tending = this.#tendingOf(leg);
    if (outcome.kind === "accepted") {
      tending.failures = 0;
      return;
    }
    tending.notBefore = this.#deps.elapsed() + RETRY_MS;
    tending.failures += 1;
    if (tending.failures >= ATTEMPTS) this.#giveUp(entry, role, leg, `${what}: ${outcome.reason}`);
  }

  #giveUp(entry: WantedEntry, role: LegRole, leg: WantedLeg, what: string): void {
    const { session, onTrouble } = this.#deps;
    const contract = session.contracts.byId(entry.contractId);
    this.#tendingOf(leg).isGivenUp = true;
    if (contract === undefined) return;
    onTrouble(entry.account, {
      entry: orderId(entry.orderId ?? ""),
      contract: contract.code,
      exits: [role],
      reason: `The ${role === "STOP_LOSS" ? "stop-loss" : "take-profit"} ${what}`,
    });
  }

  #tendingOf(leg: WantedLeg): Tending {
    const known = this.#tending.get(leg);
    if (known !== undefined) return known;
    const made: Tending = {
      isVerified: false,
      failures: 0,
      isGivenUp: false,
      notBefore: 0,
      changing: 0,
    };
    this.#tending.set(leg, made);
    return made;
  }
}
