import type { PaperBroker } from "../../../src/brokers/paper/adapter.ts";
import { createManualFeed } from "../../../src/brokers/paper/feed/manual-feed.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { clOrdId } from "../../../src/domain/ids.ts";
import { understood } from "../../../src/domain/order.ts";
import { ACCOUNT, ES } from "../../unit/trading/lane-kit.ts";
import { beginSession, openPaper } from "../../unit/trading/paper-lane.ts";
import { isFilling } from "../lane/history.ts";
import { DEEP } from "../lane/steps.ts";
import { Agenda } from "./agenda.ts";
import { askingsOf } from "./askings.ts";
import { UnkindExchange } from "./exchange.ts";
import { Gateway } from "./gateway.ts";
import { type Broken, firstBroken } from "./invariants.ts";
import { Meanwhile } from "./meanwhile.ts";
import type { Ask } from "./record.ts";
import { Recorder } from "./recorder.ts";
import type { Step, StepOf } from "./steps.ts";

const START = 4_000;
const STEP_MS = 10;
/** By then each keeper of the account has had a turn. */
const MOMENT_MS = 700;
/** By then everything is known. */
const QUIET_SECONDS = 120;
/** Nothing has happened for so long: the account is at rest. */
const REST_MS = 10_000;
const STOP_BACK_WITHIN_MS = 1_500;

/** One account with all its keepers in memory, on an unkind exchange. */
export class AccountWorld {
  readonly #gateway: Gateway;
  readonly #paper: PaperBroker;
  readonly #exchange: UnkindExchange;
  readonly #recorder: Recorder;
  readonly #feed = createManualFeed();
  readonly #meanwhile: Meanwhile;
  readonly #agenda: Agenda;
  readonly #end = new AbortController();
  #bid = START;
  #byHand = 0;
  #silentUntil = 0;

  static async open(): Promise<AccountWorld> {
    const agenda = new Agenda();
    const meanwhile = new Meanwhile((what) => world.#happens(what));
    const gateway = await Gateway.open(agenda, meanwhile, () => world.#quote());
    const world = new AccountWorld(gateway, agenda, meanwhile);
    await beginSession(world.#paper, world.#end.signal);
    gateway.begin();
    return world;
  }

  private constructor(gateway: Gateway, agenda: Agenda, meanwhile: Meanwhile) {
    this.#gateway = gateway;
    this.#agenda = agenda;
    this.#meanwhile = meanwhile;
    agenda.follow(gateway.clock);
    this.#paper = openPaper(gateway.lane, this.#feed);
    this.#recorder = new Recorder(gateway);
    this.#exchange = new UnkindExchange(this.#paper, ACCOUNT, {
      ...this.#recorder.exchangeWatch,
      tookBack: (report) => {
        this.#show(DEEP);
        this.#recorder.exchangeWatch.tookBack(report);
      },
      wasRead: async () => {
        this.#recorder.noteRead();
        await meanwhile.pass("read");
      },
      after: agenda.after,
    });
    this.#recorder.watchUnreported(() => this.#exchange.isUnreported);
    this.#recorder.watchMarket(() => this.#exchange.isClosed);
    gateway.connect(this.#exchange, this.#recorder);
    this.#show(DEEP);
  }

  close(): void {
    this.#end.abort();
  }

  /** Returns the first invariant that is broken. */
  async take(step: Step): Promise<Broken | undefined> {
    this.#gateway.clock.now += STEP_MS;
    await this.#act(step);
    const askings = askingsOf(step, await this.#sight());
    for (const asking of askings) await this.#recorder.ask(asking);
    if (askings.length > 0) {
      if (!("isParked" in step && step.isParked)) await this.#gateway.work();
      if (await this.#isFilling()) await this.#gateway.passes(MOMENT_MS);
    }
    return await this.#look();
  }

  /** Lets everything become known and come to rest. */
  async endInOrder(): Promise<Broken | undefined> {
    this.#gateway.broker.calm();
    this.#exchange.calm();
    this.#meanwhile.calm();
    this.#silentUntil = 0;
    await this.#gateway.broker.deliver();
    await this.#gateway.work();
    await this.#move(0, DEEP);
    return await this.#becomeQuiet();
  }

  async #act(step: Step): Promise<void> {
    const { lane, broker } = this.#gateway;
    switch (step.do) {
      case "market":
        if (!this.#exchange.isClosed) await this.#move(step.ticks, step.size);
        return;
      case "trouble":
        return broker.expect(step.kind, step.nth);
      case "restart":
        return await this.#gateway.restart();
      case "wait":
        await broker.deliver();
        return await this.#passes(step.seconds);
      case "switch":
      case "lock":
        return this.#recorder.lock(step.isOn);
      case "byHand":
        return await this.#trade(step);
      case "reports":
        return this.#exchange.reportNext(step.how);
      case "refuses":
        return this.#exchange.refuse(step.what, step.times);
      case "closes":
        this.#exchange.isClosed = true;
        this.#recorder.noteChange();
        this.#agenda.after(step.seconds * 1_000, () => this.#opens());
        return;
      case "silent":
        this.#silentUntil = lane.intents.clock + step.seconds * 1_000;
        return;
      case "meanwhile":
        return this.#meanwhile.plan(step);
      case "cancelEntries":
      case "cancelLeg":
      case "closeThenEnter":
      case "copy":
      case "enter":
      case "exit":
      case "into":
      case "out":
      case "plainExit":
      case "planned":
      case "protect":
      case "reduce":
      case "reverse":
      case "target":
      case "timed":
        return;
    }
  }

  #opens(): void {
    this.#exchange.isClosed = false;
    this.#recorder.noteChange();
  }

  async #happens({ event, ticks: by }: StepOf<"meanwhile">): Promise<void> {
    switch (event) {
      case "moves":
        if (this.#exchange.isClosed) return;
        this.#bid += by;
        this.#show(DEEP);
        return await this.#untilReported();
      case "locks":
        return this.#recorder.lock(true);
      case "byHand":
        return await this.#trade({ side: by > 0 ? "BUY" : "SELL", qty: 1 });
      case "dies":
        return await this.#gateway.die();
    }
  }

  async #passes(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await this.#gateway.passes(1_000);
      await this.#gateway.broker.deliver();
      await this.#noteStops();
    }
    await this.#noteRest();
  }

  async #move(by: number, size: number): Promise<void> {
    await this.#gateway.broker.deliver();
    this.#bid += by;
    this.#show(size);
    await this.#untilReported();
    await this.#gateway.passes(MOMENT_MS);
  }

