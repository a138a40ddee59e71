import type { PaperBroker } from "../../../src/brokers/paper/adapter.ts";
import { createManualFeed } from "../../../src/brokers/paper/feed/manual-feed.ts";
import { type IntentId, intentId } from "../../../src/domain/ids.ts";
import { isUnsettled } from "../../../src/domain/intent.ts";
import { type ExecutionReport, isUnderstood, sign, understood } from "../../../src/domain/order.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { ACCOUNT, type Lane, openLane, USER } from "../../unit/trading/lane-kit.ts";
import { beginSession, openPaper } from "../../unit/trading/paper-lane.ts";
import { type Asking, askingOf, CONTRACTS } from "./askings.ts";
import { type Ask, History, isFilling, type Moment, type Standing } from "./history.ts";
import { LossyBroker } from "./lossy-broker.ts";
import { brokenPromises } from "./promises.ts";
import { DEEP, type Root, ROOTS, type Step } from "./steps.ts";

const MAX_POSITION_QTY = 6;
const START = 4_000;
/** Reaches whatever rests. */
const FAR = 60;
/** Who looks after legs and unknowns looks about so often, ms. */
const LOOK_MS = 350;
const LOOKS = 5;
/** By then everything is known. */
const QUIET_SECONDS = 90;
const STEP_MS = 10;

/** One lane with everything around it in memory, its broker on a bad line, and all that happened. */
export class LaneWorld {
  readonly #lane: Lane;
  readonly #paper: PaperBroker;
  readonly #broker: LossyBroker;
  readonly #feed = createManualFeed();
  readonly #bids: Record<Root, number> = { ES: START, NQ: START };
  readonly #history = new History(MAX_POSITION_QTY);
  readonly #queue: IntentId[] = [];
  readonly #end = new AbortController();
  readonly #without: ReadonlySet<string>;
  #net = new Map<string, number>();
  #working: Ask | undefined;
  #troubles = 0;
  #switchedOnAt: number | undefined;

  static async open(without: ReadonlySet<string>): Promise<LaneWorld> {
    const world = new LaneWorld(await openLane(), without);
    await world.#connect();
    return world;
  }

  private constructor(lane: Lane, without: ReadonlySet<string>) {
    this.#lane = lane;
    this.#without = without;
    lane.intents.limits = { maxOrderQty: 20, maxPositionQty: MAX_POSITION_QTY };
    this.#paper = openPaper(lane, this.#feed);
    this.#broker = new LossyBroker(this.#paper, {
      onSent: () => {
        if (this.#working !== undefined) this.#working.sentAt ??= this.#history.tick();
      },
      onCarriedOut: () => {
        if (this.#working !== undefined) this.#working.carried += 1;
      },
    });
    for (const root of ROOTS) this.#quote(root, DEEP);
  }

