interface Logged {
  readonly id: string;
}

export interface LogPage<Line extends Logged> {
  readonly lines: readonly Line[];
  readonly nextCursor: string | null;
}

/** What is shown of a log, newest first. */
export interface LogFeed<Line extends Logged> {
  readonly shown: readonly Line[];
  /** Where the next older page begins; undefined when there is none. */
  readonly olderCursor: string | undefined;
  /** Whether older pages were read too. */
  readonly isLonger: boolean;
}

export const NO_FEED: LogFeed<never> = { shown: [], olderCursor: undefined, isLonger: false };

export type FeedEvent<Line extends Logged> =
  /** The newest page, read again. */
  | { readonly kind: "newest"; readonly page: LogPage<Line> }
  /** The page that begins at the cursor. */
  | { readonly kind: "older"; readonly page: LogPage<Line>; readonly after: string };

export function feedAfter<Line extends Logged>(
  feed: LogFeed<Line>,
  event: FeedEvent<Line>,
): LogFeed<Line> {
  return event.kind === "newest"
    ? withNewest(feed, event.page)
    : withOlder(feed, event.page, event.after);
}

/** What the page holds stands as it is now; what was read of older ones stays below it. */
function withNewest<Line extends Logged>(
  feed: LogFeed<Line>,
  { lines, nextCursor }: LogPage<Line>,
): LogFeed<Line> {
  const anew = { shown: lines, olderCursor: nextCursor ?? undefined, isLonger: false };
  if (nextCursor === null) return anew;
  const last = lines.at(-1);
  // A page of a filter may be empty although older ones are not.
  if (last === undefined && feed.isLonger) return feed;
  const at = feed.shown.findIndex(({ id }) => id === last?.id);
  // At first, and where more came than a page holds: what lies between is not here.
  if (at === -1) return anew;
  return { ...feed, shown: [...lines, ...feed.shown.slice(at + 1)] };
}

/** An answer to a question that was asked before the list began anew is passed over. */
function withOlder<Line extends Logged>(
  feed: LogFeed<Line>,
  { lines, nextCursor }: LogPage<Line>,
  after: string,
): LogFeed<Line> {
  if (feed.olderCursor !== after) return feed;
  const known = new Set(feed.shown.map(({ id }) => id));
  const older = lines.filter(({ id }) => !known.has(id));
  const olderCursor = nextCursor ?? undefined;
  return { shown: [...feed.shown, ...older], olderCursor, isLonger: true };
}
