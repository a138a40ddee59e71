import type { Gateway } from "../../trading/gateway.ts";
import { presentAccount } from "../present/account.ts";
import { presentKillSwitch, presentUser } from "../present/settings.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  AccountsQuery,
  AccountsReply,
  KillSwitchBody,
  KillSwitchReply,
  LimitsBody,
  LimitsReply,
  UserReply,
} from "../schemas/account.ts";
import { AccountIdText } from "../schemas/parts.ts";
import { ACCOUNTS, KILL_SWITCH, LIMITS, USER } from "../schemas/examples.ts";
import { accountOf } from "../requests/path-ids.ts";

/** Accounts, what they may do, and whose they are. */
export function accountRoutes({ gateway }: { readonly gateway: Gateway }): ApiRoute[] {
  return [...listings(gateway), ...limits(gateway), ...killSwitch(gateway)];
}

function listings(gateway: Gateway): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/v1/accounts",
      id: "listAccounts",
      tag: "Accounts",
      summary: "List connected accounts",
      description:
        "In the order of their ids, which stays while accounts are added. All of them in one answer, unless there are more than limit: nextCursor leads to the rest.",
      effect: "read",
      scope: "read",
      query: AccountsQuery,
      replies: [
        {
          status: 200,
          description: "Every account, or a page of them",
          schema: AccountsReply,
          example: ACCOUNTS,
        },
      ],
      errors: [],
      async handle({ caller, query }) {
        const { items, nextCursor } = await gateway.listAccounts(caller, query);
        const accounts = items.map(presentAccount);
        return { status: 200, body: { accounts, ...(nextCursor !== undefined && { nextCursor }) } };
      },
    }),
    apiRoute({
      method: "GET",
      path: "/v1/user",
      id: "readUser",
      tag: "Accounts",
      summary: "Who the API key belongs to",
      effect: "read",
      scope: "read",
      replies: [{ status: 200, description: "The user", schema: UserReply, example: USER }],
      errors: [],
      handle: async ({ caller }) => ({
        status: 200,
        body: presentUser(await gateway.readUser(caller)),
      }),
    }),
  ];
}

function limits(gateway: Gateway): ApiRoute[] {
  const shared = {
    path: "/v1/accounts/{id}/limits",
    tag: "Limits",
    params: { id: AccountIdText },
    replies: [{ status: 200, description: "The limits", schema: LimitsReply, example: LIMITS }],
    errors: ["NOT_FOUND"],
  } as const;
  return [
    apiRoute({
      ...shared,
      method: "GET",
      id: "readLimits",
      summary: "Read what the account may do at most",
      effect: "read",
      scope: "read",
      handle: async ({ caller, params }) => ({
        status: 200,
        body: await gateway.readLimits(caller, accountOf(params["id"])),
      }),
    }),
    apiRoute({
      ...shared,
      method: "PUT",
      id: "changeLimits",
      effect: "change",
      audit: { message: "Limits changed" },
      summary: "Change what the account may do at most",
      description:
        "Lowering a limit needs the scope trade alone. Raising one, and setting entriesWithoutCancel, needs manage too.",
      scope: "trade",
      body: LimitsBody,
      bodyExamples: { one: { maxOrderQty: 5 } },
      async handle({ caller, params, body }) {
        const accountId = accountOf(params["id"]);
        const limits = await gateway.changeLimits(caller, accountId, body);
        return { status: 200, body: limits, changed: { accountId } };
      },
    }),
  ];
}

function killSwitch(gateway: Gateway): ApiRoute[] {
  const shared = {
    path: "/v1/kill-switch",
    tag: "Limits",
    replies: [
      { status: 200, description: "The switches", schema: KillSwitchReply, example: KILL_SWITCH },
    ],
  } as const;
  return [
    apiRoute({
      ...shared,
      method: "GET",
      id: "readKillSwitch",
      summary: "Read the kill switch of all accounts and of each",
      effect: "read",
      scope: "read",
      errors: [],
      handle: async ({ caller }) => ({
        status: 200,
        body: presentKillSwitch(await gateway.readKillSwitch(caller)),
      }),
    }),
    apiRoute({
      ...shared,
      method: "PUT",
      id: "changeKillSwitch",
      reserve: ({ active }) => active,
      effect: "change",
      audit: { message: "Kill switch changed" },
      summary: "Stop, or allow again, everything that opens or grows a position",
      description:
        "Switching it on cancels resting entries too. Exits are always let through. It survives restarts. Switching it off needs the scope manage too.",
      scope: "trade",
      body: KillSwitchBody,
      bodyExamples: { all: { active: true, reason: "news" } },
      errors: ["NOT_FOUND"],
      async handle({ caller, body: { accountId, ...change } }) {
        const account = accountId === undefined ? {} : { accountId: accountOf(accountId) };
        const view = await gateway.changeKillSwitch(caller, { ...change, ...account });
        const { active, reason } = change;
        const state = active ? "on" : "off";
        const changed = { state, ...account, ...(reason !== undefined && { reason }) };
        return { status: 200, body: presentKillSwitch(view), changed };
      },
    }),
  ];
}
