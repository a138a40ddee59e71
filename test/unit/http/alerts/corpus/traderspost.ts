import type { Aim, AlertRequest, Holding, OrderTerms } from "../../../../../src/domain/alert.ts";
import type { AlertExample } from "./alert-example.ts";

const MARKET: OrderTerms = { ordType: "MARKET", timeInForce: "DAY" };
const LIMIT: OrderTerms = { ordType: "LIMIT", timeInForce: "DAY" };

type Entry = Pick<Extract<Aim, { to: "enter" }>, "side" | "qty" | "whenOpposite">;
type Adjust = Extract<AlertRequest, { kind: "adjust" }>;

function enter(symbol: string, entry: Entry, more: Partial<Adjust> = {}): AlertRequest {
  const aim: Aim = { to: "enter", whenHeld: "refuse", swap: "never", ...entry };
  return { kind: "adjust", symbol, aim, terms: MARKET, cancelFirst: true, ...more };
}

type Part = { readonly qty: number } | { readonly percent: number };

function exits(symbol: string, part: Part): Adjust {
  const aim: Aim = { to: "close", ...part };
  return { kind: "adjust", symbol, aim, terms: { ordType: "MARKET" } };
}

function closes(symbol: string, part: Part & { readonly holding: Holding }): AlertRequest {
  return { ...exits(symbol, part), cancelFirst: true };
}

function breakeven(symbol: string): AlertRequest {
  return { kind: "protect", symbol, legs: { stopLoss: { atEntry: true } } };
}

/** What some of these users keep of their own in them: a webhook has to allow it. */
export const OWN_FIELDS = ["adx", "trending", "mtfAligned", "signal", "passthrough", "orderRef"];

/**
 * Symbols of stocks stand where a feature was never published with a future: a symbol is resolved
 * only after the body was read.
 */
