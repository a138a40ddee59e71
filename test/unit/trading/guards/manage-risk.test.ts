// The goal: the kill switch of an account holds for each login that reaches that account.
// The method: accounts of two logins in a directory, and a store and lanes that note what is asked of them.
import { expect, test } from "vitest";
import { accountId, type AccountId, connectionId, userId } from "../../../../src/domain/ids.ts";
import { AccountDirectory } from "../../../../src/trading/connections/account-directory.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";
import { setKillSwitch } from "../../../../src/trading/guards/manage-risk.ts";
import type { LimitStore } from "../../../../src/trading/guards/ports.ts";
import type { SubmitIntent } from "../../../../src/trading/orders/submit-intent.ts";
import { MemoryViews, STORED, USER } from "../lane-kit.ts";

/** One account of a broker, by a login. */
const by = (login: string, number: string, change: Partial<StoredAccount> = {}): StoredAccount => ({
  ...STORED,
  accountId: accountId(`${login}-${number}`),
  connectionId: connectionId(login),
  broker: "tradovate",
  number,
  ...change,
});

const ACCOUNTS = [
  by("tv-1", "7"),
  by("tv-1", "8"),
  by("tv-2", "7"),
  by("tv-3", "7", { userId: userId("user_2") }),
  by("tv-4", "7", { environment: "live" }),
];

async function change(active: boolean, account: AccountId) {
  const views = new MemoryViews();
  views.stored = ACCOUNTS;
  const accounts = new AccountDirectory({ views, now: () => 0 });
  await accounts.load();
  const switched: unknown[] = [];
  const canceled: AccountId[] = [];
  const limits = {
    setKillSwitch: async (target: unknown) => void switched.push(target),
    settledKillSwitch: async () => ({ active: false }),
    killSwitches: async () => [],
  } as Partial<LimitStore> as LimitStore;
  const submit = (async ({ accountId: of }) => {
    canceled.push(of);
    return {} as never;
  }) as SubmitIntent;
  const asked = { userId: USER, requestId: "r1", receivedAt: 0, waitMs: 0, active };
  await setKillSwitch({ accounts, limits, submit }, { ...asked, accountId: account });
  return { switched, canceled };
}

test.each(["tv-1-7", "tv-2-7"])("of %s it is set, and entries go, by both logins", async (id) => {
  const both = ["tv-1-7", "tv-2-7"];
  const { switched, canceled } = await change(true, accountId(id));
  expect(switched).toEqual(both.map((one) => ({ accountId: one })));
  expect(canceled).toEqual(both);
});

test("it is taken back by both logins, too", async () => {
  const { switched, canceled } = await change(false, accountId("tv-2-7"));
  expect(switched).toEqual([{ accountId: "tv-1-7" }, { accountId: "tv-2-7" }]);
  expect(canceled).toEqual([]);
});
