import { useEffect, useReducer, useRef } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { countText } from "../../parts/figure-text.ts";
import { PageTitle } from "../../parts/page.tsx";
import { Problem, Stale } from "../../parts/problem.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { type Rhythm, usePoll } from "../../shell/poll.ts";
import { go, place } from "../../shell/router.ts";
import { type Feed, feedAfter, NO_FEED } from "./alert-feed.ts";
import {
  AlertFilters,
  type Filter,
  filterOf,
  isFiltered,
  placeOf,
  questionOf,
} from "./alert-filters.tsx";
import { GoneTo } from "./gone-to.tsx";
import { OutcomeMark } from "./outcome-mark.tsx";
import type { AlertLine } from "./types.ts";
import { type Names, useNames } from "./use-names.ts";

/** The alert log: live, and still while somebody reads further down. */
export function AlertsPage() {
  const filter = filterOf(place.value.query);
  const names = useNames();
  const top = useRef<HTMLDivElement>(null);
  // The list's head has left the window: what is added above it would push away what is read.
  const isReading = () => (top.current?.getBoundingClientRect().top ?? 0) < 0;
  const feed = useAlertFeed(filter, isReading);
  const showNew = () => {
    feed.showNew();
    top.current?.scrollIntoView({ block: "center" });
  };
  useShowAtTop(feed, isReading);
  return (
    <>
      <PageTitle title="Alerts" />
      <Stale error={feed.error} since={feed.answeredAt} />
      <section class="sheet" aria-label="Alert log">
        <AlertFilters filter={filter} names={names} />
        <div ref={top} />
        <p class="unseen" role="status">
          {feed.waiting.length > 0 && countText(feed.waiting.length, "new alert")}
        </p>
        {feed.waiting.length > 0 && (
          <div class="newer">
            <button type="button" class="primary" onClick={showNew}>
              ↑ {feed.waiting.length} new
            </button>
          </div>
        )}
        <Shown feed={feed} filter={filter} names={names} />
      </section>
    </>
  );
}

/** Who scrolls back to the top sees what came meanwhile. */
function useShowAtTop(feed: AlertFeed, isReading: () => boolean): void {
  const { waiting, showNew } = feed;
  useEffect(() => {
    if (waiting.length === 0) return undefined;
    const onScroll = () => isReading() || showNew();
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, [waiting.length]);
}

function Shown({
  feed,
  filter,
  names,
}: {
  feed: AlertFeed;
  filter: Filter;
  names: ReturnType<typeof useNames>;
}) {
  const action = useAction();
  if (!feed.isReady && feed.shown.length === 0) return <p class="empty">One moment …</p>;
  if (feed.shown.length === 0) {
    return (
      <p class="empty">
        {isFiltered(filter)
          ? "No alerts match these filters."
          : "No alerts yet. A webhook's page has the URL and a message to try it with."}
      </p>
    );
  }
  return (
    <>
      <AlertTable alerts={feed.shown} names={names} />
      <div class="foot">
        <Problem error={action.error} />
        {feed.olderCursor === undefined ? (
          <span class="quiet">End of the list.</span>
        ) : (
          <ActionButton
            action={action}
            verb="Older alerts"
            onDo={() => void action.run(feed.readOlder)}
          />
        )}
      </div>
    </>
  );
}

const COLUMNS = ["Received", "Outcome", "Asked", "Contract", "Webhook and account", "Result"];

/** Alerts, a line each; each opens the alert's own page. */
function AlertTable({ alerts, names }: { alerts: readonly AlertLine[]; names: Names }) {
  return (
    <Table look="log" columns={COLUMNS}>
      {alerts.map((alert) => (
        <AlertRow key={alert.alertId} alert={alert} names={names} />
      ))}
    </Table>
  );
}

function AlertRow({ alert, names }: { alert: AlertLine; names: Names }) {
  const { alertId, outcome, read, reason, symbol, test, times, webhookId } = alert;
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
            <GoneTo alert={alert} names={names} />
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

const RHYTHM: Rhythm = { refreshOn: { what: ["alerts"] }, anywayMs: 30_000 };
const PAGE = 50;

interface AlertFeed extends Feed {
  readonly error: Error | undefined;
  readonly answeredAt: number | undefined;
  readonly isReady: boolean;
  /** Puts what came meanwhile on top. */
  readonly showNew: () => void;
  readonly readOlder: () => Promise<void>;
}

/**
 * The log by a filter, newest first and live. While `isReading` what is new is counted and not
 * shown, so that nothing moves under a person's eyes; what becomes of shown alerts shows at once.
 */
function useAlertFeed(filter: Filter, isReading: () => boolean): AlertFeed {
  const subject = placeOf(filter);
  const ask = (cursor?: string) =>
    answerOf(
      api.GET("/v1/alerts", {
        params: {
          query: {
            limit: PAGE,
            ...questionOf(filter, Date.now()),
            ...(cursor !== undefined && { cursor }),
          },
        },
      }),
    );
  const { answeredAt, data, error } = usePoll(subject, ask, RHYTHM);
  const [feed, dispatch] = useReducer(feedAfter, NO_FEED);

  useEffect(() => dispatch({ kind: "subject" }), [subject]);
  useEffect(() => {
    if (data !== undefined) dispatch({ kind: "page", page: data, isReading: isReading() });
  }, [data]);

  const readOlder = async () => {
    if (feed.olderCursor === undefined) return;
    dispatch({ kind: "older", page: await ask(feed.olderCursor), after: feed.olderCursor });
  };
  return {
    ...feed,
    error,
    answeredAt,
    isReady: data !== undefined,
    showNew: () => dispatch({ kind: "showNew" }),
    readOlder,
  };
}
