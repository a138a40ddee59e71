import { freshQuote, quoteHeardAt } from "../../../src/domain/quote.ts";
import type { ClOrdId, IntentId } from "../../../src/domain/ids.ts";
import { intentId } from "../../../src/domain/ids.ts";
import type { Ticks } from "../../../src/domain/contracts/price.ts";
import type { EntryGuards } from "../../../src/trading/guards/entry-guards.ts";
import { createCloseDue } from "../../../src/trading/lane/exits/close-due.ts";
import { OrderDeadlines } from "../../../src/trading/lane/timeouts/order-deadlines.ts";
import type { OrderDeadline } from "../../../src/trading/lane/timeouts/ports.ts";
import { openPlanKeeper } from "../../unit/trading/lane/exits/open-plan-keeper.ts";
import { ACCOUNT, type Lane, openLane } from "../../unit/trading/lane-kit.ts";
import { LossyBroker } from "../lane/lossy-broker.ts";
import type { Agenda } from "./agenda.ts";
import type { UnkindExchange } from "./exchange.ts";
import type { Meanwhile } from "./meanwhile.ts";
import type { Recorder } from "./recorder.ts";

const TICK_MS = 1_000;
/** Each sweep looks again at the intents that could not be settled. */
const SWEEP_MS = 3_000;

type PlanIntent = Parameters<
  Parameters<ReturnType<typeof openPlanKeeper>["keeper"]["submitBy"]>[0]
>[0];

interface Prices {
  readonly bid: Ticks;
  readonly ask: Ticks;
  readonly last: Ticks;
}

/** The owner of one account, with its lane, legs, exit plans and timeouts, and every later owner. */
export class Gateway {
  readonly lane: Lane;
  readonly clock: { now: number };
  readonly #agenda: Agenda;
  readonly #prices: () => Prices | undefined;
  readonly #storedPlans = new Map<IntentId, string>();
  readonly #storedDeadlines = new Map<ClOrdId, OrderDeadline>();
  #queue: { readonly id: IntentId; readonly done: () => void }[] = [];
  #broker: LossyBroker | undefined;
  #recorder: Recorder | undefined;
  #kept: ReturnType<typeof openPlanKeeper>;
  #deadlines: OrderDeadlines;
  #onDeath: () => void = () => undefined;

  static async open(
    agenda: Agenda,
    meanwhile: Meanwhile,
    prices: () => Prices | undefined,
  ): Promise<Gateway> {
    const guards: EntryGuards = {
      of: () => ({ version: "", refuse: () => gateway.#locked() }),
      // Guards are up to date at once, unless an event is planned for the wait.
      upToDate: () => (meanwhile.isPlannedAt("guards") ? meanwhile.pass("guards") : undefined),
      reread: () => undefined,
    };
    const gateway: Gateway = new Gateway(await openLane({ guards }), agenda, meanwhile, prices);
    return gateway;
  }

  private constructor(
    lane: Lane,
    agenda: Agenda,
    meanwhile: Meanwhile,
    prices: () => Prices | undefined,
  ) {
    this.lane = lane;
    this.#agenda = agenda;
    this.#prices = prices;
    const { intents } = lane;
    this.clock = {
      get now() {
        return intents.clock;
      },
      set now(at) {
        intents.clock = at;
      },
    };
    intents.limits = { maxOrderQty: 20, maxPositionQty: 6 };
    intents.before.beginSending = () => meanwhile.pass("writeAhead");
    intents.after.beginSending = () => this.#recorder?.noteWrittenAhead();
    this.#kept = this.#openPlans();
    this.#deadlines = this.#openDeadlines();
    const keepPlan = intents.onKept;
    intents.onKept = (keeps) => {
      keepPlan(keeps);
      const { deadline } = keeps;
      if (deadline !== undefined) {
        this.#storedDeadlines.set(deadline.intent.clOrdId, deadline);
      }
    };
  }

  connect(exchange: UnkindExchange, recorder: Recorder): void {
    this.#recorder = recorder;
    Object.assign(this.lane.deps, {
      marketOf: () => ({ kind: exchange.isClosed ? "unsure" : "open" }),
    });
    this.#broker = new LossyBroker(exchange, {
      onSent: () => undefined,
      onCarriedOut: () => undefined,
    });
    exchange.onReport((account, report) => {
      this.#kept.record(account, report);
      if (report.fill?.takenBack === true) this.#noteCorrected();
      this.lane.watch.onReport(account, report);
      this.lane.legs.onReport(account, report);
      this.#kept.keeper.onReport(account, report);
      this.#deadlines.onReport(account, report);
    });
  }

  begin(): void {
    this.#own();
    this.#tick();
    this.#sweep();
  }

