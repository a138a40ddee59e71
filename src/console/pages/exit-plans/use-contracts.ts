import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { usePoll } from "../../shell/poll.ts";

export type FuturesRoot = components["schemas"]["FuturesRoot"];

/** They come with the program, and do not change while it runs. */
const SELDOM = { everyMs: 600_000 };

/** The futures that the gateway knows, with their ticks; none until they were read. */
export function useContracts(): readonly FuturesRoot[] {
  const { data = [] } = usePoll(
    "contracts",
    async () => (await answerOf(api.GET("/v1/contracts"))).contracts,
    SELDOM,
  );
  return data;
}
