import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent, IntentState, Outcome } from "../../../../src/domain/intent.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import type { OrderValues } from "../../../../src/domain/order-change.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { BrokerReadError, type CommandOutcome } from "../../../../src/trading/ports.ts";
import {
  ACCOUNT,
  type Lane,
  NOT_SENT,
  NQ,
  openLane,
  place,
  position,
  REJECTED,
  UNGUARDED,
  UNKNOWN,
} from "../lane-kit.ts";
import type { EntryGuard } from "../../../../src/trading/guards/entry-guards.ts";
import type { NewIntent } from "../../../../src/trading/orders/ports.ts";

const ORDER = orderId("7");
const OWN = clOrdId(`i${"a".repeat(28)}-1`);

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

/** A resting purchase of 4 at 3,990, of which 1 is filled, unless it is said else. */
const show = (change: Partial<OrderReport> = {}) =>
  lane.broker.show({
    orderId: ORDER,
    clOrdId: OWN,
    side: "BUY",
    ordStatus: "PARTIALLY_FILLED",
    orderQty: 4,
    cumQty: 1,
    leavesQty: 3,
    price: ticks(3_990),
    ...change,
  });

const modify = (change: OrderValues): Intent => ({
  kind: "MODIFY",
  orderId: ORDER,
  clOrdId: OWN,
  change,
});

const run = (change: OrderValues, how: Partial<NewIntent> = {}) => lane.run(modify(change), how);
const CHEAPER: OrderValues = { price: ticks(3_980) };

const STOP = { ordType: "STOP", stopPx: ticks(4_020), price: undefined as never } as const;
const STOP_LIMIT = { ...STOP, ordType: "STOP_LIMIT", price: ticks(4_022) } as const;
const TRAIL = { ...STOP, ordType: "TRAILING_STOP", trailOffset: ticks(10) } as const;

/** Its state, or why this gateway refused it. */
const verdict = async (change: OrderValues, how?: Partial<NewIntent>) => {
  const { state, outcome } = await run(change, how);
  return outcome?.kind === "denied" ? outcome.code : state;
};

