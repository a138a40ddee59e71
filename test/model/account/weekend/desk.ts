import type { Foundation } from "../../../../src/app/open-foundation.ts";
import { marketNow } from "../../../../src/app/keep-plans.ts";
import { createScheduleLookups } from "../../../../src/app/schedule-lookups.ts";
import type { PaperBroker } from "../../../../src/brokers/paper/adapter.ts";
import { createManualFeed } from "../../../../src/brokers/paper/feed/manual-feed.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { type IntentId, intentId } from "../../../../src/domain/ids.ts";
import type { Intent, IntentRecord } from "../../../../src/domain/intent.ts";
import { isUnderstood } from "../../../../src/domain/order.ts";
import { createCloseDue } from "../../../../src/trading/lane/exits/close-due.ts";
import { openPlanKeeper } from "../../../unit/trading/lane/exits/open-plan-keeper.ts";
import { ACCOUNT, type Lane, MemoryViews, openLane, USER } from "../../../unit/trading/lane-kit.ts";
import { MemoryIntents } from "../../../unit/trading/memory-intents.ts";
import { beginSession, openPaper } from "../../../unit/trading/paper-lane.ts";
import { Agenda } from "../agenda.ts";
import { type Mood, type Shut, WeekendExchange } from "./exchange.ts";
import type { Weekend } from "./hours.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/**
 * A sweep looks again at what is open. The gateway's come every 3 s. Here they come so often for a while after
 * a close, an opening or a request, and then rarely: nothing happens, and a weekend of them takes a minute.
 */
const SWEEPS = [
  { untilMs: 45 * SECOND_MS, everyMs: 3 * SECOND_MS },
  { untilMs: 5 * MINUTE_MS, everyMs: 20 * SECOND_MS },
  { untilMs: Infinity, everyMs: 60 * MINUTE_MS },
] as const;
/** The first ones come before. */
const BEFORE_MS = 6 * SECOND_MS;

export const BID = 27_400;

export interface DeskOptions extends Mood {
  /** The auction of the index lasts so long. */
  readonly auctionMs?: number;
  /** The first price of the index after the weekend, in ticks, and how many contracts it is for. */
  readonly printsAt?: number;
  readonly printsQty?: number;
  /** So much earlier than the clock of the gateway says does the exchange close and open. */
  readonly aheadMs?: number;
}

/** One look at the index: its position, and the contracts for which a stop works. */
export interface Seen {
  readonly at: number;
  readonly net: number;
  readonly stops: number;
}

/** The product's own hours and holidays; what was worked out once is kept for the next desk. */
const LOOKUPS = createScheduleLookups();

/** Requests are numbered, so that no two desks or owners share a name. */
let requests = 0;

/** One account from Friday to Monday: its broker, its store, and one owner after another, on a manual clock. */
export class Desk {
  readonly exchange: WeekendExchange;
  readonly index: ContractCode;
  readonly cattle: ContractCode;
  readonly shut: Shut;
  readonly cattleShut: Shut;
  /** All looks, in their order. */
  readonly seen: Seen[] = [];
  readonly #intents: MemoryIntents;
  readonly #views: MemoryViews;
  readonly #agenda = new Agenda();
  readonly #end = new AbortController();
  readonly #stored = new Map<IntentId, string>();
  readonly #paper: PaperBroker;
  readonly #busyAt: number[];
  #lane: Lane;
  #kept: ReturnType<typeof openPlanKeeper> | undefined;

