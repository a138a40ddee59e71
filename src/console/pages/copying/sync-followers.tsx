import { useRef } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { countText, qtyText } from "../../parts/figure-text.ts";
import { stepsOf, tradedQty, tradeText } from "./sync-plan.ts";
import type { Account, CopyGroup, Follower, Synced } from "./world.ts";

/** Brings one follower, or all that are on, to what they are to hold, after saying what is sent. */
export function SyncFollowers({
  group,
  only,
  accounts,
  onSynced,
  onClose,
  onDone,
}: {
  group: CopyGroup;
  /** Without it every follower that is on. */
  only?: Follower | undefined;
  accounts: readonly Account[];
  onSynced: (synced: Synced) => void;
  onClose: () => void;
  onDone: () => void;
}) {
  // What was agreed to stands in sight while it is carried out.
  const agreed = useRef<readonly Follower[] | null>(null);
  const now = only === undefined ? group.followers.filter(({ enabled }) => enabled) : [only];
  const followers = agreed.current ?? now;
  const still = followers
    .filter((follower) => !needsWords(follower))
    .map(({ accountId }) => accounts.find(({ id }) => id === accountId)?.name ?? accountId);
  const total = tradedQty(followers.flatMap(stepsOf));
  const sync = async () => {
    agreed.current = now;
    const params = { path: { groupId: group.id } };
    const body = only === undefined ? {} : { accountId: only.accountId };
    try {
      onSynced(await answerOf(api.POST("/v1/copy-groups/{groupId}/sync", { params, body })));
    } finally {
      agreed.current = null;
      onDone();
    }
  };
  return (
    <Confirm
      title={only === undefined ? "Sync every follower" : "Sync the follower"}
      verb={total === 0 ? "Sync anyway" : `Trade ${countText(total, "contract")}`}
      onConfirm={sync}
      onClose={onClose}
    >
      {total > 0 && <p>Traded at the market:</p>}
      <ul class="plain">
        {followers.filter(needsWords).map((follower) => (
          <Steps key={follower.accountId} follower={follower} accounts={accounts} />
        ))}
      </ul>
      {still.length > 0 && <p>Nothing is sent to {still.join(", ")}: already in sync.</p>}
      <p class="quiet">
        The brokers are asked once more before anything is sent. What has changed by then counts.
      </p>
    </Confirm>
  );
}

/** Whether there is more to say of it than that nothing is sent. */
const needsWords = (follower: Follower): boolean =>
  stepsOf(follower).length > 0 || isStopped(follower) || follower.state === "offline";

const isStopped = ({ state, stoppedAt }: Follower): boolean =>
  state === "stopped" || stoppedAt !== null;

function Steps({ follower, accounts }: { follower: Follower; accounts: readonly Account[] }) {
  const { accountId, state } = follower;
  const steps = stepsOf(follower);
  return (
    <li>
      <strong class="row">
        <AccountOf id={accountId} accounts={accounts} />
      </strong>
      {steps.map((step) => (
        <div key={step.symbol}>
          {step.symbol}: {tradeText(step)}, from {qtyText(step.heldQty)} to {qtyText(step.dueQty)}
        </div>
      ))}
      {steps.length === 0 && <div>Nothing to trade.</div>}
      {isStopped(follower) && (
        <div class="quiet">It is stopped, so at most exits are sent to it.</div>
      )}
      {state === "offline" && (
        <div class="quiet">Its broker cannot be reached, so the sync is refused.</div>
      )}
    </li>
  );
}
