import { answerOf, api } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { go } from "../../shell/router.ts";
import type { Account, WholeAlert } from "./types.ts";

/** Carries out, as if it came now, an alert of which nothing was sent. */
export function ReplayAlert({
  alert,
  account,
  onClose,
}: {
  alert: WholeAlert;
  account: Account | undefined;
  onClose: () => void;
}) {
  const replay = async () => {
    const params = { path: { alertId: alert.alertId } };
    const answer = await answerOf(api.POST("/v1/alerts/{alertId}/replay", { params }));
    if ("alertId" in answer) go(`/alerts/${answer.alertId}`);
  };
  return (
    <Confirm title="Replay the alert" verb="Carry it out now" onClose={onClose} onConfirm={replay}>
      <p class="row">
        <strong>{account?.name ?? alert.accountId}</strong>
        <span class="mono quiet">{alert.accountId}</span>
        {account !== undefined && <EnvironmentBadge environment={account.environment} />}
      </p>
      <p>
        This is carried out as if it came now, at today's price: <strong>{alert.read}</strong>
      </p>
      <p>
        The webhook's options, the limits and the kill switch hold as they are now. It is done once:
        a second replay answers with the first one.
      </p>
    </Confirm>
  );
}