  #show(size: number): void {
    const [bid, ask] = [ticks(this.#bid), ticks(this.#bid + 1)];
    this.#feed.set(ES, { bid, ask, bidQty: size, askQty: size });
    if (this.#gateway.clock.now >= this.#silentUntil) this.#gateway.noteQuote();
  }

  /** The prices that the gateway hears. */
  #quote() {
    if (this.#gateway.clock.now < this.#silentUntil) return undefined;
    return { bid: ticks(this.#bid), ask: ticks(this.#bid + 1), last: ticks(this.#bid) };
  }

  /** The exchange reports fills once they are stored. */
  async #untilReported(): Promise<void> {
    await this.#paper.positions(ACCOUNT);
  }

  /** A person trades at the platform. */
  async #trade({ side, qty }: Pick<StepOf<"byHand">, "side" | "qty">): Promise<void> {
    if (this.#exchange.isClosed) return;
    this.#byHand += 1;
    await this.#paper.submitOrder(ACCOUNT, {
      clOrdId: clOrdId(`hand-${this.#byHand}`),
      contract: ES,
      side,
      orderQty: qty,
      ordType: "MARKET",
      timeInForce: "IOC",
    });
  }

  async #working() {
    return understood(await this.#paper.workingOrders(ACCOUNT));
  }

  async #sight() {
    const working = await this.#working();
    const legs = working.filter(({ role, ordStatus }) => role !== "ORDER" && ordStatus !== "HELD");
    return { bid: this.#bid, held: this.#recorder.net, legs };
  }

  async #isFilling(): Promise<boolean> {
    return (await this.#working()).some(isFilling);
  }

  /** Records whether the stops that a refused close has cost work again. */
  async #noteStops(): Promise<void> {
    if (!this.#recorder.owesStops(STOP_BACK_WITHIN_MS)) return;
    this.#recorder.noteStops(await this.#working());
  }

  async #noteRest(): Promise<void> {
    const working = await this.#working();
    const isQuiet = this.#recorder.quietMs >= REST_MS && !this.#exchange.isClosed;
    if (isQuiet && this.#recorder.isKnown && !working.some(isFilling)) {
      const [position] = await this.#paper.positions(ACCOUNT);
      const shown = position?.netQty ?? 0;
      this.#recorder.noteRest({ working, shown, plans: this.#gateway.plans });
    }
  }

  async #look(): Promise<Broken | undefined> {
    await this.#noteStops();
    return firstBroken(this.#recorder.record);
  }

  async #becomeQuiet(): Promise<Broken | undefined> {
    for (let second = 0; second < QUIET_SECONDS; second += 1) {
      await this.#passes(1);
      const broken = await this.#look();
      if (broken !== undefined) return broken;
      if (this.#recorder.hasRested) return undefined;
    }
    const open = this.#recorder.record.asks.filter(({ ended }) => ended === undefined);
    return unsettled(open);
  }
}

const unsettled = (open: readonly Ask[]): Broken => ({
  invariant: "everything comes to rest",
  at: Infinity,
  what: `${open.length} asks are open: ${JSON.stringify(open.slice(0, 2))}`,
});
