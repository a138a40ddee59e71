import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Aim } from "../../../../src/domain/alert.ts";
import { type IntentId, intentId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent, IntentState } from "../../../../src/domain/intent.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
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
import { adjustIntent as adjust, nextFillsTo } from "./adjust-kit.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const FLATTEN: Intent = { kind: "FLATTEN", cancelResting: false };
const FLAT = adjust({ to: "position", netQty: 0 });
const ALL = adjust({ to: "close", percent: 100 });

const settlePending = () => lane.settlePending(ACCOUNT);
const later = (ms = 5_000) => (lane.intents.clock += ms);
const sent = () => lane.broker.commands.map(([name]) => name);
const closes = () => sent().filter((name) => name === "close");
const stateOf = (id: IntentId): IntentState => lane.record(id).state;

async function work(intent: Intent): Promise<IntentId> {
  const id = await lane.accept(intent);
  await lane.work(id).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
  });
  return id;
}

/** An entry of which the broker said nothing, and showed nothing yet. */
async function unknownEntry(change: Parameters<typeof place>[0] = {}): Promise<IntentId> {
  lane.broker.next.submit.push(UNKNOWN);
  return await work(place({ orderQty: 2, ...change }));
}

/** It was there all along, and has filled. */
function fills(entry: IntentId): void {
  const clOrdId = `${entry}-1` as never;
  const filled = { ordStatus: "FILLED", cumQty: 2, leavesQty: 0 } as const;
  lane.broker.show({ orderId: orderId("late"), clOrdId, side: "BUY", ...filled });
  lane.broker.held = [...lane.broker.held, position(2)];
}

