import type { OrderTerms } from "../../../../../src/domain/alert.ts";
import type { OrderTicket } from "../../../../../src/domain/order-ticket.ts";
import type { AlertExample } from "./alert-example.ts";

const DOCS = "crosstrade.io/docs/webhooks";
const OLD_DOCS = "docs.crosstrade.io/webhooks";
const FAQ = "crosstrade.io/answers/faq";
const PUBLIC = "public senders of CrossTrade's form";

const MARKET: OrderTerms = { ordType: "MARKET", timeInForce: "DAY" };
const CLOSE: OrderTerms = { ordType: "MARKET" };
const BUY: Omit<OrderTicket, "symbol"> = { side: "BUY", orderQty: 1, ...MARKET };
const SELL: Omit<OrderTicket, "symbol"> = { side: "SELL", orderQty: 1, ...MARKET };
const NO_OPENING = [{ path: "out_of_sync", contains: "write block, or resync" }];

/** Lines as a sender writes them, each ended by a semicolon. */
const lines = (...pairs: readonly string[]) =>
  ["key=your-secret-key", ...pairs].map((pair) => `${pair};`).join("\n");
const line = (...pairs: readonly string[]) =>
  ["key=your-secret-key", ...pairs].map((pair) => `${pair};`).join(" ");
/** An order at the market in one line, with what is added to it. */
const order = (instrument: string, action: string, ...more: readonly string[]) =>
  line(
    "command=PLACE",
    "account=sim101",
    `instrument=${instrument}`,
    `action=${action}`,
    "qty=1",
    "order_type=MARKET",
    "TIF=DAY",
    ...more,
  );

