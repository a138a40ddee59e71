import type { AdjustIntent } from "../../../domain/adjust.ts";
import { exitsIn } from "../../../domain/asked-exits.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import { ticks } from "../../../domain/contracts/price.ts";
import { legIdOf } from "../../../domain/ids.ts";
import type { Outcome } from "../../../domain/intent.ts";
import type { DryRunStep } from "../../../domain/intent-result.ts";
import type { AskedExits } from "../../../domain/working-exits.ts";
import type { Bracket } from "../../../domain/order.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import {
  describeLegs,
  exitSide,
  findPlacedLegs,
  legsIdOf,
  liveLegs,
  PLACED_NTH,
} from "../legs/legs.ts";
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
 * its own, counted from its own fill. Of an exit plan likewise: its stops may have followed prices, and
 * some of its parts may have no target, so whatever has its stop goes on by the plan that it has.
 */
export async function protectAsAsked(
  deps: LaneDeps,
  task: LaneTask,
  { terms: { bracket = {} }, handling }: Pick<AdjustIntent, "terms" | "handling">,
  contract: ContractCode,
): Promise<Protected> {
  const snapshot = await readSnapshot(
    task.record.accountId,
    task.broker,
    (code) => code === contract,
  );
  const position = snapshot.positions.find((one) => one.contract === contract);
  if (position === undefined || position.netQty === 0) return noPosition(deps, contract);
  const legs = liveLegs(snapshot.working, { contract, side: exitSide(position) });
  const needed = handling?.exitPlan === undefined ? bracket : atLeast(bracket);
  const standing = () => {
    const exits = { contract, orderQty: Math.abs(position.netQty), ...idsOf(legs) };
    return { kind: "standing", ...exits, ...growing(exits, snapshot) } as const;
  };
  if (areAsAsked(needed, position, legs)) return standing();
  // What was begun before an interruption may be on its way, and is not sent a second time.
  if (task.record.plan !== undefined) {
    const missing = await neverPlaced(task, needed);
    if (missing.length === 0) return standing();
    if (missing.length === exitsIn(needed).length) return BEGUN;
    const partly = { canceled: "", restored: false, missing, standing: describeLegs(deps, legs) };
    return { kind: "unprotected", reason: BEGUN.reason, ...partly };
  }
  const { accountId, intentId, test } = task.record;
  const replaces = handling?.exitPlan === undefined;
  if (replaces && test !== true) await deps.exits.replace(accountId, contract, intentId);
  const outcome = await protectOpenPosition(deps, task, bracket, { position, snapshot });
  if (outcome.kind !== "done") return outcome;
  const { result } = outcome;
  if (result.kind === "TEST") return { kind: "dryRun", steps: result.steps };
  if (result.kind !== "PROTECT") throw new Error(`a protection ended as ${result.kind}`);
  // Older plans would bring theirs back.
  if (replaces) await deps.exits.endAll(accountId, contract);
  return { ...result, kind: "standing" };
}

/** The stop, or where none is asked for the target, wherever it stands. */
function atLeast({ takeProfit, stopLoss }: Bracket): Bracket {
  const anywhere = { by: "distance", distance: ticks(1) } as const;
  if (stopLoss !== undefined) return { stopLoss: anywhere };
  return takeProfit === undefined ? {} : { takeProfit: anywhere };
}

/** The exits that the broker never took: one that has ended since was ended by a fill or by a person. */
async function neverPlaced({ record, broker }: LaneTask, bracket: Bracket) {
  const pairId = legsIdOf(record, PLACED_NTH);
  const legs = await findPlacedLegs(record.accountId, pairId, broker);
  return exitsIn(bracket).filter(
    (role) => !legs.some(({ clOrdId }) => clOrdId === legIdOf(pairId, role)),
  );
}

const BEGUN = {
  kind: "rejected",
  reason: "It was interrupted, and the broker does not show them",
} as const;
