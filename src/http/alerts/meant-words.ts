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

/** What else says how an entry is placed and how large it is. A way out goes at the market. */
const OF_ENTRIES = words(`
  limit limitprice stop stopprice pegdifference target targets profittarget ocoid maxshow
  cancelafter gtdinsecond flattenfirst entryorder leverage risk riskpercent riskpercentage
`);

/** What names without parting marks begin or end with. */
const STEMS =
  /^(?:dry|stop|sl|tp|trail|breakeven|takeprofit|reduce|risk)|(?:qty|quantity|size|percent|pct|id)$/;

/** What says of an exit, by whatever name, that it is one. */
const SAYING_EXIT = words("reduceonly closeposition closeonly exitonly");

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

/** The same of a field of an exit: `"delay": 0` and `"reduceOnly": true` ask for nothing less. */
export function limitsExit(name: string, value: unknown): boolean {
  if (!limits(name)) return false;
  // As it was sent: an object may call anything `toString`. Null says nothing.
  const sent = typeof value === "string" ? value : JSON.stringify(value ?? "");
  const written = sent.trim().toLowerCase();
  if (SAYING_EXIT.has(bareName(name))) return !YES.has(written);
  const saysNo = value === null || NO.has(written) || Number(written) === 0;
  return !saysNo || wordsOf(name).some((word) => SWITCHING.has(word));
}

/** Whether a name may mean something that an order must not go without: none of these is allowed. */
export const maySaySomething = (name: string): boolean =>
  limits(name) || wordsOf(name).some((word) => PROTECTING.has(word)) || STEMS.test(bareName(name));

/** What people write for words that are spelt quite otherwise. */
const MEANT: readonly (readonly [pattern: RegExp, meant: string])[] = [
  [/^stoploss(ticks|offset|price)$/, "stopLoss: {$1: …}"],
  [/^takeprofit(ticks|offset|price)$/, "takeProfit: {$1: …}"],
  [/^(?:sl|stop)(?:price|px|loss)?$/, "stopLoss: {price: …}, or stopPrice for a stop order"],
  [/^stoploss.*$/, "stopLoss: {price, ticks or offset}"],
  [/^(?:tp|target|takeprofit|profittarget).*$/, "takeProfit: {price, ticks or offset}"],
  [/^(?:trail|trailing).*$/, "trailOffset with type trailingStop"],
  [/^breakeven.*$/, 'a later "action": "protect" with stopLoss'],
  [/^(?:dryrun|simulate|simulation|paper|preview)$/, '"test": true'],
  [/^(?:reduceonly|closeposition)$/, '"action": "reduce" or "close"'],
  [
    /^(?:cancelafter|expiry|expires|expiration|delay)$/,
    "maxAgeSeconds, timeInForce or a later cancel",
  ],
  [/^(?:quantitytype|riskpercent|sizing|leverage)$/, "qty, in contracts"],
  [/^accounts?(?:id|name)?$/, "nothing: the webhook says which account it is"],
];

/**
 * The word of this dialect that is meant, as far as can be told: the same but for its case and its
 * marks, one with a slip of the pen, or one that the name begins with; then what people mean who
 * write this in any dialect.
 */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const written = bareName(name);
  const same = known.find((one) => bareName(one) === written);
  if (same !== undefined) return same;
  for (const [pattern, meant] of MEANT) {
    if (pattern.test(written)) return written.replace(pattern, meant);
  }
  const ranked = known
    .map((one) => ({ one, slips: distance(bareName(one), written) }))
    .filter(({ slips }) => slips < Infinity)
    .toSorted((one, other) => one.slips - other.slips);
  return (
    ranked[0]?.one ?? known.find((one) => one.length >= 4 && written.startsWith(bareName(one)))
  );
}

/** How many letters are to be put in, left out or changed: at most a third of them, else Infinity. */
function distance(one: string, other: string): number {
  const most = Math.floor(one.length / 3);
  if (Math.abs(one.length - other.length) > most) return Infinity;
  let above = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [row, letter] of one.split("").entries()) {
    const line = [row + 1];
    for (const [column, against] of other.split("").entries()) {
      const changed = (above[column] ?? 0) + (letter === against ? 0 : 1);
      line.push(Math.min(changed, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    above = line;
  }
  const slips = above.at(-1) ?? Infinity;
  return slips <= most ? slips : Infinity;
}

/** `stopLossTicks`, `stop_loss_ticks` and `StopLossTicks` are the words stop, loss and ticks. */
function wordsOf(name: string): readonly string[] {
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
  id strategy strategy_name source version platform currency
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
