import type { Message } from "./message.ts";

/** Native messages that are not what their sender meant: each is refused in words that help. */
export const REFUSALS: readonly Message[] = [
  {
    from: "TradingView's default text for a strategy",
    body: "MACD Strategy (12, 26, 9): order buy @ 2 filled on ES1!. New strategy position is 2",
    gives: { code: "VALIDATION_FAILED", says: "write one into the message of the alert" },
  },
  {
    from: "the same where the strategy went flat",
    body: "MACD Strategy (12, 26, 9): order sell @ 2 filled on ES1!. New strategy position is 0",
    gives: {
      code: "VALIDATION_FAILED",
      says: "write one into the message of the alert",
      severity: "critical",
    },
  },
  {
    from: "a message whose placeholders were put into an indicator's alert",
    body: '{"action":"{{strategy.order.action}}","symbol":"ES1!","qty":"{{strategy.order.contracts}}"}',
    gives: { code: "UNRESOLVED_PLACEHOLDER", says: "{{strategy.order.action}}" },
  },
  {
    from: "a close whose symbol was not filled in",
    body: '{"action":"close","symbol":"{{ticker}}"}',
    gives: { code: "UNRESOLVED_PLACEHOLDER", says: "{{ticker}}", severity: "critical" },
  },
  {
    from: "an order's name with quotes in it",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"alertId":"Enter "fast" long"}',
    gives: { code: "VALIDATION_FAILED", says: "at line 1, column" },
  },
  {
    from: "a close that was cut short",
    body: '{"action":"close","symbol":"ES1!"',
    gives: { code: "VALIDATION_FAILED", says: "not valid JSON", severity: "critical" },
  },
  {
    from: "a stop that Pine left out as null",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"stopLoss":null,"takeProfit":{"ticks":20}}',
    gives: { code: "VALIDATION_FAILED", says: "stopLoss names a stop-loss and says none" },
  },
  {
    from: "a stop with an empty level",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"stopLoss":{"price":""}}',
    gives: { code: "VALIDATION_FAILED", says: "stopLoss.price is named and says nothing" },
  },
  {
    from: "exits for a position, with a blank level",
    body: '{"action":"protect","symbol":"ES1!","stopLoss":{"price":""}}',
    gives: { code: "VALIDATION_FAILED", says: "stopLoss.price is named", severity: "critical" },
  },
  {
    from: "a stop that is to be moved, in PickMyTrade's words",
    body: '{"symbol":"ES1!","update_sl":true,"sl":"abc"}',
    options: { profile: "pickmytrade" },
    gives: { code: "VALIDATION_FAILED", says: "sl must be a number", severity: "critical" },
  },
  {
    from: "new exits in the comma form",
    body: "123,newsltplong,ES1!,sl=abc",
    gives: { code: "VALIDATION_FAILED", says: "sl_price or tp_price", severity: "critical" },
  },
  {
    from: "a turn, which closes what is held",
    body: '{"action":"reverse","symbol":"ES9!"}',
    gives: { code: "UNKNOWN_SYMBOL", says: "front month", severity: "critical" },
  },
  {
    from: "a turn with an unknown field",
    body: '{"action":"reverse","symbol":"ES1!","foo_stop":1}',
    gives: { code: "VALIDATION_FAILED", says: "foo_stop", severity: "critical" },
  },
  {
    from: "a strategy's partial exit of an unknown symbol",
    body: '{"ticker":"ES9!","action":"sell","market_position":"long","market_position_size":"1","prev_market_position":"long","prev_market_position_size":"3","contracts":"2"}',
    options: { profile: "position" },
    gives: { code: "UNKNOWN_SYMBOL", says: "front month", severity: "critical" },
  },
  {
    from: "a strategy's turn of an unknown symbol",
    body: '{"ticker":"ES9!","action":"sell","market_position":"short","market_position_size":"1","prev_market_position":"long","prev_market_position_size":"1","contracts":"2"}',
    options: { profile: "position" },
    gives: { code: "UNKNOWN_SYMBOL", says: "front month", severity: "critical" },
  },
  {
    from: "a strategy's entry of an unknown symbol",
    body: '{"ticker":"ES9!","action":"buy","market_position":"long","market_position_size":"3","prev_market_position":"long","prev_market_position_size":"1","contracts":"2"}',
    options: { profile: "position" },
    gives: { code: "UNKNOWN_SYMBOL", says: "front month" },
  },
  {
    from: "a stop in pairs that is given as a whole and by a part of it",
    body: "action=buy;symbol=ES1!;qty=1;stopLoss=6800;stopLoss.ticks=20",
    gives: { code: "VALIDATION_FAILED", says: "stopLoss.ticks is given more than once" },
  },
  {
    from: "a stop of 0 ticks",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"stopLoss":{"ticks":0}}',
    gives: { code: "VALIDATION_FAILED", says: "stopLoss.ticks must be a whole number from 1" },
  },
  {
    from: "a stop that Pine computed as NaN",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"stopLoss":{"price":NaN}}',
    gives: { code: "VALIDATION_FAILED", says: "stopLoss.price must be a number" },
  },
  {
    from: "a flat name for a stop",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"stopLossTicks":20}',
    gives: { code: "VALIDATION_FAILED", says: "stopLoss: {ticks: …}" },
  },
  {
    from: "a share's alert, by its exchange",
    body: '{"action":"buy","symbol":"CL","exchange":"NYSE","qty":100}',
    gives: { code: "UNKNOWN_SYMBOL", says: "names the exchange NYSE" },
  },
  {
    from: "a coin's alert, by its prefix",
    body: '{"action":"buy","symbol":"BINANCE:BTC","qty":1}',
    gives: { code: "UNKNOWN_SYMBOL", says: "names the exchange BINANCE" },
  },
  {
    from: "a reduction of a share's position",
    body: '{"action":"reduce","symbol":"CL","exchange":"NYSE","qty":1}',
    gives: { code: "UNKNOWN_SYMBOL", says: "names the exchange NYSE", severity: "critical" },
  },
  {
    from: "an exchange of another future",
    body: '{"action":"buy","symbol":"ES1!","exchange":"NYMEX","qty":1}',
    gives: { code: "UNKNOWN_SYMBOL", says: "names the exchange NYMEX" },
  },
  {
    from: "a chart of a spread",
    body: '{"action":"buy","symbol":"NQ1!-ES1!","qty":1}',
    gives: { code: "UNKNOWN_SYMBOL", says: "is a spread" },
  },
  {
    from: "a calendar spread",
    body: '{"action":"sell","symbol":"ESZ6-ESH7","qty":1}',
    gives: { code: "UNKNOWN_SYMBOL", says: "is a spread" },
  },
  {
    from: "a root with a typing error",
    body: '{"action":"buy","symbol":"MNW1!","qty":1}',
    gives: { code: "UNKNOWN_SYMBOL", says: "Did you mean MNQ1!" },
  },
  {
    from: "a future that is not in the table",
    body: '{"action":"buy","symbol":"CBOT:ZR1!","qty":1}',
    gives: { code: "UNKNOWN_SYMBOL", says: "has no known root" },
  },
  {
    from: "a word with a mark that turns the writing round",
    body: '{"action":"bu\u202ey","symbol":"ES1!","qty":1}',
    gives: { code: "VALIDATION_FAILED", says: "invisible character U+202E" },
  },
  {
    from: "a price between two ticks",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"type":"limit","limitPrice":6500.10}',
    gives: { code: "VALIDATION_FAILED", says: "is not a multiple of the tick size 0.25" },
  },
  {
    from: "a price that is more than noise beside its tick",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"type":"limit","limitPrice":6500.25001}',
    gives: { code: "VALIDATION_FAILED", says: "is not a multiple of the tick size 0.25" },
  },
  {
    from: "a fraction of a contract",
    body: '{"action":"buy","symbol":"ES1!","qty":0.5}',
    gives: { code: "VALIDATION_FAILED", says: "qty must be a whole number" },
  },
  {
    from: "a list of which one alert cannot be read",
    body: '[{"action":"close"},{"action":"buy","symbol":"ES1!"}]',
    gives: { code: "VALIDATION_FAILED", says: "1.qty is needed", severity: "critical" },
  },
  {
    from: "an empty message box",
    body: "\r\n",
    gives: { code: "VALIDATION_FAILED", says: "body is empty" },
  },
  {
    from: "a reduction that may mean less by a name that is not ours",
    body: '{"action":"reduce","symbol":"ES1!","qty":2,"lots":1}',
    gives: { code: "VALIDATION_FAILED", says: "lots is not a known field", severity: "critical" },
  },
  {
    from: "a dry run by another name",
    body: '{"action":"close","dryRun":true}',
    gives: { code: "VALIDATION_FAILED", says: "dryRun is not a known field", severity: "critical" },
  },
];
