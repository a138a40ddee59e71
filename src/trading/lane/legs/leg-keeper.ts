import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { AccountId, OrderId } from "../../../domain/ids.ts";
import { areOnePair, isLiveLeg, type LegCut, legCuts, type LegView } from "../../../domain/legs.ts";
import {
  endsAtOnce,
  isClosed,
  isForeign,
  isUnderstood,
  movesPosition,
  type OrderReport,
} from "../../../domain/order.ts";
import { isInScope, type Scope } from "../../../domain/overtaking.ts";
import { exitCuts, exposuresOf, type Exposure, isUnread } from "../../../domain/exposure.ts";
import { BrokerReadError, type CommandFailure, type ReportListener } from "../../ports.ts";
import {
  type ConnectedDeps,
  connectedOf,
  type LaneConnection,
  type LaneSession,
} from "../connected.ts";
import type { LimitStore } from "../../guards/ports.ts";
import type { Alarms } from "../../alarms/alarm.ts";
import type { ContractBooks } from "../book/contract-books.ts";
import type { FilledOrder } from "../ports.ts";
import type { Looks } from "../looks.ts";
import { netQtyOf, readAsFarAsShown, readSnapshot } from "../read-snapshot.ts";
import { learnFilledSiblings, type Siblings } from "./filled-siblings.ts";
import { isWorking } from "./legs.ts";
import { GONE_FOR_MS, LostLegs } from "./lost-legs.ts";
import type { UnprotectedPositions } from "./unprotected-positions.ts";

/** Called with what became of legs; for logs and metrics. */
export interface LegObserver {
  /** A leg was ended, where its `leavesQty` is 0, or made smaller. */
  readonly legKept: (account: AccountId, cut: LegCut) => void;
}

export interface LegKeeperDeps extends ConnectedDeps {
  readonly looks: Pick<Looks, "ask">;
  readonly observer: LegObserver;
  readonly alarms: Pick<Alarms, "raise">;
  readonly unprotected: Pick<UnprotectedPositions, "missing">;
  readonly limits: Pick<LimitStore, "killSwitch">;
  readonly books: Pick<ContractBooks, "legLots" | "name">;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/** What belongs together at the broker may be reported one after the other. */
const SOON_MS = 100;
/** A broker's positions may lag behind its orders: what two readings this far apart show is true. */
const CONFIRM_AFTER_MS = 300;
/** Doubled with each failure in a row: a market that is closed for a moment takes a cut once it is open. */
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** After so many failed attempts in a row an alarm is raised. */
const ALARM_EVERY = 3;

/** What one reading has shown of a leg. */
interface Suspicion {
  readonly leavesQty: number;
  /** When the first reading that showed it had ended. */
  readonly since: number;
}

type TakenOver = NonNullable<LegView["takenOver"]>;

/** What intents of unknown outcome and exit plans see to themselves. */
interface LeftToOthers {
  readonly left: readonly Scope[];
  readonly takenOver: TakenOver;
}

/** An account that has live legs or plain orders that rest, as far as is known. */
interface Watched extends Siblings {
  session: LaneSession | undefined;
  suspicions: ReadonlyMap<OrderId, Suspicion>;
  readonly lost: LostLegs;
  /** A live leg or an order that rests was reported since the last reading began. */
  hasNews: boolean;
  /** A live leg was reported, or shown by the last reading. */
  hasLegs: boolean;
  /** Attempts in a row that failed. */
  failures: number;
}

/**
 * Keeps the legs of brackets and protections true to their position: none stays behind where nothing
 * is left to protect, and together they never protect more than is held (`domain/legs.ts`). It is
 * what ends or shrinks one leg after the other's fill where the broker does not, and says so where the
 * broker ends one that is needed (`lost-legs.ts`). While a kill switch is on it does the same to plain
 * orders of ours: what was an exit when the switch went on could open the other side once its position
 * is gone (`domain/exposure.ts`).
 */
export class LegKeeper {
  readonly #deps: LegKeeperDeps;
  readonly #watched = new Map<AccountId, Watched>();

  constructor(deps: LegKeeperDeps) {
    this.#deps = deps;
  }

