import { beforeEach, describe, expect, test } from "vitest";
import { missingExits } from "../../../../../src/domain/asked-exits.ts";
import { orderId } from "../../../../../src/domain/ids.ts";
import type { Intent, Outcome } from "../../../../../src/domain/intent.ts";
import type { LegPlan } from "../../../../../src/domain/carried-plan.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import type { CommandOutcome } from "../../../../../src/trading/ports.ts";
import { ES, type Lane, openLane, position, REJECTED, showPair, UNKNOWN } from "../../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
});

const OLD = { takeProfitPx: ticks(4_040), stopLossPx: ticks(3_960) };
const NEW = { takeProfitPx: ticks(4_080), stopLossPx: ticks(3_980) };
const CANCELED = "take-profit of 2 ESZ6 at 1010 and stop-loss of 2 ESZ6 at 990";
const plan = (change: Partial<LegPlan> = {}): LegPlan => ({
  contract: ES,
  side: "SELL",
  orderQty: 2,
  ...NEW,
  before: OLD,
  oldOrderIds: [orderId("tp"), orderId("sl")],
  canceled: CANCELED,
  ...change,
});
const at = (price: number) => ({ by: "price", price: ticks(price) }) as const;
const BOTH: Intent = {
  kind: "PROTECT",
  contract: ES,
  levels: { takeProfit: at(4_080), stopLoss: at(3_980) },
};

/** Puts a protection at the lane whose outcome is unknown. */
async function putUnknown(stored: LegPlan) {
  const id = await lane.accept(BOTH);
  lane.intents.put({ ...lane.record(id), state: "UNKNOWN", plan: stored });
  return id;
}

/** Looks it up twice, far enough apart, and answers how it ended. */
async function settled(id: Awaited<ReturnType<typeof putUnknown>>): Promise<Outcome | undefined> {
  await lane.settler.settle(lane.record(id), lane.broker);
  lane.intents.clock += 5_000;
  await lane.settler.settle(lane.record(id), lane.broker);
  return lane.record(id).outcome;
}

const moveLegs = (levels: { takeProfitPx?: number; stopLossPx?: number }, qty = 2) => {
  const { takeProfitPx, stopLossPx } = { ...OLD, ...levels };
  showPair(lane.broker, qty);
  lane.broker.change(orderId("tp"), { price: ticks(takeProfitPx) });
  lane.broker.change(orderId("sl"), { stopPx: ticks(stopLossPx) });
};