describe("a working order", () => {
  test("gets its new values, and the answer is read from the broker", async () => {
    show();
    const { state, outcome, clOrdIds } = await run({ price: ticks(3_980), orderQty: 3 });
    expect([state, clOrdIds]).toEqual(["DONE", ["i1-1"]]);
    expect(lane.broker.commands).toEqual([["modify", "7", { price: 3_980, orderQty: 3 }]]);
    expect(outcome).toEqual({
      kind: "done",
      result: {
        kind: "MODIFY",
        order: {
          orderId: "7",
          contract: "ESZ2026",
          ordStatus: "PARTIALLY_FILLED",
          orderQty: 3,
          cumQty: 1,
          leavesQty: 2,
          price: 3_980,
        },
      },
    });
  });

  test("that fills at its new price is answered filled", async () => {
    show();
    lane.broker.next.modify.push(() => {
      const filled = { ordStatus: "FILLED", cumQty: 4, leavesQty: 0 } as const;
      lane.broker.change(ORDER, { ...filled, price: ticks(4_010) });
      return { kind: "accepted" };
    });
    const { outcome } = await run({ price: ticks(4_010) });
    expect(outcome).toMatchObject({
      kind: "done",
      result: { order: { ordStatus: "FILLED", cumQty: 4, leavesQty: 0, price: 4_010 } },
    });
  });

  test.each([
    ["cannot be read", () => (lane.broker.unreadable = new BrokerReadError("gone"))],
    ["fails in a way nobody foresaw", () => (lane.broker.failingRead = "find")],
    ["shows the order no more", () => lane.broker.orders.delete("7")],
  ])("is answered with what is known when the broker %s afterwards", async (_, happens) => {
    show();
    const taken = lane.broker.modifyOrder.bind(lane.broker);
    lane.broker.modifyOrder = async (...asked) => {
      const answer = await taken(...asked);
      happens();
      return answer;
    };
    expect(await run({ orderQty: 2 })).toMatchObject({
      state: "DONE",
      outcome: {
        result: { order: { ordStatus: "PARTIALLY_FILLED", orderQty: 2, cumQty: 1, leavesQty: 1 } },
      },
    });
  });

  test.each<[CommandOutcome, IntentState]>([
    [REJECTED, "REJECTED"],
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j ends the intent as %s", async (answer, state) => {
    show();
    lane.broker.next.modify.push(answer);
    expect((await run(CHEAPER)).state).toBe(state);
    expect(lane.broker.commands).toHaveLength(1);
  });

  test("that is gone is rejected in words, and nothing is sent", async () => {
    show({ ordStatus: "FILLED", cumQty: 4, leavesQty: 0 });
    const { state, outcome } = await run(CHEAPER);
    expect(state).toBe("REJECTED");
    expect(outcome).toMatchObject({ reason: expect.stringContaining("works no more") });
    expect(lane.broker.commands).toEqual([]);
  });

  test("that stands as asked already keeps its place: nothing is sent", async () => {
    show();
    expect((await run({ price: ticks(3_990), orderQty: 4 })).state).toBe("DONE");
    expect(lane.broker.commands).toEqual([]);
  });

  test("that an unknown change may still move is changed all the same", async () => {
    show();
    lane.broker.next.modify.push(UNKNOWN);
    expect((await run({ price: ticks(3_000) })).state).toBe("UNKNOWN");
    expect((await run({ price: ticks(3_990) })).state).toBe("DONE");
    expect(lane.broker.commands).toEqual([
      ["modify", "7", { price: 3_000 }],
      ["modify", "7", { price: 3_990 }],
    ]);
  });

  test.each([1, 0])("is not made as small as what is filled: %i of 1", async (orderQty) => {
    show();
    expect(await verdict({ orderQty })).toBe("VALIDATION_FAILED");
    expect(lane.broker.commands).toEqual([]);
  });

  test("a broker that cannot be read sends nothing", async () => {
    show();
    lane.broker.unreadable = new BrokerReadError("The session is gone");
    expect((await run(CHEAPER)).state).toBe("NOTSENT");
    expect(lane.broker.commands).toEqual([]);
  });

  test("a change that is too old is not sent", async () => {
    show();
    const id = await lane.accept(modify(CHEAPER), { exitMaxAgeMs: 5_000 });
    lane.intents.clock += 5_000;
    await lane.work(id);
    expect(lane.record(id).state).toBe("EXPIRED");
    expect(lane.broker.commands).toEqual([]);
  });
});