  readonly onReport: ReportListener = (account, report) => {
    if (!isUnderstood(report)) {
      this.look(account);
      return;
    }
    const { order } = report;
    const isNew = report.execType === "NEW" || this.#watched.get(account)?.hasLegs !== true;
    const isFirst = isLiveLeg(order) && isNew;
    if (isKept(order)) this.#watch(account).hasNews = true;
    if (isLiveLeg(order)) this.#watch(account).hasLegs = true;
    const watched = this.#watched.get(account);
    if (watched === undefined) return;
    watched.lost.onReport(report, this.#deps.elapsed());
    const isLeg = order.role !== "ORDER" && !isForeign(order);
    if (isLeg && order.ordStatus === "FILLED") watched.filled = [...watched.filled, order];
    // Legs may have waited for what an order that was being filled would still open.
    const wasFilling = endsAtOnce(order) || order.cumQty > 0;
    const hasEnded = isClosed(order.ordStatus) && (isLeg || wasFilling);
    if (isFirst || hasEnded || movesPosition(report)) this.look(account);
  };

  /** The account may have legs of which nothing was reported. */
  suspect(account: AccountId): void {
    this.#watch(account);
    this.look(account);
  }

  /** Has the account looked at soon, if it has legs. */
  look(account: AccountId, inMs = SOON_MS): void {
    if (this.#watched.has(account)) this.#deps.looks.ask(account, inMs);
  }

  /**
   * Reads the account's orders and positions, and carries out what this and an earlier reading both
   * show to be due, but for what is left to intents of unknown outcome. Runs in the lane's turn.
   * Answers whether it is to be called again soon. Throws `StoreError` when another process may be the
   * owner.
   */
  async keep(
    account: AccountId,
    left: readonly Scope[] = [],
    takenOver: TakenOver = new Map(),
  ): Promise<boolean> {
    const watched = this.#watched.get(account);
    if (watched === undefined) return false;
    const connection = connectedOf(account, this.#deps);
    // The next session looks at it by itself.
    if (connection === undefined) return false;
    if (watched.session !== connection.session) {
      const { session } = connection;
      Object.assign(watched, { session, suspicions: new Map(), lookedUp: new Set(), failures: 0 });
    }
    try {
      return await this.#keep(account, watched, connection, { left, takenOver });
    } catch (error) {
      if (error instanceof BrokerReadError) return true;
      throw error;
    }
  }

  /**
   * Right after an exit of ours has filled: legs are cut to what is left at once, where the broker
   * shows just what the fill must have led to. Otherwise they are looked at soon, as always. Until
   * they are cut, a stop for more than is held could turn the position around. One that filled between
   * the reading and the exit already has: answers what is held then, where it is the other side of what
   * was to be closed.
   */
  async keepAfter(account: AccountId, order: FilledOrder): Promise<number | undefined> {
    const { contract, netQty, closing } = order;
    const watched = this.#watched.get(account);
    const connection = connectedOf(account, this.#deps);
    if (watched === undefined || connection === undefined) return undefined;
    try {
      const { nativeOco, broker } = connection;
      const snapshot = await readSnapshot(account, broker, (code) => code === contract);
      const shown = netQtyOf(snapshot, contract);
      if (closing !== undefined && shown * closing < 0) {
        const turned = { accountId: account, contract, netQty: shown };
        this.#deps.alarms.raise({ kind: "positionTurned", ...turned });
        return shown;
      }
      if (shown !== netQty) return undefined;
      const { working } = snapshot;
      const positions = exposuresOf(snapshot);
      const { books } = this.#deps;
      books.name(account, contract, [order]);
      const lotsOf = books.legLots(account, order, { ...order, order: order.name });
      const cuts = legCuts({ working, positions, filled: watched.filled, nativeOco, lotsOf });
      const due = cuts.filter(({ leg }) => leg.contract === contract);
      await this.#cutAll(account, watched, due, connection);
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
    } finally {
      this.look(account);
    }
    return undefined;
  }

  async #keep(
    account: AccountId,
    watched: Watched,
    connection: LaneConnection,
    { left, takenOver }: LeftToOthers,
  ): Promise<boolean> {
    const { elapsed, sessionOf } = this.#deps;
    const { broker, session, nativeOco } = connection;
    const beganAt = elapsed();
    watched.hasNews = false;
    const snapshot = await readAsFarAsShown(account, broker);
    const { working } = snapshot;
    const positions = exposuresOf(snapshot);
    if (!nativeOco) await learnFilledSiblings(account, { working, siblings: watched }, broker);
    // What was read in part before its session ended shows no one moment.
    if (sessionOf(account) !== session) return true;
    const isWhole = snapshot.opaquePositions.length === 0;
    const lost = isWhole ? watched.lost.confirm(snapshot, beganAt) : [];
    for (const leg of lost) this.#tellLost(account, leg);
    if (watched.lost.isWaiting()) this.look(account, GONE_FOR_MS);
    this.#forgetGone(account, watched, working);

    // Legs that may protect an unreadable position stay, too.
    const isLeft = ({ leg }: LegCut) =>
      left.some((scope) => isInScope(scope, leg.contract)) || isUnread(leg.contract, snapshot);
    const { filled } = watched;
    const lotsOf = this.#lotsIn(account, positions);
    const all = [
      ...legCuts({ working, positions, filled, nativeOco, takenOver, lotsOf }),
      ...(await this.#switchCuts(account, positions)),
    ];
    const cuts = all.filter((cut) => !isLeft(cut));
    const due = confirm(watched, cuts, { beganAt, endedAt: elapsed() });
    const hasFailed = await this.#cutAll(account, watched, due, connection);
    if (!hasFailed && (due.length > 0 || cuts.length === 0)) watched.failures = 0;
    if (cuts.length === 0) return false;
    if (!hasFailed) this.look(account, CONFIRM_AFTER_MS);
    else this.look(account, Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** (watched.failures - 1)));
    return true;
  }

  #lotsIn(account: AccountId, positions: readonly Exposure[]): LegView["lotsOf"] {
    const { books } = this.#deps;
    const byContract = new Map<ContractCode, LegView["lotsOf"]>();
    return (leg) => {
      const { contract } = leg;
      const held = positions.find((one) => one.contract === contract);
      // Most looks find exits that fit, and ask for no lots.
      if (held !== undefined && !byContract.has(contract)) {
        byContract.set(contract, books.legLots(account, held));
      }
      return byContract.get(contract)?.(leg);
    };
  }

  async #switchCuts(
    account: AccountId,
    positions: readonly Exposure[],
  ): Promise<readonly LegCut[]> {
    const cuts = positions
      .flatMap((exposure) => exitCuts(exposure))
      .filter(({ order }) => isKept(order));
    if (cuts.length === 0 || !(await this.#isKilled(account))) return [];
    return cuts.map(({ order, leavesQty }) => ({ leg: order, leavesQty, why: "killSwitchOn" }));
  }

  async #isKilled(accountId: AccountId): Promise<boolean> {
    const { accounts, limits } = this.#deps;
    const userId = accounts.find(accountId)?.userId;
    const targets = [{ accountId }, ...(userId === undefined ? [] : [{ userId }])];
    const switches = await Promise.all(targets.map((target) => limits.killSwitch(target)));
    return switches.some(({ active }) => active);
  }

  #watch(account: AccountId): Watched {
    const known = this.#watched.get(account);
    if (known !== undefined) return known;
    const watched: Watched = {
      session: undefined,
      suspicions: new Map(),
      lost: new LostLegs(),
      filled: [],
      lookedUp: new Set(),
      hasNews: false,
      hasLegs: false,
      failures: 0,
    };
    this.#watched.set(account, watched);
    return watched;
  }

  #forgetGone(account: AccountId, watched: Watched, working: readonly OrderReport[]): void {
    const legs = working.filter(isLiveLeg);
    watched.filled = watched.filled.filter((gone) => legs.some((leg) => areOnePair(gone, leg)));
    watched.hasLegs = legs.length > 0;
    const isOver = !watched.hasNews && !watched.lost.isWaiting();
    if (!working.some(isKept) && isOver) this.#watched.delete(account);
  }

