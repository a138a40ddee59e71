import type { Links } from "./open-links.ts";
import { openSlotQueue } from "../../queues/slot-queue.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { createComputeDecision } from "../trading/strategies/compute-decision.ts";
import type { EvaluationObserver } from "../trading/strategies/end-evaluation.ts";
import { createRunSlot } from "../trading/strategies/run-slot.ts";
import { SlotKeeper } from "../trading/strategies/slot-keeper.ts";
import { createSubmitIntent } from "../trading/orders/submit-intent.ts";
import { newIntentId } from "./new-ids.ts";
import { sha256 } from "./compose-strategy-uses.ts";
import { followChanges, oneAtATime } from "./follow-changes.ts";
import type { Foundation } from "./open-foundation.ts";
import { slotIdOf } from "./new-ids.ts";
import { StoreError } from "../trading/store-error.ts";

/** How often what was left behind is looked for, and lost words are made up for. */
const LOOK_MS = 2_000;

/** Evaluates strategies at the slots of their schedules, together with every other worker. */
export async function workStrategies(
  base: Foundation,
  links: Links,
  observer: EvaluationObserver,
  lifecycle: Lifecycle,
): Promise<void> {
  const { store, stores, patient, keys, channels, log, scheduler, outcomes } = base;
  const failed = (error: unknown) => {
    // That the store is away is said once by its connections, not at each of our looks.
    const isOfStore = error instanceof StoreError || store.guard.reason !== undefined;
    const isQuiet = isOfStore || store.worker.status !== "ready";
    log[isQuiet ? "debug" : "warn"]("A strategy's slot is looked at again", { error });
  };
  const elapsed = () => performance.now();
  // A slot may begin some seconds late, so it waits for a store that is away.
  const { strategies, evaluations, intents } = patient;
  const deps = {
    ...base,
    ...links,
    views: stores.views,
    strategies,
    log: evaluations,
    intents,
    observer,
    elapsed,
  };
  const runSlot = createRunSlot({
    ...deps,
    compute: createComputeDecision({ ...deps, fingerprint: sha256 }),
    // An order waits for nothing.
    submit: createSubmitIntent({
      intents: stores.intents,
      lanes: links.lanes,
      outcomes,
      settleNow: links.reads.settleNow,
      newIntentId,
      elapsed,
    }),
  });
  const queue = await openSlotQueue({
    redis: store.worker,
    prefix: keys.slotQueue,
    run: runSlot,
    onError: failed,
  });
  const keeper = new SlotKeeper({
    ...deps,
    timers: scheduler,
    queue,
    slotId: slotIdOf,
    onError: failed,
  });
  const load = oneAtATime(() => keeper.load());
  const followed = await followChanges({
    listen: async (hear) => await channels.listen(keys.strategyChanges, hear),
    onNews: load,
    look: async () => {
      await load();
      await keeper.sweep();
    },
    everyMs: LOOK_MS,
    onError: failed,
  });
  followed.look().catch(failed);
  lifecycle.started("strategies", async () => {
    keeper.stop();
    await followed.stop();
    await queue.close();
  });
}
