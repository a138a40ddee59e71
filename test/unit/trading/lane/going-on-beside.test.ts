// The goal: an exit that goes on is right in the cases that are easily forgotten. The method: the lane with a
// scripted broker.
import { beforeEach, expect, test } from "vitest";
import { type ClOrdId, execId, intentId, orderId } from "../../../../src/domain/ids.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";
import { BrokerReadError, type SubmitOutcome } from "../../../../src/trading/ports.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  NOT_SENT,
  NQ,
  openLane,
  place,
  position,
  REJECTED,
  showPair,
  UNKNOWN,
} from "../lane-kit.ts";
import { adjustIntent as adjust } from "./adjust-kit.ts";
import { FLATTEN, HOUR_MS, runIn, settleIn, workingIn } from "./going-on-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
});

const LATER = intentId(`i${"1".repeat(28)}`);
const LIMIT = { ordType: "LIMIT", price: ticks(3900), timeInForce: "DAY" } as const;
const names = () => lane.broker.commands.map(([name, what]) => `${String(name)} ${String(what)}`);
const working = () => workingIn(lane);
const roles = () => working().map(({ role }) => role);
const many = <One>(n: number, one: One): One[] => Array.from({ length: n }, () => one);
const settle = async (inMs = 0) => await settleIn(lane, inMs);
const run = async (intent: Intent, change: Parameters<Lane["accept"]>[1] = {}) =>
  await runIn(lane, intent, change);
const closeMarket = (inMs = HOUR_MS) => {
  lane.markets.set(ES, { kind: "closed", opensAt: lane.intents.clock + inMs });
};
/** A hand placed it: it has no name of ours. */
function byHand(order: Partial<OrderReport> & Pick<OrderReport, "orderId">) {
  const { clOrdId: _, ...hand } = lane.broker.show(order);
  lane.broker.orders.set(order.orderId, hand);
}
const stop = {
  orderQty: 2,
  leavesQty: 2,
  side: "SELL",
  ordType: "STOP",
  stopPx: ticks(3960),
} as const;
/** The close is taken, and ends so by a report. */
const endsAs =
  (change: Partial<OrderReport>, moves = 0) =>
  (): SubmitOutcome => {
    const { commands } = lane.broker;
    const [name, first, second] = commands.at(-1) ?? [];
    const clOrdId = (name === "submit" ? first : second) as ClOrdId;
    const netQty = (lane.broker.held[0]?.netQty ?? 0) - moves;
    lane.broker.held = netQty === 0 ? [] : [position(netQty)];
    const id = orderId(`c${commands.length}`);
    const shown = { orderId: id, clOrdId, side: "SELL", ordType: "MARKET", leavesQty: 0 } as const;
    lane.broker.report(ACCOUNT, lane.broker.show({ ...shown, ...change }));
    return { kind: "accepted", orderId: id };
  };

