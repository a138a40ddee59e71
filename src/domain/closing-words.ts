/** Actions that close one side of the market. */
const SIDE_FIRST = /^(long|short)s?(?:position)?s?(?:close|exit)$/;
const VERB_FIRST = /^(?:close|exit|flatten|cover)(long|short)s?(?:position)?s?$/;
const BY_ORDER: Readonly<Record<string, "LONG" | "SHORT">> = {
  selltoclose: "LONG",
  buytoclose: "SHORT",
  buytocover: "SHORT",
};

/**
 * The side that an action closes and never opens: `close_long`, `exitlong`, `long exit`,
 * `sell_to_close`. Undefined for each other word, of a plain close too.
 */
export function sideToClose(action: string): "LONG" | "SHORT" | undefined {
  const bare = action.toLowerCase().replaceAll(/[\s_.-]/g, "");
  const [, side] = VERB_FIRST.exec(bare) ?? SIDE_FIRST.exec(bare) ?? [];
  if (side === undefined) return Object.hasOwn(BY_ORDER, bare) ? BY_ORDER[bare] : undefined;
  return side === "long" ? "LONG" : "SHORT";
}

/** `name: value`, `"name": "value"` and `name=value`, in text that need not be valid. */
const PAIR = /([\w.-]{1,64})\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?([^"'\\,;{}[\]\n]{0,64})/g;
/** A turn closes what is held before it opens. Exits that are to be set may be missing. */
const CLOSING =
  /^(?:close|exit|flat|cancel|reduce|cover|liquidate|breakeven|reverse$|protect$|newsltp)/;
const ZERO = /^-?0+(?:\.0*)?$/;
const YES = /^(?:true|1|yes|on)$/;
const CLOSING_FLAG =
  /^(?:is(?:close|exit|flat)|close.|exit|reduceonly|flatten(?!first)|update(?:sl|tp)$)/;
const ANYWHERE =
  /\b(?:clos(?:e|ed|es|ing)|exit(?:s|ed)?|flat(?:ten(?:ed)?)?|cancel|reduce|cover)\b/i;
const NO_POSITION = /\bposition\s+(?:is|size is)\s+-?0(?:\.0*)?(?![\d.])/i;

/**
 * Whether a message that cannot be read may have asked for a way out. By its values: the name `close`
 * is a bar's price, and where a position stood before says nothing of where it is to go.
 */
export function holdsClosingWord(text: string): boolean {
  const pairs = [...text.matchAll(PAIR)];
  if (pairs.some(([, name = "", value = ""]) => asksToClose(name, value.trim()))) return true;
  // The comma form has its command before its pairs.
  if (NO_POSITION.test(text) || text.split(",", 3).some(isClosing)) return true;
  return pairs.length === 0 && ANYWHERE.test(text);
}

function asksToClose(name: string, value: string): boolean {
  const bare = name.toLowerCase().replaceAll(/[_.-]/g, "");
  if (bare.startsWith("prev")) return false;
  if (isClosing(value)) return true;
  if (bare.includes("position") && ZERO.test(value)) return true;
  return CLOSING_FLAG.test(bare) && YES.test(value.toLowerCase());
}

const isClosing = (value: string): boolean =>
  CLOSING.test(value.trim().toLowerCase()) || sideToClose(value) !== undefined;
