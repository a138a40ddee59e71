import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { StartsAnew, StaysOpen } from "./consequences.tsx";
import { EditFollower } from "./follower-form.tsx";
import { SyncFollowers } from "./sync-followers.tsx";
import type { FollowerProps, Synced } from "./world.ts";

type Asked = "sync" | "edit" | "switchOn" | "switchOff" | "resume" | "remove";

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

type Props<How> = FollowerProps & { how: How; onClose: () => void };

/** Ends copying to an account, for now or for good, after saying what stays open in it. */
function EndFollowing({
  group,
  follower,
  accounts,
  refresh,
  how,
  onClose,
}: Props<"switchOff" | "remove">) {
  const params = { path: { groupId: group.id, accountId: follower.accountId } };
  const end = async () => {
    if (how === "remove") {
      await answerOf(api.DELETE("/v1/copy-groups/{groupId}/followers/{accountId}", { params }));
    } else {
      const body = { enabled: false };
      await answerOf(
        api.PATCH("/v1/copy-groups/{groupId}/followers/{accountId}", { params, body }),
      );
    }
    refresh();
  };
  return (
    <Confirm
      title={how === "remove" ? "Remove the follower" : "Switch the follower off"}
      verb={how === "remove" ? "Remove it" : "Switch it off"}
      onConfirm={end}
      onClose={onClose}
    >
      <Which group={group} follower={follower} accounts={accounts} />
      <p>
        {how === "remove"
          ? "Nothing is copied to it any more, not even exits. Its terms are forgotten."
          : "Nothing is copied to it until it is switched on again, not even exits."}
      </p>
      <StaysOpen followers={[follower]} accounts={accounts} mode={group.mode} />
    </Confirm>
  );
}

/** Lets an account follow again: one that is off, or that a guard has stopped. */
function LetFollow({
  group,
  follower,
  accounts,
  refresh,
  how,
  onClose,
}: Props<"switchOn" | "resume">) {
  const params = { path: { groupId: group.id, accountId: follower.accountId } };
  const body = how === "resume" ? { resume: true as const } : { enabled: true };
  const start = async () => {
    await answerOf(api.PATCH("/v1/copy-groups/{groupId}/followers/{accountId}", { params, body }));
    refresh();
  };
  return (
    <Confirm
      title={how === "resume" ? "Resume the follower" : "Switch the follower on"}
      verb={how === "resume" ? "Resume it" : "Switch it on"}
      onConfirm={start}
      onClose={onClose}
    >
      <Which group={group} follower={follower} accounts={accounts} />
      {how === "resume" && follower.reason !== null && (
        <p class="notice watch">{follower.reason}</p>
      )}
      {how === "switchOn" && follower.stoppedAt !== null && (
        <p class="notice watch">
          It was stopped before: only exits are copied to it until you resume it too.
        </p>
      )}
      <StartsAnew group={group} />
    </Confirm>
  );
}

function Which({
  group: { leaderAccountId },
  follower: { accountId },
  accounts,
}: Pick<FollowerProps, "group" | "follower" | "accounts">) {
  return (
    <p class="row">
      <strong class="row">
        <AccountOf id={accountId} accounts={accounts} />
      </strong>
      follows <AccountOf id={leaderAccountId} accounts={accounts} />
    </p>
  );
}
