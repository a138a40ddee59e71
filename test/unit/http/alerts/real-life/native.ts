import type { Message } from "./message.ts";

const FIRED = "2026-09-21T14:29:58Z";

/** Messages in our own words, as charts, scripts and people's own programs send them. */
export const NATIVE: readonly Message[] = [
  {
    from: "a strategy's alert by our template, going long",
    body: `{"action": "buy", "symbol": "MNQ1!", "qty": "2", "firedAt": "${FIRED}", "alertId": "Long ${FIRED} long 2"}`,
    gives: { asks: ["BUY 2 MNQ=MNQZ2026 MARKET DAY"], alertId: `Long ${FIRED} long 2`, unread: [] },
  },
  {
    from: "the first of two partial exits of one bar by our template",
    body: `{"action": "sell", "symbol": "MNQ1!", "qty": "1", "firedAt": "${FIRED}", "alertId": "TP ${FIRED} long 2"}`,
    gives: { asks: ["SELL 1 MNQ=MNQZ2026 MARKET DAY"], alertId: `TP ${FIRED} long 2` },
  },
  {
    from: "the second of them, in the same second",
    body: `{"action": "sell", "symbol": "MNQ1!", "qty": "1", "firedAt": "${FIRED}", "alertId": "TP ${FIRED} long 1"}`,
    gives: { asks: ["SELL 1 MNQ=MNQZ2026 MARKET DAY"], alertId: `TP ${FIRED} long 1` },
  },
  {
    from: "a message box with a newline at its end",
    body: '{"action":"sell","symbol":"ES1!","qty":2,"takeProfit":{"ticks":40},"stopLoss":{"ticks":20}}\n',
    gives: { asks: ["SELL 2 ES=ESZ2026 MARKET DAY target 40 away stop 20 away"] },
  },
  {
    from: "an editor on Windows: byte order mark, CRLF, indented",
    body: '\ufeff{\r\n  "action": "buy",\r\n  "symbol": "RTY1!",\r\n  "qty": 1\r\n}\r\n',
    gives: { asks: ["BUY 1 RTY=RTYZ2026 MARKET DAY"] },
  },
  {
    from: "a message pasted from a word processor, with curly quotes",
    body: "{ “action”: “sell”, “symbol”: “ES1!”, “qty”: 1 }",
    gives: { asks: ["SELL 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "a message pasted from a chat, with no-break and zero-width spaces",
    body: '{\u00a0"action":\u00a0"buy\u200b",\u00a0"symbol":"\u2060ES1!\u00a0", "qty": "1\ufeff" }',
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "names and words in capitals",
    body: '{"ACTION":"BUY","Symbol":"es1!","Qty":"3"}',
    gives: { asks: ["BUY 3 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "a script that writes contracts with decimals",
    body: '{"action":"buy","symbol":"ES1!","qty":"1.0"}',
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "Pine alert() with levels as floating point leaves them",
    body: '{"action":"buy","symbol":"CME_MINI:ES1!","qty":1,"takeProfit":{"price":6550.250000000001},"stopLoss":{"price":6512.749999999999}}',
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY target at 26201 stop at 26051"] },
  },
  {
    from: "Pine alert() of yen futures, with a level as an exponent",
    body: '{"action":"buy","symbol":"6J1!","qty":1,"type":"limit","limitPrice":6.7255e-3}',
    gives: { asks: ["BUY 1 6J=6JZ2026 LIMIT DAY price 13451"] },
  },
  {
    from: "Pine alert() with str.tostring() of a limit and a trading day",
    body: '{"action":"sell","symbol":"CL1!","qty":"1","type":"limit","limitPrice":"62.35","timeInForce":"gtc","price":"62.10"}',
    gives: { asks: ["SELL 1 CL=CLX2026 LIMIT GTC price 6235"] },
  },
  {
    from: "a message with the bar's price alone: still a market order",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"price":6500.25,"close":6500.25,"volume":12034,"interval":"5","time":"2026-09-21T14:25:00Z"}',
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "a generator's long message, with its own fields allowed",
    body: `{"action":"buy","symbol":"ES1!","qty":1,"stopLoss":{"offset":10},"exchange":"CME_MINI","open":6498.5,"high":6503,"low":6497.25,"close":6500.25,"volume":12034,"time":"2026-09-21T14:25:00Z","timenow":"${FIRED}","interval":"5","comment":"Long, trend up: α > β ✅","rsi":61.20394857,"atr":NaN,"bias":null}`,
    options: { allowedExtraFields: ["rsi", "atr", "bias"] },
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY stop 40 away"] },
  },
  {
    from: "syminfo.tickerid of a chart with extended hours, escaped",
    body: String.raw`{"action":"sell","symbol":"={\"session\":\"extended\",\"symbol\":\"CME_MINI:NQ1!\"}","qty":1}`,
    gives: { asks: ["SELL 1 NQ=NQZ2026 MARKET DAY"] },
  },
  {
    from: "syminfo.tickerid put between the quotes by Pine, unescaped",
    body: '{"action":"sell","symbol":"={"session":"extended","symbol":"CME_MINI:NQ1!"}","qty":1}',
    gives: { asks: ["SELL 1 NQ=NQZ2026 MARKET DAY"] },
  },
  {
    from: "syminfo.tickerid of a back-adjusted chart, as a JSON value",
    body: '{"action":"buy","symbol":{"adjustment":"none","backadjustment":"on","symbol":"CME_MINI:ES1!"},"qty":1}',
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "pairs with exits, each in its object by a dot",
    body: "action=buy;symbol=ES1!;qty=1;stopLoss.ticks=20;takeProfit.ticks=40",
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY target 40 away stop 20 away"], unread: [] },
  },
  {
    from: "pairs by lines with a stop in a bracket",
    body: "action=sell\nsymbol=ES1!\nqty=1\nbracket.stopLoss.ticks=20",
    gives: { asks: ["SELL 1 ES=ESZ2026 MARKET DAY stop 20 away"], unread: [] },
  },
  {
    from: "a web form with a stop",
    body: "action=buy&symbol=ES1%21&qty=1&stopLoss.ticks=20",
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY stop 20 away"], unread: [] },
  },
  {
    from: "a close in pairs that names a stop",
    body: "action=close;symbol=ES1!;stopLoss.ticks=",
    held: { ESZ6: 2 },
    gives: { asks: ["cancel what rests, close all if nothing but ES is held"] },
  },
  {
    from: "pairs by lines, from a text box on Windows",
    body: "action=buy\r\nsymbol=ES1!\r\nqty=2\r\ncomment=trend up\r\n",
    gives: { asks: ["BUY 2 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "pairs by semicolons, with spaces and one at the end",
    body: "action=reduce; symbol=ES1!; qty=1; ",
    held: { ESZ2026: 2 },
    gives: { asks: ["SELL 1 ESZ2026 MARKET DAY"] },
  },
  {
    from: "a web form of curl --data-urlencode",
    body: "action=buy&symbol=CME_MINI%3AES1%21&qty=1&comment=trend+up",
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "a form with the JSON in one field",
    body: `payload=${encodeURIComponent('{"action":"sell","symbol":"ES1!","qty":1}')}`,
    gives: { asks: ["SELL 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "a list: out, then in",
    body: '[{"action":"close"},{"action":"buy","symbol":"ES1!","qty":1}]',
    held: { ESZ2026: -2 },
    gives: { asks: ["cancel what rests, close all", "BUY 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "a close that names its symbol",
    body: '{"action":"close","symbol":"ES1!","qty":1}',
    held: { ESZ2026: 2 },
    gives: { asks: ["cancel what rests, close all if nothing but ES is held"] },
  },
  {
    from: "a close with an unfilled comment, a bare NaN and a blank stop",
    body: '{"action":"close","comment":"{{strategy.order.comment}}","price":NaN,"stopLoss":null,"alertId":"{{strategy.order.id}}"}',
    gives: { asks: ["cancel what rests, close all"] },
  },
  {
    from: "an exit three days late",
    body: '{"action":"exit","symbol":"ES1!","firedAt":"2026-09-18T14:30:00Z"}',
    gives: { asks: ["cancel what rests, close all if nothing but ES is held"] },
  },
  {
    from: "a close with a name that is no field",
    body: '{"action":"flatten","mood":"bad"}',
    gives: { asks: ["cancel what rests, close all"], unread: ["mood"] },
  },
  {
    from: "close_long, with a long position",
    body: '{"action":"close_long","symbol":"ES1!"}',
    held: { ESZ2026: 3 },
    gives: { asks: ["close 3 ESZ2026"] },
  },
  {
    from: "Exit Short of a part",
    body: '{"action":"Exit Short","symbol":"ES1!","qty":1}',
    held: { ESZ2026: -3 },
    gives: { asks: ["BUY 1 ESZ2026 MARKET DAY"] },
  },
  {
    from: "sell_to_close beside a short position",
    body: '{"action":"sell_to_close","symbol":"ES1!"}',
    held: { ESZ2026: -1 },
    gives: { asks: ["NO_POSITION"] },
  },
  {
    from: "a target across zero",
    body: '{"position":-2,"symbol":"NQ1!"}',
    held: { NQZ2026: 1 },
    gives: { asks: ["cancel what rests, close 1 NQZ2026, SELL 2 NQZ2026 MARKET DAY"] },
  },
  {
    from: "a target of 0 with what an entry would need left blank",
    body: '{"position":"0","symbol":"NQ1!","stopLoss":"","limitPrice":"NaN"}',
    held: { NQZ2026: 2 },
    gives: { asks: ["cancel what rests, close 2 NQZ2026"] },
  },
  {
    from: "a target that is reached already",
    body: '{"position":1,"symbol":"NQ1!"}',
    held: { NQZ2026: 1 },
    gives: { asks: ["cancel what rests, nothing to do"] },
  },
  {
    from: "a reversal",
    body: '{"action":"reverse","symbol":"ES1!"}',
    held: { ESZ2026: 2 },
    gives: { asks: ["close 2 ESZ2026, SELL 2 ESZ2026 MARKET DAY"] },
  },
  {
    from: "half of a position, as a percentage",
    body: '{"action":"reduce","symbol":"ES1!","percent":"50"}',
    held: { ESZ2026: 4 },
    gives: { asks: ["SELL 2 ESZ2026 MARKET DAY"] },
  },
  {
    from: "the exchange in a field of its own, by TradingView's name",
    body: '{"action":"buy","symbol":"ES1!","exchange":"CME_MINI_DL","qty":1}',
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "TradingView's own root of Brent",
    body: '{"action":"buy","symbol":"ICEEUR:BRN1!","qty":1}',
    gives: { asks: ["BUY 1 B=BX2026 MARKET DAY"] },
  },
  {
    from: "a way out with an exchange that nobody knows",
    body: '{"action":"reduce","symbol":"ES1!","exchange":"MYFEED","qty":1}',
    held: { ESZ2026: 1 },
    gives: { asks: ["close 1 ESZ2026"] },
  },
  {
    from: "a full contract with two digits of its year",
    body: '{"action":"sell","symbol":"MESH27","qty":"1"}',
    gives: { asks: ["SELL 1 MESH2027 MARKET DAY"] },
  },
  {
    from: "an entry three days late",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"firedAt":"2026-09-18T14:30:00Z"}',
    gives: { asks: ["ALERT_TOO_OLD"] },
  },
  {
    from: "a plain sell three days late, with a long position",
    body: '{"action":"sell","symbol":"ES1!","qty":2,"firedAt":"2026-09-18T14:30:00Z"}',
    held: { ESZ2026: 2 },
    gives: { asks: ["SELL 2 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "an entry of timenow, 40 s on its way as charts are at busy times",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"timenow":"2026-09-21T14:29:20Z"}',
    gives: { asks: ["BUY 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "the same on a webhook whose entries may be 30 s old",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"timenow":"2026-09-21T14:29:20Z"}',
    options: { entryMaxAgeSeconds: 30 },
    gives: { asks: ["ALERT_TOO_OLD"] },
  },
  {
    from: "a program whose message says that it goes without a stop",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"stopLoss":false}',
    gives: {
      asks: ["BUY 1 ES=ESZ2026 MARKET DAY"],
      notes: ["No stop-loss: the alert says so in stopLoss"],
    },
  },
  {
    from: "the same inside a bracket, beside a target",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"bracket":{"takeProfit":{"ticks":40},"stopLoss":"false"}}',
    gives: {
      asks: ["BUY 1 ES=ESZ2026 MARKET DAY target 40 away"],
      notes: ["No stop-loss: the alert says so in bracket.stopLoss"],
    },
  },
  {
    from: "a message without a size on a webhook that has one",
    body: '{"action":"buy","symbol":"NQ1!"}',
    options: { defaultQty: 2, symbolMap: { NQ: "MNQ" } },
    gives: { asks: ["BUY 2 MNQ=MNQZ2026 MARKET DAY"] },
  },
  {
    from: "a test with everything filled in",
    body: '{"action":"buy","symbol":"ES1!","qty":1,"test":"true"}',
    gives: { asks: ["test: BUY 1 ES=ESZ2026 MARKET DAY"] },
  },
  {
    from: "cancel of one symbol's entries",
    body: '{"action":"cancel","symbol":"ES1!","comment":"{{strategy.order.comment}}"}',
    gives: { asks: ["cancel entries of ES"] },
  },
  {
    from: "a stop that is moved by a message",
    body: '{"action":"protect","symbol":"ES1!","stopLoss":{"price":"6490.50"}}',
    gives: { asks: ["protect ES=ESZ2026 stop at 25962"] },
  },
];
