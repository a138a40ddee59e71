import { isTimeZone, TIME_OF_DAY } from "../domain/calendar/local-time.ts";
import { presentDay } from "../http/present/money.ts";
import { NO_ZONE } from "../http/requests/time-zone.ts";
import { createAccountDayUses } from "../trading/money/change-account-day.ts";
import {
  type Command,
  type CommandContext,
  required,
  table,
  toAccount,
  UsageError,
} from "./command-words.ts";

export const ACCOUNT_COMMANDS: Readonly<Record<string, Command>> = {
  "account day": dayOfAccount,
};

/** Prints by which clock the days of an account begin. Sets another clock first if both options are given. */
async function dayOfAccount(context: CommandContext): Promise<string> {
  const { store, options, positionals } = context;
  const account = toAccount(required(positionals[0], "the account"));
  const { userId } = store.user;
  await store.accounts.require(userId, account);
  const { begins, zone } = options;
  if (begins !== undefined || zone !== undefined) {
    await createAccountDayUses({ ...store, now: Date.now }).changeAccountDay({ userId }, account, {
      begins: toTimeOfDay(required(begins, "--begins")),
      zone: toZone(required(zone, "--zone")),
    });
  }
  const now = Date.now();
  const clocks = store.accounts.clocksOf(account);
  const { next, ...day } = presentDay(store.accounts.dayAt(account, now), clocks, now);
  return table(
    ["days begin", "zone", "from", "present day ends"],
    [
      [day.begins, day.zone, "-", day.endsAt],
      ...(next === null ? [] : [[next.begins, next.zone, next.from, "-"]]),
    ],
  );
}

function toTimeOfDay(text: string): string {
  if (new RegExp(TIME_OF_DAY).test(text)) return text;
  throw new UsageError(`--begins is a time of day such as 17:00, not "${text}"`);
}

function toZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new UsageError(`--zone ${NO_ZONE}`);
}
