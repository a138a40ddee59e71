import type { AdjustIntent, AdjustSteps } from "../../../domain/adjust.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Outcome } from "../../../domain/intent.ts";
import type { DryRunStep } from "../../../domain/intent-result.ts";
import { closedSteps } from "../closing/going-on.ts";
import { readRest } from "../closing/read-rest.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import { endingSteps, dryRunDone, SIZED_THEN, WAITS } from "../dry-run.ts";
import type { PreparedOrder } from "../../../domain/order-ticket.ts";
import type { Snapshot } from "../read-snapshot.ts";
import type { View } from "../view.ts";
import { sizeAsAsked } from "../size-entry.ts";
import { type Decision, snapshotAfter } from "./decide-adjust.ts";
import { INTERRUPTED } from "./adjust-words.ts";
import { protectAsAsked } from "./protect-as-asked.ts";

/** What an adjustment would do, in its order. */
export async function dryRunAdjust(
  deps: LaneDeps,
  task: LaneTask,
  intent: AdjustIntent,
  {
    decision,
    snapshot,
    closing,
  }: {
    readonly decision: Exclude<Decision, { kind: "stop" }>;
    readonly snapshot: View;
    /** The positions of which something is to be closed. */
    readonly closing: Snapshot["positions"];
  },
): Promise<Outcome> {
  const { handling } = intent;
  const waits = closedSteps(deps, task, closing);
  switch (decision.kind) {
    case "nothing":
      return dryRunDone([]);
    case "park": {
      const { steps } = decision;
      if (steps === undefined) return dryRunDone([WAITS]);
      const before = await stepsBefore(task, steps);
      const exits = await exitsStep(deps, task, intent, steps);
      const last = handling?.size === undefined ? entryStep(steps, true) : [SIZED_THEN];
      return dryRunDone([WAITS, ...waits, ...before, ...exits, ...last]);
    }
    case "go": {
      const { steps, entry } = decision;
      const exits = await exitsStep(deps, task, intent, steps);
      const before = [...waits, ...(await stepsBefore(task, steps)), ...exits];
      // The order that was to follow is too old once the market opens.
      if (waits.length > 0 && steps.entry !== undefined) {
        return dryRunDone([...before, withhold("The order", INTERRUPTED)]);
      }
      if (entry?.kind === "stop") {
        return dryRunDone([...before, withhold("The order", entry.outcome)]);
      }
      const last =
        handling?.size === undefined || steps.entry === undefined
          ? entryStep(steps, entry?.adds ?? true)
          : await sizedStep(deps, task, intent, { steps, entry: steps.entry, snapshot });
      return dryRunDone([...before, ...last]);
    }
  }
}

/** The cancels, the closes with their legs, and what closes a part. */
async function stepsBefore(
  task: LaneTask,
  { cancels, closes, reduce, problem }: AdjustSteps,
): Promise<readonly DryRunStep[]> {
  const contracts = new Set<ContractCode>(closes.map(({ contract }) => contract));
  const isMeant = (contract: ContractCode) => contracts.has(contract);
  const scope = { isMeant, isWhole: false, cancelResting: false };
  const rest = await readRest(task, scope, { closes: [] });
  const isFirst = ({ orderId }: { orderId: string }) =>
    cancels.some((order) => order.orderId === orderId);
  const orders = [...cancels, ...rest.orders.filter((order) => !isFirst(order))];
  return [
    ...endingSteps({ positions: rest.positions, orders }),
    ...(reduce === undefined ? [] : [{ kind: "order", order: reduce, adds: false } as const]),
    ...(problem === undefined ? [] : [{ kind: "withhold", reason: problem } as const]),
  ];
}

const entryStep = ({ entry }: AdjustSteps, adds: boolean): readonly DryRunStep[] =>
  entry === undefined ? [] : [{ kind: "order", order: entry, adds }];

/** Sized by what would be held then. */
async function sizedStep(
  deps: LaneDeps,
  task: LaneTask,
  intent: AdjustIntent,
  {
    steps,
    entry,
    snapshot,
  }: { readonly steps: AdjustSteps; readonly entry: PreparedOrder; readonly snapshot: View },
): Promise<readonly DryRunStep[]> {
  const { news, allNews } = snapshot;
  const shown = { ...snapshotAfter(steps, snapshot), news, allNews };
  const sized = await sizeAsAsked(deps, task, intent, { entry, shown, read: async () => shown });
  if (sized.kind === "park") return [SIZED_THEN];
  if (sized.kind === "stop") return [withhold("The order", sized.outcome)];
  const { order, problem } = sized;
  return [
    { kind: "order", order, adds: true },
    ...(problem === undefined ? [] : [{ kind: "withhold", reason: problem } as const]),
  ];
}

/** The exits of what stands, by what is held now. */
async function exitsStep(
  deps: LaneDeps,
  task: LaneTask,
  intent: AdjustIntent,
  { protect }: AdjustSteps,
): Promise<readonly DryRunStep[]> {
  if (protect === undefined) return [];
  const outcome = await protectAsAsked(deps, task, intent, protect.contract);
  if (outcome.kind === "dryRun") return outcome.steps;
  return outcome.kind === "standing" ? [] : [withhold("Its exits", outcome)];
}

const withhold = (what: string, { reason }: { readonly reason: string }): DryRunStep => ({
  kind: "withhold",
  reason: `${what} would not be placed: ${reason}`,
});
