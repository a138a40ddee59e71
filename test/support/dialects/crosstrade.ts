import {
  REFUSED_COMMANDS,
  REFUSED_FIELDS,
} from "../../../src/http/alerts/profiles/crosstrade/read-crosstrade.ts";
import type { Dialect } from "./field-row.ts";

const LIMIT = { order_type: "limit", limit_price: "5000" };
const SYNC = {
  sync_strategy: "true",
  market_position: "long",
  prev_market_position: "flat",
  out_of_sync: "resync",
  target_quantity: "2",
};

const commands = Object.entries(REFUSED_COMMANDS).map(
  ([command, why]) => [`command=${command}`, why.replace(`${command} `, "")] as const,
);

export const CROSSTRADE: Dialect = {
  title: "CrossTrade",
  source: "crosstrade.io/docs/webhooks",
  profile: "crosstrade",
  entry: {
    command: "PLACE",
    instrument: "ES1!",
    action: "buy",
    qty: "1",
    order_type: "market",
    tif: "day",
  },
  read: [
    {
      name: "command",
      as: "`PLACE`, `FLATPLACE`, `REVERSEPOSITION`, `REVERSE`, `CLOSEPOSITION`, `FLATTEN`, `FLATTENEVERYTHING`, `CANCELORDERS`, `CANCELALLORDERS`, `CANCELANDBRACKET`; those for all accounts mean this webhook's",
      shown: { command: "FLATPLACE" },
    },
    { name: "instrument", as: "the symbol: `ES 09-26`, `ES1!`, `ESU6`" },
    {
      name: "action",
      as: "`buy`, `sell`; of `CANCELANDBRACKET` the side that is held",
      shown: { action: "sell" },
    },
    { name: "qty, quantity", as: "contracts", shown: { qty: "2" } },
    {
      name: "percent",
      as: "of `CLOSEPOSITION`: a fraction, 0.25 for a quarter",
      shown: {
        command: "CLOSEPOSITION",
        percent: "0.25",
        qty: "",
        action: "",
        order_type: "",
        tif: "",
      },
    },
    {
      name: "order_type",
      as: "`market`, `limit`, `stopmarket`, `stoplimit`, `trailingstop`; `trailingstoplimit` and `mit` are refused",
      shown: LIMIT,
    },
    { name: "limit_price", as: "a price; relative to the last quote it is refused", shown: LIMIT },
    {
      name: "stop_price",
      as: "a price; relative to the last quote it is refused",
      shown: { order_type: "stopmarket", stop_price: "5000" },
    },
    {
      name: "trail_offset, peg_difference",
      as: "of `trailingstop`: how far behind, in price",
      shown: { order_type: "trailingstop", trail_offset: "4" },
    },
    { name: "tif", as: "`day`, `gtc`, `ioc`, `fok`", shown: { tif: "gtc" }, protects: true },
    {
      name: "take_profit",
      as: "a price; of an order at the market also `25 ticks`, `7.5 points`, `1.5%`, counted from the fill: plus is above, minus below. `%` is of the price of the fill. Money is refused",
      shown: { take_profit: "1.5%" },
      protects: true,
    },
    { name: "stop_loss", as: "the same", shown: { stop_loss: "-1%" }, protects: true },
    {
      name: "cancel_after",
      as: "minutes until what is left of a limit order is cancelled; at the market unread, with other types refused",
      shown: { ...LIMIT, cancel_after: "5" },
      protects: true,
    },
    {
      name: "flatten_first",
      as: "out of all that is held, and of what rests, before it",
      shown: { flatten_first: "true" },
      protects: true,
    },
    {
      name: "require_market_position",
      as: "only while held so: `flat`, `long`, `short` or a list",
      shown: { require_market_position: "flat" },
      protects: true,
    },
    {
      name: "sync_strategy",
      as: "the account follows the strategy's position, by the four fields below",
      shown: SYNC,
      protects: true,
    },
    {
      name: "market_position, prev_market_position, target_quantity, out_of_sync",
      as: "with `sync_strategy`; `out_of_sync=flatten` is refused for an order that opens",
      shown: SYNC,
    },
    { name: "key, destination, notes, id, order_id, bypass_trade_windows", as: "unread" },
    {
      name: "account",
      as: "on a webhook for a group the accounts that are meant, by commas: each by our id, or by the broker's name or number of it; with `FLATTENEVERYTHING` and `CANCELALLORDERS` all of them. On a webhook for one account one name, with which nothing is done",
    },
  ],
  refused: {
    ...REFUSED_FIELDS,
    kill_switch: "is switched by PUT /v1/kill-switch, not by an alert",
    ...Object.fromEntries(commands),
  },
};