describe("a protection whose answer was lost", () => {
  test("is done when the new levels stand, at the first look", async () => {
    const id = await putUnknown(plan());
    moveLegs(NEW);
    expect(await lane.settler.settle(lane.record(id), lane.broker)).toMatchObject({
      state: "DONE",
      outcome: {
        result: {
          kind: "PROTECT",
          orderQty: 2,
          takeProfitOrderId: "tp",
          stopLossOrderId: "sl",
        },
      },
    });
  });

  test("is for no more than was planned, and what came since has no exits", async () => {
    const id = await putUnknown(plan());
    moveLegs(NEW);
    lane.broker.held = [position(5)];
    const record = await lane.settler.settle(lane.record(id), lane.broker);
    expect(record.outcome).toMatchObject({ result: { orderQty: 2, growsTo: 5 } });
    expect(missingExits(record)).toMatchObject([{ contract: ES }]);
  });

  test("is lost when the old levels stand as they stood", async () => {
    const id = await putUnknown(plan());
    moveLegs(OLD);
    expect(await settled(id)).toEqual({
      kind: "lost",
      reason: "The broker shows no new levels; the old ones are as they were",
    });
  });

  test("is lost when only one level was to move, and did not", async () => {
    const id = await putUnknown(plan({ takeProfitPx: OLD.takeProfitPx }));
    moveLegs(OLD);
    expect(await settled(id)).toMatchObject({ kind: "lost" });
  });

  test.each([
    ["one is at its new level", { stopLossPx: NEW.stopLossPx }],
    ["both are at others", { takeProfitPx: 4_100, stopLossPx: 3_900 }],
  ])("says what stands when %s", async (_, levels) => {
    const id = await putUnknown(plan());
    moveLegs(levels);
    expect(await settled(id)).toEqual({
      kind: "unprotected",
      canceled: CANCELED,
      reason: "It was interrupted, and the broker shows not all of the new levels",
      restored: false,
      standing: "a take-profit and a stop-loss",
    });
  });

  test("says what stands when an old level is gone and the other one is not", async () => {
    const id = await putUnknown(plan());
    moveLegs(OLD);
    lane.broker.orders.delete("tp");
    expect(await settled(id)).toMatchObject({ kind: "unprotected", standing: "a stop-loss" });
  });

  test("says what stands when one of several old pairs is gone", async () => {
    const oldOrderIds = ["tp", "sl", "sl2"].map(orderId);
    const id = await putUnknown(plan({ oldOrderIds }));
    moveLegs(OLD);
    expect(await settled(id)).toMatchObject({ kind: "unprotected" });
  });

  test("an old level that goes between two looks is not lost on the strength of one", async () => {
    const id = await putUnknown(plan({ takeProfitPx: OLD.takeProfitPx }));
    moveLegs(OLD);
    await lane.settler.settle(lane.record(id), lane.broker);
    lane.intents.clock += 6_000;
    lane.broker.orders.delete("sl");
    await lane.settler.settle(lane.record(id), lane.broker);
    expect(lane.record(id).state).toBe("UNKNOWN");
    expect(await settled(id)).toMatchObject({ kind: "unprotected", standing: "a take-profit" });
  });

  test("is done when the position was turned around: what was to be protected is closed", async () => {
    const id = await putUnknown(plan());
    lane.broker.held = [position(-2)];
    expect(await settled(id)).toMatchObject({ kind: "done", result: { orderQty: 0 } });
  });

  test("is unprotected when nothing stands", async () => {
    const id = await putUnknown(plan());
    const outcome = await settled(id);
    expect(outcome).toMatchObject({ kind: "unprotected", canceled: CANCELED, restored: false });
    expect(outcome).not.toHaveProperty("standing");
  });

  test("is unprotected only after two looks at which no exit stood at all", async () => {
    const id = await putUnknown(plan());
    moveLegs(OLD);
    await lane.settler.settle(lane.record(id), lane.broker);
    lane.intents.clock += 6_000;
    lane.broker.orders.clear();
    await lane.settler.settle(lane.record(id), lane.broker);
    expect(lane.record(id).state).toBe("UNKNOWN");
    expect(await settled(id)).toMatchObject({ kind: "unprotected" });
  });

  test("is done when its position is closed: nothing is left to protect", async () => {
    const id = await putUnknown(plan());
    lane.broker.held = [];
    expect(await settled(id)).toMatchObject({ kind: "done", result: { orderQty: 0 } });
  });

  test.each([
    [3, 3, 3, "done"],
    [3, 2, 2, "done"],
    [3, 5, 3, "done"],
    [3, 3, 2, "lost"],
  ])(
    "planned for %i, %i are held, and its legs are of %i: %s",
    async (orderQty, held, shown, kind) => {
      const id = await putUnknown(plan({ ...OLD, orderQty }));
      lane.broker.held = [position(held)];
      moveLegs(OLD, shown);
      expect(await settled(id)).toMatchObject({ kind });
    },
  );

  test("with a plan of an earlier version, it is done when its levels stand", async () => {
    const id = await putUnknown({ contract: ES, side: "SELL", ...NEW, canceled: CANCELED });
    moveLegs(NEW);
    expect(await settled(id)).toMatchObject({ kind: "done" });
  });
});

