import type { ContractCode } from "../../domain/contracts/contract.ts";
import { type AccountId, type ClOrdId, type OrderId, orderId } from "../../domain/ids.ts";
import type { OrderChange, OrderReport, ProtectionOrder } from "../../domain/order.ts";
import type { CommandOutcome, SubmitOutcome } from "../../trading/ports.ts";
import {
  BracketLegs,
  type Leg,
  type LegNames,
  LEGS,
  ROLES,
  type WatchedEntry,
} from "./bracket-legs.ts";
import type { Placement } from "./order-bodies.ts";
import type { OrderView } from "./order-view.ts";
import type { TradovateSession } from "./session.ts";

/** What the mender has the order desk do. */
export interface LegCommands {
  readonly placeExits: (place: Placement, order: ProtectionOrder) => Promise<SubmitOutcome>;
  readonly changeOrder: (report: OrderReport, change: OrderChange) => Promise<CommandOutcome>;
  readonly endOrder: (id: number) => Promise<CommandOutcome>;
}

/** Exits that were asked for with an entry, and are not as they were to be. */
export interface LegTrouble {
  readonly entry: OrderId;
  readonly contract: ContractCode;
  readonly exits: readonly ("TAKE_PROFIT" | "STOP_LOSS")[];
  /** In words. */
  readonly reason: string;
}

/** Hears that a command has ended, and whether certainly nothing of it was carried out. */
export type OnCommandEnd = (isUndone: boolean) => void;

export interface BracketDeps {
  readonly session: TradovateSession;
  readonly commands: () => LegCommands;
  /** Something about an entry's exits could not be put right. */
  readonly onTrouble: (account: AccountId, trouble: LegTrouble) => void;
  readonly onError: (error: unknown) => void;
  readonly elapsed: () => number;
}

/** What the broker does about legs by itself it does at once; after so long it does not. */
const BROKERS_TURN_MS = 2_000;
const RETRY_MS = 1_000;
/** Exits of which it is unknown whether they were placed are shown by then, or are not there. */
const SHOWN_WITHIN_MS = 5_000;
/** After so many attempts of one entry a person is told, and nothing more is tried. */
const ATTEMPTS = 3;

/** One entry and its exits: what is done where they are not as they were asked for. */
export class MendedBracket {
  readonly #deps: BracketDeps;
  readonly #asked: WatchedEntry;
  readonly #legs: BracketLegs;
  /** Since when something has been wrong, by what it is. */
  readonly #since = new Map<string, number>();
  #running: Promise<void> | undefined;
  /** Since when it is unknown whether our own placing came through: it is never repeated. */
  #unsureSince: number | undefined;
  #isLeftAlone = false;
  /** Commands of ours that nobody knows the end of yet: until then nothing is done, nor given up. */
  #underWay = 0;
  #isSaid = false;
  #isMoved = false;
  #failures = 0;
  #notBefore = 0;

  constructor(deps: BracketDeps, asked: WatchedEntry) {
    this.#deps = deps;
    this.#asked = asked;
    this.#legs = new BracketLegs(deps.session, asked, deps.elapsed);
  }

  /** The legs that are there, as an answer names them. */
  names(): LegNames {
    return this.#legs.names();
  }

