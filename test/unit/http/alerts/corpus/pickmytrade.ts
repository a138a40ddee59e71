import type { Aim, AlertRequest } from "../../../../../src/domain/alert.ts";
import type { Side } from "../../../../../src/domain/order.ts";
import type { BracketTicket } from "../../../../../src/domain/contracts/tick-reader.ts";

/** A published body of PickMyTrade or of its users, filled in, and what it comes to here. */
export type PickMyTradeExample = {
  readonly name: string;
  readonly source: string;
  readonly body: string;
} & (
  | { readonly reads: AlertRequest }
  | { readonly refused: readonly { readonly path: string; readonly contains: string }[] }
);

const PAGES = "pickmytrade.trade/pages and docs.pickmytrade.trade, .io";
const VALIDATOR = "github.com/bhavishyagoyal12/pickmytrade_validation";
const CLIENT = "github.com/pickmytrade/pickmytrade-python";
const USERS = "public code and notes of users";
const DASHBOARD = "github.com/bostonrobbie/Manus-Dashboard docs/webhook-templates.md";

type Adjust = Extract<AlertRequest, { kind: "adjust" }>;

const exit = (symbol: string): AlertRequest => ({ kind: "exit", symbol });

function order(
  symbol: string,
  side: Side,
  orderQty: number,
  bracket?: BracketTicket,
): AlertRequest {
  const ticket = { symbol, side, orderQty, ordType: "MARKET" } as const;
  return { kind: "order", ticket: bracket === undefined ? ticket : { ...ticket, bracket } };
}

function adjust(symbol: string, aim: Aim, more: Partial<Adjust> = {}): AlertRequest {
  return { kind: "adjust", symbol, aim, terms: { ordType: "MARKET" }, ...more };
}

type Entry = Omit<Extract<Aim, { to: "enter" }>, "to" | "whenOpposite">;

function enter(symbol: string, entry: Entry, bracket: BracketTicket): AlertRequest {
  const terms = { ordType: "MARKET", bracket } as const;
  const aim: Aim = { to: "enter", whenOpposite: "close", ...entry };
  return adjust(symbol, aim, { terms, cancelFirst: true });
}

