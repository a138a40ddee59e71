import type { Contender } from "./contender.ts";
import { createHooks, startGateway } from "./gateway-contender.ts";
import { measureThroughput, type ThroughputOptions, type ThroughputRow } from "./throughput.ts";

/** A plan that has ended is kept for some seconds: on few accounts more would overlap than traders send. */
export const PLAN_ACCOUNTS = 600;
/** A contract for each target. */
export const PLAN_QTY = 2;

const PLAN = "two-targets";
/** Prices never get there: each plan ends as the next alert closes its position. */
const TWO_TARGETS = {
  name: PLAN,
  plan: { targets: [{ ticks: 2_000, share: 50 }, { ticks: 4_000 }], stop: { ticks: 2_000 } },
};

type PlansOptions = Omit<ThroughputOptions, "reference" | "contenders">;

/** The gateway with an exit plan for each entry beside the same gateway without any, in turns. */
export async function measurePlans(options: PlansOptions): Promise<readonly ThroughputRow[]> {
  const reference = contender("no plan", {});
  const contenders = [contender("a plan of two targets", { exitPlan: PLAN })];
  return await measureThroughput({ ...options, reference, contenders });
}

function contender(name: string, webhook: object): Contender {
  return {
    name,
    start: async (place) => {
      const accounts = Array.from({ length: PLAN_ACCOUNTS }, (_, n) => `paper-${n + 1}`);
      const running = await startGateway(place, { PAPER_ACCOUNTS: `1-${PLAN_ACCOUNTS}` });
      try {
        const { status, text } = await running.api.post("/v1/exit-plans", TWO_TARGETS);
        if (status !== 201) throw new Error(`There is no exit plan: ${status} ${text}`);
        const hooks = await createHooks(running.api, accounts, webhook);
        return { ...running, hooks, qty: PLAN_QTY };
      } catch (error) {
        await running.stop();
        throw error;
      }
    },
  };
}
