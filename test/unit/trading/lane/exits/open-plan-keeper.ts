import type { RunningPlan } from "../../../../../src/domain/exits/running-plan.ts";
import { type IntentId, intentId } from "../../../../../src/domain/ids.ts";
import type { PlanKeeperDeps } from "../../../../../src/trading/lane/exits/plan-deps.ts";
import { PlanKeeper } from "../../../../../src/trading/lane/exits/plan-keeper.ts";
import { createSettlePending } from "../../../../../src/trading/lane/settle-pending.ts";
import { ACCOUNT, type Lane } from "../../lane-kit.ts";
import { openBooks } from "./open-books.ts";

/** The ports of a keeper of exit plans that each test brings. */
export interface PlanPorts extends Pick<
  PlanKeeperDeps,
  "quoteOf" | "closeDue" | "isTrading" | "unprotected" | "alarms"
> {
  /** The stored plans, as JSON: the next keeper goes on with them. */
  readonly stored: Map<IntentId, string>;
  /** Stored plans are read after it. */
  readonly readsAfter?: () => Promise<void>;
}

const hex = (text: string) => Buffer.from(text).toString("hex").slice(-28);

/** Carries exit plans out on a lane in memory, and settles what is pending there. */
export function openPlanKeeper(lane: Lane, { stored, readsAfter, ...ports }: PlanPorts) {
  const { books, record } = openBooks(lane);
  const keeper = new PlanKeeper({
    ...lane.deps,
    ...ports,
    store: {
      of: async () => {
        await readsAfter?.();
        return [...stored.values()].map((text) => JSON.parse(text) as RunningPlan);
      },
      save: async (_account, plan) => {
        stored.set(plan.planId, JSON.stringify(plan));
      },
      forget: async (_account, ids) => {
        for (const id of ids) stored.delete(id);
      },
    },
    books,
    looks: lane.looks,
    intents: { find: async (_account, id) => lane.intents.find(ACCOUNT, id) },
    intentIdOf: (plan, what, nth) =>
      intentId(`i${hex(`${plan.slice(-4)}${what}${nth}`).padStart(28, "0")}`),
    onStep: () => undefined,
    onError: (_account, error) => {
      throw error;
    },
    now: () => lane.intents.clock,
    elapsed: () => lane.intents.clock,
  });
  const { onKept } = lane.intents;
  lane.intents.onKept = (keeps) => {
    onKept(keeps);
    const { exitPlan } = keeps;
    if (exitPlan !== undefined) stored.set(exitPlan.planId, JSON.stringify(exitPlan));
  };
  Object.assign(lane.deps, { exits: keeper, plans: keeper });
  lane.onSettled = keeper.settled;
  const settle = createSettlePending({ ...lane.deps, plans: keeper, runIntent: lane.runIntent });
  return { keeper, settle, record };
}
