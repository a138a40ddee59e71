import { accountId, type IntentId, intentId } from "../../../src/domain/ids.ts";
import { type Intent, isUnsettled, type Outcome, soFarOf } from "../../../src/domain/intent.ts";
import { type ExecutionReport, type OrderReport, sign } from "../../../src/domain/order.ts";
import { ACCOUNT, USER } from "../../unit/trading/lane-kit.ts";
import type { Asking } from "./askings.ts";
import type { Arrival } from "./exchange.ts";
import type { Gateway } from "./gateway.ts";
import { AccountRecord, type Ask, isExit, type Rest, type Sent } from "./record.ts";

const LEADER = accountId("leader-1");

/** An intent that the gateway derives from an entry. */
interface Derived {
  readonly id: IntentId;
  readonly intent: Intent;
  readonly source: "plan" | "timeout";
}

/** Stops that a refused exit has cancelled. */
interface Owed {
  readonly ask: Ask;
  readonly since: number;
  /** At most the contracts that are still open since then. */
  before: number;
  /** Contracts that stops of the exit were placed for since. */
  backQty: number;
}

function exitsMissingSoFar(outcome: Outcome | undefined): boolean {
  const soFar = soFarOf(outcome);
  return soFar !== undefined && "unprotected" in soFar && (soFar.unprotected ?? []).length > 0;
}

/** Records requests, and everything the exchange does, as it happens. */
export class Recorder {
  readonly record = new AccountRecord();
  isLocked = false;
  readonly #gateway: Gateway;
  #isUnreported: () => boolean = () => false;
  #isClosed: () => boolean = () => false;
  #inHand: Ask | undefined;
  /** Counts everything the gateway could hear, in all and by the last read. */
  #news = 0;
  #readNews = 0;
  /** A lock was set since then: news for what opens alone. */
  #isLockNews = false;
  #changedAt: number;
  #copies = 0;
  #troubles = 0;
  #owed: Owed[] = [];
  readonly #canceledStops = new Map<Ask, number>();
  readonly #names = new Set<string>();
  readonly #lockedNames = new Set<string>();
  readonly exchangeWatch = {
    arrived: (arrival: Arrival) => this.#arrived(arrival),
    filled: (report: ExecutionReport) => this.#filled(report),
    tookBack: ({ fill }: ExecutionReport) => {
      if (fill !== undefined) this.record.lots.takeBack(fill.execId);
      this.record.takenBackAt.push(this.record.tick());
      this.noteChange();
    },
    reported: ({ execType, order }: ExecutionReport) => {
      const ask = this.record.askNamed(order.clOrdId);
      if (execType === "TRADE" && ask !== this.#inHand) this.#news += 1;
      if (execType === "NEW" && order.role === "STOP_LOSS") this.#noteBack(ask, order.orderQty);
    },
  };

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
    this.#changedAt = gateway.clock.now;
  }

  watchUnreported(isUnreported: () => boolean): void {
    this.#isUnreported = isUnreported;
  }

  watchMarket(isClosed: () => boolean): void {
    this.#isClosed = isClosed;
  }

  get net(): number {
    return this.record.lots.net;
  }

  get quietMs(): number {
    return this.#gateway.clock.now - this.#changedAt;
  }

  /** A request has not ended. */
  get hasOpen(): boolean {
    return this.record.asks.some(({ ended }) => ended === undefined);
  }

  /** No request is open, and every fill is reported. */
  get isKnown(): boolean {
    return !this.#isUnreported() && !this.hasOpen;
  }

  get hasRested(): boolean {
    const last = this.record.rests.at(-1);
    return last !== undefined && last.at === this.record.now;
  }

  noteChange(): void {
    this.#changedAt = this.#gateway.clock.now;
  }

  async ask({ what, intent, isCopy }: Asking): Promise<void> {
    const id = intentId(`i${(this.record.asks.length + 1).toString(16).padStart(28, "0")}`);
    if (isCopy === true) this.#copies += 1;
    const copy = { leader: LEADER, seq: this.#copies };
    this.#noteAsk(id, what, intent);
    await this.#accept(
      id,
      intent,
      isCopy === true ? "copy" : "webhook",
      isCopy === true ? { copy } : {},
    );
    this.#gateway.put(id);
  }

