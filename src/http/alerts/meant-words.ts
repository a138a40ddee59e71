import type { AlertProfile } from "../../domain/declared/webhook-options.ts";
import { slipsBetween } from "../../domain/nearest-names.ts";
import { isThere, nothingIn } from "./written-values.ts";

/** Words in a name that may say: less than all, another one, or not now. */
const LIMITING = words(`
  qty quantity quantities size sizes contract contracts lot lots share shares unit units amount
  percent pct percentage fraction ratio portion part partial half
  symbol symbols ticker instrument market root pair asset
  side direction long short position account accounts
  dry dryrun simulate simulated simulation sim paper demo preview validate
  only if when unless condition delay after wait before until limit order orders ids
  enabled active skip
`);

/** Words in a name that may ask for a protection, or change what an order is. */
const PROTECTING = words(`
  stop stops stoploss sl loss profit profits takeprofit tp target targets trail trailing breakeven be
  risk reduce reduceonly close closing exit exits cancel expiry expire expires tif type action command
  leverage margin oco bracket hedge atm
`);

/** Words in a name of the exits that an entry brings along. */
const LEG = words("sl tp stoploss takeprofit bracket exitplan atm breakeven trail trailing");
const LEG_STEM = /^(?:stoploss|takeprofit|breakeven|betrigger|beoffset|trail)/;

/** The names that say how an entry is placed, and how large it is. A way out goes at the market. */
const OF_ENTRIES = words(`
  limit limitprice stop stopprice pegdifference target targets profittarget ocoid maxshow
  cancelafter cancelafterseconds timeout gtdinsecond lmttomarketwait flattenfirst entryorder pending
  entrypips entrypct leverage risk riskpercent riskpercentage maxposition maxpositions
  marketpricetype bidaskspreadfilter spread extendedhours
`);

/** The names of an alert's age and identifier, and of an order's life. A way out passes however late it comes. */
const OF_NO_EXIT = words(`
  alertid firedat time timestamp maxageseconds maxlag rejectafter timeinforce tif ratelimit
  cancelfirst price signalprice
`);

/** What names without parting marks begin or end with. */
const STEMS =
  /^(?:dry|stop|sl|tp|trail|breakeven|takeprofit|reduce|risk)|(?:qty|quantity|size|percent|pct|id)$/;

/** What says of an exit, by whatever name, that it is one. */
const SAYING_EXIT = words("reduceonly closeposition closeonly exitonly");

/** Values that repeat what a way out is anyway: it goes at the market, and is meant. */
const SAYING_SO: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["ordertype", words("market mkt")],
  ["type", words("market mkt")],
  ["enabled", words("true 1 yes on")],
  ["active", words("true 1 yes on")],
]);

/** What says no here may say that nothing is to be done; of all else it says that it is not there. */
const SWITCHING = words("enabled active if when unless condition");

const YES = words("true 1 yes on");
const NO = words("false no off flat none");

/** Whether a name may mean that less is to be taken out than the rest says. */
const limits = (name: string): boolean => wordsOf(name).some((word) => LIMITING.has(word));

/**
 * Whether a field can only concern an entry, by the names on the way to it: beside a way out it asks
 * for nothing.
 */
export const concernsEntry = (path: string): boolean =>
  path.split(".").some((name) => {
    const bare = bareName(name);
    return (
      OF_ENTRIES.has(bare) || LEG_STEM.test(bare) || wordsOf(name).some((word) => LEG.has(word))
    );
  });

/**
 * Whether what is wrong with a field is no matter beside a way out: an exit does not read it, or it says
 * nothing and cannot mean less than all.
 */
export const isUnreadByExits = (path: string, value: unknown): boolean =>
  concernsEntry(path) ||
  saysSo(path, value) ||
  OF_NO_EXIT.has(bareName(path)) ||
  (nothingIn(value) === "blank" && isThere(value) && !mayNarrow(path));

