import { useEffect, useReducer } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { usePoll } from "../../shell/poll.ts";
import { type CopyFeed, feedAfter, NO_FEED } from "./copy-feed.ts";
import { type CopyFilter, placeOf } from "./copy-query.ts";

const PAGE = 50;

/** The log of one group by one filter, live. */
export function useCopyFeed(groupId: string, filter: CopyFilter) {
  const ask = (cursor?: string) =>
    answerOf(
      api.GET("/v1/copy-groups/{groupId}/copies", {
        params: {
          path: { groupId },
          query: {
            limit: PAGE,
            ...(filter.accountId !== "" && { accountId: filter.accountId }),
            ...(filter.outcome !== "" && { outcome: filter.outcome }),
            ...(cursor !== undefined && { cursor }),
          },
        },
      }),
    );
  const { answeredAt, data, error } = usePoll(`copies ${placeOf(groupId, filter)}`, () => ask());
  const [feed, tell] = useReducer(feedAfter, NO_FEED);

  useEffect(() => {
    if (data !== undefined) tell({ kind: "newest", page: data });
  }, [data]);

  const readOlder = async () => {
    const { olderCursor: after } = feed;
    if (after !== undefined) tell({ kind: "older", page: await ask(after), after });
  };
  return { ...feed, error, answeredAt, isReady: data !== undefined, readOlder } satisfies CopyFeed &
    Record<string, unknown>;
}
