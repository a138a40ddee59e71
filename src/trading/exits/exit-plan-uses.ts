import type { ExitPlanTicket } from "../../domain/exits/exit-plan.ts";
import type { NamedExitPlan } from "../../domain/exits/named-plan.ts";
import { checkExitPlan } from "../../domain/exits/prepare-exit-plan.ts";
import type { UserId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { Caller } from "../people/caller.ts";
import type { CredentialStore } from "../people/ports.ts";
import type { NamedPlanStore } from "./named-plan-store.ts";

export const MOST_EXIT_PLANS = 100;

/** A user's exit plans, by their names. */
export interface ExitPlanUses {
  readonly listExitPlans: (caller: Caller) => Promise<readonly NamedExitPlan[]>;
  readonly findExitPlan: (caller: Caller, name: string) => Promise<NamedExitPlan>;
  /** Refused where there is one of the name. */
  readonly createExitPlan: (
    caller: Caller,
    name: string,
    plan: ExitPlanTicket,
  ) => Promise<NamedExitPlan>;
  /** In place of one of the name. What runs by it goes on as it was. */
  readonly saveExitPlan: (
    caller: Caller,
    name: string,
    plan: ExitPlanTicket,
  ) => Promise<NamedExitPlan>;
  /** Refused while a webhook's entries follow it. */
  readonly removeExitPlan: (caller: Caller, name: string) => Promise<void>;
}

export interface ExitPlanUsesDeps {
  readonly namedPlans: NamedPlanStore;
  readonly credentials: Pick<CredentialStore, "webhooks">;
}

export function createExitPlanUses({ namedPlans, credentials }: ExitPlanUsesDeps): ExitPlanUses {
  async function save(
    { userId, receivedAt }: Caller,
    given: Pick<NamedExitPlan, "name" | "plan">,
    { onlyNew, at }: { readonly onlyNew: boolean; readonly at: string },
  ): Promise<NamedExitPlan> {
    const problems = checkExitPlan(given.plan, at);
    if (problems.length > 0) {
      throw errors.validationFailed(
        problems.map(({ path, message }) => ({ path: path === "" ? "body" : path, message })),
      );
    }
    const plan = { ...given, savedAt: receivedAt };
    const outcome = await namedPlans.save(userId, plan, { most: MOST_EXIT_PLANS, onlyNew });
    if (outcome === "exists") throw errors.exitPlanExists(plan.name);
    if (outcome === "full") throw errors.tooMany("TOO_MANY_EXIT_PLANS", MOST_EXIT_PLANS);
    return plan;
  }

  /** One that is set meanwhile finds its plan gone, and lets exits pass only. */
  async function requireUnused(user: UserId, name: string): Promise<void> {
    const webhooks = await credentials.webhooks(user);
    const using = webhooks.filter(({ options }) => options.exitPlan === name);
    if (using.length > 0) throw errors.exitPlanInUse(name, using);
  }

  return {
    listExitPlans: async ({ userId }) => {
      const all = await namedPlans.all(userId);
      return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },

    findExitPlan: async ({ userId }, name) => {
      const plan = await namedPlans.find(userId, name);
      if (plan === undefined) throw errors.notFound("exit plan");
      return plan;
    },

    createExitPlan: async (caller, name, plan) =>
      await save(caller, { name, plan }, { onlyNew: true, at: "plan" }),

    saveExitPlan: async (caller, name, plan) =>
      await save(caller, { name, plan }, { onlyNew: false, at: "" }),

    removeExitPlan: async ({ userId }, name) => {
      await requireUnused(userId, name);
      if (!(await namedPlans.remove(userId, name))) throw errors.notFound("exit plan");
    },
  };
}
