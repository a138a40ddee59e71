import { addDays, type CivilDay, weekdayOf } from "../calendar/civil-day.ts";
import type { ProductSessions, Session } from "../calendar/session-close.ts";
import type { ContractCode } from "../contracts/contract.ts";
import {
  clockText,
  daysAround,
  durationText,
  instantOn,
  msOfDay,
  weekdayName,
} from "./clock-times.ts";
import { concerns, type ScheduleDeps, sessionsFor, type Span } from "./schedule-deps.ts";
import type { FlatBeforeCloseRule, FlatByRule, Restriction } from "./schedule-rule.ts";

/** Longer than any row of days without a session, weekends included. */
const MARGIN_DAYS = 7;

/** A time by which an account is flat, and until when it stays so. */
interface FlatTime {
  readonly by: number;
  readonly until: number;
  readonly entriesOffMinutes: number;
  readonly flattenSeconds: number;
  /** Begin its reasons, for example "flat by 15:10 (America/Chicago)". */
  readonly words: () => string;
}

/** What "flat by" a time of day forbids in a stretch. */
export function flatByTimes(
  rule: FlatByRule,
  contract: ContractCode,
  span: Span,
  deps: ScheduleDeps,
): Restriction[] {
  if (!concerns(rule.roots, contract)) return [];
  const { zone, time, days } = rule;
  const sessions = sessionsFor(contract, deps);
  const flats = daysAround(zone, span, MARGIN_DAYS)
    .filter((day) => days === undefined || days.includes(weekdayName(day)))
    .map((day): FlatTime => {
      const asked = instantOn(zone, day, time);
      const by = lastTradeBy(sessions, asked, rule.flattenSeconds);
      const words = () => {
        const moved = by === asked ? "" : `, and trading ends ${clockText(zone, by)} before it`;
        return `flat by ${time} (${zone})${moved}${guessText(sessions)}`;
      };
      const { entriesOffMinutes, flattenSeconds } = rule;
      const until = resumesAfter(rule, { day, asked }, sessions);
      return { by, until, entriesOffMinutes, flattenSeconds, words };
    });
  return withoutInner(flats).flatMap((flat) => restrictionsOf(flat, span));
}

/** On a day without trading, nothing new is asked for: what was closed before the weekend stays so. */
function withoutInner(flats: readonly FlatTime[]): FlatTime[] {
  const kept: FlatTime[] = [];
  for (const flat of flats) {
    const last = kept.at(-1);
    if (last === undefined || flat.by < last.by || flat.until > last.until) kept.push(flat);
  }
  return kept;
}

/**
 * The instant itself where the product trades until then, from the time on at which positions are
 * closed; else the last one until which it does.
 */
function lastTradeBy(sessions: ProductSessions, instant: number, leadSeconds: number): number {
  for (const before of [instant - 1, instant - leadSeconds * 1000]) {
    const state = sessions.at(before);
    if (state.kind === "closed") return state.since;
    const pause = state.session.pauses.find(({ from, until }) => from <= before && before < until);
    if (pause !== undefined) return pause.from;
  }
  return instant;
}

/** Never in the middle of a time in which the product is closed: nothing can be held anew there. */
function resumesAfter(
  { zone, time, resumes }: FlatByRule,
  { day, asked }: { readonly day: CivilDay; readonly asked: number },
  sessions: ProductSessions,
): number {
  if (resumes === undefined) {
    const state = sessions.at(asked - 1);
    return state.kind === "closed" ? state.until : sessions.next(state.session).opensAt;
  }
  const on = msOfDay(resumes) > msOfDay(time) ? day : addDays(day, 1);
  const instant = instantOn(zone, on, resumes);
  const state = sessions.at(instant);
  return state.kind === "closed" ? state.until : instant;
}

/** What "flat before the close" forbids in a stretch. */
export function flatBeforeCloseTimes(
  rule: FlatBeforeCloseRule,
  contract: ContractCode,
  span: Span,
  deps: ScheduleDeps,
): Restriction[] {
  if (!concerns(rule.roots, contract)) return [];
  const sessions = sessionsFor(contract, deps);
  const { timeZone } = sessions;
  return daysAround(timeZone, span, MARGIN_DAYS)
    .map((day) => sessions.onDay(day))
    .filter((session) => session !== undefined)
    .filter((session) => isMeant(rule, session, sessions))
    .flatMap((session) => {
      const { closesAt: by, isEarly } = session;
      const words = () => {
        const close = `${isEarly ? "early close" : "close"} at ${clockText(timeZone, by)}`;
        return `flat before the ${close} (${timeZone})${guessText(sessions)}`;
      };
      const { entriesOffMinutes, seconds: flattenSeconds } = rule;
      const until = sessions.next(session).opensAt;
      return restrictionsOf({ by, until, entriesOffMinutes, flattenSeconds, words }, span);
    });
}

function isMeant(
  { before }: FlatBeforeCloseRule,
  session: Session,
  sessions: ProductSessions,
): boolean {
  switch (before) {
    case "day":
      return true;
    case "week":
      return weekOf(sessions.next(session).day) !== weekOf(session.day);
    case "holiday": {
      let next = addDays(session.day, 1);
      while (weekdayOf(next) > 5) next = addDays(next, 1);
      return sessions.onDay(next)?.isEarly ?? true;
    }
  }
}

/** Weeks begin on Mondays; day 0 was a Thursday. */
const weekOf = (day: CivilDay): number => Math.floor((day + 3) / 7);

/** Those of a time that meet a stretch. */
function restrictionsOf(flat: FlatTime, span: Span): Restriction[] {
  const { by, until, entriesOffMinutes, flattenSeconds, words } = flat;
  const flattenAt = by - flattenSeconds * 1000;
  const entriesOffAt = Math.min(flattenAt, by - entriesOffMinutes * 60_000);
  const found: Restriction[] = [];
  if (until <= span.from) return found;
  if (entriesOffAt <= span.to) {
    const early = durationText((by - entriesOffAt) / 1000);
    const reason = `${words()}: entries end ${early} before`;
    found.push({ forbids: "entries", since: entriesOffAt, until, reason });
  }
  if (flattenAt <= span.to) {
    const reason = `${words()}: positions are closed ${durationText(flattenSeconds)} before`;
    found.push({ forbids: "positions", since: flattenAt, until, reason });
  }
  return found;
}

const guessText = ({ areGuessed }: ProductSessions): string =>
  areGuessed ? ", by the hours of CME Globex, since the product's own are not known" : "";