export const TRADERSPOST_EXAMPLES: readonly AlertExample[] = [
  {
    name: "a root alone buys one, or turns a short",
    source: "docs.traderspost.io/docs/core-concepts/signals/webhooks",
    body: '{"ticker": "MNQ", "action": "buy"}',
    reads: enter("MNQ", { side: "BUY", qty: 1, whenOpposite: "close" }),
  },
  {
    name: "a contract with a four-digit year",
    source: "docs.traderspost.io/docs/assets/futures-trading",
    body: '{ "ticker": "MNQU2025", "action": "buy" }',
    reads: enter("MNQU2025", { side: "BUY", qty: 1, whenOpposite: "close" }),
  },
  {
    name: "an exit of a whole contract",
    source: "docs.traderspost.io/docs/assets/futures-trading",
    body: '{ "ticker": "NQH2022", "action": "exit" }',
    reads: { kind: "exit", symbol: "NQH2022" },
  },
  {
    name: "a sell without a quantity turns a long of any size",
    source: "docs.traderspost.io/docs/assets/futures-trading",
    body: '{ "ticker": "NQH2022", "action": "sell" }',
    reads: enter("NQH2022", { side: "SELL", qty: 1, whenOpposite: "close" }),
  },
  {
    name: "a price alone makes no limit order",
    source: "docs.traderspost.io/docs/assets/futures-trading",
    body: '{ "ticker": "NQH2022", "action": "buy", "price": 1420.50, "quantity": 2 }',
    reads: enter("NQH2022", { side: "BUY", qty: 2, whenOpposite: "reduceIfLess" }),
  },
  {
    name: "numbers as text; a sell as large as the long",
    source: "docs.traderspost.io/docs/assets/futures-trading",
    body: `{
    "ticker": "MNQU2025",
    "action": "sell",
    "quantity": "2",
    "price": "23810.25",
    "time": "2025-09-09T14:07:08Z",
    "interval": "5"
}`,
    reads: enter("MNQU2025", { side: "SELL", qty: 2, whenOpposite: "reduceIfLess" }),
  },
  {
    name: "a sell larger than the long",
    source: "docs.traderspost.io/docs/assets/futures-trading",
    body: '{ "ticker": "MNQU2025", "action": "sell", "quantity": "4", "price": "23810.25", "time": "2025-09-09T14:07:08Z", "interval": "5" }',
    reads: enter("MNQU2025", { side: "SELL", qty: 4, whenOpposite: "reduceIfLess" }),
  },
  {
    name: "a second buy on the same side",
    source: "docs.traderspost.io/docs/assets/futures-trading",
    body: '{ "ticker": "MNQU2025", "action": "buy", "quantity": "2", "price": "23810.25", "time": "2025-09-09T14:07:08Z", "interval": "5" }',
    reads: enter("MNQU2025", { side: "BUY", qty: 2, whenOpposite: "reduceIfLess" }),
  },
  {
    name: "an action with a capital",
    source: "docs.traderspost.io/docs/assets/futures-trading",
    body: '{ "ticker": "MNQU2025", "action": "Buy", "quantity": "2", "price": "23810.25", "time": "2025-09-09T14:07:08Z", "interval": "5" }',
    reads: enter("MNQU2025", { side: "BUY", qty: 2, whenOpposite: "reduceIfLess" }),
  },
  {
    name: "flat closes the long whole, whatever the quantity",
    source: "docs.traderspost.io/docs/assets/futures-trading",
    body: '{ "ticker": "MNQU2025", "action": "sell", "sentiment": "flat", "quantity": "2", "price": "23810.25", "time": "2025-09-09T14:07:08Z", "interval": "5" }',
    reads: closes("MNQU2025", { percent: 100, holding: "LONG" }),
  },
  {
    name: "a strategy turns long",
    source: "docs.traderspost.io/docs/learn/signal-sources/tradingview",
    body: `{
    "ticker": "MNQ1!",
    "action": "buy",
    "sentiment": "long",
    "quantity": "1",
    "price": "24512.75",
    "time": "2026-06-17T13:35:00Z",
    "interval": "5"
}`,
    reads: enter("MNQ1!", { side: "BUY", qty: 1, whenOpposite: "close" }),
  },
  {
    name: "a strategy closes its long",
    source: "docs.traderspost.io/docs/learn/signal-sources/tradingview",
    body: '{ "ticker": "MNQ1!", "action": "sell", "sentiment": "flat", "quantity": "1", "price": "24530.00", "time": "2026-06-17T13:55:00Z", "interval": "5" }',
    reads: closes("MNQ1!", { percent: 100, holding: "LONG" }),
  },
  {
    name: "a strategy turns short",
    source: "docs.traderspost.io/docs/learn/signal-sources/tradingview",
    body: '{ "ticker": "ES1!", "action": "sell", "sentiment": "short", "quantity": "10", "price": "6045.25", "time": "2026-06-17T14:05:00Z", "interval": "15" }',
    reads: enter("ES1!", { side: "SELL", qty: 10, whenOpposite: "close" }),
  },
  {
    name: "a strategy buys back a part of its short",
    source: "docs.traderspost.io/docs/learn/signal-sources/tradingview",
    body: '{ "ticker": "ES1!", "action": "buy", "sentiment": "short", "quantity": "5", "price": "6031.00", "time": "2026-06-17T14:20:00Z", "interval": "15" }',
    reads: closes("ES1!", { qty: 5, holding: "SHORT" }),
  },
  {
    name: "an indicator buys",
    source: "docs.traderspost.io/docs/core-concepts/signals/webhooks",
    body: '{ "ticker": "NQ1!", "action": "buy", "price": "24512.75", "time": "2026-06-17T13:35:00Z", "interval": "5" }',
    reads: enter("NQ1!", { side: "BUY", qty: 1, whenOpposite: "close" }),
  },
  {
    name: "an indicator exits, whichever side is held",
    source: "docs.traderspost.io/docs/learn/signal-sources/tradingview",
    body: '{ "ticker": "CL1!", "action": "exit", "price": "71.42" }',
    reads: { kind: "exit", symbol: "CL1!" },
  },
  {
    name: "an indicator exits a short only",
    source: "docs.traderspost.io/docs/learn/signal-sources/tradingview",
    body: '{ "ticker": "GC1!", "action": "buy", "sentiment": "flat", "price": "2650.4" }',
    reads: closes("GC1!", { percent: 100, holding: "SHORT" }),
  },
  {
    name: "a signal price beside the quantity",
    source: "docs.traderspost.io/docs/core-concepts/signals/signal-template-creator",
    body: '{ "ticker": "NQ1!", "action": "buy", "signalPrice": 18250.5, "quantity": 2, "time": "2025-06-17T10:30:00Z" }',
    reads: enter("NQ1!", { side: "BUY", qty: 2, whenOpposite: "reduceIfLess" }),
  },
  {
    name: "both legs as distances in price, as text",
    source: "docs.traderspost.io/docs/core-concepts/signals/signal-template-creator",
    body: '{ "ticker": "MNQ1!", "action": "buy", "takeProfit": { "amount": "20" }, "stopLoss": { "type": "stop", "amount": "10" }, "signalPrice": "24512.75", "time": "2026-06-17T13:35:00Z", "interval": "5" }',
    reads: enter(
      "MNQ1!",
      { side: "BUY", qty: 1, whenOpposite: "close" },
      {
        terms: { ...MARKET, bracket: { takeProfit: { offset: "20" }, stopLoss: { offset: "10" } } },
      },
    ),
  },
  {
    name: "a market order with a target",
    source: "docs.traderspost.io/docs/core-concepts/signals/webhooks",
    body: '{ "ticker": "MNQ", "action": "buy", "orderType": "market", "signalPrice": 18500, "takeProfit": { "amount": 100 } }',
    reads: enter(
      "MNQ",
      { side: "BUY", qty: 1, whenOpposite: "close" },
      { terms: { ...MARKET, bracket: { takeProfit: { offset: 100 } } } },
    ),
  },
  {
    name: "a limit order with a target",
    source: "docs.traderspost.io/docs/core-concepts/signals/webhooks",
    body: '{ "ticker": "MNQ", "action": "buy", "orderType": "limit", "limitPrice": 18500, "takeProfit": { "amount": 100 } }',
    reads: enter(
      "MNQ",
      { side: "BUY", qty: 1, whenOpposite: "close" },
      {
        terms: { ...LIMIT, limitPrice: 18500, bracket: { takeProfit: { offset: 100 } } },
        onlyWhen: ["FLAT", "LONG"],
      },
    ),
  },
  {
    name: "a body with a comment in it",
    source: "docs.traderspost.io/docs/additional-information/top-10-things-to-know-on-traderspost",
    body: `{
  "ticker": "GCJ2025", // RECOMMENDED
  "action": "buy"
}`,
    refused: [{ path: "body", contains: "line 2, column 24" }],
  },
  {
    name: "a trailing stop as protection",
    source: "docs.traderspost.io/docs/additional-information/webhookmessage-library",
    body: '{"library": "WebhookMessage","timestamp": "1781703300000","ticker": "MNQ1!","action": "buy","sentiment": "bullish","quantity": 1,"stopLoss":{"type": "trailing_stop","trailPercent": 0.75}}',
    reads: enter(
      "MNQ1!",
      { side: "BUY", qty: 1, whenOpposite: "close" },
      { terms: { ...MARKET, exitPlan: { trailing: { distance: { percent: 0.75 } } } } },
    ),
  },
  {
    name: "a buy built in Pine",
    source: "docs.traderspost.io/docs/learn/signal-sources/tradingview",
    body: '{"ticker": "MNQ1!", "action": "buy", "price": 24512.75}',
    reads: enter("MNQ1!", { side: "BUY", qty: 1, whenOpposite: "close" }),
  },
  {
    name: "an exit built in Pine",
    source: "docs.traderspost.io/docs/learn/signal-sources/tradingview",
    body: '{"ticker": "MNQ1!", "action": "exit"}',
    reads: { kind: "exit", symbol: "MNQ1!" },
  },
  {
    name: "legs at prices, and open orders are kept",
    source: "a user's public code, GitHub file 71179914675",
    body: '{"ticker":"MNQ1!","action":"buy","sentiment":"long","quantity":1,"quantityType":"fixed_quantity","orderType":"market","cancel":false,"price":24000.25,"time":"2026-09-14T01:00:00Z","interval":"3","stopLoss":{"type":"stop","stopPrice":23990.25},"takeProfit":{"limitPrice":24015.25},"extras":{"version":"MNQ0.10.3","reason":"entry"}}',
    reads: {
      kind: "adjust",
      symbol: "MNQ1!",
      aim: {
        to: "enter",
        side: "BUY",
        qty: 1,
        whenHeld: "refuse",
        whenOpposite: "close",
        swap: "never",
      },
      terms: {
        ...MARKET,
        bracket: { takeProfit: { price: 24015.25 }, stopLoss: { price: 23990.25 } },
      },
    },
  },
  {
    name: "an exit outside trading windows, open orders cancelled",
    source: "a user's public code, GitHub file 71379388026",
    body: '{"ticker": "MGC1!", "action": "exit", "orderType": "market", "price": 3600.1, "time": "2026-09-14T20:55:00+00:00", "interval": "3", "extras": {"version": "MGC0.7.3", "reason": "session_cutoff"}, "cancel": true, "ignoreTradingWindows": true}',
    reads: { kind: "exit", symbol: "MGC1!" },
  },
  {
    name: "a limit order with legs, foreign names beside it",
    source: "a user's public code, GitHub file 66496505866",
    body: `{
  "ticker": "MES1!",
  "action": "buy",
  "orderType": "limit",
  "limitPrice": "5850.25",
  "quantity": "1",
  "stopLoss": {
    "type": "stop",
    "stopPrice": "5844.25"
  },
  "takeProfit": {
    "type": "limit",
    "limitPrice": "5854.25"
  },
  "instrument": "MES",
  "strategy": "V15_FIXED",
  "signalPrice": "5850.00",
  "adx": "25.3",
  "trending": "true",
  "mtfAligned": "true"
}`,
    reads: enter(
      "MES1!",
      { side: "BUY", qty: 1, whenOpposite: "reduceIfLess" },
      {
        terms: {
          ...LIMIT,
          limitPrice: "5850.25",
          bracket: { takeProfit: { price: "5854.25" }, stopLoss: { price: "5844.25" } },
        },
        onlyWhen: ["FLAT", "LONG"],
      },
    ),
  },
  {
    name: "legs in a spelling that the service passes over",
    source: "a user's public code, GitHub file 66496505866",
    body: '{"ticker":"MES1!","action":"buy","stop_loss":"6829.00","take_profit":"6850.00"}',
    refused: [
      { path: "stop_loss", contains: "write stopLoss" },
      { path: "take_profit", contains: "write takeProfit" },
    ],
  },
  {
    name: "legs that are no objects",
    source: "a user's public code, GitHub file 67029585427",
    body: '{"ticker": "MGC1!", "action": "buy", "orderType": "limit", "quantity": "1", "limitPrice": "2847.50", "stopLoss": "2843.50", "takeProfit": "2854.50", "stopLossAmount": "40.00", "takeProfitAmount": "70.00", "strategy": "RUN_V14.1_FIXED", "timeframe": "10", "instrument": "MGC"}',
    refused: [
      { path: "stopLoss", contains: "must be an object" },
      { path: "takeProfit", contains: "must be an object" },
      { path: "stopLossAmount", contains: "write stopLoss.amount" },
      { path: "takeProfitAmount", contains: "write takeProfit.amount" },
    ],
  },
  {
    name: "an entry that is to wait three seconds",
    source: "a user's public code, GitHub file 55644521445",
    body: '{"ticker": "MNQ", "action": "buy", "quantity": 2.0, "price": 19500.0, "takeProfit": {"limitPrice": 19700.0}, "stopLoss": {"type": "stop", "stopPrice": 19400.0}, "delay": 3}',
    refused: [{ path: "delay", contains: "is carried out when it comes" }],
  },
  {
    name: "half is taken off",
    source: "a user's public code, GitHub file 55644521445",
    body: '{"ticker": "MNQ", "action": "exit", "quantity": 1.0}',
    reads: exits("MNQ", { qty: 1 }),
  },
  {
    name: "a resting stop for the rest, after a delay",
    source: "a user's public code, GitHub file 55644521445",
    body: '{"ticker": "MNQ", "action": "sell", "orderType": "stop", "stopPrice": 19500.0, "quantity": 1.0, "sentiment": "flat", "delay": 3}',
    refused: [
      { path: "delay", contains: "when it comes" },
      { path: "orderType", contains: "go at the market" },
      { path: "stopPrice", contains: "go at the market" },
    ],
  },
  {
    name: "a resting target for the rest, after a delay",
    source: "a user's public code, GitHub file 55644521445",
    body: '{"ticker": "MNQ", "action": "sell", "orderType": "limit", "limitPrice": 19700.0, "quantity": 1.0, "sentiment": "flat", "cancel": false, "delay": 5}',
    refused: [
      { path: "delay", contains: "when it comes" },
      { path: "orderType", contains: "go at the market" },
      { path: "limitPrice", contains: "go at the market" },
    ],
  },
  {
    name: "open orders of one symbol are cancelled",
    source: "a user's public code, GitHub file 55644521445",
    body: '{"ticker": "MES", "action": "cancel"}',
    reads: { kind: "cancel", symbol: "MES" },
  },
  {
    name: "a closing limit whose limit stands in price",
    source: "a user's public code, GitHub file 59120844890",
    body: '{"ticker": "MNQ", "action": "sell", "sentiment": "flat", "quantity": 1, "price": 24530.25, "orderType": "limit", "timeInForce": "Day", "orderRef": "setup-17-target"}',
    refused: [{ path: "orderType", contains: "go at the market" }],
  },
  {
    name: "an exit with the sentiment that it leads to, which the service refuses",
    source: "a user's public code, GitHub file 70278551256",
    body: '{"ticker": "MNQZ2026", "action": "exit", "sentiment": "flat"}',
    reads: { kind: "exit", symbol: "MNQZ2026" },
  },
  {
    name: "an exit without one",
    source: "a user's public code, GitHub file 53763524698",
    body: '{"ticker":"MNQ","action":"exit"}',
    reads: { kind: "exit", symbol: "MNQ" },
  },
  {
    name: "neither a ticker nor an action",
    source: "a user's public code, GitHub file 53763524698",
    body: '{"quantity":0,"stopLoss":{"type":"trailing_stop","trailAmount":1.25}}',
    refused: [
      { path: "action", contains: "is needed" },
      { path: "ticker", contains: "is needed" },
    ],
  },
  {
    name: "a turn long, all as text",
    source: "a user's public code, GitHub file 23787172392",
    body: '{ "ticker": "MES1!", "action": "buy", "sentiment": "long", "quantity": "1", "price": "22928.00", "time": "2025-09-08T06:04:00Z" }',
    reads: enter("MES1!", { side: "BUY", qty: 1, whenOpposite: "close" }),
  },
  {
    name: "a limit order that is to be cancelled after a while",
    source: "a user's public code, GitHub file 69392160958",
    body: '{"ticker": "MNQ1!", "action": "buy", "orderType": "limit", "limitPrice": 24500.25, "quantity": 2, "takeProfit": {"limitPrice": 24560.0}, "stopLoss": {"type": "stop", "stopPrice": 24470.25}, "timeInForce": "day", "cancelAfter": 1800, "time": "2026-06-17T13:35:00Z", "rejectAfter": 10}',
    reads: enter(
      "MNQ1!",
      { side: "BUY", qty: 2, whenOpposite: "reduceIfLess" },
      {
        terms: {
          ...LIMIT,
          limitPrice: 24500.25,
          bracket: { takeProfit: { price: 24560 }, stopLoss: { price: 24470.25 } },
          timeout: { afterSeconds: 1800, then: "cancel" },
        },
        onlyWhen: ["FLAT", "LONG"],
      },
    ),
  },
  {
    name: "the stop to the entry price",
    source: "a user's public code, GitHub file 69496781127",
    body: '{"ticker": "MNQU2026", "action": "breakeven", "orderType": "stop", "extras": {"signalId": "s-1", "strategy": "DOL_DELIVERY_REVERSAL"}, "test": true}',
    reads: breakeven("MNQU2026"),
  },
  {
    name: "a limit order with legs at prices",
    source: "a user's public code, GitHub file 56432961537",
    body: '{"ticker": "MNQ", "action": "buy", "quantity": 1, "orderType": "limit", "limitPrice": 19000.0, "stopLoss": {"type": "stop", "stopPrice": 18980.0}, "takeProfit": {"limitPrice": 19040.0}, "extras": {"signalId": "ZB-testcore", "account": "ACC"}}',
    reads: enter(
      "MNQ",
      { side: "BUY", qty: 1, whenOpposite: "reduceIfLess" },
      {
        terms: {
          ...LIMIT,
          limitPrice: 19000,
          bracket: { takeProfit: { price: 19040 }, stopLoss: { price: 18980 } },
        },
        onlyWhen: ["FLAT", "LONG"],
      },
    ),
  },
  {
    name: "a size by risk",
    source: "a user's public code, GitHub file 55608157582",
    body: '{"ticker": "MNQ", "action": "buy", "sentiment": "bullish", "orderType": "market", "quantity": 150, "quantityType": "risk_dollar_amount", "takeProfit": {"amount": 30}, "stopLoss": {"type": "stop", "amount": 15}, "time": "2026-06-17T13:35:00.000000Z", "extras": {"strategy": "s1", "luxy": true}}',
    reads: enter(
      "MNQ",
      { side: "BUY", qty: 1, whenOpposite: "close" },
      {
        terms: {
          ...MARKET,
          bracket: { takeProfit: { offset: 30 }, stopLoss: { offset: 15 } },
          size: { risk: 150 },
        },
      },
    ),
  },
  {
    name: "levels under a name that the service refuses",
    source: "a user's public code, GitHub file 54568295486",
    body: '{"ticker": "MNQ1!", "action": "buy", "sentiment": "bullish", "quantity": 1, "stopLoss": {"type": "stop", "value": 24480.25}, "takeProfit": {"type": "limit", "value": 24560.5}, "passthrough": {"atlas_strategy_id": "B1"}}',
    refused: [
      { path: "stopLoss.value", contains: "write stopPrice" },
      { path: "takeProfit.value", contains: "write limitPrice" },
    ],
  },
  {
    name: "a turn short with legs at prices",
    source: "a user's public code, GitHub file 57930142948",
    body: '{"ticker": "MGCZ2026", "action": "sell", "quantity": 1, "sentiment": "bearish", "signal": "AI Trading Partner READY", "stopLoss": {"type": "stop", "stopPrice": 4065.5}, "takeProfit": {"limitPrice": 4030.0}}',
    reads: enter(
      "MGCZ2026",
      { side: "SELL", qty: 1, whenOpposite: "close" },
      {
        terms: { ...MARKET, bracket: { takeProfit: { price: 4030 }, stopLoss: { price: 4065.5 } } },
      },
    ),
  },
  {
    name: "a reverse",
    source: "docs.traderspost.io/releases/old-releases/march-21st-2026",
    body: '{ "ticker": "SPY", "action": "reverse" }',
    reads: {
      kind: "adjust",
      symbol: "SPY",
      aim: { to: "reverse" },
      terms: { ordType: "MARKET" },
      cancelFirst: true,
    },
  },
  {
    name: "breakeven without an order type",
    source: "docs.traderspost.io/releases/old-releases/march-21st-2026",
    body: '{ "ticker": "SPY", "action": "breakeven" }',
    reads: breakeven("SPY"),
  },
  {
    name: "breakeven with an offset",
    source: "traderspost.io/reference/strategy-field/exit-breakeven-offset",
    body: '{ "ticker": "SPY", "action": "breakeven", "orderType": "stop", "breakevenOffset": 5 }',
    refused: [{ path: "breakevenOffset", contains: "in which unit" }],
  },
  {
    name: "only stop orders are to be cancelled",
    source: "docs.traderspost.io/releases/old-releases/march-12th-2026",
    body: '{ "ticker": "TSLA", "action": "cancel", "cancelOrderType": "stop" }',
    refused: [{ path: "cancelOrderType", contains: "every resting entry" }],
  },
  {
    name: "a fifth of the position",
    source: "docs.traderspost.io/docs/learn/platform-concepts/order-behavior",
    body: '{ "ticker": "TSLA", "action": "exit", "quantityType": "percent_of_position", "quantity": 20 }',
    reads: exits("TSLA", { percent: 20 }),
  },
  {
    name: "a resting trailing exit",
    source: "docs.traderspost.io/docs/core-concepts/signals/webhooks",
    body: '{ "ticker": "SQ", "action": "exit", "orderType": "trailing_stop", "signalPrice": 71, "trailAmount": "1" }',
    refused: [
      { path: "orderType", contains: "go at the market" },
      { path: "trailAmount", contains: "go at the market" },
    ],
  },
  {
    name: "a delay in words",
    source: "traderspost.io/reference/webhook-message/invalid-delay-format",
    body: '{ "ticker": "AAPL", "action": "buy", "delay": "+5 minutes" }',
    refused: [{ path: "delay", contains: "when it comes" }],
  },
  {
    name: "an age limit whose time has no zone",
    source: "the release of May 2nd",
    body: '{ "ticker": "SPY", "action": "buy", "orderType": "market", "time": "2026-04-23 10:00:00", "rejectAfter": 10 }',
    refused: [{ path: "time", contains: "with its zone" }],
  },
  {
    name: "a stop as an amount of money",
    source: "docs.traderspost.io/releases/old-releases/april-17th-2026",
    body: '{ "ticker": "AAPL", "action": "buy", "orderType": "limit", "limitPrice": 100, "stopLoss": { "type": "stop", "pnlAmount": 100 } }',
    refused: [{ path: "stopLoss.pnlAmount", contains: "of one contract or of all" }],
  },
  {
    name: "more of what is held",
    source: "docs.traderspost.io/docs/learn/platform-concepts/order-behavior",
    body: '{ "ticker": "TSLA", "action": "add", "price": 700.00, "quantity": 5 }',
    reads: { kind: "adjust", symbol: "TSLA", aim: { to: "add", qty: 5 }, terms: MARKET },
  },
  {
    name: "a limit at the quote",
    source: "docs.traderspost.io/releases/old-releases/april-11th-2026",
    body: '{ "ticker": "SPY", "action": "buy", "orderType": "limit", "marketPriceType": "ask_bid" }',
    refused: [
      { path: "marketPriceType", contains: "needs a quote" },
      { path: "limitPrice", contains: "is needed" },
    ],
  },
  {
    name: "legs as percents",
    source: "github.com/TradersPost/docs webhook-spec.json",
    body: '{ "ticker": "AAPL", "action": "buy", "sentiment": "long", "price": 191.25, "quantity": 10, "quantityType": "fixed_quantity", "orderType": "market", "time": "2025-06-18T14:30:00Z", "test": true, "takeProfit": { "percent": 10 }, "stopLoss": { "type": "stop", "percent": 5 }, "extras": { "strategy": "EMA_Crossover", "comment": "Breakout entry", "exitType": "trailing_atr" } }',
    reads: enter(
      "AAPL",
      { side: "BUY", qty: 10, whenOpposite: "close" },
      { terms: { ...MARKET, exitPlan: { targets: [{ percent: 10 }], stop: { percent: 5 } } } },
    ),
  },
  {
    name: "the first example of the service's reference",
    source: "docs.traderspost.io/docs/core-concepts/signals/webhooks",
    body: '{ "ticker": "AMD", "action": "buy", "signalPrice": 143.12, "quantity": 1, "takeProfit": { "percent": 10 }, "stopLoss": { "type": "stop", "percent": 5 } }',
    reads: enter(
      "AMD",
      { side: "BUY", qty: 1, whenOpposite: "reduceIfLess" },
      { terms: { ...MARKET, exitPlan: { targets: [{ percent: 10 }], stop: { percent: 5 } } } },
    ),
  },
  {
    name: "commas before closing braces",
    source: "traderspost.io/reference/webhook-message/invalid-stop-loss-amount",
    body: `{
    "ticker": "AAPL",
    "action": "buy",
    "stopLoss": {
        "type": "stop",
        "amount": 10
    },
}`,
    refused: [{ path: "body", contains: "line 8, column 1" }],
  },
  {
    name: "curly quotes",
    source: "docs.traderspost.io/docs/core-concepts/signals/webhooks",
    body: "{ “ticker”: “TSLA”, “action”: “buy” }",
    reads: enter("TSLA", { side: "BUY", qty: 1, whenOpposite: "close" }),
  },
  {
    name: "a colon left out",
    source: "docs.traderspost.io/docs/core-concepts/webhooks",
    body: '{ "ticker": "SQ", "action": "buy", "orderType": "stop_limit", "stopPrice" 60, "limitPrice": 50.50 }',
    refused: [{ path: "body", contains: "is not valid JSON" }],
  },
  {
    name: "an action cut short",
    source: "docs.traderspost.io/docs/core-concepts/webhooks",
    body: '{ "ticker": "NQ", "action": "bu" }',
    refused: [{ path: "action", contains: "must be one of buy, sell" }],
  },
  {
    name: "a quantity in words",
    source: "traderspost.io/reference/webhook-message/invalid-quantity",
    body: '{ "ticker": "AAPL", "action": "buy", "quantity": "ten shares" }',
    refused: [{ path: "quantity", contains: "must be a number" }],
  },
];
