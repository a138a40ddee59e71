// The goal: an exit goes to the month that is held when its symbol named none, decided on the lane.
// The method: one lane with everything around it in memory, and a broker that holds another month.
import { beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { missingExits } from "../../../../src/domain/asked-exits.ts";
import { OPENS_NOTHING } from "../../../../src/domain/fit-bracket.ts";
import { clOrdId, execId, intentId, legIdOf, orderId } from "../../../../src/domain/ids.ts";
import { clOrdIdOf, type Intent } from "../../../../src/domain/intent.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import type { PreparedOrder } from "../../../../src/domain/order-ticket.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  openLane,
  order,
  position,
  REJECTED,
  showPair,
  UNKNOWN,
} from "../lane-kit.ts";

const HELD = "ESU2026" as ContractCode;

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2, HELD)];
});

const named = (change: Partial<PreparedOrder> = {}): Intent => ({
  kind: "PLACE",
  order: order({ side: "SELL", orderQty: 2, ...change }),
});
const front = (change: Partial<PreparedOrder> = {}) =>
  ({ ...named(change), isFrontMonth: true }) as Intent;
const sentTo = () => lane.broker.sent.map(({ contract }) => contract);

test.each<[string, Partial<PreparedOrder>]>([
  ["a market order", {}],
  ["a limit", { ordType: "LIMIT", price: ticks(4_010) }],
  ["a stop", { ordType: "STOP", stopPx: ticks(3_990) }],
  ["a part of it", { orderQty: 1 }],
])("%s goes to what is held, as an exit, and is answered with it", async (_, change) => {
  lane.intents.accountKillSwitch = { active: true };
  const record = await lane.run(front(change));
  expect(record).toMatchObject({ state: "DONE", outcome: { result: { contract: HELD } } });
  expect(sentTo()).toEqual([HELD]);
  expect(lane.intents.permits[0]?.entry).toBeUndefined();
});

test("what is held is decided when it is sent, not when it was accepted", async () => {
  const id = await lane.accept(front());
  lane.broker.held = [position(2)];
  await lane.work(id);
  expect(sentTo()).toEqual([ES]);
});

test("a contract that was named, or accepted before that was kept, is used as given", async () => {
  await lane.run(named());
  expect(sentTo()).toEqual([ES]);
});

test("the account is read once for it", async () => {
  let reads = 0;
  let readsBefore: number | undefined;
  const positions = lane.broker.positions.bind(lane.broker);
  lane.broker.positions = async () => {
    reads += 1;
    return await positions();
  };
  lane.broker.next.submit.push(() => {
    readsBefore = reads;
    return undefined;
  });
  await lane.run(front());
  expect(readsBefore).toBe(1);
});

