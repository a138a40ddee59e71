import type { Broker, Owned } from "../ports.ts";
import type { ConnectionFacts } from "./connection-records.ts";
import type { User } from "../../domain/people/credential.ts";
import type { AccountDirectory, AccountList } from "./account-directory.ts";
import type { Reconciler } from "../lane/reconcile/reconciler.ts";
import type { ConnectionLeases } from "./connection-leases.ts";
import type { IntentStore } from "../orders/ports.ts";
import type { StoredAccount } from "./ports.ts";

export interface TakeOverDeps {
  readonly accounts: AccountDirectory;
  readonly leases: ConnectionLeases;
  readonly reconciler: Reconciler;
  /** On the lanes' connection: it waits while the store is away. */
  readonly intents: Pick<IntentStore, "now">;
  readonly views: AccountList;
  /** Whose connection it is where it names no user. */
  readonly user: User;
}

/** Takes over what the broker reports, before the connection counts as connected. */
export async function takeOver(
  adapter: Pick<Broker, "accounts"> & Pick<ConnectionFacts, "broker" | "environment">,
  { connectionId, ownership, userId: ownUser }: Owned,
  { accounts, leases, reconciler, intents, views, user }: TakeOverDeps,
): Promise<void> {
  const { broker, environment } = adapter;
  const userId = ownUser ?? user.userId;
  const reported = (await adapter.accounts()).map((account): StoredAccount => ({
    ...account,
    userId,
    connectionId,
    broker,
    environment,
  }));
  const ids = reported.map(({ accountId }) => accountId);
  await leases.fence(reported, ownership.epoch);
  // From here on no former owner begins to send: what it has sent was accepted before.
  const session = { beganAt: await intents.now() };
  await accounts.report(connectionId, reported, views);
  await reconciler.reconcileAll(connectionId, {
    session,
    accounts: ids,
    requireSession: () => adapter.accounts(),
  });
}
