import { BrokerReadError } from "../../trading/ports.ts";
import type { ChartShape } from "../chart-bars.ts";
import type { MarketLink } from "./market-link.ts";
import { type ChartPacket, parseCharts, type TradovateBar } from "./market-messages.ts";
import { isId } from "./parse.ts";
import { Waits } from "../waits.ts";

export interface ChartsDeps {
  readonly link: Pick<MarketLink, "request">;
  /** How long the history may take after its request was answered. */
  readonly withinMs?: number;
}

/** What has come of one history so far. */
interface History {
  readonly bars: TradovateBar[];
  /** Its answer has come. */
  isAwaited: boolean;
  isBroken: boolean;
  isWhole: boolean;
}

const WITHIN_MS = 6_000;
/** Where all is there that was asked for, its end follows, or more of it; or nothing does. */
const END_FOLLOWS_MS = 500;
/** Of what nobody has asked for, or whose answer is still to come. */
const MOST_EARLY = 20;

/**
 * Histories of charts. The broker goes on telling what happens after each of them; that is cancelled
 * as soon as the history is there, since bars are asked for when they have ended.
 */
export class Charts {
  readonly #deps: ChartsDeps;
  readonly #waits = new Waits(new AbortController().signal);
  /** By the number that the broker gives a history; of more than were asked for, the newest. */
  readonly #histories = new Map<number, History>();
  #asking = 0;
  /** Which link they are asked on. */
  #links = 0;

  constructor(deps: ChartsDeps) {
    this.#deps = deps;
  }

  /** The elements of a chart, in the order in which they came. Throws `BrokerReadError`. */
  async ask(symbol: string, { minutes, elements }: ChartShape): Promise<readonly TradovateBar[]> {
    const links = this.#links;
    this.#asking += 1;
    try {
      const answer = await this.#deps.link.request("md/getChart", {
        symbol,
        chartDescription: {
          underlyingType: "MinuteBar",
          elementSize: minutes,
          elementSizeUnit: "UnderlyingUnits",
          withHistogram: false,
        },
        timeRange: { asMuchAsElements: elements },
      });
      return await this.#history({ symbol, elements, links }, answer);
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0) this.#histories.clear();
    }
  }

  take(data: unknown): void {
    if (this.#asking === 0) return;
    for (const packet of parseCharts(data)) this.#take(packet);
    this.#waits.wake();
  }

  /** The link is gone, and no more of any history comes. */
  end(): void {
    this.#links += 1;
    this.#histories.clear();
    this.#waits.wake();
  }

  async #history(
    asked: { readonly symbol: string; readonly elements: number; readonly links: number },
    { historicalId, realtimeId }: Readonly<Record<string, unknown>>,
  ): Promise<readonly TradovateBar[]> {
    const { symbol, elements, links } = asked;
    if (!isId(historicalId)) throw new BrokerReadError("Tradovate's chart cannot be read");
    const history = this.#of(historicalId);
    history.isAwaited = true;
    const isOver = () => history.isWhole || history.isBroken || this.#links !== links;
    const isFull = () => countOf(history.bars) >= elements;
    await this.#waits.until(() => isOver() || isFull(), this.#deps.withinMs ?? WITHIN_MS);
    // Without a word on its end, it is over with all that was asked for.
    if (!isOver() && isFull()) {
      await this.#waits.until(isOver, END_FOLLOWS_MS);
      history.isWhole ||= this.#links === links;
    }
    this.#histories.delete(historicalId);
    if (this.#links === links) void this.#cancel([realtimeId, historicalId]);
    if (history.isBroken) throw new BrokerReadError("Tradovate sent a bar that cannot be read");
    if (history.isWhole) return history.bars;
    const reason = this.#links === links ? "in time" : "before the link broke";
    throw new BrokerReadError(`Tradovate did not send all bars of ${symbol} ${reason}`);
  }

  /**
   * Which of its two numbers ends a chart is told in two ways: the second is for where the first one is
   * refused. What goes on being told all the same is told to nobody, and ends with the link.
   */
  async #cancel(numbers: readonly unknown[]): Promise<void> {
    for (const subscriptionId of numbers.filter(isId)) {
      const request = this.#deps.link.request("md/cancelChart", { subscriptionId });
      const isCancelled = await request.then(
        () => true,
        () => false,
      );
      if (isCancelled) return;
    }
  }

  #take({ id, bars, isEnd }: ChartPacket): void {
    const history = this.#of(id);
    if (bars === undefined) history.isBroken = true;
    else history.bars.push(...bars);
    history.isWhole ||= isEnd;
  }

  #of(id: number): History {
    const known = this.#histories.get(id);
    if (known !== undefined) return known;
    const history: History = { bars: [], isAwaited: false, isBroken: false, isWhole: false };
    this.#histories.set(id, history);
    for (const [oldest, { isAwaited }] of this.#histories) {
      if (this.#histories.size <= this.#asking + MOST_EARLY) break;
      if (!isAwaited) this.#histories.delete(oldest);
    }
    return history;
  }
}

/** Some may come again. */
const countOf = (bars: readonly TradovateBar[]): number => new Set(bars.map(({ at }) => at)).size;
