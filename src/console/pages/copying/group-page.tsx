import { useState } from "preact/hooks";
import { AccountOf } from "../../parts/account-of.tsx";
import { countText, qtyText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { PageTitle, Pair, Sheet } from "../../parts/page.tsx";
import { stateOf } from "../accounts/connection-state.ts";
import { CopyLog } from "./copy-log.tsx";
import { AddFollower } from "./follower-form.tsx";
import { GroupStanding } from "./follower-state.tsx";
import { FollowerTable } from "./follower-table.tsx";
import { GroupActions, type GroupActionsProps } from "./group-actions.tsx";
import { termsInWords } from "./group-terms.ts";
import type { Account, CopyGroup, Synced, World } from "./world.ts";

/** One group: whom it follows, how each follower stands, and what was copied. */
export function GroupPage({
  group,
  world,
  refresh,
}: {
  group: CopyGroup;
  world: World;
  refresh: () => void;
}) {
  const [isAdding, setIsAdding] = useState(false);
  const [synced, setSynced] = useState<Synced>();
  const { accounts } = world;
  const of = { group, accounts, refresh, onSynced: setSynced };
  return (
    <>
      <PageTitle title={group.name}>
        <a href="#/copying">All groups</a>
      </PageTitle>
      <LeaderSheet {...of} world={world} />
      <Sheet
        title="Followers"
        end={
          <button type="button" class="small" onClick={() => setIsAdding(true)}>
            Add a follower
          </button>
        }
      >
        {synced !== undefined && <SyncedNotice synced={synced} accounts={accounts} />}
        <FollowerTable {...of} />
      </Sheet>
      <CopyLog group={group} accounts={accounts} />
      {isAdding && (
        <AddFollower
          group={group}
          world={world}
          refresh={refresh}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  );
}

function LeaderSheet({ world, ...of }: GroupActionsProps & { world: World }) {
  const { group } = of;
  return (
    <Sheet
      title="Leader"
      end={
        <span role="status">
          <GroupStanding group={group} />
        </span>
      }
    >
      <div class="body">
        <Leader group={group} world={world} />
        <dl class="pairs stacked">
          {termsInWords(group).map(([name, words]) => (
            <Pair key={name} name={name}>
              {words}
            </Pair>
          ))}
        </dl>
        <GroupActions {...of} />
      </div>
    </Sheet>
  );
}

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
        <AccountOf id={leaderAccountId} accounts={accounts} />
      </span>
      <span class="row quiet">
        {connection?.name ?? account?.connectionId ?? "no connection"}
        <Mark tone={tone}>{word}</Mark>
      </span>
    </div>
  );
}

/** What a sync has sent on its way, by the gateway's answer. */
function SyncedNotice({
  synced: { copies },
  accounts,
}: {
  synced: Synced;
  accounts: readonly Account[];
}) {
  const nameOf = (accountId: string) =>
    accounts.find(({ id }) => id === accountId)?.name ?? accountId;
  return (
    <div class="notice" role="status">
      <strong>
        {copies.length === 0
          ? "Nothing to trade: already in sync."
          : `${countText(copies.length, "copy", "copies")} on the way. See the log below for the results.`}
      </strong>
      {copies.map(({ accountId, copyId, symbol, targetQty }) => (
        <p key={copyId}>
          {nameOf(accountId)}: {symbol} to {qtyText(targetQty ?? 0)}
        </p>
      ))}
    </div>
  );
}
