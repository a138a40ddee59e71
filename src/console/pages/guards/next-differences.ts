import { detailsOf, nameOf } from "./rule-words.ts";
import type { Guards, Rule } from "./types.ts";

const wordsOf = (rule: Rule, currency: string): string =>
  [
    nameOf(rule, currency),
    ...detailsOf(rule, currency),
    ...(rule.mode === "shadow" ? ["shadow: only tells"] : []),
    rule.lock,
  ].join("; ");

/** What will be otherwise, in words. */
export function differences({ next, rules, settings }: Guards): readonly string[] {
  if (next === null) return [];
  const { currency } = settings;
  const changed = rules.flatMap(({ rule }) => {
    const later = next.rules.find(({ id }) => id === rule.id);
    if (later === undefined) return [`${nameOf(rule, currency)}: removed`];
    const [was, is] = [wordsOf(rule, currency), wordsOf(later, next.settings.currency)];
    return was === is ? [] : [`${nameOf(rule, currency)} becomes: ${is}`];
  });
  const added = next.rules
    .filter(({ id }) => !rules.some(({ rule }) => rule.id === id))
    .map((rule) => `New: ${wordsOf(rule, next.settings.currency)}`);
  return [...changed, ...added, ...settingDifferences(settings, next.settings)];
}

type Settings = Guards["settings"];

const SETTINGS = [
  ["currency", "Currency"],
  ["warnPercent", "Told from, percent"],
  ["entriesOffPercent", "Entries off from, percent"],
  ["bufferPercent", "Buffer, percent"],
] as const;

function settingDifferences(was: Settings, is: Settings): readonly string[] {
  const plain = SETTINGS.filter(([name]) => was[name] !== is[name]).map(
    ([name, words]) => `${words}: ${is[name]} instead of ${was[name]}`,
  );
  const isBlindSame =
    was.whenBlind.then === is.whenBlind.then &&
    was.whenBlind.afterSeconds === is.whenBlind.afterSeconds;
  return isBlindSame ? plain : [...plain, "What is done while figures are missing"];
}
