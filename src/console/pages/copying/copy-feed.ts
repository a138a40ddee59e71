import type { Copy } from "./types.ts";

interface Page {
  readonly copies: readonly Copy[];
  readonly nextCursor: string | null;
}

/** What is shown of the copy log, newest first. */
export interface CopyFeed {
  readonly shown: readonly Copy[];
  /** Where the next older page begins; undefined when there is none. */
  readonly olderCursor: string | undefined;
  /** Whether older pages were read too. */
  readonly isLonger: boolean;
}

export const NO_FEED: CopyFeed = { shown: [], olderCursor: undefined, isLonger: false };

type Told =
  /** The newest page, read again. */
  | { readonly kind: "newest"; readonly page: Page }
  /** The page that begins at the cursor. */
  | { readonly kind: "older"; readonly page: Page; readonly after: string };

export function feedAfter(feed: CopyFeed, told: Told): CopyFeed {
  return told.kind === "newest"
    ? withNewest(feed, told.page)
    : withOlder(feed, told.page, told.after);
}

/** What the page holds stands as it is now; what was read of older ones stays below it. */
function withNewest(feed: CopyFeed, { copies, nextCursor }: Page): CopyFeed {
  const anew = { shown: copies, olderCursor: nextCursor ?? undefined, isLonger: false };
  if (nextCursor === null) return anew;
  const last = copies.at(-1);
  // A page of a filter may be empty although older ones are not.
  if (last === undefined && feed.isLonger) return feed;
  const at = feed.shown.findIndex(({ id }) => id === last?.id);
  // At first, and where more came than a page holds: what lies between is not here.
  if (at === -1) return anew;
  return { ...feed, shown: [...copies, ...feed.shown.slice(at + 1)] };
}

/** An answer to a question that was asked before the list began anew is passed over. */
function withOlder(feed: CopyFeed, { copies, nextCursor }: Page, after: string): CopyFeed {
  if (feed.olderCursor !== after) return feed;
  const known = new Set(feed.shown.map(({ id }) => id));
  const older = copies.filter(({ id }) => !known.has(id));
  const olderCursor = nextCursor ?? undefined;
  return { shown: [...feed.shown, ...older], olderCursor, isLonger: true };
}
