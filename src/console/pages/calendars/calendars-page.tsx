import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { NotTold } from "../../parts/age.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { ageText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { PageTitle } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { usePoll } from "../../shell/poll.ts";
import { CalendarForm, SavedNotice } from "./calendar-form.tsx";

type Calendar = components["schemas"]["CalendarSummary"];
type Saved = components["schemas"]["SavedCalendar"];

type Asked =
  | { readonly what: "add" }
  | { readonly what: "replace" | "delete"; readonly calendar: Calendar };

/** What rules about news know: files that a person gives, and nothing that is fetched. */
export function CalendarsPage() {
  const { answeredAt, data, error, refresh } = usePoll(
    "calendars",
    async () => (await answerOf(api.GET("/v1/calendars"))).calendars,
    { everyMs: 30_000 },
  );
  const [asked, setAsked] = useState<Asked>();
  const [saved, setSaved] = useState<Saved>();
  const onClose = () => setAsked(undefined);
  const onSaved = (next: Saved) => {
    setSaved(next);
    refresh();
    onClose();
  };
  return (
    <>
      <PageTitle title="Calendars">
        <span class="row">
          <a href="#/accounts">All accounts</a>
          <button type="button" class="primary" onClick={() => setAsked({ what: "add" })}>
            Add a calendar
          </button>
        </span>
      </PageTitle>
      <p class="quiet">
        Rules about news look events up here. A calendar is a file that you give; the gateway
        fetches none, so replace it before its last event is over.
      </p>
      <Stale error={error} since={answeredAt} />
      {saved !== undefined && <SavedNotice saved={saved} />}
      <section class="sheet" aria-label="Calendars">
        {data === undefined && error === undefined && <p class="empty">One moment …</p>}
        {data?.length === 0 && <p class="empty">No calendar yet.</p>}
        {data !== undefined && data.length > 0 && (
          <CardTable rows={data} keyOf={({ name }) => name} columns={columnsOf(setAsked)} />
        )}
      </section>
      {asked?.what === "add" && <CalendarForm onSaved={onSaved} onClose={onClose} />}
      {asked?.what === "replace" && (
        <CalendarForm name={asked.calendar.name} onSaved={onSaved} onClose={onClose} />
      )}
      {asked?.what === "delete" && (
        <DeleteCalendar calendar={asked.calendar} onDone={refresh} onClose={onClose} />
      )}
    </>
  );
}

const columnsOf = (onAsk: (asked: Asked) => void): readonly Column<Calendar>[] => [
  { head: "Name", cell: ({ name }) => name },
  {
    head: "State",
    cell: ({ expiresAt, isExpired }) => (
      <div class="stack">
        {isExpired ? <Mark tone="bad">Expired</Mark> : <Mark tone="good">Current</Mark>}
        <span class="quiet">
          {isExpired ? "since" : "until"} <Time at={expiresAt} />
        </span>
      </div>
    ),
  },
  {
    head: "Next event",
    cell: ({ nextEvent }) =>
      nextEvent === null ? (
        <NotTold why="None is to come" />
      ) : (
        <div class="stack">
          {nextEvent.title}
          <span class="quiet">
            <Time at={nextEvent.start} />
          </span>
        </div>
      ),
  },
  {
    head: "Last event",
    cell: ({ lastEventAt }) =>
      lastEventAt === null ? <NotTold why="It has no event" /> : <Time at={lastEventAt} />,
  },
  { head: { figure: "Events" }, cell: ({ eventCount }) => eventCount },
  { head: "Age", cell: ({ ageSeconds }) => ageText(ageSeconds * 1_000) },
  {
    head: ACTS,
    cell: (calendar) => (
      <div class="actions">
        <button type="button" class="small" onClick={() => onAsk({ what: "replace", calendar })}>
          Replace …<span class="unseen"> {calendar.name}</span>
        </button>
        <button
          type="button"
          class="small danger"
          onClick={() => onAsk({ what: "delete", calendar })}
        >
          Delete …<span class="unseen"> {calendar.name}</span>
        </button>
      </div>
    ),
  },
];

function DeleteCalendar({
  calendar: { name },
  onDone,
  onClose,
}: {
  calendar: Calendar;
  onDone: () => void;
  onClose: () => void;
}) {
  const remove = async () => {
    const params = { path: { name } };
    await answerOf(api.DELETE("/v1/calendars/{name}", { params }));
    onDone();
  };
  return (
    <Confirm title="Delete the calendar" verb="Delete it" onConfirm={remove} onClose={onClose}>
      <p>
        <strong>{name}</strong>
      </p>
      <p>
        A rule that names it knows no news any more: it refuses entries, or only tells it, as you
        have set it for that case.
      </p>
    </Confirm>
  );
}
