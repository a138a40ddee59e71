import type { PaperBroker } from "../../../../../src/brokers/paper/adapter.ts";
import { createManualFeed } from "../../../../../src/brokers/paper/feed/manual-feed.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import type { ExitPlan } from "../../../../../src/domain/exits/exit-plan.ts";
import type { RunningPlan } from "../../../../../src/domain/exits/running-plan.ts";
import { type IntentId, intentId, orderId } from "../../../../../src/domain/ids.ts";
import type { Intent, IntentSource } from "../../../../../src/domain/intent.ts";
import { type Fill, type OrderReport, understood } from "../../../../../src/domain/order.ts";
import type { PreparedOrder } from "../../../../../src/domain/order-ticket.ts";
import {
  freshQuote,
  type HeardPrice,
  type Quote,
  quoteHeardAt,
} from "../../../../../src/domain/quote.ts";
import { createCloseDue } from "../../../../../src/trading/lane/exits/close-due.ts";
import { ACCOUNT, ES, type Lane, openLane, order, USER } from "../../lane-kit.ts";
import { beginSession, openPaper } from "../../paper-lane.ts";
import { openPlanKeeper } from "./open-plan-keeper.ts";

export const BID = 4_000;
const DEEP = 1_000;
/** Prices, intents and what is due by time come about so often. */
const STEP_MS = 110;
/** Node's timers end up to so much sooner than a steady clock says. */
const EARLY_MS = 1;
/** Each sweep looks again at the intents that could not be settled. */
const SWEEP_MS = 3_000;

/** A lane at the built-in broker, with the keeper of exit plans as it is. */
export class PlanWorld {
  readonly lane: Lane;
  readonly paper: PaperBroker;
  /** What is stored, as JSON. */
  readonly stored = new Map<IntentId, string>();
  readonly alarms: string[] = [];
  readonly missing: string[] = [];
  readonly #feed = createManualFeed();
  readonly #end: AbortController;
  #kept: ReturnType<typeof openPlanKeeper>;
  #quote: Quote | undefined;
  #last = 0;
  /** When each sweep that is due looks again. */
  #sweeps: number[] = [];
  #queue: { readonly id: IntentId; readonly done: () => void }[] = [];
  /** Nothing a plan asks for is carried out. */
  holdsIntents = false;
  /** Fills are recorded as the broker reports them, or as these say. */
  recordsAs: (fill: Fill) => Fill = (fill) => fill;
  /** What is submitted waits for it before it is accepted. */
  acceptsAfter: Promise<void> = Promise.resolve();
  /** The next reading of stored plans waits for it. */
  readsAfter: Promise<void> = Promise.resolve();
  /** Alarms that stand. */
  readonly standing = new Set<string>();
  isTrading = true;
  /** Or when the session that an instant lies in does. */
  sessionEndOf: (at: number) => number = () => this.sessionEndsAt;
  sessionEndsAt = Number.POSITIVE_INFINITY;

  static async open(end: AbortController): Promise<PlanWorld> {
    const world = new PlanWorld(await openLane(), end);
    await world.#connect();
    return world;
  }

