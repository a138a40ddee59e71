import { amountText, countText } from "../../parts/figure-text.ts";
import type { Rule, RuleKind, RuleOf, Settings, Weekday } from "./types.ts";

type Words<Kind extends RuleKind> = (rule: RuleOf<Kind>, currency: string) => string;

const periodWord = (period: "day" | "week"): string => (period === "day" ? "Daily" : "Weekly");

/** What a kind is called in the form, and what it is for. */
export const KINDS: Readonly<Record<RuleKind, readonly [name: string, hint: string]>> = {
  loss: ["Loss limit", "What may be lost on a trading day or in a week, after fees."],
  profit: ["Profit target", "Enough is won for a trading day or a week: nothing more is let in."],
  drawdown: ["Drawdown", "How far the account may fall below its peak."],
  lots: ["Lots", "The most lots over all contracts, resting orders included."],
  orderValue: ["Order value", "The most that one order may be worth."],
  opposite: ["No opposite positions", "No account of yours is long while another one is short."],
  count: ["Number of trades", "So many trades, fills or losses on a trading day, and no more."],
  consistency: ["Consistency", "The best day's share of all that was won. It is only told."],
  window: ["Trading hours", "Entries pass at these hours, and at no other time."],
  flatBy: ["Flat by a time", "Everything is closed by a time of day."],
  flatBeforeClose: ["Flat before the close", "Everything is closed before the market closes."],
  flatBeforeRoll: ["Flat before the roll", "Out of a contract some business days before it ends."],
  news: ["News", "Around the events of a calendar that you have given."],
};

const NAMES: { readonly [Kind in RuleKind]: Words<Kind> } = {
  loss: ({ limit, period }, currency) =>
    `${periodWord(period)} loss of ${amountText(limit, currency)}`,
  profit: ({ limit, period }, currency) =>
    `${periodWord(period)} profit of ${amountText(limit, currency)}`,
  drawdown: ({ size }, currency) => `Drawdown of ${amountText(size, currency)}`,
  lots: ({ max }) => `At most ${countText(max, "lot")}`,
  orderValue: ({ max }, currency) => `Orders worth at most ${amountText(max, currency)}`,
  opposite: ({ groups }) =>
    `No opposite positions in ${groups.map((roots) => roots.join("/")).join(", ")}`,
  count: ({ max, of }) => COUNTED[of](max),
  consistency: ({ percent }) => `Best day at most ${percent} % of all profit`,
  window: ({ windows }) =>
    windows.length === 1
      ? `Entries only ${windows.map(({ from, to }) => `${from} to ${to}`).join()}`
      : `Entries only in ${windows.length} windows`,
  flatBy: ({ time, zone }) => `Flat by ${time} (${zone})`,
  flatBeforeClose: ({ before }) => CLOSES[before],
  flatBeforeRoll: ({ businessDays, of }) =>
    `Out ${countText(businessDays, "business day")} before the ${of === "roll" ? "roll" : "last trading day"}`,
  news: ({ calendar }) => `News of ${calendar}`,
};

const COUNTED = {
  trades: (max: number) => `At most ${countText(max, "trade")} a day`,
  executions: (max: number) => `At most ${countText(max, "fill")} a day`,
  lossesInRow: (max: number) => `At most ${countText(max, "loss", "losses")} in a row`,
};

const CLOSES = {
  day: "Flat before each close",
  week: "Flat before the weekend",
  holiday: "Flat before holidays",
};

/** What a rule asks for, in one line. */
export const nameOf = (rule: Rule, currency: string): string =>
  (NAMES[rule.kind] as Words<RuleKind>)(rule, currency);

/** The rule that something is told of; by its id alone where it is gone by now. */
export function nameOfId(id: string, rules: readonly Rule[], currency: string): string {
  const rule = rules.find((one) => one.id === id);
  return rule === undefined ? id : nameOf(rule, currency);
}

export const THEN_WORDS = {
  flatten: "everything is closed and the account is locked",
  exitsOnly: "the account is locked: only exits pass",
} as const;

