import type { Message } from "./message.ts";

const options = { profile: "crosstrade" } as const;

export const CROSSTRADE: readonly Message[] = [
  {
    from: "an entry as NinjaTrader's users write it, by lines",
    body: "key=abc123;\r\ncommand=PLACE;\r\naccount=Sim101;\r\ninstrument=ES 12-26;\r\naction=BUY;\r\nqty=2;\r\norder_type=MARKET;\r\ntif=DAY;\r\n",
    options,
    gives: { asks: ["BUY 2 ESZ2026 MARKET DAY"] },
  },
  {
    from: "an entry with exits in ticks",
    body: "key=abc123;command=PLACE;account=Sim101;instrument=MNQ1!;action=SELL;qty=1;order_type=MARKET;tif=GTC;take_profit=-40 ticks;stop_loss=20 ticks;",
    options,
    gives: { asks: ["SELL 1 MNQ=MNQZ2026 MARKET GTC target 40 away stop 20 away"] },
  },
  {
    from: "a limit order",
    body: "key=abc123;command=place;account=Sim101;instrument=ES1!;action=buy;qty=1;order_type=limit;limit_price=6450.25;tif=day;",
    options,
    gives: { asks: ["BUY 1 ES=ESZ2026 LIMIT DAY price 25801"] },
  },
  {
    from: "a close of the position",
    body: "key=abc123;command=CLOSEPOSITION;account=Sim101;instrument=ES1!;stop_loss=NaN;order_type={{strategy.order.comment}};",
    options,
    held: { ESZ2026: 2 },
    gives: { asks: ["cancel what rests, close ES"] },
  },
  {
    from: "a quarter of the position",
    body: "key=abc123;command=CLOSEPOSITION;account=Sim101;instrument=ES1!;percent=0.25;",
    options,
    held: { ESZ2026: 4 },
    gives: { asks: ["SELL 1 ESZ2026 MARKET DAY"] },
  },
  {
    from: "a close of what is long",
    body: "key=abc123;command=close_long;account=Sim101;instrument=ES1!;",
    options,
    held: { ESZ2026: 2 },
    gives: { asks: ["cancel what rests, close 2 ESZ2026"] },
  },
  {
    from: "the panic button",
    body: "key=abc123; command=FLATTENEVERYTHING;",
    options,
    gives: { asks: ["cancel what rests, close all"] },
  },
  {
    from: "an entry only while flat, with a position",
    body: "key=abc123;command=PLACE;account=Sim101;instrument=ES1!;action=BUY;qty=1;order_type=MARKET;tif=DAY;require_market_position=flat;",
    options,
    held: { ESZ2026: 1 },
    gives: { asks: ["POSITION_MISMATCH"] },
  },
  {
    from: "a strategy that is followed, from long to short",
    body: "key=abc123;command=PLACE;account=Sim101;instrument=ES1!;action=sell;qty=2;order_type=MARKET;tif=DAY;sync_strategy=true;market_position=short;prev_market_position=long;target_quantity=1;out_of_sync=resync;",
    options,
    held: { ESZ2026: 1 },
    gives: { asks: ["cancel what rests, close 1 ESZ2026, SELL 1 ESZ2026 MARKET DAY"] },
  },
  {
    from: "a stop that is left blank",
    body: "key=abc123;command=PLACE;account=Sim101;instrument=ES1!;action=BUY;qty=1;order_type=MARKET;tif=DAY;take_profit=40 ticks;stop_loss=;",
    options,
    gives: { code: "VALIDATION_FAILED", says: "stop_loss names a stop-loss and says none" },
  },
  {
    from: "a stop on the wrong side",
    body: "key=abc123;command=PLACE;account=Sim101;instrument=ES1!;action=BUY;qty=1;order_type=MARKET;tif=DAY;stop_loss=20 ticks;",
    options,
    gives: { code: "VALIDATION_FAILED", says: "the wrong side for a buy" },
  },
  {
    from: "an ATM strategy",
    body: "key=abc123;command=PLACE;account=Sim101;instrument=ES1!;action=BUY;qty=1;order_type=MARKET;tif=DAY;strategy=MyATM;",
    options,
    gives: { code: "VALIDATION_FAILED", says: "ATM strategies are not run here" },
  },
  {
    from: "an entry of yesterday",
    body: "key=abc123;command=PLACE;account=Sim101;instrument=ES1!;action=BUY;qty=1;order_type=MARKET;tif=DAY;timenow=2026-09-20T14:30:07Z;",
    options,
    gives: { asks: ["ALERT_TOO_OLD"] },
  },
];
