import type { DescribeContract } from "../../trading/orders/describe-contract.ts";
import type { Gateway } from "../../trading/gateway.ts";
import { groupOrdersAnswer } from "../present/account-group.ts";
import { presentFlatten } from "../present/holding.ts";
import { presentOrder } from "../present/order.ts";
import { settledAnswer } from "../present/outcome.ts";
import { fingerprint, readIdempotencyKey } from "../requests/idempotency-key.ts";
import { accountGroupOf } from "../requests/path-ids.ts";
import { readOrder } from "../requests/read-order.ts";
import { type ApiRoute, apiRoute, OWN_RECORD } from "../route.ts";
import { GROUP_FLATTENED, GROUP_ORDERED } from "../schemas/account-group-examples.ts";
import {
  AccountGroupIdText,
  FlattenGroupBody,
  GroupOrdersReply,
} from "../schemas/account-group.ts";
import { ORDER_BODIES } from "../schemas/examples.ts";
import { PlaceOrderBody } from "../schemas/order.ts";
import { IdempotencyKeyText } from "../schemas/parts.ts";

export interface GroupOrderRouteDeps {
  readonly gateway: Gateway;
  readonly describeContract: DescribeContract;
}

const SHARED = {
  method: "POST",
  effect: "change",
  audit: OWN_RECORD,
  tag: "Account groups",
  scope: "trade",
  params: { groupId: AccountGroupIdText },
  headers: { "Idempotency-Key": IdempotencyKeyText },
} as const;

const REPLAYED = { "Idempotency-Replayed": "true when an earlier call stands for it somewhere" };

/** One call for all accounts of a group. */
export function groupOrderRoutes(deps: GroupOrderRouteDeps): ApiRoute[] {
  return [order(deps), flatten(deps)];
}

function order({ gateway, describeContract }: GroupOrderRouteDeps): ApiRoute {
  return apiRoute({
    ...SHARED,
    path: "/v1/account-groups/{groupId}/orders",
    id: "placeGroupOrder",
    summary: "Place an order in each account of a group",
    description:
      "What is wrong with it for any account is refused before anything is sent. Then each account that is on is asked by itself, all side by side: 200 where each has its order, else 207 with each one's own status and answer; 503 only where certainly nothing was sent in any, and 500 where all failed and something may have been. Nothing is taken back. With the same Idempotency-Key it may be repeated: what was carried out is answered, and only what certainly was not is sent.",
    body: PlaceOrderBody,
    bodyExamples: ORDER_BODIES,
    replies: [
      {
        status: 200,
        description: "Each account has its order",
        schema: GroupOrdersReply,
        headers: REPLAYED,
        example: { ...GROUP_ORDERED, accounts: GROUP_ORDERED.accounts.slice(0, 1) },
      },
      {
        status: 207,
        description: "The accounts are answered differently",
        schema: GroupOrdersReply,
        headers: REPLAYED,
        example: GROUP_ORDERED,
      },
    ],
    errors: [...GROUP_ERRORS],
    async handle({ caller, params, body, headers }) {
      const groupId = accountGroupOf(params);
      const ticket = readOrder(body);
      const key = keyOf(headers, body);
      const answers = await gateway.placeGroupOrder(caller, groupId, ticket, key);
      return groupOrdersAnswer(groupId, answers, {
        requestId: caller.requestId,
        present: (settled) =>
          settledAnswer(settled, {
            kind: "PLACE",
            status: 201,
            present: (achieved) => presentOrder(achieved, describeContract),
          }),
      });
    },
  });
}

function flatten({ gateway, describeContract }: GroupOrderRouteDeps): ApiRoute {
  return apiRoute({
    ...SHARED,
    path: "/v1/account-groups/{groupId}/flatten",
    id: "flattenGroup",
    reserve: "exits",
    summary: "Close every position of each account of a group",
    description:
      "As DELETE /v1/accounts/{id}/positions, in each account that is on. None waits for another one, and what cannot be closed in one holds no other one back. Resting entries stay.",
    body: FlattenGroupBody,
    bodyMayBeAbsent: true,
    bodyExamples: { all: {}, one: { symbol: "ES" } },
    replies: [
      {
        status: 200,
        description: "What was closed in each account, and what remains",
        schema: GroupOrdersReply,
        headers: REPLAYED,
        example: GROUP_FLATTENED,
      },
      {
        status: 207,
        description: "The accounts are answered differently",
        schema: GroupOrdersReply,
        headers: REPLAYED,
        example: {
          ...GROUP_FLATTENED,
          accounts: [...GROUP_FLATTENED.accounts, ...GROUP_ORDERED.accounts.slice(1)],
        },
      },
    ],
    errors: [...GROUP_ERRORS],
    async handle({ caller, params, body, headers }) {
      const groupId = accountGroupOf(params);
      const key = keyOf(headers, body);
      const answers = await gateway.flattenGroup(caller, groupId, body.symbol, key);
      return groupOrdersAnswer(groupId, answers, {
        requestId: caller.requestId,
        present: (settled) =>
          settledAnswer(settled, {
            kind: "FLATTEN",
            status: 200,
            present: (achieved) => presentFlatten(achieved, describeContract),
          }),
      });
    },
  });
}

const GROUP_ERRORS = [
  "NOT_FOUND",
  "NO_ACCOUNTS_IN_GROUP",
  "UNKNOWN_SYMBOL",
  "IDEMPOTENCY_KEY_REUSED",
  "OUTCOME_UNKNOWN",
  "BROKER_UNAVAILABLE",
  "INTENT_EXPIRED",
] as const;

function keyOf(headers: Parameters<typeof readIdempotencyKey>[0], body: unknown) {
  const key = readIdempotencyKey(headers);
  return key === undefined ? undefined : { key, fingerprint: fingerprint(body) };
}
