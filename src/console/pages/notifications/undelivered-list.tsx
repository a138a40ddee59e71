import { useState } from "preact/hooks";
import { EVENTS } from "../../../domain/notify/event.ts";
import { answerOf, api } from "../../api/client.ts";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { countText } from "../../parts/figure-text.ts";
import { LOG_PAGE, LogFoot, useLogFeed } from "../../parts/log.tsx";
import { Sheet } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { Failure } from "./destination-state.tsx";
import type { Undelivered } from "./types.ts";

type Line = Undelivered & { readonly id: string };

async function readPage(id: string, cursor?: string) {
  const query = { limit: LOG_PAGE, ...(cursor !== undefined && { cursor }) };
  const { undelivered, nextCursor } = await answerOf(
    api.GET("/v1/destinations/{id}/undelivered", { params: { path: { id }, query } }),
  );
  return { lines: undelivered.map((one): Line => ({ ...one, id: one.event.data.id })), nextCursor };
}

/** What was given up: sent again, or forgotten, one by one or all. */
export function UndeliveredList({
  id,
  count,
  refresh,
}: {
  id: string;
  count: number;
  refresh: () => void;
}) {
  // Read anew when one more was given up, or some were sent again.
  const feed = useLogFeed(`undelivered ${id} ${count}`, (cursor) => readPage(id, cursor));
  const [forgotten, setForgotten] = useState<readonly Line[] | "all">();
  const action = useAction();
  const path = { id };
  const replay = (body: { all: true } | { events: string[] }) =>
    void action.run(async () => {
      const url = "/v1/destinations/{id}/undelivered/replay";
      await answerOf(api.POST(url, { params: { path }, body }));
      refresh();
    });
  const discard = async (lines: readonly Line[] | "all") => {
    const query =
      lines === "all"
        ? ({ all: "true" } as const)
        : { events: lines.map((line) => line.id).join() };
    await answerOf(api.DELETE("/v1/destinations/{id}/undelivered", { params: { path, query } }));
    refresh();
  };
  const columns: readonly Column<Line>[] = [
    ...COLUMNS,
    {
      head: ACTS,
      look: "acts",
      cell: (line) => (
        <div class="actions end">
          <button
            type="button"
            class="small"
            disabled={action.isRunning}
            onClick={() => replay({ events: [line.id] })}
          >
            Send again<span class="unseen"> {line.event.data.message}</span>
          </button>
          <button type="button" class="small danger" onClick={() => setForgotten([line])}>
            Forget<span class="unseen"> {line.event.data.message}</span>
          </button>
        </div>
      ),
    },
  ];
  const shown = count === 0 ? [] : feed.shown;
  return (
    <Sheet
      title="Undelivered"
      end={
        count > 0 && (
          <div class="actions">
            <ActionButton
              action={action}
              look="small"
              verb="Send all again"
              onDo={() => replay({ all: true })}
            />
            <button type="button" class="small danger" onClick={() => setForgotten("all")}>
              Forget all
            </button>
          </div>
        )
      }
    >
      <Problem error={action.error} />
      {shown.length === 0 ? (
        <p class="empty">
          {count === 0 ? "Everything arrived, or is still tried." : "One moment …"}
        </p>
      ) : (
        <>
          <CardTable rows={shown} keyOf={(line) => line.id} columns={columns} />
          <LogFoot feed={{ ...feed, shown }} verb="Older ones" />
        </>
      )}
      {forgotten !== undefined && (
        <Confirm
          title="Forget what did not arrive"
          verb="Forget it"
          onConfirm={() => discard(forgotten)}
          onClose={() => setForgotten(undefined)}
        >
          <p>
            {countText(forgotten === "all" ? count : forgotten.length, "event")} will never be told
            here. Nothing else changes.
          </p>
        </Confirm>
      )}
    </Sheet>
  );
}

const COLUMNS: readonly Column<Line>[] = [
  { head: "Event", cell: ({ event: { type } }) => EVENTS[type].title },
  { head: "What happened", cell: ({ event: { data } }) => data.message },
  { head: "When", cell: ({ event: { timestamp } }) => <Time at={timestamp} /> },
  { head: "Why it did not arrive", cell: (line) => <Failure failure={line} /> },
  { head: { figure: "Attempts" }, cell: ({ attempts }) => attempts },
];