describe("an order at the market for more than is held", () => {
  const bracket = { stopLoss: { by: "distance", distance: ticks(8) } } as const;
  const sent = () =>
    lane.broker.sent.map(({ contract, side, orderQty }) => `${side} ${orderQty} ${contract}`);
  /** The next order leaves the account with these positions. */
  const leaves = (...held: Lane["broker"]["held"]) =>
    lane.broker.next.submit.push(() => {
      lane.broker.held = held;
      return undefined;
    });
  const resultOf = ({ outcome }: Awaited<ReturnType<Lane["run"]>>) => {
    if (outcome?.kind !== "done" || outcome.result.kind !== "PLACE") throw new Error("not placed");
    return outcome.result;
  };

  test("closes what is held, and then opens the front month with the rest", async () => {
    leaves();
    const result = resultOf(await lane.run(front({ orderQty: 3, bracket })));
    expect(sent()).toEqual([`SELL 2 ${HELD}`, `SELL 1 ${ES}`]);
    expect(lane.broker.sent.map((one) => one.bracket)).toEqual([undefined, bracket]);
    expect(lane.intents.permits.map(({ entry }) => entry === undefined)).toEqual([true, false]);
    expect(result).toMatchObject({
      contract: ES,
      order: { orderId: "102", ordStatus: "FILLED", cumQty: 1 },
      closed: [{ contract: HELD, netQty: 2, orderId: "101" }],
    });
    expect(result).not.toHaveProperty("problems");
  });

  test.each([
    ["the kill switch is on", () => (lane.intents.accountKillSwitch = { active: true })],
    ["it is over a limit", () => (lane.intents.limits = { maxPositionQty: 0 })],
    ["it is too old", () => (lane.intents.clock += 31_000)],
  ])("closes what is held where %s, and says why no more was sent", async (_, arrange) => {
    const id = await lane.accept(front({ orderQty: 3 }), { source: { kind: "webhook" } });
    arrange();
    leaves();
    await lane.work(id);
    expect(sent()).toEqual([`SELL 2 ${HELD}`]);
    expect(resultOf(lane.record(id))).toMatchObject({
      contract: HELD,
      order: { orderId: "101", ordStatus: "FILLED", cumQty: 2 },
      closed: [{ contract: HELD, netQty: 2 }],
      problems: [expect.stringContaining("The order was not placed")],
    });
  });

  test("opens nothing beside what is still held", async () => {
    leaves(position(1, HELD));
    const { problems } = resultOf(await lane.run(front({ orderQty: 3 })));
    expect(sent()).toEqual([`SELL 2 ${HELD}`]);
    expect(problems).toEqual([expect.stringContaining("still held")]);
  });

  test("is refused as a whole where the broker refuses the close", async () => {
    lane.broker.next.submit.push(REJECTED);
    const { outcome } = await lane.run(front({ orderQty: 3 }));
    expect(outcome).toEqual(REJECTED);
    expect(sent()).toEqual([`SELL 2 ${HELD}`]);
  });

  test("goes on with the close where its answer was lost, and opens nothing after that", async () => {
    lane.broker.next.submit.push(UNKNOWN);
    const record = await lane.run(front({ orderQty: 3 }));
    expect(record.state).toBe("UNKNOWN");
    lane.intents.clock += 1_000;
    await lane.settlePending(ACCOUNT);
    expect(sent()).toEqual([`SELL 2 ${HELD}`]);
    lane.intents.clock += 6_000;
    await lane.settlePending(ACCOUNT);
    expect(lane.broker.commands.slice(1)).toEqual([["close", HELD, `${record.intentId}-2`]]);
    expect(resultOf(lane.record(record.intentId))).toMatchObject({
      contract: HELD,
      closed: [{ contract: HELD, netQty: 2 }],
      problems: [expect.stringContaining("interrupted")],
    });
  });

  test("that was interrupted after its entry is answered with both", async () => {
    leaves();
    lane.broker.next.submit.push(UNKNOWN);
    const { intentId } = await lane.run(front({ orderQty: 3 }));
    lane.broker.show({
      orderId: orderId("7"),
      clOrdId: clOrdId(`${intentId}-100`),
      contract: ES,
      ordStatus: "FILLED",
      cumQty: 1,
      leavesQty: 0,
    });
    lane.broker.held = [position(-1)];
    await lane.settlePending(ACCOUNT);
    lane.intents.clock += 6_000;
    await lane.settlePending(ACCOUNT);
    expect(resultOf(lane.record(intentId))).toMatchObject({
      contract: ES,
      order: { orderId: "7" },
      closed: [{ contract: HELD, netQty: 2 }],
    });
  });

  test("says beforehand what it would do", async () => {
    const { outcome } = await lane.run(front({ orderQty: 3 }), { test: true });
    expect(outcome).toMatchObject({
      result: {
        steps: [
          { kind: "order", order: { contract: HELD, orderQty: 2 }, adds: false },
          { kind: "order", order: { contract: ES, orderQty: 1 }, adds: true },
        ],
      },
    });
    expect(lane.broker.sent).toEqual([]);
  });
});

