import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { unnamedContract } from "../../../../src/domain/contracts/contract.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import type { Outcome } from "../../../../src/domain/intent.ts";
import type { PreparedOrder } from "../../../../src/domain/order-ticket.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { quoteHeardAt } from "../../../../src/domain/quote.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";
import { guardOrder } from "../../../../src/trading/lane/guard-order.ts";
import { readSnapshot } from "../../../../src/trading/lane/read-snapshot.ts";
import {
  ACCOUNT,
  ES,
  NQ,
  openLane,
  order,
  place,
  position,
  type Lane,
  STORED,
  UNGUARDED,
} from "../lane-kit.ts";
import type { LaneContext } from "../../../../src/trading/lane/ports.ts";

const UNKNOWN_ONE = { intent: place(), isEarlier: true };
const DEFAULTS = { maxOrderQty: 10, maxPositionQty: 20, maxOrdersPerMinute: 60 };
const TERMS = { maxOrdersPerMinute: DEFAULTS.maxOrdersPerMinute, guardVersion: "" };
const ACCOUNTS = { find: (): StoredAccount | undefined => undefined };
const BY = {
  accounts: ACCOUNTS,
  defaultLimits: DEFAULTS,
  guards: UNGUARDED,
  quoteOf: () => quoteHeardAt(0, { bid: ticks(4_000), ask: ticks(4_001) }),
  isStoreTight: () => lane.room.isTight,
  exits: { manages: () => false },
};

let lane: Lane;
let context: LaneContext;

beforeEach(async () => {
  lane = await openLane();
  const id = await lane.accept(place());
  const loaded = await lane.intents.loadForLane(ACCOUNT, id);
  if (loaded === undefined) throw new Error("There is no intent");
  context = loaded;
});

async function guard(change: Partial<LaneContext>, asked: Partial<PreparedOrder> = {}) {
  const standing = await readSnapshot(ACCOUNT, lane.broker);
  return guardOrder({ ...context, ...change }, order(asked), standing, BY);
}

/** How the order is stopped, in one line; "pass" when it is not. */
async function verdict(change: Partial<LaneContext>, asked: Partial<PreparedOrder> = {}) {
  const guarded = await guard(change, asked);
  if (guarded.kind !== "stop") return guarded.kind;
  const outcome: Outcome = guarded.outcome;
  return outcome.kind === "denied" ? outcome.code : outcome.kind;
}

const ON = { active: true, reason: "news" };

