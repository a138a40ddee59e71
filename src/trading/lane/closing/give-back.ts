import type { ContractCode } from "../../../domain/contracts/contract.ts";
import { legIdOf } from "../../../domain/ids.ts";
import type { GivenBack, SentCancel, TakenLeg } from "../../../domain/carried-plan.ts";
import { waitsForEntry } from "../../../domain/legs.ts";
import { isClosed, type OrderReport, type Side, sign } from "../../../domain/order.ts";
import type { BrokerPosition } from "../../ports.ts";
import { exitBy } from "../../reads/protection.ts";
import { exitSide } from "../legs/legs.ts";
import { submitLegs } from "../legs/place-legs.ts";
import { beforeSending, type LaneDeps, type LaneTask, type Refusal } from "../lane-deps.ts";
import { readSnapshot } from "../read-snapshot.ts";
import { isBack, nextId, planOf, type Progress } from "./progress.ts";

/** An exit that made way for a close. */
interface Taken extends SentCancel {
  readonly leg: TakenLeg;
}

/** Whether exits of the contract made way, and nothing has taken their place. */
export const isTakenFrom = (progress: Progress, contract: ContractCode): boolean =>
  takenFrom(progress, contract).length > 0;

function takenFrom(progress: Progress, contract: ContractCode): readonly Taken[] {
  return [...progress.canceled.values()].filter(
    (cancel): cancel is Taken =>
      cancel.contract === contract && cancel.leg !== undefined && !isBack(progress, cancel),
  );
}

/** Whether a stop of the contract made way, and none has taken its place. */
export const lacksStop = (progress: Progress, contract: ContractCode): boolean =>
  takenFrom(progress, contract).some(({ leg }) => leg.exit === "STOP_LOSS");

/**
 * Places the exits again that made way for a close which the broker has refused for certain: each pair as it
 * was, and all of a kind together for no more than is held and lacks it. A plan that they belong to keeps them.
 * A refused one is missing then (`lostExits`).
 */
export async function giveBack(
  deps: LaneDeps,
  task: LaneTask,
  contract: ContractCode,
  progress: Progress,
): Promise<Refusal | undefined> {
  const { record, broker } = task;
  const { positions, working } = await readSnapshot(
    record.accountId,
    broker,
    (code) => code === contract,
  );
  const held = positions.find((position) => position.contract === contract);
  if (held === undefined) return undefined;
  const side = exitSide(held);
  const left = lacking(held, working);
  const taken = takenFrom(progress, contract).filter(({ leg }) => leg.side === side);
  // Stops first: what is held lacks them most.
  for (const pair of pairsOf(taken).toSorted(stopsFirst)) {
    const legs = pair.filter(({ leg }) => left[leg.exit] > 0);
    if (legs.length === 0) continue;
    const orderQty = Math.min(...legs.map(({ leg }) => Math.min(leg.leavesQty, left[leg.exit])));
    const placed = await placeAgain(deps, task, { contract, side, orderQty, legs }, progress);
    if (placed.refused !== undefined) return placed.refused;
    for (const exit of placed.exits) left[exit] -= orderQty;
  }
  return undefined;
}

type Exit = TakenLeg["exit"];

/** How many contracts lack an exit of each kind. */
function lacking(
  { contract, netQty }: BrokerPosition,
  working: readonly OrderReport[],
): Record<Exit, number> {
  const standing = working.filter(
    (order) =>
      order.contract === contract &&
      sign(order.side) * netQty < 0 &&
      !isClosed(order.ordStatus) &&
      !waitsForEntry(order),
  );
  const lacks = (exit: Exit) =>
    standing
      .filter((order) => exitBy(order) === exit)
      .reduce((qty, { leavesQty }) => qty - leavesQty, Math.abs(netQty));
  return { STOP_LOSS: lacks("STOP_LOSS"), TAKE_PROFIT: lacks("TAKE_PROFIT") };
}

interface Again {
  readonly contract: ContractCode;
  readonly side: Side;
  readonly orderQty: number;
  readonly legs: readonly Taken[];
}

/** Answers which exits are there again, or may be. */
async function placeAgain(
  deps: LaneDeps,
  task: LaneTask,
  { contract, side, orderQty, legs }: Again,
  progress: Progress,
): Promise<{ readonly refused?: Refusal; readonly exits: readonly Exit[] }> {
  const { accountId } = task.record;
  const clOrdId = nextId(task, progress);
  const named = legs.find((one) => one.clOrdId !== undefined);
  const backFor = (those: readonly Taken[]): GivenBack => ({
    clOrdId,
    of: those.map(({ orderId }) => orderId),
    ...(named?.clOrdId !== undefined && { leg: named.clOrdId }),
  });
  progress.given.push(backFor(legs));
  const refused = await beforeSending(deps, task, { clOrdId, exitPlan: planOf(progress) });
  const take = (those: readonly Taken[]) => {
    progress.given.pop();
    if (those.length > 0) progress.given.push(backFor(those));
    else progress.notPlaced.push(clOrdId);
  };
  if (refused !== undefined) {
    take([]);
    return { refused, exits: [] };
  }
  for (const { clOrdId: before, leg } of legs) {
    if (before === undefined) continue;
    await deps.exits.rename(accountId, { contract, clOrdId: before }, legIdOf(clOrdId, leg.exit));
  }
  const levelOf = (exit: Exit) => legs.find(({ leg }) => leg.exit === exit)?.leg.px;
  const [takeProfitPx, stopLossPx] = [levelOf("TAKE_PROFIT"), levelOf("STOP_LOSS")];
  const answer = await submitLegs(deps, task, clOrdId, {
    contract,
    side,
    orderQty,
    ...(takeProfitPx !== undefined && { takeProfitPx }),
    ...(stopLossPx !== undefined && { stopLossPx }),
  });
  const exits = legs.map(({ leg }) => leg.exit);
  if (answer.kind === "accepted") return { exits };
  const reason = `Its exits were not placed again: ${answer.reason}`;
  if (answer.kind === "unknown") {
    progress.failures.push({ kind: "unknown", reason });
    return { exits };
  }
  progress.unsent += 1;
  const stops = legs.filter(({ leg }) => leg.exit === "STOP_LOSS");
  take(answer.kind === "partial" ? stops : []);
  progress.failures.push({ kind: answer.kind === "partial" ? "rejected" : answer.kind, reason });
  return { exits: answer.kind === "partial" ? ["STOP_LOSS"] : [] };
}

function pairsOf(taken: readonly Taken[]): readonly (readonly Taken[])[] {
  const pairs: Taken[][] = [];
  for (const one of taken) {
    const pair = pairs.find((known) => known.some(({ orderId }) => orderId === one.leg.pairOf));
    if (pair === undefined) pairs.push([one]);
    else pair.push(one);
  }
  return pairs;
}

const hasStop = (pair: readonly Taken[]): boolean =>
  pair.some(({ leg }) => leg.exit === "STOP_LOSS");

const stopsFirst = (one: readonly Taken[], other: readonly Taken[]): number =>
  Number(hasStop(other)) - Number(hasStop(one));
