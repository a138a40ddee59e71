import { laneName } from "../../queues/lane.ts";
import { createLaneProducer } from "../../queues/lane-producer.ts";
import type { AccountId, IntentId } from "../domain/ids.ts";
import type { Logger } from "../observability/logger.ts";
import type { OpenStore } from "./open-store.ts";
import type { LaneWorks } from "./work-lanes.ts";
import type { Lanes } from "../trading/orders/ports.ts";

interface LanesParts {
  readonly store: OpenStore;
  readonly processId: string;
  /** Absent where connections and lanes are other processes'. */
  readonly works: LaneWorks | undefined;
  readonly log: Logger;
}

/** The end of the lanes at which intents are put on them, from this process. */
export async function openLanes(parts: LanesParts): Promise<Lanes> {
  const { store, processId } = parts;
  return await createLaneProducer({
    redis: store.request,
    prefix: store.keys.lanes,
    laneNamesKey: store.keys.laneNames,
    processId,
    ...createBell(parts),
  });
}

/** In one process the bell needs no wire. */
function createBell({ store, works, log }: LanesParts) {
  const failed = (error: unknown) => log.warn("A lane was not rung; it is swept soon", { error });
  /** One that waits tries again: a quiet lane would else be looked at only in half a minute. */
  const publish = async (lane: string) => {
    const { request, worker, keys } = store;
    await request.publish(keys.doorbell, lane).catch(() => worker.publish(keys.doorbell, lane));
  };
  const isHere = (account: AccountId) => works?.isHere(account) === true;
  return {
    expect: (account: AccountId, id: IntentId) => {
      if (isHere(account)) works?.dispatcher.expect(account, id);
    },
    ring: (account: AccountId, id: IntentId) => {
      if (isHere(account)) works?.dispatcher.ring(account, id);
      else publish(laneName(account)).catch(failed);
    },
  };
}