  static async open(weekend: Weekend, options: DeskOptions = {}): Promise<Desk> {
    const intents = new MemoryIntents();
    intents.clock = Date.parse(weekend.trades);
    const views = new MemoryViews();
    const lane = await openLane({ intents, views });
    const desk = new Desk(weekend, options, { intents, views, lane });
    await beginSession(desk.#paper, desk.#end.signal);
    await desk.#own();
    desk.#sweep();
    return desk;
  }

  private constructor(
    weekend: Weekend,
    { auctionMs = 0, aheadMs = 0, printsAt = BID, printsQty, ...mood }: DeskOptions,
    { intents, views, lane }: { intents: MemoryIntents; views: MemoryViews; lane: Lane },
  ) {
    this.#intents = intents;
    this.#views = views;
    this.#lane = lane;
    this.#agenda.follow(clockOf(intents));
    this.index = weekend.index.contract;
    this.cattle = weekend.cattle.contract;
    this.shut = shutOf(weekend.index, { auctionMs, aheadMs });
    this.cattleShut = shutOf(weekend.cattle, { aheadMs });
    const feed = createManualFeed();
    this.#paper = openPaper(lane, feed);
    this.exchange = new WeekendExchange({
      paper: this.#paper,
      feed,
      now: () => intents.clock,
      shut: new Map([
        [this.index, this.shut],
        [this.cattle, this.cattleShut],
      ]),
      mood,
    });
    this.#paper.onReport((account, report) => {
      if (!isUnderstood(report)) return;
      this.#kept?.record(account, report);
      this.#lane.watch.onReport(account, report);
      this.#lane.legs.onReport(account, report);
      this.#kept?.keeper.onReport(account, report);
    });
    const { shut, cattleShut } = this;
    this.#busyAt = [shut, cattleShut].flatMap(({ closesAt, opensAt }) => [closesAt, opensAt]);
    for (const contract of [this.index, this.cattle]) this.exchange.print(contract, BID);
    this.at(shut.closesAt, () => this.exchange.endOfDay(this.index));
    this.at(cattleShut.closesAt, () => this.exchange.endOfDay(this.cattle));
    this.at(shut.printsAt, () => this.exchange.print(this.index, printsAt, printsQty));
    this.at(cattleShut.printsAt, () => this.exchange.print(this.cattle, BID));
  }

  close(): void {
    this.#end.abort();
  }

  get now(): number {
    return this.#intents.clock;
  }

  /** Something happens at that moment, whatever the gateway does then. */
  at(moment: number, run: () => unknown): void {
    this.#agenda.after(moment - this.now, run);
  }

  /** Everything due until then is done, in its order. */
  async until(moment: number): Promise<void> {
    while (await this.#agenda.next(moment)) await this.#afterwards();
    await this.#afterwards();
  }

  /** Accepts it and works it as the lane does; answers its record. */
  async ask(intent: Intent, kind: "webhook" | "api" = "webhook"): Promise<IntentRecord> {
    requests += 1;
    this.#busyAt.push(this.now);
    const id = intentId(`i${requests.toString(16).padStart(28, "0")}`);
    await this.#work(id, intent, kind);
    await this.#afterwards();
    return this.record(id);
  }

  async #work(id: IntentId, intent: Intent, kind: "webhook" | "api" | "plan"): Promise<void> {
    await this.#intents.accept({
      intentId: id,
      accountId: ACCOUNT,
      userId: USER,
      requestId: "r1",
      source: { kind },
      intent,
      entryMaxAgeMs: 30_000,
      exitMaxAgeMs: 600_000,
      receivedAt: this.now,
    });
    await this.#lane.work(id);
  }

  record(id: IntentId): IntentRecord {
    return this.#intents.record(ACCOUNT, id);
  }

  /** A person takes an exit back that goes on. */
  async takeBack(id: IntentId): Promise<boolean> {
    return await this.#intents.stopGoingOn(ACCOUNT, id);
  }

  /** Requests that have not ended. */
  async open(): Promise<readonly IntentRecord[]> {
    return await this.#intents.unsettled(ACCOUNT);
  }

  /** The link to the broker is lost, until another process is the owner. */
  loseLink(): void {
    this.#lane.setConnection(undefined);
  }

  /** Another process becomes the owner, with what is stored and what the broker shows. */
  async restart(): Promise<void> {
    this.#lane.setConnection(undefined);
    this.#lane = await openLane({ intents: this.#intents, views: this.#views });
    this.#intents.epoch += 1;
    await this.#own();
  }

  /** Failures of the gateway itself. */
  get errors(): readonly unknown[] {
    return this.#lane.errors;
  }

  /** Exits that are missing, as the present owner has said. */
  get missing(): readonly string[] {
    return this.#lane.missing;
  }

  async #own(): Promise<void> {
    const lane = this.#lane;
    const { describe } = lane.deps;
    const base = {
      config: { MARKET_HOURS: "exchange" },
      scheduleLookups: LOOKUPS,
      now: () => this.now,
    };
    Object.assign(lane.deps, {
      marketOf: marketNow(base as unknown as Foundation),
      describe: (contract: ContractCode) => ({ ...describe(contract), symbol: contract }),
    });
    this.#kept = openPlanKeeper(lane, {
      stored: this.#stored,
      quoteOf: (_account, contract) => this.exchange.quoteOf(contract),
      closeDue: createCloseDue(() => Infinity),
      isTrading: (contract) => !this.exchange.isShut(contract),
      unprotected: { missing: () => undefined },
      alarms: { raise: () => undefined, clear: () => undefined },
    });
    this.#kept.keeper.submitBy(
      async (plan) => await this.#work(plan.intentId, plan.intent, "plan"),
    );
    lane.setConnection({
      broker: this.exchange,
      cancelEndsLinkedLeg: true,
      ownership: { epoch: this.#intents.epoch, isOwned: () => this.#lane === lane },
    });
    lane.setSession({ beganAt: this.now });
    lane.legs.suspect(ACCOUNT);
    await this.#kept.keeper.load(ACCOUNT);
    lane.looks.ask(ACCOUNT, 1);
  }

  #sweep(): void {
    const { now } = this;
    const since = this.#busyAt.map((at) => now - at + BEFORE_MS);
    const ageMs = Math.min(...since.filter((ms) => ms >= 0)) - BEFORE_MS;
    const everyMs = SWEEPS.find(({ untilMs }) => ageMs < untilMs)?.everyMs ?? Infinity;
    const nextMs = Math.min(...since.filter((ms) => ms < 0).map((ms) => -ms));
    this.#agenda.after(Math.min(everyMs, nextMs), async () => {
      this.#sweep();
      await this.#look();
    });
  }

  async #look(): Promise<void> {
    await this.#kept?.settle(ACCOUNT);
    const working = await this.exchange.working(this.index);
    const stops = working
      .filter(({ stopPx, ordStatus }) => stopPx !== undefined && ordStatus !== "HELD")
      .reduce((sum, { leavesQty }) => sum + leavesQty, 0);
    this.seen.push({ at: this.now, net: await this.exchange.net(this.index), stops });
  }

  /** The looks that the keepers have asked for. */
  async #afterwards(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const lane = this.#lane;
    for (const { dueAt } of lane.timers.splice(0)) {
      this.#agenda.after(dueAt - this.now, async () => {
        if (lane === this.#lane) await this.#look();
      });
    }
  }
}

const clockOf = (intents: MemoryIntents) => ({
  get now() {
    return intents.clock;
  },
  set now(at) {
    intents.clock = at;
  },
});

function shutOf(
  { closes, opens }: Weekend["index"],
  { auctionMs = 0, aheadMs = 0 }: Pick<DeskOptions, "auctionMs" | "aheadMs">,
): Shut {
  const opensAt = Date.parse(opens) - aheadMs;
  return { closesAt: Date.parse(closes) - aheadMs, opensAt, printsAt: opensAt + auctionMs };
}
