// The goal: a broker's session outlives a store that is just coming back.
// The method: the connection that serves callers is not there yet, the lanes' one is.
import { describe, expect, test } from "vitest";
import { createWindDown } from "../../../../src/trading/connections/wind-down.ts";
import { takeOver } from "../../../../src/trading/connections/take-over.ts";
import type { BrokerAdapter } from "../../../../src/brokers/broker-adapter.ts";
import type { User } from "../../../../src/domain/people/credential.ts";
import { type AccountId, accountId, connectionId, userId } from "../../../../src/domain/ids.ts";
import { AccountDirectory } from "../../../../src/trading/connections/account-directory.ts";
import type { ConnectionLeases } from "../../../../src/trading/connections/connection-leases.ts";
import type { Reconciler } from "../../../../src/trading/lane/reconcile/reconciler.ts";
import type { AccountViews } from "../../../../src/trading/reads/ports.ts";
import type { BrokerAccount } from "../../../../src/trading/ports.ts";
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
      waitFor: async () => undefined,
    },
  );
  expect(accounts.find(ACCOUNT)).toMatchObject({ active: true, connectionId: CONNECTION });
  expect(reconciled).toEqual([CONNECTION]);
});

describe("an account that could trade so far", () => {
  const other = accountId("broker-1-8");
  const of = (id: AccountId, active = true) => ({ accountId: id, name: id, active });

  /** Takes over after these answers, one after the other; the last one repeats. */
  async function takenOver(...answers: readonly (readonly BrokerAccount[])[]) {
    const { accounts, views } = comingBack();
    const owned = { connectionId: CONNECTION, broker: "tradovate", environment: "demo" } as const;
    const known = [of(ACCOUNT), of(other)].map((one) => ({
      ...one,
      ...owned,
      userId: userId("user_1"),
    }));
    await accounts.report(CONNECTION, known, views);
    let asked = 0;
    const next = async () => answers[Math.min(asked++, answers.length - 1)] ?? [];
    await takeOver(
      { ...owned, accounts: next } as unknown as BrokerAdapter,
      { ...owned, userId: userId("user_1"), ownership: { epoch: 1, isOwned: () => true } },
      {
        accounts,
        views,
        leases: { fence: async () => undefined } as unknown as ConnectionLeases,
        reconciler: { reconcileAll: async () => undefined } as unknown as Reconciler,
        intents: { now: async () => 0 },
        user: { userId: userId("user_1") } as User,
        waitFor: async () => undefined,
      },
    );
    const active = [ACCOUNT, other].filter((id) => accounts.find(id)?.active === true);
    return { asked, active };
  }

  test("is asked for once where it is reported", async () => {
    const taken = await takenOver([of(ACCOUNT), of(other)]);
    expect(taken).toEqual({ asked: 1, active: [ACCOUNT, other] });
  });

  test.each([
    ["leaves it out", [of(other)]],
    ["says that it is inactive", [of(ACCOUNT, false), of(other)]],
  ])("stays active where one answer %s, and the next one does not", async (_, first) => {
    const taken = await takenOver(first, [of(ACCOUNT), of(other)]);
    expect(taken).toEqual({ asked: 2, active: [ACCOUNT, other] });
  });

  test("stays active where the second answer alone leaves it out", async () => {
    const taken = await takenOver([of(ACCOUNT)], [of(other)]);
    expect(taken).toEqual({ asked: 2, active: [ACCOUNT, other] });
  });

  test("is inactive where two answers in a row leave it out", async () => {
    expect(await takenOver([of(other)])).toEqual({ asked: 2, active: [other] });
  });
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
