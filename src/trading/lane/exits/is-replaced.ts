import type { RunningPlan } from "../../../domain/exits/running-plan.ts";
import type { AccountId } from "../../../domain/ids.ts";
import { isUnsettled, type Outcome } from "../../../domain/intent.ts";
import type { IntentStore } from "../../orders/ports.ts";

/** Why a plan ends whose exits somebody else has placed. */
export const PUT_BY_HAND = "the exits of its position were put where they stay";

/**
 * Whether newer exits stand for a plan: `unknown` while their intent is under way. A plan of which none were asked
 * for, or whose newer ones were refused, goes on.
 */
export async function isReplaced(
  account: AccountId,
  { replacedBy }: RunningPlan,
  intents: Pick<IntentStore, "find">,
): Promise<boolean | "unknown"> {
  if (replacedBy === undefined) return false;
  const record = await intents.find(account, replacedBy);
  if (record === undefined) return false;
  if (isUnsettled(record.state)) return "unknown";
  return record.outcome !== undefined && haveStood(record.outcome);
}

/** Whether the exits that an intent asked for were placed. */
const haveStood = (outcome: Outcome): boolean =>
  outcome.kind === "done" &&
  (outcome.result.kind === "PROTECT" ||
    (outcome.result.kind === "ADJUST" && outcome.result.exits?.kind === "standing"));
