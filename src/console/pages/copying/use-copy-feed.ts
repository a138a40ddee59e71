import { answerOf, api } from "../../api/client.ts";
import { LOG_PAGE, useLogFeed } from "../../parts/use-log-feed.ts";
import { type CopyFilter, placeOf } from "./copy-query.ts";

/** The log of one group by one filter, live. */
export function useCopyFeed(groupId: string, filter: CopyFilter) {
  return useLogFeed(`copies ${placeOf(groupId, filter)}`, async (cursor) => {
    const { copies: lines, nextCursor } = await answerOf(
      api.GET("/v1/copy-groups/{groupId}/copies", {
        params: {
          path: { groupId },
          query: {
            limit: LOG_PAGE,
            ...(filter.accountId !== "" && { accountId: filter.accountId }),
            ...(filter.outcome !== "" && { outcome: filter.outcome }),
            ...(cursor !== undefined && { cursor }),
          },
        },
      }),
    );
    return { lines, nextCursor };
  });
}