export const PICKMYTRADE_EXAMPLES: readonly PickMyTradeExample[] = [
  {
    name: "everything quoted, sized by risk in its account row",
    source: PAGES,
    body: `{
   "symbol": "NQM2026",
   "date": "2026-05-12T14:31:00Z",
   "data": "buy",
   "quantity": "1",
   "risk_percentage": "0",
   "price": "21350.25",
   "tp": "0",
   "percentage_tp": "0",
   "dollar_tp": "2",
   "sl": "0",
   "dollar_sl": "0",
   "percentage_sl": "0",
   "trail": "0",
   "trail_stop": "0",
   "trail_trigger": "0",
   "trail_freq": "0",
   "update_tp": "false",
   "update_sl": "false",
   "token": "TOKEN1",
   "duplicate_position_allow": "true",
   "reverse_order_close": "true",
   "multiple_accounts": [
   {
    "token":  "TOKEN1",
    "account_id": "2",
    "risk_percentage": 2,
    "quantity_multiplier": 0
    }
  ]
}`,
    refused: [
      { path: "dollar_tp", contains: "points on one page" },
      { path: "quantity", contains: "set it to 0" },
      { path: "risk_percentage", contains: "needs sl" },
    ],
  },
  {
    name: "bare names and single quotes, as one page prints it",
    source: PAGES,
    body: `    symbol: 'MNQ1!',
    date: '2026-05-12T14:31:00Z',
    data: 'buy',
    quantity: 3,
    risk_percentage: 0,
    price: '21350.25',
    tp: 0,
    sl: 0,
    trail: 0,
    update_tp: false,
    update_sl: false,
    token: 'TOKEN1',
    duplicate_position_allow: false,
    reverse_order_close: true`,
    refused: [{ path: "body", contains: "line 5" }],
  },
  {
    name: "a strategy's sell that closes nothing, with one account row",
    source: PAGES,
    body: '{"symbol":"NQ","date":"2026-05-12T14:31:00Z","data":"sell","quantity":"2","risk_percentage":0,"price":"21350.25","tp":0,"percentage_tp":0,"dollar_tp":0,"sl":0,"dollar_sl":0,"percentage_sl":0,"trail":0,"trail_stop":0,"trail_trigger":0,"trail_freq":0,"update_tp":false,"update_sl":false,"breakeven":0,"token":"TOKEN1","pyramid":true,"reverse_order_close":false,"account_id":"ACC0","multiple_accounts":[{"token":"TOKEN1","account_id":"FFFF","risk_percentage":0,"quantity_multiplier":1}]}',
    reads: order("NQ", "SELL", 2),
  },
  {
    name: "take-profit and stop-loss in percent",
    source: PAGES,
    body: '{"symbol":"NQM5","date":"2026-05-12T14:31:00Z","data":"buy","quantity":10,"risk_percentage":0,"price":"21350.25","tp":0,"percentage_tp":100,"dollar_tp":0,"sl":0,"dollar_sl":0,"percentage_sl":50,"order_type":"MKT","update_tp":false,"update_sl":false,"token":"TOKEN1","duplicate_position_allow":true,"platform":"RITHMIC","reverse_order_close":true,"multiple_accounts":[{"token":"TOKEN1","account_id":"BG1","connection_name":"RITHMIC1","risk_percentage":0,"quantity_multiplier":1}]}',
    refused: [{ path: "percentage_tp", contains: "below 100 percent" }],
  },
  {
    name: "a body cut short with dots, as one page prints it",
    source: PAGES,
    body: `{
\t"symbol": "MNQ1!",
\t"data": "buy",
\t"quantity": 1,
\t"pyramid": true,
\t"same_direction_ignore": false,
\t"reverse_order_close": true,
..}`,
    refused: [{ path: "body", contains: "not valid JSON" }],
  },
  {
    name: "price with a market order is only what the chart showed",
    source: CLIENT,
    body: '{"token":"TOKEN1","symbol":"NQ","data":"buy","quantity":1,"price":20000.25,"order_type":"MKT","account_id":"DEMO1","sl":10,"tp":20}',
    reads: order("NQ", "BUY", 1, { takeProfit: { price: 20 }, stopLoss: { price: 10 } }),
  },
  {
    name: "a trailing stop",
    source: USERS,
    body: '{"symbol":"MNQ1!","strategy_name":"QuantumScalp","date":"2026-04-15T01:39:00Z","data":"buy","quantity":1,"risk_percentage":0,"price":0,"tp":12.5,"percentage_tp":0,"dollar_tp":0,"sl":6.0,"dollar_sl":0,"percentage_sl":0,"trail":1,"trail_stop":4.0,"trail_trigger":4.0,"trail_freq":0.25,"update_tp":false,"update_sl":false,"breakeven":0,"breakeven_offset":0,"token":"TOKEN1","account_id":"DEMO1","pyramid":false,"same_direction_ignore":true,"reverse_order_close":true,"multiple_accounts":[{"token":"TOKEN1","account_id":"DEMO1","risk_percentage":0,"quantity_multiplier":1}]}',
    reads: adjust(
      "MNQ1!",
      { to: "enter", side: "BUY", qty: 1, whenHeld: "refuse", whenOpposite: "close" },
      {
        terms: {
          ordType: "MARKET",
          exitPlan: {
            targets: [{ price: 12.5 }],
            stop: { price: 6 },
            trailing: { distance: { offset: 4 }, from: { offset: 4 }, step: { offset: 0.25 } },
          },
        },
        cancelFirst: true,
      },
    ),
  },
  {
    name: "a sell that a short would drop, and that nets a long",
    source: USERS,
    body: '{"symbol":"MNQ1!","strategy_name":"QuantumScalp","date":"2026-04-15T01:45:00Z","data":"sell","quantity":1,"price":0,"tp":0,"sl":0,"trail":0,"token":"TOKEN1","account_id":"DEMO1","pyramid":false,"same_direction_ignore":true,"reverse_order_close":false,"multiple_accounts":[{"token":"TOKEN1","account_id":"DEMO1","risk_percentage":0,"quantity_multiplier":1}]}',
    reads: adjust("MNQ1!", { to: "order", side: "SELL", qty: 1 }, { onlyWhen: ["FLAT", "LONG"] }),
  },
  {
    name: "flat closes the symbol, whatever its quantity",
    source: USERS,
    body: '{"symbol":"MNQ1!","strategy_name":"QuantumScalp","date":"2026-04-15T16:00:00Z","data":"flat","quantity":1,"price":0,"tp":0,"sl":0,"trail":0,"token":"TOKEN1","account_id":"DEMO1","pyramid":false,"same_direction_ignore":true,"reverse_order_close":false,"multiple_accounts":[{"token":"TOKEN1","account_id":"DEMO1","risk_percentage":0,"quantity_multiplier":1}]}',
    reads: exit("MNQ1!"),
  },
  {
    name: "the smallest close",
    source: USERS,
    body: '{"symbol":"MNQ1!","token":"TOKEN1","account_id":"DEMO1","data":"close"}',
    reads: exit("MNQ1!"),
  },
  {
    name: "cancel is none of the service's actions",
    source: USERS,
    body: '{"symbol":"MNQ1!","token":"TOKEN1","account_id":"DEMO1","data":"cancel"}',
    refused: [{ path: "data", contains: "must be one of buy" }],
  },
  {
    name: "distances from the entry, and a move to break even",
    source: USERS,
    body: '{"strategy_name":"","symbol":"MNQM6","date":"2026-05-12T14:31:00Z","data":"buy","quantity":5,"risk_percentage":0,"price":21350.25,"gtd_in_second":0,"stp_limit_stp_price":0,"tp":0,"percentage_tp":0,"dollar_tp":30,"sl":0,"percentage_sl":0,"dollar_sl":15,"trail":0,"trail_stop":0,"trail_trigger":0,"trail_freq":0,"update_tp":false,"update_sl":false,"breakeven":15,"breakeven_offset":1,"token":"TOKEN1","pyramid":false,"same_direction_ignore":false,"reverse_order_close":true,"order_type":"MKT","multiple_accounts":[{"token":"TOKEN1","account_id":"LFE1","risk_percentage":0,"quantity_multiplier":1}]}',
    refused: [
      { path: "dollar_tp", contains: "points on one page" },
      { path: "dollar_sl", contains: "points on one page" },
      { path: "breakeven", contains: "moves a stop" },
    ],
  },
  {
    name: "price levels, and a reversal",
    source: USERS,
    body: '{"strategy_name":"server","symbol":"MNQ1!","date":"2026-05-12T14:31:00.123Z","data":"sell","quantity":2,"risk_percentage":0,"price":21350.25,"order_type":"MKT","gtd_in_second":0,"stp_limit_stp_price":0,"tp":21300,"percentage_tp":0,"dollar_tp":0,"sl":21375,"percentage_sl":0,"dollar_sl":0,"trail":0,"trail_stop":0,"trail_trigger":0,"trail_freq":0,"update_tp":false,"update_sl":false,"breakeven":0,"breakeven_offset":0,"token":"TOKEN1","pyramid":false,"same_direction_ignore":false,"reverse_order_close":true,"multiple_accounts":[{"token":"TOKEN1","account_id":"ACC1","risk_percentage":0,"quantity_multiplier":1}]}',
    reads: enter(
      "MNQ1!",
      { side: "SELL", qty: 2, whenHeld: "replace" },
      { takeProfit: { price: 21300 }, stopLoss: { price: 21375 } },
    ),
  },
  {
    name: "one leg to scale out by",
    source: VALIDATOR,
    body: '{"strategy_name":"","symbol":"NQ1!","date":"2026-05-12T14:31:00Z","data":"buy","quantity":1,"risk_percentage":0,"price":"21350.25","stp_limit_stp_price":0,"update_tp":false,"update_sl":false,"breakeven_offset":0,"token":"TOKEN1","pyramid":false,"same_direction_ignore":false,"reverse_order_close":true,"order_type":"MKT","advance_tp_sl":[{"quantity":1,"tp":0,"percentage_tp":0,"dollar_tp":1,"sl":0,"percentage_sl":0,"dollar_sl":1,"breakeven":0,"breakeven_offset":1,"trail":0,"trail_stop":0,"trail_trigger":0,"trail_freq":0}],"multiple_accounts":[{"token":"TOKEN1","account_id":"DEMO1","risk_percentage":0,"quantity_multiplier":1}]}',
    refused: [
      { path: "advance_tp_sl.0.dollar_tp", contains: "points on one page" },
      { path: "advance_tp_sl.0.dollar_sl", contains: "points on one page" },
      { path: "advance_tp_sl.0", contains: "needs sl" },
    ],
  },
  {
    name: "an action nobody knows",
    source: VALIDATOR,
    body: '{"strategy_name":"asas","symbol":"NQM6","date":"2026-05-12T14:31:00Z","data":"fgh","quantity":1,"risk_percentage":0,"price":"456","gtd_in_second":2,"stp_limit_stp_price":"342344","update_tp":false,"update_sl":false,"breakeven_offset":0,"token":"TOKEN1","pyramid":false,"same_direction_ignore":false,"reverse_order_close":true,"order_type":"STPLMT","advance_tp_sl":[{"quantity":1,"tp":0,"percentage_tp":0,"dollar_tp":14,"sl":0,"percentage_sl":0,"dollar_sl":1,"breakeven":1,"breakeven_offset":3,"trail":1,"trail_stop":1,"trail_trigger":1,"trail_freq":1}],"multiple_accounts":[{"token":"TOKEN1","account_id":"DEMO1","risk_percentage":0,"quantity_multiplier":1}]}',
    refused: [{ path: "data", contains: "must be one of buy" }],
  },
  {
    name: "two kinds of take-profit",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"tp":10.0,"dollar_tp":100.0,"token":"valid_token"}',
    refused: [{ path: "dollar_tp", contains: "points on one page" }],
  },
  {
    name: "two kinds of stop-loss",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"sl":15.0,"percentage_sl":1.5,"token":"valid_token"}',
    refused: [{ path: "percentage_sl", contains: "says the same as sl" }],
  },
  {
    name: "a quantity and a risk",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":2,"risk_percentage":1,"token":"valid_token"}',
    refused: [
      { path: "quantity", contains: "set it to 0" },
      { path: "risk_percentage", contains: "needs sl" },
    ],
  },
  {
    name: "a trail that lacks its distance",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"sl":10.0,"trail":1,"trail_trigger":5.0,"trail_freq":1.0,"token":"valid_token"}',
    refused: [{ path: "trail_stop", contains: "is needed with trail" }],
  },
  {
    name: "a limit order without its price",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"LMT","token":"valid_token"}',
    refused: [{ path: "price", contains: "is needed" }],
  },
  {
    name: "a bare market buy",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"MKT","token":"valid_token"}',
    reads: order("ES", "BUY", 1),
  },
  {
    name: "the take-profit is moved, whatever data says",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"MKT","update_tp":true,"tp":10.5,"token":"valid_token"}',
    reads: { kind: "protect", symbol: "ES", legs: { takeProfit: { price: 10.5 } } },
  },
  {
    name: "the take-profit is moved to nowhere",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"MKT","update_tp":true,"tp":0,"token":"valid_token"}',
    refused: [{ path: "tp", contains: "is needed" }],
  },
  {
    name: "the stop-loss is moved",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"MKT","update_sl":true,"sl":5.0,"token":"valid_token"}',
    reads: { kind: "protect", symbol: "ES", legs: { stopLoss: { price: 5 } } },
  },
  {
    name: "a whole close, in capitals",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"CLOSE","token":"valid_token","full_closed":true,"comment":"closing position due to target reached"}',
    reads: exit("ES"),
  },
  {
    name: "a whole close, with a flag as text",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"CLOSE","token":"valid_token","full_closed":"yes","comment":"closing"}',
    reads: exit("ES"),
  },
  {
    name: "a part that a comment names",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"CLOSE","token":"valid_token","full_closed":false,"comment":12345}',
    refused: [
      { path: "quantity", contains: "is needed" },
      { path: "comment", contains: "one position here" },
    ],
  },
  {
    name: "a field that nobody knows",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"MKT","token":"valid_token","invalid_top_key":"hello"}',
    refused: [{ path: "invalid_top_key", contains: "is not a known field" }],
  },
  {
    name: "fields of the service's own log",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"MKT","token":"valid_token","created_first":"2026-07-09","main_token_type":"demo","reverse_action":true,"tif":"GTC","by_socket":true,"watch_user":"user123","main_order_id":"ord567"}',
    refused: [{ path: "reverse_action", contains: "no documented meaning" }],
  },
  {
    name: "an empty list of accounts",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"MKT","token":"valid_token","multiple_accounts":[]}',
    refused: [{ path: "multiple_accounts", contains: "must hold one account" }],
  },
  {
    name: "null is left out",
    source: VALIDATOR,
    body: '{"strategy_name":null,"symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"MKT","token":"valid_token"}',
    reads: order("ES", "BUY", 1),
  },
  {
    name: "a break-even offset beyond the break-even",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"MKT","breakeven":10.0,"breakeven_offset":12.0,"token":"valid_token"}',
    refused: [{ path: "breakeven", contains: "moves a stop" }],
  },
  {
    name: "a break-even beside a stop-loss",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"order_type":"MKT","token":"valid_token","breakeven":10.5,"sl":5.0}',
    reads: {
      kind: "order",
      ticket: {
        symbol: "ES",
        side: "BUY",
        orderQty: 1,
        ordType: "MARKET",
        exitPlan: { stop: { price: 5 }, breakeven: { after: { offset: 10.5 } } },
      },
    },
  },
  {
    name: "the token is the webhook's here, and a blank one is none",
    source: VALIDATOR,
    body: '{"strategy_name":"Test Strategy","symbol":"ES","date":"2026-06-30","data":"BUY","quantity":1,"token":"   "}',
    reads: order("ES", "BUY", 1),
  },
  {
    name: "a limit sell with both exits",
    source: VALIDATOR,
    body: '{"token":"your_webhook_token","symbol":"NQ","quantity":1,"data":"SELL","platform":"TRADOVATE","order_type":"LMT","inst_type":"FUT","price":18500,"tp":18400,"sl":18550}',
    reads: {
      kind: "order",
      ticket: {
        symbol: "NQ",
        side: "SELL",
        orderQty: 1,
        ordType: "LIMIT",
        limitPrice: 18500,
        bracket: { takeProfit: { price: 18400 }, stopLoss: { price: 18550 } },
      },
    },
  },
  {
    name: "a limit buy, with quoted numbers",
    source: VALIDATOR,
    body: '{"token":"your_webhook_token","symbol":"ES","quantity":"2","data":"buy","platform":"RITHMIC","order_type":"LMT","inst_type":"FUT","price":"5310.25"}',
    reads: {
      kind: "order",
      ticket: { symbol: "ES", side: "BUY", orderQty: 2, ordType: "LIMIT", limitPrice: "5310.25" },
    },
  },
  {
    name: "a strategy's position that went flat, with quantity 0",
    source: VALIDATOR,
    body: '{"symbol":"MNQ1!","date":"2026-05-12T14:31:00Z","data":"flat","quantity":"0","price":"21350.25","token":"TOKEN1","pyramid":false,"reverse_order_close":true}',
    reads: exit("MNQ1!"),
  },
  {
    name: "a whole close that spells everything out",
    source: USERS,
    body: '{"symbol":"MNQ1!","data":"CLOSE","quantity":0,"full_closed":true,"token":"TOKEN1","account_id":"LFE1","risk_percentage":0.0,"comment":"","breakeven":0,"trail_stop":0,"trail_trigger":0,"trail_freq":0,"trail":0,"price":0,"tp":0,"stp_limit_stp_price":0,"sl":0,"main_token_type":"DEMO","duplicate_position_allow":true,"order_type":null,"dollar_tp":0,"dollar_sl":0,"reverse_order_close":false,"update_tp":false,"update_sl":false,"percentage_tp":0,"percentage_sl":0,"same_direction_ignore":false,"gtd_in_second":0,"reverse_action":false,"created_first":"","strategy_name":"","tif":"GTC","breakeven_offset":0}',
    reads: exit("MNQ1!"),
  },
  {
    name: "a part of a long is sold with a smaller order",
    source: USERS,
    body: '{"symbol":"MNQ1!","data":"sell","quantity":1,"token":"TOKEN1","multiple_accounts":[{"token":"TOKEN1","account_id":"LFE1","risk_percentage":0,"quantity_multiplier":1.0}]}',
    reads: order("MNQ1!", "SELL", 1),
  },
  {
    name: "a runner whose take-profit is out of reach",
    source: USERS,
    body: '{"symbol":"MNQ1!","data":"buy","quantity":2,"risk_percentage":0,"price":21350.25,"gtd_in_second":0,"stp_limit_stp_price":0,"update_tp":false,"update_sl":false,"breakeven_offset":0,"token":"TOKEN1","pyramid":false,"same_direction_ignore":false,"reverse_order_close":true,"order_type":"MKT","advance_tp_sl":[{"quantity":2,"tp":99999.0,"percentage_tp":0,"dollar_tp":0,"sl":21330.25,"percentage_sl":0,"dollar_sl":0,"breakeven":0,"breakeven_offset":0,"trail":0,"trail_stop":0,"trail_trigger":0,"trail_freq":0}],"multiple_accounts":[{"token":"TOKEN1","account_id":"LFE1","risk_percentage":0,"quantity_multiplier":1.0}]}',
    reads: enter(
      "MNQ1!",
      { side: "BUY", qty: 2, whenHeld: "replace" },
      { takeProfit: { price: 99999 }, stopLoss: { price: 21330.25 } },
    ),
  },
  {
    name: "a stop entry on two accounts",
    source: USERS,
    body: '{"symbol":"MNQ1!","data":"buy","quantity":1,"risk_percentage":0,"gtd_in_second":0,"token":"TOKEN1","multiple_accounts":[{"token":"TOKEN1","account_id":"A1","risk_percentage":0,"quantity_multiplier":1},{"token":"TOKEN1","account_id":"A2","risk_percentage":0,"quantity_multiplier":1}],"order_type":"STP","sl":21330.25,"price":21360.5}',
    refused: [{ path: "multiple_accounts", contains: "point the webhook at a group" }],
  },
  {
    name: "the stop of an open long is moved",
    source: USERS,
    body: '{"symbol":"MNQ1!","data":"buy","quantity":1,"risk_percentage":0,"gtd_in_second":0,"token":"TOKEN1","multiple_accounts":[{"token":"TOKEN1","account_id":"A1","risk_percentage":0,"quantity_multiplier":1}],"order_type":"MKT","sl":21345.25,"update_sl":true}',
    reads: { kind: "protect", symbol: "MNQ1!", legs: { stopLoss: { price: 21345.25 } } },
  },
  {
    name: "a close that cancels an unfilled entry",
    source: USERS,
    body: '{"symbol":"MNQ1!","data":"close","quantity":1,"risk_percentage":0,"gtd_in_second":0,"token":"TOKEN1","multiple_accounts":[{"token":"TOKEN1","account_id":"A1","risk_percentage":0,"quantity_multiplier":1}]}',
    reads: exit("MNQ1!"),
  },
  {
    name: "two legs whose distances are money",
    source: USERS,
    body: '{"strategy_name":"GB LIVE","symbol":"MNQ1!","date":"2026-09-15T10:14:00Z","data":"buy","quantity":4,"price":"29526.50","gtd_in_second":120,"order_type":"MKT","advance_tp_sl":[{"quantity":2,"dollar_tp":417.50,"dollar_sl":334.00,"breakeven":208.75},{"quantity":2,"dollar_tp":835.00,"dollar_sl":334.00,"breakeven":208.75}],"multiple_accounts":[{"token":"TOKEN1","account_id":"APEX1","quantity_multiplier":1}]}',
    refused: [
      { path: "advance_tp_sl.0.dollar_tp", contains: "points on one page" },
      { path: "advance_tp_sl.1.dollar_sl", contains: "points on one page" },
      { path: "advance_tp_sl.0.breakeven", contains: "moves a stop" },
    ],
  },
  {
    name: "a close with quantity 0 and no token",
    source: USERS,
    body: '{"strategy_name":"GB LIVE","symbol":"MNQ1!","date":"2026-09-15T10:30:00Z","data":"close","quantity":0,"order_type":"MKT","reverse_order_close":true}',
    reads: exit("MNQ1!"),
  },
  {
    name: "an account row with names nobody documents",
    source: USERS,
    body: '{"symbol":"ESH6","date":"2026-01-08T15:00:00.000Z","data":"buy","quantity":1,"risk_percentage":0,"price":0,"tp":6905,"percentage_tp":0,"dollar_tp":0,"sl":6890,"dollar_sl":0,"percentage_sl":0,"order_type":"MKT","update_tp":false,"update_sl":false,"token":"TOKEN1","duplicate_position_allow":false,"platform":"RITHMIC","connection_name":"RITHMIC1","reverse_order_close":true,"multiple_accounts":[{"id":"APEX1","quantity":1}]}',
    refused: [{ path: "multiple_accounts.0.quantity", contains: "no field of an account" }],
  },
  {
    name: "a limit entry that is given two minutes, as the service's Pine library writes it",
    source: "tradingview.com/script/BnoJgkde-lib-pickmytrade",
    body: '{"symbol":"MNQ1!","data":"buy","quantity":2,"risk_percentage":0,"order_type":"LMT","price":"21350.25","gtd_in_second":120,"sl":21330.25,"tp":0,"token":"TOKEN1","advance_tp_sl":[]}',
    reads: {
      kind: "order",
      ticket: {
        symbol: "MNQ1!",
        side: "BUY",
        orderQty: 2,
        ordType: "LIMIT",
        limitPrice: "21350.25",
        bracket: { stopLoss: { price: 21330.25 } },
        timeout: { afterSeconds: 120, then: "cancel" },
      },
    },
  },
  {
    name: "breakeven with an offset, as its page shows it",
    source: "docs.pickmytrade.trade/docs/breakeven-offset-tradovate-automation-pickmytrade",
    body: '{"symbol":"ES1!","data":"buy","quantity":1,"tp":5020,"sl":4990,"breakeven":5,"breakeven_offset":3,"token":"TOKEN1"}',
    reads: {
      kind: "order",
      ticket: {
        symbol: "ES1!",
        side: "BUY",
        orderQty: 1,
        ordType: "MARKET",
        exitPlan: {
          targets: [{ price: 5020 }],
          stop: { price: 4990 },
          breakeven: { after: { offset: 5 }, plus: { offset: 3 } },
        },
      },
    },
  },
  {
    name: "another receiver's dialect: the order sells, the position is flat",
    source: DASHBOARD,
    body: '{"symbol":"ESTrend","date":"2026-05-12T14:31:00Z","data":"sell","position":"flat","quantity":"1","price":"5310.25","entryPrice":"5302.5","pnl":"387.5","token":"TOKEN1"}',
    refused: [{ path: "position", contains: "profile to position" }],
  },
  {
    name: "another receiver's dialect: an exit",
    source: DASHBOARD,
    body: '{"symbol":"ESTrend","signalType":"exit","date":"2026-05-12T14:31:00Z","data":"exit","position":"flat","quantity":"1","price":"5310.25","token":"TOKEN1"}',
    refused: [
      { path: "data", contains: "must be one of buy" },
      { path: "position", contains: "profile to position" },
    ],
  },
];
