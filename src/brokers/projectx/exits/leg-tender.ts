import { clOrdId, orderId } from "../../../domain/ids.ts";
import type { NewOrderSingle, OrderChange, OrderReport } from "../../../domain/order.ts";
import {
  BrokerReadError,
  type CommandFailure,
  type CommandOutcome,
  type SubmitOutcome,
} from "../../../trading/ports.ts";
import type { BracketBook, WantedEntry, WantedLeg } from "./bracket-book.ts";
import {
  type BracketView,
  liveLegs,
  type SeenLeg,
  viewBracket,
  wantedQty,
  workingQty,
} from "./bracket-view.ts";
import { coveredQty } from "./covered-qty.ts";
import { endOf, exitOrder } from "./exit-order.ts";
import { heldLots } from "./held-lots.ts";
import { LAST_ATTEMPT, type LegRole, legTag } from "../leg-tags.ts";
import type { LegTrouble } from "../observer.ts";
import type { Placement } from "../order-body.ts";
import { reportOf, viewOrder } from "../order-view.ts";
import type { SessionView } from "../session-view.ts";
import { RareTries, type Step, Tries } from "./tries.ts";
import type { ProjectXOrder } from "../wire.ts";

/** What the watch has the order desk do. None of it rejects. */
export interface LegCommands {
  /** Undefined where it was not wanted any more when its turn came; nothing was sent then. */
  readonly placeLeg: (
    place: Placement,
    order: NewOrderSingle,
    isWanted: () => boolean,
  ) => Promise<SubmitOutcome | undefined>;
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

/** What is under way for one leg. */
interface Tending {
  /** Since when it has been missing, by the steady clock. */
  missingSince: number | undefined;
  /** Since when nothing has been held, and whether the broker was asked. */
  flatSince: { readonly at: number; isVerified: boolean } | undefined;
  /** What was missing was asked for, and still is. */
  isVerified: boolean;
  /** What the entry had filled when no more was tried. */
  gaveUpAt: number | undefined;
  /** An order of ours that the broker may have and has not shown, and since when that is so. */
  unseen: { readonly tag: string; readonly qty: number; readonly since: number } | undefined;
  /** Commands of others about it that are under way. */
  changing: number;
  readonly tries: Tries;
}

/** Brings single legs to where and what they are to be, one step at a time. */
export class LegTender {
  readonly #deps: LegTenderDeps;
  readonly #tending = new WeakMap<WantedLeg, Tending>();
  readonly #rare = new RareTries();

  constructor(deps: LegTenderDeps) {
    this.#deps = deps;
  }

  /** Leaves a leg alone until the answer is called: somebody else's command about it is under way. */
  pause(leg: WantedLeg): () => void {
    const tending = this.#tendingOf(leg);
    tending.changing += 1;
    return () => (tending.changing -= 1);
  }

  /** Whether no more is tried for what its entry has filled. */
  hasGivenUp(leg: WantedLeg): boolean {
    return this.#tending.get(leg)?.gaveUpAt !== undefined;
  }

  /** Whether something was sent, after which all of it looks different. Throws `BrokerReadError`. */
  async tend(part: WantedPart): Promise<boolean> {
    const { view, role, leg } = part;
    const tending = this.#tendingOf(leg);
    if (tending.changing > 0 || leg.level === undefined) return false;
    const live = liveLegs(view, role);
    this.#followLevel(leg, live);
    const displaced = live.find((seen) => isDisplaced(seen, leg));
    if (displaced !== undefined && tending.tries.mayTry("move")) {
      return await this.#move(part, displaced);
    }
    if (view.heldQty !== undefined && view.heldQty <= 0) return await this.#sweep(part, live);
    tending.flatSince = undefined;
    const excess = workingQty(live) - wantedQty(view, leg);
    if (excess <= 0) tending.tries.succeed("cut");
    const mayCut = excess > 0 && !leg.isEnded && tending.tries.mayTry("cut");
    return mayCut ? await this.#cut(part, live, excess) : await this.#fillUp(part, live);
  }

  /**
   * Once a leg is where it was asked for, who moves it wants it there. A broker that moves its own as it
   * grows does not: it counts anew from the fill.
   */
  #followLevel(leg: WantedLeg, live: readonly SeenLeg[]): void {
    const own = live.find(({ attempt }) => attempt === 1);
    const ownSize = own?.order.size ?? 0;
    if (own?.level === leg.level && leg.placedSize < ownSize) {
      leg.placedSize = ownSize;
      this.#deps.book.save();
    }
    const [only, other] = live;
    if (only?.level === undefined || other !== undefined) return;
    if (only.level === leg.level || isDisplaced(only, leg)) return;
    leg.level = only.level;
    this.#deps.book.save();
  }

