import type { ApiClient } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import { ACCOUNTS, type Contender } from "./contender.ts";
import { gatewayContender, startGateway } from "./gateway-contender.ts";
import { measureThroughput, type ThroughputOptions, type ThroughputRow } from "./throughput.ts";

export const NO_GUARDS = "no guards";

/** No rule is ever near its limit: what is measured is what it costs to hold each order against it. */
const FAR = 1_000_000_000;
const ALWAYS = { mode: "on", lock: "soft" } as const;
const pnl = (id: string, kind: "loss" | "profit", period: "day" | "week", counts: string) => ({
  ...ALWAYS,
  id,
  kind,
  period,
  counts,
  limit: FAR,
  then: "flatten",
});
const count = (id: string, of: "trades" | "executions" | "lossesInRow") => ({
  ...ALWAYS,
  id,
  kind: "count",
  of,
  max: 100_000,
});
const DAILY_LOSS = pnl("daily", "loss", "day", "open");

const RULES: Readonly<Record<string, readonly object[]>> = {
  "a loss rule": [DAILY_LOSS],
  "ten rules": [
    DAILY_LOSS,
    pnl("closed", "loss", "day", "closed"),
    pnl("weekly", "loss", "week", "open"),
    pnl("enough", "profit", "day", "open"),
    { ...ALWAYS, id: "lots", kind: "lots", max: 1_000_000, weights: { MES: "0.1" } },
    pnl("weekly-profit", "profit", "week", "open"),
    count("trades", "trades"),
    count("executions", "executions"),
    count("losses-in-row", "lossesInRow"),
    { ...ALWAYS, id: "consistency", kind: "consistency", percent: 50 },
  ],
};

type GuardsOptions = Omit<ThroughputOptions, "reference" | "contenders">;

/** The gateway with guards on each account, each beside the same gateway without any, in turns. */
export async function measureGuards(options: GuardsOptions): Promise<readonly ThroughputRow[]> {
  const reference = gatewayContender(NO_GUARDS, {});
  const contenders = Object.entries(RULES).map(([name, rules]) => guarded(name, rules));
  return await measureThroughput({ ...options, reference, contenders });
}

function guarded(name: string, rules: readonly object[]): Contender {
  return {
    name,
    start: async (place) => {
      const accounts = Array.from({ length: ACCOUNTS }, (_, n) => `paper-${n + 1}`);
      const running = await startGateway(place, { PAPER_ACCOUNTS: `1-${ACCOUNTS}` }, accounts);
      try {
        await guardAll(running.api, rules);
      } catch (error) {
        await running.stop();
        throw error;
      }
      return running;
    },
  };
}

async function guardAll(api: ApiClient, rules: readonly object[]): Promise<void> {
  for (let n = 1; n <= ACCOUNTS; n += 1) {
    const path = `/v1/accounts/paper-${n}/guards`;
    const { status, text } = await api.put(path, { rules });
    if (status !== 200) throw new Error(`There are no guards on paper-${n}: ${status} ${text}`);
    const judgedAt = async () => (await api.get(path)).body["judgedAt"] as string | null;
    await waitUntil(`paper-${n} is judged`, async () => (await judgedAt()) !== null);
  }
}
