import { expect, test } from "vitest";
import { accountId, connectionId, userId } from "../../../../src/domain/ids.ts";
import { AccountDirectory } from "../../../../src/trading/connections/account-directory.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";

const PAPER = connectionId("paper");
const OWNER = userId("owner");

const account = (id: string, active = true): StoredAccount => ({
  accountId: accountId(id),
  userId: OWNER,
  connectionId: PAPER,
  name: id,
  broker: "paper",
  environment: "demo",
  active,
});

/** A connection to the store whose answers come when the test says. */
function slowly(stored: () => readonly StoredAccount[]) {
  const answers: (() => void)[] = [];
  const views = {
    accounts: async () => {
      const read = stored();
      await new Promise<void>((resolve) => answers.push(resolve));
      return read;
    },
    saveAccounts: async () => undefined,
  };
  return { views, answer: () => answers.shift()?.() };
}

test("a reading that was begun before another does not take back what that one found", async () => {
  let stored = [account("paper-1"), account("paper-2")];
  const readers = slowly(() => stored);
  const directory = new AccountDirectory({ views: readers.views, now: () => 0 });
  const first = directory.load();

  // Meanwhile the broker reports a new account, and one that trades no more.
  const saved = [account("paper-1", false), account("paper-2"), account("paper-3")];
  const owners = {
    accounts: async () => stored,
    saveAccounts: async () => void (stored = saved),
  };
  await directory.report(PAPER, saved, owners);
  readers.answer();
  await first;

  expect(directory.idsOn(PAPER)).toEqual(["paper-1", "paper-2", "paper-3"]);
  expect(directory.find(accountId("paper-1"))?.active).toBe(false);
});

test("the newest of several readings stands, in whatever order they end", async () => {
  let stored = [account("paper-1")];
  const one = slowly(() => stored);
  const other = slowly(() => stored);
  const directory = new AccountDirectory({ views: one.views, now: () => 0 });
  const first = directory.load();
  stored = [account("paper-1"), account("paper-2")];
  const second = directory.load(other.views);
  one.answer();
  await first;
  expect(directory.idsOn(PAPER)).toEqual(["paper-1"]);
  other.answer();
  await second;
  expect(directory.idsOn(PAPER)).toEqual(["paper-1", "paper-2"]);
});
