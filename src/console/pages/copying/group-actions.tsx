import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { go } from "../../shell/router.ts";
import { StartsAnew, StaysOpen } from "./consequences.tsx";
import { followersText } from "./follower-state.tsx";
import { GroupForm } from "./group-form.tsx";
import { changeOf, type GroupTyped, typedGroup } from "./group-terms.ts";
import { SyncFollowers } from "./sync-followers.tsx";
import type { Account, CopyGroup, Synced } from "./world.ts";

type Asked = "sync" | "edit" | "pause" | "resume" | "delete";

interface GroupProps {
  group: CopyGroup;
  accounts: readonly Account[];
  refresh: () => void;
}

export interface GroupActionsProps extends GroupProps {
  /** What a sync has sent on its way. */
  onSynced: (synced: Synced) => void;
}

/** Actions with a whole group; each is asked about before it is done. */
export function GroupActions({ onSynced, ...of }: GroupActionsProps) {
  const [asked, setAsked] = useState<Asked>();
  const { group, accounts, refresh } = of;
  const onClose = () => setAsked(undefined);
  return (
    <>
      <Buttons group={group} onAsk={setAsked} />
      {asked === "edit" && <EditGroup {...of} onClose={onClose} />}
      {asked === "pause" && <PauseGroup {...of} onClose={onClose} />}
      {asked === "resume" && <ResumeGroup {...of} onClose={onClose} />}
      {asked === "delete" && <DeleteGroup {...of} onClose={onClose} />}
      {asked === "sync" && (
        <SyncFollowers
          group={group}
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
  group: { followers, paused },
  onAsk,
}: {
  group: CopyGroup;
  onAsk: (asked: Asked) => void;
}) {
  return (
    <div class="actions">
      {!paused && followers.some(({ enabled }) => enabled) && (
        <button type="button" onClick={() => onAsk("sync")}>
          Sync all …
        </button>
      )}
      <button type="button" onClick={() => onAsk(paused ? "resume" : "pause")}>
        {paused ? "Resume …" : "Pause …"}
      </button>
      <button type="button" onClick={() => onAsk("edit")}>
        Edit …
      </button>
      <button type="button" class="danger" onClick={() => onAsk("delete")}>
        Delete …
      </button>
    </div>
  );
}

type AskedProps = GroupProps & { onClose: () => void };

function EditGroup({ group, refresh, onClose }: AskedProps) {
  const save = async (typed: GroupTyped) => {
    const params = { path: { groupId: group.id } };
    const body = changeOf(typed, group);
    if (Object.keys(body).length > 0) {
      await answerOf(api.PATCH("/v1/copy-groups/{groupId}", { params, body }));
    }
    refresh();
    onClose();
  };
  return (
    <GroupForm
      title={`Edit “${group.name}”`}
      verb="Save"
      start={typedGroup(group)}
      onSave={save}
      onClose={onClose}
    />
  );
}

function PauseGroup({ group, accounts, refresh, onClose }: AskedProps) {
  return (
    <Confirm
      title="Pause the group"
      verb="Pause it"
      onConfirm={() => setPaused(group, true).then(refresh)}
      onClose={onClose}
    >
      <Which group={group} accounts={accounts} />
      <p>Nothing is copied until it is resumed, not even exits.</p>
      <StaysOpen followers={group.followers} accounts={accounts} mode={group.mode} />
    </Confirm>
  );
}

function ResumeGroup({ group, accounts, refresh, onClose }: AskedProps) {
  return (
    <Confirm
      title="Resume the group"
      verb="Resume it"
      onConfirm={() => setPaused(group, false).then(refresh)}
      onClose={onClose}
    >
      <Which group={group} accounts={accounts} />
      <StartsAnew group={group} />
    </Confirm>
  );
}

async function setPaused(group: CopyGroup, paused: boolean): Promise<void> {
  const params = { path: { groupId: group.id } };
  await answerOf(api.PATCH("/v1/copy-groups/{groupId}", { params, body: { paused } }));
}

function DeleteGroup({ group, accounts, refresh, onClose }: AskedProps) {
  const remove = async () => {
    const params = { path: { groupId: group.id } };
    await answerOf(api.DELETE("/v1/copy-groups/{groupId}", { params }));
    refresh();
    go("/copying", { replace: true });
  };
  return (
    <Confirm title="Delete the group" verb="Delete it" onConfirm={remove} onClose={onClose}>
      <Which group={group} accounts={accounts} />
      <p>
        Nothing is copied any more, not even exits. This cannot be undone. Its log is shown no more.
      </p>
      <StaysOpen followers={group.followers} accounts={accounts} mode={group.mode} />
    </Confirm>
  );
}

function Which({
  group: { followers, leaderAccountId, name },
  accounts,
}: Pick<GroupProps, "group" | "accounts">) {
  return (
    <p class="row">
      <strong>{name}</strong> {followersText(followers.length)} of{" "}
      <AccountOf id={leaderAccountId} accounts={accounts} />
    </p>
  );
}