  get broker(): LossyBroker {
    if (this.#broker === undefined) throw new Error("it is connected before it is used");
    return this.#broker;
  }

  /** The entries whose plans are stored. */
  get plans(): ReadonlySet<IntentId> {
    return new Set(this.#storedPlans.keys());
  }

  noteQuote(): void {
    this.#kept.keeper.noteQuote(ACCOUNT);
  }

  put(id: IntentId, done: () => void = () => undefined): void {
    this.#queue.push({ id, done });
  }

  /** The lane: one after another, as they were accepted. */
  async work(): Promise<void> {
    for (let first = this.#queue[0]; first !== undefined; first = this.#queue[0]) {
      const { id, done } = first;
      this.#recorder?.begin(id);
      const hasDied = await this.#orDies(() => this.lane.work(id));
      this.#recorder?.end();
      // The next owner begins with the intent in hand.
      if (hasDied) await this.restart();
      else {
        this.#queue.shift();
        done();
      }
    }
  }

  /** Time goes by, and everything due is done. */
  async passes(ms: number): Promise<void> {
    const until = this.clock.now + ms;
    while (await this.#agenda.next(until)) await this.#afterwards();
    await this.#afterwards();
  }

  /** A new owner, with only what is stored and what the broker shows. */
  async restart(): Promise<void> {
    await this.broker.deliver();
    this.#deadlines.stop();
    this.#kept = this.#openPlans();
    this.#deadlines = this.#openDeadlines();
    this.#own();
    this.lane.legs.suspect(ACCOUNT);
    await this.#kept.keeper.load(ACCOUNT);
    await this.#deadlines.load(ACCOUNT);
    this.lane.looks.ask(ACCOUNT, 1);
  }

  /** The owner dies: its wait never ends. */
  die(): Promise<never> {
    this.#onDeath();
    return new Promise(() => undefined);
  }

  #own(): void {
    const { intents } = this.lane;
    intents.epoch += 1;
    this.lane.setConnection({
      broker: this.broker,
      cancelEndsLinkedLeg: true,
      ownership: { epoch: intents.epoch, isOwned: () => true },
    });
    this.lane.setSession({ beganAt: intents.clock });
  }

  /** As the owner does once a corrected fill is recorded (`app/keep-in-step.ts`). */
  #noteCorrected(): void {
    this.#recorder?.noteAlarm("fillCorrected");
    this.lane.legs.suspect(ACCOUNT);
  }

  #locked() {
    if (this.#recorder?.isLocked !== true) return undefined;
    return { kind: "denied", code: "LOCKED", reason: "The account is locked" } as const;
  }

  #openPlans(): ReturnType<typeof openPlanKeeper> {
    const { intents } = this.lane;
    const note = (what: string) => this.#recorder?.noteAlarm(what);
    const opened = openPlanKeeper(this.lane, {
      stored: this.#storedPlans,
      quoteOf: () => {
        const prices = this.#prices();
        return prices && freshQuote(quoteHeardAt(intents.clock, prices), intents.clock);
      },
      closeDue: createCloseDue(() => Infinity),
      isTrading: () => true,
      unprotected: { missing: (_account, { exits }) => note(exits.join(" ")) },
      alarms: { raise: ({ kind }) => note(kind), clear: () => undefined },
    });
    opened.keeper.submitBy(async (intent) => {
      await this.#submit(intent);
    });
    return opened;
  }

  async #submit({ intentId: id, planId, intent }: PlanIntent): Promise<void> {
    await this.#recorder?.askFor(planId, { id, intent, source: "plan" });
    await new Promise<void>((done) => this.put(id, done));
  }

  #openDeadlines(): OrderDeadlines {
    const { intents } = this.lane;
    const deadlines = new OrderDeadlines({
      store: {
        of: async () => [...this.#storedDeadlines.values()],
        forget: async (_account, order) => void this.#storedDeadlines.delete(order),
      },
      intents,
      brokerOf: () => this.broker,
      intentIdOf: (_account, order, nth) =>
        intentId(
          `i${Buffer.from(`${order.slice(-9)}${nth}`)
            .toString("hex")
            .padStart(28, "f")
            .slice(-28)}`,
        ),
      entryMaxAgeMs: 30_000,
      after: this.#agenda.after,
      now: () => intents.clock,
      onError: (_account, error) => {
        throw error;
      },
    });
    deadlines.submitBy(async ({ intentId: id, intent }) => {
      if (id === undefined || intent.kind !== "TIMEOUT") throw new Error("no timeout");
      const entry = this.#recorder?.record.askNamed(intent.clOrdId);
      if (entry === undefined) throw new Error("a timeout is of an order that was asked for");
      await this.#recorder?.askFor(entry.id, { id, intent, source: "timeout" });
      this.put(id);
      return { intentId: id };
    });
    Object.assign(this.lane.deps, { deadlines });
    return deadlines;
  }

  /** True if the owner died meanwhile. */
  async #orDies(work: () => Promise<unknown>): Promise<boolean> {
    const deaths = [
      this.broker.death(),
      new Promise<"died">((resolve) => (this.#onDeath = () => resolve("died"))),
    ];
    const how = await Promise.race([work(), ...deaths]);
    return how === "died";
  }

  #tick(): void {
    this.#agenda.after(TICK_MS, () => {
      this.#kept.keeper.tick();
      this.#tick();
    });
  }

  #sweep(): void {
    this.#agenda.after(SWEEP_MS, async () => {
      this.#sweep();
      if (this.#recorder?.hasOpen === true) await this.#look();
    });
  }

  async #look(): Promise<void> {
    const hasDied = await this.#orDies(() => this.#kept.settle(ACCOUNT));
    this.#recorder?.noteEnds();
    if (hasDied) await this.restart();
  }

  /** Runs the intents that were submitted meanwhile. */
  async #afterwards(): Promise<void> {
    // A callback may submit an intent before it returns.
    await new Promise((resolve) => setImmediate(resolve));
    for (const look of this.lane.timers.splice(0)) {
      this.#agenda.after(look.dueAt - this.clock.now, async () => await this.#look());
    }
    await this.work();
    this.#recorder?.noteEnds();
  }
}