describe("an order that adds to the position", () => {
  const stopLoss = { by: "price", price: ticks(4_000) } as const;

  test("at the market is refused with an exit that the market has passed", async () => {
    expect(await guard({}, { bracket: { stopLoss } })).toMatchObject({
      kind: "stop",
      outcome: {
        code: "VALIDATION_FAILED",
        reason:
          "Its stop-loss is not below the market and would close the position at once; nothing was sent",
      },
    });
    const takeProfit = { by: "price", price: ticks(4_000) } as const;
    expect(await verdict({}, { bracket: { takeProfit } })).toBe("VALIDATION_FAILED");
    expect(await verdict({}, { side: "SELL", bracket: { takeProfit } })).toBe("pass");
  });

  test.each([2, 3])(
    "and sells %i closes the 2 that are held, whatever its exit is",
    async (orderQty) => {
      lane.broker.held = [position(2)];
      lane.money.quote = quoteHeardAt(lane.intents.clock, { ask: ticks(4_001) });
      await lane.run(place({ side: "SELL", orderQty, bracket: { stopLoss } }));
      expect(lane.broker.sent).toMatchObject([{ side: "SELL", orderQty: 2 }]);
    },
  );

  test("passes, and says so", async () => {
    expect(await guard({})).toEqual({ kind: "pass", adds: true, terms: TERMS });
  });

  test.each<[string, () => Partial<LaneContext>, string]>([
    ["too old by a moment", () => ({ now: context.record.entryExpiresAt }), "expired"],
    ["followed by a flatten", () => ({ exitFollows: true }), "overtaken"],
    [
      "followed by a flatten, and too old as well",
      () => ({ exitFollows: true, now: context.record.entryExpiresAt }),
      "overtaken",
    ],
    ["under the account's kill switch", () => ({ accountKillSwitch: ON }), "KILL_SWITCH_ON"],
    ["behind an unknown outcome", () => ({ unknown: [UNKNOWN_ONE] }), "park"],
    ["behind one that is held", () => ({ parkedBefore: true }), "park"],
    [
      "too old, and behind an unknown outcome",
      () => ({ now: context.record.entryExpiresAt, unknown: [UNKNOWN_ONE] }),
      "expired",
    ],
  ])("stops when it is %s", async (_, change, expected) => {
    expect(await verdict(change())).toBe(expected);
  });

  test("is refused while the store's memory is nearly full, and an exit passes", async () => {
    lane.room.isTight = true;
    expect(await guard({})).toMatchObject({
      outcome: { code: "STORE_FULL", reason: expect.stringContaining("only exits") },
    });
    lane.broker.held = [position(2)];
    await lane.run(place({ side: "SELL", orderQty: 2 }));
    expect(lane.broker.sent).toMatchObject([{ side: "SELL", orderQty: 2 }]);
  });

  test("passes in the last moment of its age", async () => {
    expect(await verdict({ now: context.record.entryExpiresAt - 1 })).toBe("pass");
  });

  test("the kill switch's reason is given", async () => {
    const guarded = await guard({ accountKillSwitch: ON });
    expect(guarded).toMatchObject({ outcome: { reason: expect.stringContaining("(news)") } });
  });

  test.each([
    [10, "pass"],
    [11, "LIMIT_EXCEEDED"],
  ])("of %i contracts: %s", async (orderQty, expected) => {
    expect(await verdict({}, { orderQty })).toBe(expected);
  });

  test.each([
    [13, 3, 4, "pass"],
    [13, 3, 5, "LIMIT_EXCEEDED"],
    [-24, 0, 10, "pass"],
    [0, 20, 1, "LIMIT_EXCEEDED"],
  ])("holding %i with %i resting, %i more: %s", async (held, resting, orderQty, expected) => {
    if (held !== 0) lane.broker.held = [position(held)];
    if (resting > 0) {
      lane.broker.show({
        orderId: orderId("1"),
        side: "BUY",
        orderQty: resting,
        leavesQty: resting,
      });
    }
    expect(await verdict({}, { orderQty })).toBe(expected);
  });

  test("that rests is judged with the stop that may fill before it", async () => {
    lane.broker.held = [position(-5)];
    const stop = { ordType: "STOP", role: "STOP_LOSS", side: "BUY", leavesQty: 5 } as const;
    lane.broker.show({ orderId: orderId("sl"), ...stop });
    const limits = { limits: { maxPositionQty: 5 } };
    const resting = { ordType: "LIMIT", price: ticks(3_900) } as const;
    expect(await verdict(limits, { ...resting, orderQty: 10 })).toBe("LIMIT_EXCEEDED");
    expect(await verdict(limits, { ...resting, orderQty: 5 })).toBe("pass");
    // The stop is cut to what an order leaves that ends at once.
    expect(await verdict(limits, { orderQty: 10 })).toBe("pass");
  });

  test("that follows a close which still fills is no exit any more", async () => {
    lane.broker.held = [position(7)];
    const closing = { ordType: "MARKET", side: "SELL", cumQty: 3, leavesQty: 7 } as const;
    lane.broker.show({ orderId: orderId("1"), orderQty: 10, ...closing });
    const asked = { side: "SELL", orderQty: 7 } as const;
    expect(await verdict({ accountKillSwitch: ON }, asked)).toBe("KILL_SWITCH_ON");
    expect(await guard({}, asked)).toMatchObject({ kind: "pass", adds: true });
  });

  test("that comes beside a stop which still fills is judged as if that filled last", async () => {
    lane.broker.held = [position(4)];
    const stop = { ordType: "STOP", role: "STOP_LOSS", side: "SELL", cumQty: 1 } as const;
    lane.broker.show({ orderId: orderId("sl"), orderQty: 5, leavesQty: 4, ...stop });
    const limits = { limits: { maxPositionQty: 6 } };
    expect(await verdict(limits, { orderQty: 5 })).toBe("LIMIT_EXCEEDED");
    expect(await verdict(limits, { orderQty: 2 })).toBe("pass");
  });

  test("that works already is as large as it is in all, and what is filled is not counted twice", async () => {
    lane.broker.held = [position(17)];
    const judge = async (orderQty: number, cumQty: number) => {
      const standing = await readSnapshot(ACCOUNT, lane.broker);
      return guardOrder(context, { ...order({ orderQty }), cumQty }, standing, BY).kind;
    };
    expect(await judge(10, 7)).toBe("pass");
    expect(await judge(10, 6)).toBe("stop");
    expect(await judge(11, 10)).toBe("stop");
  });

  test("what is held or rests in another contract does not count", async () => {
    lane.broker.held = [position(20, NQ)];
    lane.broker.show({ orderId: orderId("1"), side: "BUY", contract: NQ, leavesQty: 20 });
    expect(await verdict({}, { orderQty: 10, contract: ES })).toBe("pass");
  });

  test("the account's own limits go before the defaults, one by one", async () => {
    expect(await verdict({ limits: { maxOrderQty: 1 } }, { orderQty: 2 })).toBe("LIMIT_EXCEEDED");
    const guarded = await guard({ limits: { maxOrdersPerMinute: 3 } });
    expect(guarded).toMatchObject({ terms: { maxOrdersPerMinute: 3 } });
  });

  test("a limit of 0 lets nothing in", async () => {
    expect(await verdict({ limits: { maxPositionQty: 0 } })).toBe("LIMIT_EXCEEDED");
  });
});

