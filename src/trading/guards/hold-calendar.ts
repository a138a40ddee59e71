import { holdsUntil } from "../../domain/calendar/account-day.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import type { EconomicCalendar, EconomicEvent } from "../../domain/guards/economic-calendar.ts";
import { takenAway } from "../../domain/guards/taken-away.ts";
import type { UserId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { CalendarStore } from "./calendar-ports.ts";
import type { GuardStore } from "./guard-store.ts";

export interface HoldCalendarDeps {
  readonly calendars: CalendarStore;
  readonly accounts: Pick<AccountDirectory, "of" | "clocksOf">;
  readonly guardStore: Pick<GuardStore, "load">;
}

const MOST_TOLD = 20;

/**
 * Refuses a change of a calendar that would free a hard rule of an event before the next trading day, as
 * loosening the rule itself would. Throws `StoreError`.
 */
export function createHoldCalendar({ calendars, accounts, guardStore }: HoldCalendarDeps) {
  return async function requireFree(
    user: UserId,
    name: string,
    next: EconomicCalendar | undefined,
    now: number,
  ): Promise<void> {
    const former = await calendars.find(user, name);
    if (former === undefined) return;
    await askInParts(accounts.of(user), async ({ accountId }) => {
      const endsAt = holdsUntil(accounts.clocksOf(accountId), now);
      const stored = await guardStore.load(accountId);
      for (const rule of stored?.settings.rules ?? []) {
        if (rule.kind !== "news" || rule.calendar !== name) continue;
        if (rule.mode !== "on" || rule.lock !== "hard") continue;
        const gone = takenAway(rule, former, next, { from: now, to: endsAt });
        if (gone.length > 0) {
          const until = new Date(endsAt).toISOString();
          throw errors.calendarHeld(rule.id, accountId, until, gone.slice(0, MOST_TOLD).map(told));
        }
      }
    });
  };
}

const told = ({ startsAt, title }: EconomicEvent) => ({
  path: "body",
  message: `must have "${title}" at ${new Date(startsAt).toISOString()}`,
});
