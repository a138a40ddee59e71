import { changeClock, type DayClocks, type DayStart } from "../../domain/calendar/account-day.ts";
import type { AccountId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { Caller } from "../people/caller.ts";

/** The stored clocks of accounts. All of it throws `StoreError`. */
export interface AccountClocks {
  /** Answers whether they were written: not where others are kept by now than were read. */
  readonly change: (
    account: AccountId,
    former: DayClocks | undefined,
    next: DayClocks,
  ) => Promise<boolean>;
}

export interface AccountDayUses {
  /** By which clock the days of an account begin, from the end of the present day on or later. */
  readonly changeAccountDay: (
    caller: Pick<Caller, "userId">,
    account: AccountId,
    start: DayStart,
  ) => Promise<void>;
}

export interface ChangeAccountDayDeps {
  readonly accounts: Pick<AccountDirectory, "load" | "require">;
  readonly clocks: AccountClocks;
  readonly now: () => number;
}

const TRIES = 4;

export function createAccountDayUses({
  accounts,
  clocks,
  now,
}: ChangeAccountDayDeps): AccountDayUses {
  return {
    changeAccountDay: async ({ userId }, id, start) => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        await accounts.load();
        const { clocks: former } = await accounts.require(userId, id);
        const isWritten = await clocks.change(id, former, changeClock(former ?? [], start, now()));
        await accounts.load();
        if (isWritten) return;
      }
      throw errors.internal(
        new Error("The days of an account were changed by others again and again"),
      );
    },
  };
}
