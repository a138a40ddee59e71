import { useEffect, useRef } from "preact/hooks";
import { ActionButton } from "../../parts/action-button.tsx";
import { countText } from "../../parts/figure-text.ts";
import { PageTitle } from "../../parts/page-title.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Stale } from "../../parts/stale.tsx";
import { useAction } from "../../parts/use-action.ts";
import { place } from "../../shell/router.ts";
import { AlertFilters } from "./alert-filters.tsx";
import { type Filter, filterOf, isFiltered } from "./alert-query.ts";
import { AlertTable } from "./alert-table.tsx";
import { type AlertFeed, useAlertFeed } from "./use-alert-feed.ts";
import { useNames } from "./use-names.ts";

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
