import type { AlertLine } from "./types.ts";

interface Page {
  readonly alerts: readonly AlertLine[];
  readonly nextCursor: string | null;
}

/** What is shown of the log, newest first, and what waits to be. */
export interface Feed {
  readonly shown: readonly AlertLine[];
  /** Newer than what is shown. */
  readonly waiting: readonly AlertLine[];
  /** Where the next older page begins; undefined when there is none. */
  readonly olderCursor: string | undefined;
}

export const NO_FEED: Feed = { shown: [], waiting: [], olderCursor: undefined };

type FeedEvent =
  | { readonly kind: "subject" }
  | { readonly kind: "page"; readonly page: Page; readonly isReading: boolean }
  | { readonly kind: "older"; readonly page: Page; readonly after: string }
  | { readonly kind: "showNew" };

export function feedAfter(feed: Feed, event: FeedEvent): Feed {
  switch (event.kind) {
    case "subject":
      return NO_FEED;
    case "page":
      return withPage(feed, event.page, event.isReading);
    case "older":
      return withOlder(feed, event.page, event.after);
    case "showNew":
      return { ...feed, shown: [...feed.waiting, ...feed.shown], waiting: [] };
  }
}

function withPage(feed: Feed, { alerts, nextCursor }: Page, isReading: boolean): Feed {
  const known = new Set([...feed.waiting, ...feed.shown].map(({ alertId }) => alertId));
  const isGap =
    known.size > 0 && alerts.length > 0 && !alerts.some((one) => known.has(one.alertId));
  // More came than a page holds: what lies between is not here, so the list begins anew.
  if (known.size === 0 || isGap) {
    return { shown: alerts, waiting: [], olderCursor: nextCursor ?? undefined };
  }
  const newest = new Map(alerts.map((one) => [one.alertId, one]));
  const fresh = (one: AlertLine) => newest.get(one.alertId) ?? one;
  const waiting = [
    ...alerts.filter(({ alertId }) => !known.has(alertId)),
    ...feed.waiting.map(fresh),
  ];
  const shown = feed.shown.map(fresh);
  return isReading
    ? { ...feed, shown, waiting }
    : { ...feed, shown: [...waiting, ...shown], waiting: [] };
}

/** An answer to a question that was asked before the list began anew is passed over. */
function withOlder(feed: Feed, { alerts, nextCursor }: Page, after: string): Feed {
  if (feed.olderCursor !== after) return feed;
  const known = new Set(feed.shown.map(({ alertId }) => alertId));
  const older = alerts.filter(({ alertId }) => !known.has(alertId));
  return { ...feed, shown: [...feed.shown, ...older], olderCursor: nextCursor ?? undefined };
}
