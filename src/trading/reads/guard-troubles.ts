import type { AccountId } from "../../domain/ids.ts";
import { needOf } from "../alarms/declared-alarms.ts";
import type { GuardAlarm } from "../alarms/guard-alarms.ts";
import type { Trouble } from "./overview.ts";

/** What a guard has come to, in words for the account's owner. */
export function guardTrouble(alarm: GuardAlarm, nameOf: (account: AccountId) => string): Trouble {
  return {
    kind: "guard",
    accountId: alarm.accountId,
    message: `${nameOf(alarm.accountId)}${inWords(alarm)}`,
    ...needOf(alarm.kind),
    ...(alarm.kind === "calendarExpired" && { about: alarm.calendar }),
  };
}

const ONLY_EXITS = "Entries are refused, exits pass";

function inWords(alarm: GuardAlarm): string {
  const { reason } = alarm;
  switch (alarm.kind) {
    case "guardBlind":
      return `: its guards cannot see what it is worth while it holds something (${reason}). ${ONLY_EXITS}`;
    case "guardNotFlat":
      return `: a guard closes it, and it is not flat and empty yet (${reason})`;
    case "accountLocked":
      return ` is locked ${untilWhen(alarm.until)}: ${reason}. ${ONLY_EXITS}`;
    case "guardsUnjudged":
      return `: its guards cannot be judged (${reason}). ${ONLY_EXITS}`;
    case "calendarExpired":
      return `: a guard waits for news of the calendar "${alarm.calendar}", which has none any more (${reason})`;
  }
}

const untilWhen = (until: number | undefined): string =>
  until === undefined ? "until a person ends it" : `until ${new Date(until).toISOString()}`;
