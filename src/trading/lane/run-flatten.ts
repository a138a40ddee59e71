import type { ContractCode } from "../../domain/contract.ts";
import type { Intent, Outcome } from "../../domain/intent.ts";
import { otherHeld } from "../../domain/overtaking.ts";
import { isMeant } from "../resolve.ts";
import { endRest, isClean, newProgress, type Progress, readRest, type Rest } from "./end-rest.ts";
import { endingSteps, tested } from "./tested.ts";
import type { LaneDeps, LaneTask } from "./lane-deps.ts";
import { closedOf, lostExits, problemsOf, unclearIn } from "./tell-ended.ts";

type FlattenIntent = Extract<Intent, { kind: "FLATTEN" }>;

/**
 * Closes positions and cancels what rests. Whatever fails, everything else is still tried, and what
 * remains is part of the answer.
 */
export async function runFlatten(
  deps: LaneDeps,
  task: LaneTask,
  intent: FlattenIntent,
): Promise<Outcome> {
  const { record, broker } = task;
  const held = await broker.positions(record.accountId);
  const other = otherHeld(intent.mustHold, held);
  if (other !== undefined) return mismatch(intent.mustHold ?? "", other);

  const { cancelResting, root, contract } = intent;
  const isWhole = root === undefined && contract === undefined;
  const scope = { cancelResting, isWhole, isMeant: (code: ContractCode) => isMeant(code, intent) };
  const progress = newProgress();
  if (record.test === true) {
    const { positions, orders, opaque } = await readRest(task, scope, progress);
    return tested(endingSteps({ positions, orders: [...orders, ...opaque] }));
  }
  const { rest, refused } = await endRest(deps, task, scope, progress);
  if (refused !== undefined && !task.isBegun) return refused;
  return toOutcome(deps, rest, progress);
}

/** "Not sent" and "rejected" are said only when nothing at all was carried out. */
function toOutcome({ describe }: LaneDeps, rest: Rest, progress: Progress): Outcome {
  const { closes, canceled, failures } = progress;
  const unknown = failures.find(({ kind }) => kind === "unknown");
  if (unknown !== undefined && !isClean(rest)) return unknown;
  const [failure] = failures;
  const underWay = closes.filter(({ isOver }) => !isOver);
  const closed = closedOf(progress);
  const untouched = closed.length === 0 && canceled.size === 0 && underWay.length === 0;
  if (failure !== undefined && untouched && !isClean(rest)) return failure;

  const unprotected = lostExits(rest, progress);
  return {
    kind: "done",
    result: {
      kind: "FLATTEN",
      closed,
      canceledOrderIds: [...canceled.keys()],
      remaining: rest.positions.map(({ contract, netQty }) => ({ contract, netQty })),
      remainingOrderIds: [...rest.orders, ...rest.opaque].map(({ orderId }) => orderId),
      problems: [
        ...(isClean(rest) ? [] : problemsOf(rest, progress, describe)),
        ...unclearIn(rest),
      ],
      ...(unprotected.length > 0 && { unprotected }),
    },
  };
}

function mismatch(named: string, held: string): Outcome {
  const reason = `The alert names ${named}, but the account holds ${held}; nothing was closed`;
  return { kind: "denied", code: "SYMBOL_MISMATCH", reason };
}