describe("a quantity that grows", () => {
  test.each([
    ["10 in all, as many as one order may have", {}, 10, "DONE"],
    ["11 in all, though only 10 are left to fill", {}, 11, "LIMIT_EXCEEDED"],
    ["the position it could lead to is at its limit", { held: 14 }, 7, "DONE"],
    ["the position could grow past its limit", { held: 15 }, 7, "LIMIT_EXCEEDED"],
    ["what else rests counts", { held: 10, resting: 5 }, 7, "LIMIT_EXCEEDED"],
    ["what rests in another contract does not", { held: 10, resting: 5, in: NQ }, 7, "DONE"],
  ])("%s", async (_, at: { held?: number; resting?: number; in?: typeof NQ }, orderQty, state) => {
    show();
    if (at.held !== undefined) lane.broker.held = [position(at.held)];
    if (at.resting !== undefined) {
      const qty = { orderQty: at.resting, leavesQty: at.resting };
      const contract = at.in === undefined ? {} : { contract: at.in };
      lane.broker.show({ orderId: orderId("8"), side: "BUY", ...qty, ...contract });
    }
    expect(await verdict({ orderQty })).toBe(state);
    expect(lane.broker.commands).toHaveLength(state === "DONE" ? 1 : 0);
  });

  test("what fills while the account is read is never missed", async () => {
    show();
    const workingOrders = lane.broker.workingOrders.bind(lane.broker);
    lane.broker.workingOrders = async () => {
      const working = await workingOrders();
      lane.broker.held = [position(15)];
      return working;
    };
    expect(await verdict({ orderQty: 7 })).toBe("LIMIT_EXCEEDED");
  });

  test("the kill switch holds it back", async () => {
    show();
    lane.intents.accountKillSwitch = { active: true, reason: "news" };
    expect(await verdict({ orderQty: 5 })).toBe("KILL_SWITCH_ON");
    expect(lane.broker.commands).toEqual([]);
  });

  test("waits while an earlier outcome is unknown, and is sent after it is settled", async () => {
    show();
    lane.broker.next.submit.push(UNKNOWN);
    await lane.run(place());
    const id = await lane.accept(modify({ orderQty: 5 }));
    expect(await lane.work(id)).toBe("unsettled");
    expect(lane.record(id).state).toBe("PREPARED");

    await lane.settlePending(ACCOUNT);
    lane.intents.clock += 5_000;
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).state).toBe("DONE");
    expect(lane.broker.commands.at(-1)).toEqual(["modify", "7", { orderQty: 5 }]);
  });

  test("expires with an entry's age", async () => {
    show();
    const id = await lane.accept(modify({ orderQty: 5 }), { entryMaxAgeMs: 1_000 });
    lane.intents.clock += 1_000;
    await lane.work(id);
    expect(lane.record(id).state).toBe("EXPIRED");
  });

  test("counts as an order of its minute", async () => {
    show();
    lane.intents.limits = { maxOrdersPerMinute: 7 };
    expect(await verdict({ orderQty: 5 })).toBe("DONE");
    expect(await verdict(CHEAPER)).toBe("DONE");
    expect(lane.intents.permits.map(({ entry }) => entry?.perAccount)).toEqual([7, undefined]);
    lane.intents.left.account = 0;
    expect(await verdict({ orderQty: 6 })).toBe("LIMIT_EXCEEDED");
    expect(lane.broker.commands).toHaveLength(2);
  });

  test("of an exit that stays one passes whatever holds for entries", async () => {
    show({ side: "SELL", cumQty: 0, leavesQty: 4, ordStatus: "NEW" });
    lane.broker.held = [position(30)];
    lane.intents.accountKillSwitch = { active: true };
    expect(await verdict({ orderQty: 30 })).toBe("DONE");
    expect(await verdict({ orderQty: 31 })).toBe("KILL_SWITCH_ON");
  });

  test("of an order with legs adds risk: its legs are orders too", async () => {
    show({ side: "SELL", cumQty: 0, leavesQty: 4, ordStatus: "NEW" });
    lane.broker.held = [position(30)];
    const leg = { role: "STOP_LOSS", ordStatus: "HELD", parentOrderId: ORDER } as const;
    lane.broker.show({ orderId: orderId("8"), side: "BUY", ...leg });
    lane.intents.accountKillSwitch = { active: true };
    expect(await verdict({ orderQty: 5 })).toBe("KILL_SWITCH_ON");
  });
});

