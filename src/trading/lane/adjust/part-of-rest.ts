import { type AdjustIntent, isMeantBy, leftOf, positionsFor } from "../../../domain/adjust.ts";
import { partOf } from "../../../domain/adjust-moves.ts";
import { totalQty } from "../../../domain/contracts/exit-contract.ts";
import { type IntentRecord, isGoingOn, soFarOf } from "../../../domain/intent.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import type { Snapshot } from "../read-snapshot.ts";

/**
 * A percentage is one of what earlier exits leave that go on: half asked twice is three quarters, also while both
 * wait for their market. Throws `StoreError`.
 */
export async function partOfRest(
  { intents }: Pick<LaneDeps, "intents">,
  { record }: Pick<LaneTask, "record">,
  intent: AdjustIntent,
  { positions }: Snapshot,
): Promise<AdjustIntent> {
  const { aim } = intent;
  if (aim.to !== "close" || !("percent" in aim) || aim.percent === 100) return intent;
  const held = positionsFor(intent, positions).filter(
    ({ netQty }) => aim.holding === undefined || netQty > 0 === (aim.holding === "LONG"),
  );
  const earlier = (await intents.unsettled(record.accountId)).filter(
    (one) => isGoingOn(one.state) && one.intentId !== record.intentId,
  );
  const pending = earlier.reduce((sum, one) => sum + toClose(one, intent), 0);
  const total = totalQty(held);
  if (pending === 0 || pending >= total) return intent;
  const { percent, ...close } = aim;
  return { ...intent, aim: { ...close, qty: partOf(total - pending, percent) } };
}

/** How many contracts it still closes of what the adjustment means. */
function toClose({ intent, outcome, exitPlan }: IntentRecord, other: AdjustIntent): number {
  if (intent.kind !== "ADJUST" || !isMeantBy(other, intent.contract)) return 0;
  const aim = (outcome?.kind === "held" ? outcome.aim : undefined) ?? exitPlan?.aim;
  const soFar = soFarOf(outcome);
  const closed = soFar !== undefined && "closed" in soFar ? totalQty(soFar.closed) : 0;
  const left = aim && leftOf(aim, closed);
  return left?.to === "close" && "qty" in left ? left.qty : 0;
}