  /** Whether exits of the order that are missing are about to be placed here. */
  tends(entry: ClOrdId): boolean {
    const { elapsed } = this.#deps;
    if (this.#asked.order.clOrdId !== entry || this.isOver() || this.#isLeftAlone) return false;
    return this.#unsureSince === undefined || elapsed() - this.#unsureSince < SHOWN_WITHIN_MS;
  }

  /** Nothing is left that could become wrong, or that may be touched. */
  isOver(): boolean {
    if (this.#running !== undefined || this.#underWay > 0) return false;
    if (this.#isLeftAlone) return true;
    const legs = this.#legs;
    const entry = legs.entry();
    if (entry === undefined || legs.mayStillFill(entry)) return false;
    if (LEGS.some((leg) => legs.works(leg))) return false;
    // Legs that have worked and ended did so by somebody's will.
    return legs.toProtect(entry) <= 0 || !legs.wanted().some((leg) => legs.isMissing(leg, entry));
  }

  /** A leg that we ended stays ended, and ending it may end the other one too. */
  onCancel(order: number): OnCommandEnd {
    return this.#legs.legOf(order) === undefined ? () => undefined : this.#leaveAlone();
  }

  /** A leg whose size we chose keeps it; one whose level we chose is not moved any more. */
  onChange(order: number, change: OrderChange): OnCommandEnd {
    const leg = this.#legs.legOf(order);
    if (leg === undefined) return () => undefined;
    this.#isMoved = true;
    this.#legs.noteChange();
    this.#legs.noteLevel(leg, change);
    return change.orderQty === undefined ? () => undefined : this.#leaveAlone();
  }

  #leaveAlone(): OnCommandEnd {
    this.#underWay += 1;
    return (isUndone) => {
      this.#underWay -= 1;
      if (!isUndone) this.#isLeftAlone = true;
    };
  }

  /** Places the legs of an entry that has filled and has none: at once. */
  async protect(): Promise<void> {
    await this.#running;
    await this.#alone(async (entry) => {
      const missing = this.#legs.missing(entry);
      // Its position may be told a moment after the fill.
      const orderQty = this.#legs.toProtect(entry);
      if (missing.length > 0) await this.#place(entry, { legs: missing, orderQty });
    });
  }

  async mend(): Promise<void> {
    if (this.#deps.elapsed() < this.#notBefore) return;
    await this.#alone((entry) => this.#mend(entry));
  }

  /** One thing at a time: what is asked for meanwhile is looked at again soon. */
  async #alone(run: (entry: OrderView) => Promise<void>): Promise<void> {
    const entry = this.#legs.entry();
    const isIdle = this.#running === undefined && this.#underWay === 0 && !this.#isLeftAlone;
    if (!isIdle || entry === undefined || entry.fills.length === 0) return;
    this.#running = run(entry).finally(() => (this.#running = undefined));
    await this.#running;
  }

  async #mend(entry: OrderView): Promise<void> {
    if (this.#legs.toProtect(entry) <= 0) {
      await this.#endSurvivors(entry);
      return;
    }
    const left = this.#legs.leftToProtect(entry);
    // Closed by something else: exits would open a position, and those that are left are looked
    // after by the gateway, which knows all that is held.
    if (left <= 0) return;
    this.#sayIfHeld();
    const missing = this.#legs.missing(entry);
    // A leg that nobody has named is waited for no longer.
    const isUnnamed = missing.some((leg) => this.#legs.idOf(leg) === undefined);
    const isDue = this.#lasts("missing", missing.length > 0, isUnnamed ? 0 : BROKERS_TURN_MS);
    const isSure = this.#unsureSince === undefined;
    if (isDue && isSure) await this.#place(entry, { legs: missing, orderQty: left });
    await this.#moveToFill(entry);
    for (const leg of LEGS) await this.#resize(leg, left);
  }

  /** The survivor rule: with nothing left to protect, the other leg must not stay. */
  async #endSurvivors(entry: OrderView): Promise<void> {
    const isDone = !this.#legs.mayStillFill(entry);
    for (const leg of LEGS) {
      const id = this.#legs.idOf(leg);
      const isLeft = isDone && this.#legs.works(leg);
      if (!this.#lasts(`survivor ${leg}`, isLeft) || id === undefined) continue;
      this.#judge(await this.#deps.commands().endOrder(id), `The ${leg} outlived its position`);
    }
  }

