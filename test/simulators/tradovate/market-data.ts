import type { Quote } from "../../../src/brokers/paper/exchange/contract-book.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { Ticks } from "../../../src/domain/contracts/price.ts";
import type { Fill } from "../../../src/domain/order.ts";
import { type Answer, ok } from "./answer.ts";
import type { BrokerClock } from "./broker-clock.ts";
import type { Charts } from "./charts.ts";
import { type ContractDirectory, type Listed, toPrice } from "./contract-directory.ts";
import type { PositionEntity } from "./entities.ts";
import { obtain } from "../obtain.ts";
import type { Channel } from "./market-data-settings.ts";
import { allow, type Feed, type MdRequest } from "./md-access.ts";
import type { MdGate } from "./md-gate.ts";
import type { Settings } from "./settings.ts";

/** What a subscription to a contract's present state is about. */
export type QuoteChannel = Exclude<Channel, "charts">;

export interface MarketDataDeps {
  readonly contracts: ContractDirectory;
  readonly clock: BrokerClock;
  readonly gate: MdGate;
  readonly charts: Charts;
  readonly quoteOf: (contract: ContractCode) => Quote;
  /** Those of market data sockets. */
  readonly settings: (user: string) => Settings;
}

/** What was traded here in one contract; the street's own trades are not known. */
interface Tape {
  readonly last: Fill;
  readonly volume: number;
}

/** What one socket has asked for. */
interface Viewer {
  readonly user: string;
  readonly contracts: Readonly<Record<QuoteChannel, Set<ContractCode>>>;
}

/** Quotes and the top of the book, to sockets that ask for them, as the prices are set by hand. */
export class MarketData {
  readonly #deps: MarketDataDeps;
  readonly #viewers = new Map<Feed, Viewer>();
  readonly #tapes = new Map<ContractCode, Tape>();

  constructor(deps: MarketDataDeps) {
    this.#deps = deps;
  }

  /** The first message follows the answer. The contract's id stands for the subscription. */
  subscribe(channel: QuoteChannel, request: MdRequest): Answer {
    const allowed = allow(channel, request, this.#deps.contracts);
    if ("status" in allowed) return allowed;
    const { feed, listed } = allowed;
    const viewer = obtain(this.#viewers, feed, () => ({
      user: request.user.name,
      contracts: { quotes: new Set<ContractCode>(), doms: new Set<ContractCode>() },
    }));
    viewer.contracts[channel].add(listed.code);
    const answer = ok({ subscriptionId: listed.entity.id });
    return { ...answer, afterwards: () => this.#tell(feed, viewer, channel, [listed]) };
  }

  unsubscribe(channel: QuoteChannel, request: MdRequest): Answer {
    const allowed = allow(channel, request, this.#deps.contracts);
    if ("status" in allowed) return allowed;
    this.#viewers.get(allowed.feed)?.contracts[channel].delete(allowed.listed.code);
    return ok({});
  }

  leave(feed: Feed): void {
    this.#viewers.delete(feed);
    this.#deps.charts.leave(feed);
  }

  /** Real prices never rest: clients may look only at what comes after they have settled in. */
  repeat(): void {
    const viewed = new Set(
      [...this.#viewers.values()].flatMap(({ contracts: { quotes, doms } }) => [
        ...quotes,
        ...doms,
      ]),
    );
    for (const contract of viewed) this.#moved(contract);
    this.#deps.charts.breathe();
  }

  /** A new quote counts as a trade of one contract in the bars. */
  quoted(contract: ContractCode): void {
    this.#moved(contract);
    const { charts, contracts } = this.#deps;
    charts.traded(contract, this.priceOf(contracts.byCode(contract)), 1);
  }

  traded(fill: Fill): void {
    const { volume = 0 } = this.#tapes.get(fill.contract) ?? {};
    this.#tapes.set(fill.contract, { last: fill, volume: volume + fill.lastQty });
    this.#moved(fill.contract);
    this.#deps.charts.traded(fill.contract, fill.lastPx, fill.lastQty);
  }

  /** What the positions would win or lose at the last prices, in dollars: those that are worth them. */
  openProfit(positions: readonly PositionEntity[]): number {
    const profits = positions.map(({ contractId, netPos, netPrice }) => {
      const listed = this.#deps.contracts.byId(contractId);
      if (listed?.currency !== "USD" || netPrice === undefined) return 0;
      const price = toPrice(this.priceOf(listed), listed.tickSize);
      return (price - netPrice) * netPos * listed.valuePerPoint;
    });
    return profits.reduce((sum, profit) => sum + profit, 0);
  }

  /** At what the contract trades now. */
  priceOf({ code }: Listed): Ticks {
    return this.#lastTrade(code).price;
  }

  #moved(contract: ContractCode): void {
    const { contracts, settings } = this.#deps;
    const listed = contracts.byCode(contract);
    for (const [feed, viewer] of this.#viewers) {
      const { quotes, doms } = viewer.contracts;
      if (quotes.has(contract)) {
        const others = settings(viewer.user).bundlesQuotes ? [...quotes] : [];
        const rest = others.filter((code) => code !== contract);
        const all = [listed, ...rest.map((code) => contracts.byCode(code))];
        this.#tell(feed, viewer, "quotes", all);
      }
      if (doms.has(contract)) this.#tell(feed, viewer, "doms", [listed]);
    }
  }

  #tell(feed: Feed, { user }: Viewer, channel: QuoteChannel, listed: readonly Listed[]): void {
    const { gate, settings } = this.#deps;
    const mine = settings(user);
    const free = listed.filter(({ code }) => gate.lets({ channel, contract: code, user }, mine));
    if (free.length === 0) return;
    const items = free.map((each) => this.#item(channel, each, mine));
    feed({ e: "md", d: { [channel]: items } });
  }

  #item(channel: QuoteChannel, { code, entity, tickSize }: Listed, settings: Settings): object {
    const { clock, quoteOf } = this.#deps;
    const quote = quoteOf(code);
    const stamp = { timestamp: clock.iso(), contractId: entity.id };
    const bid = { price: toPrice(quote.bid, tickSize), size: quote.bidQty };
    const offer = { price: toPrice(quote.ask, tickSize), size: quote.askQty };
    if (channel === "doms") return { ...stamp, bids: [bid], offers: [offer] };
    const trade = this.#lastTrade(code);
    const entries = {
      Bid: bid,
      Offer: offer,
      Trade: { price: toPrice(trade.price, tickSize), size: trade.size },
      TotalTradeVolume: { size: this.#tapes.get(code)?.volume ?? 0 },
    };
    const told = Object.entries(entries).filter(([name]) => !settings.quoteOmits.includes(name));
    // The oldest samples look for the subscription's id, the newer ones for the contract's.
    return { ...stamp, id: entity.id, entries: Object.fromEntries(told) };
  }

  /**
   * Clients take it that there always is one. The street's trades are not known: where it must have
   * traded since, or first, the side of the quote stands for them, with the size 0.
   */
  #lastTrade(code: ContractCode): { price: Ticks; size: number } {
    const last = this.#tapes.get(code)?.last;
    const { bid, ask } = this.#deps.quoteOf(code);
    if (last !== undefined && last.lastPx >= bid && last.lastPx <= ask) {
      return { price: last.lastPx, size: last.lastQty };
    }
    return { price: last !== undefined && last.lastPx > ask ? ask : bid, size: 0 };
  }
}
