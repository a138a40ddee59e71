import { type ContractCode, isNameless } from "../../domain/contracts/contract.ts";
import type { Intent, Outcome } from "../../domain/intent.ts";
import type { IntentResult } from "../../domain/intent-result.ts";
import { otherPosition } from "../../domain/overtaking.ts";
import { isMeantToGo } from "../orders/resolve.ts";
import { endRest } from "./closing/end-rest.ts";
import { newProgress, type Progress } from "./closing/progress.ts";
import { closedSteps, goesOnAs, isDemand, refuseClosed } from "./closing/going-on.ts";
import { isClean, readRest, type Rest } from "./closing/read-rest.ts";
import { endingSteps, dryRunDone } from "./dry-run.ts";
import type { LaneDeps, LaneTask } from "./lane-deps.ts";
import { readHeld } from "./read-snapshot.ts";
import {
  closedOf,
  leftIn,
  lostExits,
  openReason,
  problemsOf,
  unclearIn,
} from "./closing/describe-rest.ts";
import { untilKnown } from "./until-known.ts";

type FlattenIntent = Extract<Intent, { kind: "FLATTEN" }>;

/**
 * Closes positions and cancels what rests. Whatever fails, everything else is still tried, and what
 * remains is part of the answer.
 */
export async function runFlatten(
  deps: LaneDeps,
  task: LaneTask,
  intent: FlattenIntent,
  progress: Progress = newProgress(),
): Promise<Outcome> {
  const { record, broker } = task;
  const { cancelResting, contract, mustHold } = intent;
  const { positions: held } = await readHeld(record.accountId, broker);
  const other = otherPosition(mustHold, held);
  if (other !== undefined && !progress.goesOn) return mismatch(mustHold ?? "", other);

  // A position that was opened while it waited was not meant if another root was named.
  const nameless = held.filter((one) => isNameless(one.contract));
  const isNarrowed = other !== undefined || nameless.length > 0;
  const root = isNarrowed ? (mustHold ?? intent.root) : intent.root;
  const isWhole = root === undefined && contract === undefined;
  const meant = {
    ...(root !== undefined && { root }),
    ...(contract !== undefined && { contract }),
  };
  const scope = {
    cancelResting,
    isWhole,
    isMeant: (code: ContractCode) => isMeantToGo(code, meant),
  };
  const closed = refuseClosed(
    deps,
    task,
    held.filter((one) => scope.isMeant(one.contract)),
  );
  if (closed !== undefined && !progress.goesOn) return closed;
  if (record.test === true) {
    const { positions, orders, opaque } = await readRest(task, scope, progress);
    return dryRunDone([
      ...closedSteps(deps, task, positions),
      ...endingSteps({ positions, orders: [...orders, ...opaque] }),
    ]);
  }
  const { rest, refused } = await endRest(deps, task, scope, progress);
  if (refused !== undefined && !task.isBegun) return refused;
  const problems = [
    ...(other === undefined ? [] : [`The account holds ${other} as well, which it does not name`]),
    ...(isWhole ? [] : leftIn(nameless)),
    ...(refused === undefined || isClean(rest) ? [] : [refused.reason]),
  ];
  return untilKnown(task, toOutcome(deps, task, { rest, problems }, progress));
}

/** "Not sent" and "rejected" are said only when nothing at all was carried out. */
function toOutcome(
  deps: LaneDeps,
  task: LaneTask,
  { rest, problems }: { readonly rest: Rest; readonly problems: readonly string[] },
  progress: Progress,
): Outcome {
  const { record } = task;
  const { closes, canceled, failures } = progress;
  const [failure] = failures;
  const underWay = closes.filter(({ isOver }) => !isOver);
  const closed = closedOf(progress);
  const open = openReason(record, progress, isClean(rest));
  const untouched = closed.length === 0 && canceled.size === 0 && underWay.length === 0;
  const isFinal = !isDemand(record) || (failure?.kind === "notSent" && !progress.goesOn);
  const isInVain = failure !== undefined && untouched && !isClean(rest) && open === undefined;
  if (isInVain && isFinal) return failure;

  const unprotected = lostExits(rest, progress);
  const result: IntentResult = {
    kind: "FLATTEN",
    closed,
    canceledOrderIds: [...canceled.keys()],
    remaining: rest.positions.map(({ contract, netQty }) => ({ contract, netQty })),
    remainingOrderIds: [...rest.orders, ...rest.opaque].map(({ orderId }) => orderId),
    problems: [
      ...(isClean(rest) ? [] : problemsOf(rest, progress, deps.describe)),
      ...unclearIn(rest),
      ...problems,
    ],
    ...(unprotected.length > 0 && { unprotected }),
  };
  if (open !== undefined) return { kind: "unknown", reason: open, soFar: result };
  const reason = result.problems.join(". ");
  const left = { rest, progress };
  return (
    goesOnAs(deps, task, left, { soFar: result, reason: reason === "" ? NOT_FLAT : reason }) ?? {
      kind: "done",
      result,
    }
  );
}

const NOT_FLAT = "Not everything is closed yet";

function mismatch(named: string, held: string): Outcome {
  const reason = `The alert names ${named}, but the account holds ${held}; nothing was closed`;
  return { kind: "denied", code: "SYMBOL_MISMATCH", reason };
}