describe("an order that turns around what is held in its own month", () => {
  const bracket = { stopLoss: { by: "distance", distance: ticks(8) } } as const;
  beforeEach(() => {
    lane.broker.held = [position(2)];
  });

  test("is one order", async () => {
    await lane.run(named({ orderQty: 5 }));
    expect(lane.broker.sent).toMatchObject([{ side: "SELL", orderQty: 5 }]);
  });

  test.each<[string, () => unknown, string]>([
    [
      "the account's kill switch is on",
      () => (lane.intents.accountKillSwitch = { active: true }),
      "The kill switch is on",
    ],
    [
      "the user's kill switch is on",
      () => (lane.intents.userKillSwitch = { active: true }),
      "The kill switch is on",
    ],
    [
      "it is too large an order",
      () => (lane.intents.limits = { maxOrderQty: 1 }),
      "limit of 1 per order",
    ],
    [
      "it leads to too large a position",
      () => (lane.intents.limits = { maxPositionQty: 2 }),
      "limit of 2 contracts",
    ],
    ["the minute is used up", () => (lane.intents.left.account = 0), "orders within a minute"],
    ["it is too old", () => (lane.intents.clock += 31_000), "longer than an entry may"],
  ])("goes as far as it closes where %s, and says why no further", async (_, arrange, why) => {
    const source = { kind: "webhook" } as const;
    const id = await lane.accept(named({ orderQty: 5, bracket }), { source });
    arrange();
    await lane.work(id);
    expect(lane.broker.sent).toMatchObject([{ contract: ES, side: "SELL", orderQty: 2 }]);
    expect(lane.broker.sent[0]).not.toHaveProperty("bracket");
    expect(lane.record(id)).toMatchObject({
      state: "DONE",
      outcome: { result: { order: { cumQty: 2 }, problems: [expect.stringContaining(why)] } },
    });
  });

  test("goes as far where it rests, beside what rests already", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.show({
      orderId: orderId("exit"),
      ordType: "LIMIT",
      side: "SELL",
      orderQty: 1,
      leavesQty: 1,
    });
    await lane.run(named({ orderQty: 5, ordType: "LIMIT", price: ticks(4_010) }));
    expect(lane.broker.sent).toMatchObject([{ ordType: "LIMIT", orderQty: 1 }]);
  });

  test("says beforehand how far it would go", async () => {
    lane.intents.accountKillSwitch = { active: true };
    const { outcome } = await lane.run(named({ orderQty: 5 }), { test: true });
    expect(outcome).toMatchObject({
      result: {
        steps: [
          { kind: "order", order: { orderQty: 2 }, adds: false },
          { kind: "withhold", reason: expect.stringContaining("Only 2 of 5") },
        ],
      },
    });
  });

  test("closes nothing of what a newer target is for", async () => {
    const id = await lane.accept(named({ orderQty: 5 }));
    const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
    const aim = { to: "position", netQty: 2 } as const;
    await lane.accept({ kind: "ADJUST", contract: ES, aim, terms });
    await lane.work(id);
    expect(lane.record(id).state).toBe("OVERTAKEN");
    expect(lane.broker.sent).toEqual([]);
  });

  test("is told as it was sent where its answer was lost", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.next.submit.push(UNKNOWN);
    const record = await lane.run(named({ orderQty: 5 }));
    lane.broker.show({
      orderId: orderId("7"),
      clOrdId: clOrdId(`${record.intentId}-1`),
      ordStatus: "FILLED",
      cumQty: 2,
      leavesQty: 0,
    });
    const settled = await lane.settler.settle(record, lane.broker);
    expect(settled).toMatchObject({
      state: "DONE",
      outcome: { result: { problems: [expect.stringContaining("Only 2 of 5")] } },
    });
  });
});

test.each<[string, Partial<PreparedOrder>]>([
  ["rests", { ordType: "LIMIT", price: ticks(4_010) }],
  ["is a stop", { ordType: "STOP", stopPx: ticks(3_990) }],
  ["may end unfilled", { ordType: "LIMIT", timeInForce: "IOC", price: ticks(4_010) }],
])("of one that %s only what closes is sent, and it is said", async (_, change) => {
  lane.intents.accountKillSwitch = { active: true };
  const { outcome } = await lane.run(front({ ...change, orderQty: 3 }));
  expect(lane.broker.sent).toMatchObject([{ contract: HELD, orderQty: 2 }]);
  expect(outcome).toMatchObject({
    result: { contract: HELD, problems: [expect.stringContaining("Only 2 of 3 were sent")] },
  });
});

