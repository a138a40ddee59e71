import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Outcome, DryRunStep } from "../../../domain/intent.ts";
import type { AskedExits } from "../../../domain/working-exits.ts";
import type { Bracket } from "../../../domain/order.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import { exitSide, liveLegs } from "../legs/legs.ts";
import { protectOpenPosition } from "../legs/protect-open-position.ts";
import { areAsAsked } from "../legs/protect-levels.ts";
import { growing, idsOf, noPosition } from "../legs/protect-outcomes.ts";
import { readSnapshot } from "../read-snapshot.ts";

export type Protected =
  | Extract<AskedExits, { kind: "standing" }>
  | { readonly kind: "dryRun"; readonly steps: readonly DryRunStep[] }
  | Exclude<Outcome, { kind: "done" }>;

/**
 * Brings the exits that came with an adjustment to what stands in a contract, as a protection does.
 * Where all of it has such exits already, none is touched: of levels by distance each part has had
 * its own, counted from its own fill.
 */
export async function protectAsAsked(
  deps: LaneDeps,
  task: LaneTask,
  bracket: Bracket,
  contract: ContractCode,
): Promise<Protected> {
  const snapshot = await readSnapshot(task.record.accountId, task.broker);
  const position = snapshot.positions.find((one) => one.contract === contract);
  if (position === undefined || position.netQty === 0) return noPosition(deps, contract);
  const legs = liveLegs(snapshot.working, { contract, side: exitSide(position) });
  if (areAsAsked(bracket, position, legs)) {
    const exits = { contract, orderQty: Math.abs(position.netQty), ...idsOf(legs) };
    return { kind: "standing", ...exits, ...growing(exits, snapshot) };
  }
  // What was begun before an interruption may be on its way, and is not sent a second time.
  if (task.record.plan !== undefined) return BEGUN;
  const outcome = await protectOpenPosition(deps, task, bracket, { position, snapshot });
  if (outcome.kind !== "done") return outcome;
  const { result } = outcome;
  if (result.kind === "TEST") return { kind: "dryRun", steps: result.steps };
  if (result.kind !== "PROTECT") throw new Error(`a protection ended as ${result.kind}`);
  return { ...result, kind: "standing" };
}

const BEGUN = {
  kind: "rejected",
  reason: "It was interrupted, and the broker does not show them",
} as const;