describe("an exit beside an entry of unknown outcome", () => {
  const exits: Intent[] = [
    FLATTEN,
    { kind: "FLATTEN", cancelResting: true, mustHold: "ES" },
    { kind: "FLATTEN", cancelResting: true, root: "ES" },
    FLAT,
    ALL,
    adjust({ to: "close", qty: 2 }),
    adjust({ to: "close", percent: 100, holding: "LONG" }, { onlyWhen: ["LONG"] }),
  ];

  test.each(exits)("is not over, and closes what that opens: %j", async (exit) => {
    const entry = await unknownEntry();
    const id = await work(exit);
    expect(stateOf(id)).toBe("UNKNOWN");
    expect(lane.record(id).outcome).toMatchObject({
      reason: expect.stringContaining("the outcome of an earlier order is not known yet"),
    });
    expect(await settlePending()).toBe(true);

    fills(entry);
    expect(await settlePending()).toBe(false);
    expect([stateOf(entry), stateOf(id)]).toEqual(["DONE", "DONE"]);
    expect(lane.broker.held).toEqual([]);
    expect(closes()).toHaveLength(1);
    expect(lane.record(id).outcome).toMatchObject({ result: { closed: [{ netQty: 2 }] } });
  });

  test("closes at once what is held, and tells of both closes at the end", async () => {
    lane.broker.held = [position(1)];
    const entry = await unknownEntry();
    const id = await work(FLATTEN);
    expect(lane.broker.held).toEqual([]);
    expect(lane.record(id).outcome).toMatchObject({ soFar: { closed: [{ netQty: 1 }] } });
    fills(entry);
    await settlePending();
    const result = { closed: [{ netQty: 1 }, { netQty: 2 }], remaining: [], problems: [] };
    expect(lane.record(id).outcome).toMatchObject({ kind: "done", result });
  });

  describe("that is a target which only reduces", () => {
    const TO_1 = adjust({ to: "position", netQty: 1 });
    /** The next sale leaves so many. */
    const sellsTo = (netQty: number) => nextFillsTo(lane, netQty);
    const holding = (netQty: number) => {
      lane.broker.held = [position(netQty)];
    };

    test("takes off at once what is too much, and what that opens beyond it", async () => {
      holding(3);
      const entry = await unknownEntry();
      sellsTo(1);
      const id = await work(TO_1);
      expect([lane.broker.held, stateOf(id)]).toMatchObject([[{ netQty: 1 }], "UNKNOWN"]);
      fills(entry);
      holding(3);
      sellsTo(1);
      expect(await settlePending()).toBe(false);
      expect([stateOf(entry), stateOf(id)]).toEqual(["DONE", "DONE"]);
      expect(lane.broker.sent.slice(1)).toMatchObject([
        { side: "SELL", orderQty: 2 },
        { side: "SELL", orderQty: 2 },
      ]);
    });

    test("waits for no exit after it, and that one for it", async () => {
      holding(3);
      const entry = await unknownEntry();
      sellsTo(1);
      const [target, exit] = [await work(TO_1), await work(FLAT)];
      expect([target, exit].map(stateOf)).toEqual(["UNKNOWN", "UNKNOWN"]);
      later();
      while (await settlePending()) later();
      expect([entry, target, exit].map(stateOf)).toEqual(["LOST", "DONE", "DONE"]);
      expect(lane.broker.held).toEqual([]);
    });
  });

  test("is over once that is proven lost, and closes nothing more", async () => {
    const entry = await unknownEntry();
    const [flatten, reduce] = [await work(FLATTEN), await work(adjust({ to: "close", qty: 1 }))];
    expect(await settlePending()).toBe(true);
    later();
    expect(await settlePending()).toBe(false);
    const states = [entry, flatten, reduce].map(stateOf);
    expect(states).toEqual(["LOST", "DONE", "DENIED"]);
    expect(closes()).toEqual([]);
  });

  test("of which a part is all that was asked for is over once that is closed", async () => {
    lane.broker.held = [position(2)];
    await unknownEntry();
    expect(stateOf(await work(adjust({ to: "close", qty: 1 })))).toBe("DONE");
    expect(stateOf(await work(adjust({ to: "close", percent: 50 })))).toBe("DONE");
  });

  test("of another root or contract is over at once", async () => {
    await unknownEntry();
    lane.broker.held = [position(1, NQ)];
    const root = { kind: "FLATTEN", root: "NQ", cancelResting: true } as const;
    expect(stateOf(await work(root))).toBe("DONE");
    expect(stateOf(await work(adjust(FLAT.aim, { contract: NQ })))).toBe("DONE");
  });

  test("what was never named stays: it came to be held while the exit waited", async () => {
    const entry = await unknownEntry({ contract: NQ });
    lane.broker.held = [position(1)];
    const id = await work({ kind: "FLATTEN", cancelResting: true, mustHold: "ES" });
    fills(entry);
    lane.broker.held = [position(2, NQ)];
    await settlePending();
    expect(lane.record(id).outcome).toMatchObject({
      kind: "done",
      result: { closed: [{ netQty: 1 }], problems: [expect.stringContaining("NQ as well")] },
    });
    expect(lane.broker.held).toEqual([position(2, NQ)]);
  });

  test("a later entry waits for it, and goes after it", async () => {
    const entry = await unknownEntry();
    const exit = await work(FLATTEN);
    const next = await work(place());
    expect(stateOf(next)).toBe("PREPARED");
    fills(entry);
    await settlePending();
    expect([stateOf(exit), stateOf(next)]).toEqual(["DONE", "DONE"]);
    expect(sent()).toEqual(["submit", "close", "submit"]);
  });

  test("however late, and with its key revoked: what was begun is carried through", async () => {
    const entry = await unknownEntry();
    const id = await work(FLATTEN);
    later(3_600_000);
    lane.intents.sourceAlive = false;
    fills(entry);
    await settlePending();
    expect(stateOf(id)).toBe("DONE");
    expect(lane.broker.held).toEqual([]);
  });

  test("two exits do not wait for each other", async () => {
    const entry = await unknownEntry();
    const ids = [await work(ALL), await work(FLATTEN), await work(FLAT)];
    fills(entry);
    expect(await settlePending()).toBe(false);
    expect(ids.map(stateOf)).toEqual(["DONE", "DONE", "DONE"]);
    expect(closes()).toHaveLength(1);
  });
});

describe("a cancel of entries beside an entry of unknown outcome", () => {
  const limit = { ordType: "LIMIT", price: ticks(3_900) } as const;

  test("is not over, and cancels it where it rests", async () => {
    const entry = intentId(`i${"1".repeat(28)}`);
    lane.broker.next.submit.push(UNKNOWN);
    await lane.accept(place(limit), { intentId: entry });
    await lane.work(entry);
    lane.broker.show({ orderId: orderId("other"), side: "BUY" });
    const id = await work({ kind: "CANCEL_ENTRIES" });
    expect(stateOf(id)).toBe("UNKNOWN");
    lane.broker.show({ orderId: orderId("late"), clOrdId: `${entry}-1` as never, side: "BUY" });
    expect(await settlePending()).toBe(false);
    expect(lane.record(id).outcome).toMatchObject({
      kind: "done",
      result: { canceledOrderIds: ["other", "late"] },
    });
  });

  test("of another root is over at once", async () => {
    await unknownEntry(limit);
    expect(stateOf(await work({ kind: "CANCEL_ENTRIES", root: "NQ" }))).toBe("DONE");
  });
});