  async askFor(of: IntentId, { id, intent, source }: Derived): Promise<void> {
    const root = this.record.asks.find((ask) => ask.id === of);
    if (root === undefined) throw new Error(`${of} was never asked for`);
    const what = source === "timeout" ? source : intent.kind === "ADJUST" ? "part" : "protection";
    const isKnown = this.record.asks.some((ask) => ask.id === id);
    if (!isKnown) this.#noteAsk(id, what, intent, root);
    await this.#accept(id, intent, source, {});
  }

  begin(id: IntentId): void {
    this.#inHand = this.record.asks.find((ask) => ask.id === id);
    this.noteRead();
  }

  end(): void {
    this.#inHand = undefined;
    this.noteEnds();
  }

  lock(isOn: boolean): void {
    this.#isLockNews ||= isOn !== this.isLocked;
    this.isLocked = isOn;
    // The store in memory checks a lock as it checks a kill switch.
    this.#gateway.lane.intents.accountKillSwitch = { active: isOn };
    this.noteChange();
  }

  noteRead(): void {
    this.#readNews = this.#news;
    this.#isLockNews = false;
  }

  noteWrittenAhead(): void {
    const name = this.#gateway.lane.intents.permits.at(-1)?.clOrdId;
    if (name !== undefined && this.isLocked) this.#lockedNames.add(name);
  }

  noteAlarm(what: string): void {
    this.record.alarms.push({ at: this.record.tick(), what });
  }

  noteEnds(): void {
    for (const ask of this.record.asks) {
      if (ask.ended !== undefined) continue;
      if (!this.#gateway.lane.intents.has(ACCOUNT, ask.id)) continue;
      const { state, outcome } = this.#gateway.lane.record(ask.id);
      if (isUnsettled(state) || outcome === undefined) continue;
      ask.ended = { at: this.record.tick(), outcome, owners: this.record.lots.owners };
      this.noteChange();
    }
    for (const what of this.#gateway.lane.kept.splice(0)) {
      if (/lost|dropped|stuck|turned/u.test(what)) this.noteAlarm(what);
    }
    for (const what of this.#gateway.lane.missing.splice(0)) this.noteAlarm(what);
  }

  noteRest({ working, shown, plans }: Pick<Rest, "working" | "shown" | "plans">): void {
    const { owners, net } = this.record.lots;
    this.record.rests.push({ at: this.record.tick(), net, shown, owners, working, plans });
  }

  owesStops(withinMs: number): boolean {
    return this.#owed.some(({ since }) => this.#gateway.clock.now - since >= withinMs);
  }

  noteStops(working: readonly OrderReport[]): void {
    const after = working
      .filter(({ stopPx, ordStatus }) => stopPx !== undefined && ordStatus !== "HELD")
      .reduce((sum, { leavesQty }) => sum + leavesQty, 0);
    for (const { ask, before, backQty } of this.#owed.splice(0)) {
      // An answer was lost: the exit goes on with an alarm, and nothing is put back until it is known.
      const { state, outcome } = this.#gateway.lane.record(ask.id);
      if (state === "UNKNOWN") continue;
      // The outcome names exits that could not be placed again, and the exit goes on.
      if (exitsMissingSoFar(outcome)) continue;
      // A later request may have taken them.
      if (this.record.asks.at(-1)?.id !== ask.id) continue;
      const at = this.record.tick();
      // The next try may have taken them again by now.
      this.record.taken.push({ at, ask, before, after: Math.max(after, backQty) });
    }
  }

  #noteBack(ask: Ask | undefined, qty: number): void {
    for (const owed of this.#owed) if (owed.ask === ask) owed.backQty += qty;
  }

  #noteAsk(id: IntentId, what: Ask["what"], intent: Intent, of?: Ask): void {
    const { asks, lots } = this.record;
    asks.push({
      nth: asks.length + 1,
      id,
      what,
      intent,
      at: this.record.tick(),
      time: this.#gateway.clock.now,
      ...(of !== undefined && { of }),
      left: of === undefined ? 0 : lots.left(of.id),
      net: lots.net,
      isClear: this.#isClear(),
    });
    this.noteChange();
  }

  /** Every fill is reported, and every outcome known. */
  #isClear(): boolean {
    const isOpen = this.record.asks.some((ask) => ask.ended === undefined && ask !== this.#inHand);
    const { troubles } = this.#gateway.broker;
    const isTroubled = isOpen && troubles > this.#troubles;
    if (!isOpen) this.#troubles = troubles;
    return !this.#isUnreported() && !isTroubled;
  }

  async #accept(
    id: IntentId,
    intent: Intent,
    kind: "webhook" | "copy" | "plan" | "timeout",
    more: { readonly copy?: { readonly leader: typeof LEADER; readonly seq: number } },
  ): Promise<void> {
    const { intents } = this.#gateway.lane;
    await intents.accept({
      intentId: id,
      accountId: ACCOUNT,
      userId: USER,
      requestId: "r1",
      source: { kind },
      intent,
      entryMaxAgeMs: 30_000,
      exitMaxAgeMs: 600_000,
      receivedAt: intents.clock,
      ...more,
    });
  }

