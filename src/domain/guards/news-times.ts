import { calledRoot, type ContractCode, isNameless } from "../contracts/contract.ts";
import { clockText, durationText } from "./clock-times.ts";
import {
  calendarStateOf,
  type EconomicCalendar,
  type EconomicEvent,
  firstAtOrAfter,
  MOST_EVENT_MS,
} from "./economic-calendar.ts";
import { concerns, type ScheduleDeps, type Span } from "./schedule-deps.ts";
import { type NewsRule, type Restriction, WITHOUT_END } from "./schedule-rule.ts";

const DAY_MS = 86_400_000;

/** What news forbid in a stretch; and entries, where nothing is known of news any more. */
export function newsTimes(
  rule: NewsRule,
  contract: ContractCode,
  span: Span,
  deps: ScheduleDeps,
): Restriction[] {
  if (!concerns(rule.roots, contract)) return [];
  const calendar = deps.calendars.get(rule.calendar);
  const around = calendar === undefined ? [] : aroundEvents(rule, contract, span, calendar);
  return [...around, ...withoutNews(rule, calendar)].filter(
    ({ since, until }) => since <= span.to && span.from < until,
  );
}

function aroundEvents(
  rule: NewsRule,
  contract: ContractCode,
  { from, to }: Span,
  { events }: EconomicCalendar,
): Restriction[] {
  const [before, after] = [rule.beforeSeconds * 1000, rule.afterSeconds * 1000];
  // A day more on both sides: events in a row make one restriction.
  const early = from - after - DAY_MS;
  const first = firstAtOrAfter(events, early - MOST_EVENT_MS);
  const last = firstAtOrAfter(events, to + before + DAY_MS);
  const found: Restriction[] = [];
  for (const event of events.slice(first, last)) {
    const isOver = (event.endsAt ?? event.startsAt) < early;
    if (isOver || !fits(rule, event, contract)) continue;
    const since = event.startsAt - before;
    const until = (event.endsAt ?? event.startsAt) + after;
    const previous = found.at(-1);
    if (since >= until) continue;
    if (previous === undefined || previous.until < since) {
      found.push({ forbids: rule.forbids, since, until, reason: reasonOf(rule, event) });
    } else if (previous.until < until) {
      const reason = `${previous.reason}; ${event.title}`.slice(0, 300);
      found[found.length - 1] = { ...previous, until, reason };
    }
  }
  return found;
}

const fits = (rule: NewsRule, event: EconomicEvent, contract: ContractCode): boolean =>
  isAbout(rule, event) &&
  (event.products === undefined ||
    isNameless(contract) ||
    event.products.includes(calledRoot(contract)));

/** Of whichever product. */
export function isAbout(rule: NewsRule, { title, impact, currency }: EconomicEvent): boolean {
  const { titles, impacts, currencies } = rule;
  const lower = title.toLowerCase();
  return (
    (titles === undefined || titles.some((part) => lower.includes(part.toLowerCase()))) &&
    (impacts === undefined || impact === undefined || impacts.includes(impact)) &&
    (currencies === undefined || currency === undefined || currencies.includes(currency))
  );
}

function reasonOf({ beforeSeconds, afterSeconds }: NewsRule, event: EconomicEvent): string {
  const at = `${clockText("UTC", event.startsAt)} UTC`;
  const around = `${durationText(beforeSeconds)} before to ${durationText(afterSeconds)} after`;
  return `news: ${event.title} at ${at}, ${around}`;
}

/** A calendar that is not there is like one that has ended. */
function withoutNews(
  { whenExpired, calendar: name }: NewsRule,
  calendar: EconomicCalendar | undefined,
): Restriction[] {
  if (whenExpired === "tell") return [];
  const since = calendar === undefined ? 0 : calendarStateOf(calendar, 0).expiresAt;
  const ended = since === 0 ? "has no events" : `ended ${clockText("UTC", since)} UTC`;
  const state = calendar === undefined ? "is not there" : ended;
  const reason = `news are not known: the calendar "${name}" ${state}`;
  return [{ forbids: "entries", since, until: WITHOUT_END, reason }];
}
