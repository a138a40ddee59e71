import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { createPaperAdapter, type PaperBroker } from "../../../../src/brokers/paper/adapter.ts";
import { createManualFeed } from "../../../../src/brokers/paper/feed/manual-feed.ts";
import type { AdjustIntent } from "../../../../src/domain/adjust.ts";
import type { Aim } from "../../../../src/domain/alert.ts";
import { protectsAll } from "../../../../src/domain/asked-exits.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { connectionId, intentId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { SIDES, sign, understood } from "../../../../src/domain/order.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { MemoryStateStore } from "../../../support/memory-state-store.ts";
import { PRODUCT } from "../../brokers/paper/test-exchange.ts";
import { NO_FEES } from "../../../support/paper-money.ts";
import { ACCOUNT, ES, type Lane, openLane, place, USER } from "../lane-kit.ts";

const SEP = "ESU2026" as ContractCode;

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

/** A lane whose account is at the built-in broker. */
async function openPaperLane() {
  const lane = await openLane();
  lane.intents.limits = { maxOrderQty: 1_000, maxPositionQty: 1_000 };
  const feed = createManualFeed();
  for (const contract of [ES, SEP]) {
    feed.set(contract, { bid: ticks(3_999), ask: ticks(4_000), bidQty: 1_000, askQty: 1_000 });
  }
  const paper = createPaperAdapter({
    connectionId: connectionId("paper"),
    settings: { accounts: "1", sessionHours: false, startBalance: 50_000 },
    ...NO_FEES,
    feed,
    product: () => PRODUCT,
    state: new MemoryStateStore(),
    now: () => lane.intents.clock,
  });
  paper.onReport(lane.watch.onReport);
  const stop = new AbortController();
  stops.push(stop);
  await new Promise<void>((resolve, reject) => {
    paper.runSession({ signal: stop.signal, onReady: resolve }).catch(reject);
  });
  lane.setConnection({ broker: paper, cancelEndsLinkedLeg: true });
  return { run: runner(lane), paper };
}

/** Carries intents out under identifiers of this gateway's own form. */
function runner(lane: Lane) {
  let last = 0;
  return async (intent: Intent) => {
    last += 1;
    const id = intentId(`i${last.toString(16).padStart(28, "0")}`);
    await lane.intents.accept({
      intentId: id,
      accountId: ACCOUNT,
      userId: USER,
      requestId: "r1",
      source: { kind: "webhook" },
      intent,
      entryMaxAgeMs: 30_000,
      exitMaxAgeMs: 600_000,
      receivedAt: lane.intents.clock,
    });
    await lane.work(id);
    return lane.record(id);
  };
}

const BRACKET = {
  takeProfit: { by: "distance", distance: ticks(40) },
  stopLoss: { by: "distance", distance: ticks(40) },
} as const;
const adjust = (aim: Aim, bracket = true): AdjustIntent => ({
  kind: "ADJUST",
  contract: ES,
  isFrontMonth: true,
  aim,
  cancelFirst: true,
  terms: { ordType: "MARKET", timeInForce: "DAY", ...(bracket && { bracket: BRACKET }) },
});
const netOf = async (paper: PaperBroker, contract = ES) =>
  (await paper.positions(ACCOUNT)).find((one) => one.contract === contract)?.netQty ?? 0;

const qty = fc.integer({ min: 1, max: 5 });
const aims: fc.Arbitrary<Aim> = fc.oneof(
  fc.record({ to: fc.constant("position" as const), netQty: fc.integer({ min: -5, max: 5 }) }),
  fc.record({ to: fc.constant("reverse" as const) }),
  fc.record({ to: fc.constant("close" as const), qty }),
  fc.record({
    to: fc.constant("enter" as const),
    side: fc.constantFrom(...SIDES),
    qty,
    whenHeld: fc.constantFrom("add" as const, "refuse" as const, "replace" as const),
    whenOpposite: fc.constant("close" as const),
  }),
);

function meaning(aim: Aim, held: number): number {
  switch (aim.to) {
    case "position":
      return aim.netQty;
    case "reverse":
      return -held;
    case "close":
      return Math.sign(held) * Math.max(0, Math.abs(held) - ("qty" in aim ? aim.qty : 0));
    case "enter": {
      const wanted = sign(aim.side) * aim.qty;
      if (held * wanted <= 0 || aim.whenHeld === "replace") return wanted;
      return aim.whenHeld === "add" ? held + wanted : held;
    }
    case "add":
    case "order":
      return held;
  }
}

test("one after another, each leaves exactly what it says, and exits only where they belong", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(aims, fc.boolean()), { maxLength: 8 }), async (all) => {
      const { run, paper } = await openPaperLane();
      for (const [aim, bracket] of all) {
        const held = await netOf(paper);
        const { outcome } = await run(adjust(aim, bracket));
        const net = await netOf(paper);
        expect(net).toBe(meaning(aim, held) + 0);
        const { result } = outcome?.kind === "done" ? outcome : {};
        const said = result?.kind === "ADJUST" ? [result.netQty, result.problems] : outcome?.kind;
        expect(said).toEqual(said === "denied" && net === held ? "denied" : [net, []]);
        const working = understood(await paper.workingOrders(ACCOUNT));
        const ofOtherSide = working.filter(({ side }) => net * sign(side) >= 0);
        expect(ofOtherSide).toEqual([]);
        if (!bracket || result?.kind !== "ADJUST" || !protectsAll(aim)) continue;
        const covered = working
          .filter(({ role }) => role === "STOP_LOSS")
          .reduce((sum, { leavesQty }) => sum + leavesQty, 0);
        expect(covered).toBeGreaterThanOrEqual(Math.abs(net));
      }
    }),
    { numRuns: 100 },
  );
});

test("what is held in another month is closed there, and the front month opened", async () => {
  const { run, paper } = await openPaperLane();
  await run(place({ contract: SEP, orderQty: 2 }));
  const { outcome } = await run(adjust({ to: "position", netQty: -3 }));
  expect(outcome).toMatchObject({
    result: {
      closed: [{ contract: SEP, netQty: 2 }],
      order: { side: "SELL", orderQty: 3, cumQty: 3 },
      netQty: -3,
      problems: [],
    },
  });
  expect([await netOf(paper, SEP), await netOf(paper)]).toEqual([0, -3]);
});

test("orders that rest are cancelled first, and are not closed twice", async () => {
  const { run, paper } = await openPaperLane();
  const limit = { ordType: "LIMIT", price: ticks(3_900) } as const;
  await run(place(limit));
  await run(place({ orderQty: 2, bracket: BRACKET }));
  const { outcome } = await run(adjust({ to: "close", percent: 100 }));
  expect(outcome).toMatchObject({ result: { closed: [{ netQty: 2 }], netQty: 0, problems: [] } });
  expect(await paper.workingOrders(ACCOUNT)).toEqual([]);
});