describe("a price that moves towards the market", () => {
  const NEARER: OrderValues = { price: ticks(3_995) };
  const kill = () => (lane.intents.accountKillSwitch = { active: true, reason: "news" });

  test.each<[string, Partial<OrderReport>, OrderValues, string]>([
    ["a limit", {}, NEARER, "KILL_SWITCH_ON"],
    ["a limit further away", {}, CHEAPER, "DONE"],
    ["a smaller one that comes nearer", {}, { ...NEARER, orderQty: 2 }, "KILL_SWITCH_ON"],
    ["a stop", STOP, { stopPx: ticks(4_010) }, "KILL_SWITCH_ON"],
    ["a stop further away", STOP, { stopPx: ticks(4_030) }, "DONE"],
    ["a trail", TRAIL, { trailOffset: ticks(9) }, "KILL_SWITCH_ON"],
    ["a longer trail", TRAIL, { trailOffset: ticks(11) }, "DONE"],
    ["the limit behind a stop", { ...STOP_LIMIT }, { price: ticks(4_023) }, "KILL_SWITCH_ON"],
    [
      "a stop-limit that moves away as a whole may fill past a gap",
      STOP_LIMIT,
      { stopPx: ticks(4_030), price: ticks(4_032) },
      "KILL_SWITCH_ON",
    ],
  ])("of an entry is judged like an entry: %s", async (_, order, change, expected) => {
    show(order);
    kill();
    expect(await verdict(change)).toBe(expected);
    expect(lane.broker.commands).toHaveLength(expected === "DONE" ? 1 : 0);
  });

  test("of an entry is held to the limits, and the order is not counted twice", async () => {
    show({ orderQty: 10, cumQty: 0, leavesQty: 10, ordStatus: "NEW" });
    lane.intents.limits = { maxOrderQty: 10, maxPositionQty: 10 };
    expect(await verdict(NEARER)).toBe("DONE");
    lane.intents.limits = { maxOrderQty: 10, maxPositionQty: 9 };
    expect(await verdict({ price: ticks(3_996) })).toBe("LIMIT_EXCEEDED");
  });

  test("of an entry is written ahead as one, and expires as one", async () => {
    show();
    lane.intents.limits = { maxOrdersPerMinute: 7 };
    expect(await verdict(NEARER)).toBe("DONE");
    expect(lane.intents.permits.map(({ entry }) => entry?.perAccount)).toEqual([7]);
    const id = await lane.accept(modify({ price: ticks(3_996) }), { entryMaxAgeMs: 1_000 });
    lane.intents.clock += 1_000;
    await lane.work(id);
    expect(lane.record(id).state).toBe("EXPIRED");
  });

  test("of an exit passes until it is none any more", async () => {
    show({ side: "SELL", cumQty: 0, leavesQty: 4, ordStatus: "NEW", price: ticks(4_030) });
    lane.broker.held = [position(4)];
    kill();
    expect(await verdict({ price: ticks(4_020) })).toBe("DONE");
    lane.broker.held = [position(3)];
    expect(await verdict({ price: ticks(4_010) })).toBe("KILL_SWITCH_ON");
    lane.broker.held = [];
    expect(await verdict({ price: ticks(4_010) })).toBe("KILL_SWITCH_ON");
  });

  test("of a stop that closes all passes though another exit rests beside it", async () => {
    const whole = { side: "SELL", orderQty: 4, cumQty: 0, leavesQty: 4, ordStatus: "NEW" } as const;
    lane.broker.show({ ...whole, orderId: orderId("8"), price: ticks(4_030) });
    show({ ...whole, ordType: "STOP", stopPx: ticks(3_980), price: undefined as never });
    lane.broker.held = [position(4)];
    kill();
    expect(await verdict({ stopPx: ticks(3_985) })).toBe("DONE");
    expect(await verdict({ orderQty: 5 })).toBe("KILL_SWITCH_ON");
  });

  test.each(["HELD", "NEW"] as const)("of a leg passes: %s", async (ordStatus) => {
    show({ side: "SELL", role: "TAKE_PROFIT", ordStatus, price: ticks(4_030) });
    kill();
    expect(await verdict({ price: ticks(4_020) })).toBe("DONE");
  });

  test("of an entry is judged by the stop that waits for it", async () => {
    const asked: unknown[] = [];
    const guard: EntryGuard = {
      version: "",
      refuse: ({ bracket }) => {
        asked.push(bracket);
        return { kind: "denied", code: "GUARD_REFUSED", reason: "enough" };
      },
    };
    lane = await openLane({ guards: { ...UNGUARDED, of: () => guard } });
    show();
    const leg = { role: "STOP_LOSS", ordStatus: "HELD", parentOrderId: ORDER } as const;
    lane.broker.show({ ...leg, orderId: orderId("8"), side: "SELL", stopPx: ticks(3_970) });
    expect(await verdict(NEARER)).toBe("GUARD_REFUSED");
    expect(asked).toEqual([{ stopLoss: { by: "distance", distance: 25 } }]);
  });
});

