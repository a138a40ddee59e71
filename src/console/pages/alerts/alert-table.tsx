import { AccountOf } from "../../parts/account-of.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { go } from "../../shell/router.ts";
import { OutcomeMark } from "./outcome-mark.tsx";
import type { AlertLine } from "./types.ts";
import type { Names } from "./use-names.ts";

const COLUMNS = ["Received", "Outcome", "Asked", "Contract", "Webhook and account", "Result"];

/** Alerts, a line each; each opens the alert's own page. */
export function AlertTable({ alerts, names }: { alerts: readonly AlertLine[]; names: Names }) {
  return (
    <Table look="log" columns={COLUMNS}>
      {alerts.map((alert) => (
        <AlertRow key={alert.alertId} alert={alert} names={names} />
      ))}
    </Table>
  );
}

function AlertRow({ alert, names }: { alert: AlertLine; names: Names }) {
  const { accountId, alertId, outcome, read, reason, symbol, test, times, webhookId } = alert;
  const account = names.accounts.find(({ id }) => id === accountId);
  const webhook = names.webhooks.find(({ id }) => id === webhookId);
  return (
    <tr class="opens" onClick={openUnlessSelecting(alertId)}>
      <th scope="row" data-name="Received">
        <a href={`#/alerts/${alertId}`}>
          <Time at={times.received} />
        </a>
      </th>
      <td data-name="Outcome">
        <OutcomeMark outcome={outcome} />
      </td>
      <td data-name="Asked">
        <span>
          {read ?? <span class="quiet">could not be read</span>}
          {test && outcome !== "test" && " (a test)"}
        </span>
      </td>
      <td data-name="Contract">{symbol ?? <span class="quiet absent">none</span>}</td>
      <td data-name="Webhook and account">
        <div>
          {webhook?.name ?? <span class="mono">{webhookId}</span>}
          <div class="row quiet">
            <AccountOf id={accountId} account={account} />
          </div>
        </div>
      </td>
      <td data-name="Result">{reason ?? ""}</td>
    </tr>
  );
}

/** Who marks text in a row, or follows its link, does not mean to open it. */
const openUnlessSelecting = (alertId: string) => (event: MouseEvent) => {
  const isLink = event.target instanceof Element && event.target.closest("a") !== null;
  if (isLink || getSelection()?.isCollapsed === false) return;
  go(`/alerts/${alertId}`);
};