describe("an order that reduces the position", () => {
  test("passes whatever holds for entries", async () => {
    lane.broker.held = [position(30)];
    const everything: Partial<LaneContext> = {
      now: context.record.entryExpiresAt + 1,
      exitFollows: true,
      accountKillSwitch: ON,
      unknown: [UNKNOWN_ONE],
      parkedBefore: true,
      limits: { maxOrderQty: 0, maxPositionQty: 0, maxOrdersPerMinute: 0 },
    };
    const guarded = await guard(everything, { side: "SELL", orderQty: 30 });
    expect(guarded).toMatchObject({ kind: "pass", adds: false });
  });

  test("is an entry again once it turns the position around", async () => {
    lane.broker.held = [position(1)];
    const asked = { side: "SELL", orderQty: 2 } as const;
    expect(await verdict({ accountKillSwitch: ON }, asked)).toBe("KILL_SWITCH_ON");
  });
});

test("a broker that cannot be read is an error, never an empty account", async () => {
  lane.broker.unreadable = new BrokerReadError("The session is gone");
  await expect(guard({})).rejects.toBeInstanceOf(BrokerReadError);
});

describe("the only side on which a webhook may enter", () => {
  const only = (entrySide: "BUY" | "SELL"): Partial<LaneContext> => ({
    record: { ...context.record, entrySide },
  });

  test.each<[held: number, "BUY" | "SELL", qty: number, "BUY" | "SELL", string]>([
    [0, "BUY", 1, "BUY", "pass"],
    [0, "SELL", 1, "BUY", "SIDE_NOT_ALLOWED"],
    [3, "SELL", 3, "BUY", "pass"],
    [3, "SELL", 4, "BUY", "SIDE_NOT_ALLOWED"],
    [-2, "SELL", 1, "BUY", "SIDE_NOT_ALLOWED"],
    [-2, "BUY", 3, "BUY", "pass"],
    [-2, "BUY", 2, "SELL", "pass"],
    [-2, "BUY", 3, "SELL", "SIDE_NOT_ALLOWED"],
  ])("holding %i, %s %i where only %s may enter: %s", async (held, side, orderQty, on, said) => {
    if (held !== 0) lane.broker.held = [position(held)];
    expect(await verdict(only(on), { side, orderQty })).toBe(said);
  });

  test("the reason says what would pass", async () => {
    lane.broker.held = [position(3)];
    expect(await guard(only("BUY"), { side: "SELL", orderQty: 5 })).toMatchObject({
      outcome: { reason: expect.stringContaining("a sell of up to 3 would close what is held") },
    });
  });

  test("an order that may be an exit once all is known waits until then", async () => {
    const waiting = { ...only("BUY"), unknown: [UNKNOWN_ONE] };
    expect(await verdict(waiting, { side: "SELL", orderQty: 1 })).toBe("park");
  });
});

test("of a symbol that may not be entered only what reduces passes", async () => {
  const exitsOnly = "it is allowed NQ only";
  const change = { record: { ...context.record, exitsOnly } };
  expect(await guard(change)).toEqual({
    kind: "stop",
    outcome: { kind: "denied", code: "SYMBOL_NOT_ALLOWED", reason: exitsOnly },
  });
  lane.broker.held = [position(-2)];
  expect(await verdict(change, { orderQty: 2 })).toBe("pass");
  expect(await verdict(change, { orderQty: 3 })).toBe("SYMBOL_NOT_ALLOWED");
});

test("of less than one contract only what reduces passes", async () => {
  const exitsOnlyCode = "VALIDATION_FAILED" as const;
  const exitsOnly = "1 × 0.5 is less than one contract";
  const change = { record: { ...context.record, exitsOnly, exitsOnlyCode } };
  expect(await verdict(change)).toBe("VALIDATION_FAILED");
  lane.broker.held = [position(-2)];
  expect(await verdict(change, { orderQty: 1 })).toBe("pass");
});

