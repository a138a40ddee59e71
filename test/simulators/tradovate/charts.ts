import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { type Answer, badRequest, notFound, ok } from "./answer.ts";
import type { BarBook } from "./bar-book.ts";
import type { BrokerClock } from "./broker-clock.ts";
import { barPacket, inPackets, type Packet, tickPacket } from "./chart-packets.ts";
import { type ChartWish, type Elements, readChart } from "./chart-request.ts";
import type { Listed, ContractDirectory } from "./contract-directory.ts";
import type { Tick } from "../bars/contract-bars.ts";
import { allow, type Feed, type MdRequest } from "./md-access.ts";
import type { MdGate } from "./md-gate.ts";
import { idOf } from "./order-request.ts";
import type { Settings } from "./settings.ts";

export interface ChartsDeps {
  readonly contracts: ContractDirectory;
  readonly clock: BrokerClock;
  readonly book: BarBook;
  readonly gate: MdGate;
  /** Those of market data sockets. */
  readonly settings: (user: string) => Settings;
  /** At what a contract trades now, in ticks. */
  readonly priceOf: (listed: Listed) => number;
}

/** One chart of one socket. */
interface Chart {
  readonly feed: Feed;
  readonly user: string;
  readonly listed: Listed;
  readonly elements: Elements;
  readonly realtimeId: number;
  readonly historicalId: number;
}

/** Charts: their history in packets, then the last bar as it grows and the next one begins. */
export class Charts {
  readonly #deps: ChartsDeps;
  readonly #charts = new Map<number, Chart>();
  #lastId = 30;

  constructor(deps: ChartsDeps) {
    this.#deps = deps;
  }

  get(request: MdRequest): Answer {
    const { contracts, clock, book, priceOf } = this.#deps;
    const { body, settings, user } = request;
    const allowed = allow("md/getchart", request, contracts);
    if ("status" in allowed) return allowed;
    const read = readChart(body, clock.now(), settings);
    if ("answer" in read) return read.answer;
    const { feed, listed } = allowed;
    book.look(listed.code, priceOf(listed));
    const { elements } = read.wish;
    this.#lastId += 2;
    const [realtimeId, historicalId] = [this.#lastId - 1, this.#lastId];
    const chart = { feed, user: user.name, listed, elements, realtimeId, historicalId };
    this.#charts.set(realtimeId, chart);
    const answer = ok({
      ...(settings.chartTellsSubscriptionId && { subscriptionId: realtimeId }),
      historicalId,
      realtimeId,
    });
    const tellHistory = () => this.#tellHistory(chart, read.wish, settings);
    if (!settings.chartHistoryBeforeAnswer) return { ...answer, afterwards: tellHistory };
    tellHistory();
    return answer;
  }

  /** By which of its two numbers is where the documents are at odds. */
  cancel({ body, settings, feed }: MdRequest): Answer {
    const id = idOf(body["subscriptionId"]);
    if (id === undefined) return badRequest("Missing field: subscriptionId");
    const by = settings.chartCancelBy;
    const found = [...this.#charts.values()].find(
      (chart) =>
        chart.feed === feed &&
        ((by !== "historicalId" && chart.realtimeId === id) ||
          (by !== "realtimeId" && chart.historicalId === id)),
    );
    if (found === undefined) return notFound(`subscription ${id}`);
    this.#charts.delete(found.realtimeId);
    return ok({});
  }

  leave(feed: Feed): void {
    for (const [id, chart] of this.#charts) if (chart.feed === feed) this.#charts.delete(id);
  }

  /** Counts a trade into the bars, and tells who looks at them. */
  traded(code: ContractCode, price: number, qty: number): void {
    const tick = this.#deps.book.note(code, price, qty);
    for (const chart of this.#charts.values()) {
      if (chart.listed.code === code) this.#grow(chart, tick);
    }
  }

  /** What stands still trades all the same, unless its bars are a test's. */
  breathe(): void {
    const { book, contracts, priceOf } = this.#deps;
    for (const code of book.moving()) this.traded(code, priceOf(contracts.byCode(code)), 1);
  }

  #grow(chart: Chart, tick: Tick): void {
    const { elements, listed, realtimeId } = chart;
    if (elements.kind === "ticks") {
      this.#send(chart, [{ id: realtimeId, ...tickPacket([tick], listed.tickSize) }]);
      return;
    }
    const bar = this.#deps.book.openBar(listed.code, elements);
    if (bar === undefined) return;
    this.#send(chart, [{ id: realtimeId, ...barPacket([bar], listed.tickSize) }]);
  }

  #tellHistory(chart: Chart, wish: ChartWish, settings: Settings): void {
    const id = chart.historicalId;
    const entries: object[] = this.#packets(chart, wish, settings).map((packet) => ({
      id,
      ...packet,
    }));
    if (settings.chartTellsEnd) entries.push({ id, eoh: true });
    const { chartPacketsPerMessage: size, chartHistoryDelayMs: delayMs } = settings;
    for (let n = 0; n * size < entries.length; n += 1) {
      const charts = entries.slice(n * size, (n + 1) * size);
      if (delayMs === 0) this.#send(chart, charts);
      else setTimeout(() => this.#send(chart, charts), (n + 1) * delayMs).unref();
    }
  }

  #packets(
    { listed: { code, tickSize } }: Chart,
    { elements, range }: ChartWish,
    settings: Settings,
  ): readonly Packet[] {
    const { book } = this.#deps;
    if (elements.kind === "ticks") {
      const packets = inPackets(book.ticks(code, range), ({ at }) => at, settings);
      return packets.map((ticks) => tickPacket(ticks, tickSize, "db"));
    }
    const bars = book.history(code, elements, range);
    const packets = inPackets(bars, ({ startsAt }) => startsAt, settings);
    return packets.map((each) => barPacket(each, tickSize));
  }

  #send({ feed, user, listed, realtimeId }: Chart, charts: readonly object[]): void {
    const due = { channel: "charts", contract: listed.code, user } as const;
    const isThere = this.#charts.has(realtimeId);
    if (isThere && this.#deps.gate.lets(due, this.#deps.settings(user))) {
      feed({ e: "chart", d: { charts } });
    }
  }
}
