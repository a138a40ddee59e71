import type { Redis } from "ioredis";
import { beforeAll } from "vitest";
import { createKeys } from "../../src/store/keys.ts";
import {
  brokerStateScripts,
  createRedisBrokerState,
} from "../../src/store/accounts/redis-broker-state.ts";
import type { BrokerStateStore } from "../../src/trading/ports.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import { createPaperUnderTest, PAPER_CAPABILITIES } from "./paper-kit.ts";

let corner: RedisCorner;
let redis: Redis;
let brokers = 0;

beforeAll(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", brokerStateScripts);
  return corner.close;
});

/** The next write fails, before Redis has it or after. */
interface Faults {
  next: "before" | "after" | undefined;
}

function losing(store: BrokerStateStore, faults: Faults): BrokerStateStore {
  return {
    load: (account) => store.load(account),
    commit: async (account, changes) => {
      const { next } = faults;
      faults.next = undefined;
      if (next === "before") throw new Error("The write was lost before it was done");
      await store.commit(account, changes);
      if (next === "after") throw new Error("The answer to the write was lost");
    },
  };
}

brokerAdapterConformance("The paper broker on Redis", PAPER_CAPABILITIES, async () => {
  brokers += 1;
  const keys = createKeys(`${corner.keys.prefix}:${brokers}`);
  const faults: Faults = { next: undefined };
  return createPaperUnderTest({
    state: losing(createRedisBrokerState({ redis, keys }), faults),
    loseNextAnswer: (isCarriedOut) => void (faults.next = isCarriedOut ? "after" : "before"),
  });
});
