import { answerOf, api } from "../../api/client.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import type { FollowerProps } from "./follower-actions.tsx";
import { FollowerForm } from "./follower-form.tsx";
import { changeOf, type FollowerTyped, typedFollower } from "./follower-typed.ts";

/** Changes how an account follows. */
export function EditFollower({
  group,
  follower,
  accounts,
  refresh,
  onClose,
}: FollowerProps & { onClose: () => void }) {
  const { accountId } = follower;
  const save = async (typed: FollowerTyped) => {
    const params = { path: { groupId: group.id, accountId } };
    const body = changeOf(typed, follower);
    if (Object.keys(body).length > 0) {
      await answerOf(
        api.PATCH("/v1/copy-groups/{groupId}/followers/{accountId}", { params, body }),
      );
    }
    refresh();
    onClose();
  };
  return (
    <FollowerForm
      title="Edit the follower"
      verb="Save"
      group={group}
      start={typedFollower(follower)}
      head={() => (
        <p class="row">
          <strong class="row">
            <AccountOf id={accountId} account={accounts.find(({ id }) => id === accountId)} />
          </strong>
        </p>
      )}
      onSave={save}
      onClose={onClose}
    />
  );
}
