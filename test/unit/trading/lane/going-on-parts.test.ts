// The goal: exits that go on touch nothing that is not theirs, and end. The method: the lane with a scripted
// broker.
import { beforeEach, describe, expect, test } from "vitest";
import { type ClOrdId, execId, intentId, orderId } from "../../../../src/domain/ids.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  openLane,
  place,
  position,
  NOT_SENT,
  REJECTED,
  UNKNOWN,
  showPair,
} from "../lane-kit.ts";
import type { SubmitOutcome } from "../../../../src/trading/ports.ts";
import { adjustIntent as adjust } from "./adjust-kit.ts";
import { FLATTEN, HOUR_MS, runIn, settleIn, workingIn } from "./going-on-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
});

const LATER = intentId(`i${"1".repeat(28)}`);
const MARCH = "ESH2027" as typeof ES;
const many = <One>(n: number, one: One): One[] => Array.from({ length: n }, () => one);
const names = () => lane.broker.commands.map(([name, what]) => `${String(name)} ${String(what)}`);
const stops = () => workingIn(lane).filter(({ ordType }) => ordType === "STOP");
const settle = async (inMs = 0) => await settleIn(lane, inMs);
const run = async (intent: Intent, change: Parameters<Lane["accept"]>[1] = {}) =>
  await runIn(lane, intent, change);
const plainStop = (qty: number, change: Partial<OrderReport> = {}) =>
  lane.broker.show({
    orderId: orderId("own"),
    side: "SELL",
    ordType: "STOP",
    stopPx: ticks(3960),
    orderQty: qty,
    leavesQty: qty,
    ...change,
  });
const bought = (order: string, qty: number) =>
  ({ execId: execId(order), order, side: "BUY", qty, at: 1, heardAt: 0 }) as const;
/** Orders fill at once, as far as something is held. */
const fillAll = (times: number) => {
  const fill = () => {
    const { side, orderQty, contract } = lane.broker.sent.at(-1) ?? {};
    lane.broker.held = lane.broker.held.flatMap((one) => {
      if (one.contract !== contract) return [one];
      const netQty = one.netQty + (side === "SELL" ? -1 : 1) * (orderQty ?? 0);
      return netQty === 0 ? [] : [{ ...one, netQty }];
    });
    return undefined;
  };
  lane.broker.next.submit.push(...many(times, fill));
};

const ADJUSTED: readonly (readonly [string, Intent])[] = [
  ["a close", adjust({ to: "close", percent: 100 })],
  ["a flat target", adjust({ to: "position", netQty: 0 })],
];

describe.each([...ADJUSTED, ["a flatten", FLATTEN] as const])("%s that goes on", (_, intent) => {
  test("leaves the stop of what a newer target keeps", async () => {
    showPair(lane.broker);
    lane.broker.next.cancel.push(REJECTED, REJECTED);
    lane.broker.next.close.push(REJECTED);
    const id = await run(intent);
    expect([lane.record(id).state, stops().length]).toEqual(["UNFINISHED", 1]);
    await run(adjust({ to: "position", netQty: 2 }), { intentId: LATER });
    await settle(1_000);
    expect([lane.record(id).state, lane.broker.held]).toEqual(["OVERTAKEN", [position(2)]]);
    expect(stops()).toHaveLength(1);
  });

  test("leaves the stop of a position that was opened since", async () => {
    showPair(lane.broker);
    lane.broker.next.cancel.push(REJECTED, REJECTED);
    lane.broker.next.close.push(REJECTED);
    const id = await run(intent);
    // A person closes it by hand, opens another one, and keeps the stop.
    await run(place({ orderQty: 2 }), { intentId: LATER });
    lane.trips.set(ES, { fills: [bought(`${LATER}-1`, 2)], unexplained: 0 });
    await settle(1_000);
    expect([lane.record(id).state, stops().length]).toEqual(["DONE", 1]);
  });

  test("sends no cancel that a person has forbidden", async () => {
    showPair(lane.broker);
    lane.broker.next.cancel.push(REJECTED, REJECTED);
    lane.broker.next.close.push(REJECTED);
    const whole: Intent =
      intent.kind === "FLATTEN"
        ? { ...intent, cancelResting: true }
        : ({ ...intent, cancelFirst: true } as Intent);
    const id = await run(whole);
    const { length } = names();
    // An older order is shown late.
    lane.broker.show({ orderId: orderId("late"), side: "BUY", price: ticks(3900) });
    lane.intents.before.beginSending = async () => {
      await lane.intents.stopGoingOn(ACCOUNT, id);
    };
    await settle(1_000);
    expect([names().slice(length), lane.broker.held, stops().length]).toEqual([
      [],
      [position(2)],
      1,
    ]);
  });
});

