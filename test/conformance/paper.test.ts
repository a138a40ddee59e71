import { createPaperAdapter, type PaperBroker } from "../../src/brokers/paper/adapter.ts";
import { createManualFeed } from "../../src/brokers/paper/feed/manual-feed.ts";
import type { ContractCode } from "../../src/domain/contract.ts";
import { accountId, connectionId } from "../../src/domain/ids.ts";
import { ticks, tickSize } from "../../src/domain/price.ts";
import { MemoryStateStore } from "../support/memory-state-store.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import type { BrokerUnderTest } from "./broker-under-test.ts";

const PRODUCT = {
  tickSize: tickSize("0.25"),
  tickValue: "12.50",
  currency: "USD",
  isExpired: () => false,
};

async function createPaper(): Promise<BrokerUnderTest> {
  const feed = createManualFeed();
  const state = new MemoryStateStore();
  const known = new Set(["ESZ2026", "NQZ2026"]);
  const start = () =>
    createPaperAdapter({
      connectionId: connectionId("paper"),
      settings: { accounts: "1-2", sessionHours: false },
      feed,
      product: (contract) => (known.has(contract) ? PRODUCT : undefined),
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
    loseNextAnswer: (isCarriedOut) => state.failNext(isCarriedOut ? "after" : "before"),
    setActive: (account, isActive) => adapter.setActive(account, isActive),
    restart: () => (adapter = start()),
  };
}

brokerAdapterConformance("The paper broker", createPaper);
