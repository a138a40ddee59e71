import {
  REFUSED_COMMANDS,
  REFUSED_FIELDS,
} from "../../../src/http/alerts/profiles/pine-connector/words.ts";
import type { Dialect } from "./field-row.ts";

const commands = [...REFUSED_COMMANDS].map(
  ([command, why]) => [`command ${command}`, why] as const,
);

export const PINE_CONNECTOR: Dialect = {
  title: "PineConnector",
  source: "docs.pineconnector.com/syntax",
  entry: { command: "buy", symbol: "ES1!", vol_lots: "1" },
  read: [
    {
      name: "command",
      as: "`buy`, `sell`, `buylimit`, `buystop`, `selllimit`, `sellstop`, `closelong…`, `closeshort…`, `closelongshort`, `closeall`, those that close and open, `newsltplong`, `newsltpshort`",
      shown: { command: "sell" },
    },
    { name: "vol_lots", as: "contracts", shown: { vol_lots: "2" } },
    {
      name: "vol_pct_eq_loss, vol_pct_bal_loss",
      as: "as many contracts as lose no more than so many percent of the account at the stop, fees included: of its balance or of its worth, whichever is smaller. Needs `sl_price` or `sl_pct`",
      shown: { vol_lots: "", vol_pct_eq_loss: "1", sl_price: "4900" },
      protects: true,
    },
    {
      name: "price, entry_price",
      as: "the limit or trigger",
      shown: { command: "buylimit", price: "5000" },
    },
    { name: "sl_price", as: "a price", shown: { sl_price: "4900" }, protects: true },
    { name: "tp_price", as: "a price", shown: { tp_price: "5100" }, protects: true },
    {
      name: "sl_pct",
      as: "percent of the price of the fill",
      shown: { sl_pct: "0.5" },
      protects: true,
    },
    {
      name: "tp_pct",
      as: "percent of the price of the fill",
      shown: { tp_pct: "1" },
      protects: true,
    },
    {
      name: "pct, partial_close_pct",
      as: "of `closelongpct` and `closeshortpct`: percent of what is held",
      shown: { command: "closelongpct", vol_lots: "", pct: "50" },
    },
    {
      name: "the licence, secret, comment",
      as: "unread; a `comment` that would choose orders to close is refused",
    },
  ],
  refused: { ...REFUSED_FIELDS, ...Object.fromEntries(commands) },
};