describe("with little room in the limits, a broker that takes no close beside exits", () => {
  const beside = (): SubmitOutcome | undefined => (stops().length > 0 ? REJECTED : undefined);
  test.each([...ADJUSTED, ["a flatten", FLATTEN] as const])(
    "%s is done once there is room",
    async (_, intent) => {
      showPair(lane.broker);
      lane.broker.next.close.push(...many(60, beside));
      lane.broker.room = 0;
      const id = await run(intent);
      lane.broker.room = Infinity;
      for (let n = 0; n < 30; n += 1) await settle(300_001);
      expect([lane.record(id).state, lane.broker.held]).toEqual(["DONE", []]);
    },
  );
});

describe("an exit larger than what stays", () => {
  test("that is not cut is cut later, or said to be too large", async () => {
    plainStop(2);
    fillAll(1);
    lane.broker.next.modify.push(REJECTED);
    const id = await run(adjust({ to: "close", percent: 50 }, { cancelFirst: true }));
    const first = lane.record(id).outcome;
    for (let n = 0; n < 5; n += 1) await settle(60_000);
    const { outcome } = lane.record(id);
    const said = JSON.stringify(outcome).includes("larger than what stays open");
    expect([first?.kind, stops().map(({ leavesQty }) => leavesQty)[0] === 1 || said]).toEqual([
      "done",
      true,
    ]);
  });

  test("stays whole while the close waits for its market", async () => {
    plainStop(2);
    lane.markets.set(ES, { kind: "closed", opensAt: lane.intents.clock + HOUR_MS });
    const id = await run(adjust({ to: "close", percent: 50 }, { cancelFirst: true }));
    expect([lane.record(id).state, names(), stops()]).toMatchObject([
      "HELD",
      [],
      [{ leavesQty: 2 }],
    ]);
  });

  test("covers what the broker has not closed", async () => {
    lane.broker.held = [position(4)];
    plainStop(4);
    lane.broker.next.submit.push(() => {
      lane.broker.held = [position(3)];
      const { clOrdId, contract, side } = lane.broker.sent.at(-1) ?? {};
      const shown = { clOrdId, contract, side } as Partial<OrderReport>;
      const ended = {
        ordStatus: "CANCELED",
        ordType: "MARKET",
        cumQty: 1,
        orderQty: 2,
        leavesQty: 0,
      };
      lane.broker.report(
        ACCOUNT,
        lane.broker.show({ ...shown, ...(ended as Partial<OrderReport>), orderId: orderId("c1") }),
      );
      return { kind: "accepted", orderId: orderId("c1") };
    });
    const id = await run(adjust({ to: "close", percent: 50 }, { cancelFirst: true }));
    expect(lane.record(id).state).toBe("UNFINISHED");
    expect(stops()[0]?.leavesQty).toBeGreaterThanOrEqual(3);
  });
});

test("a part whose exits are not all back is closed once", async () => {
  showPair(lane.broker);
  // One cancel is taken, the other one is not, and neither is the close, nor what is given back.
  lane.broker.next.cancel.push({ kind: "accepted" }, REJECTED);
  lane.broker.next.close.push(REJECTED, REJECTED, REJECTED);
  lane.broker.next.protect.push(REJECTED, REJECTED);
  const id = await run(FLATTEN);
  expect(lane.record(id).state).toBe("UNFINISHED");
  await run(place(), { intentId: LATER });
  lane.broker.sent.length = 0;
  lane.broker.held = [position(3)];
  lane.trips.set(ES, { fills: [bought("older", 2), bought(`${LATER}-1`, 1)], unexplained: 0 });
  fillAll(5);
  await settle(1_000);
  expect([
    lane.broker.sent.map(({ side, orderQty }) => `${side} ${orderQty}`),
    lane.broker.held,
  ]).toEqual([["SELL 2"], [position(1)]]);
});