  async #place(entry: OrderView, what: Parameters<BracketLegs["exits"]>[1]): Promise<void> {
    const exits = this.#legs.exits(entry, what);
    if (exits === undefined) return;
    const outcome = await this.#deps.commands().placeExits(this.#asked.place, exits);
    this.#judge(outcome, "The exits could not be placed");
    if (outcome.kind === "unknown") {
      this.#unsureSince = this.#deps.elapsed();
      this.#alarm("It is unknown whether the exits were placed");
    }
    if (outcome.kind !== "accepted") return;
    const { takeProfitOrderId, stopLossOrderId } = outcome;
    if (takeProfitOrderId !== undefined) this.#legs.own("target", Number(takeProfitOrderId));
    if (stopLossOrderId !== undefined) this.#legs.own("stop", Number(stopLossOrderId));
  }

  /** Once, and only what the broker has placed: ours were placed by the fill. */
  async #moveToFill(entry: OrderView): Promise<void> {
    if (this.#isMoved) return;
    this.#isMoved = true;
    if (LEGS.some((leg) => this.#legs.isOurs(leg))) return;
    const { takeProfit, stopLoss } = this.#legs.shifted(entry);
    if (takeProfit !== undefined) await this.#move("target", { price: takeProfit });
    if (stopLoss !== undefined) await this.#move("stop", { stopPx: stopLoss });
  }

  async #move(leg: Leg, to: Pick<OrderChange, "price" | "stopPx">): Promise<void> {
    const report = this.#legs.report(leg);
    if (report === undefined || !this.#legs.works(leg)) return;
    this.#legs.noteChange();
    const change = { orderId: report.orderId, ...to };
    this.#judge(await this.#deps.commands().changeOrder(report, change), "A leg was not moved");
  }

  /** Legs are as large as what is left to protect; those that we placed never grow by themselves. */
  async #resize(leg: Leg, left: number): Promise<void> {
    const report = this.#legs.report(leg);
    const isLive = report !== undefined && this.#legs.works(leg) && report.ordStatus !== "HELD";
    const isWrong = isLive && report.leavesQty !== left;
    const isOurs = this.#legs.isOurs(leg);
    if (!this.#lasts(`size ${leg}`, isWrong, isOurs ? 0 : BROKERS_TURN_MS)) return;
    if (report === undefined) return;
    const change = { orderId: report.orderId, orderQty: report.cumQty + left };
    const outcome = await this.#deps.commands().changeOrder(report, change);
    this.#judge(outcome, "A leg has not the size of what its entry filled");
  }

  /** A broker may let legs wait for the whole entry: what is filled so far is not protected then. */
  #sayIfHeld(): void {
    const isHeld = LEGS.some((leg) => this.#legs.report(leg)?.ordStatus === "HELD");
    if (!this.#lasts("held", isHeld) || this.#isSaid) return;
    this.#isSaid = true;
    this.#alarm("The exits do not work yet for what the entry has filled");
  }

  /** True once something has been wrong for so long. */
  #lasts(what: string, isWrong: boolean, ms = BROKERS_TURN_MS): boolean {
    if (!isWrong) {
      this.#since.delete(what);
      return false;
    }
    const now = this.#deps.elapsed();
    const since = this.#since.get(what) ?? now;
    this.#since.set(what, since);
    return now - since >= ms;
  }

  #judge(outcome: CommandOutcome | SubmitOutcome, what: string): void {
    if (outcome.kind === "accepted") {
      this.#failures = 0;
      return;
    }
    this.#notBefore = this.#deps.elapsed() + RETRY_MS;
    this.#failures += 1;
    if (this.#failures < ATTEMPTS) return;
    this.#isLeftAlone = true;
    this.#alarm(`${what}: ${outcome.reason}`);
  }

  #alarm(reason: string): void {
    const { entry, place, order } = this.#asked;
    const { session, onTrouble } = this.#deps;
    onTrouble(session.accountOf(place.account.id), {
      entry: orderId(String(entry)),
      contract: order.contract,
      exits: this.#legs.wanted().map((leg) => ROLES[leg]),
      reason,
    });
  }
}
