import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { AccountDirectory, AccountList } from "./account-directory.ts";
import type { ConnectionRecords } from "./connection-records.ts";
import type { ConnectionSetups } from "./connection-setups.ts";

export interface WindDownDeps {
  readonly accounts: AccountDirectory;
  /** On the lanes' connection: it waits while the store is away. */
  readonly views: AccountList;
  readonly setups: Pick<ConnectionSetups, "find" | "announce">;
  readonly records: Pick<ConnectionRecords, "forget">;
  /** Works off what waits on the account's lane, and looks at what is open. */
  readonly settlePending: (account: AccountId) => void;
  readonly finished: (accounts: readonly AccountId[]) => Promise<void>;
}

/** What an owner does before it ends a session that is not wanted any more as it is. */
export function createWindDown(deps: WindDownDeps) {
  const { accounts, views, setups, records, settlePending, finished } = deps;
  return {
    /** Paused or removed: from now on its accounts are inactive, and what waits on their lanes ends so. */
    onResting: async (connection: ConnectionId) => {
      await accounts.report(connection, [], views);
      await setups.announce(connection);
      const lanes = accounts.idsOn(connection);
      for (const account of lanes) settlePending(account);
      await finished(lanes);
      // It may have been described once more right after it was removed.
      if ((await setups.find(connection)) === undefined) await records.forget(connection);
    },

    /** Nothing more is begun; what was sent gets its answer in the session that it was sent in. */
    onLeaving: async (connection: ConnectionId) => await finished(accounts.idsOn(connection)),
  };
}