test.each([
  ["close", adjust({ to: "close", percent: 100 }, { cancelFirst: true })],
  ["target", adjust({ to: "position", netQty: 0 }, { cancelFirst: true })],
])("a %s that goes on leaves an entry that was accepted later", async (_, intent) => {
  lane.broker.next.close.push(REJECTED);
  await run(intent);
  await run(place(LIMIT), { intentId: LATER });
  await settle(1_000);
  expect(working().map(({ clOrdId }) => clOrdId)).toEqual([`${LATER}-1`]);
});
test("a newer target that rests is not cancelled by what it replaces", async () => {
  lane.broker.next.close.push(REJECTED);
  const id = await run(adjust({ to: "position", netQty: 0 }, { cancelFirst: true }));
  await run(adjust({ to: "position", netQty: 4 }, { terms: LIMIT }), { intentId: LATER });
  await settle(1_000);
  expect([lane.record(id).state, working().length]).toEqual(["OVERTAKEN", 1]);
});
test("a close that was certainly not sent gives the exits back", async () => {
  showPair(lane.broker);
  lane.broker.next.close.push(...many(50, NOT_SENT));
  await run(FLATTEN);
  for (let n = 0; n < 6; n += 1) await settle(300_001);
  expect(roles()).toContain("STOP_LOSS");
});
test("says that exits are missing which were not sent", async () => {
  showPair(lane.broker);
  lane.broker.next.close.push(REJECTED, REJECTED);
  lane.broker.next.protect.push(NOT_SENT);
  const id = await run(FLATTEN);
  expect([roles(), lane.record(id).outcome]).toMatchObject([
    [],
    { soFar: { unprotected: [{ contract: ES }] } },
  ]);
});
test("says that a target is missing which is refused beside its stop", async () => {
  lane.setConnection({ nativeOco: false });
  showPair(lane.broker);
  lane.broker.next.close.push(REJECTED);
  lane.broker.next.submit.push(undefined as never, REJECTED);
  const id = await run(FLATTEN);
  expect(lane.record(id).outcome).toMatchObject({
    soFar: { unprotected: [{ exits: ["TAKE_PROFIT"] }] },
  });
});
test("gives exits back also after they were refused for hours", async () => {
  showPair(lane.broker);
  lane.broker.next.close.push(...many(400, REJECTED));
  lane.broker.next.protect.push(...many(62, REJECTED));
  await run(FLATTEN);
  for (let n = 0; n < 80; n += 1) await settle(300_001);
  expect(roles()).toContain("STOP_LOSS");
});
test("places no second pair while the first one is unknown", async () => {
  showPair(lane.broker);
  lane.broker.next.close.push(...many(5, endsAs({ ordStatus: "REJECTED" })));
  lane.broker.next.protect.push(UNKNOWN);
  await run(FLATTEN);
  await settle();
  expect(lane.broker.protections.map(({ orderQty }) => orderQty)).toEqual([2]);
});
test("gives a target and a stop back that are no pair", async () => {
  lane.broker.show({ ...stop, orderId: orderId("sl"), role: "STOP_LOSS" });
  lane.broker.show({
    orderId: orderId("tp"),
    orderQty: 2,
    leavesQty: 2,
    role: "TAKE_PROFIT",
    price: ticks(4040),
  });
  lane.broker.next.close.push(REJECTED);
  await run(FLATTEN);
  expect(roles()).toEqual(["STOP_LOSS", "TAKE_PROFIT"]);
});
test("gives a target back whose stop could not be cancelled", async () => {
  showPair(lane.broker);
  lane.broker.next.cancel.push(undefined as never, ...many(9, REJECTED));
  lane.broker.next.close.push(...many(9, REJECTED));
  await run(FLATTEN);
  expect(roles().toSorted()).toEqual(["STOP_LOSS", "TAKE_PROFIT"]);
});
test("an adjustment at a closed market keeps a plain stop", async () => {
  lane.broker.show({ ...stop, orderId: orderId("own") });
  closeMarket();
  const id = await run(adjust({ to: "position", netQty: 0 }, { cancelFirst: true }));
  expect([lane.record(id).state, names()]).toEqual(["HELD", []]);
});
test("gives a stop back that a person had placed, also after a crash", async () => {
  byHand({ ...stop, orderId: orderId("hand") });
  lane.broker.next.close.push(new Error("The process dies"), ...many(20, REJECTED));
  const id = await run({ kind: "FLATTEN", cancelResting: true });
  for (const ms of [0, 6_000, 2_000]) await settle(ms);
  expect(lane.record(id).state).toBe("UNFINISHED");
  expect([
    working().length,
    JSON.stringify(lane.record(id).outcome).includes("unprotected"),
  ]).not.toEqual([0, false]);
  expect(working().length).toBe(1);
});
test("a part of which the broker fills a part is not done", async () => {
  lane.broker.held = [position(4)];
  lane.broker.next.submit.push(endsAs({ ordStatus: "CANCELED", cumQty: 1, orderQty: 2 }, 1));
  const id = await run(adjust({ to: "close", percent: 50 }));
  await settle(1_000);
  expect([lane.record(id).outcome?.kind, lane.broker.sent.map(({ orderQty }) => orderQty)]).toEqual(
    ["done", [2, 1]],
  );
});
test("a part that a plan closes at a closed market is tried, or is not called done", async () => {
  closeMarket();
  const id = await run(adjust({ to: "close", qty: 1, holding: "LONG" }), {
    source: { kind: "plan" },
  });
  expect([lane.record(id).outcome?.kind, names()]).not.toEqual(["done", []]);
});
test("closes again at once where the stop is passed", async () => {
  showPair(lane.broker);
  lane.broker.next.close.push(REJECTED);
  lane.broker.next.protect.push({ kind: "rejected", reason: "The stop is through the market" });
  const id = await run(FLATTEN);
  expect(lane.record(id).state).toBe("DONE");
});
test("gives exits back for what is left after partial fills", async () => {
  showPair(lane.broker, 5);
  lane.broker.held = [position(5)];
  lane.broker.next.close.push(...many(3, endsAs({ ordStatus: "CANCELED", cumQty: 1 }, 1)));
  const id = await run(FLATTEN);
  expect([lane.record(id).state, lane.broker.held]).toEqual(["UNFINISHED", [position(2)]]);
  expect(roles()).toContain("STOP_LOSS");
});
test("goes on while a position cannot be read", async () => {
  lane.broker.next.close.push(REJECTED);
  const id = await run(FLATTEN);
  lane.broker.held = [];
  lane.broker.opaqueHeld = [{ contract: ES, problem: "ES cannot be read" }];
  await settle(1_000);
  const { state } = lane.record(id);
  lane.broker.opaqueHeld = [];
  lane.broker.held = [position(2)];
  await settle(60_000);
  expect([state, lane.broker.held]).toEqual(["UNFINISHED", []]);
});
test("closes two seconds after the opening, whatever else is not done", async () => {
  lane.broker.held = [position(2), position(1, NQ)];
  const opensAt = lane.intents.clock + HOUR_MS;
  lane.markets.set(NQ, { kind: "closed", opensAt });
  lane.broker.next.close.push(...many(40, REJECTED));
  await run(FLATTEN);
  for (let n = 0; n < 400 && lane.intents.clock < opensAt; n += 1) await settle(17_000);
  lane.markets.clear();
  const hasClosed = () => names().includes(`close ${NQ}`);
  for (let n = 0; n < 400 && !hasClosed(); n += 1) await settle(1_000);
  expect(lane.intents.clock - opensAt).toBeLessThan(20_000);
});
test("leaves an order that a person placed while it waited", async () => {
  closeMarket(49 * HOUR_MS);
  await run({ kind: "FLATTEN", cancelResting: true });
  byHand({
    orderId: orderId("hand"),
    side: "BUY",
    price: ticks(3000),
    transactTimeAt: lane.intents.clock + 40 * HOUR_MS,
  });
  lane.markets.clear();
  await settle(49 * HOUR_MS + 3_000);
  expect([lane.broker.held, working().map((one) => one.orderId)]).toEqual([[], ["hand"]]);
});
test("leaves an order of a later intent that is not understood", async () => {
  closeMarket();
  await run({ kind: "FLATTEN", cancelResting: true });
  await lane.accept(place(LIMIT), { intentId: LATER });
  lane.broker.opaque = [
    {
      orderId: orderId("op"),
      clOrdId: `${LATER}-1` as ClOrdId,
      contract: ES,
      problem: "x",
    } as never,
  ];
  lane.markets.clear();
  await settle(HOUR_MS + 3_000);
  expect(names()).not.toContain("cancel op");
});
test("cancels the target before the stop where there is no pair of the broker's own", async () => {
  lane.setConnection({ nativeOco: false });
  const pair = `i${"0".repeat(28)}-51`;
  lane.broker.show({
    ...stop,
    orderId: orderId("sl"),
    role: "STOP_LOSS",
    clOrdId: `${pair}-SL` as ClOrdId,
  });
  lane.broker.show({
    orderId: orderId("tp"),
    orderQty: 2,
    leavesQty: 2,
    role: "TAKE_PROFIT",
    price: ticks(4040),
    clOrdId: `${pair}-TP` as ClOrdId,
  });
  await run(FLATTEN);
  expect(names()).toEqual(["cancel tp", "cancel sl", `close ${ES}`]);
});
test("a close that the broker shows no more counts as closed", async () => {
  const march = "ESH2027" as typeof ES;
  lane.broker.held = [position(1), position(5, march)];
  lane.broker.next.submit.push(REJECTED);
  const id = await run(adjust({ to: "close", qty: 3 } as never));
  expect(lane.record(id).outcome).toMatchObject({
    soFar: { closed: [{ contract: ES, netQty: 1 }] },
  });
  for (const [key, one] of lane.broker.orders) {
    if (one.ordStatus === "FILLED") lane.broker.orders.delete(key);
  }
  await settle(8 * HOUR_MS);
  expect(lane.broker.sent.map(({ orderQty }) => orderQty)).toEqual([2, 2]);
});
test("closes older contracts once, also where the position is shown late", async () => {
  lane.broker.next.close.push(REJECTED);
  const id = await run(FLATTEN);
  await run(place(), { intentId: LATER });
  lane.broker.held = [position(3)];
  const fill = (order: string, side: "BUY" | "SELL", qty: number) =>
    ({ execId: execId(`${order}${side}`), order, side, qty, at: 1, heardAt: 0 }) as const;
  const fills = [fill("older", "BUY", 2), fill(`${LATER}-1`, "BUY", 1)];
  lane.trips.set(ES, { fills, unexplained: 0 });
  lane.broker.next.submit.push(() => {
    lane.trips.set(ES, { fills: [...fills, fill(`${id}-2`, "SELL", 2)], unexplained: 0 });
    return undefined;
  });
  await settle(1_000);
  const sold = lane.broker.sent.filter(({ side }) => side === "SELL");
  expect(sold.map(({ orderQty }) => orderQty)).toEqual([2]);
});
test("an entry waits for a retry whose answer was lost with the link", async () => {
  lane.broker.next.close.push(REJECTED, () => {
    lane.broker.unreadable = new BrokerReadError("The link is down");
    return UNKNOWN;
  });
  const id = await run(FLATTEN);
  await settle(1_000);
  const { state } = lane.record(id);
  lane.broker.unreadable = undefined;
  const entry = await run(place());
  expect([state, lane.record(entry).state]).toEqual(["UNKNOWN", "PREPARED"]);
});

