import { AccountCard } from "./account-card.tsx";
import type { Account, KillSwitch } from "./types.ts";

export function AccountList({
  accounts,
  killSwitch,
  opensAll,
  refresh,
  why = "its connection was removed",
}: {
  accounts: readonly Account[];
  killSwitch: KillSwitch;
  /** Whether what is active stands open at first. */
  opensAll: boolean;
  refresh: () => void;
  /** Why an inactive one is so. */
  why?: string;
}) {
  if (accounts.length === 0) {
    return <p class="empty">No accounts yet: they are found once it is logged in.</p>;
  }
  return (
    <>
      {accounts.map((account) => (
        <AccountCard
          key={account.id}
          account={account}
          killSwitch={killSwitch}
          isOpenAtFirst={opensAll}
          refresh={refresh}
          why={why}
        />
      ))}
    </>
  );
}
