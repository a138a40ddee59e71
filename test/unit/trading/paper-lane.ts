import { createPaperAdapter, type PaperBroker } from "../../../src/brokers/paper/adapter.ts";
import type { ManualFeed } from "../../../src/brokers/paper/feed/manual-feed.ts";
import { connectionId } from "../../../src/domain/ids.ts";
import { MemoryStateStore } from "../../support/memory-state-store.ts";
import { NO_FEES } from "../../support/paper-money.ts";
import { PRODUCT } from "../brokers/paper/test-exchange.ts";
import type { Lane } from "./lane-kit.ts";

/** The built-in broker in memory, by the clock of a lane and a feed in our hand. */
export const openPaper = (lane: Lane, feed: ManualFeed): PaperBroker =>
  createPaperAdapter({
    connectionId: connectionId("paper"),
    settings: { accounts: "1", sessionHours: false, startBalance: 50_000 },
    ...NO_FEES,
    feed,
    product: () => PRODUCT,
    state: new MemoryStateStore(),
    now: () => lane.intents.clock,
  });

/** Resolves once its session is ready. */
export const beginSession = async (paper: PaperBroker, end: AbortSignal): Promise<void> =>
  await new Promise((resolve, reject) => {
    paper.runSession({ signal: end, onReady: resolve }).catch(reject);
  });