test("a bracket on what only closes another month is not placed, and it is said", async () => {
  const bracket = { stopLoss: { by: "distance", distance: ticks(8) } } as const;
  const { outcome } = await lane.run(front({ bracket }));
  expect(sentTo()).toEqual([HELD]);
  expect(lane.broker.sent[0]).not.toHaveProperty("bracket");
  expect(outcome).toMatchObject({
    result: { problems: [expect.stringContaining("opens nothing")] },
  });
});

test("it waits while an earlier outcome is unknown: by then something else may be held", async () => {
  lane.broker.next.submit.push(UNKNOWN);
  await lane.run(front());
  const id = await lane.accept(front({ orderQty: 3 }));
  await lane.work(id);
  expect(lane.record(id).state).toBe("PREPARED");
});

test.each<[string, Partial<PreparedOrder>, object | undefined]>([
  ["went without its bracket", {}, undefined],
  ["opens something", { side: "BUY" }, { legsUnconfirmed: true }],
])(
  "of an order that %s and lost its answer, its exits are missing as they were sent",
  async (_, change, missing) => {
    lane.broker.next.submit.push(UNKNOWN);
    const bracket = { stopLoss: { by: "distance", distance: ticks(8) } } as const;
    const ofHeld = { contract: HELD, orderQty: 1, bracket };
    const { intentId: id } = await lane.run(named({ ...ofHeld, ...change }));
    const filled = { ordStatus: "FILLED", cumQty: 1, leavesQty: 0 } as const;
    lane.broker.show({
      orderId: orderId("7"),
      clOrdId: clOrdId(`${id}-1`),
      contract: HELD,
      ...filled,
    });
    await lane.settlePending(ACCOUNT);
    const record = lane.record(id);
    expect(record.outcome).toMatchObject({
      kind: "done",
      result: missing === undefined ? { problems: [OPENS_NOTHING] } : { order: missing },
    });
    expect(missingExits(record)).toHaveLength(missing === undefined ? 0 : 1);
  },
);

test("an order whose answer was lost is adopted with the contract that the broker shows", async () => {
  lane.broker.next.submit.push(UNKNOWN);
  const record = await lane.run(front());
  lane.broker.show({
    orderId: orderId("7"),
    clOrdId: clOrdId(`${record.intentId}-1`),
    contract: HELD,
    ordStatus: "FILLED",
    cumQty: 2,
    leavesQty: 0,
  });
  const settled = await lane.settler.settle(record, lane.broker);
  expect(settled).toMatchObject({ state: "DONE", outcome: { result: { contract: HELD } } });
});

test("one that only its fills are left of is, too", async () => {
  lane.broker.next.submit.push(UNKNOWN);
  const record = await lane.run(front());
  lane.broker.executions.push({
    orderId: orderId("7"),
    clOrdId: clOrdId(`${record.intentId}-1`),
    execId: execId("e1"),
    contract: HELD,
    side: "SELL",
    lastQty: 2,
    lastPx: ticks(4_000),
    transactTimeAt: lane.intents.clock,
  });
  const settled = await lane.settler.settle(record, lane.broker);
  expect(settled).toMatchObject({ state: "DONE", outcome: { result: { contract: HELD } } });
});