describe("a replacement whose answer was lost", () => {
  const REPLACING = { ...OLD, replaces: true, orderQty: 2 } as const;

  test("is lost when the old exits stand, even at the new prices", async () => {
    const id = await putUnknown(plan(REPLACING));
    moveLegs(OLD);
    expect(await settled(id)).toMatchObject({ kind: "lost" });
  });

  test("is done when other exits stand at the new prices", async () => {
    const id = await putUnknown(plan({ ...REPLACING, oldOrderIds: [orderId("tp0")] }));
    moveLegs(OLD);
    expect(await settled(id)).toMatchObject({ kind: "done" });
  });

  test("of an old exit at the new price, through the lane, is not done", async () => {
    const { profit } = showPair(lane.broker);
    lane.broker.orders.delete("tp");
    lane.broker.show({
      ...profit,
      orderId: orderId("sl2"),
      role: "STOP_LOSS",
      stopPx: ticks(3_970),
    });
    lane.broker.next.cancel.push(UNKNOWN);
    const { intentId, state } = await lane.run({
      kind: "PROTECT",
      contract: ES,
      levels: { stopLoss: at(3_960) },
    });
    expect(state).toBe("UNKNOWN");
    lane.broker.orders.delete("sl2");
    expect(await settled(intentId)).toMatchObject({ kind: "unprotected" });
  });
});

describe("an exit that is about to end", () => {
  test("is none of the new levels", async () => {
    const id = await putUnknown(plan());
    moveLegs(NEW);
    lane.broker.change(orderId("sl"), { ordStatus: "PENDING_CANCEL" });
    expect(await settled(id)).toMatchObject({ kind: "unprotected", standing: "a take-profit" });
  });

  test("does not stand as it stood before", async () => {
    const id = await putUnknown(plan());
    moveLegs(OLD);
    lane.broker.change(orderId("sl"), { ordStatus: "PENDING_CANCEL" });
    expect(await settled(id)).toMatchObject({ kind: "unprotected", standing: "a take-profit" });
  });
});

describe("old levels that were being put back", () => {
  const RESTORING = plan({ ...OLD, putBackAfter: "Not today" });

  test("stand: they were restored, and the new ones were never done", async () => {
    const id = await putUnknown(RESTORING);
    showPair(lane.broker);
    expect(await settled(id)).toEqual({
      kind: "unprotected",
      canceled: CANCELED,
      reason: "Not today",
      restored: true,
    });
  });

  test("do not stand: the position is unprotected", async () => {
    const id = await putUnknown(RESTORING);
    expect(await settled(id)).toMatchObject({ kind: "unprotected", restored: false });
  });
});

describe("a protection of a position without legs", () => {
  test.each([
    ["stands", true, "done"],
    ["does not stand", false, "lost"],
  ])("that %s in the end", async (_, stands, kind) => {
    lane.broker.next.protect.push(() => {
      if (stands) moveLegs(NEW);
      return UNKNOWN;
    });
    const { intentId } = await lane.run(BOTH);
    expect(await settled(intentId)).toMatchObject({ kind });
  });

  test("of which the broker shows only the stop says so", async () => {
    lane.broker.next.protect.push(() => {
      moveLegs(NEW);
      lane.broker.orders.delete("tp");
      return UNKNOWN;
    });
    const { intentId } = await lane.run(BOTH);
    expect(await settled(intentId)).toMatchObject({
      kind: "unprotected",
      canceled: "",
      standing: "a stop-loss",
    });
  });
});

describe("a change in place, through the lane", () => {
  const taken = (): undefined => undefined;

  test.each<[string, (CommandOutcome | (() => undefined))[], string]>([
    ["the first answer is lost, and nothing moved", [UNKNOWN], "lost"],
    ["the second answer is lost, and one moved", [taken, UNKNOWN], "unprotected"],
    ["putting back is lost, and the first stands moved", [taken, REJECTED, UNKNOWN], "unprotected"],
  ])("%s", async (_, answers, kind) => {
    showPair(lane.broker);
    lane.broker.next.modify.push(...answers);
    const { intentId, state } = await lane.run(BOTH);
    expect(state).toBe("UNKNOWN");
    expect(await settled(intentId)).toMatchObject({ kind });
    const modifies = lane.broker.commands.filter(([name]) => name === "modify");
    expect(modifies).toHaveLength(answers.length);
  });

  test("the answer is lost, and it was carried out", async () => {
    showPair(lane.broker);
    lane.broker.next.modify.push(taken, () => {
      lane.broker.change(orderId("tp"), { price: NEW.takeProfitPx });
      return UNKNOWN;
    });
    const { intentId } = await lane.run(BOTH);
    expect(await settled(intentId)).toMatchObject({ kind: "done" });
  });
});
