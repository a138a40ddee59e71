import { fromLocal, toLocal } from "../../../domain/calendar/local-time.ts";

/** When a product trades, in the local time of its exchange. */
export interface SessionHours {
  readonly timeZone: string;
  /**
   * The parts of one trade day in their order, as "HH:MM". A part that opens at or after the hour
   * it closes at opens on the evening before its trade day, as futures do.
   */
  readonly parts: readonly { readonly opens: string; readonly closes: string }[];
  /** Trade days without a session, as "2026-12-25". */
  readonly closedOn?: ReadonlySet<string>;
  /** Whether Saturday and Sunday are trade days too. */
  readonly weekends?: boolean;
}

/** How the market stands at one instant, and until when that holds. */
export interface SessionState {
  readonly isOpen: boolean;
  /** When the market opens or closes next. */
  readonly changesAt: number;
  /** When the trade day ends that runs now or comes next: the end of a day order. */
  readonly endsAt: number;
}

/** Always open; a trade day ends at the hour at which United States futures end theirs. */
export const ROUND_THE_CLOCK: SessionHours = {
  timeZone: "America/New_York",
  parts: [{ opens: "17:00", closes: "17:00" }],
  weekends: true,
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Longer than any row of holidays. */
const SEARCH_DAYS = 30;

/** How the market with these hours stands at an instant. */
export function sessionState(hours: SessionHours, at: number): SessionState {
  const { timeZone } = hours;
  const local = toLocal(timeZone, at);
  const today = Math.floor(local / DAY_MS);
  for (let day = today; day < today + SEARCH_DAYS; day += 1) {
    if (!isTradeDay(hours, day)) continue;
    const parts = partsOf(hours, day);
    const endsAt = parts.at(-1)?.closes ?? 0;
    if (endsAt <= local) continue;

    const isOpen = parts.some(({ opens, closes }) => opens <= local && local < closes);
    const changes = parts.flatMap(({ opens, closes }) => [opens, closes]).filter((t) => t > local);
    return {
      isOpen,
      changesAt: fromLocal(timeZone, Math.min(...changes)),
      endsAt: fromLocal(timeZone, endsAt),
    };
  }
  return { isOpen: false, changesAt: at + DAY_MS, endsAt: at + SEARCH_DAYS * DAY_MS };
}

/** The same, remembered until it changes: time zones are slow to ask about. */
export function createSessionClock(): (hours: SessionHours, at: number) => SessionState {
  const known = new WeakMap<SessionHours, { since: number; state: SessionState }>();
  return (hours, at) => {
    const last = known.get(hours);
    if (last !== undefined && at >= last.since && at < last.state.changesAt) return last.state;
    const state = sessionState(hours, at);
    known.set(hours, { since: at, state });
    return state;
  };
}

function isTradeDay({ closedOn, weekends }: SessionHours, day: number): boolean {
  // Day 0 was a Thursday.
  const weekday = (day + 4) % 7;
  if (weekends !== true && (weekday === 0 || weekday === 6)) return false;
  return closedOn?.has(new Date(day * DAY_MS).toISOString().slice(0, 10)) !== true;
}

function partsOf({ parts }: SessionHours, day: number) {
  return parts.map(({ opens, closes }) => {
    const opensOn = minuteOf(opens) >= minuteOf(closes) ? day - 1 : day;
    return {
      opens: opensOn * DAY_MS + minuteOf(opens) * MINUTE_MS,
      closes: day * DAY_MS + minuteOf(closes) * MINUTE_MS,
    };
  });
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}