describe("the legs of what an exit leaves", () => {
  beforeEach(async () => {
    lane.broker.held = [position(3)];
    showPair(lane.broker, 3);
    // They are known from the start of a session on.
    lane.legs.suspect(ACCOUNT);
  });
  /** A market order that fills at once, and what the broker shows of the position right after it. */
  async function exit(orderQty: number, shown: number) {
    lane.broker.next.submit.push(() => {
      lane.broker.held = [position(shown)];
      return undefined;
    });
    await lane.run(named({ orderQty }));
    return lane.broker.commands.slice(1);
  }

  test("are cut to it before the sender is answered", async () => {
    expect(await exit(2, 1)).toEqual([
      ["modify", "tp", { orderQty: 1 }],
      ["modify", "sl", { orderQty: 1 }],
    ]);
  });

  test.each([
    ["a plain order", named({ orderQty: 2 })],
    [
      "a part",
      {
        kind: "ADJUST",
        contract: ES,
        aim: { to: "close", qty: 2 },
        terms: { ordType: "MARKET", timeInForce: "DAY" },
      } as const,
    ],
  ])(
    "may fill beside it, and %s that turned the position around so is told of",
    async (_, intent) => {
      lane.broker.next.submit.push(() => {
        lane.broker.held = [position(-2)];
        return undefined;
      });
      const { outcome } = await lane.run(intent);
      expect(outcome).toMatchObject({
        kind: "done",
        result: { problems: [expect.stringContaining("holds 2 ESZ6 short now")] },
      });
      expect(lane.kept).toEqual([`${ES} -2 turned`]);
    },
  );

  test("stay as they are where the broker still shows what was held before", async () => {
    expect(await exit(2, 3)).toEqual([]);
  });
});

describe("the old legs of what is turned around", () => {
  test("are ended before the sender is answered", async () => {
    lane.broker.held = [position(2)];
    showPair(lane.broker, 2);
    lane.legs.suspect(ACCOUNT);
    lane.broker.next.submit.push(() => {
      lane.broker.held = [position(-2)];
      return undefined;
    });
    await lane.run(named({ orderQty: 4 }));
    expect(lane.broker.commands.slice(1)).toEqual([
      ["cancel", "tp"],
      ["cancel", "sl"],
    ]);
  });
});

describe("the legs of an order that turns the position around in parts", () => {
  const bracket = { stopLoss: { by: "distance", distance: ticks(8) } } as const;
  const entryId = orderId("entry");
  const isThere = () => lane.broker.orders.get("leg")?.ordStatus;
  /** As this gateway names its legs. */
  const OWN = clOrdIdOf(intentId(`i${"1".repeat(28)}`), 1);

  /** A sell of 4 at long 2, of which 2 are filled, and a leg of it for those. */
  beforeEach(async () => {
    lane.broker.held = [position(2)];
    lane.legs.suspect(ACCOUNT);
    lane.broker.next.submit.push(() => {
      lane.broker.held = [];
      const entry = {
        ordType: "MARKET",
        side: "SELL",
        orderQty: 4,
        cumQty: 2,
        leavesQty: 2,
      } as const;
      const id = clOrdId("i1-1");
      const report = lane.broker.show({ ...entry, orderId: entryId, clOrdId: id });
      const leg = { role: "STOP_LOSS", ordType: "STOP", side: "BUY", leavesQty: 2 } as const;
      const parentOrderId = entryId;
      const stop = { ...leg, orderId: orderId("leg"), clOrdId: legIdOf(OWN, "STOP_LOSS") };
      lane.legs.onReport(ACCOUNT, {
        execType: "NEW",
        order: lane.broker.show({ ...stop, parentOrderId }),
      });
      lane.watch.onReport(ACCOUNT, { execType: "TRADE", order: report });
      return { kind: "accepted", orderId: entryId, stopLossOrderId: orderId("leg") };
    });
    await lane.run(named({ orderQty: 4, bracket }));
  });

  /** The keeper looks at it as often as it needs to be sure. */
  async function look() {
    for (let n = 0; n < 3; n += 1) {
      lane.intents.clock += 1_000;
      await lane.settlePending(ACCOUNT);
    }
  }

  test("stay while it is flat for a moment: what is filled next has its exits", async () => {
    await look();
    expect(isThere()).toBe("NEW");
    lane.broker.held = [position(-2)];
    lane.broker.change(entryId, { ordStatus: "FILLED", cumQty: 4, leavesQty: 0 });
    await look();
    expect(lane.broker.commands.map(([name]) => name)).toEqual(["submit"]);
  });

  test("end when the broker ends the rest of it", async () => {
    lane.broker.change(entryId, { ordStatus: "CANCELED", leavesQty: 0 });
    await look();
    expect(isThere()).toBe("CANCELED");
  });
});

