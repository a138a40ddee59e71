import { REFUSED } from "../../../src/http/alerts/profiles/pickmytrade/fields.ts";
import type { Dialect } from "./field-row.ts";

const SL = { sl: 4900 };
const ROW = { token: "T", account_id: "A1" };

export const PICKMYTRADE: Dialect = {
  title: "PickMyTrade",
  source: "docs.pickmytrade.trade",
  profile: "pickmytrade",
  entry: { symbol: "ES1!", data: "buy", quantity: 1 },
  read: [
    { name: "symbol", as: "the symbol" },
    {
      name: "data",
      as: "`buy`, `long`, `sell`, `short`; `close`, `flat`",
      shown: { data: "sell" },
    },
    {
      name: "quantity",
      as: "contracts; 0 with `risk_percentage`. Of a close it counts only with `full_closed` false",
      shown: { quantity: 2 },
    },
    {
      name: "risk_percentage",
      as: "as many contracts as lose no more than so many percent of the account at the stop, fees included: of its balance or of its worth, whichever is smaller. Needs `sl` or `percentage_sl`, and quantity 0",
      shown: { risk_percentage: 1, quantity: 0, ...SL },
      protects: true,
    },
    {
      name: "order_type",
      as: "`MKT`, `LMT`, `STP`, `STPLMT`",
      shown: { order_type: "LMT", price: 5000 },
    },
    {
      name: "price",
      as: "the limit or trigger of such an order; at the market what the chart showed",
      shown: { order_type: "LMT", price: 5000 },
    },
    {
      name: "stp_limit_stp_price",
      as: "the trigger of `STPLMT`",
      shown: { order_type: "STPLMT", price: 5000, stp_limit_stp_price: 4999 },
    },
    {
      name: "gtd_in_second",
      as: "seconds until what is left of a resting entry is cancelled; at the market unread",
      shown: { order_type: "LMT", price: 5000, gtd_in_second: 60 },
      protects: true,
    },
    { name: "tif", as: "`DAY`, `GTC`", shown: { tif: "GTC" } },
    { name: "tp", as: "a price", shown: { tp: 5100 }, protects: true },
    { name: "sl", as: "a price", shown: SL, protects: true },
    {
      name: "percentage_tp",
      as: "percent of the entry's price",
      shown: { percentage_tp: 1 },
      protects: true,
    },
    {
      name: "percentage_sl",
      as: "percent of the entry's price",
      shown: { percentage_sl: 0.5 },
      protects: true,
    },
    {
      name: "trail",
      as: "1: the stop follows, at `trail_stop`",
      shown: { trail: 1, trail_stop: 5 },
      protects: true,
    },
    {
      name: "trail_stop",
      as: "how far behind, in price: a distance, as Tradovate's trailing stop has it. Refused beside a percentage, whose unit it may count in",
      shown: { trail: 1, trail_stop: 5 },
      protects: true,
    },
    {
      name: "trail_trigger",
      as: "the gain in price from which it follows; needs `sl` until then",
      shown: { trail: 1, trail_stop: 5, trail_trigger: 10, ...SL },
      protects: true,
    },
    {
      name: "trail_freq",
      as: "by how much it is moved at least, in price",
      shown: { trail: 1, trail_stop: 5, trail_freq: 1 },
      protects: true,
    },
    {
      name: "breakeven",
      as: "the gain after which the stop goes to the entry, in the unit of `sl` and `tp`: beside prices a distance in price, beside percentages percent. Needs a stop",
      shown: { breakeven: 10, ...SL },
      protects: true,
    },
    {
      name: "breakeven_offset",
      as: "how far beyond the entry, in price; refused beside percentages",
      shown: { breakeven: 10, breakeven_offset: 2, ...SL },
      protects: true,
    },
    {
      name: "advance_tp_sl",
      as: "an entry in parts, each with `quantity` and a target of its own. Stop, breakeven and trailing must be the same in each: they are one for all of the position",
      shown: {
        quantity: 2,
        advance_tp_sl: [
          { quantity: 1, tp: 5100, ...SL },
          { quantity: 1, tp: 5200, ...SL },
        ],
      },
      protects: true,
    },
    {
      name: "update_tp, update_sl",
      as: "move the exits of what is held to `tp` and `sl`",
      shown: { update_sl: true, ...SL },
      protects: true,
    },
    {
      name: "reverse_order_close",
      as: "out of the other side first, and of this one too unless `pyramid`",
      shown: { reverse_order_close: true },
    },
    {
      name: "pyramid",
      as: "more of what is held",
      shown: { reverse_order_close: true, pyramid: true },
    },
    {
      name: "same_direction_ignore, duplicate_position_allow",
      as: "no second entry on the side that is held",
      shown: { same_direction_ignore: true },
    },
    {
      name: "full_closed",
      as: "`false` closes `quantity` contracts only",
      shown: { data: "close", full_closed: false },
    },
    {
      name: "multiple_accounts",
      as: "on a webhook for a group a row for each account that is meant, whose `account_id` is our id, or the broker's name or number of it; rows with different `token`s are refused. On a webhook for one account one row",
      shown: { multiple_accounts: [{ ...ROW, quantity_multiplier: 2 }] },
    },
    {
      name: "multiple_accounts.risk_percentage",
      as: "as beside it, for its account",
      shown: { quantity: 0, ...SL, multiple_accounts: [{ ...ROW, risk_percentage: 2 }] },
      protects: true,
    },
    {
      name: "multiple_accounts.quantity_multiplier",
      as: "times `quantity`, where that is a whole number of contracts",
      shown: { multiple_accounts: [{ ...ROW, quantity_multiplier: 3 }] },
    },
    { name: "inst_type", as: "`FUT`" },
    {
      name: "date",
      as: "when it fired: its [age](alerts.md#how-old-an-alert-may-be) counts from then",
      shown: { date: "2026-09-21T14:30:07Z" },
    },
    {
      name: "token, account_id, connection_name, platform, strategy_name, comment",
      as: "nothing is done with them: the webhook says whose account it is. On a webhook for a group `account_id` says which, where there is no `multiple_accounts`. A `comment` that names one of several entries to close is refused",
    },
  ],
  refused: REFUSED,
};
