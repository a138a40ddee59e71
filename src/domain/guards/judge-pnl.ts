import type { AccountId } from "../ids.ts";
import type { Minor } from "../money.ts";
import type { GuardFacts, OtherFigures, Uncounted } from "./guard-facts.ts";
import type { GuardSettings, PnlRule } from "./rule.ts";
import { netByBroker } from "./brokers-word.ts";
import { closedToday, uncountedSince } from "./roll-day.ts";
import { type Found, levelWithStops, say, type Sight, unknown, withUncounted } from "./sight.ts";

interface Sum {
  /** What is compared with the limit. */
  readonly net: number;
  /** The same once every resting stop has been hit. */
  readonly atStops: number | undefined;
  readonly source: "gateway" | "broker";
}

/** What an account has lost, or won, on its trading day or in its week. */
export function judgePnl(
  rule: PnlRule,
  settings: GuardSettings,
  facts: GuardFacts,
  sight: Sight,
): Found {
  const resetsAt = rule.period === "day" ? facts.dayEndsAt : facts.weekEndsAt;
  const found = sumOf(rule, facts, sight);
  const uncounted = uncountedBy(rule, facts);
  if (typeof found === "string") {
    return withUncounted(unknown("money", found, resetsAt), uncounted);
  }
  const { limit, byBroker } = limitOf(rule, facts);
  const used = rule.kind === "loss" ? -found.net : found.net;
  const source = byBroker ? "broker" : found.source;
  // What is won is not guarded by a buffer, nor by keeping entries off: only by what it is to be.
  const grades = rule.kind === "loss" ? settings : ONLY_AT_LIMIT(settings);
  const atStops = rule.kind === "loss" && found.atStops !== undefined ? -found.atStops : undefined;
  const level = levelWithStops(used, atStops, limit, grades);
  const room = limit - Math.max(used, atStops ?? used);
  const of = rule.period === "day" ? "trading day" : "week";
  const what = rule.counts === "open" ? "net, open positions included" : "net of what was closed";
  const judged: Found = {
    level,
    unit: "money",
    figure: found.net,
    limit: rule.kind === "loss" ? 0 - limit : limit,
    room,
    usedPercent: Math.max(0, Math.floor((used * 100) / limit)),
    source,
    resetsAt,
    reason: `The ${of} has brought ${say(found.net, settings)} (${what}); the ${rule.kind === "loss" ? "loss" : "profit"} limit is ${say(limit, settings)}, room ${say(room, settings)}`,
  };
  return withUncounted(judged, uncounted);
}

function uncountedBy({ counts, period }: PnlRule, facts: GuardFacts): Uncounted | undefined {
  if (counts === "open" && facts.openUncounted !== undefined) return facts.openUncounted;
  return uncountedSince(facts, period === "day" ? facts.tradingDay : facts.weekBegan);
}

const ONLY_AT_LIMIT = (settings: GuardSettings) => ({
  ...settings,
  bufferPercent: 0,
  entriesOffPercent: 100,
});

/** In words where it cannot be known. */
function sumOf(rule: PnlRule, facts: GuardFacts, sight: Sight): Sum | string {
  if (facts.doubt !== undefined) return facts.doubt;
  const began = rule.period === "day" ? facts.tradingDay : facts.weekBegan;
  if (facts.daysSince > began) {
    return `What was closed is known since ${facts.daysSince}; the ${rule.period} began on ${began}`;
  }
  const own = ownSum(rule, facts, sight);
  if (typeof own === "string") return own;
  let { net, atStops } = own;
  const unknownId = rule.together?.find((id) => facts.others.get(id) === undefined);
  if (unknownId !== undefined) return `What account ${unknownId} has won is not known`;
  for (const [id, other] of addedBy(rule, facts)) {
    const { open, areOtherDays } = other;
    if (areOtherDays === true) {
      return `The days of account ${id} begin at another time: give both accounts the same day`;
    }
    const closed = rule.period === "day" ? other.today : other.week;
    if (closed === undefined) return `The result of account ${id} cannot be counted`;
    if (rule.counts === "open" && (open === undefined || !sight.isFresh(other.pricedAt))) {
      return `What the open positions of account ${id} have won is not known now`;
    }
    const theirs = closed + (rule.counts === "open" ? (open ?? 0) : 0);
    net += theirs;
    if (atStops !== undefined) atStops += theirs;
  }
  return { net, atStops, source: own.source };
}

/** The other accounts that a rule adds, each once however often, and by whichever login, it is named. */
export function addedBy(
  { together = [] }: Pick<PnlRule, "together">,
  { others }: Pick<GuardFacts, "others">,
): readonly (readonly [AccountId, OtherFigures])[] {
  const found = new Map<string, readonly [AccountId, OtherFigures]>();
  for (const id of together) {
    const other = others.get(id);
    if (other === undefined || other === "itself" || found.has(other.identity)) continue;
    found.set(other.identity, [id, other]);
  }
  return [...found.values()];
}

/** By the ledger and by the broker's word, by the worse of the two. */
function ownSum(rule: PnlRule, facts: GuardFacts, sight: Sight): Sum | string {
  const { open } = facts;
  const closed = closedToday(facts);
  const before = rule.period === "day" ? 0 : earlierInWeek(facts);
  const countsOpen = rule.counts === "open";
  const ownOpen = countsOpen ? (sight.own ? open : undefined) : 0;
  const ownNet = ownOpen === undefined ? undefined : before + closed + ownOpen;
  const theirs = netByBroker(rule, facts, sight, { closed, open: ownOpen });
  const brokerSum = theirs === undefined ? undefined : before + theirs;
  // What a stop brings is closed then, also for a rule that counts only that. No price is needed for it.
  const atStops = facts.isOpen ? facts.atStops : undefined;
  const stopped = atStops === undefined ? undefined : before + closed + atStops;
  if (ownNet === undefined && brokerSum === undefined) return NOT_KNOWN;
  const isWorse = (one: number, other: number) =>
    rule.kind === "loss" ? one < other : one > other;
  const isByBroker =
    ownNet === undefined || (brokerSum !== undefined && isWorse(brokerSum, ownNet));
  return isByBroker
    ? { net: brokerSum ?? 0, atStops: stopped, source: "broker" }
    : { net: ownNet, atStops: stopped, source: "gateway" };
}

const earlierInWeek = ({ days, weekBegan, tradingDay }: GuardFacts): number =>
  days
    .filter(({ day }) => day >= weekBegan && day < tradingDay)
    .reduce((all, { net }) => all + net, 0);

/** The broker's own limit counts where it is the stricter one. It is one account's, and never 0. */
function limitOf(rule: PnlRule, facts: GuardFacts) {
  const { kind, period, limit } = rule;
  const { broker } = facts;
  const told: Minor | undefined = period === "day" ? broker?.dailyLoss : broker?.weeklyLoss;
  const isOfIt =
    kind === "loss" && addedBy(rule, facts).length === 0 && told !== undefined && told > 0;
  return isOfIt && told < limit ? { limit: told, byBroker: true } : { limit, byBroker: false };
}

const NOT_KNOWN =
  "What the open positions have won or lost is not known: their prices, and the broker's figure, are missing or older than 10 s";
