import type { Gateway } from "../../trading/gateway.ts";
import { presentExitPlan } from "../present/exit-plan.ts";
import { exitPlanOf } from "../requests/path-ids.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  CREATE_EXIT_PLAN_BODIES,
  CreateExitPlanBody,
  EXIT_PLAN,
  EXIT_PLAN_BODIES,
  ExitPlanBody,
  ExitPlanName,
  ExitPlanReply,
  ExitPlansReply,
} from "../schemas/exit-plan.ts";

const TAG = "Exit plans";

/** Exit plans that a user keeps, for orders, alerts and webhooks to name. */
export function exitPlanRoutes({ gateway }: { readonly gateway: Gateway }): ApiRoute[] {
  return [...collection(gateway), ...single(gateway)];
}

function collection(gateway: Gateway): ApiRoute[] {
  const shared = { path: "/v1/exit-plans", tag: TAG } as const;
  return [
    apiRoute({
      ...shared,
      method: "GET",
      id: "listExitPlans",
      effect: "read",
      summary: "List exit plans",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "Every plan, by name",
          schema: ExitPlansReply,
          example: { exitPlans: [EXIT_PLAN] },
        },
      ],
      errors: [],
      async handle({ caller }) {
        const plans = await gateway.listExitPlans(caller);
        return { status: 200, body: { exitPlans: plans.map(presentExitPlan) } };
      },
    }),
    apiRoute({
      ...shared,
      method: "POST",
      id: "createExitPlan",
      effect: "change",
      audit: { message: "Exit plan created", level: "info" },
      summary: "Save a new exit plan",
      description: "A plan that cannot work in any contract is refused; details name every reason.",
      scope: "trade",
      body: CreateExitPlanBody,
      bodyExamples: CREATE_EXIT_PLAN_BODIES,
      replies: [
        { status: 201, description: "The plan", schema: ExitPlanReply, example: EXIT_PLAN },
      ],
      errors: ["EXIT_PLAN_EXISTS", "TOO_MANY_EXIT_PLANS"],
      async handle({ caller, body: { name, plan } }) {
        const saved = await gateway.createExitPlan(caller, name, plan);
        return { status: 201, body: presentExitPlan(saved), changed: {} };
      },
    }),
  ];
}

function single(gateway: Gateway): ApiRoute[] {
  const shared = {
    path: "/v1/exit-plans/{name}",
    tag: TAG,
    params: { name: ExitPlanName },
  } as const;
  const replies = [
    { status: 200, description: "The plan", schema: ExitPlanReply, example: EXIT_PLAN },
  ];
  return [
    apiRoute({
      ...shared,
      replies,
      method: "GET",
      id: "readExitPlan",
      effect: "read",
      summary: "Read an exit plan",
      scope: "read",
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const plan = await gateway.findExitPlan(caller, exitPlanOf(params));
        return { status: 200, body: presentExitPlan(plan) };
      },
    }),
    apiRoute({
      ...shared,
      replies,
      method: "PUT",
      id: "saveExitPlan",
      effect: "change",
      audit: { message: "Exit plan saved" },
      summary: "Save an exit plan, in place of one of this name",
      description:
        "Holds for what is asked for from now on. Positions and orders that are under way keep the plan as it was when they were asked for.",
      scope: "trade",
      body: ExitPlanBody,
      bodyExamples: EXIT_PLAN_BODIES,
      errors: ["TOO_MANY_EXIT_PLANS"],
      async handle({ caller, params, body }) {
        const saved = await gateway.saveExitPlan(caller, exitPlanOf(params), body);
        return { status: 200, body: presentExitPlan(saved), changed: {} };
      },
    }),
    apiRoute({
      ...shared,
      method: "DELETE",
      id: "deleteExitPlan",
      effect: "change",
      audit: { message: "Exit plan deleted" },
      summary: "Delete an exit plan",
      description:
        "Not while a webhook's entries follow it (EXIT_PLAN_IN_USE). What runs by it goes on.",
      scope: "trade",
      replies: [{ status: 204, description: "It is gone" }],
      errors: ["NOT_FOUND", "EXIT_PLAN_IN_USE"],
      async handle({ caller, params }) {
        await gateway.removeExitPlan(caller, exitPlanOf(params));
        return { status: 204, changed: {} };
      },
    }),
  ];
}
