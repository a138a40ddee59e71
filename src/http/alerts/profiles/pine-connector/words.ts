import type { Aim } from "../../../../domain/alert.ts";
import type { Side } from "../../../../domain/order.ts";
import type { OrdType } from "../../../../domain/declared/order-types.ts";

/** What one command does. */
export type Meaning =
  | { readonly does: "order"; readonly side: Side; readonly ordType: OrdType }
  | {
      readonly does: "enter";
      readonly side: Side;
      readonly whenHeld: Extract<Aim, { to: "enter" }>["whenHeld"];
    }
  | {
      readonly does: "close";
      readonly holding: "LONG" | "SHORT";
      readonly part: "all" | "percent" | "qty";
    }
  | { readonly does: "exit" }
  | { readonly does: "flatten" }
  | { readonly does: "protect" };

const BUY: Meaning = { does: "order", side: "BUY", ordType: "MARKET" };
const SELL: Meaning = { does: "order", side: "SELL", ordType: "MARKET" };
/** Out of the other side, and in; what is held on this side already stays. */
const TO_LONG: Meaning = { does: "enter", side: "BUY", whenHeld: "add" };
const TO_SHORT: Meaning = { does: "enter", side: "SELL", whenHeld: "add" };
/** Out of this side too, and in anew. */
const LONG_ANEW: Meaning = { does: "enter", side: "BUY", whenHeld: "replace" };
const SHORT_ANEW: Meaning = { does: "enter", side: "SELL", whenHeld: "replace" };

export const COMMANDS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["buy", BUY],
  ["long", BUY],
  ["bull", BUY],
  ["bullish", BUY],
  ["sell", SELL],
  ["short", SELL],
  ["bear", SELL],
  ["bearish", SELL],
  ["buylimit", { does: "order", side: "BUY", ordType: "LIMIT" }],
  ["buystop", { does: "order", side: "BUY", ordType: "STOP" }],
  ["selllimit", { does: "order", side: "SELL", ordType: "LIMIT" }],
  ["sellstop", { does: "order", side: "SELL", ordType: "STOP" }],
  ["closelongopenshort", TO_SHORT],
  ["cl+os", TO_SHORT],
  ["closeshortopenlong", TO_LONG],
  ["cs+ol", TO_LONG],
  ["closelongopenlong", LONG_ANEW],
  ["cl+ol", LONG_ANEW],
  ["closeshortopenshort", SHORT_ANEW],
  ["cs+os", SHORT_ANEW],
  ["closelongshortopenlong", LONG_ANEW],
  ["cls+ol", LONG_ANEW],
  ["closelongshortopenshort", SHORT_ANEW],
  ["cls+os", SHORT_ANEW],
  ["closelong", { does: "close", holding: "LONG", part: "all" }],
  ["closeshort", { does: "close", holding: "SHORT", part: "all" }],
  ["closelongpct", { does: "close", holding: "LONG", part: "percent" }],
  ["closeshortpct", { does: "close", holding: "SHORT", part: "percent" }],
  ["closelongvol", { does: "close", holding: "LONG", part: "qty" }],
  ["closeshortvol", { does: "close", holding: "SHORT", part: "qty" }],
  ["closelongshort", { does: "exit" }],
  ["closeall", { does: "flatten" }],
  ["newsltplong", { does: "protect" }],
  ["newsltpshort", { does: "protect" }],
]);

const ONE_SIDE =
  'cancels the entries of one side only: cancel both with the JSON alert {"action": "cancel", "symbol": …}';
const CANCEL_AND_PLACE = `${ONE_SIDE}, then send the new one`;
const OF_ENTRIES =
  "moves the levels of an order that rests: use PATCH /v1/orders/{id}, or cancel and send it anew";
const PAUSE =
  "pauses or resumes trading: pause the webhook with PATCH /v1/webhooks/{id}, or use PUT /v1/kill-switch";

/** Commands that are not carried out, and what to do instead. */
export const REFUSED_COMMANDS: ReadonlyMap<string, string> = new Map([
  ["cancellong", ONE_SIDE],
  ["cancelshort", ONE_SIDE],
  ["cancellongbuystop", CANCEL_AND_PLACE],
  ["cancellongbuylimit", CANCEL_AND_PLACE],
  ["cancelshortsellstop", CANCEL_AND_PLACE],
  ["cancelshortselllimit", CANCEL_AND_PLACE],
  ["newsltpbuystop", OF_ENTRIES],
  ["newsltpbuylimit", OF_ENTRIES],
  ["newsltpsellstop", OF_ENTRIES],
  ["newsltpselllimit", OF_ENTRIES],
  ["eaon", PAUSE],
  ["eaoff", PAUSE],
  ["closealleaoff", `${PAUSE}; closeall closes`],
]);

const WRITE_LOTS =
  "has no unit that counts contracts: write vol_lots=1 for one contract, or vol_pct_eq_loss with sl_price";
const WRITE_SL = "has no unit that is a price here: write sl_price or sl_pct";
const WRITE_TP = "has no unit that is a price here: write tp_price or tp_pct";
const WRITE_PRICE = "has no unit that is a price here: write price";
const NO_TRAIL =
  "counts in pips, which a future has none of: move the stop with newsltplong or newsltpshort, or trail it by an exit plan of a JSON alert";
const NO_BREAKEVEN =
  "counts in pips, which a future has none of: move the stop with newsltplong or newsltpshort, or by the breakeven of an exit plan of a JSON alert";
const NO_TARGETS = "there is one take-profit: write tp_price, and close parts with closelongpct";

/** Fields that ask for what the gateway does not do; the units of some are set in the service's EA. */
export const REFUSED_FIELDS: Readonly<Record<string, string>> = {
  risk: WRITE_LOTS,
  vol_dollar: WRITE_LOTS,
  vol_pct_bal_margin: WRITE_LOTS,
  sl: WRITE_SL,
  sl_pips: WRITE_SL,
  tp: WRITE_TP,
  tp_pips: WRITE_TP,
  tp1: NO_TARGETS,
  tp2: NO_TARGETS,
  tp3: NO_TARGETS,
  tp4: NO_TARGETS,
  tp5: NO_TARGETS,
  entry_pips: WRITE_PRICE,
  entry_pct: WRITE_PRICE,
  pending: "is a part of the command here: write buylimit, buystop, selllimit or sellstop",
  betrigger: NO_BREAKEVEN,
  beoffset: NO_BREAKEVEN,
  trailtrig: NO_TRAIL,
  traildist: NO_TRAIL,
  trailstep: NO_TRAIL,
  atrtimeframe: NO_TRAIL,
  atrperiod: NO_TRAIL,
  atrmultiplier: NO_TRAIL,
  atrshift: NO_TRAIL,
  atrtrigger: NO_TRAIL,
  spread: "the spread is not looked at before an order: leave it out",
  accfilter: "is not checked before an order: use the account's limits, /v1/accounts/{id}/limits",
};
