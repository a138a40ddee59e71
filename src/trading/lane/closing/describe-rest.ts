import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { OpenPosition } from "../../../domain/contracts/exit-contract.ts";
import type { IntentRecord } from "../../../domain/intent.ts";
import type { ClosedPosition } from "../../../domain/intent-result.ts";
import { sign } from "../../../domain/order.ts";
import type { LostExits } from "../../../domain/working-exits.ts";
import { type Close, isBack, isUnderWay, type Progress } from "./progress.ts";
import type { Rest } from "./read-rest.ts";
import { isDemand } from "./going-on.ts";
import type { LaneDeps } from "../lane-deps.ts";

/** Why something remains, in words. */
export function problemsOf(
  rest: Rest,
  progress: Progress,
  describe: LaneDeps["describe"],
): readonly string[] {
  const { closes, failures, refusals } = progress;
  const symbolOf = (contract: ContractCode) => describe(contract).symbol;
  return [
    ...failures.map(({ reason }) => reason),
    ...[...rest.orders, ...rest.opaque].flatMap(({ orderId }) => refusals.get(orderId) ?? []),
    ...closes
      .filter(({ isOver }) => !isOver)
      .map(({ contract }) => `The close of ${symbolOf(contract)} is still being filled`),
    ...lostExits(rest, progress).map(
      ({ contract }) => `${symbolOf(contract)} is still held, and its exits are cancelled`,
    ),
  ];
}

/**
 * Why it cannot be said yet how an exit ends: an order of it may still fill. An unsent order is open as well
 * where the lane does not try it again, unless nothing else was sent.
 */
export function openReason(
  record: IntentRecord,
  { closes, canceled, failures, goesOn }: Progress,
  isClean: boolean,
): string | undefined {
  const mayCome = closes.some(({ isOver }) => !isOver);
  if (mayCome) return "A close of it may still be filled; it goes on once that has ended";
  const hasBegun =
    goesOn || canceled.size > 0 || closes.some(({ orderId }) => orderId !== undefined);
  const isOpen = ({ kind }: { kind: string }) =>
    kind === "unknown" || (hasBegun && kind === "notSent" && !isDemand(record));
  return isClean ? undefined : failures.find(isOpen)?.reason;
}

/** What was left because it is not understood: a person must look at it. */
export const unclearIn = ({
  unclear,
  opaquePositions,
}: Pick<Rest, "unclear" | "opaquePositions">): readonly string[] => [
  ...unclear.map(
    ({ orderId, problem }) =>
      `Order ${orderId} was left as it is, because it is not understood: ${problem}. Look at it at the broker`,
  ),
  ...opaquePositions.map(
    ({ problem }) => `${problem}, so it was not closed. Look at it at the broker`,
  ),
];

/** What is held and may be what was meant: it cannot be known. */
export const leftIn = (positions: readonly OpenPosition[]): readonly string[] =>
  positions.map(
    ({ contract, netQty }) =>
      `${netQty} of ${contract} are held as well, of which the broker does not tell what it is: they were left. Look at it at the broker`,
  );

/** Exits make way for the close; where that was refused, the position stands without them. */
export function lostExits({ positions }: Rest, progress: Progress): readonly LostExits[] {
  return positions.flatMap(({ contract, netQty }) => {
    if (isUnderWay(progress, contract)) return [];
    const roles = [...progress.canceled.values()]
      .filter((order) => order.contract === contract && !isBack(progress, order))
      .map(({ role, closes }) =>
        closes !== undefined && sign(closes.side) * netQty < 0 ? closes.exit : role,
      );
    const exits = (["TAKE_PROFIT", "STOP_LOSS"] as const).filter((exit) => roles.includes(exit));
    return exits.length === 0 ? [] : [{ contract, exits }];
  });
}

/** What the closes have closed so far. */
export const closedOf = ({ closes }: Progress): readonly ClosedPosition[] =>
  closes.flatMap(closedBy);

function closedBy(close: Close): readonly ClosedPosition[] {
  const { contract, orderId, direction, cumQty, order } = close;
  if (orderId === undefined || cumQty === 0) return [];
  return [{ contract, netQty: direction * cumQty, orderId, ...(order !== undefined && { order }) }];
}
