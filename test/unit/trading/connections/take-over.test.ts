// The goal: a broker's session outlives a store that is just coming back.
// The method: the connection that serves callers is not there yet, the lanes' one is.
import { expect, test } from "vitest";
import { createWindDown } from "../../../../src/trading/connections/wind-down.ts";
import { takeOver } from "../../../../src/trading/connections/take-over.ts";
import type { BrokerAdapter } from "../../../../src/brokers/broker-adapter.ts";
import type { User } from "../../../../src/domain/people/credential.ts";
import { accountId, connectionId, userId } from "../../../../src/domain/ids.ts";
import { AccountDirectory } from "../../../../src/trading/connections/account-directory.ts";
import type { ConnectionLeases } from "../../../../src/trading/connections/connection-leases.ts";
import type { Reconciler } from "../../../../src/trading/lane/reconcile/reconciler.ts";
import type { AccountViews } from "../../../../src/trading/reads/ports.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";

const CONNECTION = connectionId("broker-1");
const ACCOUNT = accountId("broker-1-7");

/** A directory for callers whom the store does not serve yet, and the lanes' way to the store. */
function comingBack() {
  const away = async () => {
    throw new StoreError("The store is away", { certainlyNotWritten: true });
  };
  let stored: readonly StoredAccount[] = [];
  const views = {
    accounts: async () => stored,
    saveAccounts: async (_connection, reported) => void (stored = reported),
  } satisfies Pick<AccountViews, "accounts" | "saveAccounts">;
  const accounts = new AccountDirectory({
    views: { accounts: away, saveAccounts: away },
    now: () => 0,
  });
  return { accounts, views, stored: () => stored };
}

test("accounts are taken over as soon as the lanes' store is back", async () => {
  const { accounts, views } = comingBack();
  const reconciled: unknown[] = [];
  await takeOver(
    {
      broker: "tradovate",
      environment: "demo",
      accounts: async () => [{ accountId: ACCOUNT, name: "7", currency: "USD", active: true }],
    } as unknown as BrokerAdapter,
    {
      connectionId: CONNECTION,
      userId: userId("user_1"),
      ownership: { epoch: 1, isOwned: () => true },
    },
    {
      accounts,
      views,
      leases: { fence: async () => undefined } as unknown as ConnectionLeases,
      reconciler: {
        reconcileAll: async (connection: unknown) => void reconciled.push(connection),
      } as unknown as Reconciler,
      intents: { now: async () => 0 },
      user: { userId: userId("user_1") } as User,
    },
  );
  expect(accounts.find(ACCOUNT)).toMatchObject({ active: true, connectionId: CONNECTION });
  expect(reconciled).toEqual([CONNECTION]);
});

test("a connection that rests is written down by the lanes' store", async () => {
  const { accounts, views, stored } = comingBack();
  const { onResting } = createWindDown({
    accounts,
    views,
    setups: { find: async () => undefined, announce: async () => undefined },
    records: { forget: async () => undefined },
    settlePending: () => undefined,
    finished: async () => undefined,
  });
  await onResting(CONNECTION);
  expect(stored()).toEqual([]);
});