/** Keys and accounts are neutral ones. */
export const CROSSTRADE_EXAMPLES: readonly AlertExample[] = [
  {
    name: "an order, a pair to a line",
    source: `${FAQ}/payload-reference`,
    body: "key=your-secret-key;\ncommand=PLACE;\naccount=sim101;\ninstrument=MNQ 06-25;\naction=BUY;\nqty=1;\norder_type=MARKET;\ntif=DAY;\n",
    reads: { kind: "order", ticket: { symbol: "MNQM25", ...BUY } },
  },
  {
    name: "the same in small letters, for the front month",
    source: "crosstrade.io/learn/trading-fundamentals/understanding-webhooks",
    body: "key=your-secret-key;\ncommand=place;\naccount=Sim101;\ninstrument=ES1!;\naction=buy;\nqty=1;\norder_type=market;\ntif=day;",
    reads: { kind: "order", ticket: { symbol: "ES1!", ...BUY } },
  },
  {
    name: "flattening first, in one line",
    source: `${OLD_DOCS}/advanced-options/flatten-first`,
    body: order("NQ 12-24", "BUY", "flatten_first=true"),
    reads: {
      kind: "adjust",
      symbol: "NQZ24",
      aim: { to: "enter", side: "BUY", qty: 1, whenHeld: "replace", whenOpposite: "close" },
      terms: MARKET,
      cancelFirst: true,
    },
  },
  {
    name: "FLATPLACE leaves what rests",
    source: `${OLD_DOCS}/commands/flat-place-order`,
    body: lines(
      "command=flatplace",
      "account=sim101",
      "instrument=ES1!",
      "action=buy",
      "qty=1",
      "order_type=market",
      "tif=day",
    ),
    reads: {
      kind: "adjust",
      symbol: "ES1!",
      aim: { to: "enter", side: "BUY", qty: 1, whenHeld: "replace", whenOpposite: "close" },
      terms: MARKET,
    },
  },
  {
    name: "REVERSE",
    source: `${OLD_DOCS}/commands/reverse`,
    body: lines("command=REVERSE", "account=sim101", "instrument=ES 03-25"),
    reads: { kind: "adjust", symbol: "ESH25", aim: { to: "reverse" }, terms: CLOSE },
  },
  {
    name: "FLATTEN of one instrument",
    source: `${DOCS}/commands/flatten-positions`,
    body: lines("command=flatten", "account=Sim101", "instrument=MES 09-26"),
    reads: { kind: "exit", symbol: "MESU26" },
  },
  {
    name: "FLATTEN of an account",
    source: `${DOCS}/commands/flatten-positions`,
    body: lines("command=FLATTEN", "account=sim101"),
    reads: { kind: "flatten" },
  },
  {
    name: "FLATTEN of all shorts",
    source: `${DOCS}/commands/flatten-positions`,
    body: lines("command=flatten", "account=Sim101", "market_position=short"),
    refused: [{ path: "market_position", contains: "needs an instrument" }],
  },
  {
    name: "FLATTEN of one instrument in all accounts means the token's",
    source: `${DOCS}/commands/flatten-positions`,
    body: lines("command=flatten", "instrument=MNQ 09-26"),
    reads: { kind: "exit", symbol: "MNQU26" },
  },
  {
    name: "FLATTEN of everything means the token's account",
    source: `${DOCS}/commands/flatten-positions`,
    body: lines("command=flatten"),
    reads: { kind: "flatten" },
  },
  {
    name: "FLATTENEVERYTHING without blanks",
    source: PUBLIC,
    body: "key=your-secret-key;command=FLATTENEVERYTHING;",
    reads: { kind: "flatten" },
  },
  {
    name: "CLOSEPOSITION",
    source: PUBLIC,
    body: "key=your-secret-key;command=CLOSEPOSITION;account=Sim101;instrument=MNQ 12-26;",
    reads: { kind: "exit", symbol: "MNQZ26" },
  },
  {
    name: "CLOSEPOSITION of a part",
    source: PUBLIC,
    body: "key=test-secret;command=closeposition;account=DemoAccount;instrument=MYM1!;destination=tradovate;quantity=76;",
    reads: { kind: "adjust", symbol: "MYM1!", aim: { to: "close", qty: 76 }, terms: CLOSE },
  },
  {
    name: "CLOSEPOSITION without an instrument",
    source: `${OLD_DOCS}/special-options/require-market-position`,
    body: line("command=CLOSEPOSITION", "account=sim101", "require_market_position=short"),
    refused: [{ path: "instrument", contains: "is needed" }],
  },
  {
    name: "a buy unless short",
    source: `${OLD_DOCS}/advanced-options/require-market-position`,
    body: order("ZW 12-24", "BUY", "require_market_position=long,flat"),
    reads: {
      kind: "adjust",
      symbol: "ZWZ24",
      aim: { to: "order", side: "BUY", qty: 1 },
      terms: MARKET,
      onlyWhen: ["FLAT", "LONG"],
    },
  },
  {
    name: "a sell unless long, with a slash",
    source: `${FAQ}/position-management`,
    body: order("MNQ1!", "sell", "require_market_position=flat/short"),
    reads: {
      kind: "adjust",
      symbol: "MNQ1!",
      aim: { to: "order", side: "SELL", qty: 1 },
      terms: MARKET,
      onlyWhen: ["FLAT", "SHORT"],
    },
  },
  {
    name: "a limit to open positions, and a month of one digit",
    source: `${DOCS}/advanced-options/max-positions`,
    body: order("CL 4-26", "buy", "max_positions=2"),
    refused: [{ path: "max_positions", contains: "limits" }],
  },
  {
    name: "a limit order relative to the last quote, with a timeout",
    source: `${DOCS}/advanced-options/limit-order-timeouts`,
    body: lines(
      "command=place",
      "account=sim101",
      "instrument=ES 09-26",
      "action=buy",
      "qty=1",
      "order_type=limit",
      "tif=day",
      "limit_price=-10 ticks",
      "cancel_after=5",
    ),
    refused: [{ path: "limit_price", contains: "relative" }],
  },
  {
    name: "the same at a price, as for Tradovate",
    source: `${DOCS}/advanced-options/limit-order-timeouts`,
    body: lines(
      "command=place",
      "account=sim101",
      "instrument=ES 09-26",
      "action=buy",
      "qty=1",
      "order_type=limit",
      "tif=day",
      "limit_price=5000.25",
      "cancel_after=15",
      "destination=tradovate",
    ),
    reads: {
      kind: "order",
      ticket: {
        symbol: "ESU26",
        ...BUY,
        ordType: "LIMIT",
        limitPrice: "5000.25",
        timeout: { afterSeconds: 900, then: "cancel" },
      },
    },
  },
  {
    name: "a bracket in percent of the market",
    source: "crosstrade.io/blog/introducing-price-level-ticks-and-percentage",
    body: order("NQ 12-26", "BUY", "take_profit=+2.5%", "stop_loss=-5%"),
    reads: {
      kind: "order",
      ticket: {
        symbol: "NQZ26",
        ...BUY,
        exitPlan: { targets: [{ percent: "2.5" }], stop: { percent: "5" } },
      },
    },
  },
  {
    name: "a bracket of prices",
    source: `${OLD_DOCS}/special-options/bracket-orders`,
    body: order("NQ 12-24", "BUY", "take_profit=20150.25", "stop_loss=20050.25"),
    reads: {
      kind: "order",
      ticket: {
        symbol: "NQZ24",
        ...BUY,
        bracket: { takeProfit: { price: "20150.25" }, stopLoss: { price: "20050.25" } },
      },
    },
  },
  {
    name: "a bracket that was not filled in",
    source: `${OLD_DOCS}/special-options/bracket-orders`,
    body: order("NQ 12-24", "BUY", "take_profit=(price above)", "stop_loss=(price below)"),
    refused: [
      { path: "take_profit", contains: "must be a number" },
      { path: "stop_loss", contains: "must be a number" },
    ],
  },
  {
    name: "CANCELREPLACE, with a blank before lines end",
    source: `${OLD_DOCS}/commands/cancel-replace`,
    body: "key=your-secret-key; \ncommand=CANCELREPLACE; \naccount=sim101; \ninstrument=NQ 12-24; \naction=BUY; \nqty=1; \norder_type=MARKET; \ntif=DAY; \norder_id=abc123;",
    refused: [{ path: "command", contains: "by the sender's own id" }],
  },
  {
    name: "CANCEL, with a remark that is no pair",
    source: `${DOCS}/commands/cancel-order`,
    body: "key=your-secret-key;\ncommand=CANCEL\norder_id=your-order-ID;\nstrategy_id=your-strategy-id; (optional)",
    refused: [{ path: "body", contains: "line 4, column 31" }],
  },
  {
    name: "CLOSESTRATEGY",
    source: `${DOCS}/commands/close-strategy`,
    body: lines("command=closestrategy", "strategy_id=atm-strategy-id"),
    refused: [
      { path: "command", contains: "CLOSEPOSITION" },
      { path: "strategy_id", contains: "ATM" },
    ],
  },
  {
    name: "CANCELANDBRACKET around a short",
    source: PUBLIC,
    body: lines(
      "destination=tradovate",
      "command=cancelandbracket",
      "account=DemoAccount",
      "instrument=MNQU6",
      "action=SELL",
      "qty=2",
      "stop_loss=29483.25",
      "take_profit=29081.75",
    ),
    reads: {
      kind: "protect",
      symbol: "MNQU6",
      legs: { takeProfit: { price: "29081.75" }, stopLoss: { price: "29483.25" } },
    },
  },
  {
    name: "a trailing stop that starts at a price",
    source: `${DOCS}/tradovate-advanced`,
    body: lines(
      "command=place",
      "account=DemoAccount",
      "instrument=ES1!",
      "action=sell",
      "qty=1",
      "order_type=trailingstop",
      "stop_price=5285.00",
      "trail_offset=4.00",
      "tif=gtc",
      "destination=tradovate",
    ),
    refused: [{ path: "stop_price", contains: "order_type=trailingstop" }],
  },
  {
    name: "a trailing stop limit",
    source: `${DOCS}/tradovate-advanced`,
    body: lines(
      "command=place",
      "account=DemoAccount",
      "instrument=ES1!",
      "action=sell",
      "qty=1",
      "order_type=trailingstoplimit",
      "stop_price=5285.00",
      "limit_price=5283.00",
      "trail_offset=4.00",
      "tif=gtc",
      "destination=tradovate",
    ),
    refused: [{ path: "order_type", contains: "not placed here" }],
  },
  {
    name: "targets in tiers",
    source: `${DOCS}/advanced-options/tradovate-atm`,
    body: "key=your-secret-key;command=place;account=DemoAccount;instrument=ES1!;action=buy;qty=2;order_type=market;tif=day;destination=tradovate;atm_targets=20,40;atm_stops=15;atm_qtys=1,1;atm_trail=false,true;",
    refused: ["atm_targets", "atm_stops", "atm_qtys", "atm_trail"].map((path) => ({
      path,
      contains: "write take_profit and stop_loss",
    })),
  },
  {
    name: "a trading window",
    source: `${OLD_DOCS}/advanced-options/trading-window`,
    body: order("NQ 12-24", "BUY", "start_time=9:30 AM", "end_time=4:00 PM"),
    refused: [
      { path: "start_time", contains: "window" },
      { path: "end_time", contains: "window" },
    ],
  },
  {
    name: "windows that are bypassed, and another order of fields",
    source: `${OLD_DOCS}/advanced-options/bypass-trade-windows`,
    body: line(
      "account=Sim101",
      "instrument=ES 03-25",
      "command=PLACE",
      "order_type=MARKET",
      "action=BUY",
      "qty=1",
      "tif=DAY",
      "bypass_trade_windows=true",
    ),
    reads: { kind: "order", ticket: { symbol: "ESH25", ...BUY } },
  },
  {
    name: "a delay",
    source: `${OLD_DOCS}/advanced-options/delay-timer`,
    body: order("NQ 12-24", "BUY", "delay=3"),
    refused: [{ path: "delay", contains: "at once" }],
  },
  {
    name: "a rate limit",
    source: `${OLD_DOCS}/advanced-options/rate-limiting`,
    body: order("NQ 12-24", "BUY", "rate_limit=1", "id=mystrategy"),
    refused: [{ path: "rate_limit", contains: "rateLimitPerMinute" }],
  },
  {
    name: "the kill switch, without a command",
    source: `${OLD_DOCS}/advanced-options/kill-switch`,
    body: line("kill_switch=on"),
    refused: [{ path: "kill_switch", contains: "PUT /v1/kill-switch" }],
  },
  {
    name: "an entry that flattens when out of step",
    source: "github.com/hoquet98/crosstrade_relay",
    body: "relay_user=myuser;\nrelay_id=1min;\ncommand=PLACE;\naccount=ACCT1;\ninstrument=RTYH2026;\naction=sell;\nqty=1;\norder_type=MARKET;\ntif=DAY;\nsync_strategy=true;\nmarket_position=short;\nprev_market_position=flat;\nout_of_sync=flatten;",
    refused: NO_OPENING,
  },
  {
    name: "an exit that flattens when out of step",
    source: "github.com/hoquet98/crosstrade_relay",
    body: "relay_user=myuser; relay_id=1min; command=PLACE; account=ACCT1; instrument=RTYH6; action=buy; qty=1; order_type=MARKET; tif=DAY; sync_strategy=true; market_position=flat; prev_market_position=short; out_of_sync=flatten;",
    reads: {
      kind: "adjust",
      symbol: "RTYH6",
      aim: { to: "position", netQty: 0, strategy: { side: "BUY" } },
      terms: CLOSE,
    },
  },
  {
    name: "the same with a lock",
    source: PUBLIC,
    body: order(
      "MNQ 12-26",
      "buy",
      "strategy_tag=AIGate",
      "sync_strategy=true",
      "market_position=long",
      "prev_market_position=short",
      "out_of_sync=flatten",
    ),
    refused: [...NO_OPENING, { path: "strategy_tag", contains: "own account" }],
  },
  {
    name: "fields of a chart, and a title that names an ATM template",
    source: PUBLIC,
    body: order(
      "ES1!",
      "buy",
      "strategy=EMA cross",
      "open=5800",
      "high=5804.5",
      "low=5799.25",
      "price=5801",
      "time=2026-11-20T14:30:00Z",
      "timeframe=15",
      "sync_strategy=true",
      "market_position=long",
      "prev_market_position=flat",
      "out_of_sync=flatten",
    ),
    refused: [...NO_OPENING, { path: "strategy", contains: "ATM" }],
  },
  {
    name: "a sell",
    source: PUBLIC,
    body: order("MNQ 12-26", "SELL"),
    reads: { kind: "order", ticket: { symbol: "MNQZ26", ...SELL } },
  },
  {
    name: "an exit leg by hand",
    source: PUBLIC,
    body: "key=your-secret-key;command=PLACE;account=Sim101;instrument=GC 12-26;action=SELL;qty=1;order_type=STOPMARKET;stop_price=2650.1;tif=GTC;",
    reads: {
      kind: "order",
      ticket: {
        symbol: "GCZ26",
        side: "SELL",
        orderQty: 1,
        ordType: "STOP",
        timeInForce: "GTC",
        stopPrice: "2650.1",
      },
    },
  },
  {
    name: "a root alone",
    source: PUBLIC,
    body: "key=k; command=flatten; account=Incubator-Odd; instrument=MCL;",
    reads: { kind: "exit", symbol: "MCL" },
  },
  {
    name: "JSON with links between orders",
    source: PUBLIC,
    body: '{"key":"your-secret-key","destination":"nt8","account":"Sim101","instrument":"MNQ1!","notes":"src:ultra","command":"place","action":"buy","qty":1,"order_type":"limit","limit_price":21010.25,"tif":"day","atm_strategy":"crosstrade","append_atm":"true","oco_id":"ultra-arm-18","order_id":"ultra-arm-18-long"}',
    refused: [
      { path: "atm_strategy", contains: "ATM" },
      { path: "append_atm", contains: "ATM" },
      { path: "oco_id", contains: "linked" },
    ],
  },
  {
    name: "JSON with a lock",
    source: PUBLIC,
    body: '{"command":"place","account":"Prop-Even","instrument":"MES","action":"buy","qty":3,"order_type":"market","strategy_tag":"ema_crossover_20260821"}',
    refused: [{ path: "strategy_tag", contains: "own account" }],
  },
  {
    name: "a line with the key, and a line with all the rest",
    source: "CrossTrade's alert builder",
    body: "key=your-secret-key;\ncommand=place;account=Sim101;instrument=NQ1!;action=sell;qty=1;order_type=market;tif=day;",
    reads: { kind: "order", ticket: { symbol: "NQ1!", ...SELL } },
  },
  {
    name: "several accounts",
    source: `${OLD_DOCS}/getting-started/alert-history`,
    body: "key=your-secret-key;command=PLACE;account=Sim101,Sim102;instrument=ES1!;action=BUY;qty=1;order_type=MARKET;tif=DAY;",
    refused: [{ path: "account", contains: "point the webhook at a group" }],
  },
  {
    name: "a command hidden in a value",
    source: PUBLIC,
    body: '{"account":"PA-APEX-1;command=FLATTEN","instrument":"MES","qty":1}',
    refused: [{ path: "command", contains: "is needed" }],
  },
];
