import { useState } from "preact/hooks";
import { EditFollower } from "./edit-follower.tsx";
import { EndFollowing, LetFollow } from "./switch-follower.tsx";
import { SyncFollowers } from "./sync-followers.tsx";
import type { Account, CopyGroup, Follower, Synced } from "./types.ts";

type Asked = "sync" | "edit" | "switchOn" | "switchOff" | "resume" | "remove";

export interface FollowerProps {
  group: CopyGroup;
  follower: Follower;
  accounts: readonly Account[];
  refresh: () => void;
}

/** Actions with one follower; each is asked about before it is done. */
export function FollowerActions({
  onSynced,
  ...of
}: FollowerProps & { onSynced: (synced: Synced) => void }) {
  const [asked, setAsked] = useState<Asked>();
  const { group, follower, accounts, refresh } = of;
  const onClose = () => setAsked(undefined);
  return (
    <>
      <Buttons {...of} onAsk={setAsked} />
      {asked === "edit" && <EditFollower {...of} onClose={onClose} />}
      {(asked === "switchOff" || asked === "remove") && (
        <EndFollowing {...of} how={asked} onClose={onClose} />
      )}
      {(asked === "switchOn" || asked === "resume") && (
        <LetFollow {...of} how={asked} onClose={onClose} />
      )}
      {asked === "sync" && (
        <SyncFollowers
          group={group}
          only={follower}
          accounts={accounts}
          onSynced={onSynced}
          onClose={onClose}
          onDone={refresh}
        />
      )}
    </>
  );
}

function Buttons({
  group,
  follower: { accountId, enabled, stoppedAt },
  accounts,
  onAsk,
}: FollowerProps & { onAsk: (asked: Asked) => void }) {
  const name = accounts.find(({ id }) => id === accountId)?.name ?? accountId;
  const button = (asked: Asked, says: string, look = "small") => (
    <button type="button" class={look} onClick={() => onAsk(asked)}>
      {says} …<span class="unseen"> {name}</span>
    </button>
  );
  return (
    <div class="actions">
      {stoppedAt !== null && button("resume", "Resume", "small primary")}
      {enabled && !group.paused && button("sync", "Sync now")}
      {button("edit", "Edit")}
      {enabled ? button("switchOff", "Switch off") : button("switchOn", "Switch on")}
      {button("remove", "Remove", "small danger")}
    </div>
  );
}
