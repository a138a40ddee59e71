import { REFUSED_IN } from "../../../src/http/alerts/profiles/traderspost/exits.ts";
import { REFUSED_QUANTITY_TYPES } from "../../../src/http/alerts/profiles/traderspost/quantity.ts";
import { REFUSED } from "../../../src/http/alerts/profiles/traderspost/refused-fields.ts";
import type { Dialect } from "./field-row.ts";

const LIMIT = { orderType: "limit", limitPrice: 5000 };
const STOP = { stopLoss: { amount: 10 } };

const within = (place: string, reasons: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(reasons).map(([name, why]) => [`${place}${name}`, why]));

export const TRADERSPOST: Dialect = {
  title: "TradersPost",
  source: "docs.traderspost.io/docs/core-concepts/signals/webhooks",
  profile: "traderspost",
  entry: { ticker: "ES1!", action: "buy" },
  read: [
    { name: "ticker", as: "the symbol" },
    {
      name: "action",
      as: "`buy`, `sell`: the side that the position is to be on; `add`, `exit`, `reverse`, `cancel`; `breakeven` moves the stop to the entry's average price",
      shown: { action: "breakeven" },
    },
    {
      name: "sentiment",
      as: "where the position is to end: with `buy`, `short` only buys back and `flat` closes the short",
      shown: { sentiment: "flat" },
    },
    {
      name: "quantity",
      as: "contracts, rounded down; of an exit without one all; with a quantityType its amount",
      shown: { quantity: 2 },
    },
    {
      name: "quantityType: risk_dollar_amount",
      as: "as many contracts as lose no more than `quantity` at the stop, fees included; counted from a limit price or a fresh quote. Needs a stopLoss that stands",
      shown: { quantityType: "risk_dollar_amount", quantity: 150, ...STOP },
      protects: true,
    },
    {
      name: "quantityType: risk_percent",
      as: "the same of so many percent of the account: of its balance or of its worth, whichever is smaller",
      shown: { quantityType: "risk_percent", quantity: 1, ...STOP },
      protects: true,
    },
    {
      name: "quantityType: percent_of_position",
      as: "of exits: so much of what is held",
      shown: { action: "exit", quantityType: "percent_of_position", quantity: 50 },
    },
    {
      name: "orderType",
      as: "`market`, `limit`, `stop`, `stop_limit`, `trailing_stop`; what closes or turns goes at the market",
      shown: LIMIT,
    },
    { name: "limitPrice", as: "of `limit` and `stop_limit`", shown: LIMIT },
    {
      name: "stopPrice",
      as: "of `stop` and `stop_limit`",
      shown: { orderType: "stop", stopPrice: 5000 },
    },
    {
      name: "trailAmount",
      as: "of `trailing_stop`: a distance in price",
      shown: { orderType: "trailing_stop", trailAmount: 5 },
    },
    {
      name: "takeProfit.limitPrice",
      as: "a price",
      shown: { takeProfit: { limitPrice: 5100 } },
      protects: true,
    },
    {
      name: "takeProfit.amount",
      as: "a distance in price from the fill; never money",
      shown: { takeProfit: { amount: 20 } },
      protects: true,
    },
    {
      name: "takeProfit.percent",
      as: "percent of the price of the fill",
      shown: { takeProfit: { percent: 1 } },
      protects: true,
    },
    {
      name: "stopLoss.stopPrice",
      as: "a price",
      shown: { stopLoss: { stopPrice: 4900 } },
      protects: true,
    },
    {
      name: "stopLoss.amount",
      as: "a distance in price from the fill",
      shown: STOP,
      protects: true,
    },
    {
      name: "stopLoss.percent",
      as: "percent of the price of the fill",
      shown: { stopLoss: { percent: 0.5 } },
      protects: true,
    },
    {
      name: "stopLoss.type",
      as: "`stop`, or `trailing_stop`: the stop follows from the entry on. A price, amount or percent beside it is where it stands first. `stop_limit` is refused: it may not get out",
      shown: { stopLoss: { type: "trailing_stop", trailAmount: 5, stopPrice: 4900 } },
      protects: true,
    },
    {
      name: "stopLoss.trailAmount",
      as: "with `trailing_stop`: how far behind, in price",
      shown: { stopLoss: { type: "trailing_stop", trailAmount: 5 } },
      protects: true,
    },
    {
      name: "stopLoss.trailPercent",
      as: "the same in percent",
      shown: { stopLoss: { type: "trailing_stop", trailPercent: 0.5 } },
      protects: true,
    },
    {
      name: "timeInForce",
      as: "`day`, `gtc`, `ioc`, `fok`; `opg`, `cls` and `gtd` are refused",
      shown: { timeInForce: "gtc" },
      protects: true,
    },
    {
      name: "cancel",
      as: "`false` keeps what rests; otherwise a buy, sell or reverse cancels it first",
      shown: { cancel: false },
    },
    {
      name: "cancelAfter",
      as: "seconds until what is left of a resting entry is cancelled; an order that never rests names it as unread",
      shown: { ...LIMIT, cancelAfter: 60 },
      protects: true,
    },
    {
      name: "rejectAfter",
      as: "seconds that the alert may be old, counted from `time`",
      shown: { rejectAfter: 10 },
      protects: true,
    },
    {
      name: "time",
      as: "when it fired: its [age](alerts.md#how-old-an-alert-may-be) counts from then, and so does `rejectAfter`",
      shown: { time: "2026-09-21T14:30:07Z" },
    },
    { name: "price, signalPrice", as: "what the chart showed; never a limit price" },
    { name: "interval, extras, message, tags, expiresAt", as: "unread" },
    { name: "ignoreTradingWindows", as: "unread: schedules are set in the account's guards" },
  ],
  refused: {
    ...REFUSED,
    ...within("takeProfit.", REFUSED_IN.takeProfit),
    ...within("stopLoss.", REFUSED_IN.stopLoss),
    ...within("quantityType: ", REFUSED_QUANTITY_TYPES),
  },
};
