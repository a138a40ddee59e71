import type { BrokerAdapter } from "../brokers/broker-adapter.ts";
import type { User } from "../domain/credential.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { AccountDirectory } from "../trading/account-directory.ts";
import type { AccountProjector } from "../trading/lane/account-projector.ts";
import type { StoredAccount } from "../trading/store-ports.ts";

/** How many accounts are read at the same time. */
const RELOAD_AT_ONCE = 200;

export interface TakeOverDeps {
  readonly accounts: AccountDirectory;
  readonly projector: AccountProjector;
  /** Whose connection it is. */
  readonly user: User;
}

/** Takes over what the broker reports, before the connection counts as connected. */
export async function takeOver(
  connectionId: ConnectionId,
  adapter: BrokerAdapter,
  { accounts, projector, user: { userId } }: TakeOverDeps,
): Promise<void> {
  const { broker, environment } = adapter;
  const reported = (await adapter.accounts()).map((account): StoredAccount => ({
    ...account,
    userId,
    connectionId,
    broker,
    environment,
  }));
  await accounts.report(connectionId, reported);
  for (let start = 0; start < reported.length; start += RELOAD_AT_ONCE) {
    const batch = reported.slice(start, start + RELOAD_AT_ONCE);
    await Promise.all(batch.map(({ accountId }) => projector.reload(accountId)));
  }
}
