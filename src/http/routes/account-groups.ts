import type { Gateway } from "../../trading/gateway.ts";
import { presentAccountGroup } from "../present/account-group.ts";
import { accountGroupOf } from "../requests/path-ids.ts";
import { readMembers } from "../requests/read-account-group.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import { ACCOUNT_GROUP, ACCOUNT_GROUP_BODIES } from "../schemas/account-group-examples.ts";
import {
  AccountGroupIdText,
  AccountGroupReply,
  AccountGroupsReply,
  ChangeAccountGroupBody,
  CreateAccountGroupBody,
} from "../schemas/account-group.ts";

const TAG = "Account groups";

/** Accounts that one alert or call goes to. */
export function accountGroupRoutes({ gateway }: { readonly gateway: Gateway }): ApiRoute[] {
  return [...collection(gateway), ...single(gateway)];
}

function collection(gateway: Gateway): ApiRoute[] {
  const shared = { path: "/v1/account-groups", tag: TAG } as const;
  return [
    apiRoute({
      ...shared,
      method: "POST",
      id: "createAccountGroup",
      effect: "change",
      audit: { message: "Account group created" },
      summary: "Let one alert or order go to several accounts",
      description:
        "A webhook with its groupId sends each alert to every account that is on, each in its own quantity and symbols. An account that copies another one of them is refused: what goes to both would be done twice.",
      scope: "trade",
      body: CreateAccountGroupBody,
      bodyExamples: ACCOUNT_GROUP_BODIES,
      replies: [
        {
          status: 201,
          description: "The group",
          schema: AccountGroupReply,
          example: ACCOUNT_GROUP,
        },
      ],
      errors: ["NOT_FOUND", "COPIED_TWICE", "TOO_MANY_ACCOUNT_GROUPS"],
      async handle({ caller, body: { name, members } }) {
        const asked = { name, members: readMembers(members) };
        const group = await gateway.createAccountGroup(caller, asked);
        const changed = { groupId: group.groupId, count: group.members.length };
        return { status: 201, body: presentAccountGroup(group), changed };
      },
    }),
    apiRoute({
      ...shared,
      method: "GET",
      id: "listAccountGroups",
      summary: "List account groups",
      effect: "read",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "Every group, oldest first",
          schema: AccountGroupsReply,
          example: { accountGroups: [ACCOUNT_GROUP] },
        },
      ],
      errors: [],
      async handle({ caller }) {
        const groups = await gateway.listAccountGroups(caller);
        return { status: 200, body: { accountGroups: groups.map(presentAccountGroup) } };
      },
    }),
  ];
}

function single(gateway: Gateway): ApiRoute[] {
  const shared = {
    path: "/v1/account-groups/{groupId}",
    tag: TAG,
    params: { groupId: AccountGroupIdText },
  } as const;
  const replies = [
    { status: 200, description: "The group", schema: AccountGroupReply, example: ACCOUNT_GROUP },
  ];
  return [
    apiRoute({
      ...shared,
      replies,
      method: "GET",
      id: "readAccountGroup",
      summary: "Read an account group",
      effect: "read",
      scope: "read",
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const group = await gateway.findAccountGroup(caller, accountGroupOf(params));
        return { status: 200, body: presentAccountGroup(group) };
      },
    }),
    apiRoute({
      ...shared,
      replies,
      method: "PATCH",
      id: "changeAccountGroup",
      effect: "change",
      audit: { message: "Account group changed" },
      summary: "Change an account group: its name, or all of its accounts",
      description: "What was accepted before stays as it is. The next alert goes to the new ones.",
      scope: "trade",
      body: ChangeAccountGroupBody,
      bodyExamples: { rename: { name: "Funded" } },
      errors: ["NOT_FOUND", "COPIED_TWICE", "CHANGED_MEANWHILE"],
      async handle({ caller, params, body: { name, members } }) {
        const group = await gateway.changeAccountGroup(caller, accountGroupOf(params), {
          ...(name !== undefined && { name }),
          ...(members !== undefined && { members: readMembers(members) }),
        });
        const changed = { groupId: group.groupId, count: group.members.length };
        return { status: 200, body: presentAccountGroup(group), changed };
      },
    }),
    apiRoute({
      ...shared,
      method: "DELETE",
      id: "deleteAccountGroup",
      effect: "change",
      audit: { message: "Account group deleted" },
      summary: "Delete an account group",
      description:
        "Refused while webhooks send their alerts to it. What its accounts hold stays as it is.",
      scope: "trade",
      replies: [{ status: 204, description: "Deleted" }],
      errors: ["NOT_FOUND", "ACCOUNT_GROUP_IN_USE", "CHANGED_MEANWHILE"],
      async handle({ caller, params }) {
        const groupId = accountGroupOf(params);
        await gateway.deleteAccountGroup(caller, groupId);
        return { status: 204, changed: { groupId } };
      },
    }),
  ];
}