  #newsFor(order: Arrival["order"]): number {
    const opens = order !== undefined && order.leavesQty > -sign(order.side) * this.net;
    return this.#news - this.#readNews + Number(opens && this.#isLockNews);
  }

  #arrived(arrival: Arrival): { refused: () => void } {
    const { record } = this;
    const { name, kind, order, isStop } = arrival;
    const ask = name === undefined ? this.#inHand : record.askNamed(name);
    const own = name?.replace(/-(?:TP|SL)$/u, "");
    const sent: Sent & { isRefused: boolean } = {
      at: record.tick(),
      time: this.#gateway.clock.now,
      kind,
      ask,
      ...(name !== undefined && { name }),
      ...(order !== undefined && { order }),
      isStop,
      isRefused: false,
      isTwice: name !== undefined && this.#names.has(name),
      marketIsClosed: this.#isClosed(),
      net: this.net,
      news: ask === this.#inHand ? this.#newsFor(order) : 0,
      isWrittenAhead: own === undefined || this.#isWrittenAhead(own),
      during: this.#unknownExit(ask),
      isLocked: own !== undefined && this.#lockedNames.has(own),
      isClear: this.#isClear(),
    };
    if (name !== undefined) this.#names.add(name);
    record.sent.push(sent);
    if (own !== undefined) record.placed.set(own, sent);
    const isStopOrPaired = order?.stopPx !== undefined || order?.linkedOrderId !== undefined;
    const endsStop = isStopOrPaired && sign(order.side) * this.net < 0;
    if (kind === "cancel" && ask !== undefined && order !== undefined && endsStop) {
      this.#canceledStops.set(ask, (this.#canceledStops.get(ask) ?? 0) + order.leavesQty);
    }
    this.noteChange();
    return {
      refused: () => {
        sent.isRefused = true;
        this.#noteRefusal(sent);
      },
    };
  }

  #isWrittenAhead(name: string): boolean {
    const { permits, epoch } = this.#gateway.lane.intents;
    return permits.some((permit) => permit.clOrdId === name && permit.epoch === epoch);
  }

  /** An exit that has cancelled stops, and whose close is unknown. */
  #unknownExit(than: Ask | undefined): Ask | undefined {
    return [...this.#canceledStops.keys()].find((ask) => {
      if (ask === than || !isExit(ask)) return false;
      const { state } = this.#gateway.lane.record(ask.id);
      return state === "UNKNOWN" || state === "SENDING";
    });
  }

  #noteRefusal({ kind, ask, time }: Sent): void {
    if (ask === undefined || !isExit(ask) || kind === "cancel" || kind === "modify") return;
    const before = this.#canceledStops.get(ask);
    // A market that has closed meanwhile takes no stop either.
    if (before === undefined || this.#isClosed()) return;
    const owed = { ask, since: time, before: Math.min(before, Math.abs(this.net)), backQty: 0 };
    this.#owed.push(owed);
  }

  #filled({ fill, order }: ExecutionReport): void {
    if (fill === undefined) return;
    const { record } = this;
    const ask = record.askNamed(order.clOrdId);
    const { execId, side, lastQty: qty } = fill;
    const before = record.lots.net;
    const closes = record.meantBy(order, ask);
    const effect = record.lots.take({ execId, by: record.openerOf(order, ask), side, qty, closes });
    const came =
      order.clOrdId === undefined
        ? undefined
        : record.placed.get(order.clOrdId.replace(/-(?:TP|SL)$/u, ""));
    record.fills.push({
      ...effect,
      at: record.tick(),
      time: this.#gateway.clock.now,
      execId,
      order,
      ask,
      side,
      qty,
      before,
      after: before + sign(side) * qty,
      cameAt: came?.at ?? record.now,
      cameLocked: came?.isLocked === true,
      cameClear: came?.isClear === true,
      quietMs: this.quietMs,
    });
    for (const owed of this.#owed) {
      owed.before =
        before * record.lots.net > 0 ? Math.min(owed.before, Math.abs(record.lots.net)) : 0;
    }
    this.noteChange();
  }
}
