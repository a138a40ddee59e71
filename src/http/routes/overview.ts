import type { Gateway } from "../../trading/gateway.ts";
import { presentOverview } from "../present/overview.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import { OverviewReply } from "../schemas/overview.ts";
import { OVERVIEW } from "./overview-examples.ts";

/** Whether money is safe now. */
export function overviewRoutes({ gateway }: { readonly gateway: Gateway }): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/v1/overview",
      id: "readOverview",
      tag: "Accounts",
      summary: "Whether money is safe now, over all accounts",
      description: "Of the caller's own accounts and connections.",
      effect: "read",
      scope: "read",
      replies: [
        { status: 200, description: "As it stands now", schema: OverviewReply, example: OVERVIEW },
      ],
      errors: [],
      handle: async ({ caller }) => ({
        status: 200,
        body: presentOverview(await gateway.readOverview(caller)),
      }),
    }),
  ];
}
