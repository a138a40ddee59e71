import type { AccountId } from "../src/domain/ids.ts";
import { laneMeta, laneName } from "./lane.ts";
import type { Lanes } from "../src/trading/orders/ports.ts";
import type { RedisClient } from "./redis-client.ts";

interface LaneProducerDeps extends Pick<Lanes, "isElsewhere" | "expect" | "ring"> {
  /** The same connection that intents are accepted on; it fails fast. */
  readonly redis: RedisClient;
  readonly prefix: string;
  /** The set of all lanes, for the dispatcher's sweep. */
  readonly laneNamesKey: string;
}

/** What a former version, which had BullMQ write its lanes, keeps of each for nobody. */
const LEFT_BY_FORMER = ["events", "marker", "id"];

/** The lanes as seen by whoever accepts intents, which are put on them as they are accepted. */
export function createLaneProducer(deps: LaneProducerDeps): Lanes {
  const { redis, prefix, laneNamesKey, isElsewhere, expect, ring } = deps;
  // Lanes whose settings are known to be written.
  const prepared = new Set<AccountId>();

  return {
    isElsewhere,
    expect,
    ring,

    prepare: (account) => {
      if (prepared.has(account)) return;
      const name = laneName(account);
      const leftovers = LEFT_BY_FORMER.map((last) => `${prefix}:${name}:${last}`);
      Promise.all([
        redis.hset(`${prefix}:${name}:meta`, laneMeta),
        redis.del(...leftovers),
        redis.sadd(laneNamesKey, name),
      ]).then(
        () => prepared.add(account),
        () => undefined, // What comes behind it on the connection fails too; it is written again.
      );
    },
  };
}
