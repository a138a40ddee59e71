import { useEffect, useReducer } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { type Rhythm, usePoll } from "../../shell/poll.ts";
import { type Filter, placeOf, questionOf } from "./alert-query.ts";
import { type Feed, feedAfter, NO_FEED } from "./alert-feed.ts";

const RHYTHM: Rhythm = { hears: { what: ["alerts"] }, anywayMs: 30_000 };
const PAGE = 50;

export interface AlertFeed extends Feed {
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
export function useAlertFeed(filter: Filter, isReading: () => boolean): AlertFeed {
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
  const [feed, tell] = useReducer(feedAfter, NO_FEED);

  useEffect(() => tell({ kind: "subject" }), [subject]);
  useEffect(() => {
    if (data !== undefined) tell({ kind: "page", page: data, isReading: isReading() });
  }, [data]);

  const readOlder = async () => {
    if (feed.olderCursor === undefined) return;
    tell({ kind: "older", page: await ask(feed.olderCursor), after: feed.olderCursor });
  };
  return {
    ...feed,
    error,
    answeredAt,
    isReady: data !== undefined,
    showNew: () => tell({ kind: "showNew" }),
    readOlder,
  };
}
