import type { Message } from "./message.ts";

const options = { profile: "pickmytrade" } as const;

/** The service's generator writes these into each field that is not used. */
const UNUSED =
  '"risk_percentage":0,"percentage_tp":0,"dollar_tp":0,"dollar_sl":0,"percentage_sl":0,"trail":0,"trail_stop":0,"trail_trigger":0,"trail_freq":0,"update_tp":false,"update_sl":false,"breakeven":0,"token":"pmt-token","pyramid":false,"reverse_order_close":false,"account_id":"DEMO1"';

export const PICKMYTRADE: readonly Message[] = [
  {
    from: "the generator's entry without exits",
    body: `{"symbol":"MNQ1!","strategy_name":"Trend","date":"2026-09-21T14:29:58Z","data":"buy","quantity":"1","price":"25000.25","tp":0,"sl":0,${UNUSED}}`,
    options,
    gives: { asks: ["BUY 1 MNQ=MNQZ2026 MARKET DAY"] },
  },
  {
    from: "the generator's entry with a stop and a target",
    body: `{"symbol":"MNQ1!","strategy_name":"Trend","date":"2026-09-21T14:29:58Z","data":"sell","quantity":2,"price":25000.25,"tp":24900.25,"sl":25050,${UNUSED}}`,
    options,
    gives: { asks: ["SELL 2 MNQ=MNQZ2026 MARKET DAY target at 99601 stop at 100200"] },
  },
  {
    from: "a limit order",
    body: '{"symbol":"ES1!","data":"buy","quantity":1,"order_type":"LMT","price":6450.25,"sl":6440}',
    options,
    gives: { asks: ["BUY 1 ES=ESZ2026 LIMIT DAY price 25801 stop at 25760"] },
  },
  {
    from: "a close with the generator's blanks",
    body: `{"symbol":"MNQ1!","date":"2026-09-21T14:29:58Z","data":"close","quantity":"{{strategy.order.contracts}}","price":NaN,"tp":"","sl":"",${UNUSED}}`,
    options,
    held: { MNQZ2026: 3 },
    gives: { asks: ["cancel what rests, close MNQ"] },
  },
  {
    from: "a close of a part",
    body: '{"symbol":"MNQ1!","data":"close","quantity":1,"full_closed":false,"token":"t"}',
    options,
    held: { MNQZ2026: 3 },
    gives: { asks: ["SELL 1 MNQZ2026 MARKET DAY"] },
  },
  {
    from: "close_short of what is short",
    body: '{"symbol":"MNQ1!","data":"close_short","token":"t"}',
    options,
    held: { MNQZ2026: -3 },
    gives: { asks: ["cancel what rests, close -3 MNQZ2026"] },
  },
  {
    from: "a stop that Pine had no value for",
    body: '{"symbol":"MNQ1!","data":"buy","quantity":1,"sl":NaN,"token":"t"}',
    options,
    gives: { code: "VALIDATION_FAILED", says: "sl must be a number" },
  },
  {
    from: "a stop that is left blank",
    body: '{"symbol":"MNQ1!","data":"buy","quantity":1,"sl":"","tp":25100,"token":"t"}',
    options,
    gives: { code: "VALIDATION_FAILED", says: "sl names a stop-loss and says none" },
  },
  {
    from: "a stop in money",
    body: '{"symbol":"MNQ1!","data":"buy","quantity":1,"dollar_sl":100,"token":"t"}',
    options,
    gives: {
      code: "VALIDATION_FAILED",
      says: "dollar_sl means points on one page of the service and money on another",
    },
  },
  {
    from: "an entry of an hour ago",
    body: '{"symbol":"MNQ1!","date":"2026-09-21T13:30:07Z","data":"buy","quantity":1,"token":"t"}',
    options,
    gives: { asks: ["ALERT_TOO_OLD"] },
  },
];
