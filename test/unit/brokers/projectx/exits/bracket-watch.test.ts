import { describe, expect, test } from "vitest";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { clOrdId as toClOrdId, orderId } from "../../../../../src/domain/ids.ts";
import { LIMIT } from "../desk-kit.ts";
import { sharedMemory, tagOf, WatchedBroker } from "./watch-kit.ts";

const LIVE = 1;
const GONE = 3;
const WAITS = 8;
const REJECTED = { kind: "rejected", reason: "Invalid stop price" } as const;
const UNKNOWN = { kind: "unknown", reason: "It was lost" } as const;

/** An entry that is held with both its exits live. */
async function holding(size: number): Promise<WatchedBroker> {
  const broker = await WatchedBroker.begun();
  broker.holds(size);
  await broker.enter(1, size);
  broker.legs(1, LIVE, size);
  await broker.through(500);
  return broker;
}

describe("what the broker has ended", () => {
  test("comes back after two seconds, the stop first, each under a tag of its own", async () => {
    const broker = await holding(2);
    broker.legs(1, GONE, 2);
    await broker.through(1_800);
    expect(broker.placed).toEqual([]);
    await broker.through(1_000);
    expect(broker.tags()).toEqual([`${tagOf(1)}-r2-SL`, `${tagOf(1)}-r2-TP`]);
    expect(broker.placed).toMatchObject([
      { ordType: "STOP", stopPx: 20, orderQty: 2, side: "SELL" },
      { ordType: "LIMIT", price: 60, orderQty: 2, side: "SELL" },
    ]);
  });

  test("of two entries never comes back for more than is held, the newer one first", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(4);
    for (const n of [1, 2]) {
      await broker.enter(n, 2);
      broker.legs(n, LIVE, 2);
    }
    broker.holds(3);
    for (const n of [1, 2]) broker.legs(n, GONE, 2);
    await broker.through(4_000);
    expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([3, 3]);
    const qtyOf = (n: number) =>
      broker.placed
        .filter(({ clOrdId }) => clOrdId.startsWith(tagOf(n)))
        .map((one) => one.orderQty);
    expect([qtyOf(1), qtyOf(2)]).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test("comes back for what is told as filled after its entry was told as canceled", async () => {
    const broker = await WatchedBroker.begun();
    await broker.enter(1, 2, 0);
    broker.legs(1, WAITS, 2);
    broker.turn("10", GONE);
    await broker.through(500);
    broker.trade(10, 2, 10);
    broker.holds(2);
    broker.legs(1, GONE, 2);
    await broker.through(4_000);
    expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([2, 2]);
  });

  test("stays away where a protection has come in its place, though that is ended later", async () => {
    const broker = await holding(2);
    broker.legs(1, GONE, 2);
    const [clOrdId, contract] = [toClOrdId("i0123456789abcdef0123456789a9-2-SL"), LIMIT.contract];
    const stop = { clOrdId, contract, side: "SELL", orderQty: 2, ordType: "STOP" } as const;
    broker.session.order(700, LIVE, {
      type: 4,
      side: 1,
      size: 2,
      stopPrice: 4,
      customTag: clOrdId,
    });
    broker.watch.exitStands("465", { ...stop, stopPx: ticks(16), timeInForce: "GTC" });
    await broker.through(4_000);
    expect(broker.tags()).toEqual([`${tagOf(1)}-r2-TP`]);
    broker.turn("700", GONE);
    await broker.through(4_000);
    expect(broker.tags()).toEqual([`${tagOf(1)}-r2-TP`]);
  });

  test("is asked for again under the same tag while it is unknown whether it was placed", async () => {
    const broker = await holding(2);
    broker.answers.push(UNKNOWN, UNKNOWN);
    broker.stop(1, GONE, 2);
    await broker.through(9_000);
    expect(broker.tags("-SL")).toEqual(Array.from({ length: 3 }, () => `${tagOf(1)}-r2-SL`));
    expect(broker.standing("-SL")).toBe(2);
  });

  test("is not taken for absent because it is refused right after its answer was lost", async () => {
    const broker = await holding(2);
    broker.answers.push("taken, and nobody hears of it", REJECTED, REJECTED);
    broker.stop(1, GONE, 2);
    await broker.through(15_000);
    expect(new Set(broker.tags("-SL"))).toEqual(new Set([`${tagOf(1)}-r2-SL`]));
    expect(broker.standing("-SL")).toBe(2);
  });

  test("that was refused gets a tag of its own at the next attempt, and is given up after three", async () => {
    const broker = await holding(2);
    broker.answers.push(REJECTED, REJECTED, REJECTED);
    broker.stop(1, GONE, 2);
    await broker.through(12_000);
    expect(broker.tags("-SL")).toEqual([2, 3, 4].map((n) => `${tagOf(1)}-r${n}-SL`));
    expect(broker.troubles).toMatchObject([{ exits: ["STOP_LOSS"], entry: "10" }]);
    expect(broker.troubles[0]?.reason).toContain("Invalid stop price");
  });

  test("and could not be sent is sent once that goes again, and told meanwhile", async () => {
    const broker = await holding(2);
    const notSent = { kind: "notSent", reason: "The budget is used up" } as const;
    broker.answers.push(notSent, notSent, notSent, notSent, notSent);
    broker.stop(1, GONE, 2);
    await broker.through(30_000);
    expect(broker.troubles).toHaveLength(1);
    expect(new Set(broker.tags("-SL"))).toEqual(new Set([`${tagOf(1)}-r2-SL`]));
    expect(broker.standing("-SL")).toBe(2);
  });

  test("counts for other entries while it is unknown whether it was placed", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(3);
    for (const n of [1, 2]) {
      await broker.enter(n, 2);
      broker.legs(n, LIVE, 2);
    }
    await broker.through(500);
    // The older one is placed again for what the newer one leaves, and its answer is lost.
    broker.answers.push("taken, and nobody hears of it");
    broker.stop(1, GONE, 2);
    await broker.through(2_600);
    broker.stop(2, GONE, 2);
    broker.holds(2);
    await broker.through(2_400);
    expect(broker.standing("-SL")).toBeLessThanOrEqual(2);
    await broker.through(8_000);
    expect(broker.standing("-SL")).toBe(2);
  });

  test("comes back for what the broker says is held, where its hub has left that out", async () => {
    const broker = await holding(3);
    broker.lists(1);
    broker.stop(1, GONE, 3);
    await broker.through(4_000);
    expect(broker.placed).toMatchObject([{ orderQty: 1 }]);
    const asked = broker.session.paths().filter((path) => path === "Order/searchById");
    expect(asked.length).toBeGreaterThanOrEqual(2);
  });

  test("does not come back where nothing is held", async () => {
    const broker = await holding(2);
    broker.holds(0);
    broker.legs(1, GONE, 2);
    await broker.through(9_000);
    expect(broker.placed).toEqual([]);
  });

  test.each([
    ["nothing of what was opened after it was all sold", 3, 2, []],
    ["only what of it was never sold", 1, 2, [2, 2]],
  ])("comes back for %s", async (_, sold, bought, qtys) => {
    const broker = await holding(3);
    broker.trade(10, 3, 10);
    broker.legs(1, GONE, 3);
    broker.trade(20, sold, 10, 1);
    broker.trade(30, bought, 10);
    broker.holds(3 - sold + bought);
    await broker.through(4_000);
    expect(broker.placed.map(({ orderQty }) => orderQty)).toEqual(qtys);
  });

  test("of an older entry comes back for what newer ones leave of what was held since", async () => {
    const broker = await WatchedBroker.begun();
    for (const n of [1, 2]) {
      await broker.enter(n, 2);
      broker.trade(n * 10, 2, 10);
      broker.legs(n, LIVE, 2);
    }
    broker.trade(700, 1, 10, 1);
    broker.holds(3);
    for (const n of [1, 2]) broker.legs(n, GONE, 2);
    await broker.through(4_000);
    expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([3, 3]);
    broker.trade(701, 2, 10, 1);
    broker.trade(702, 5, 10);
    broker.holds(6);
    for (const ending of ["-SL", "-TP"] as const) {
      for (const { id } of broker.live(ending)) broker.turn(id, GONE);
    }
    await broker.through(4_000);
    expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([1, 1]);
  });

  test("is not for what was opened later, where the hub has left that out", async () => {
    const broker = await holding(3);
    broker.trade(10, 3, 10);
    broker.legs(1, GONE, 3);
    broker.holds(2);
    broker.listsTrade(20, 3, 1);
    broker.listsTrade(30, 2, 0);
    await broker.through(4_000);
    expect(broker.placed).toEqual([]);
  });

  test("does not come back beside a stop that somebody has placed by hand", async () => {
    const broker = await holding(2);
    const byHand = { side: 1, size: 2, type: 4, stopPrice: 4, customTag: undefined };
    broker.session.order(77, LIVE, { ...byHand, limitPrice: undefined });
    broker.legs(1, GONE, 2);
    await broker.through(5_000);
    expect(broker.tags()).toEqual([`${tagOf(1)}-r2-TP`]);
  });
});

