import { afterAll, beforeAll } from "vitest";
import { createPaperAdapter, type PaperBroker } from "../../src/brokers/paper/adapter.ts";
import { createManualFeed } from "../../src/brokers/paper/feed/manual-feed.ts";
import type { ContractCode } from "../../src/domain/contract.ts";
import { accountId, connectionId } from "../../src/domain/ids.ts";
import { ticks, tickSize } from "../../src/domain/price.ts";
import { createKeys } from "../../src/store/keys.ts";
import { brokerStateScripts, createRedisBrokerState } from "../../src/store/redis-broker-state.ts";
import type { BrokerStateStore } from "../../src/trading/ports.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import type { BrokerUnderTest } from "./broker-under-test.ts";

const PRODUCT = {
  tickSize: tickSize("0.25"),
  tickValue: "12.50",
  currency: "USD",
  isExpired: () => false,
};
const KNOWN = new Set(["ESZ2026", "NQZ2026"]);

let corner: RedisCorner;
let brokers = 0;

beforeAll(async () => {
  corner = await openCorner();
  return corner.close;
});
afterAll(() => {
  brokers = 0;
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

async function createPaper(): Promise<BrokerUnderTest> {
  brokers += 1;
  const redis = await corner.open("worker", brokerStateScripts);
  const keys = createKeys(`${corner.keys.prefix}:${brokers}`);
  const faults: Faults = { next: undefined };
  const state = losing(createRedisBrokerState({ redis, keys }), faults);
  const feed = createManualFeed();
  const start = () =>
    createPaperAdapter({
      connectionId: connectionId("paper"),
      settings: { accounts: "1-2", sessionHours: false },
      feed,
      product: (contract) => (KNOWN.has(contract) ? PRODUCT : undefined),
      state,
      now: Date.now,
    });
  let adapter: PaperBroker = start();
  return {
    adapter,
    account: accountId("paper-1"),
    otherAccount: accountId("paper-2"),
    contract: "ESZ2026" as ContractCode,
    otherContract: "NQZ2026" as ContractCode,
    unknownContract: "XXZ2026" as ContractCode,
    setMarket: (contract, { bid, ask, bidQty = 1_000, askQty = 1_000 }) =>
      feed.set(contract, { bid: ticks(bid), ask: ticks(ask), bidQty, askQty }),
    breakSession: () => adapter.breakSession(new Error("The link was cut")),
    loseNextAnswer: (isCarriedOut) => void (faults.next = isCarriedOut ? "after" : "before"),
    setActive: (account, isActive) => adapter.setActive(account, isActive),
    restart: () => (adapter = start()),
    close: () => redis.disconnect(),
  };
}

brokerAdapterConformance("The paper broker on Redis", createPaper);
