import type { AlertRequest } from "../../../../../src/domain/alert.ts";
import type { Side } from "../../../../../src/domain/order.ts";

/** A published body that says where a strategy's position stands, and what it comes to here. */
export type PositionExample = {
  readonly name: string;
  readonly source: string;
  readonly body: string;
} & (
  | { readonly reads: AlertRequest; readonly controls?: object }
  | { readonly refused: readonly { readonly path: string; readonly contains: string }[] }
);

const JUST_TRADES = "github.com/Just-Trades13/Just-Trades TRADINGVIEW_ALERT_SETUP_JADNQ.md";
const OPENALGO = "github.com/marketcalls/openalgo docs";
const JUNTA = "github.com/junta/tradingview-alert-connector tests";
const USERS = "public templates of receivers and their users";

const to = (
  symbol: string,
  netQty: number,
  side: Side,
  from?: number,
  filledAt?: number,
): AlertRequest => {
  const before = {
    ...(from !== undefined && { from }),
    ...(filledAt !== undefined && { filledAt }),
  };
  return {
    kind: "adjust",
    symbol,
    aim: { to: "position", netQty, strategy: { side, ...before } },
    terms: { ordType: "MARKET" },
  };
};

export const POSITION_EXAMPLES: readonly PositionExample[] = [
  {
    name: "a reversal to long: the order buys two, the position is one",
    source: JUST_TRADES,
    body: '{"ticker":"MNQ1!","price":21350.25,"action":"buy","market_position":"long","position_size":1,"prev_position_size":1,"quantity":2,"strategy_name":"JADNQ"}',
    reads: to("MNQ1!", 1, "BUY"),
  },
  {
    name: "flat, with the size before beside it",
    source: JUST_TRADES,
    body: '{"ticker":"MNQ1!","price":21360,"action":"sell","market_position":"flat","position_size":0,"prev_position_size":1,"quantity":1,"strategy_name":"JADNQ"}',
    reads: to("MNQ1!", 0, "SELL"),
  },
  {
    name: "short, with its sign",
    source: JUST_TRADES,
    body: '{"ticker":"CME_MINI:MNQ1!","price":21360,"action":"sell","market_position":"short","position_size":-2,"prev_position_size":0,"quantity":2,"strategy_name":"JADNQ"}',
    reads: to("CME_MINI:MNQ1!", -2, "SELL", 0),
  },
  {
    name: "text that the receiver's own page calls wrong",
    source: JUST_TRADES,
    body: "JADNQ: OPEN_LONG, Price = 25850",
    refused: [{ path: "body", contains: "neither JSON" }],
  },
  {
    name: "an order without a position",
    source: JUST_TRADES,
    body: '{"action":"buy","price":25850}',
    refused: [
      { path: "symbol", contains: "is needed" },
      { path: "market_position", contains: "is needed" },
    ],
  },
  {
    name: "3Commas: a reversal, and an age from its timestamp",
    source: "help.3commas.io/en/articles/9374557",
    body: '{"secret":"token","max_lag":"300","timestamp":"2026-05-12T14:31:00Z","trigger_price":"21350.25","tv_exchange":"CME_MINI","tv_instrument":"MNQ1!","action":"buy","bot_uuid":"uuid-1","strategy_info":{"market_position":"long","market_position_size":"1","prev_market_position":"short","prev_market_position_size":"1"},"order":{"amount":"2","currency_type":"base"}}',
    reads: to("CME_MINI:MNQ1!", 1, "BUY", -1),
    controls: { maxAgeMs: 300_000, firedAt: Date.parse("2026-05-12T14:31:00Z") },
  },
  {
    name: "OpenAlgo: the sign of position_size is the side",
    source: OPENALGO,
    body: '{"apikey":"KEY","strategy":"Short","symbol":"MNQ1!","exchange":"CME","action":"sell","quantity":"2","position_size":"-2","pricetype":"MARKET","product":"MIS"}',
    reads: to("CME:MNQ1!", -2, "SELL"),
  },
  {
    name: "OpenAlgo: five are to be held, and quantity is not read",
    source: OPENALGO,
    body: '{"apikey":"<your_app_apikey>","strategy":"Test Strategy","exchange":"NSE","symbol":"IDEA","action":"BUY","product":"MIS","pricetype":"MARKET","quantity":"1","position_size":"5","price":"0","trigger_price":"0","disclosed_quantity":"0"}',
    reads: to("NSE:IDEA", 5, "BUY"),
  },
  {
    name: "a connector whose position is a word; parts of a coin",
    source: JUNTA,
    body: '{"exchange":"dydx","strategy":"TestStrategy","market":"BTC-USD","size":0.1,"order":"buy","price":50000,"position":"long","reverse":false}',
    refused: [
      { path: "symbol", contains: "is needed" },
      { path: "market_position_size", contains: "is needed" },
    ],
  },
  {
    name: "the same, with a flag as text",
    source: JUNTA,
    body: '{"exchange":"dydx","strategy":"TestStrategy","market":"BTC-USD","size":0.1,"order":"buy","price":50000,"position":"long","reverse":"true"}',
    refused: [
      { path: "symbol", contains: "is needed" },
      { path: "market_position_size", contains: "is needed" },
    ],
  },
  {
    name: "the same, with the word that it has now",
    source: JUNTA,
    body: '{"exchange":"dydxv4","strategy":"TestStrategy","market":"BTC-USD","size":0.1,"order":"sell","price":50000,"direction":"flat","reverse":true,"passphrase":"secret"}',
    refused: [{ path: "symbol", contains: "is needed" }],
  },
  {
    name: "a symbol that is only a currency",
    source: "hypertrade docs/tradingview-webhook.md",
    body: '{"general":{"strategy":"My Strategy","ticker":"SOLUSD","interval":"60","time":"2026-06-18T06:00:00Z","timenow":"2026-06-18T06:00:01Z","secret":"YOUR_SECRET","leverage":"3x"},"currency":{"base":"SOL","quote":"USD"},"order":{"action":"buy","contracts":"10","price":"150.0","id":"Long Entry","comment":"open long","alert_message":""},"market":{"position":"long","position_size":"10","previous_position":"flat","previous_position_size":"0"}}',
    refused: [
      { path: "currency.base", contains: "names no contract" },
      { path: "symbol", contains: "is needed" },
    ],
  },
  {
    name: "OKX: a side without a size of the position",
    source: "okx.com/help/signal-bot-alert-message-specifications",
    body: '{"id":"Long","action":"buy","marketPosition":"long","prevMarketPosition":"flat","instrument":"BTC-USDT-SWAP","signalToken":"TOKEN1","timestamp":"2026-05-12T14:31:00Z","maxLag":"60","investmentType":"base","amount":"1"}',
    refused: [{ path: "market_position_size", contains: "is needed" }],
  },
  {
    name: "only the position before",
    source: "tickerly.net/directional-alerts",
    body: '{"ticker":"EURUSD","action":"sell","prev_position":"long","quantity":"1000","pointer":"m1k3y"}',
    refused: [{ path: "market_position", contains: "is needed" }],
  },
  {
    name: "curly quotes, as one page prints them",
    source: "tickerly.net",
    body: '{“action”: “sell”, "ticker": "MNQ1!", “prev_position” : “long”, “quantity”: “1”, “pointer” : “p1”}',
    refused: [{ path: "market_position", contains: "is needed" }],
  },
  {
    name: "the very common object strategy",
    source: USERS,
    body: '{"passphrase":"abcdefgh","time":"2020-09-06T01:44:17Z","exchange":"BINANCE","ticker":"DOGEUSDT","bar":{"time":"2020-09-06T01:43:00Z","open":0.002748,"high":0.0027486,"low":0.002748,"close":0.0027486,"volume":150177},"strategy":{"position_size":10000,"order_action":"buy","order_contracts":10000,"order_price":0.0027451,"order_id":"doge door","market_position":"long","market_position_size":10000,"prev_market_position":"flat","prev_market_position_size":0}}',
    reads: to("BINANCE:DOGEUSDT", 10_000, "BUY", 0),
  },
  {
    name: "the same on a future, with quoted numbers",
    source: USERS,
    body: '{"passphrase":"pw","time":"2026-05-12T14:31:00Z","exchange":"CME_MINI","ticker":"ES1!","bar":{"time":"2026-05-12T14:30:00Z","open":"5310","high":"5311","low":"5309","close":"5310.25","volume":"120"},"strategy":{"position_size":"-1","order_action":"sell","order_contracts":"2","order_price":"5310.25","order_id":"S","message":"","market_position":"short","market_position_size":"1","prev_market_position":"long","prev_market_position_size":"1"}}',
    reads: to("CME_MINI:ES1!", -1, "SELL", 1),
  },
  {
    name: "sizes in percent of a balance",
    source: USERS,
    body: '{"connectorName":"N","connectorToken":"T","log":"short","entryOrder":{"value":100,"mode":"compoundAvailableBalancePercent"},"position":{"side":"short","size":1,"prev_side":"flat","prev_size":0}}',
    refused: [
      { path: "symbol", contains: "is needed" },
      { path: "entryOrder", contains: "cannot size" },
    ],
  },
  {
    name: "every placeholder there is, side by side",
    source: USERS,
    body: '{"ticker":"MNQ1!","exchange":"CME_MINI","interval":"1","time":"2026-05-12T14:30:00Z","timenow":"2026-05-12T14:31:00Z","position_size":"1","action":"buy","contracts":"1","price":"21350.25","order_id":"Long","comment":"Long","alert_message":"","market_position":"long","market_position_size":"1","prev_market_position":"flat","prev_market_position_size":"0"}',
    reads: to("CME_MINI:MNQ1!", 1, "BUY", 0, Date.parse("2026-05-12T14:31:00Z")),
    controls: { firedAt: Date.parse("2026-05-12T14:31:00Z") },
  },
  {
    name: "a side without a size, in an object",
    source: USERS,
    body: '{"version":1,"source":"tradingview_webhook","secret":"s","event_id":"Long:2026-05-12T14:30:00Z:buy","symbol":"CME_MINI:MNQ1!","action":"buy","price":"21350.25","bar_time":"2026-05-12T14:30:00Z","trigger_time":"2026-05-12T14:31:00Z","strategy":{"order_id":"Long","order_comment":"Long","contracts":"1","market_position":"long","prev_market_position":"flat"}}',
    refused: [{ path: "strategy.market_position_size", contains: "is needed" }],
  },
  {
    name: "a password line, then text",
    source: USERS,
    body: `PasswordTest
flat BTCUSD q=0.06`,
    refused: [{ path: "body", contains: "neither JSON" }],
  },
  {
    name: "a list of values without names",
    source: USERS,
    body: "M1:XXXXX,,MNQ1!,21350.25,sell,flat,long,50,TP1,4,1,2",
    refused: [{ path: "body", contains: "not readable" }],
  },
  {
    name: "CrossTrade: what to do when the account differs",
    source: "docs.crosstrade.io/webhooks/advanced-options/strategy-synchronization",
    body: "key=KEY; command=place; account=sim101; instrument=MNQ1!; action=buy; qty=1; order_type=market; tif=day; sync_strategy=true; market_position=long; prev_market_position=flat; target_quantity=1; out_of_sync=flatten;",
    refused: [{ path: "out_of_sync", contains: "profile to crosstrade" }],
  },
  {
    name: "a command language: parts of a contract",
    source: "linkmytrading: docs/concepts/core-concepts",
    body: "type=market,position=0.003",
    refused: [
      { path: "symbol", contains: "is needed" },
      { path: "position", contains: "must be a whole number" },
    ],
  },
];
