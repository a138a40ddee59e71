import type { Gateway } from "../../trading/gateway.ts";
import { presentCopyGroup } from "../present/copy.ts";
import { readGroupTerms, readNewGroup } from "../requests/read-copy-group.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  ChangeCopyGroupBody,
  CopyGroupIdText,
  CopyGroupReply,
  CopyGroupsReply,
  CreateCopyGroupBody,
} from "../schemas/copy-group.ts";
import { COPY_GROUP, COPY_GROUP_BODIES } from "../schemas/copy.ts";
import { groupOf } from "../requests/path-ids.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

export interface CopyGroupRouteDeps {
  readonly gateway: Gateway;
  readonly describeContract: DescribeContract;
}

const TAG = "Copy trading";

/** Who follows whom. */
export function copyGroupRoutes(deps: CopyGroupRouteDeps): ApiRoute[] {
  return [...collection(deps), ...single(deps)];
}

function collection({ gateway, describeContract: describe }: CopyGroupRouteDeps): ApiRoute[] {
  const shared = { path: "/v1/copy-groups", tag: TAG } as const;
  return [
    apiRoute({
      ...shared,
      method: "POST",
      id: "createCopyGroup",
      effect: "change",
      audit: { message: "Copy group created" },
      summary: "Let accounts follow another one",
      description:
        "An account follows one leader only, and one that leads follows nobody. What the leader holds already is not opened by its followers: they join once it was flat, or by a sync.",
      scope: "trade",
      body: CreateCopyGroupBody,
      bodyExamples: COPY_GROUP_BODIES,
      replies: [
        { status: 201, description: "The group", schema: CopyGroupReply, example: COPY_GROUP },
      ],
      errors: [
        "NOT_FOUND",
        "COPY_LOOP",
        "COPIED_TWICE",
        "CHANGED_MEANWHILE",
        "TOO_MANY_COPY_GROUPS",
      ],
      async handle({ caller, body }) {
        const view = await gateway.createCopyGroup(caller, readNewGroup(body));
        const { groupId, leader: accountId } = view.group;
        const changed = { groupId, accountId };
        return { status: 201, body: presentCopyGroup(view, describe), changed };
      },
    }),
    apiRoute({
      ...shared,
      method: "GET",
      id: "listCopyGroups",
      summary: "List copy groups, and how each follower stands",
      effect: "read",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "Every group",
          schema: CopyGroupsReply,
          example: { copyGroups: [COPY_GROUP] },
        },
      ],
      errors: [],
      async handle({ caller }) {
        const views = await gateway.listCopyGroups(caller);
        const copyGroups = views.map((view) => presentCopyGroup(view, describe));
        return { status: 200, body: { copyGroups } };
      },
    }),
  ];
}

function single({ gateway, describeContract: describe }: CopyGroupRouteDeps): ApiRoute[] {
  const shared = {
    path: "/v1/copy-groups/{groupId}",
    tag: TAG,
    params: { groupId: CopyGroupIdText },
  } as const;
  const replies = [
    { status: 200, description: "The group", schema: CopyGroupReply, example: COPY_GROUP },
  ];
  return [
    apiRoute({
      ...shared,
      replies,
      method: "GET",
      id: "readCopyGroup",
      summary: "Read a copy group, and how each follower stands",
      effect: "read",
      scope: "read",
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const view = await gateway.findCopyGroup(caller, groupOf(params));
        return { status: 200, body: presentCopyGroup(view, describe) };
      },
    }),
    apiRoute({
      ...shared,
      replies,
      method: "PATCH",
      id: "changeCopyGroup",
      effect: "change",
      audit: { message: "Copy group changed" },
      summary: "Change a copy group, pause it or resume it",
      description:
        "Followers of a group that is resumed begin anew: what the leader opened meanwhile is not opened by them.",
      scope: "trade",
      body: ChangeCopyGroupBody,
      bodyExamples: { pause: { paused: true }, repair: { driftPolicy: "repair" } },
      errors: ["NOT_FOUND", "CHANGED_MEANWHILE"],
      async handle({ caller, params, body }) {
        const change = readGroupTerms(body);
        const groupId = groupOf(params);
        const view = await gateway.changeCopyGroup(caller, groupId, change);
        const changed = { groupId, state: view.group.paused ? "paused" : "active" };
        return { status: 200, body: presentCopyGroup(view, describe), changed };
      },
    }),
    apiRoute({
      ...shared,
      method: "DELETE",
      id: "deleteCopyGroup",
      effect: "change",
      audit: { message: "Copy group deleted" },
      summary: "Delete a copy group",
      description: "Nothing is copied any more. What its accounts hold stays as it is.",
      scope: "trade",
      replies: [{ status: 204, description: "Deleted" }],
      errors: ["NOT_FOUND", "CHANGED_MEANWHILE"],
      async handle({ caller, params }) {
        const groupId = groupOf(params);
        await gateway.deleteCopyGroup(caller, groupId);
        return { status: 204, changed: { groupId } };
      },
    }),
  ];
}
