// The goal: an evaluation is told to the log and the metrics once, whichever processes ended it.
// The method: two processes on one real Redis come to its end at the same time, or one after the other.
import { afterEach, beforeEach, expect, test } from "vitest";
import { contracts as products } from "../../../config/contracts.ts";
import { closures, holidays } from "../../../config/holidays.ts";
import { createContractDirectory } from "../../../src/domain/contracts/contract-directory.ts";
import { intentId } from "../../../src/domain/ids.ts";
import type {
  EvaluationLog,
  LoggedEvaluation,
  Strategies,
} from "../../../src/trading/strategies/ports.ts";
import { createRunSlot } from "../../../src/trading/strategies/run-slot.ts";
import { SlotKeeper } from "../../../src/trading/strategies/slot-keeper.ts";
import { NEXT_SLOT, SLOT, slotOf, StrategyStoreKit } from "./strategy-store-kit.ts";

const contracts = createContractDirectory({ products, holidays, closures });

let kit: StrategyStoreKit;
let told: LoggedEvaluation[];
const observer = {
  evaluated: (_: unknown, evaluation: LoggedEvaluation) => void told.push(evaluation),
};

beforeEach(async () => {
  kit = await StrategyStoreKit.open();
  told = [];
  await kit.save();
  await kit.log.takeSlot(slotOf("slot-1"), NEXT_SLOT);
});
afterEach(() => kit.corner.close());

/** Goes on once both processes have come so far. */
function meeting(): () => Promise<void> {
  let arrive: (() => void) | undefined;
  return async () => {
    if (arrive !== undefined) return arrive();
    await new Promise<void>((resolve) => {
      arrive = resolve;
    });
  };
}

interface Process {
  readonly strategies: Strategies;
  readonly log: EvaluationLog;
}

test("a slot that was left behind is told by one of the processes that look for such", async () => {
  const bothHaveRead = meeting();
  const keeperOf = ({ strategies, log }: Process) =>
    new SlotKeeper({
      strategies,
      log: {
        ...log,
        openOnes: async () => {
          const found = await log.openOnes();
          await bothHaveRead();
          return found;
        },
      },
      intents: { now: async () => SLOT + 30_000, find: async () => undefined },
      scheduler: { between: () => ({ count: 0, isPartial: false }), next: () => NEXT_SLOT },
      timers: { start: () => () => undefined },
      queue: { add: async () => undefined },
      slotId: (_, slotAt) => intentId(`slot-${slotAt}`),
      observer,
      onError: (error) => {
        throw error;
      },
    });
  const keepers = [keeperOf(kit), keeperOf(await kit.elsewhere())];
  for (const keeper of keepers) await keeper.load();
  await Promise.all(keepers.map((keeper) => keeper.sweep()));

  expect(await kit.loggedIds()).toEqual(["slot-1"]);
  expect(told).toMatchObject([{ evaluationId: "slot-1", verdict: "missed" }]);
});

test("a slot that a second process took over is told by the one that ended it", async () => {
  const bothDecide = meeting();
  const runIn = ({ strategies, log }: Process) =>
    createRunSlot({
      strategies,
      log,
      intents: { now: async () => SLOT + 5, find: async () => undefined },
      compute: async (_, evaluation) => {
        await bothDecide();
        return { ...evaluation, verdict: "hold" };
      },
      contracts,
      submit: async () => {
        throw new Error("Nothing is to be sent");
      },
      observer,
    });
  const runs = [runIn(kit), runIn(await kit.elsewhere())];
  await Promise.all(runs.map((run) => run(intentId("slot-1"))));

  expect(await kit.loggedIds()).toEqual(["slot-1"]);
  expect(told).toMatchObject([{ evaluationId: "slot-1", verdict: "hold" }]);
});
