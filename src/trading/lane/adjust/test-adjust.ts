import type { AdjustSteps } from "../../../domain/adjust.ts";
import type { ContractCode } from "../../../domain/contract.ts";
import type { Outcome, TestStep } from "../../../domain/intent.ts";
import { readRest } from "../end-rest.ts";
import type { LaneTask, Refusal } from "../lane-deps.ts";
import { endingSteps, tested, WAITS } from "../tested.ts";
import type { Decision } from "./decide-adjust.ts";

/** What an adjustment would do, in its order. */
export async function testAdjust(
  task: LaneTask,
  decision: Exclude<Decision, { kind: "stop" }>,
): Promise<Outcome> {
  switch (decision.kind) {
    case "nothing":
      return tested([]);
    case "hold": {
      const { steps } = decision;
      const entry = steps && entryStep(steps, true);
      return tested([WAITS, ...(steps ? await stepsBefore(task, steps) : []), ...(entry ?? [])]);
    }
    case "go": {
      const { steps, entry } = decision;
      const before = await stepsBefore(task, steps);
      if (entry?.kind === "stop") return tested([...before, withhold(entry.outcome)]);
      return tested([...before, ...entryStep(steps, entry?.adds ?? true)]);
    }
  }
}

/** The cancels, the closes with their legs, and what closes a part. */
async function stepsBefore(
  task: LaneTask,
  { cancels, closes, reduce, problem }: AdjustSteps,
): Promise<readonly TestStep[]> {
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

const entryStep = ({ entry }: AdjustSteps, adds: boolean): readonly TestStep[] =>
  entry === undefined ? [] : [{ kind: "order", order: entry, adds }];

const withhold = ({ reason }: Refusal): TestStep => ({
  kind: "withhold",
  reason: `The order would not be placed: ${reason}`,
});
