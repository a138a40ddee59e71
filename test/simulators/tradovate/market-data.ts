import type { Quote } from "../../../src/brokers/paper/exchange/contract-book.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { Fill } from "../../../src/domain/order.ts";
import { type Answer, badRequest, notFound, ok } from "./answer.ts";
import type { BrokerClock } from "./broker-clock.ts";
import { type ContractDirectory, type Listed, toPrice } from "./contract-directory.ts";
import type { PositionEntity } from "./entities.ts";
import { obtain } from "./entity-store.ts";
import type { Body } from "./order-request.ts";

/** Where the messages of one market data socket go. */
export type Feed = (message: object) => void;

/** What a subscription is about, by the name that its messages have for it. */
export type Channel = "quotes" | "doms";

export interface MarketDataDeps {
  readonly contracts: ContractDirectory;
  readonly clock: BrokerClock;
  readonly quoteOf: (contract: ContractCode) => Quote;
}

/** What was traded here in one contract; the street's own trades are not known. */
interface Tape {
  readonly last: Fill;
  readonly volume: number;
}

const INACCESSIBLE = {
  errorText: "Symbol is inaccessible",
  errorCode: "UnknownSymbol",
  mode: "None",
};

/** Quotes and the top of the book, to sockets that ask for them, as the prices are set by hand. */
export class MarketData {
  readonly #deps: MarketDataDeps;
  readonly #viewers = new Map<Feed, Map<string, ContractCode>>();
  readonly #tapes = new Map<ContractCode, Tape>();

  constructor(deps: MarketDataDeps) {
    this.#deps = deps;
  }

  /** The first message follows the answer. The contract's id stands for the subscription. */
  subscribe(channel: Channel, body: Body, feed: Feed | undefined): Answer {
    if (feed === undefined) return notFound(`${channel} on this socket`);
    const listed = this.#contract(body);
    if ("status" in listed) return listed;
    const key = keyOf(channel, listed.code);
    obtain(this.#viewers, feed, () => new Map()).set(key, listed.code);
    const answer = ok({ subscriptionId: listed.entity.id });
    return { ...answer, afterwards: () => feed(this.#message(channel, listed)) };
  }

  unsubscribe(channel: Channel, body: Body, feed: Feed | undefined): Answer {
    if (feed === undefined) return notFound(`${channel} on this socket`);
    const listed = this.#contract(body);
    if ("status" in listed) return listed;
    this.#viewers.get(feed)?.delete(keyOf(channel, listed.code));
    return ok({});
  }

  leave(feed: Feed): void {
    this.#viewers.delete(feed);
  }

  /** Real prices never rest: clients may look only at what comes after they have settled in. */
  repeat(): void {
    const viewed = new Set([...this.#viewers.values()].flatMap((each) => [...each.values()]));
    for (const contract of viewed) this.moved(contract);
  }

  moved(contract: ContractCode): void {
    const listed = this.#deps.contracts.byCode(contract);
    for (const [feed, subscriptions] of this.#viewers) {
      for (const channel of CHANNELS) {
        if (subscriptions.has(keyOf(channel, contract))) feed(this.#message(channel, listed));
      }
    }
  }

  traded(fill: Fill): void {
    const { volume = 0 } = this.#tapes.get(fill.contract) ?? {};
    this.#tapes.set(fill.contract, { last: fill, volume: volume + fill.lastQty });
    this.moved(fill.contract);
  }

  /** What the positions would win or lose at the last prices, in dollars: those that are worth them. */
  openProfit(positions: readonly PositionEntity[]): number {
    const profits = positions.map(({ contractId, netPos, netPrice }) => {
      const listed = this.#deps.contracts.byId(contractId);
      if (listed?.currency !== "USD" || netPrice === undefined) return 0;
      const { price } = this.#lastTrade(listed);
      return (price - netPrice) * netPos * listed.valuePerPoint;
    });
    return profits.reduce((sum, profit) => sum + profit, 0);
  }

  /** A contract is asked for by its name or by its id. */
  #contract({ symbol }: Body): Listed | Answer {
    const { contracts } = this.#deps;
    if (typeof symbol !== "string" && typeof symbol !== "number") {
      return badRequest("Missing field: symbol");
    }
    const listed = typeof symbol === "string" ? contracts.find(symbol) : contracts.byId(symbol);
    return listed ?? ok(INACCESSIBLE);
  }

  #message(channel: Channel, listed: Listed): object {
    const { code, entity, tickSize } = listed;
    const { clock, quoteOf } = this.#deps;
    const quote = quoteOf(code);
    const stamp = { timestamp: clock.iso(), contractId: entity.id };
    const bid = { price: toPrice(quote.bid, tickSize), size: quote.bidQty };
    const offer = { price: toPrice(quote.ask, tickSize), size: quote.askQty };
    if (channel === "doms") {
      return { e: "md", d: { doms: [{ ...stamp, bids: [bid], offers: [offer] }] } };
    }
    const entries = {
      Bid: bid,
      Offer: offer,
      Trade: this.#lastTrade(listed),
      TotalTradeVolume: { size: this.#tapes.get(code)?.volume ?? 0 },
    };
    // The oldest samples look for the subscription's id, the newer ones for the contract's.
    return { e: "md", d: { quotes: [{ ...stamp, id: entity.id, entries }] } };
  }

  /**
   * Clients take it that there always is one. The street's trades are not known: where it must have
   * traded since, or first, the side of the quote stands for them, with the size 0.
   */
  #lastTrade({ code, tickSize }: Listed): { price: number; size: number } {
    const last = this.#tapes.get(code)?.last;
    const { bid, ask } = this.#deps.quoteOf(code);
    if (last !== undefined && last.lastPx >= bid && last.lastPx <= ask) {
      return { price: toPrice(last.lastPx, tickSize), size: last.lastQty };
    }
    const isAbove = last !== undefined && last.lastPx > ask;
    return { price: toPrice(isAbove ? ask : bid, tickSize), size: 0 };
  }
}

const CHANNELS: readonly Channel[] = ["quotes", "doms"];

function keyOf(channel: Channel, contract: ContractCode): string {
  return `${channel} ${contract}`;
}
