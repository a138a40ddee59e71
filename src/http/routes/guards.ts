import type { Gateway } from "../../trading/gateway.ts";
import { presentGuardHistory, presentGuards } from "../present/guards.ts";
import { accountOf } from "../requests/path-ids.ts";
import { type IsRoot, readGuards, readLock } from "../requests/read-guards.ts";
import { type ApiRoute, apiRoute, type PersonRoute, personRoute } from "../route.ts";
import { GUARD_HISTORY, GUARDS, PUT_GUARDS } from "../schemas/guard-examples.ts";
import {
  GuardHistoryQuery,
  GuardHistoryReply,
  GuardsReply,
  LockAccountBody,
  PutGuardsBody,
  UnlockAccountBody,
} from "../schemas/guards.ts";
import { AccountIdText } from "../schemas/parts.ts";

export interface GuardRouteDeps {
  readonly gateway: Gateway;
  readonly isRoot: IsRoot;
}

const SHARED = { tag: "Guards", params: { id: AccountIdText } } as const;
const PATH = "/v1/accounts/{id}/guards";
const REPLIES = [
  { status: 200, description: "The guards", schema: GuardsReply, example: GUARDS },
] as const;

/** What of an account must not happen, and how near it is. */
export function guardRoutes(deps: GuardRouteDeps): ApiRoute[] {
  return [readRoute(deps), changeRoute(deps), lockRoute(deps), historyRoute(deps)];
}

function readRoute({ gateway }: GuardRouteDeps): ApiRoute {
  return apiRoute({
    ...SHARED,
    method: "GET",
    path: PATH,
    id: "readGuards",
    summary: "Read an account's guards, how near each is, and its lock",
    effect: "read",
    scope: "read",
    replies: REPLIES,
    errors: ["NOT_FOUND"],
    async handle({ caller, params }) {
      const accountId = accountOf(params["id"]);
      const view = await gateway.readGuards(caller, accountId);
      return { status: 200, body: presentGuards(accountId, view) };
    },
  });
}

function changeRoute(deps: GuardRouteDeps): ApiRoute {
  return apiRoute({
    ...SHARED,
    method: "PUT",
    path: PATH,
    id: "changeGuards",
    effect: "change",
    audit: { message: "Guards changed" },
    summary: "Set all guards of an account",
    description:
      "In place of those that stand. Tightening them needs the scope trade alone; loosening needs manage too, and of a hard rule it counts from the next trading day on. What would lock the account at once is refused, with the figures in details, unless locksNow is true.",
    scope: "trade",
    body: PutGuardsBody,
    bodyExamples: PUT_GUARDS,
    replies: REPLIES,
    errors: ["NOT_FOUND", "GUARDS_CHANGED", "WOULD_LOCK_NOW"],
    async handle({ caller, params, body }) {
      const accountId = accountOf(params["id"]);
      const change = readGuards(body, (text) => deps.isRoot(text));
      const view = await deps.gateway.changeGuards(caller, accountId, change);
      const count = change.settings.rules.length;
      return { status: 200, body: presentGuards(accountId, view), changed: { accountId, count } };
    },
  });
}

function lockRoute({ gateway }: GuardRouteDeps): ApiRoute {
  return apiRoute({
    ...SHARED,
    method: "POST",
    path: `${PATH}/lock`,
    id: "lockAccount",
    reserve: "exits",
    effect: "change",
    audit: { message: "Account locked" },
    summary: "Let nothing into an account from now on",
    description:
      "Exits are always let through. It survives restarts, and nothing that the account wins ends it. A lock that stands and is stricter stays.",
    scope: "trade",
    body: LockAccountBody,
    bodyMayBeAbsent: true,
    bodyExamples: {
      untilTomorrow: {},
      flat: { then: "flatten", lock: "hard", reason: "Enough for today" },
    },
    replies: REPLIES,
    errors: ["NOT_FOUND"],
    async handle({ caller, params, body }) {
      const accountId = accountOf(params["id"]);
      const request = readLock(body, caller.receivedAt);
      const view = await gateway.lockAccount(caller, accountId, request);
      const { lock, then, reason } = request;
      const changed = { accountId, state: lock, kind: then, ...(reason && { reason }) };
      return { status: 200, body: presentGuards(accountId, view), changed };
    },
  });
}

function historyRoute({ gateway }: GuardRouteDeps): ApiRoute {
  return apiRoute({
    ...SHARED,
    method: "GET",
    path: `${PATH}/history`,
    id: "listGuardDecisions",
    summary: "List what an account's guards decided, or would have, newest first",
    effect: "read",
    scope: "read",
    query: GuardHistoryQuery,
    replies: [
      {
        status: 200,
        description: "A page of decisions",
        schema: GuardHistoryReply,
        example: GUARD_HISTORY,
      },
    ],
    errors: ["NOT_FOUND"],
    async handle({ caller, params, query }) {
      const page = await gateway.readGuardHistory(caller, accountOf(params["id"]), query);
      return { status: 200, body: presentGuardHistory(page) };
    },
  });
}

/** A program that trades must not be able to free itself of a lock, whatever its key may do. */
export function unlockRoutes({ gateway }: Pick<GuardRouteDeps, "gateway">): PersonRoute[] {
  return [
    personRoute({
      ...SHARED,
      method: "POST",
      path: `${PATH}/unlock`,
      id: "unlockAccount",
      effect: "change",
      audit: { message: "Account unlocked" },
      summary: "End a soft lock of an account early",
      description:
        "For a person who has just confirmed who they are. The rule that locked it is off until the lock would have ended.",
      asksProof: true,
      body: UnlockAccountBody,
      bodyExamples: { one: { reason: "The firm has reset the account" } },
      replies: REPLIES,
      errors: ["SIGN_IN_AGAIN", "NOT_FOUND", "LOCK_IS_HARD", "ACCOUNT_NOT_LOCKED"],
      async handle({ person, params, body: { reason } }) {
        const accountId = accountOf(params["id"]);
        const view = await gateway.unlockAccount(person, accountId, { reason });
        const changed = { accountId, reason };
        return { status: 200, body: presentGuards(accountId, view), changed };
      },
    }),
  ];
}