describe("with nothing held", () => {
  test("what was placed again is ended, once the broker was asked", async () => {
    const broker = await holding(2);
    broker.legs(1, GONE, 2);
    await broker.through(5_000);
    const asked = broker.session.paths().length;
    broker.holds(0);
    await broker.through(1_500);
    expect(broker.ended).toEqual([]);
    await broker.through(3_000);
    expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([0, 0]);
    expect(broker.session.paths().length).toBeGreaterThan(asked);
  });

  test("nothing is ended where the broker lists that it is held all the same", async () => {
    const broker = await holding(2);
    broker.legs(1, GONE, 2);
    await broker.through(5_000);
    broker.lists(2);
    broker.holds(0);
    await broker.through(5_000);
    expect(broker.ended).toEqual([]);
  });

  test("the broker's own are left to the gateway, which knows all that works", async () => {
    const broker = await holding(2);
    broker.holds(0);
    await broker.through(5_000);
    expect(broker.ended).toEqual([]);
  });
});

describe("what commands of ours have done", () => {
  test("an exit that was ended stays away", async () => {
    const broker = await holding(2);
    const end = broker.watch.onCancel("11");
    broker.stop(1, GONE, 2);
    end(false);
    await broker.through(5_000);
    expect(broker.placed).toEqual([]);
  });

  test("one that could not be ended comes back when the broker ends it later", async () => {
    const broker = await holding(2);
    broker.watch.onCancel("11")(true);
    broker.stop(1, GONE, 2);
    await broker.through(5_000);
    expect(broker.tags()).toEqual([`${tagOf(1)}-r2-SL`]);
  });

  test("both of one kind that are ended at once stay away", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(4);
    await broker.enter(1, 4);
    broker.stop(1, LIVE, 1);
    await broker.through(3_000);
    const again = broker.idOf(broker.tags("-SL")[0] ?? "");
    const ends = ["11", again].map((id) => broker.watch.onCancel(id));
    broker.stop(1, GONE, 1);
    broker.turn(again, GONE);
    for (const end of ends) end(false);
    const before = broker.tags("-SL");
    await broker.through(5_000);
    expect(broker.tags("-SL")).toEqual(before);
  });

  test("one of two of the same kind leaves the other, which comes back", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(4);
    await broker.enter(1, 4);
    broker.stop(1, LIVE, 1);
    await broker.through(3_000);
    expect(broker.standing("-SL")).toBe(4);
    broker.holds(3);
    const end = broker.watch.onCancel("11");
    broker.stop(1, GONE, 1);
    end(false);
    await broker.through(3_000);
    expect(broker.standing("-SL")).toBe(3);
    // The broker ends what was left.
    broker.turn(broker.idOf(broker.tags("-SL")[0] ?? ""), GONE);
    await broker.through(4_000);
    expect(broker.standing("-SL")).toBe(3);
  });

  test("one that was made smaller comes back as small", async () => {
    const broker = await holding(4);
    const end = broker.watch.onChange("12", { orderId: orderId("12"), orderQty: 1 });
    broker.resize("12", 1);
    end(false);
    await broker.through(3_000);
    expect(broker.placed).toEqual([]);
    broker.turn("12", GONE);
    await broker.through(4_000);
    expect(broker.placed).toMatchObject([{ orderQty: 1, price: 60 }]);
  });

  test("one that could not be made smaller is wanted as it was", async () => {
    const broker = await holding(4);
    broker.watch.onChange("12", { orderId: orderId("12"), orderQty: 1 })(true);
    broker.turn("12", GONE);
    await broker.through(4_000);
    expect(broker.placed).toMatchObject([{ orderQty: 4 }]);
  });

  test("one that was made smaller for what is held grows with what its entry fills next", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(4);
    await broker.enter(1, 10, 4);
    broker.legs(1, LIVE, 4);
    broker.holds(3);
    for (const id of ["11", "12"]) {
      broker.watch.onChange(id, { orderId: orderId(id), orderQty: 3 })(false);
    }
    broker.legs(1, LIVE, 3);
    await broker.through(3_000);
    expect(broker.standing("-SL")).toBe(3);
    broker.holds(9);
    broker.fill(1, 10, 10);
    await broker.through(4_000);
    expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([9, 9]);
  });

  test("one that was cut to what its entry has filled takes nothing from what that fills next", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(1);
    await broker.enter(1, 4, 1);
    // A broker that has them live for all of the entry at its first fill.
    broker.legs(1, LIVE, 4);
    for (const id of ["11", "12"]) {
      broker.watch.onChange(id, { orderId: orderId(id), orderQty: 1 })(false);
    }
    broker.legs(1, LIVE, 1);
    await broker.through(3_000);
    broker.holds(4);
    broker.fill(1, 4, 4);
    await broker.through(4_000);
    expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([4, 4]);
  });
});