/** The process dies before the nth write-ahead of the next intent. */
function dieBefore(nth: number): void {
  let count = 0;
  lane.intents.before.beginSending = () => {
    count += 1;
    if (count !== nth) return;
    delete lane.intents.before.beginSending;
    throw new StoreError("The process is gone", { certainlyNotWritten: true });
  };
}

describe("an exit that was interrupted after its cancels", () => {
  beforeEach(() => {
    lane.broker.held = [position(2), position(1, NQ)];
    showPair(lane.broker);
    dieBefore(2);
  });

  test.each<[string, Intent]>([
    ["a flatten", { kind: "FLATTEN", root: "ES", cancelResting: false }],
    ["a target of nothing", FLAT],
    ["a close of all of it", ALL],
    ["a close of more", adjust({ to: "close", qty: 3 })],
  ])("%s goes on at once, in what it was for, and is told in full", async (_, exit) => {
    const id = await work(exit);
    expect([stateOf(id), sent()]).toEqual(["SENDING", ["cancel", "cancel"]]);
    expect(await settlePending()).toBe(false);
    expect(lane.record(id).outcome).toMatchObject({
      kind: "done",
      result: {
        closed: [{ contract: ES, netQty: 2 }],
        canceledOrderIds: ["tp", "sl"],
        problems: [],
      },
    });
    expect(lane.record(id).outcome).not.toHaveProperty("result.unprotected");
    expect(lane.record(id).outcome).not.toMatchObject({ result: { remaining: [{}] } });
    expect(lane.broker.held).toEqual([position(1, NQ)]);
  });

  test("a reversal closes, and its order is not sent", async () => {
    const id = await work(adjust({ to: "reverse" }));
    await settlePending();
    expect(lane.record(id).outcome).toMatchObject({
      kind: "done",
      result: {
        closed: [{ netQty: 2 }],
        problems: [expect.stringMatching(/^The order was not placed: .*interrupted/)],
      },
    });
    expect(sent()).toEqual(["cancel", "cancel", "close"]);
  });

  test("what cannot be closed then is told as unprotected, and never as safe", async () => {
    const id = await work(ALL);
    lane.broker.next.close.push(REJECTED, REJECTED, REJECTED);
    lane.broker.next.protect.push(REJECTED);
    await settlePending();
    expect(lane.record(id).outcome).toMatchObject({
      kind: "unfinished",
      soFar: { closed: [], unprotected: [{ contract: ES, exits: ["TAKE_PROFIT", "STOP_LOSS"] }] },
    });
  });

  test.each([
    [NOT_SENT, "unfinished"],
    [UNKNOWN, "unknown"],
  ])("%j to its close then keeps it open, and is %s", async (answer, kind) => {
    const id = await work(FLAT);
    lane.broker.next.close.push(answer, answer, answer);
    expect(await settlePending()).toBe(true);
    expect(lane.record(id).outcome).toMatchObject({
      kind,
      soFar: { canceledOrderIds: ["tp", "sl"] },
    });
    lane.broker.next.close.length = 0;
    for (let round = 0; round < 3 && (await settlePending()); round += 1) later();
    expect(stateOf(id)).toBe("DONE");
    expect(lane.broker.held).toEqual([position(1, NQ)]);
  });

  test("on the lane, whose job comes back, it goes on as well", async () => {
    const id = await work(FLATTEN);
    await lane.work(id);
    expect([stateOf(id), lane.broker.held]).toEqual(["DONE", []]);
  });
});

