import type { Gateway } from "../../trading/gateway.ts";
import { presentOverview } from "../present/overview.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import { OVERVIEW, OverviewReply } from "../schemas/overview.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

/** What is held, and what of it needs a person. */
export function overviewRoutes({
  gateway,
  describeContract,
}: {
  readonly gateway: Gateway;
  readonly describeContract: DescribeContract;
}): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/v1/overview",
      id: "readOverview",
      tag: "Accounts",
      summary: "What is held, and what needs you, over all accounts",
      description: "Of the caller's own accounts and connections.",
      effect: "read",
      scope: "read",
      replies: [
        { status: 200, description: "As it stands now", schema: OverviewReply, example: OVERVIEW },
      ],
      errors: [],
      handle: async ({ caller }) => ({
        status: 200,
        body: presentOverview(await gateway.readOverview(caller), describeContract),
      }),
    }),
  ];
}
