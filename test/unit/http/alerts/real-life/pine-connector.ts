import type { Message } from "./message.ts";

/** The comma form, which every profile reads. */
export const PINE_CONNECTOR: readonly Message[] = [
  {
    from: "an entry with levels as prices",
    body: "60123456789,buy,MNQ1!,vol_lots=1,sl_price=24950.25,tp_price=25100.00\n",
    gives: { asks: ["BUY 1 MNQ=MNQZ2026 MARKET DAY target at 100400 stop at 99801"] },
  },
  {
    from: "the same with a word for no levels",
    body: "60123456789,sell,MNQ1!,vol_lots=1,sl_price=0,tp_price=0",
    gives: {
      asks: ["SELL 1 MNQ=MNQZ2026 MARKET DAY"],
      notes: [
        "No stop-loss: the alert says so in sl_price",
        "No take-profit: the alert says so in tp_price",
      ],
    },
  },
  {
    from: "a limit order, with spaces after the commas",
    body: '60123456789, buylimit, ES1!, price=6450.00, vol_lots=2, comment="dip"',
    gives: { asks: ["BUY 2 ES=ESZ2026 LIMIT DAY price 25800"] },
  },
  {
    from: "closelong of what is long",
    body: "60123456789,closelong,MNQ1!",
    held: { MNQZ2026: 2 },
    gives: { asks: ["close 2 MNQZ2026"] },
  },
  {
    from: "closelong with levels that nobody needs there",
    body: "60123456789,closelong,MNQ1!,sl_price=NaN,tp_price={{plot_1}}",
    held: { MNQZ2026: 2 },
    gives: { asks: ["close 2 MNQZ2026"] },
  },
  {
    from: "closelong of what is short",
    body: "60123456789,closelong,MNQ1!",
    held: { MNQZ2026: -2 },
    gives: { asks: ["NO_POSITION"] },
  },
  {
    from: "half of a short position",
    body: "60123456789,closeshortpct,MNQ1!,pct=50",
    held: { MNQZ2026: -4 },
    gives: { asks: ["BUY 2 MNQZ2026 MARKET DAY"] },
  },
  {
    from: "a size by risk in the service's own unit",
    body: "60123456789,buy,MNQ1!,risk=1,sl=20",
    gives: { code: "VALIDATION_FAILED", says: "write vol_lots=1 for one contract" },
  },
  {
    from: "a stop in pips",
    body: "60123456789,buy,MNQ1!,vol_lots=1,sl_pips=20",
    gives: {
      code: "VALIDATION_FAILED",
      says: "sl_pips has no unit that is a price here: write sl_price",
    },
  },
  {
    from: "a stop that is left blank",
    body: "60123456789,buy,MNQ1!,vol_lots=1,sl_price=",
    gives: { code: "VALIDATION_FAILED", says: "sl_price names a stop-loss and says none" },
  },
  {
    from: "a share, by its exchange",
    body: "60123456789,buy,NYSE:CL,vol_lots=1",
    gives: { code: "UNKNOWN_SYMBOL", says: "names the exchange NYSE" },
  },
];
