/** What a message of market data is about, by the name that it has for it. */
export type Channel = "quotes" | "doms" | "charts";

/** How market data is served: who may see it, and what goes wrong with quotes and charts. */
export interface MarketDataSettings {
  /**
   * What a user may see. `inaccessible`: the socket is authorised, and each symbol is refused as an
   * unknown one is. `refused`: the socket is not authorised. `noToken`: a login gives no token for
   * market data. `noRoutes`: the socket is authorised and has no such endpoints.
   */
  readonly mdAccess: "full" | "inaccessible" | "refused" | "noToken" | "noRoutes";
  /** The exchanges whose symbols can be seen; null for all of them. */
  readonly mdExchanges: readonly string[] | null;
  /** Whether a market data socket takes the token that is for orders. */
  readonly mdTakesAccessToken: boolean;

  /** Entries that quotes do not have, such as `Bid` or `Trade`. */
  readonly quoteOmits: readonly string[];
  /** Whether a message lists all quotes that its socket has asked for. */
  readonly bundlesQuotes: boolean;
  /** Messages about these are not sent. */
  readonly losesMarketData: readonly Channel[];

  /** What bars are made of where none were set by hand, together with the contract. */
  readonly chartSeed: number;
  /** Whether bars that nobody set are made for each minute, or for those of the exchange's week. */
  readonly chartHours: "always" | "globex";
  /** What bars of several minutes are counted from: midnight in Greenwich, or their trade day. */
  readonly chartAlign: "epoch" | "session";
  /** How far back bars of minutes, and ticks, go. */
  readonly chartMinuteDays: number;
  /** More elements are cut off at the old end. */
  readonly chartMaxElements: number;
  readonly chartPacketSize: number;
  readonly chartPackets: "inOrder" | "newestFirst" | "mixed";
  readonly chartPacketsPerMessage: number;
  /** Whether the history is sent before the answer that names it. */
  readonly chartHistoryBeforeAnswer: boolean;
  /** How much later than it was due each message of a history comes. */
  readonly chartHistoryDelayMs: number;
  /** Whether a history ends with `eoh`. */
  readonly chartTellsEnd: boolean;
  /** Whether a history ends with the bar that still grows. */
  readonly chartHistoryHasOpenBar: boolean;
  /** Whether the answer has a `subscriptionId` too. */
  readonly chartTellsSubscriptionId: boolean;
  /** Which number cancels a chart; another one is not found. */
  readonly chartCancelBy: "realtimeId" | "historicalId" | "either";
  /** What `withHistogram` comes to: bars without one, or a refusal. */
  readonly chartHistogram: "ignored" | "refused";
}

export const MARKET_DATA_DEFAULTS: MarketDataSettings = {
  mdAccess: "full",
  mdExchanges: null,
  mdTakesAccessToken: true,

  quoteOmits: [],
  bundlesQuotes: false,
  losesMarketData: [],

  chartSeed: 1,
  chartHours: "always",
  chartAlign: "epoch",
  chartMinuteDays: 14,
  chartMaxElements: 5_000,
  chartPacketSize: 100,
  chartPackets: "newestFirst",
  chartPacketsPerMessage: 1,
  chartHistoryBeforeAnswer: false,
  chartHistoryDelayMs: 0,
  chartTellsEnd: true,
  chartHistoryHasOpenBar: true,
  chartTellsSubscriptionId: false,
  chartCancelBy: "realtimeId",
  chartHistogram: "ignored",
};
