import type { ExitPlanTicket } from "../../../domain/exits/exit-plan.ts";
import { type Draft, type DraftLeg, planNameOf, sayableLegs, takesLegs } from "./message-draft.ts";

/** The exits that entries of a message would have, and where they are from. */
export type DraftExits =
  | { readonly kind: "none" }
  /** They are known once the alert fires. */
  | { readonly kind: "later" }
  | { readonly kind: "gone"; readonly name: string }
  | { readonly kind: "plan"; readonly plan: ExitPlanTicket; readonly name?: string };

interface NamedPlan {
  readonly name: string;
  readonly plan: ExitPlanTicket;
}

/** `ofWebhook` is the plan of entries that bring no exits of their own. */
export function exitsOf(
  draft: Draft,
  plans: readonly NamedPlan[],
  ofWebhook: string | null,
): DraftExits {
  if (!takesLegs(draft)) return { kind: "none" };
  const named = planNameOf(draft);
  if (named !== undefined) return byName(named, plans);
  const { stopLoss, takeProfit } = sayableLegs(draft);
  const legs = [stopLoss, takeProfit].filter((leg) => leg !== undefined);
  if (legs.length === 0) return ofWebhook === null ? { kind: "none" } : byName(ofWebhook, plans);
  if (legs.some(({ value }) => Number.isNaN(Number(value)))) return { kind: "later" };
  return {
    kind: "plan",
    plan: {
      ...(takeProfit !== undefined && { targets: [levelOf(takeProfit)] }),
      ...(stopLoss !== undefined && { stop: levelOf(stopLoss) }),
    },
  };
}

function byName(name: string, plans: readonly NamedPlan[]): DraftExits {
  const found = plans.find((one) => one.name === name);
  return found === undefined
    ? { kind: "gone", name }
    : { kind: "plan", plan: found.plan, name: found.name };
}

const UNITS = { ticks: "ticks", points: "offset", price: "price", none: "ticks" } as const;

const levelOf = ({ unit, value }: DraftLeg) => ({ [UNITS[unit]]: Number(value) });