describe("beside what is not understood", () => {
  const spread = { orderId: orderId("odd"), problem: "It names no contract" };

  test.each<[string, () => void]>([
    ["an order without a contract", () => (lane.broker.opaque = [spread])],
    ["an order of its contract", () => (lane.broker.opaque = [{ ...spread, contract: ES }])],
    ["a position without a name", () => (lane.broker.held = [position(2, unnamedContract("77"))])],
    [
      "an order in a contract without a name",
      () => lane.broker.show({ orderId: orderId("77"), contract: unnamedContract("77") }),
    ],
  ])("an entry is refused for %s, and an exit passes", async (_, put) => {
    put();
    expect(await verdict({})).toBe("NOT_UNDERSTOOD");
    lane.broker.held = [...lane.broker.held, position(1)];
    expect(await verdict({}, { side: "SELL" })).toBe("pass");
  });

  test("what is certainly another contract's is no matter", async () => {
    lane.broker.opaque = [{ ...spread, contract: NQ }];
    expect(await verdict({})).toBe("pass");
  });
});

describe("a contract that the broker describes otherwise", () => {
  test("is not entered, and an exit does not even ask", async () => {
    lane.broker.doubts.set(ES, "a tick of 0.5 instead of 0.25");
    expect((await lane.run(place())).outcome).toMatchObject({
      kind: "denied",
      code: "CONTRACT_DISPUTED",
    });
    lane.broker.held = [position(1)];
    const exit = await lane.run(place({ side: "SELL" }));
    expect(exit.outcome).toMatchObject({ kind: "done" });
  });
});

describe("an account whose orders the broker may refuse to cancel", () => {
  const limits = (entriesWithoutCancel: boolean) => ({ limits: { entriesWithoutCancel } });

  beforeEach(() => {
    vi.spyOn(ACCOUNTS, "find").mockReturnValue({ ...STORED, cannotCancel: "Its broker says so" });
  });
  afterEach(() => vi.restoreAllMocks());

  test("is not entered until a person has confirmed it", async () => {
    expect(await verdict({})).toBe("CANNOT_CANCEL");
    expect(await verdict(limits(false))).toBe("CANNOT_CANCEL");
    expect(await verdict(limits(true))).toBe("pass");
  });

  test("sends every exit", async () => {
    lane.broker.held = [position(2)];
    expect(await verdict({}, { side: "SELL", orderQty: 2 })).toBe("pass");
    expect(await verdict({}, { side: "SELL", orderQty: 3 })).toBe("CANNOT_CANCEL");
  });
});

describe("a trailing stop", () => {
  const trailing = { ordType: "TRAILING_STOP", trailOffset: ticks(8) } as const;

  test("that names no start is not sent where the broker wants one", async () => {
    lane.setConnection({ trailsFromMarket: false });
    expect((await lane.run(place(trailing))).outcome).toMatchObject({
      kind: "denied",
      reason: expect.stringContaining("stopPrice"),
    });
    expect(lane.broker.sent).toEqual([]);
    const { outcome } = await lane.run(place({ ...trailing, stopPx: ticks(4_008) }));
    expect(outcome).toMatchObject({ kind: "done" });
  });

  test("that names no start goes where it begins at the market", async () => {
    expect((await lane.run(place(trailing))).outcome).toMatchObject({ kind: "done" });
  });
});

describe("what the broker cannot do", () => {
  const reason = "It takes no such order";
  const denied = { kind: "denied", code: "VALIDATION_FAILED", reason };
  const trailing = { ordType: "TRAILING_STOP", trailOffset: ticks(8) } as const;
  const atOnce = { timeInForce: "IOC" } as const;

  beforeEach(() => {
    lane.setConnection({
      lacks: { ordTypes: { TRAILING_STOP: reason }, timesInForce: { IOC: reason } },
    });
  });

  test.each([trailing, atOnce])(
    "is denied before anything is stored or sent: %j",
    async (lacked) => {
      expect((await lane.run(place(lacked))).outcome).toEqual(denied);
      expect((await lane.run(place(lacked), { test: true })).outcome).toEqual(denied);
      lane.broker.held = [position(1)];
      expect((await lane.run(place({ ...lacked, side: "SELL" }))).outcome).toEqual(denied);
      expect([lane.broker.commands, lane.intents.permits]).toEqual([[], []]);
    },
  );

  test("does not hold back what closes before it", async () => {
    const adjust = (netQty: number) =>
      ({
        kind: "ADJUST",
        contract: ES,
        aim: { to: "position", netQty },
        terms: { ordType: "MARKET", ...atOnce },
        cancelFirst: true,
      }) as const;
    lane.broker.show({ orderId: orderId("rests"), side: "BUY" });
    expect((await lane.run(adjust(1))).outcome).toEqual(denied);
    expect(lane.broker.commands).toEqual([]);

    lane.broker.held = [position(-2)];
    const { outcome } = await lane.run(adjust(1), { test: true });
    const withheld = { kind: "withhold", reason: expect.stringContaining(reason) as string };
    expect(outcome).toMatchObject({
      result: { steps: [{ kind: "cancel" }, { kind: "close", netQty: -2 }, withheld] },
    });
  });
});
