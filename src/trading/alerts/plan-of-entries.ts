import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { ExitPlanTicket } from "../../domain/exits/exit-plan.ts";
import { ticketOf } from "../../domain/exits/named-plan.ts";
import { prepareExitPlan } from "../../domain/exits/prepare-exit-plan.ts";
import type { UserId } from "../../domain/ids.ts";
import type { NamedPlanStore } from "../exits/named-plan-store.ts";
import { withNamedPlan } from "../exits/look-up-plan.ts";
import { exitsIn, withExits } from "./exits-of-request.ts";
import { type AppliedOptions, onlyReduces, symbolOf } from "./webhook-options.ts";

type Plans = Pick<NamedPlanStore, "find" | "all">;

/**
 * An alert with the definition of the plan that it names, as it was saved. What only takes out or cancels goes as it is:
 * nothing that is wrong with a plan may hold it back. Throws VALIDATION_FAILED and `StoreError`.
 */
export async function withOwnPlan(
  plans: Plans,
  user: UserId,
  applied: AppliedOptions,
): Promise<AppliedOptions> {
  const { request } = applied;
  const { exitPlan } = exitsIn(request);
  const mayPass = request.kind !== "protect" && onlyReduces(request);
  if (typeof exitPlan !== "string" || mayPass) return applied;
  const exits = await withNamedPlan(plans, user, exitsIn(request));
  return { ...applied, request: withExits(request, exits) };
}

/** What is needed to give an entry the plan that its webhook's options name. */
interface PlanOfEntries {
  readonly plans: Plans;
  readonly user: UserId;
  /** As the options name it; absent: entries go as they are. */
  readonly name: string | undefined;
  readonly contracts: ContractDirectory;
  readonly nowMs: number;
}

/**
 * Gives an entry without exits of its own the plan of its webhook. Where that cannot be, nothing of it may
 * open or grow a position, for it was to have one; whatever turns out to be a way out passes. Throws
 * `StoreError`.
 */
export async function withPlanOfEntries(
  applied: AppliedOptions,
  { plans, user, name, contracts, nowMs }: PlanOfEntries,
): Promise<AppliedOptions> {
  const { request, decisions } = applied;
  if (name === undefined || onlyReduces(request)) return applied;
  const { bracket, exitPlan } = exitsIn(request);
  if (bracket !== undefined || exitPlan !== undefined) return applied;

  const found = await plans.find(user, name);
  if (found === undefined) return withoutPlan(applied, goneBy(name));
  const plan = ticketOf(found);
  const problem = misfit(plan, contracts.resolve(symbolOf(request) ?? "", nowMs));
  if (problem !== undefined) return withoutPlan(applied, unfitBy(name, problem));
  const decision = `Entries follow the exit plan "${name}" of the webhook`;
  return {
    ...applied,
    request: withExits(request, { exitPlan: plan }),
    decisions: [...decisions, decision],
  };
}

/** Undefined where it fits; a symbol that nobody knows is refused by its name. */
function misfit(
  plan: ExitPlanTicket,
  resolution: ReturnType<ContractDirectory["resolve"]>,
): string | undefined {
  if (resolution.kind === "unknown") return undefined;
  const prepared = prepareExitPlan(plan, resolution.product);
  if (prepared.ok) return undefined;
  return prepared.problems.map(({ path, message }) => `${path} ${message}`).join("; ");
}

function withoutPlan(applied: AppliedOptions, why: string): AppliedOptions {
  const decisions = [...applied.decisions, `${why}: only exits pass`];
  if (applied.exitsOnly !== undefined) return { ...applied, decisions };
  const exitsOnly = `${why}, and no entry goes without it; exits pass. ${REMEDY}`;
  return { ...applied, decisions, exitsOnly, exitsOnlyCode: "VALIDATION_FAILED" };
}

const goneBy = (name: string): string =>
  `The exit plan "${name}" that the webhook names is not there any more`;

const unfitBy = (name: string, problem: string): string =>
  `The exit plan "${name}" that the webhook names does not fit what is traded (${problem})`;

const REMEDY = "Save a plan of that name, or give the webhook another one or none";