describe("an exit that could not be sent once others had made way for it", () => {
  test.each([FLATTEN, FLAT, ALL, adjust({ to: "position", netQty: -1 })])(
    "goes on, and leaves nothing naked: %j",
    async (exit) => {
      lane.broker.held = [position(2)];
      showPair(lane.broker);
      lane.broker.next.close.push(NOT_SENT, NOT_SENT);
      lane.broker.next.protect.push(NOT_SENT);
      const id = await work(exit);
      expect(lane.record(id).outcome).toMatchObject({
        kind: "unfinished",
        reason: expect.stringContaining(NOT_SENT.reason),
        soFar: { canceledOrderIds: ["tp", "sl"], unprotected: [{ contract: ES }] },
      });
      for (let round = 0; round < 3 && (await settlePending()); round += 1) later();
      expect([stateOf(id), lane.broker.held]).toEqual(["DONE", []]);
    },
  );

  test("goes on for as long as it takes, with few questions each time", async () => {
    lane.broker.held = [position(2), position(1, NQ)];
    showPair(lane.broker);
    lane.broker.next.close.push(...Array.from({ length: 500 }, () => NOT_SENT));
    const id = await work(FLATTEN);
    const asked = vi.spyOn(lane.broker, "findOrder");
    for (let minutes = 0; minutes < 60; minutes += 1) {
      for (let round = 0; round < 20; round += 1) {
        later(3_000);
        asked.mockClear();
        expect(await settlePending()).toBe(true);
        expect(asked.mock.calls.length).toBeLessThan(15);
      }
    }
    lane.broker.next.close.length = 0;
    for (let round = 0; round < 50 && (await settlePending()); round += 1) later(60_000);
    expect([stateOf(id), lane.broker.held]).toEqual(["DONE", []]);
  });

  test("and by itself is no more than not sent: whoever asked asks again", async () => {
    lane.broker.held = [position(2)];
    lane.broker.next.close.push(NOT_SENT, NOT_SENT, NOT_SENT);
    expect(stateOf(await work(FLATTEN))).toBe("NOTSENT");
  });
});

describe("a close whose answer was lost", () => {
  const lost = () => {
    lane.broker.unreadable = new BrokerReadError("The session is gone");
    return UNKNOWN;
  };
  const back = () => {
    lane.broker.unreadable = undefined;
  };
  beforeEach(() => {
    lane.broker.held = [position(2)];
    showPair(lane.broker);
  });

  test.each<Intent>([FLATTEN, FLAT])(
    "is followed by no other until it is proven absent: %j",
    async (exit) => {
      lane.broker.next.close.push(lost);
      const id = await work(exit);
      back();
      expect([await settlePending(), closes().length]).toEqual([true, 1]);
      expect(lane.record(id).outcome).toMatchObject({
        soFar: { canceledOrderIds: ["tp", "sl"] },
      });
      later(4_999);
      expect([await settlePending(), closes().length]).toEqual([true, 1]);
      later(1);
      expect([await settlePending(), closes().length]).toEqual([false, 2]);
      expect(stateOf(id)).toBe("DONE");
      expect(lane.broker.held).toEqual([]);
    },
  );

  test("and that still fills is waited for", async () => {
    const clOrdId = "i1-2" as never;
    lane.broker.next.close.push(() => {
      const order = { orderId: orderId("c"), clOrdId, side: "SELL", ordType: "MARKET" } as const;
      lane.broker.show({ ...order, ordStatus: "PARTIALLY_FILLED", cumQty: 1 });
      lane.broker.held = [position(1)];
      return lost();
    });
    const id = await work(FLATTEN);
    back();
    later();
    expect([await settlePending(), closes().length, sent().length]).toEqual([true, 1, 3]);
    lane.broker.change(orderId("c"), { ordStatus: "FILLED", cumQty: 2, leavesQty: 0 });
    lane.broker.held = [];
    expect(await settlePending()).toBe(false);
    expect(lane.record(id).outcome).toMatchObject({
      kind: "done",
      result: { closed: [{ netQty: 2, orderId: "c" }], problems: [] },
    });
  });

  test.each<[Aim, number]>([
    [{ to: "close", qty: 1 }, 1],
    [{ to: "close", percent: 50 }, 1],
    [{ to: "position", netQty: 1 }, 1],
  ])("of a part is made up for once, and no more of it is closed: %j", async (aim, left) => {
    lane.broker.next.submit.push(lost);
    const id = await work(adjust(aim));
    back();
    await settlePending();
    later();
    lane.broker.next.submit.push(() => {
      lane.broker.held = [position(left)];
      return undefined;
    });
    expect(await settlePending()).toBe(false);
    expect(sent()).toEqual(["submit", "submit"]);
    expect(lane.record(id).outcome).toMatchObject({
      kind: "done",
      result: { closed: [{ netQty: 1 }], problems: [] },
    });
  });

  test("of a part that came after all is not made up for", async () => {
    lane.broker.next.submit.push(lost);
    const id = await work(adjust({ to: "close", percent: 50 }));
    back();
    const clOrdId = "i1-1" as never;
    const filled = { ordStatus: "FILLED", orderQty: 1, cumQty: 1, leavesQty: 0 } as const;
    lane.broker.show({ orderId: orderId("c"), clOrdId, side: "SELL", ...filled });
    lane.broker.held = [position(1)];
    expect(await settlePending()).toBe(false);
    expect(sent()).toEqual(["submit"]);
    expect(lane.record(id).outcome).toMatchObject({ result: { closed: [{ netQty: 1 }] } });
  });
});