  /** Answers whether anything could not be done; it is read again before it is tried again. */
  async #cutAll(
    account: AccountId,
    watched: Watched,
    cuts: readonly LegCut[],
    connection: LaneConnection,
  ): Promise<boolean> {
    const ended = new Set<OrderId>();
    let failure: { readonly cut: LegCut; readonly reason: string } | undefined;
    for (const cut of cuts) {
      if (!ended.has(cut.leg.orderId)) {
        const answer = await cutLeg(account, cut, connection);
        if (answer !== undefined) {
          failure ??= { cut, reason: answer.reason };
          continue;
        }
        const { linkedOrderId } = cut.leg;
        const endsBoth = cut.leavesQty === 0 && connection.cancelEndsLinkedLeg;
        if (endsBoth && linkedOrderId !== undefined) ended.add(linkedOrderId);
        this.#deps.observer.legKept(account, cut);
      }
      if (cut.why === "entryGoesOn") this.#tellDropped(account, cut);
    }
    if (failure === undefined) return false;
    watched.failures += 1;
    if (watched.failures % ALARM_EVERY === 0) {
      this.#deps.alarms.raise({ kind: "legStuck", accountId: account, ...failure });
    }
    return true;
  }

  #tellLost(accountId: AccountId, leg: OrderReport): void {
    if (leg.role === "ORDER") return;
    const { unprotected, alarms } = this.#deps;
    unprotected.missing(accountId, { contract: leg.contract, exits: [leg.role] });
    alarms.raise({ kind: "legLost", accountId, leg });
  }

  /** What its entry still fills stands unprotected. */
  #tellDropped(accountId: AccountId, cut: LegCut): void {
    const { unprotected, alarms } = this.#deps;
    const { contract, role } = cut.leg;
    if (role !== "ORDER") unprotected.missing(accountId, { contract, exits: [role] });
    alarms.raise({ kind: "legDropped", accountId, cut });
  }
}

