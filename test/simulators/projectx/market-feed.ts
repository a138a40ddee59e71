import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { formatTicks, type Ticks } from "../../../src/domain/contracts/price.ts";
import type { Clock } from "./clock.ts";
import type { Contracts, Listed } from "./contracts.ts";
import type { HubConnection } from "./hub-connection.ts";
import type { SettingsBook } from "./settings.ts";
import type { Trading } from "./trading.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the market hub tells of quotes: the whole of it first, then perhaps only what has changed. */
export class MarketFeed {
  readonly #clock: Clock;
  readonly #contracts: Contracts;
  readonly #settings: SettingsBook;
  readonly #trading: Trading;
  readonly #lastPrices = new Map<ContractCode, number>();
  readonly #frozen = new Set<string>();
  /** What a connection was told last of a contract. */
  readonly #told = new WeakMap<HubConnection, Map<string, Fields>>();

  constructor(deps: {
    readonly clock: Clock;
    readonly contracts: Contracts;
    readonly settings: SettingsBook;
    readonly trading: Trading;
  }) {
    this.#clock = deps.clock;
    this.#contracts = deps.contracts;
    this.#settings = deps.settings;
    this.#trading = deps.trading;
  }

  /** What traded last, in ticks. */
  noteTrade(code: ContractCode, price: number): void {
    this.#lastPrices.set(code, price);
  }

  freeze(contractId: string, isFrozen: boolean): void {
    if (isFrozen) this.#frozen.add(contractId);
    else this.#frozen.delete(contractId);
  }

  sendWhole(connection: HubConnection, contractId: string): void {
    const listed = this.#contracts.byId(contractId);
    if (listed === undefined || this.#frozen.has(contractId)) return;
    const quote = this.#quote(listed);
    this.#remember(connection, contractId, quote);
    this.#send(connection, contractId, quote);
  }

  sendQuote(connection: HubConnection, contractId: string): void {
    const listed = this.#contracts.byId(contractId);
    if (listed === undefined || this.#frozen.has(contractId)) return;
    const quote = this.#quote(listed);
    const before = this.#told.get(connection)?.get(contractId) ?? {};
    this.#remember(connection, contractId, quote);
    const { sparseQuotes } = this.#settings.of(connection.user);
    const changed = Object.entries(quote).filter(
      ([name, value]) => ALWAYS.has(name) || before[name] !== value,
    );
    this.#send(connection, contractId, sparseQuotes ? Object.fromEntries(changed) : quote);
  }

  #send(connection: HubConnection, contractId: string, quote: Fields): void {
    const { quotesInArrays } = this.#settings.of(connection.user);
    connection.send("GatewayQuote", contractId, quotesInArrays ? [quote] : quote);
  }

  #remember(connection: HubConnection, contractId: string, quote: Fields): void {
    const told = this.#told.get(connection) ?? new Map<string, Fields>();
    told.set(contractId, quote);
    this.#told.set(connection, told);
  }

  #quote({ code, entity, tickSize }: Listed): Fields {
    const { bid, ask } = this.#trading.quoteOf(code);
    const price = (at: number) => Number(formatTicks(at as Ticks, tickSize));
    const now = new Date(this.#clock.now()).toISOString();
    const last = this.#lastPrices.get(code) ?? bid;
    return {
      symbol: entity.symbolId,
      symbolName: `/${entity.name}`,
      lastPrice: price(last),
      bestBid: price(bid),
      bestAsk: price(ask),
      change: 0,
      changePercent: 0,
      open: price(last),
      high: price(Math.max(last, ask)),
      low: price(Math.min(last, bid)),
      volume: 1,
      lastUpdated: now,
      timestamp: now,
    };
  }
}

const ALWAYS: ReadonlySet<string> = new Set(["symbol", "lastUpdated", "timestamp"]);
