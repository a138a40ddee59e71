import type { WebhookOptions } from "../../../../../src/domain/alert.ts";
import type { Message } from "./message.ts";

const traderspost = (more: WebhookOptions = {}): WebhookOptions => ({
  profile: "traderspost",
  ...more,
});
const FIRED = "2026-09-21T14:29:58Z";

export const TRADERSPOST: readonly Message[] = [
  {
    from: "a strategy goes long, with the service's own template",
    body: `{\r\n    "ticker": "MNQ1!",\r\n    "action": "buy",\r\n    "sentiment": "long",\r\n    "quantity": "2",\r\n    "price": "25000.25",\r\n    "time": "${FIRED}",\r\n    "interval": "5"\r\n}`,
    options: traderspost(),
    gives: { asks: ["cancel what rests, BUY 2 MNQZ2026 MARKET DAY"] },
  },
  {
    from: "a strategy leaves its long",
    body: `{"ticker":"MNQ1!","action":"sell","sentiment":"flat","quantity":"2","price":"25100","time":"${FIRED}","interval":"5"}`,
    options: traderspost(),
    held: { MNQZ2026: 2 },
    gives: { asks: ["cancel what rests, close 2 MNQZ2026"] },
  },
  {
    from: "the side that is held already",
    body: '{"ticker":"MNQ1!","action":"buy","quantity":1}',
    options: traderspost(),
    held: { MNQZ2026: 1 },
    gives: { asks: ["cancel what rests, POSITION_HELD"] },
  },
  {
    from: "a sell against a long, without side swapping",
    body: '{"ticker":"MNQ1!","action":"sell","quantity":5}',
    options: traderspost(),
    held: { MNQZ2026: 2 },
    gives: { asks: ["cancel what rests, close 2 MNQZ2026"] },
  },
  {
    from: "the same with side swapping",
    body: '{"ticker":"MNQ1!","action":"sell","quantity":10}',
    options: traderspost({ sideSwap: "on" }),
    held: { MNQZ2026: 5 },
    gives: { asks: ["cancel what rests, close 5 MNQZ2026, SELL 10 MNQZ2026 MARKET DAY"] },
  },
  {
    from: "the same with subtracting",
    body: '{"ticker":"MNQ1!","action":"sell","quantity":10}',
    options: traderspost({ sideSwap: "subtract" }),
    held: { MNQZ2026: 5 },
    gives: { asks: ["cancel what rests, close 5 MNQZ2026, SELL 5 MNQZ2026 MARKET DAY"] },
  },
  {
    from: "an exit with what nobody reads there",
    body: '{"ticker":"CME_MINI:ES1!","action":"exit","price":NaN,"takeProfit":"{{plot_0}}","extras":{"note":"{{strategy.order.comment}}"}}',
    options: traderspost(),
    held: { ESZ2026: 1 },
    gives: { asks: ["cancel what rests, close ES"] },
  },
  {
    from: "exit_long of what is long",
    body: '{"ticker":"ES1!","action":"exit_long"}',
    options: traderspost(),
    held: { ESZ2026: 1 },
    gives: { asks: ["cancel what rests, close 1 ESZ2026"] },
  },
  {
    from: "an entry with exits as prices",
    body: '{"ticker":"ES1!","action":"buy","quantity":1,"takeProfit":{"limitPrice":6550.25},"stopLoss":{"type":"stop","stopPrice":"6480.50"}}',
    options: traderspost(),
    gives: {
      asks: ["cancel what rests, BUY 1 ESZ2026 MARKET DAY target at 26201 stop at 25922"],
    },
  },
  {
    from: "the same by distances, with a level that is blank beside another",
    body: '{"ticker":"ES1!","action":"sell","quantity":"1.7","takeProfit":{"amount":20},"stopLoss":{"amount":10,"percent":null}}',
    options: traderspost(),
    gives: { asks: ["cancel what rests, SELL 1 ESZ2026 MARKET DAY target 80 away stop 40 away"] },
  },
  {
    from: "a stop whose amount was left blank",
    body: '{"ticker":"ES1!","action":"buy","quantity":1,"stopLoss":{"type":"stop","amount":""}}',
    options: traderspost(),
    gives: { code: "VALIDATION_FAILED", says: "stopLoss.amount is named and says nothing" },
  },
  {
    from: "an entry of three days ago",
    body: '{"ticker":"ES1!","action":"buy","quantity":1,"time":"2026-09-18T14:29:58Z"}',
    options: traderspost(),
    gives: { asks: ["cancel what rests, ALERT_TOO_OLD"] },
  },
  {
    from: "an exit of three days ago",
    body: '{"ticker":"ES1!","action":"exit","time":"2026-09-18T14:29:58Z"}',
    options: traderspost(),
    gives: { asks: ["cancel what rests, close ES"] },
  },
  {
    from: "a share, by its exchange in a field",
    body: '{"ticker":"CL","exchange":"NYSE","action":"buy","quantity":100}',
    options: traderspost(),
    gives: { code: "UNKNOWN_SYMBOL", says: "names the exchange NYSE" },
  },
  {
    from: "an entry that is to wait",
    body: '{"ticker":"ES1!","action":"buy","quantity":1,"delay":5}',
    options: traderspost(),
    gives: { code: "VALIDATION_FAILED", says: "delay is not done" },
  },
  {
    from: "breakeven",
    body: '{"ticker":"ES1!","action":"breakeven"}',
    options: traderspost(),
    gives: { asks: ["protect ES=ESZ2026 stop 0 away"] },
  },
];