test("exits stay where a part was closed before, and the rest is refused", async () => {
  lane.broker.held = [position(5)];
  showPair(lane.broker, 5);
  lane.broker.next.close.push(endsAs({ ordStatus: "CANCELED", cumQty: 1 }, 1));
  lane.broker.next.close.push(...many(9, REJECTED));
  const id = await run(FLATTEN);
  await settle(1_000);
  await settle(2_000);
  expect(lane.record(id).state).toBe("UNFINISHED");
  expect(roles().toSorted()).toEqual(["STOP_LOSS", "TAKE_PROFIT"]);
});

/** The process dies right before its nth write-ahead, and another one takes the lane over. */
function dieBefore(nth: number): void {
  let count = 0;
  lane.intents.before.beginSending = () => {
    count += 1;
    if (count !== nth) return;
    delete lane.intents.before.beginSending;
    throw new StoreError("The process is gone", { certainlyNotWritten: true });
  };
}

test.each([1, 2, 3, 4, 5])(
  "a process that dies before write-ahead %i loses no exit, and closes once",
  async (nth) => {
    showPair(lane.broker);
    lane.broker.next.close.push(REJECTED, REJECTED);
    dieBefore(nth);
    const id = await lane.accept(FLATTEN);
    await lane.work(id).catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
    });
    // Its next owner finds it unsent, and works it again.
    if (lane.record(id).state === "PREPARED") await lane.work(id);
    const bare: number[] = [];
    for (let n = 0; n < 20 && lane.record(id).state !== "DONE"; n += 1) {
      const isBare = !roles().includes("STOP_LOSS");
      if (lane.record(id).state === "UNFINISHED" && isBare) bare.push(n);
      await settle(6_000).catch((error: unknown) => {
        if (!(error instanceof StoreError)) throw error;
      });
    }
    expect([lane.record(id).state, lane.broker.held, working(), bare]).toEqual([
      "DONE",
      [],
      [],
      [],
    ]);
    expect(names().filter((name) => name === `close ${ES}`)).toHaveLength(3);
  },
);

test("what was opened since is left, also beside an older order that fills at the market", async () => {
  lane.broker.next.close.push(REJECTED);
  await run(FLATTEN);
  await run(place(), { intentId: LATER });
  lane.broker.held = [position(3)];
  const bought = (order: string, qty: number) =>
    ({ execId: execId(order), order, side: "BUY", qty, at: 1, heardAt: 0 }) as const;
  const fills = [bought("older", 2), bought(`${LATER}-1`, 1)];
  lane.trips.set(ES, { fills, unexplained: 0 });
  const filling = { side: "BUY", ordType: "MARKET", ordStatus: "PARTIALLY_FILLED" } as const;
  byHand({ ...filling, orderId: orderId("old"), orderQty: 3, cumQty: 2, leavesQty: 1 });
  lane.broker.next.submit.push(() => {
    lane.broker.held = [position(1)];
    return undefined;
  });
  await settle(1_000);
  expect(lane.broker.held).toEqual([position(1)]);
  expect(lane.broker.sent.at(-1)).toMatchObject({ side: "SELL", orderQty: 2 });
});
