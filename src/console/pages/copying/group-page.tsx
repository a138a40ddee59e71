import { useState } from "preact/hooks";
import { PageTitle } from "../../parts/page-title.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { AddFollower } from "./add-follower.tsx";
import { CopyLog } from "./copy-log.tsx";
import { GroupStanding } from "./follower-state.tsx";
import { FollowerTable } from "./follower-table.tsx";
import { GroupActions, type GroupActionsProps } from "./group-actions.tsx";
import { Leader } from "./leader.tsx";
import { termsInWords } from "./policy-words.ts";
import { SyncedNotice } from "./synced-notice.tsx";
import type { CopyGroup, Synced, World } from "./types.ts";

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
            <>
              <dt key={name}>{name}</dt>
              <dd>{words}</dd>
            </>
          ))}
        </dl>
        <GroupActions {...of} />
      </div>
    </Sheet>
  );
}
