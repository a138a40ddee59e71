import { type AdjustIntent, isMeantBy, leftOf, positionsFor } from "../../../domain/adjust.ts";
import { partOf } from "../../../domain/adjust-moves.ts";
import type { Aim } from "../../../domain/alert.ts";
import { holdingOf, type OpenPosition, totalQty } from "../../../domain/contracts/exit-contract.ts";
import { closedSoFar, type IntentRecord, isGoingOn } from "../../../domain/intent.ts";
import { isMeantToGo } from "../../orders/resolve.ts";
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
  const held = positionsFor(intent, positions).filter((one) => isOnSide(one, aim));
  const earlier = (await intents.unsettled(record.accountId)).filter(
    (one) => isGoingOn(one.state) && one.intentId !== record.intentId,
  );
  const left = totalQty(earlier.reduce<readonly OpenPosition[]>(leftBy, held));
  if (left === 0 || left === totalQty(held)) return intent;
  const { percent, ...close } = aim;
  return { ...intent, aim: { ...close, qty: partOf(left, percent) } };
}

const isOnSide = (one: OpenPosition, { holding }: Extract<Aim, { to: "close" }>): boolean =>
  holding === undefined || holdingOf(one) === holding;

/** The positions as an exit that goes on will leave them. */
function leftBy(held: readonly OpenPosition[], exit: IntentRecord): readonly OpenPosition[] {
  const { intent } = exit;
  if (intent.kind === "FLATTEN") {
    return held.filter(({ contract }) => !isMeantToGo(contract, intent));
  }
  const aim = intent.kind === "ADJUST" ? aimOf(exit) : undefined;
  if (intent.kind !== "ADJUST" || aim === undefined) return held;
  let toClose = aim.to === "close" ? ("qty" in aim ? aim.qty : Infinity) : 0;
  return held.flatMap((one) => {
    if (!isMeantBy(intent, one.contract)) return [one];
    if (aim.to === "position") return one.netQty * aim.netQty > 0 ? [atMost(one, aim.netQty)] : [];
    if (aim.to !== "close" || !isOnSide(one, aim)) return [one];
    const closed = Math.min(toClose, Math.abs(one.netQty));
    toClose -= closed;
    return [{ ...one, netQty: one.netQty - Math.sign(one.netQty) * closed }];
  });
}

function atMost(one: OpenPosition, netQty: number): OpenPosition {
  return Math.abs(one.netQty) > Math.abs(netQty) ? { ...one, netQty } : one;
}

/** The part of its aim that is left. */
function aimOf({ outcome, exitPlan }: IntentRecord): Aim | undefined {
  const aim = (outcome?.kind === "held" ? outcome.aim : undefined) ?? exitPlan?.aim;
  return aim && leftOf(aim, totalQty(closedSoFar(outcome)));
}
