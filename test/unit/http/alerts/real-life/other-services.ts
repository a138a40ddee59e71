import type { Message } from "./message.ts";

/** Messages for other services on a webhook without a profile. */
export const OTHER_SERVICES: readonly Message[] = [
  {
    from: "TradersPost's entry",
    body: '{"ticker":"MNQ1!","action":"buy","sentiment":"long","quantity":"1","price":"25000.25"}',
    gives: { code: "VALIDATION_FAILED", says: "set its profile to traderspost" },
  },
  {
    from: "TradersPost's exit",
    body: '{"ticker":"MNQ1!","action":"exit"}',
    gives: {
      code: "VALIDATION_FAILED",
      says: "set its profile to traderspost",
      severity: "critical",
    },
  },
  {
    from: "CrossTrade's entry",
    body: "key=abc;command=PLACE;account=Sim101;instrument=ES1!;action=BUY;qty=1;order_type=MARKET;tif=DAY;",
    gives: { code: "VALIDATION_FAILED", says: "set its profile to crosstrade" },
  },
  {
    from: "CrossTrade's flatten",
    body: "key=abc;\ncommand=FLATTEN;\naccount=Sim101;\ninstrument=ES1!;",
    gives: {
      code: "VALIDATION_FAILED",
      says: "set its profile to crosstrade",
      severity: "critical",
    },
  },
  {
    from: "PickMyTrade's entry",
    body: '{"symbol":"MNQ1!","date":"2026-09-21T14:29:58Z","data":"buy","quantity":1,"price":25000.25,"tp":0,"sl":0,"token":"x","multiple_accounts":[]}',
    gives: { code: "VALIDATION_FAILED", says: "set its profile to pickmytrade" },
  },
  {
    from: "3Commas' signal",
    body: '{"secret":"x","max_lag":"300","timestamp":"2026-09-21T14:29:58Z","trigger_price":"6500.25","tv_exchange":"CME_MINI","tv_instrument":"ES1!","action":"exit_long","bot_uuid":"u-1"}',
    gives: { code: "VALIDATION_FAILED", says: "set its profile to position", severity: "critical" },
  },
  {
    from: "TV-Hub's order",
    body: '{"pair":"BTCUSDT","isBuy":true,"isSell":false,"isMarket":true,"exchange":"binance","apiKey":"main","token":"t","units":1,"unitsType":"absolute"}',
    gives: { code: "VALIDATION_FAILED", says: "is a message for TV-Hub" },
  },
  {
    from: "OpenAlgo's order",
    body: '{"apikey":"k","strategy":"TV","symbol":"NIFTY28OCT26FUT","exchange":"NFO","action":"BUY","pricetype":"MARKET","product":"NRML","quantity":"75"}',
    gives: { code: "VALIDATION_FAILED", says: "is a message for OpenAlgo" },
  },
];
