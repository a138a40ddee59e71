import { answerOf, api } from "../../api/client.ts";
import { everyPage } from "../../api/every-page.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { CardTable, type Column } from "../../parts/table.tsx";
import { type Rhythm, usePoll } from "../../shell/poll.ts";
import { OutcomeMark } from "./outcome-mark.tsx";
import type { AlertLine, WholeAlert } from "./types.ts";
import type { Names } from "./use-names.ts";

const RHYTHM: Rhythm = { refreshOn: { what: ["alerts"] }, anywayMs: 15_000 };

/** They came in the very moment in which the whole of it came. */
const readParts = async ({ alertId, times, webhookId }: WholeAlert) => {
  const from = times.received;
  const to = new Date(Date.parse(from) + 1).toISOString();
  const lines = await everyPage(async (cursor) => {
    const query = { webhookId, from, to, ...(cursor !== undefined && { cursor }) };
    const { alerts: items, nextCursor } = await answerOf(
      api.GET("/v1/alerts", { params: { query } }),
    );
    return { items, ...(nextCursor !== null && { nextCursor }) };
  });
  return lines.filter(({ partOf }) => partOf === alertId);
};

/** What became of an alert for a group in each of its accounts. */
export function AlertParts({ alert, names }: { alert: WholeAlert; names: Names }) {
  const { answeredAt, data, error } = usePoll(
    `parts of ${alert.alertId}`,
    () => readParts(alert),
    RHYTHM,
  );
  const rows = alert.children.map((part) => ({
    ...part,
    line: data?.find(({ alertId }) => alertId === part.alertId),
  }));
  return (
    <Sheet title="In each account">
      <Stale error={error} since={answeredAt} />
      <CardTable
        rows={rows}
        keyOf={({ alertId }) => alertId}
        columns={columnsOf(names, data !== undefined)}
      />
    </Sheet>
  );
}

interface Row {
  readonly accountId: string;
  readonly alertId: string;
  /** Undefined until it was read, and where it has left the log. */
  readonly line: AlertLine | undefined;
}

const columnsOf = ({ accounts }: Names, isRead: boolean): readonly Column<Row>[] => [
  {
    head: "Account",
    cell: ({ accountId, alertId }) => (
      <a class="row" href={`#/alerts/${alertId}`}>
        <AccountOf id={accountId} accounts={accounts} />
      </a>
    ),
  },
  {
    head: "Outcome",
    cell: ({ line }) => {
      if (line !== undefined) return <OutcomeMark outcome={line.outcome} />;
      return <span class="quiet">{isRead ? "not in the log any more" : "One moment …"}</span>;
    },
  },
  { head: "Asked", cell: ({ line }) => line?.read ?? "" },
  { head: "Contract", cell: ({ line }) => line?.symbol ?? "" },
  { head: "Result", cell: ({ line }) => line?.reason ?? "" },
];