  private constructor(lane: Lane, end: AbortController) {
    this.lane = lane;
    this.#end = end;
    lane.intents.clock = 1_000_000;
    lane.intents.limits = { maxOrderQty: 1_000, maxPositionQty: 1_000 };
    this.paper = openPaper(lane, this.#feed);
    this.#kept = this.#open();
    this.quote(BID - 1);
  }

  #open(): ReturnType<typeof openPlanKeeper> {
    const { lane } = this;
    const opened = openPlanKeeper(lane, {
      stored: this.stored,
      readsAfter: () => this.readsAfter,
      quoteOf: () => freshQuote(this.#quote, lane.intents.clock),
      closeDue: createCloseDue((_contract, instant) => this.sessionEndOf(instant)),
      isTrading: () => this.isTrading,
      unprotected: { missing: (_account, { exits }) => void this.missing.push(exits.join(" ")) },
      alarms: {
        raise: (alarm) => {
          if (alarm.kind !== "exitPlanHeld") return;
          this.alarms.push(`${alarm.what}: ${alarm.reason}`);
          this.standing.add(alarm.what);
        },
        clear: (alarm) => {
          if (alarm.kind === "exitPlanHeld") this.standing.delete(alarm.what);
        },
      },
    });
    opened.keeper.submitBy(async ({ intentId: id, intent }) => {
      if (this.holdsIntents) return;
      await this.acceptsAfter;
      await this.#accept(id, intent, "plan");
      await new Promise<void>((done) => this.#queue.push({ id, done }));
    });
    return opened;
  }

  async #connect(): Promise<void> {
    this.paper.onReport((account, report) => {
      const { fill } = report;
      this.#kept.record(account, fill ? { ...report, fill: this.recordsAs(fill) } : report);
    });
    this.paper.onReport(this.lane.watch.onReport);
    this.paper.onReport(this.lane.legs.onReport);
    this.paper.onReport((account, report) => this.#kept.keeper.onReport(account, report));
    await beginSession(this.paper, this.#end.signal);
    this.lane.setConnection({ broker: this.paper, cancelEndsLinkedLeg: true });
  }

  async #accept(id: IntentId, intent: Intent, kind: IntentSource["kind"]): Promise<void> {
    await this.lane.intents.accept({
      intentId: id,
      accountId: ACCOUNT,
      userId: USER,
      requestId: "r1",
      source: { kind },
      intent,
      entryMaxAgeMs: 30_000,
      exitMaxAgeMs: 600_000,
      receivedAt: this.lane.intents.clock,
    });
  }

  async run(intent: Intent) {
    this.#last += 1;
    const id = intentId(`i${this.#last.toString(16).padStart(28, "0")}`);
    await this.#accept(id, intent, "api");
    const step = await this.lane.work(id);
    if (step === "unsettled") this.#sweeps.push(this.lane.intents.clock);
    return this.lane.record(id);
  }

  async enter(exitPlan: ExitPlan, change: Partial<PreparedOrder> = {}) {
    return await this.run({ kind: "PLACE", order: order(change), handling: { exitPlan } });
  }

  /** Closes so much at the market. */
  async reduce(qty: number) {
    return await this.run({
      kind: "ADJUST",
      contract: ES,
      aim: { to: "close", qty },
      terms: { ordType: "MARKET", timeInForce: "DAY" },
    });
  }

  quote(bid: number, qty = DEEP): void {
    const [at, ask] = [ticks(bid), ticks(bid + 1)];
    this.#quote = quoteHeardAt(this.lane.intents.clock, { bid: at, ask, last: at });
    this.#feed.set(ES, { bid: at, ask, bidQty: qty, askQty: qty });
    this.#kept.keeper.noteQuote(ACCOUNT);
  }

  /** A message that names the bid alone. */
  bids(bid: number): void {
    const { clock: heardAt } = this.lane.intents;
    this.#quote = { ...this.#quote, bid: { px: ticks(bid), heardAt } };
    this.#kept.keeper.noteQuote(ACCOUNT);
  }

  /** Nothing is bid, and nothing was traded. */
  asks(): void {
    const { ask } = this.#quote ?? {};
    this.#quote = ask && { ask };
    this.#kept.keeper.noteQuote(ACCOUNT);
  }

  /** The market trades there before anyone tells so. */
  trades(bid: number, qty = DEEP): void {
    this.#feed.set(ES, { bid: ticks(bid), ask: ticks(bid + 1), bidQty: qty, askQty: qty });
  }

  /** Repeats the same price, or none at all; the account is looked at as often as it asks for it. */
  async passes(ms: number, isBlind = false): Promise<void> {
    const { intents } = this.lane;
    for (let left = ms; left > 0; left -= STEP_MS) {
      await this.#looksUntil(intents.clock + STEP_MS);
      if (!isBlind && this.#quote !== undefined) {
        const again = (price: HeardPrice) => ({ ...price, heardAt: intents.clock });
        const { bid, ask, last } = this.#quote;
        this.#quote = {
          ...(bid && { bid: again(bid) }),
          ...(ask && { ask: again(ask) }),
          ...(last && { last: again(last) }),
        };
        this.#kept.keeper.noteQuote(ACCOUNT);
      }
      this.#kept.keeper.tick();
      for (const { id, done } of this.#queue.splice(0)) {
        await this.lane.work(id);
        done();
      }
    }
  }

  /** When the next look begins. */
  #nextLook(): number {
    const looks = this.lane.timers.map(({ dueAt }) => dueAt - EARLY_MS);
    return Math.min(...this.#sweeps, ...looks);
  }

  async #looksUntil(end: number): Promise<void> {
    const { intents, timers } = this.lane;
    for (let next = this.#nextLook(); next <= end; next = this.#nextLook()) {
      intents.clock = Math.max(intents.clock, next);
      const later = timers.splice(0).filter(({ dueAt }) => dueAt - EARLY_MS > next);
      timers.push(...later);
      this.#sweeps = this.#sweeps.filter((due) => due > next);
      if (await this.#kept.settle(ACCOUNT)) this.#sweeps.push(intents.clock + SWEEP_MS);
    }
    intents.clock = end;
  }

  /** Another process takes the account over: it knows what is stored, and nothing else. */
  async restart(): Promise<void> {
    this.#queue = [];
    this.#kept = this.#open();
    await this.#kept.keeper.load(ACCOUNT);
  }

  /** A process that has owned the account before takes it over again, and looks at once. */
  async meanwhileElsewhere(what: () => Promise<void>): Promise<void> {
    const own = this.#kept;
    await this.restart();
    await what();
    this.#queue = [];
    this.#kept = own;
    let answer = (): void => undefined;
    this.readsAfter = new Promise((resolve) => (answer = resolve));
    const loading = own.keeper.load(ACCOUNT);
    this.readsAfter = Promise.resolve();
    await own.settle(ACCOUNT);
    answer();
    await loading;
  }

  async #working() {
    return understood(await this.paper.workingOrders(ACCOUNT));
  }