describe("what does not grow or come nearer always passes", () => {
  test.each<[string, OrderValues]>([
    ["a smaller quantity", { orderQty: 2 }],
    ["a price further away", CHEAPER],
    ["the same quantity at a price further away", { orderQty: 4, ...CHEAPER }],
  ])("%s", async (_, change) => {
    show();
    lane.broker.held = [position(100)];
    lane.intents.accountKillSwitch = { active: true };
    lane.intents.limits = { maxOrderQty: 1, maxPositionQty: 1, maxOrdersPerMinute: 0 };
    lane.broker.next.submit.push(UNKNOWN);
    await lane.run(place({ side: "SELL" }));
    const id = await lane.accept(modify(change), { entryMaxAgeMs: 0 });
    expect(await lane.work(id)).toBe("done");
    expect(lane.record(id).state).toBe("DONE");
  });
});

describe("a change whose answer was lost", () => {
  const settle = async () => {
    const { intentId } = lane.record(await unknown);
    return await lane.settler.settle(lane.record(intentId), lane.broker);
  };
  let unknown: ReturnType<Lane["accept"]>;

  /** Loses the answer; `happens` is what became of the order at the broker. */
  async function lose(happens: () => unknown): Promise<void> {
    show();
    lane.broker.next.modify.push(() => {
      happens();
      return UNKNOWN;
    });
    unknown = lane.accept(modify({ price: ticks(3_980), orderQty: 3 }));
    await lane.work(await unknown);
  }

  async function settleTwice(): Promise<readonly [IntentState, IntentState, Outcome | undefined]> {
    const first = await settle();
    lane.intents.clock += 5_000;
    const second = await settle();
    return [first.state, second.state, second.outcome];
  }

  const CHANGED = { price: ticks(3_980), orderQty: 3, leavesQty: 2 };
  const FILLED = { ordStatus: "FILLED", cumQty: 3, leavesQty: 0 } as const;

  test("is done when the order works with the new values", async () => {
    await lose(() => lane.broker.change(ORDER, CHANGED));
    expect(await settle()).toMatchObject({
      state: "DONE",
      outcome: { result: { kind: "MODIFY", order: { orderId: "7", price: 3_980, leavesQty: 2 } } },
    });
  });

  test("is done when the order has ended with the new values", async () => {
    await lose(() => lane.broker.change(ORDER, { ...CHANGED, ...FILLED }));
    expect(await settle()).toMatchObject({
      state: "DONE",
      outcome: { result: { order: { ordStatus: "FILLED", cumQty: 3 } } },
    });
  });

  test.each<[string, () => unknown, RegExp]>([
    ["works with the old values", () => undefined, /works without the new values/],
    [
      "has one of two new values",
      () => lane.broker.change(ORDER, { orderQty: 3 }),
      /works without/,
    ],
    [
      "has ended with the old values",
      () => lane.broker.change(ORDER, { ordStatus: "FILLED", cumQty: 4, leavesQty: 0 }),
      /has ended, and it did so without/,
    ],
    ["is not shown any more", () => lane.broker.orders.delete("7"), /is not known/],
  ])("is lost after two look-ups when the order %s", async (_, happens, reason) => {
    await lose(happens);
    const [first, second, outcome] = await settleTwice();
    expect([first, second]).toEqual(["UNKNOWN", "LOST"]);
    expect(outcome).toMatchObject({ reason: expect.stringMatching(reason) });
    expect(lane.broker.commands).toHaveLength(1);
  });

  test("that lands between two look-ups is done", async () => {
    await lose(() => undefined);
    expect((await settle()).state).toBe("UNKNOWN");
    lane.intents.clock += 5_000;
    lane.broker.change(ORDER, CHANGED);
    expect((await settle()).state).toBe("DONE");
  });

  test("two look-ups that show different things prove nothing yet", async () => {
    await lose(() => undefined);
    await settle();
    lane.intents.clock += 5_000;
    lane.broker.change(ORDER, { ordStatus: "FILLED", cumQty: 4, leavesQty: 0 });
    expect((await settle()).state).toBe("UNKNOWN");
    lane.intents.clock += 5_000;
    expect((await settle()).state).toBe("LOST");
  });

  test("a broker that cannot be read settles nothing", async () => {
    await lose(() => undefined);
    lane.broker.unreadable = new BrokerReadError("The session is gone");
    await expect(settle()).rejects.toBeInstanceOf(BrokerReadError);
    expect(lane.record(await unknown).state).toBe("UNKNOWN");
  });
});
