import type { AdjustIntent, AdjustSteps } from "../../../domain/adjust.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Outcome, DryRunStep } from "../../../domain/intent.ts";
import { readRest } from "../end-rest.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import { endingSteps, dryRunDone, WAITS } from "../dry-run.ts";
import type { Decision } from "./decide-adjust.ts";
import { protectAsAsked } from "./protect-as-asked.ts";

/** What an adjustment would do, in its order. */
export async function dryRunAdjust(
  deps: LaneDeps,
  task: LaneTask,
  intent: AdjustIntent,
  decision: Exclude<Decision, { kind: "stop" }>,
): Promise<Outcome> {
  switch (decision.kind) {
    case "nothing":
      return dryRunDone([]);
    case "park": {
      const { steps } = decision;
      if (steps === undefined) return dryRunDone([WAITS]);
      const before = await stepsBefore(task, steps);
      const exits = await exitsStep(deps, task, intent, steps);
      return dryRunDone([WAITS, ...before, ...exits, ...entryStep(steps, true)]);
    }
    case "go": {
      const { steps, entry } = decision;
      const exits = await exitsStep(deps, task, intent, steps);
      const before = [...(await stepsBefore(task, steps)), ...exits];
      const last =
        entry?.kind === "stop"
          ? [withhold("The order", entry.outcome)]
          : entryStep(steps, entry?.adds ?? true);
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

/** The exits of what stands, by what is held now. */
async function exitsStep(
  deps: LaneDeps,
  task: LaneTask,
  { terms: { bracket = {} } }: AdjustIntent,
  { protect }: AdjustSteps,
): Promise<readonly DryRunStep[]> {
  if (protect === undefined) return [];
  const outcome = await protectAsAsked(deps, task, bracket, protect.contract);
  if (outcome.kind === "dryRun") return outcome.steps;
  return outcome.kind === "standing" ? [] : [withhold("Its exits", outcome)];
}

const withhold = (what: string, { reason }: { readonly reason: string }): DryRunStep => ({
  kind: "withhold",
  reason: `${what} would not be placed: ${reason}`,
});
