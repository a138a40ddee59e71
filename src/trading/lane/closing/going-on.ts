import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { IntentRecord, IntentSource, Outcome } from "../../../domain/intent.ts";
import type { DryRunStep, IntentResult } from "../../../domain/intent-result.ts";
import type { OpenPosition } from "../../../domain/contracts/exit-contract.ts";
import { mayOpen } from "../../../domain/adjust.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import type { Progress } from "./progress.ts";
import { isClean, isExitOf, type Rest } from "./read-rest.ts";

/**
 * Whether the lane itself goes on with an exit that is not done. Guards and plans ask anew as long as they want
 * it, each with a new intent.
 */
const IS_DEMAND: Readonly<Record<IntentSource["kind"], boolean>> = {
  api: true,
  webhook: true,
  operator: true,
  copy: true,
  strategy: true,
  guard: false,
  timeout: false,
  plan: false,
};

export const isDemand = ({
  intent,
  source,
  test,
}: Pick<IntentRecord, "intent" | "source" | "test">): boolean =>
  IS_DEMAND[source.kind] &&
  test !== true &&
  (intent.kind === "FLATTEN" || intent.kind === "ADJUST");

/** An exit is tried for so long, ms: its owner has long looked at it by then. */
export const GOES_ON_FOR_MS = 7 * 24 * 3_600_000;
/** A market that has just opened is given so long for its first trades, ms. */
export const AFTER_OPENING_MS = 2_000;

type GoesOn = Extract<Outcome, { kind: "unfinished" | "held" | "overtaken" }>;

const REPLACED = "A newer target says where the position is to be; nothing more of it is closed";

/** The rest of an exit, and how far it has come. */
interface LeftOver {
  readonly rest: Rest;
  readonly progress: Progress;
  /** An order that was to follow was sent: the other side may be held. */
  readonly hasEntered?: boolean;
}

/**
 * The outcome of an exit that has left something: it waits for its markets where that is all that is left, and
 * else is tried again. Undefined for one that is done, or that the lane does not go on with.
 */
export function goesOnAs(
  { describe, marketOf, now }: Pick<LaneDeps, "describe" | "marketOf" | "now">,
  { record, connection }: Pick<LaneTask, "record" | "connection">,
  { rest, progress, hasEntered = false }: LeftOver,
  { soFar, reason }: { readonly soFar: IntentResult; readonly reason: string },
): GoesOn | undefined {
  if (isClean(rest) && progress.replaced.size > 0) {
    return { kind: "overtaken", reason: REPLACED, soFar };
  }
  const isUnread = progress.goesOn && rest.opaquePositions.length > 0;
  if (
    (isClean(rest) && !isUnread) ||
    !isDemand(record) ||
    !wantsOut(record, rest, { ...progress, hasEntered })
  ) {
    return undefined;
  }
  const { waits, aim } = progress;
  const settled = [
    ...progress.closes
      .filter(({ isOver }) => isOver)
      .map(({ clOrdId, cumQty, orderId }) => ({
        clOrdId,
        cumQty,
        ...(orderId !== undefined && { orderId }),
      })),
    ...[...new Set(progress.notPlaced)].map((clOrdId) => ({ clOrdId, cumQty: 0 })),
  ];
  const isWaiting = (contract: ContractCode | undefined) =>
    contract !== undefined && waits.has(contract);
  const others = [
    ...rest.positions.filter(({ contract }) => !isWaiting(contract)),
    ...rest.orders.filter(
      (order) => !(isWaiting(order.contract) && isExitOf(rest.positions, order)),
    ),
    ...rest.opaque,
    ...rest.opaquePositions,
  ];
  const opensAt = Math.min(...rest.positions.flatMap(({ contract }) => waits.get(contract) ?? []));
  if (others.length > 0) {
    const unfinished = { kind: "unfinished", reason, soFar, settled } as const;
    // A market that is closed takes no cancels either.
    const markets = rest.orders.map(({ contract }) => marketOf(connection, contract));
    const openings = markets.flatMap((market) =>
      market.kind === "closed" ? [market.opensAt] : [],
    );
    const opening = Math.min(opensAt, openingOf(record, now()), ...openings);
    return Number.isFinite(opening) ? { ...unfinished, opensAt: opening } : unfinished;
  }
  const waiting = heldInWords(describe, rest.positions, opensAt);
  const held = { kind: "held", reason: waiting, soFar, settled, opensAt } as const;
  return aim === undefined ? held : { ...held, aim };
}

/** The opening that it was waiting for; around it the hours are not certain. Infinity for none ahead. */
function openingOf({ outcome }: IntentRecord, now: number): number {
  const opensAt = outcome !== undefined && "opensAt" in outcome ? outcome.opensAt : undefined;
  return opensAt !== undefined && opensAt > now ? opensAt : Infinity;
}

/** An adjustment that opens goes on only with the positions that it was to close before. */
function wantsOut(
  { intent }: IntentRecord,
  { positions }: Rest,
  { closes, hasEntered }: Pick<Progress, "closes"> & { readonly hasEntered: boolean },
): boolean {
  if (intent.kind !== "ADJUST" || positions.length > 0 || !mayOpen(intent.aim)) return true;
  // Exits of what it has closed may work still.
  return closes.some(({ cumQty }) => cumQty > 0) && !hasEntered;
}

/** The steps that a dry run shows for contracts whose market is closed. */
export function closedSteps(
  { marketOf, describe }: Pick<LaneDeps, "marketOf" | "describe">,
  { connection }: Pick<LaneTask, "connection">,
  positions: readonly OpenPosition[],
): readonly DryRunStep[] {
  return positions.flatMap((position) => {
    const market = marketOf(connection, position.contract);
    if (market.kind !== "closed") return [];
    return [{ kind: "wait", reason: heldInWords(describe, [position], market.opensAt) } as const];
  });
}

function heldInWords(
  describe: LaneDeps["describe"],
  positions: readonly OpenPosition[],
  opensAt: number,
): string {
  const symbols = positions.map(({ contract }) => describe(contract).symbol).join(", ");
  return `The market of ${symbols} is closed. The position is closed once it opens, at ${new Date(opensAt).toISOString()}`;
}

/** An exit that is not to wait is refused while its markets are certainly closed, with nothing touched. */
export function refuseClosed(
  { marketOf, describe }: Pick<LaneDeps, "marketOf" | "describe">,
  { record, connection }: Pick<LaneTask, "record" | "connection">,
  positions: readonly OpenPosition[],
): Extract<Outcome, { kind: "denied" }> | undefined {
  const { intent } = record;
  if (!("whenClosed" in intent) || intent.whenClosed !== "refuse") return undefined;
  const closed = positions
    .map(({ contract }) => marketOf(connection, contract))
    .filter((market) => market.kind === "closed");
  if (closed.length === 0 || closed.length < positions.length) return undefined;
  const first = Math.min(...closed.map((market) => market.opensAt));
  const symbols = positions.map(({ contract }) => describe(contract).symbol).join(", ");
  const reason = `The market of ${symbols} is closed until ${new Date(first).toISOString()}; nothing was sent`;
  return { kind: "denied", code: "MARKET_CLOSED", reason, opensAt: first };
}
