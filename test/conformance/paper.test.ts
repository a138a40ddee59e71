import { MemoryStateStore } from "../support/memory-state-store.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import { createPaperUnderTest, PAPER_CAPABILITIES } from "./paper-kit.ts";

brokerAdapterConformance("The paper broker", PAPER_CAPABILITIES, async () => {
  const state = new MemoryStateStore();
  return createPaperUnderTest({
    state,
    loseNextAnswer: (isCarriedOut) => state.failNext(isCarriedOut ? "after" : "before"),
  });
});