  async #connect(): Promise<void> {
    const { watch, legs } = this.#lane;
    this.#paper.onReport((_, report) => {
      if (isUnderstood(report)) this.#note(report);
    });
    this.#paper.onReport(watch.onReport);
    this.#paper.onReport(legs.onReport);
    await beginSession(this.#paper, this.#end.signal);
    this.#own();
  }

  close(): void {
    this.#end.abort();
  }

  async take(step: Step): Promise<void> {
    this.#lane.intents.clock += STEP_MS;
    const asking = askingOf(step, {
      bid: (root) => this.#bids[root],
      held: (root) => this.#net.get(CONTRACTS[root]) ?? 0,
    });
    switch (step.do) {
      case "market":
        await this.#move(step.root, step.ticks, step.size);
        break;
      case "trouble":
        this.#broker.expect(step.kind, step.nth);
        return;
      case "restart":
        await this.#restart();
        break;
      case "wait":
        await this.#passes(step.seconds);
        break;
      case "switch":
        this.#turn(step.isOn);
        break;
      case "enter":
      case "target":
      case "exit":
      case "out":
      case "plainExit":
      case "cancelEntries":
      case "protect":
        break;
    }
    let ask: Ask | undefined;
    if (asking !== undefined) {
      ask = await this.#accept(asking);
      if ("isParked" in step && step.isParked) return;
      await this.#workAll();
      // It may have ended what was being filled: what came with that is looked after now.
      if (ask.seen.working.some(isFilling)) await this.#look();
    }
    await this.#check(ask);
  }

  /** Everything becomes known, and then the market reaches whatever rests. */
  async endInOrder(): Promise<void> {
    this.#broker.calm();
    await this.#workAll();
    // Somebody trades with whatever is to be closed: until then an exit is under way.
    for (const root of ROOTS) await this.#move(root, 0, DEEP);
    await this.#becomeQuiet();
    for (const far of [FAR, -2 * FAR, FAR]) {
      for (const root of ROOTS) {
        await this.#move(root, far, DEEP);
        await this.#check(undefined);
      }
    }
    await this.#becomeQuiet();
  }

  #turn(isOn: boolean): void {
    this.#lane.intents.accountKillSwitch = { active: isOn };
    this.#switchedOnAt = isOn ? (this.#switchedOnAt ?? this.#history.tick()) : undefined;
  }

  async #accept({ what, intent, contracts }: Asking): Promise<Ask> {
    const { asks } = this.#history;
    const nth = asks.length + 1;
    const id = intentId(`i${nth.toString(16).padStart(28, "0")}`);
    const seen = await this.#standing();
    const askedAt = this.#history.tick();
    const ask: Ask = { nth, id, what, intent, contracts, askedAt, seen, carried: 0 };
    asks.push(ask);
    const { intents } = this.#lane;
    await intents.accept({
      intentId: id,
      accountId: ACCOUNT,
      userId: USER,
      requestId: "r1",
      source: { kind: "webhook" },
      intent,
      entryMaxAgeMs: 30_000,
      exitMaxAgeMs: 600_000,
      receivedAt: intents.clock,
    });
    this.#queue.push(id);
    return ask;
  }

  /** The lane: one after another, as they were accepted. */
  async #workAll(): Promise<void> {
    for (let id = this.#queue[0]; id !== undefined; id = this.#queue[0]) {
      const current = id;
      this.#working = this.#history.asks.find((ask) => ask.id === current);
      const hasDied = await this.#orDies(() => this.#lane.work(current));
      this.#working = undefined;
      // What was in hand is the first that the next owner looks at.
      if (hasDied) await this.#restart();
      else this.#queue.shift();
      this.#noteEnds();
    }
  }

  /** Answers whether it died of it. */
  async #orDies(work: () => Promise<unknown>): Promise<boolean> {
    const death = this.#broker.death();
    const done = work();
    const how = await Promise.race([done, death]);
    return how === "died";
  }

  async #move(root: Root, by: number, size: number): Promise<void> {
    await this.#broker.deliver();
    this.#bids[root] += by;
    this.#quote(root, size);
    await this.#look();
  }

  #quote(root: Root, size: number): void {
    const bid = ticks(this.#bids[root]);
    const ask = ticks(this.#bids[root] + 1);
    this.#feed.set(CONTRACTS[root], { bid, ask, bidQty: size, askQty: size });
  }

  /** A moment, in which whoever looks after the account has had a turn. */
  async #look(): Promise<void> {
    for (let look = 0; look < LOOKS; look += 1) {
      if (!(await this.#settlePending(LOOK_MS))) return;
    }
  }

  async #passes(seconds: number): Promise<void> {
    await this.#broker.deliver();
    for (let ms = 0; ms < seconds * 1_000; ms += LOOK_MS) await this.#settlePending(LOOK_MS);
  }

  async #settlePending(ms: number): Promise<boolean> {
    this.#lane.intents.clock += ms;
    const { troubles } = this.#broker;
    let isAskedAgain = false;
    const hasDied = await this.#orDies(async () => {
      isAskedAgain = await this.#lane.settlePending(ACCOUNT);
    });
    if (hasDied) await this.#restart();
    else if (!isAskedAgain) this.#troubles = troubles;
    this.#noteEnds();
    return isAskedAgain;
  }

  async #becomeQuiet(): Promise<void> {
    await this.#broker.deliver();
    let calm = 0;
    for (let second = 0; second < QUIET_SECONDS && calm < 2; second += 1) {
      const isAskedAgain = await this.#settlePending(1_000);
      calm = isAskedAgain || this.#isUnsure() ? 0 : calm + 1;
    }
    await this.#check(undefined);
    if (!this.#isUnsure()) return;
    const open = this.#history.asks.filter(({ endedAt }) => endedAt === undefined);
    throw new Error(`everything settles; but ${JSON.stringify(open)}`);
  }

  #isUnsure(): boolean {
    return this.#history.asks.some(({ endedAt }) => endedAt === undefined);
  }

  /** A new owner, who knows what is stored and what the broker shows. */
  async #restart(): Promise<void> {
    await this.#broker.deliver();
    this.#own();
    this.#lane.legs.suspect(ACCOUNT);
    await this.#look();
  }

  #own(): void {
    const { intents } = this.#lane;
    intents.epoch += 1;
    this.#lane.setConnection({
      broker: this.#broker,
      cancelEndsLinkedLeg: true,
      ownership: { epoch: intents.epoch, isOwned: () => true },
    });
    this.#lane.setSession({ beganAt: intents.clock });
  }

  #note({ execType, order, fill }: ExecutionReport): void {
    if (execType !== "TRADE" || fill === undefined) return;
    const { contract, side, lastQty } = fill;
    const before = this.#net.get(contract) ?? 0;
    const after = before + sign(side) * lastQty;
    this.#net.set(contract, after);
    const ask = this.#history.askOf(order);
    const at = this.#history.tick();
    this.#history.fills.push({ at, contract, side, order, before, after, ask });
  }

  #noteEnds(): void {
    for (const ask of this.#history.asks) {
      if (ask.endedAt !== undefined) continue;
      const { state, outcome } = this.#lane.record(ask.id);
      if (isUnsettled(state) || outcome === undefined) continue;
      ask.outcome = outcome;
      ask.endedAt = this.#history.tick();
    }
  }

  async #standing(): Promise<Standing> {
    const working = understood(await this.#paper.workingOrders(ACCOUNT));
    const positions = await this.#paper.positions(ACCOUNT);
    return { working, net: new Map(positions.map(({ contract, netQty }) => [contract, netQty])) };
  }

  /** Something went wrong, and nobody has had the time to make it good. */
  #isTroubled(): boolean {
    return this.#broker.troubles > this.#troubles;
  }

  async #check(ask: Ask | undefined): Promise<void> {
    const standing = await this.#standing();
    const moment: Moment = {
      ...standing,
      at: this.#history.tick(),
      ask,
      isSettled: !this.#isUnsure() && !standing.working.some(isFilling) && !this.#isTroubled(),
      switchedOnAt: this.#switchedOnAt,
    };
    this.#history.moments.push(moment);
    const broken = brokenPromises(this.#history, this.#without);
    if (broken.length === 0) return;
    const lines = broken.map(({ promise, what }) => `  "${promise}" is broken: ${what}`);
    throw new Error(lines.slice(0, 4).join("\n"));
  }
}