/** Whether an order of ours may have to go with its position: a live leg, or one that rests. */
function isKept(order: OrderReport): boolean {
  if (order.role !== "ORDER") return isLiveLeg(order);
  return !isForeign(order) && !endsAtOnce(order) && isWorking(order);
}

/**
 * No write-ahead: both commands name an order that is there, can open nothing, and do no more when
 * they are carried out twice. Whatever the answer is, the next reading shows what became of them. A
 * leg that its broker shrinks in this very moment may come out larger than that; the report of the
 * fill that it was shrunk for has it read again.
 */
async function cutLeg(
  account: AccountId,
  { leg, leavesQty }: LegCut,
  { broker }: LaneConnection,
): Promise<CommandFailure | undefined> {
  const { orderId, cumQty } = leg;
  const answer =
    leavesQty === 0
      ? await broker.cancelOrder(account, orderId)
      : await broker.modifyOrder(account, { orderId, orderQty: cumQty + leavesQty });
  return answer.kind === "accepted" ? undefined : answer;
}

/** What two readings have shown, as far as they agree; everything else is remembered for the next. */
function confirm(
  watched: Watched,
  cuts: readonly LegCut[],
  { beganAt, endedAt }: { readonly beganAt: number; readonly endedAt: number },
): readonly LegCut[] {
  const suspicions = new Map<OrderId, Suspicion>();
  const confirmed: LegCut[] = [];
  for (const cut of cuts) {
    const { orderId } = cut.leg;
    const earlier = watched.suspicions.get(orderId);
    const leavesQty = Math.max(cut.leavesQty, earlier?.leavesQty ?? 0);
    const agrees = earlier !== undefined && leavesQty < cut.leg.leavesQty;
    if (!agrees) {
      suspicions.set(orderId, { leavesQty: cut.leavesQty, since: endedAt });
      continue;
    }
    suspicions.set(orderId, { leavesQty, since: earlier.since });
    // From the end of one to the beginning of the other: a slow answer makes no time pass.
    if (beganAt - earlier.since >= CONFIRM_AFTER_MS) confirmed.push({ ...cut, leavesQty });
  }
  watched.suspicions = suspicions;
  return confirmed;
}