/** A type of order makes an exit neither smaller nor another one, and a test is none. */
const mayNarrow = (path: string): boolean =>
  path.split(".").some((name) => {
    const bare = bareName(name);
    return bare === "test" || (limits(name) && bare !== "ordertype");
  });

const saysSo = (name: string, value: unknown): boolean =>
  SAYING_SO.get(bareName(name))?.has(written(value)) === true;

/** As it was sent: an object may call anything `toString`. Null says nothing. */
const written = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value ?? "")).trim().toLowerCase();

/** The same of a field of an exit: `"delay": 0` and `"reduceOnly": true` ask for nothing less. */
export function limitsExit(name: string, value: unknown): boolean {
  if (!limits(name) || saysSo(name, value)) return false;
  const said = written(value);
  if (SAYING_EXIT.has(bareName(name))) return !YES.has(said);
  const saysNo = value === null || NO.has(said) || Number(said) === 0;
  return !saysNo || wordsOf(name).some((word) => SWITCHING.has(word));
}

/** Whether a name may mean something that an order must not go without: none of these is allowed. */
export const maySaySomething = (name: string): boolean =>
  limits(name) || wordsOf(name).some((word) => PROTECTING.has(word)) || STEMS.test(bareName(name));

/** Written for another word, or beside an order that is meant, this would keep it from being sent. */
const AS_TEST = '"test": true only where nothing is to be sent, else leave it out';

type Dialect = AlertProfile | "csv";

/** The words of a dialect for one thing. A dialect that is not named has no word for it. */
type InWords = Readonly<Partial<Record<Dialect, string>>>;

const NATIVE_LEVELS = "{price, ticks or offset}";
const STOP: InWords = {
  native: `stopLoss: ${NATIVE_LEVELS}`,
  position: `stopLoss: ${NATIVE_LEVELS}`,
  traderspost: "stopLoss: {stopPrice, amount or percent}",
  crosstrade: "stop_loss",
  pickmytrade: "sl",
  csv: "sl_price or sl_pct",
};
const TARGET: InWords = {
  native: `takeProfit: ${NATIVE_LEVELS}`,
  position: `takeProfit: ${NATIVE_LEVELS}`,
  traderspost: "takeProfit: {limitPrice, amount or percent}",
  crosstrade: "take_profit",
  pickmytrade: "tp",
  csv: "tp_price or tp_pct",
};
const ofLevel = (leg: string): InWords => ({
  native: `${leg}: {$1: …}, in pairs ${leg}.$1`,
  position: `${leg}: {$1: …}, in pairs ${leg}.$1`,
});
/** A stop that trails. An order that trails opens a position, and protects none. */
export const TRAILING =
  "an exitPlan with trailing, or trailOffset for an order of type trailingStop";

/** What people write for words that are spelt quite otherwise. */
const MEANT: readonly (readonly [pattern: RegExp, meant: string | InWords])[] = [
  [/^stoploss(ticks|offset|price)$/, ofLevel("stopLoss")],
  [/^takeprofit(ticks|offset|price)$/, ofLevel("takeProfit")],
  [
    /^(?:sl|stop)(?:price|px|loss)?$/,
    { ...STOP, native: "stopLoss: {price: …}, or stopPrice for a stop order" },
  ],
  [/^stoploss.*$/, STOP],
  [/^(?:tp|target|takeprofit|profittarget).*$/, TARGET],
  [
    /^(?:trail|trailing).*$/,
    {
      native: TRAILING,
      traderspost: 'stopLoss: {type: "trailing_stop", trailAmount or trailPercent}',
    },
  ],
  [
    /^breakeven.*$/,
    {
      native: 'a later "action": "protect" with stopLoss',
      traderspost: 'a later "action": "breakeven"',
    },
  ],
  [/^(?:dryrun|simulate|simulation|paper|preview|(?:is)?tests?(?:mode|net|run|order)?)$/, AS_TEST],
  // The native close is of the whole account.
  [/^reduceonly$/, { native: '"action": "reduce"', traderspost: '"action": "exit"' }],
  [
    /^closeposition$/,
    { native: '"action": "close_long" or "close_short"', traderspost: '"action": "exit"' },
  ],
  [
    /^(?:cancelafter|expiry|expires|expiration|delay)$/,
    { native: "maxAgeSeconds, timeInForce or a later cancel" },
  ],
  [
    /^(?:quantitytype|riskpercent|sizing|leverage)$/,
    {
      native: "qty, in contracts",
      crosstrade: "qty, in contracts",
      traderspost: "quantity, in contracts",
      pickmytrade: "quantity, in contracts",
    },
  ],
  [/^accounts?(?:id|name)?$/, "nothing: the webhook says which account it is"],
];