describe("where exits are", () => {
  test("the broker's are moved to where they were asked for", async () => {
    const broker = await holding(2);
    expect(broker.changed).toEqual([]);
    const other = new WatchedBroker();
    await other.watch.begin();
    other.holds(2);
    await other.enter(1, 2);
    other.legs(1, LIVE, 2, { stopPrice: 5.25 });
    await other.through(500);
    expect(other.session.store.order("11")?.stopPrice).toBe(5);
  });

  test("one that somebody moves by hand is not moved back, and comes back there", async () => {
    const broker = await holding(2);
    broker.stop(1, LIVE, 2, { stopPrice: 6 });
    await broker.through(2_000);
    expect(broker.changed).toEqual([]);
    broker.stop(1, GONE, 2, { stopPrice: 6 });
    await broker.through(4_000);
    expect(broker.placed).toMatchObject([{ stopPx: ticks(24) }]);
  });

  test("one that the broker moves as it grows is moved back", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(1);
    await broker.enter(1, 4, 1);
    broker.stop(1, LIVE, 1);
    await broker.through(500);
    broker.holds(4);
    broker.fill(1, 4, 4);
    broker.stop(1, LIVE, 4, { stopPrice: 5.5 });
    await broker.through(1_000);
    expect(broker.session.store.order("11")?.stopPrice).toBe(5);
  });

  test("one that cannot be moved is told, and comes back all the same when it is ended", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(2);
    await broker.enter(1, 2);
    broker.changeAnswers.push(REJECTED, REJECTED, REJECTED);
    broker.stop(1, LIVE, 2, { stopPrice: 5.25 });
    await broker.through(6_000);
    expect(broker.changed).toHaveLength(3);
    expect(broker.troubles).toHaveLength(1);
    broker.stop(1, GONE, 2, { stopPrice: 5.25 });
    await broker.through(5_000);
    expect(broker.standing("-SL")).toBe(2);
  });
});

