import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { usePoll } from "../../shell/poll.ts";

export type NamedPlan = components["schemas"]["NamedExitPlan"];

/** The exit plans of whoever is signed in, by name; undefined until they were read. */
export function usePlans(): readonly NamedPlan[] | undefined {
  const { data } = usePoll(
    "named exit plans",
    async () => (await answerOf(api.GET("/v1/exit-plans"))).exitPlans,
    { refreshOn: { what: ["overview"], accountId: null } },
  );
  return data;
}
