// The goal: a person sets when the days of an account begin, at once with others and never of another's account.
import { expect, test } from "vitest";
import {
  accountDayAt,
  type DayClocks,
  STANDARD_CLOCKS,
} from "../../../../src/domain/calendar/account-day.ts";
import { accountId, credentialId, userId } from "../../../../src/domain/ids.ts";
import { AccountDirectory } from "../../../../src/trading/connections/account-directory.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";
import { createAccountDayUses } from "../../../../src/trading/money/change-account-day.ts";
import type { Caller } from "../../../../src/trading/people/caller.ts";

const ACCOUNT = accountId("paper-1");
const NOW = Date.parse("2026-11-30T15:00:00Z");
const BERLIN = { begins: "18:00", zone: "Europe/Berlin" };

const caller = (id: string): Caller => ({
  userId: userId(id),
  credentialId: credentialId("key"),
  scopes: ["manage"],
  receivedAt: NOW,
  requestId: "r1",
});

/** With what others write in between, one before each try. */
function create(...others: readonly DayClocks[]) {
  let kept: DayClocks | undefined;
  const between = [...others];
  const accounts = new AccountDirectory({
    views: {
      accounts: async () => [
        {
          accountId: ACCOUNT,
          userId: userId("u1"),
          ...(kept !== undefined && { clocks: kept }),
        } as StoredAccount,
      ],
      saveAccounts: async () => undefined,
    },
    now: () => NOW,
  });
  const uses = createAccountDayUses({
    accounts,
    clocks: {
      change: async (_, former, next) => {
        kept = between.shift() ?? kept;
        if (former !== kept) return false;
        kept = next;
        return true;
      },
    },
    now: () => NOW,
  });
  return { accounts, ...uses };
}

test("the present day goes on, and the account's days begin by the new clock after it", async () => {
  const { accounts, changeAccountDay } = create();
  await changeAccountDay(caller("u1"), ACCOUNT, BERLIN);
  const today = accounts.dayAt(ACCOUNT, NOW);
  const before = accountDayAt(STANDARD_CLOCKS, NOW);
  expect([today.day, today.beganAt]).toEqual([before.day, before.beganAt]);
  expect(accounts.clocksOf(ACCOUNT)).toEqual([
    ...STANDARD_CLOCKS,
    { ...BERLIN, from: today.endsAt, lastBeganAt: before.beganAt },
  ]);
});

test("what another person has set meanwhile is the clock that this one follows", async () => {
  const others: DayClocks = [{ begins: "00:00", zone: "UTC" }];
  const { accounts, changeAccountDay } = create(others);
  await changeAccountDay(caller("u1"), ACCOUNT, BERLIN);
  expect(accounts.clocksOf(ACCOUNT)).toMatchObject([...others, BERLIN]);
});

test("another user's account is none", async () => {
  const { accounts, changeAccountDay } = create();
  await expect(changeAccountDay(caller("u2"), ACCOUNT, BERLIN)).rejects.toThrow("no such account");
  expect(accounts.clocksOf(ACCOUNT)).toEqual(STANDARD_CLOCKS);
});
