import { answerOf, api } from "../../api/client.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import type { FollowerProps } from "./follower-actions.tsx";
import { StartsAnew } from "./starts-anew.tsx";
import { StaysOpen } from "./stays-open.tsx";

type Props<How> = FollowerProps & { how: How; onClose: () => void };

/** Ends copying to an account, for now or for good, after saying what stays open in it. */
export function EndFollowing({
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
export function LetFollow({
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
  const find = (id: string) => accounts.find((account) => account.id === id);
  return (
    <p class="row">
      <strong class="row">
        <AccountOf id={accountId} account={find(accountId)} />
      </strong>
      follows <AccountOf id={leaderAccountId} account={find(leaderAccountId)} />
    </p>
  );
}
