import { daysAround, instantOn, msOfDay, weekdayName } from "./clock-times.ts";
import type { Span } from "./schedule-deps.ts";
import {
  type EntryWindow,
  type Restriction,
  WITHOUT_END,
  type WindowRule,
} from "./schedule-rule.ts";

/** Windows come again each week: so many days around hold at least one of each. */
const MARGIN_DAYS = 9;

/** The times outside the windows that meet a stretch. */
export function outsideWindows(rule: WindowRule, span: Span): Restriction[] {
  const shut: Restriction[] = [];
  const reason = `entries only ${rule.windows.map(windowText).join(", ") || "never"} (${rule.zone})`;
  let since = 0;
  for (const { from, until } of openTimes(rule, span)) {
    if (from > since) shut.push({ forbids: "entries", since, until: from, reason });
    since = Math.max(since, until);
  }
  shut.push({ forbids: "entries", since, until: WITHOUT_END, reason });
  return shut.filter(({ since: begun, until }) => begun <= span.to && span.from < until);
}

function openTimes(
  { zone, windows }: WindowRule,
  span: Span,
): { readonly from: number; readonly until: number }[] {
  return daysAround(zone, span, MARGIN_DAYS)
    .flatMap((day) =>
      windows
        .filter(({ days }) => days.includes(weekdayName(day)))
        .map(({ from, to }) => ({
          from: instantOn(zone, day, from),
          until: instantOn(zone, msOfDay(to) > msOfDay(from) ? day : day + 1, to),
        })),
    )
    .filter(({ from, until }) => from < until)
    .sort((a, b) => a.from - b.from);
}

const windowText = ({ days, from, to }: EntryWindow) => `${days.join(" ")} ${from}–${to}`;