describe("a leg by distance", () => {
  test("counts from the first trade, whatever the order says of its average before", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(2);
    await broker.enter(1, 2, 2, { stopLoss: { by: "distance", distance: ticks(8) } });
    broker.average(1, 10.5);
    broker.stop(1, LIVE, 2, { stopPrice: 8.5 });
    await broker.through(500);
    expect(broker.changed).toEqual([]);
    broker.trade(10, 1, 10.25);
    await broker.through(500);
    expect(broker.session.store.order("11")?.stopPrice).toBe(8.25);
  });

  test("counts from the average where no trade is told", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(2);
    await broker.enter(1, 2, 2, { stopLoss: { by: "distance", distance: ticks(8) } });
    broker.average(1, 10.5);
    await broker.through(5_000);
    expect(broker.placed).toMatchObject([{ stopPx: 34, orderQty: 2 }]);
  });
});

describe("what a former owner has left", () => {
  test("is gone on with: what its legs closed meanwhile is asked for by their numbers", async () => {
    const shared = sharedMemory();
    const first = new WatchedBroker(shared);
    await first.watch.begin();
    first.holds(2);
    await first.enter(1, 2);
    first.legs(1, LIVE, 2);
    await first.through(500);
    first.watch.end();
    await shared.isSaved();

    const next = new WatchedBroker(shared);
    // Its stop has filled; what is held now is somebody else's.
    next.shows({ id: 10, status: 2, size: 2, fillVolume: 2, customTag: tagOf(1) });
    next.shows({ id: 11, status: 2, size: 2, fillVolume: 2, side: 1, customTag: `${tagOf(1)}-SL` });
    next.shows({ id: 12, status: 3, size: 2, fillVolume: 0, side: 1, customTag: `${tagOf(1)}-TP` });
    next.holds(2);
    await next.watch.begin();
    await next.through(6_000);
    expect(next.placed).toEqual([]);
  });

  test("is asked for again where it could not be asked at first", async () => {
    const shared = sharedMemory();
    const first = new WatchedBroker(shared);
    await first.watch.begin();
    await first.enter(1, 2, 0);
    first.watch.end();
    await shared.isSaved();

    const next = new WatchedBroker(shared);
    next.isDown = true;
    await next.watch.begin();
    next.holds(2);
    next.isDown = false;
    next.shows({ id: 10, status: 2, size: 2, fillVolume: 2, customTag: tagOf(1) });
    await next.through(9_000);
    expect(next.tags()).toEqual([`${tagOf(1)}-r2-SL`, `${tagOf(1)}-r2-TP`]);
  });

  test.each([
    ["nothing is found, though orders of ours work", undefined, 1],
    ["nobody can read it", "{", 1],
    ["it can be read, and has none", '{"token":"t"}', 0],
  ])("is missed aloud: %s", async (_, kept, count) => {
    const broker = new WatchedBroker(sharedMemory(kept));
    broker.fill(1, 2, 0);
    await broker.watch.begin();
    expect(broker.troubles).toHaveLength(count);
    expect(broker.troubles.every(({ reason }) => reason.includes("not known any more"))).toBe(true);
    // Once is enough.
    await broker.watch.begin();
    expect(broker.troubles).toHaveLength(count);
  });

  test("is not missed where no order of ours was ever placed", async () => {
    const broker = new WatchedBroker(sharedMemory());
    broker.holds(2);
    broker.session.order(5, LIVE, { customTag: "another program's" });
    await broker.watch.begin();
    expect(broker.troubles).toEqual([]);
  });
});

test("an entry that cannot be kept any more is said aloud", async () => {
  const broker = await WatchedBroker.begun();
  for (let n = 1; n <= 501; n += 1) await broker.want(`i${n}`);
  expect(broker.troubles).toHaveLength(1);
});

describe("an entry that fills in parts", () => {
  test("has exits for what is filled though the broker's wait for all of it", async () => {
    const broker = await WatchedBroker.begun();
    broker.holds(1);
    await broker.enter(1, 4, 1);
    broker.legs(1, WAITS, 4);
    await broker.through(4_000);
    expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([1, 1]);
    broker.holds(4);
    broker.fill(1, 4, 4);
    broker.legs(1, LIVE, 4);
    await broker.through(1_000);
    expect([broker.standing("-SL"), broker.standing("-TP")]).toEqual([4, 4]);
    expect(broker.ended).toHaveLength(2);
  });
});