test("an exit that goes on tells what it has come to, once for each change", async () => {
  await unknownEntry();
  const id = await work(FLATTEN);
  lane.broker.held = [position(2)];
  showPair(lane.broker);
  lane.broker.next.close.push(...Array.from({ length: 6 }, () => NOT_SENT));
  lane.broker.next.protect.push(...Array.from({ length: 6 }, () => NOT_SENT));
  await settlePending();
  const unprotected = [{ contract: ES, exits: ["TAKE_PROFIT", "STOP_LOSS"] }];
  expect(lane.record(id).outcome).toMatchObject({ kind: "unfinished", soFar: { unprotected } });
  expect(lane.observed).toEqual(["UNKNOWN", "UNKNOWN", "UNFINISHED"]);
  await settlePending();
  later(1_000);
  await settlePending();
  expect(lane.observed).toHaveLength(3);
  lane.broker.next.close.length = 0;
  for (let round = 0; round < 5 && stateOf(id) !== "DONE"; round += 1) {
    later();
    await settlePending();
  }
  expect(lane.observed).toContain("DONE");
  expect(lane.broker.held).toEqual([]);
});

test("who asks how an exit stands takes back nothing of what it has told meanwhile", async () => {
  await unknownEntry();
  const id = await work(FLATTEN);
  const asked = lane.record(id);
  lane.broker.held = [position(1)];
  await settlePending();
  const newest = lane.record(id).outcome;
  expect(newest).toMatchObject({ soFar: { closed: [{ netQty: 1 }] } });
  await lane.settler.settle(asked, lane.broker);
  expect(lane.record(id).outcome).toEqual(newest);
});

describe("an exit whose exits made way for a close that does not come", () => {
  beforeEach(() => {
    lane.broker.held = [position(2)];
    showPair(lane.broker);
  });

  test.each<Intent>([FLATTEN, FLAT, ALL])(
    "closes again where that ended unfilled: %j",
    async (exit) => {
      const working = { orderId: orderId("c"), clOrdId: "i1-2" as never, side: "SELL" } as const;
      lane.broker.next.close.push(() => {
        lane.broker.show({ ...working, ordType: "MARKET", orderQty: 2, leavesQty: 2 });
        return { kind: "accepted", orderId: working.orderId };
      });
      const id = await work(exit);
      expect([stateOf(id), closes().length]).toEqual(["UNKNOWN", 1]);
      expect([await settlePending(), closes().length]).toEqual([true, 1]);

      lane.broker.change(working.orderId, { ordStatus: "CANCELED", leavesQty: 0 });
      expect(await settlePending()).toBe(false);
      expect([stateOf(id), closes().length, lane.broker.held]).toEqual(["DONE", 2, []]);
    },
  );

  test("is unknown while it may come to a position that is gone", async () => {
    lane.broker.next.close.push(() => {
      lane.broker.held = [];
      return UNKNOWN;
    });
    const id = await work(FLATTEN);
    expect([stateOf(id), await settlePending()]).toEqual(["UNKNOWN", true]);
    lane.broker.held = [position(-2)];
    const filled = { ordStatus: "FILLED", cumQty: 2, leavesQty: 0 } as const;
    lane.broker.show({ orderId: orderId("c"), clOrdId: "i1-2" as never, side: "SELL", ...filled });
    later(1_000);
    expect(await settlePending()).toBe(false);
    expect([stateOf(id), lane.broker.held]).toEqual(["DONE", []]);
  });
});
