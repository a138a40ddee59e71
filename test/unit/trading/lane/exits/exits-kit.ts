import { createPaperAdapter, type PaperBroker } from "../../../../../src/brokers/paper/adapter.ts";
import { createManualFeed } from "../../../../../src/brokers/paper/feed/manual-feed.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import type { ExitPlan } from "../../../../../src/domain/exits/exit-plan.ts";
import type { RunningPlan } from "../../../../../src/domain/exits/running-plan.ts";
import { connectionId, type IntentId, intentId, orderId } from "../../../../../src/domain/ids.ts";
import type { Intent, IntentSource } from "../../../../../src/domain/intent.ts";
import { understood } from "../../../../../src/domain/order.ts";
import type { PreparedOrder } from "../../../../../src/domain/order-ticket.ts";
import type { Quote } from "../../../../../src/domain/quote.ts";
import { createCloseDue } from "../../../../../src/trading/lane/exits/close-due.ts";
import { PlanKeeper } from "../../../../../src/trading/lane/exits/plan-keeper.ts";
import { createSettlePending } from "../../../../../src/trading/lane/settle-pending.ts";
import { MemoryStateStore } from "../../../../support/memory-state-store.ts";
import { NO_FEES } from "../../../../support/paper-money.ts";
import { PRODUCT } from "../../../brokers/paper/test-exchange.ts";
import { ACCOUNT, ES, type Lane, openLane, order, USER } from "../../lane-kit.ts";

export const BID = 4_000;
const DEEP = 1_000;
/** Prices, intents and what is due by time come about so often. */
const STEP_MS = 110;
/** Node's timers end up to so much sooner than a steady clock says. */
const EARLY_MS = 1;
/** Each sweep looks again at the intents that could not be settled. */
const SWEEP_MS = 3_000;

const hex = (text: string) => Buffer.from(text).toString("hex").slice(-28);

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
  #plans: PlanKeeper;
  #settle: (account: typeof ACCOUNT) => Promise<boolean>;
  #quote: Quote | undefined;
  #last = 0;
  /** For when looks were asked for. */
  #looks: number[] = [];
  #queue: { readonly id: IntentId; readonly done: () => void }[] = [];
  /** Nothing a plan asks for is carried out. */
  holdsIntents = false;
  /** What is submitted waits for it before it is accepted. */
  acceptsAfter: Promise<void> = Promise.resolve();
  /** Alarms that stand. */
  readonly standing = new Set<string>();
  isTrading = true;
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
    this.paper = createPaperAdapter({
      connectionId: connectionId("paper"),
      settings: { accounts: "1", sessionHours: false, startBalance: 50_000 },
      ...NO_FEES,
      feed: this.#feed,
      product: () => PRODUCT,
      state: new MemoryStateStore(),
      now: () => lane.intents.clock,
    });
    this.#plans = this.#newKeeper();
    this.#settle = this.#newSettle();
    this.quote(BID - 1);
  }

  #newKeeper(): PlanKeeper {
    const { lane } = this;
    const keeper = new PlanKeeper({
      ...lane.deps,
      store: {
        of: async () => [...this.stored.values()].map((text) => JSON.parse(text) as RunningPlan),
        save: async (_account, plan) => {
          this.stored.set(plan.planId, JSON.stringify(plan));
        },
        forget: async (_account, ids) => {
          for (const id of ids) this.stored.delete(id);
        },
      },
      intents: { find: async (_account, id) => lane.intents.find(ACCOUNT, id) },
      intentIdOf: (plan, what, nth) =>
        intentId(`i${hex(`${plan.slice(-4)}${what}${nth}`).padStart(28, "0")}`),
      quoteOf: () => this.#quote,
      closeDue: createCloseDue(() => this.sessionEndsAt),
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
      onStep: () => undefined,
      onError: (_account, error) => {
        throw error;
      },
      settleSoon: (_account, inMs) => this.#lookIn(inMs),
      now: () => lane.intents.clock,
      elapsed: () => lane.intents.clock,
    });
    keeper.submitBy(async ({ intentId: id, intent }) => {
      if (this.holdsIntents) return;
      await this.acceptsAfter;
      await this.#accept(id, intent, "plan");
      await new Promise<void>((done) => this.#queue.push({ id, done }));
    });
    Object.assign(lane.deps, { exits: keeper, plans: keeper });
    return keeper;
  }

  #newSettle() {
    const { lane } = this;
    return createSettlePending({ ...lane.deps, plans: this.#plans, runIntent: lane.runIntent });
  }

  async #connect(): Promise<void> {
    this.paper.onReport(this.lane.watch.onReport);
    this.paper.onReport(this.lane.legs.onReport);
    this.paper.onReport((account, report) => this.#plans.onReport(account, report));
    await new Promise<void>((resolve, reject) => {
      this.paper.runSession({ signal: this.#end.signal, onReady: resolve }).catch(reject);
    });
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
    await this.lane.work(id);
    return this.lane.record(id);
  }

  async enter(exitPlan: ExitPlan, change: Partial<PreparedOrder> = {}) {
    return await this.run({ kind: "PLACE", order: order(change), handling: { exitPlan } });
  }

  quote(bid: number, qty = DEEP): void {
    const [at, ask] = [ticks(bid), ticks(bid + 1)];
    this.#quote = { bid: at, ask, last: at, heardAt: this.lane.intents.clock };
    this.#feed.set(ES, { bid: at, ask, bidQty: qty, askQty: qty });
    this.#plans.noteQuote(ACCOUNT);
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
        this.#quote = { ...this.#quote, heardAt: intents.clock };
        this.#plans.noteQuote(ACCOUNT);
      }
      this.#plans.tick();
      for (const { id, done } of this.#queue.splice(0)) {
        await this.lane.work(id);
        done();
      }
    }
  }

  #lookIn(ms: number): void {
    this.#looks.push(this.lane.intents.clock + Math.max(1, ms - EARLY_MS));
  }

  async #looksUntil(end: number): Promise<void> {
    const { intents, asked } = this.lane;
    for (;;) {
      for (const inMs of asked.splice(0)) this.#lookIn(inMs);
      const next = Math.min(...this.#looks);
      if (next > end) break;
      intents.clock = Math.max(intents.clock, next);
      this.#looks = this.#looks.filter((due) => due > next);
      if (await this.#settle(ACCOUNT)) this.#lookIn(SWEEP_MS);
    }
    intents.clock = end;
  }

  /** Another process takes the account over: it knows what is stored, and nothing else. */
  async restart(): Promise<void> {
    this.#queue = [];
    this.#plans = this.#newKeeper();
    this.#settle = this.#newSettle();
    await this.#plans.load(ACCOUNT);
  }

  async #working() {
    return understood(await this.paper.workingOrders(ACCOUNT));
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