  async working(role: OrderReport["role"]) {
    return (await this.#working()).filter((order) => order.role === role);
  }

  /** What works, as `stop 2 @3980`. */
  async exits(): Promise<string[]> {
    const legs = (await this.#working()).filter(({ role }) => role !== "ORDER");
    return legs
      .map(({ role, leavesQty, price, stopPx }) =>
        role === "STOP_LOSS" ? `stop ${leavesQty} @${stopPx}` : `target ${leavesQty} @${price}`,
      )
      .toSorted();
  }

  async stops(): Promise<number> {
    const legs = (await this.#working()).filter(({ role }) => role === "STOP_LOSS");
    return legs.reduce((sum, { leavesQty }) => sum + leavesQty, 0);
  }

  async held(): Promise<number> {
    const [position] = await this.paper.positions(ACCOUNT);
    return position?.netQty ?? 0;
  }

  async cancel(what: "STOP_LOSS" | "TAKE_PROFIT" | "ORDER"): Promise<void> {
    for (const one of await this.#working()) {
      if (one.role === what) await this.paper.cancelOrder(ACCOUNT, orderId(one.orderId));
    }
  }

  /** As a person does, by the order's id. */
  async cancelByHand(what: "STOP_LOSS" | "TAKE_PROFIT"): Promise<void> {
    for (const one of await this.#working()) {
      if (one.role === what) await this.run({ kind: "CANCEL", orderId: orderId(one.orderId) });
    }
  }

  async moveStops(to: number): Promise<void> {
    for (const one of await this.#working()) {
      if (one.role !== "STOP_LOSS") continue;
      await this.paper.modifyOrder(ACCOUNT, { orderId: one.orderId, stopPx: ticks(to) });
    }
  }

  plan(): RunningPlan | undefined {
    const [text] = this.stored.values();
    return text === undefined ? undefined : (JSON.parse(text) as RunningPlan);
  }
}

export const at = (count: number) => ({ by: "ticks", ticks: ticks(count) }) as const;

/** Three targets of one part each, and a stop below. */
export const THREE: ExitPlan = {
  targets: [{ at: at(10) }, { at: at(20) }, { at: at(30) }],
  stop: at(20),
};
