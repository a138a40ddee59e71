import { AccountOf } from "../../parts/account-of.tsx";
import { Mark } from "../../parts/mark.tsx";
import { stateOf } from "../accounts/connection-state.ts";
import type { CopyGroup, World } from "./types.ts";

/** Whom a group follows, whose money it is, and whether the gateway hears of it. */
export function Leader({
  group: { leader, leaderAccountId },
  world: { accounts, connections },
}: {
  group: CopyGroup;
  world: World;
}) {
  const account = accounts.find(({ id }) => id === leaderAccountId);
  const connection = connections.find(({ connectionId }) => connectionId === account?.connectionId);
  const { tone, word } = stateOf({
    paused: connection?.paused ?? false,
    status: leader.connectionStatus,
  });
  return (
    <div class="stack">
      <span class="row">
        <AccountOf id={leaderAccountId} account={account} />
      </span>
      <span class="row quiet">
        {connection?.name ?? account?.connectionId ?? "no connection"}
        <Mark tone={tone}>{word}</Mark>
      </span>
    </div>
  );
}
