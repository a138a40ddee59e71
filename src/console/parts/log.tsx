import { useEffect, useReducer } from "preact/hooks";
import { type Rhythm, usePoll } from "../shell/poll.ts";
import { ActionButton, useAction } from "./action.tsx";
import { type FeedEvent, feedAfter, type LogFeed, type LogPage, NO_FEED } from "./log-feed.ts";
import { Problem } from "./problem.tsx";

const RHYTHM: Rhythm = { refreshOn: { what: ["overview"] }, anywayMs: 15_000 };

/** As many lines as are asked for at once. */
export const LOG_PAGE = 50;

interface LiveLog<Line extends { readonly id: string }> extends LogFeed<Line> {
  readonly error: Error | undefined;
  readonly answeredAt: number | undefined;
  readonly isReady: boolean;
  readonly readOlder: () => Promise<void>;
}

/**
 * A log, live. `ask` reads the page that begins at a cursor, or the newest one. Another subject
 * needs another key of the component: what is shown of the one before would stay.
 */
export function useLogFeed<Line extends { readonly id: string }>(
  subject: string,
  ask: (cursor?: string) => Promise<LogPage<Line>>,
  rhythm = RHYTHM,
): LiveLog<Line> {
  const { answeredAt, data, error } = usePoll(subject, () => ask(), rhythm);
  const [feed, dispatch] = useReducer<LogFeed<Line>, FeedEvent<Line>>(feedAfter, NO_FEED);

  useEffect(() => {
    if (data !== undefined) dispatch({ kind: "newest", page: data });
  }, [data]);

  const readOlder = async () => {
    const { olderCursor: after } = feed;
    if (after !== undefined) dispatch({ kind: "older", page: await ask(after), after });
  };
  return { ...feed, error, answeredAt, isReady: data !== undefined, readOlder };
}

/** The end of a log: the way to what is older, or that there is nothing more. */
export function LogFoot({
  feed: { olderCursor, readOlder, shown },
  verb,
}: {
  feed: Pick<LiveLog<{ readonly id: string }>, "olderCursor" | "readOlder" | "shown">;
  /** What the button says: "Older copies". */
  verb: string;
}) {
  const action = useAction();
  return (
    <div class="foot">
      <Problem error={action.error} />
      {olderCursor !== undefined && (
        <ActionButton action={action} verb={verb} onDo={() => void action.run(readOlder)} />
      )}
      {olderCursor === undefined && shown.length > 0 && <span class="quiet">End of the list.</span>}
    </div>
  );
}
