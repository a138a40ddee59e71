import type { Message } from "./message.ts";

const options = { profile: "position" } as const;

/** The part of 3Commas' own template that comes before the strategy's words. */
const THREE_COMMAS =
  '"secret":"s","max_lag":"300","timestamp":"2026-09-21T14:29:58Z","trigger_price":"6500.25","tv_exchange":"CME_MINI","tv_instrument":"ES1!","bot_uuid":"u-1"';

export const POSITION: readonly Message[] = [
  {
    from: "a strategy's alert by our template",
    body: '{"symbol": "ES1!", "market_position": "long", "market_position_size": "2", "firedAt": "2026-09-21T14:29:58Z", "alertId": "Long 2026-09-21T14:29:58Z long 2"}',
    options,
    held: { ESZ2026: 1 },
    gives: {
      asks: ["cancel what rests, BUY 1 ESZ2026 MARKET DAY"],
      alertId: "Long 2026-09-21T14:29:58Z long 2",
    },
  },
  {
    from: "3Commas' strategy, from long to short",
    body: `{${THREE_COMMAS},"action":"sell","strategy_info":{"market_position":"short","market_position_size":"1","prev_market_position":"long","prev_market_position_size":"1"},"order":{"amount":"2","currency_type":"base"}}`,
    options,
    held: { ESZ2026: 1 },
    gives: { asks: ["cancel what rests, close 1 ESZ2026, SELL 1 ESZ2026 MARKET DAY"] },
  },
  {
    from: "3Commas' strategy, flat, with a size that was not filled in",
    body: `{${THREE_COMMAS},"action":"sell","strategy_info":{"market_position":"flat","market_position_size":"{{strategy.market_position_size}}"}}`,
    options,
    held: { ESZ2026: 1 },
    gives: { asks: ["cancel what rests, close 1 ESZ2026"] },
  },
  {
    from: "3Commas' own exit",
    body: `{${THREE_COMMAS},"action":"exit_long"}`,
    options,
    held: { ESZ2026: 2 },
    gives: { asks: ["close 2 ESZ2026"] },
  },
  {
    from: "OKX' signal bot",
    body: '{"id":"Long","action":"buy","marketPosition":"long","prevMarketPosition":"flat","marketPositionSize":"1","prevMarketPositionSize":"0","instrument":"ES1!","signalToken":"t","timestamp":"2026-09-21T14:29:58Z","maxLag":"60"}',
    options,
    gives: { asks: ["cancel what rests, BUY 1 ESZ2026 MARKET DAY"] },
  },
  {
    from: "a position that is not of this exchange",
    body: '{"symbol":"ES","tv_exchange":"NYSE","market_position":"long","market_position_size":1}',
    options,
    gives: { code: "UNKNOWN_SYMBOL", says: "names the exchange NYSE" },
  },
  {
    from: "a long position without a size",
    body: '{"symbol":"ES1!","market_position":"long","market_position_size":"NaN"}',
    options,
    gives: { code: "VALIDATION_FAILED", says: "market_position_size must be a number" },
  },
  {
    from: "a position older than the message allows",
    body: '{"symbol":"ES1!","market_position":"long","market_position_size":1,"timestamp":"2026-09-21T14:20:07Z","max_lag":"300"}',
    options,
    gives: { asks: ["cancel what rests, ALERT_TOO_OLD"] },
  },
  {
    from: "a flat position of three days ago",
    body: '{"symbol":"ES1!","market_position":"flat","market_position_size":"0","timestamp":"2026-09-18T14:20:07Z"}',
    options,
    held: { ESZ2026: -1 },
    gives: { asks: ["cancel what rests, close -1 ESZ2026"] },
  },
  {
    from: "a stop that is left blank",
    body: '{"symbol":"ES1!","market_position":"long","market_position_size":1,"stopLoss":{"ticks":""}}',
    options,
    gives: { code: "VALIDATION_FAILED", says: "stopLoss.ticks is named and says nothing" },
  },
];
