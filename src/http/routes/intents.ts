import type { Gateway } from "../../trading/gateway.ts";
import { presentIntent } from "../present/intent.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import { IntentReply, IntentsQuery, IntentsReply } from "../schemas/intent.ts";
import { AccountIdText, IntentIdText } from "../schemas/parts.ts";
import { INTENT_RECORD } from "../schemas/examples.ts";
import { accountOf, intentOf } from "../requests/path-ids.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

export interface IntentRouteDeps {
  readonly gateway: Gateway;
  readonly describeContract: DescribeContract;
}

/** Where to look after an answer that proved nothing. */
export function intentRoutes({ gateway, describeContract }: IntentRouteDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/v1/accounts/{id}/intents/{intentId}",
      id: "readIntent",
      tag: "Intents",
      summary: "Read what became of one call or alert",
      effect: "read",
      scope: "read",
      params: { id: AccountIdText, intentId: IntentIdText },
      replies: [
        { status: 200, description: "The intent", schema: IntentReply, example: INTENT_RECORD },
      ],
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const account = accountOf(params["id"]);
        const record = await gateway.findIntent(caller, account, intentOf(params));
        return { status: 200, body: presentIntent(record, describeContract) };
      },
    }),
    apiRoute({
      method: "DELETE",
      path: "/v1/accounts/{id}/intents/{intentId}",
      id: "takeBackExit",
      tag: "Intents",
      summary: "Take back an exit that goes on",
      description:
        "For an exit that is unfinished or held. Nothing more of it is sent from the answer on. It ends as withdrawn in its lane's next turn, within seconds, or as done where a close was under way. Its stop and target stay.",
      effect: "change",
      audit: { message: "Exit taken back" },
      scope: "trade",
      params: { id: AccountIdText, intentId: IntentIdText },
      replies: [
        { status: 200, description: "The intent", schema: IntentReply, example: INTENT_RECORD },
      ],
      errors: ["NOT_FOUND", "NOT_GOING_ON"],
      async handle({ caller, params }) {
        const account = accountOf(params["id"]);
        const intentId = intentOf(params);
        const record = await gateway.takeBackExit(caller, account, intentId);
        const body = presentIntent(record, describeContract);
        return { status: 200, body, changed: { accountId: account, intentId } };
      },
    }),
    apiRoute({
      method: "GET",
      path: "/v1/accounts/{id}/intents",
      id: "listUnsettledIntents",
      tag: "Intents",
      summary: "List what is queued, under way or of unknown outcome",
      description: "The working orders show none of these.",
      effect: "read",
      scope: "read",
      params: { id: AccountIdText },
      query: IntentsQuery,
      replies: [
        {
          status: 200,
          description: "Everything unsettled",
          schema: IntentsReply,
          example: { intents: [] },
        },
      ],
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const records = await gateway.listUnsettledIntents(caller, accountOf(params["id"]));
        const intents = records.map((record) => presentIntent(record, describeContract));
        return { status: 200, body: { intents } };
      },
    }),
  ];
}
