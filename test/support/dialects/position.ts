import { REFUSED } from "../../../src/http/alerts/profiles/position/fields.ts";
import type { Dialect } from "./field-row.ts";

export const POSITION: Dialect = {
  title: "A strategy's position",
  source: "3Commas, OKX and others that send `{{strategy.market_position}}`",
  profile: "position",
  entry: { symbol: "ES1!", market_position: "long", market_position_size: 1 },
  read: [
    {
      name: "symbol, ticker, instrument, tv_instrument",
      as: "the symbol; with `tv_exchange` or `exchange` [its exchange](alerts.md#symbols)",
    },
    {
      name: "market_position, sentiment, direction, position.side",
      as: "`long`, `short`, `flat`",
      shown: { market_position: "short" },
    },
    {
      name: "market_position_size, position_size, target_quantity, position.size",
      as: "contracts that are held then",
      shown: { market_position_size: 2 },
    },
    {
      name: "takeProfit, stopLoss",
      as: "as in a native alert, of all that is held then",
      shown: { stopLoss: { ticks: 20 } },
      protects: true,
    },
    { name: "timeInForce, tif", as: "as in a native alert", shown: { tif: "ioc" }, protects: true },
    { name: "cancelFirst", as: "as in a native alert", shown: { cancelFirst: false } },
    {
      name: "max_lag",
      as: "seconds that the alert may be old, counted from `timestamp`",
      shown: { max_lag: 20 },
      protects: true,
    },
    {
      name: "timestamp, trigger_time",
      as: "when it fired: its [age](alerts.md#how-old-an-alert-may-be) counts from then",
      shown: { timestamp: "2026-09-21T14:30:07Z" },
    },
    {
      name: "action, prev_market_position, prev_market_position_size",
      as: "the order that led there: [nothing is opened against it](alerts.md#messages-out-of-their-order)",
    },
    {
      name: "order size, price, bot_uuid, secret",
      as: "unread: where the position stands says what to do",
    },
  ],
  refused: REFUSED,
};