  /** The broker counts its legs from the fill, which is not where they were asked for. */
  async #move(part: WantedPart, { order, role }: SeenLeg): Promise<boolean> {
    const { leg } = part;
    const { level } = leg;
    if (level === undefined) return false;
    const prices = role === "TAKE_PROFIT" ? { price: level } : { stopPx: level };
    const outcome = await this.#change(order, prices);
    if (outcome === undefined) return false;
    const isOver = this.#note(
      part,
      "move",
      outcome,
      "could not be moved to where it was asked for",
    );
    // It stays where the broker has it, and is wanted there: a leg elsewhere is better than none.
    if (isOver) leg.placedSize = order.size ?? 0;
    return true;
  }

  /**
   * With nothing held, exits of ours would open a position, and the broker knows nothing of what belongs
   * together there. Positions may be told late, and are asked first; what is filled later has them again.
   */
  async #sweep(part: WantedPart, live: readonly SeenLeg[]): Promise<boolean> {
    const { session, elapsed } = this.#deps;
    const tending = this.#tendingOf(part.leg);
    tending.missingSince = undefined;
    tending.isVerified = false;
    tending.flatSince ??= { at: elapsed(), isVerified: false };
    const { flatSince } = tending;
    const isDue = elapsed() - flatSince.at >= GRACE_MS && mayGoOn(tending, "cut", flatSince);
    if (!isDue || !live.some(({ attempt }) => attempt > 1)) return false;
    if (flatSince.isVerified) return await this.#cut(part, live, Number.POSITIVE_INFINITY);
    flatSince.isVerified = await this.#asked(part, () => session.refresh(part.entry.account));
    return true;
  }

  /** Legs placed again and the broker's own together are more than is wanted: ours give way. */
  async #cut(part: WantedPart, live: readonly SeenLeg[], excess: number): Promise<boolean> {
    const [newest] = live
      .filter(({ attempt }) => attempt > 1)
      .toSorted((one, other) => other.attempt - one.attempt);
    if (newest === undefined) return false;
    const { order, leavesQty } = newest;
    const outcome =
      leavesQty <= excess
        ? await this.#deps.commands().endOrder(order.accountId, order.id)
        : await this.#change(order, { orderQty: (order.size ?? 0) - excess });
    if (outcome === undefined) return false;
    this.#note(part, "cut", outcome, "is larger than what it protects");
    return true;
  }

  async #change(
    order: ProjectXOrder,
    change: Omit<OrderChange, "orderId">,
  ): Promise<CommandOutcome | undefined> {
    const { session, commands } = this.#deps;
    const known = viewOrder(session.store, order.id, session.contracts.byId);
    if (known === undefined) return undefined;
    const whole = { orderId: orderId(order.id), ...change };
    return await commands().changeOrder(order, reportOf(session.store, known), whole);
  }

  async #fillUp(part: WantedPart, live: readonly SeenLeg[]): Promise<boolean> {
    const { entry, view, leg } = part;
    const { elapsed } = this.#deps;
    const tending = this.#tendingOf(leg);
    const missing = this.#missingQty(part, live);
    if (missing <= 0) {
      tending.missingSince = undefined;
      tending.isVerified = false;
      return false;
    }
    if (tending.gaveUpAt === view.filledQty) return false;
    if (tending.gaveUpAt !== undefined) {
      // What it has filled since is another matter.
      tending.gaveUpAt = undefined;
      tending.tries.succeed("arm");
    }
    tending.missingSince ??= elapsed();
    const isDue = elapsed() - tending.missingSince >= GRACE_MS;
    if (!isDue || !mayGoOn(tending, "arm", tending)) return false;
    if (!tending.isVerified) {
      tending.isVerified = await this.#asked(part, () => this.#verify(entry, view, leg));
      return true;
    }
    return await this.#arm(part, missing);
  }

  /** Never more than is held less what other exits are for. */
  #missingQty({ entry, view, role, leg }: WantedPart, live: readonly SeenLeg[]): number {
    const [wanted, working] = [wantedQty(view, leg), workingQty(live)];
    if (wanted <= working) return 0;
    const unseenQty = (other: WantedLeg) => this.#unseenQty(entry, other);
    const lots = heldLots(this.#deps, entry);
    const covered = coveredQty({ ...this.#deps, unseenQty, lots }, entry, role);
    return Math.min(wanted, lots.get(entry) ?? 0, (view.heldQty ?? 0) - covered) - working;
  }

  /** Whether so much of it is missing still, by what is told until now. */
  #isMissing(part: WantedPart, qty: number): boolean {
    const view = viewBracket(this.#deps.session, part.entry);
    if (view === undefined) return false;
    return this.#missingQty({ ...part, view }, liveLegs(view, part.role)) >= qty;
  }

  #unseenQty({ account }: WantedEntry, leg: WantedLeg): number {
    const tending = this.#tendingOf(leg);
    const { unseen } = tending;
    if (unseen === undefined) return 0;
    if (this.#deps.session.store.byTag(account, unseen.tag) === undefined) return unseen.qty;
    tending.unseen = undefined;
    return 0;
  }

  /**
   * What is held, and was meanwhile, and what became of the entry and its leg, by the broker's word of now:
   * no list has it.
   */
  async #verify(
    { account, orderId: entry, wantedAt }: WantedEntry,
    { legs }: BracketView,
    { orderId: own, againIds }: WantedLeg,
  ): Promise<void> {
    const { session } = this.#deps;
    await session.refresh(account);
    await session.learnTrades(account, wantedAt);
    const unknown = againIds.filter((id) => session.store.order(id) === undefined);
    for (const id of new Set([entry, own, againIds.at(-1), ...unknown])) {
      const isSeen = legs.some(({ order }) => order.id === id);
      if (id !== undefined && !isSeen) await session.learnOrder(account, id);
    }
  }

  /**
   * Sends one again under the next tag. While it is unknown what became of it the same tag is used: the
   * broker takes it once.
   */
  async #arm(part: WantedPart, qty: number): Promise<boolean> {
    const { entry, view, role, leg } = part;
    const { session, commands, book, elapsed } = this.#deps;
    const tending = this.#tendingOf(leg);
    const account = session.store.account(entry.account);
    const contract = session.contracts.byId(entry.contractId);
    const attempt = leg.attempt + 1;
    if (account === undefined || contract === undefined || leg.level === undefined) return false;
    if (attempt > LAST_ATTEMPT) {
      tending.gaveUpAt = view.filledQty;
      this.#tell(part, "was ended too often");
      return false;
    }
    const tag = clOrdId(legTag({ entry: entry.tag, role, attempt }));
    const unsure = tending.unseen?.tag === tag ? tending.unseen : undefined;
    const since = unsure?.since ?? elapsed();
    tending.unseen = { tag, qty: Math.max(qty, unsure?.qty ?? 0), since };
    const order = exitOrder({ clOrdId: tag, contract: contract.code, orderQty: qty }, part);
    const isWanted = () => this.#isMissing(part, qty);
    const outcome = await commands().placeLeg({ account, contract }, order, isWanted);
    if (outcome === undefined) {
      // Somebody has closed it in between, or a part of it: what is left is looked at anew.
      tending.isVerified = false;
      tending.unseen = unsure;
      return true;
    }
    const end = endOf(outcome, unsure === undefined ? undefined : elapsed() - since);
    tending.isVerified = false;
    if (end !== "open") tending.unseen = undefined;
    if (outcome.kind === "accepted") {
      tending.missingSince = undefined;
      leg.againIds.push(outcome.orderId);
    }
    if (end === "there" || end === "refused") {
      leg.attempt = Math.max(leg.attempt, attempt);
      book.save();
    }
    const isOver = this.#note(part, "arm", outcome, "could not be placed again");
    // What was not sent, or may have come through, goes on: a refusal is the broker's word.
    if (isOver && end === "refused") tending.gaveUpAt = view.filledQty;
    return true;
  }

  /** Whether the broker has answered what must be known before anything is sent. */
  async #asked(part: WantedPart, ask: () => Promise<void>): Promise<boolean> {
    try {
      await ask();
      this.#tendingOf(part.leg).tries.succeed("ask");
      return true;
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      const failure = { kind: "notSent", reason: error.message } as const;
      this.#note(part, "ask", failure, "cannot be seen to while the broker does not answer");
      return false;
    }
  }

  /** Whether it has failed so often by now that no more is to be tried; a person was told then. */
  #note(
    part: WantedPart,
    step: Step,
    outcome: SubmitOutcome | CommandOutcome,
    what: string,
  ): boolean {
    const { tries } = this.#tendingOf(part.leg);
    if (outcome.kind === "accepted") {
      tries.succeed(step);
      return false;
    }
    const { isFirst, isOver } = tries.fail(step);
    if (isFirst) this.#tell(part, `${what}: ${reasonOf(outcome)}`);
    return isOver;
  }

  #tell({ entry, role }: WantedPart, what: string): void {
    const { session, onTrouble } = this.#deps;
    const contract = session.contracts.byId(entry.contractId);
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
      missingSince: undefined,
      flatSince: undefined,
      isVerified: false,
      gaveUpAt: undefined,
      unseen: undefined,
      changing: 0,
      tries: new Tries(this.#deps.elapsed, this.#rare),
    };
    this.#tending.set(leg, made);
    return made;
  }
}

/** Whether a step may be tried, or what it must know before may be asked for. */
const mayGoOn = (
  { tries }: Tending,
  step: Step,
  { isVerified }: { readonly isVerified: boolean },
): boolean => tries.mayTry(step) && (isVerified || tries.mayTry("ask"));

/** The broker's own, where it counts it: nobody has had it where it was asked for yet, at this size. */
const isDisplaced = ({ attempt, level, order }: SeenLeg, leg: WantedLeg): boolean =>
  attempt === 1 && !leg.isEnded && level !== leg.level && leg.placedSize < (order.size ?? 0);

const reasonOf = ({ reason }: CommandFailure): string => reason;
