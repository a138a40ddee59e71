import { presentCopyGroup } from "../present/copy.ts";
import { readFollower } from "../requests/read-copy-group.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  ChangeFollowerBody,
  CopyGroupIdText,
  CopyGroupReply,
  PutFollowerBody,
} from "../schemas/copy-group.ts";
import { AccountIdText } from "../schemas/parts.ts";
import { COPY_GROUP, FOLLOWER_BODIES, FOLLOWER_CHANGES } from "../schemas/copy.ts";
import type { CopyGroupRouteDeps } from "./copy-groups.ts";
import { accountOf, groupOf } from "../requests/path-ids.ts";

/** One account of a copy group. */
export function followerRoutes({
  gateway,
  describeContract: describe,
}: CopyGroupRouteDeps): ApiRoute[] {
  const shared = {
    path: "/v1/copy-groups/{groupId}/followers/{accountId}",
    tag: "Copy trading",
    params: { groupId: CopyGroupIdText, accountId: AccountIdText },
    scope: "trade",
    replies: [
      {
        status: 200,
        description: "The group with it",
        schema: CopyGroupReply,
        example: COPY_GROUP,
      },
    ],
  } as const;
  return [
    apiRoute({
      ...shared,
      method: "PUT",
      id: "putFollower",
      effect: "change",
      audit: { message: "Follower set" },
      summary: "Add a follower, or set all of its terms anew",
      description:
        "Whenever its size, map, symbols or cap become others, it joins anew. One that is stopped stays so until it is resumed.",
      body: PutFollowerBody,
      bodyExamples: FOLLOWER_BODIES,
      errors: ["NOT_FOUND", "COPY_LOOP", "COPIED_TWICE", "CHANGED_MEANWHILE"],
      async handle({ caller, params, body }) {
        const accountId = accountOf(params["accountId"]);
        const groupId = groupOf(params);
        const request = readFollower(body);
        const view = await gateway.putFollower(caller, groupId, accountId, request);
        return {
          status: 200,
          body: presentCopyGroup(view, describe),
          changed: { groupId, accountId },
        };
      },
    }),
    apiRoute({
      ...shared,
      method: "PATCH",
      id: "changeFollower",
      effect: "change",
      audit: { message: "Follower changed" },
      summary: "Change a follower, switch it on or off, or resume it",
      body: ChangeFollowerBody,
      bodyExamples: FOLLOWER_CHANGES,
      errors: ["NOT_FOUND", "CHANGED_MEANWHILE"],
      async handle({ caller, params, body }) {
        const accountId = accountOf(params["accountId"]);
        const groupId = groupOf(params);
        const change = readFollower(body);
        const view = await gateway.changeFollower(caller, groupId, accountId, change);
        return {
          status: 200,
          body: presentCopyGroup(view, describe),
          changed: { groupId, accountId },
        };
      },
    }),
    apiRoute({
      ...shared,
      method: "DELETE",
      id: "removeFollower",
      effect: "change",
      audit: { message: "Follower removed" },
      summary: "Let an account follow no more",
      description: "What it holds stays as it is.",
      errors: ["NOT_FOUND", "CHANGED_MEANWHILE"],
      async handle({ caller, params }) {
        const accountId = accountOf(params["accountId"]);
        const groupId = groupOf(params);
        const view = await gateway.removeFollower(caller, groupId, accountId);
        return {
          status: 200,
          body: presentCopyGroup(view, describe),
          changed: { groupId, accountId },
        };
      },
    }),
  ];
}