describe("a percentage beside exits that wait", () => {
  const closeMarkets = () => {
    const opensAt = lane.intents.clock + HOUR_MS;
    for (const contract of [ES, MARCH]) lane.markets.set(contract, { kind: "closed", opensAt });
  };
  const open = async () => {
    lane.markets.clear();
    fillAll(9);
    await settle(HOUR_MS + 3_000);
    for (let n = 0; n < 3; n += 1) await settle(5_000);
  };

  test("counts none of the other side", async () => {
    closeMarkets();
    lane.broker.held = [position(4), position(-3, MARCH)];
    await run(adjust({ to: "close", qty: 2, holding: "SHORT" } as never));
    const id = await run(adjust({ to: "close", percent: 50, holding: "LONG" } as never));
    expect(lane.record(id).outcome).toMatchObject({ kind: "held", aim: { qty: 2 } });
  });

  test("counts what a target leaves", async () => {
    closeMarkets();
    lane.broker.held = [position(4)];
    await run(adjust({ to: "position", netQty: 2 }));
    await run(adjust({ to: "close", percent: 50 }));
    await open();
    expect(lane.broker.held).toEqual([position(1)]);
  });

  test("counts what another percentage leaves", async () => {
    closeMarkets();
    lane.broker.held = [position(4)];
    await run(adjust({ to: "close", percent: 50 }));
    await run(adjust({ to: "close", percent: 50 }));
    await open();
    expect(lane.broker.held).toEqual([position(1)]);
  });

  test("of one month counts nothing of another one", async () => {
    closeMarkets();
    lane.broker.held = [position(4), position(4, MARCH)];
    // Of December alone.
    await run(adjust({ to: "close", qty: 3 } as never, { isFrontMonth: undefined as never }));
    const of = { contract: MARCH, isFrontMonth: undefined as never };
    const id = await run(adjust({ to: "close", percent: 50 }, of));
    expect(lane.record(id).outcome).toMatchObject({ kind: "held", aim: { qty: 2 } });
  });
});

test("a dry run of a reversal at a closed market sends no order that would not be", async () => {
  lane.markets.set(ES, { kind: "closed", opensAt: lane.intents.clock + HOUR_MS });
  const reversal = adjust({ to: "position", netQty: -1 });
  const dry = await run(reversal, { test: true });
  await run(reversal);
  lane.markets.clear();
  await settle(HOUR_MS + 3_000);
  await settle(5_000);
  const { outcome } = lane.record(dry);
  const steps =
    outcome?.kind === "done" && outcome.result.kind === "TEST" ? outcome.result.steps : [];
  const isSent = lane.broker.sent.some(({ side }) => side === "SELL");
  expect([lane.broker.held, steps.some(({ kind }) => kind === "order")]).toEqual([[], isSent]);
});

test("a reversal says that an exit of the other side works still", async () => {
  plainStop(2);
  lane.broker.room = 0;
  lane.broker.next.cancel.push(...many(9, REJECTED));
  const id = await run(adjust({ to: "position", netQty: -1 }, { cancelFirst: true }));
  const { outcome } = lane.record(id);
  expect([outcome?.kind, JSON.stringify(outcome)]).toEqual([
    expect.stringMatching(/done|unfinished/u),
    expect.stringContaining("Not today"),
  ]);
});

test.each([
  ["a stop of the position", () => void showPair(lane.broker)],
  ["a plain stop", () => void plainStop(2)],
])("a reversal leaves %s on no flat account", async (_, show) => {
  show();
  lane.broker.room = 0;
  lane.broker.next.cancel.push(...many(4, NOT_SENT));
  const id = await run(adjust({ to: "position", netQty: -1 }, { cancelFirst: true }));
  for (let n = 0; n < 5; n += 1) await settle(60_000);
  expect([lane.record(id).outcome?.kind, stops()]).toEqual(["done", []]);
});

