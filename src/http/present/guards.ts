import type { GuardPreset } from "../../domain/guards/preset.ts";
import { type GuardSettings, lots } from "../../domain/guards/rule.ts";
import { type Restriction, WITHOUT_END } from "../../domain/guards/schedule-rule.ts";
import type { GuardDecision, GuardLock, Verdict } from "../../domain/guards/verdict.ts";
import type { AccountId } from "../../domain/ids.ts";
import { type Minor, minor } from "../../domain/money.ts";
import type { GuardsView, GuardUses } from "../../trading/guards/guard-uses.ts";
import type { BrokerGuards, BrokerRule } from "../../trading/money/ports.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";
import { presentAmount, presentLots, presentRule } from "./guard-rule.ts";

/** An account's guards with all that is known of how near it is to them. */
export function presentGuards(accountId: AccountId, view: GuardsView) {
  const { settings, verdicts, upcoming, next, lock, blind, balance, broker, asOf } = view;
  const { currency } = settings;
  return {
    accountId,
    version: view.version,
    settings: presentSettings(settings),
    rules: settings.rules.map((rule) => {
      const verdict = verdicts.find(({ ruleId }) => ruleId === rule.id);
      const restriction = Object.hasOwn(upcoming, rule.id) ? upcoming[rule.id] : undefined;
      return {
        rule: presentRule(rule, currency),
        verdict: verdict === undefined ? null : presentVerdict(verdict, currency, asOf),
        upcoming: restriction === undefined ? null : presentRestriction(restriction),
      };
    }),
    next:
      next === undefined
        ? null
        : {
            settings: presentSettings(next.settings),
            rules: presentRules(next.settings),
            from: presentTime(next.from),
          },
    judgedAt: presentTimeOrNull(view.judgedAt),
    entriesRefused: view.entriesRefused ?? null,
    lock: lock === undefined ? null : presentLock(lock, currency),
    blind: blind === undefined ? null : { ...blind, since: presentTime(blind.since) },
    balance: presentMinor(balance, currency),
    tradingDay: view.tradingDay,
    dayEndsAt: presentTime(view.dayEndsAt),
    broker: broker === undefined ? null : presentBroker(broker, asOf),
    asOf: presentTime(asOf),
  };
}

const presentSettings = (settings: GuardSettings) => ({
  currency: settings.currency,
  warnPercent: settings.warnPercent,
  entriesOffPercent: settings.entriesOffPercent,
  bufferPercent: settings.bufferPercent,
  whenBlind: settings.whenBlind,
});

const presentRules = ({ rules, currency }: GuardSettings) =>
  rules.map((rule) => presentRule(rule, currency));

function presentVerdict(verdict: Verdict, currency: string, now: number) {
  const { unit, asOf } = verdict;
  const figure = (value: number | undefined) => presentFigure(value, unit, currency);
  return {
    level: verdict.level,
    shadow: verdict.isShadow,
    unit,
    figure: figure(verdict.figure),
    limit: figure(verdict.limit),
    room: figure(verdict.room),
    usedPercent: verdict.usedPercent ?? null,
    source: verdict.source,
    asOf: presentTime(asOf),
    ageMs: ageOf(asOf, now),
    resetsAt: presentTimeOrNull(verdict.resetsAt),
    reason: verdict.reason,
  };
}

const ageOf = (asOf: number, now: number): number => Math.max(0, now - asOf);

const presentMinor = (amount: Minor | undefined, currency: string): number | null =>
  amount === undefined ? null : presentAmount(amount, currency);

function presentFigure(
  value: number | undefined,
  unit: Verdict["unit"],
  currency: string,
): number | null {
  if (value === undefined) return null;
  switch (unit) {
    case "money":
      return Number.isSafeInteger(value) ? presentAmount(minor(value), currency) : null;
    case "lots":
      return Number.isSafeInteger(value) ? presentLots(lots(value)) : null;
    case "count":
    case "percent":
    case "none":
      return value;
  }
}

const presentRestriction = ({ forbids, since, until, reason }: Restriction) => ({
  forbids,
  from: presentTime(since),
  until: until >= WITHOUT_END ? null : presentTime(until),
  reason,
});

function presentLock(lock: GuardLock, currency: string) {
  const { figures } = lock;
  return {
    id: lock.id,
    ruleId: lock.ruleId ?? null,
    at: presentTime(lock.at),
    until: presentTimeOrNull(lock.until),
    lock: lock.lock,
    then: lock.then,
    reason: lock.reason,
    doneAt: presentTimeOrNull(lock.doneAt),
    figures:
      figures === undefined
        ? null
        : {
            unit: figures.unit,
            figure: presentFigure(figures.figure, figures.unit, currency),
            limit: presentFigure(figures.limit, figures.unit, currency),
            source: figures.source,
          },
  };
}

function presentBroker({ currency, at, rules, refusesEntries }: BrokerGuards, now: number) {
  return {
    currency,
    rules: rules.map((rule) => presentBrokerRule(rule, currency)),
    refusesEntries: refusesEntries ?? null,
    asOf: presentTime(at),
    ageMs: ageOf(at, now),
  };
}

const presentBrokerRule = (rule: BrokerRule, currency: string) => ({
  kind: rule.kind,
  grade: rule.grade,
  limit: presentMinor(rule.limit, currency),
  floor: presentMinor(rule.floor, currency),
  trails: rule.trails ?? null,
  flatAt: presentTimeOrNull(rule.flatAt),
  locked: rule.isLocked === true,
});

type HistoryPage = Awaited<ReturnType<GuardUses["readGuardHistory"]>>;

export const presentGuardHistory = ({ items, nextCursor }: HistoryPage) => ({
  decisions: items.map(presentDecision),
  nextCursor: nextCursor ?? null,
});

const presentDecision = ({ at, what, ruleId, reason, by }: GuardDecision) => ({
  at: presentTime(at),
  what,
  ruleId: ruleId ?? null,
  reason,
  by: by ?? null,
});

export function presentPresetName(preset: GuardPreset) {
  const { name, title, firm, accountSize, asOf, settings } = preset;
  return {
    name,
    title,
    firm,
    accountSize: presentMinor(accountSize, settings.currency),
    currency: settings.currency,
    asOf,
    caution: `Dated ${asOf}; check with your firm before you rely on it`,
  };
}

export function presentPreset(preset: GuardPreset) {
  const { sources, conflicts, notices, settings } = preset;
  return {
    ...presentPresetName(preset),
    sources,
    conflicts,
    notices,
    settings: presentSettings(settings),
    rules: presentRules(settings),
  };
}
