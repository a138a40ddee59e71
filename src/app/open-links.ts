import { laneName } from "../../queues/lane.ts";
import { createLaneProducer } from "../../queues/lane-producer.ts";
import type { AccountId, IntentId } from "../domain/ids.ts";
import { type BrokerDesk, createBrokerDesk } from "../trading/connections/broker-desk.ts";
import type { Lanes } from "../trading/orders/ports.ts";
import type { LiveConnectionBoard } from "../trading/ports.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Owner } from "./open-owner.ts";

/** The way from this process to whoever owns a connection: itself, or another one. */
export interface Links {
  readonly board: LiveConnectionBoard;
  readonly lanes: Lanes;
  readonly runsAhead: Owner["runsAhead"] | undefined;
  readonly reads: BrokerDesk;
}

/** `owner` is absent where connections and lanes are other processes'. */
export async function openLinks(
  base: Foundation,
  owner: Owner | undefined,
  board: LiveConnectionBoard,
): Promise<Links> {
  const { desk, accounts } = base;
  const lanes = openLanes(base, owner);
  return {
    board,
    lanes,
    runsAhead: owner?.runsAhead,
    reads: createBrokerDesk({ desk, accounts, works: owner }),
  };
}

/** The end of the lanes at which intents are put on them, from this process. */
function openLanes(base: Foundation, owner: Owner | undefined): Lanes {
  const { store } = base;
  return createLaneProducer({
    redis: store.request,
    prefix: store.keys.lanes,
    laneNamesKey: store.keys.laneNames,
    ...createBell(base, owner),
  });
}

/** In one process the bell needs no wire. */
function createBell({ store, log }: Foundation, owner: Owner | undefined) {
  const failed = (error: unknown) => log.warn("A lane was not rung; it is swept soon", { error });
  /** One that waits tries again: a quiet lane would else be looked at only in half a minute. */
  const publish = async (lane: string) => {
    const { request, worker, keys } = store;
    await request.publish(keys.doorbell, lane).catch(() => worker.publish(keys.doorbell, lane));
  };
  const isHere = (account: AccountId) => owner?.isHere(account) === true;
  return {
    isElsewhere: (account: AccountId) => !isHere(account),
    expect: (account: AccountId, id: IntentId) => {
      if (isHere(account)) owner?.dispatcher.expect(account, id);
    },
    ring: (account: AccountId, id: IntentId) => {
      if (isHere(account)) owner?.dispatcher.ring(account, id);
      else publish(laneName(account)).catch(failed);
    },
  };
}

/** What use cases are made of, where callers are served. Each takes what it names of it. */
export type UseCaseParts = ReturnType<typeof useCaseParts>;

export function useCaseParts(base: Foundation, links: Links) {
  const { settleNow, troublesOf, brokerGuards: askBrokerGuards } = links.reads;
  return { ...base, ...base.stores, ...links, settleNow, troublesOf, askBrokerGuards };
}