describe("a bracket on an order against the position", () => {
  const bracket = { stopLoss: { by: "distance", distance: ticks(8) } } as const;
  const sent = () => lane.broker.sent[0];
  beforeEach(() => void (lane.broker.held = [position(2)]));

  test.each([1, 2])(
    "of %i, which only takes something off, is not placed, and it is said",
    async (orderQty) => {
      lane.intents.accountKillSwitch = { active: true };
      const { outcome } = await lane.run(named({ orderQty, bracket }));
      expect(sent()).toMatchObject({ side: "SELL", orderQty });
      expect(sent()).not.toHaveProperty("bracket");
      expect(outcome).toMatchObject({
        kind: "done",
        result: { problems: [expect.stringContaining("opens nothing")] },
      });
      expect(outcome).not.toHaveProperty("result.order.legsUnconfirmed");
    },
  );

  test("that turns it around at once goes along", async () => {
    const { outcome } = await lane.run(named({ orderQty: 4, bracket }));
    expect(sent()).toMatchObject({ orderQty: 4, bracket });
    expect(outcome).not.toHaveProperty("result.problems");
  });

  test("that turns it around bit by bit is refused", async () => {
    const limit = { ordType: "LIMIT", price: ticks(4_010) } as const;
    const { outcome } = await lane.run(named({ orderQty: 4, bracket, ...limit }));
    expect(outcome).toMatchObject({ kind: "denied", code: "POSITION_HELD" });
    expect(lane.broker.sent).toEqual([]);
  });

  test("counts what is still being filled", async () => {
    lane.broker.show({ orderId: orderId("sell"), side: "SELL", ordType: "MARKET", leavesQty: 2 });
    await lane.run(named({ orderQty: 2, bracket }));
    expect(sent()).toMatchObject({ bracket });
  });

  /** It may end unfilled. */
  const filling = (change: Partial<OrderReport> = {}) =>
    lane.broker.show({ orderId: orderId("other"), orderQty: 2, leavesQty: 2, ...change });

  test.each<[string, Partial<OrderReport>]>([
    ["of ours", { timeInForce: "IOC" }],
    ["that was placed by hand", { ordType: "MARKET", clOrdId: clOrdId("manual-1") }],
  ])("goes along where only an order %s would make it an exit", async (_, change) => {
    lane.broker.held = [];
    filling({ side: "BUY", ...change });
    await lane.run(named({ orderQty: 2, bracket }));
    await lane.run({
      kind: "ADJUST",
      contract: ES,
      aim: { to: "order", side: "SELL", qty: 2 },
      terms: { ordType: "MARKET", timeInForce: "DAY", bracket },
    });
    expect(lane.broker.sent).toMatchObject([{ bracket }, { bracket }]);
  });

  test("is refused on an order that would rest beside one", async () => {
    lane.broker.held = [];
    filling({ side: "BUY", ordType: "MARKET" });
    const limit = { ordType: "LIMIT", price: ticks(4_010) } as const;
    const { outcome } = await lane.run(named({ orderQty: 2, bracket, ...limit }));
    expect(outcome).toMatchObject({ kind: "denied", code: "POSITION_HELD" });
  });

  test("of an adjustment is treated alike", async () => {
    const aim = { to: "order", side: "SELL", qty: 1 } as const;
    const terms = { ordType: "MARKET", timeInForce: "DAY", bracket } as const;
    const { outcome } = await lane.run({ kind: "ADJUST", contract: ES, aim, terms });
    expect(sent()).not.toHaveProperty("bracket");
    expect(outcome).toMatchObject({
      result: { problems: [expect.stringContaining("opens nothing")] },
    });
  });
});