/**
 * The word of this dialect that is meant, as far as can be told: the same but for its case and its
 * marks, one with a slip of the pen, or one that the name begins with; then what people mean who
 * write this in any dialect. A word that only looks like `test` is not taken for it, and none that has a
 * meaning of its own for another one: `side` is no `size`.
 */
export function didYouMean(
  name: string,
  all: readonly string[],
  dialect: Dialect,
): string | undefined {
  const written = bareName(name);
  const known = all.filter((one) => one !== "test");
  const same = known.find((one) => bareName(one) === written);
  if (same !== undefined) return same;
  for (const [pattern, meant] of MEANT) {
    const inWords = typeof meant === "string" ? meant : meant[dialect];
    if (inWords !== undefined && pattern.test(written)) return written.replace(pattern, inWords);
  }
  if (LIMITING.has(written) || PROTECTING.has(written)) return undefined;
  const ranked = known
    .map((one) => ({ one, slips: slipsBetween(bareName(one), written) }))
    .filter(({ slips }) => slips < Infinity)
    .toSorted((one, other) => one.slips - other.slips);
  return (
    ranked[0]?.one ?? known.find((one) => one.length >= 4 && written.startsWith(bareName(one)))
  );
}

/** `stopLossTicks`, `stop_loss_ticks` and `StopLossTicks` are the words stop, loss and ticks. */
export function wordsOf(name: string): readonly string[] {
  const parted = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
  const parts = parted.split(/[^a-z]+/).filter((part) => part !== "");
  return [...parts, bareName(name).replaceAll(/\d/g, "")];
}

/**
 * Names that charting platforms, and the messages that people publish for them, send beside an order
 * and that ask for nothing. TradingView's placeholders (its help centre, "How to use a variable value
 * in alert"): where the bar stood, when it fired, and what its strategy calls the order. They pass as
 * plain values, and are named in the answer.
 */
const PLAIN = words(`
  time timenow timestamp date bar bar_time bar_index interval timeframe exchange
  open high low close hl2 hlc3 ohlc4 volume price signalPrice
  order_id order_price order_comment order_alert_message
  prev_market_position prev_market_position_size
  prevMarketPosition prevMarketPositionSize prev_position prev_position_size
  comment message alert_message alert_name note notes title name description
  id strategy strategy_name source version platform currency text content
  key api_key token secret passphrase password license licence auth
`);

/** What senders may keep of their own: TradersPost documents `extras`, and passes it on unread. */
const HOLDING_ANYTHING = words("extras meta metadata tags");

/** `{{plot_0}}` to `{{plot_19}}`. */
const PLOT = /^plot\d{1,2}$/;

/** Whether a field of this name asks for nothing, whatever its value is. */
export function isHarmless(name: string, value: unknown): boolean {
  const bare = bareName(name);
  if (HOLDING_ANYTHING.has(bare)) return true;
  const isPlain = typeof value !== "object" || value === null;
  return isPlain && (PLAIN.has(bare) || PLOT.test(bare));
}

/** A name without its case and its parting marks. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s.-]/g, "");
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/).map(bareName));
}
