import { presentCopy, presentSync } from "../present/copy.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import { COPIES, CopiesQuery, CopiesReply, SYNCED, SyncedReply } from "../schemas/copy.ts";
import { CopyGroupIdText, SyncCopyGroupBody } from "../schemas/copy-group.ts";
import type { CopyGroupRouteDeps } from "./copy-groups.ts";
import { accountOf, groupOf } from "../requests/path-ids.ts";

/** What was copied, and copying now. */
export function copyRoutes({
  gateway,
  describeContract: describe,
}: CopyGroupRouteDeps): ApiRoute[] {
  const shared = { tag: "Copy trading", params: { groupId: CopyGroupIdText } } as const;
  return [
    apiRoute({
      ...shared,
      method: "POST",
      path: "/v1/copy-groups/{groupId}/sync",
      id: "syncCopyGroup",
      effect: "change",
      audit: { message: "Followers brought in line" },
      summary: "Bring followers to what the leader's position comes to, now",
      description:
        "At the market. Followers that are joining follow in everything afterwards; to one that is stopped only exits are copied.",
      scope: "trade",
      body: SyncCopyGroupBody,
      bodyMayBeAbsent: true,
      bodyExamples: { all: {}, one: { accountId: "paper-3" } },
      replies: [
        {
          status: 202,
          description: "What is on its way; GET …/copies tells what became of it",
          schema: SyncedReply,
          example: SYNCED,
        },
      ],
      errors: ["NOT_FOUND", "COPY_PAUSED", "BROKER_UNAVAILABLE"],
      async handle({ caller, params, body: { accountId } }) {
        const account = accountId === undefined ? undefined : accountOf(accountId);
        const groupId = groupOf(params);
        const copies = await gateway.syncCopyGroup(caller, groupId, account);
        const body = { copies: copies.map((copy) => presentSync(copy, describe)) };
        return { status: 202, body, changed: { groupId, count: copies.length } };
      },
    }),
    apiRoute({
      ...shared,
      method: "GET",
      path: "/v1/copy-groups/{groupId}/copies",
      id: "listCopies",
      summary: "List copies and what became of each, newest first",
      description:
        "Of all accounts that follow now, or of one that follows or followed. The newest 10,000 of each are kept.",
      effect: "read",
      scope: "read",
      query: CopiesQuery,
      replies: [
        { status: 200, description: "A page of copies", schema: CopiesReply, example: COPIES },
      ],
      errors: ["NOT_FOUND"],
      async handle({ caller, params, query: { accountId, ...query } }) {
        const { items, nextCursor = null } = await gateway.listCopies(caller, groupOf(params), {
          ...query,
          ...(accountId !== undefined && { accountId: accountOf(accountId) }),
        });
        const copies = items.map((copy) => presentCopy(copy, describe));
        return { status: 200, body: { copies, nextCursor } };
      },
    }),
  ];
}
