import { Gauge, Histogram, type Registry } from "prom-client";
import type { RuleKind } from "../domain/guards/rule.ts";
import type { Verdict } from "../domain/guards/verdict.ts";
import type { GuardAlarm, GuardStateKind } from "../trading/alarms/guard-alarms.ts";
import type { GuardFigures } from "../trading/guards/guard-observer.ts";
import { GUARD_DECISIONS } from "./label-values.ts";
import { countedBy, readOnScrape } from "./register-metric.ts";

const JUDGE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const FLATTEN_SECONDS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 30, 60, 300];
const UNGUARDED: GuardFigures = { guarded: 0, verdicts: [] };

/** Everything that is counted and measured of guards. */
export function guardMetrics(registry: Registry) {
  const registers = [registry];
  const judging = new Histogram({
    name: "gateway_guard_judge_seconds",
    help: "Time that one look at an account's guards took, with whatever had to be read for it",
    buckets: JUDGE_SECONDS,
    registers,
  });
  const flattening = new Histogram({
    name: "gateway_guard_flatten_seconds",
    help: "Time from the lock of an account that a guard closes until it was flat and empty",
    buckets: FLATTEN_SECONDS,
    registers,
  });
  let read = () => UNGUARDED;
  readOnScrape(registry, () => read().guarded, {
    name: "gateway_guarded_accounts",
    help: "Accounts with guards that this process judges",
  });
  new Gauge({
    name: "gateway_guard_room_ratio",
    help: "Of the account that is nearest to its limit, by the kind of rule: the share of the limit that is left",
    labelNames: ["rule"] as const,
    registers,
    collect() {
      this.reset();
      for (const [rule, ratio] of leastRoom(read().verdicts)) this.set({ rule }, ratio);
    },
  });
  return {
    guardDecided: countedBy(registry, "what", GUARD_DECISIONS, {
      name: "gateway_guard_decisions_total",
      help: "What guards have decided, or would have in shadow mode",
    }),
    guardJudgedSeconds: (seconds: number) => judging.observe(seconds),
    guardFlattenedSeconds: (seconds: number) => flattening.observe(seconds),
    guardFiguresFrom: (from: () => GuardFigures) => void (read = from),
  };
}

/** The states that guards have brought accounts into, as this process has raised them: read on scrape. */
export function registerGuardAlarms(registry: Registry, alarms: () => readonly GuardAlarm[]): void {
  const standing = (state: GuardStateKind) => () =>
    alarms().filter(({ kind }) => kind === state).length;
  readOnScrape(registry, standing("accountLocked"), {
    name: "gateway_locked_accounts",
    help: "Accounts that take no entries, because a guard or a person has locked them",
  });
  readOnScrape(registry, standing("guardBlind"), {
    name: "gateway_guard_blind_accounts",
    help: "Accounts with guards that hold something while their figures are missing or old",
  });
  readOnScrape(registry, standing("guardNotFlat"), {
    name: "gateway_guard_not_flat_accounts",
    help: "Accounts that a guard closes and that are not flat and empty after 10 s",
  });
  readOnScrape(registry, standing("guardsUnjudged"), {
    name: "gateway_guards_unjudged_accounts",
    help: "Accounts whose guards could not be judged for longer than 10 s: no entry passes",
  });
  readOnScrape(registry, standing("calendarExpired"), {
    name: "gateway_guard_calendars_expired",
    help: "Calendars without events to come, once for each account whose guards wait for them",
  });
}

/** What only shadows is left out: it stops nothing. */
function leastRoom(verdicts: Iterable<Verdict>): ReadonlyMap<RuleKind, number> {
  const least = new Map<RuleKind, number>();
  for (const { kind, isShadow, usedPercent } of verdicts) {
    if (isShadow || usedPercent === undefined) continue;
    const ratio = Math.max(0, 1 - usedPercent / 100);
    least.set(kind, Math.min(ratio, least.get(kind) ?? Infinity));
  }
  return least;
}