test("an entry at the market after its time asks with an entry's share", async () => {
  const own = `i${"a".repeat(28)}-1` as ClOrdId;
  lane.broker.held = [];
  lane.broker.show({ orderId: orderId("7"), clOrdId: own, side: "BUY", price: ticks(4000) });
  lane.broker.next.cancel.push(UNKNOWN);
  const id = await run({
    kind: "TIMEOUT",
    clOrdId: own,
    then: "market",
    contract: ES,
    side: "BUY",
  });
  expect(lane.record(id).state).toBe("UNKNOWN");
  lane.broker.askedBy.length = 0;
  await settle(1_000);
  expect([lane.broker.sent.length, new Set(lane.broker.askedBy)]).toEqual([1, new Set(["entry"])]);
});

test("a part that is being filled keeps its exits until it is", async () => {
  lane.broker.held = [position(4)];
  plainStop(4);
  lane.broker.next.submit.push(() => {
    const { clOrdId, contract, side } = lane.broker.sent.at(-1) ?? {};
    const shown = { clOrdId, contract, side, orderId: orderId("c1") } as Partial<OrderReport>;
    const works = { ordStatus: "NEW", ordType: "MARKET", cumQty: 0, orderQty: 2, leavesQty: 2 };
    lane.broker.report(
      ACCOUNT,
      lane.broker.show({ ...shown, ...works } as Parameters<typeof lane.broker.show>[0]),
    );
    return { kind: "accepted", orderId: orderId("c1") };
  });
  await run(adjust({ to: "close", percent: 50 }, { cancelFirst: true }));
  expect(stops().map(({ leavesQty }) => leavesQty)).toEqual([4]);
});

test.each(["DONE", "HELD"])(
  "a target that the market has passed meanwhile opens nothing (%s)",
  async (how) => {
    const opensAt = lane.intents.clock + HOUR_MS;
    if (how === "HELD") lane.markets.set(ES, { kind: "closed", opensAt });
    else lane.broker.next.submit.push(REJECTED);
    const id = await run(adjust({ to: "position", netQty: 1 }));
    expect(lane.record(id).state).toBe(how === "HELD" ? "HELD" : "UNFINISHED");
    lane.broker.held = [];
    lane.markets.clear();
    lane.broker.sent.length = 0;
    await settle(HOUR_MS + 3_000);
    expect([lane.broker.sent, lane.broker.held]).toEqual([[], []]);
    expect(JSON.stringify(lane.record(id).outcome)).toMatch(/problems":\["|reason/u);
  },
);

test("what two exits close together is no more than each was for", async () => {
  lane.markets.set(ES, { kind: "closed", opensAt: lane.intents.clock + HOUR_MS });
  lane.broker.held = [position(5)];
  await run(adjust({ to: "close", qty: 2 } as never));
  await run(adjust({ to: "close", percent: 40 }));
  lane.markets.clear();
  fillAll(9);
  await settle(HOUR_MS + 3_000);
  for (let n = 0; n < 3; n += 1) await settle(5_000);
  // 40% of three is one.
  expect(lane.broker.held).toEqual([position(2)]);
});

test("a percentage of what a partial exit leaves that was refused", async () => {
  lane.broker.held = [position(4)];
  lane.broker.next.submit.push(REJECTED);
  await run(adjust({ to: "close", percent: 50 }));
  fillAll(9);
  await run(adjust({ to: "close", percent: 50 }));
  for (let n = 0; n < 5; n += 1) await settle(60_000);
  expect(lane.broker.held).toEqual([position(1)]);
});

test("half of what a guard's or a flatten's close leaves", async () => {
  lane.broker.held = [position(4), position(4, MARCH)];
  const opensAt = lane.intents.clock + HOUR_MS;
  for (const contract of [ES, MARCH]) lane.markets.set(contract, { kind: "closed", opensAt });
  await run({ kind: "FLATTEN", cancelResting: false, contract: MARCH });
  await run(adjust({ to: "close", percent: 50 }));
  lane.markets.clear();
  fillAll(9);
  await settle(HOUR_MS + 3_000);
  for (let n = 0; n < 3; n += 1) await settle(5_000);
  // March is gone as a whole, and of the four of December half is.
  expect(lane.broker.held).toEqual([position(2)]);
});
