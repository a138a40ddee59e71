import type { Gateway } from "../../trading/gateway.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import { BROKERS, BrokersReply } from "../schemas/connection.ts";

/** What connections can be added to. */
export function brokerRoutes({ gateway }: { readonly gateway: Gateway }): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/v1/brokers",
      id: "listBrokers",
      tag: "Accounts",
      summary: "List the brokers, and what a connection to each asks for",
      effect: "read",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "Every broker that POST /v1/connections takes",
          schema: BrokersReply,
          example: BROKERS,
        },
      ],
      errors: [],
      async handle({ caller }) {
        const brokers = await gateway.listBrokers(caller);
        return { status: 200, body: { brokers } };
      },
    }),
  ];
}
