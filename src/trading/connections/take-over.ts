import type { AccountId } from "../../domain/ids.ts";
import type { Broker, BrokerAccount, Owned, WaitFor } from "../ports.ts";
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
  readonly waitFor: WaitFor;
}

/** A broker that has left an account out of one answer has it again by then. */
const ASK_AGAIN_MS = 1_000;

/** Takes over what the broker reports, before the connection counts as connected. */
export async function takeOver(
  adapter: Pick<Broker, "accounts"> & Pick<ConnectionFacts, "broker" | "environment">,
  { connectionId, ownership, userId: ownUser }: Owned,
  { accounts, leases, reconciler, intents, views, user, waitFor }: TakeOverDeps,
): Promise<void> {
  const reported = await readAccounts(
    adapter,
    { connectionId, userId: ownUser },
    { accounts, user, waitFor },
  );
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

/**
 * Keeps what the broker says of its accounts in the middle of a session: until the next one an account
 * that may trade again would refuse its exits. Nothing is kept once the connection is not wanted.
 */
export async function noteAccounts(
  adapter: Pick<Broker, "accounts"> & Pick<ConnectionFacts, "broker" | "environment">,
  owned: Owned,
  { accounts, views, ...deps }: Pick<TakeOverDeps, "accounts" | "views" | "user" | "waitFor">,
  isWanted: () => boolean,
): Promise<void> {
  const reported = await readAccounts(adapter, owned, { accounts, ...deps });
  if (!owned.ownership.isOwned() || !isWanted()) return;
  await accounts.report(owned.connectionId, reported, views);
}

async function readAccounts(
  adapter: Pick<Broker, "accounts"> & Pick<ConnectionFacts, "broker" | "environment">,
  { connectionId, userId: ownUser }: Pick<Owned, "connectionId" | "userId">,
  { accounts, user, waitFor }: Pick<TakeOverDeps, "accounts" | "user" | "waitFor">,
): Promise<readonly StoredAccount[]> {
  const { broker, environment } = adapter;
  const userId = ownUser ?? user.userId;
  const known = accounts.on(connectionId).filter(({ active }) => active);
  const ask = () => adapter.accounts();
  const told = await askTwiceForMissing(known, ask, () => waitFor(ASK_AGAIN_MS, () => undefined));
  return told.map((account) => ({ environment, ...account, userId, connectionId, broker }));
}

/**
 * The accounts that the broker reports. One that could trade so far, and cannot by one answer, still can:
 * an inactive account refuses its exits, so a second answer has to say the same.
 */
async function askTwiceForMissing(
  known: readonly { readonly accountId: AccountId }[],
  ask: () => Promise<readonly BrokerAccount[]>,
  pause: () => Promise<void>,
): Promise<readonly BrokerAccount[]> {
  const first = new Map((await ask()).map((account) => [account.accountId, account]));
  if (known.every(({ accountId }) => first.get(accountId)?.active === true)) {
    return [...first.values()];
  }
  await pause();
  const second = new Map((await ask()).map((account) => [account.accountId, account]));
  for (const { accountId } of known) {
    const before = first.get(accountId);
    if (before?.active === true) second.set(accountId, before);
  }
  return [...second.values()];
}
