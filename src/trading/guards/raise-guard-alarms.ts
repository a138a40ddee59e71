import { calendarStateOf } from "../../domain/guards/economic-calendar.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Alarms } from "../alarms/alarm.ts";
import { BLIND_TOLD_AFTER_MS, type GuardedAccount } from "./guarded-account.ts";
import type { CalendarsByName } from "./schedules.ts";

interface Seen {
  readonly id: AccountId;
  readonly account: GuardedAccount;
  readonly calendars: CalendarsByName | undefined;
}

/** After each look at an account: raises what needs a person, and clears what does not any more. */
export function raiseGuardAlarms(alarms: Alarms, seen: Seen): void {
  const { id: accountId, account } = seen;
  const { lock, blind, blindForMs } = account;
  if (lock === undefined) alarms.clear({ kind: "accountLocked", accountId });
  else {
    const { reason, until } = lock;
    const facts = { reason, ...(until !== undefined && { until }) };
    alarms.raise({ kind: "accountLocked", accountId, ...facts });
  }
  if (blind === undefined) alarms.clear({ kind: "guardBlind", accountId });
  else if ((blindForMs ?? 0) >= BLIND_TOLD_AFTER_MS) {
    alarms.raise({ kind: "guardBlind", accountId, reason: blind });
  }
  raiseCalendars(alarms, seen);
}

function raiseCalendars(alarms: Alarms, { id: accountId, account, calendars }: Seen): void {
  const { stored, facts } = account;
  for (const rule of stored.settings.rules) {
    if (rule.kind !== "news" || facts === undefined || calendars === undefined) continue;
    const { calendar: name, id, whenExpired } = rule;
    const calendar = calendars.get(name);
    if (calendar !== undefined && !calendarStateOf(calendar, facts.now).isExpired) {
      alarms.clear({ kind: "calendarExpired", accountId, calendar: name });
      continue;
    }
    const what = calendar === undefined ? "There is no calendar" : "Nothing is left in calendar";
    const effect = whenExpired === "refuse" ? "refuses entries" : "keeps nothing out";
    const reason = `${what} "${name}": rule "${id}" ${effect} until it is renewed`;
    alarms.raise({ kind: "calendarExpired", accountId, calendar: name, reason });
  }
}

/** Its rules may be others by now; those that still wait for a calendar raise it again. */
export function forgetCalendars(
  alarms: Alarms,
  { id: accountId, account }: Seen,
  how: "over" | "unseen" = "over",
): void {
  for (const rule of account.stored.settings.rules) {
    if (rule.kind !== "news") continue;
    alarms.clear({ kind: "calendarExpired", accountId, calendar: rule.calendar }, how);
  }
}

/** It is another process' to judge now, or nobody's. */
export function clearGuardAlarms(alarms: Alarms, accountId: AccountId): void {
  for (const kind of ["guardBlind", "accountLocked"] as const) {
    alarms.clear({ kind, accountId }, "unseen");
  }
}
