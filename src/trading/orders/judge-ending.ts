import { dependsOnHeld, endedWith } from "../../domain/asked-for.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Intent, Outcome } from "../../domain/intent.ts";
import type { AccountViews } from "../reads/ports.ts";

/**
 * How an intent ends, with whether an exit is left undone by it. Positions that cannot be read may be
 * what it was to close.
 */
export async function judgeEnding<Ended extends Outcome>(
  views: Pick<AccountViews, "positions">,
  { accountId, intent }: { readonly accountId: AccountId; readonly intent: Intent },
  outcome: Ended,
): Promise<Ended> {
  if (!dependsOnHeld(outcome, intent)) return outcome;
  try {
    const { value } = await views.positions(accountId);
    return endedWith(outcome, intent, value);
  } catch {
    return { ...outcome, closes: true };
  }
}