export const FORBIDS_WORDS = {
  entries: "no entries",
  orders: "no entries, and none may rest",
  positions: "no positions",
} as const;

export const BLIND_WORDS: Readonly<Record<Settings["whenBlind"]["then"], string>> = {
  alarm: "only tell it",
  flattenUnprotected: "close what has no stop-loss",
  flatten: "close everything and lock the account",
};

export const LOCK_WORDS = {
  soft: "soft: you can end the lock early",
  hard: "hard: nobody can end the lock early",
} as const;

const DAY_WORDS: Readonly<Record<Weekday, string>> = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun",
};

export const WEEKDAYS = Object.entries(DAY_WORDS) as readonly (readonly [Weekday, string])[];

const daysText = (days: readonly Weekday[]): string => days.map((day) => DAY_WORDS[day]).join(", ");

type Details = (rule: Rule, currency: string) => readonly (string | false | undefined)[];

/** The terms of a rule that its name does not say. */
export function detailsOf(rule: Rule, currency: string): readonly string[] {
  const own = (DETAILS[rule.kind] as Details)(rule, currency);
  return own.filter((text): text is string => typeof text === "string" && text !== "");
}

const onlyRoots = (roots: readonly string[] | undefined) =>
  roots !== undefined && `only ${roots.join(", ")}`;

/** "90 s", "2 min". */
export function secondsText(seconds: number): string {
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

const DETAILS: {
  readonly [Kind in RuleKind]: (
    rule: RuleOf<Kind>,
    currency: string,
  ) => readonly (string | false | undefined)[];
} = {
  loss: (rule) => pnlDetails(rule),
  profit: (rule) => pnlDetails(rule),
  drawdown: ({ locksAt, peak, start, then, trails }, currency) => [
    trails === "live" ? "from the live peak" : "from the best end of a day",
    `began with ${amountText(start, currency)}`,
    peak !== undefined && `peak ${amountText(peak, currency)}`,
    locksAt !== undefined && `the floor stops at ${amountText(locksAt, currency)}`,
    `at it ${THEN_WORDS[then]}`,
  ],
  lots: ({ ladder, weights }, currency) => [
    Object.entries(weights)
      .map(([root, weight]) => `${root} counts ${weight}`)
      .join(", "),
    ladder?.steps
      .map(({ above, max }) => `${countText(max, "lot")} above ${amountText(above, currency)}`)
      .join(", "),
  ],
  orderValue: () => [],
  opposite: () => ["over all accounts of yours"],
  count: () => ["then no entry until the next trading day"],
  consistency: () => ["only told"],
  window: ({ windows, zone }) => [
    ...windows.map(({ days, from, to }) => `${daysText(days)} ${from} to ${to}`),
    zone,
  ],
  flatBy: ({ days, entriesOffMinutes, flattenSeconds, resumes, roots }) => [
    days !== undefined && daysText(days),
    onlyRoots(roots),
    `entries off ${entriesOffMinutes} min before`,
    `closed ${secondsText(flattenSeconds)} before`,
    resumes !== undefined && `again from ${resumes}`,
  ],
  flatBeforeClose: ({ entriesOffMinutes, roots, seconds }) => [
    onlyRoots(roots),
    `entries off ${entriesOffMinutes} min before`,
    `closed ${secondsText(seconds)} before`,
  ],
  flatBeforeRoll: () => [],
  news: (rule) => [
    `${FORBIDS_WORDS[rule.forbids]} from ${secondsText(rule.beforeSeconds)} before to ${secondsText(rule.afterSeconds)} after`,
    rule.titles?.join(", "),
    rule.impacts !== undefined && `impact ${rule.impacts.join(", ")}`,
    rule.currencies?.join(", "),
    onlyRoots(rule.roots),
    rule.whenExpired === "refuse" && "without a calendar no entries",
  ],
};

const pnlDetails = ({ counts, then, together }: RuleOf<"loss" | "profit">) => [
  counts === "open" ? "open positions count" : "only what was closed counts",
  `at it ${THEN_WORDS[then]}`,
  together !== undefined && `together with ${together.join(", ")}`,
];
