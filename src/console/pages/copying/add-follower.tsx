import { answerOf, api } from "../../api/client.ts";
import { choicesOf } from "../../parts/account-choices.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { mayFollow } from "./eligible.ts";
import { type FollowerFieldsProps, FollowerForm } from "./follower-form.tsx";
import { type FollowerTyped, newFollower, putOf } from "./follower-typed.ts";
import type { Account, CopyGroup, World } from "./types.ts";

/** Lets one more account follow, out of those that may. */
export function AddFollower({
  group,
  world,
  refresh,
  onClose,
}: {
  group: CopyGroup;
  world: World;
  refresh: () => void;
  onClose: () => void;
}) {
  const free = mayFollow(world);
  const first = free.find(({ active }) => active) ?? free[0];
  if (first === undefined) return <NobodyLeft onClose={onClose} />;
  const add = async (typed: FollowerTyped) => {
    const params = { path: { groupId: group.id, accountId: typed.accountId } };
    const body = putOf(typed);
    await answerOf(api.PUT("/v1/copy-groups/{groupId}/followers/{accountId}", { params, body }));
    refresh();
    onClose();
  };
  return (
    <FollowerForm
      title="Add a follower"
      verb="Add it"
      group={group}
      start={newFollower(first.id)}
      head={(fields) => <AccountField accounts={free} {...fields} />}
      onSave={add}
      onClose={onClose}
    />
  );
}

function AccountField({
  accounts,
  typed,
  onType,
  error,
}: FollowerFieldsProps & { accounts: readonly Account[] }) {
  const account = accounts.find(({ id }) => id === typed.accountId);
  return (
    <SelectField
      label="Account"
      name="accountId"
      value={typed.accountId}
      options={choicesOf(accounts)}
      onValue={(accountId) => onType({ accountId })}
      hint={account !== undefined && <EnvironmentBadge environment={account.environment} />}
      error={error}
    />
  );
}

function NobodyLeft({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Add a follower" onClose={onClose}>
      <p>Every account leads or follows already. One that leads follows nobody.</p>
      <div class="actions end">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
