import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, execId, intentId, orderId } from "../../../../../src/domain/ids.ts";
import { clOrdIdOf, type Intent } from "../../../../../src/domain/intent.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { quoteHeardAt } from "../../../../../src/domain/quote.ts";
import { endsAtOnce, type OrderReport } from "../../../../../src/domain/order.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  NOT_SENT,
  openLane,
  place,
  position,
  REJECTED,
  UNKNOWN,
} from "../../lane-kit.ts";
import { runIn } from "../going-on-kit.ts";

const ENTRY = orderId("7");
const OWN = clOrdId(`i${"a".repeat(28)}-1`);
const BRACKET = { stopLoss: { by: "distance", distance: ticks(40) } } as const;

const timeout = (then: "cancel" | "market", change: object = {}): Intent => ({
  kind: "TIMEOUT",
  clOrdId: OWN,
  then,
  contract: ES,
  side: "BUY",
  ...change,
});

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

function rest(change: Partial<OrderReport> = {}): void {
  lane.broker.show({
    orderId: ENTRY,
    clOrdId: OWN,
    side: "BUY",
    orderQty: 3,
    leavesQty: 3,
    price: ticks(4_000),
    ...change,
  });
}

/** The other one of two look-ups that prove that nothing is there. */
async function settleTwice(): Promise<void> {
  await lane.settlePending(ACCOUNT);
  lane.intents.clock += 5_000;
  await lane.settlePending(ACCOUNT);
}

const submitted = () => lane.broker.sent.map(({ orderQty, ordType }) => `${ordType} ${orderQty}`);

describe("an entry whose time is over", () => {
  test("is cancelled, and nothing else is sent", async () => {
    rest();
    const record = await lane.run(timeout("cancel"));
    expect(record.outcome).toMatchObject({
      kind: "done",
      result: { entry: { orderId: ENTRY, cumQty: 0 }, canceledOrderIds: [ENTRY], problems: [] },
    });
    expect(lane.broker.commands).toEqual([["cancel", ENTRY]]);
  });

  test("is cancelled while the kill switch is on, and not sent at the market", async () => {
    rest();
    lane.intents.accountKillSwitch = { active: true };
    const record = await lane.run(timeout("market"));
    expect(record.outcome).toMatchObject({
      kind: "done",
      result: {
        canceledOrderIds: [ENTRY],
        problems: [expect.stringContaining("3 that were left of it were not sent at the market")],
      },
    });
    expect(submitted()).toEqual([]);
  });

  test("goes at the market with its bracket, as far as it is not filled", async () => {
    rest({ cumQty: 1, leavesQty: 2, ordStatus: "PARTIALLY_FILLED" });
    lane.broker.held = [position(1)];
    const record = await lane.run(timeout("market", { bracket: BRACKET }));
    expect(lane.broker.sent).toMatchObject([
      { orderQty: 2, ordType: "MARKET", side: "BUY", contract: ES, bracket: BRACKET },
    ]);
    expect(record.clOrdIds).toEqual([1, 2].map((nth) => clOrdIdOf(record.intentId, nth)));
    expect(record.outcome).toMatchObject({
      result: { entry: { cumQty: 1 }, order: { orderQty: 2, cumQty: 2, side: "BUY" } },
    });
  });

  test("counts what only its fills show", async () => {
    rest({ cumQty: 1, leavesQty: 2 });
    lane.broker.executions.push(
      ...[1, 1].map((lastQty, nth) => ({
        execId: `e${nth}` as never,
        orderId: ENTRY,
        contract: ES,
        side: "BUY" as const,
        lastQty,
        lastPx: ticks(4_000),
        transactTimeAt: lane.intents.clock,
      })),
    );
    await lane.run(timeout("market"));
    expect(submitted()).toEqual(["MARKET 1"]);
  });

  test.each(["FILLED", "CANCELED", "EXPIRED", "REJECTED"] as const)(
    "that is %s by then is left alone",
    async (ordStatus) => {
      rest({ ordStatus, leavesQty: 0 });
      const record = await lane.run(timeout("market"));
      expect(record.outcome).toMatchObject({
        kind: "done",
        result: { canceledOrderIds: [], problems: [] },
      });
      expect(lane.broker.commands).toEqual([]);
    },
  );

  test("that fills in the moment of its cancel is filled, and nothing is left of it", async () => {
    rest();
    lane.broker.next.cancel.push(() => {
      lane.broker.change(ENTRY, { ordStatus: "FILLED", cumQty: 3, leavesQty: 0 });
      return { kind: "rejected", reason: "Too late" };
    });
    const record = await lane.run(timeout("market"));
    expect(record.outcome).toMatchObject({ kind: "done", result: { canceledOrderIds: [] } });
    expect(submitted()).toEqual([]);
  });

  test("that another has cancelled in the moment of its cancel stays so", async () => {
    rest();
    lane.broker.next.cancel.push(() => {
      lane.broker.change(ENTRY, { ordStatus: "CANCELED", leavesQty: 0 });
      return { kind: "rejected", reason: "Too late" };
    });
    const record = await lane.run(timeout("market"));
    expect(record.outcome).toMatchObject({ kind: "done", result: { canceledOrderIds: [] } });
    expect(submitted()).toEqual([]);
  });

  test("goes only as a cancel where it is too late for the market", async () => {
    rest();
    const record = await lane.run(timeout("market"), { entryMaxAgeMs: 0 });
    expect(record.outcome).toMatchObject({
      result: { canceledOrderIds: [ENTRY], problems: [expect.stringContaining("time was over")] },
    });
    expect(submitted()).toEqual([]);
  });

  test("that the broker does not show is asked for again later", async () => {
    const record = await lane.run(timeout("market"));
    expect(record.outcome).toMatchObject({ kind: "notSent" });
  });

  test.each([
    [REJECTED, "REJECTED"],
    [NOT_SENT, "NOTSENT"],
  ] as const)(
    "whose cancel is answered with %j still works, and is not sent",
    async (answer, to) => {
      rest();
      lane.broker.next.cancel.push(answer);
      expect((await lane.run(timeout("market"))).state).toBe(to);
      expect(submitted()).toEqual([]);
    },
  );

  test("that is not understood is cancelled by its number, and nothing is guessed", async () => {
    lane.broker.opaque = [{ orderId: ENTRY, clOrdId: OWN, problem: "No side" }];
    lane.broker.next.cancel.push(() => {
      lane.broker.opaque = [];
      lane.broker.show({ orderId: ENTRY, clOrdId: clOrdId("another") });
      return { kind: "accepted" };
    });
    const record = await lane.run(timeout("market"));
    expect(record.outcome).toMatchObject({
      result: { canceledOrderIds: [ENTRY], problems: [expect.stringContaining("not say enough")] },
    });
    expect(submitted()).toEqual([]);
  });
});

describe("one that was sized by its risk", () => {
  const risk = (money: string) => ({ handling: { size: { by: "risk", money } } }) as const;
  const at = (price: number) => ({ bracket: { stopLoss: { by: "price", price: ticks(price) } } });

  test("goes at the market with no more than may be lost from there", async () => {
    rest();
    // From its limit of 4,000 three lose 10 ticks each, 375; from the market one loses 30, 375.
    lane.money.quote = quoteHeardAt(0, { bid: ticks(4_019), ask: ticks(4_020) });
    const record = await lane.run(timeout("market", { ...at(3_990), ...risk("400") }));
    expect(submitted()).toEqual(["MARKET 1"]);
    expect(record.outcome).toMatchObject({
      result: {
        order: { orderQty: 1 },
        problems: [expect.stringContaining("Of the 3 that were left only 1 go at the market")],
      },
    });
  });

  test("counts what has filled of it", async () => {
    rest({ cumQty: 1, leavesQty: 2, ordStatus: "PARTIALLY_FILLED" });
    lane.broker.held = [position(1)];
    lane.money.quote = quoteHeardAt(0, { bid: ticks(4_019), ask: ticks(4_020) });
    const record = await lane.run(timeout("market", { ...at(3_990), ...risk("400") }));
    expect(submitted()).toEqual([]);
    expect(record.outcome).toMatchObject({
      result: {
        canceledOrderIds: [ENTRY],
        problems: [expect.stringContaining("The 2 that were left of it were not sent")],
      },
    });
  });

  test("is not sent without a fresh price, or with its stop in the market", async () => {
    rest();
    await lane.run(timeout("market", { ...at(3_990), ...risk("400") }));
    lane.broker.orders.clear();
    rest();
    lane.money.quote = quoteHeardAt(0, { bid: ticks(3_979), ask: ticks(3_980) });
    const record = await lane.run(timeout("market", { ...at(3_990), ...risk("400") }));
    expect(record.outcome).toMatchObject({ result: { canceledOrderIds: [ENTRY] } });
    expect(submitted()).toEqual([]);
  });

  test("goes as a whole where its stop is as far away as it was", async () => {
    rest();
    await lane.run(timeout("market", { bracket: BRACKET, ...risk("1500") }));
    expect(submitted()).toEqual(["MARKET 3"]);
  });
});

describe("an interrupted one", () => {
  test("goes on after its cancel: what is left goes at the market once", async () => {
    rest();
    lane.broker.next.cancel.push(UNKNOWN);
    const { intentId: id } = await lane.run(timeout("market"));
    expect(lane.record(id).state).toBe("UNKNOWN");
    lane.broker.change(ENTRY, { ordStatus: "CANCELED", leavesQty: 0 });
    await lane.settlePending(ACCOUNT);
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).state).toBe("DONE");
    expect(submitted()).toEqual(["MARKET 3"]);
  });

  test("cancels again what still works", async () => {
    rest();
    lane.broker.next.cancel.push(UNKNOWN);
    const { intentId: id } = await lane.run(timeout("cancel"));
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).state).toBe("DONE");
    expect(lane.broker.commands).toEqual([
      ["cancel", ENTRY],
      ["cancel", ENTRY],
    ]);
  });

  test("too late sends nothing at the market", async () => {
    rest();
    lane.broker.next.cancel.push(UNKNOWN);
    const { intentId: id } = await lane.run(timeout("market"));
    lane.broker.change(ENTRY, { ordStatus: "CANCELED", leavesQty: 0 });
    lane.intents.clock += 30_000;
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).outcome).toMatchObject({ result: { canceledOrderIds: [ENTRY] } });
    expect(submitted()).toEqual([]);
  });

  test("whose order at the market is unknown never sends another one", async () => {
    rest();
    lane.broker.next.submit.push(UNKNOWN);
    const { intentId: id } = await lane.run(timeout("market"));
    await settleTwice();
    expect(lane.record(id).outcome).toMatchObject({
      kind: "done",
      result: {
        canceledOrderIds: [ENTRY],
        problems: [expect.stringContaining("never had the order")],
      },
    });
    expect(submitted()).toEqual(["MARKET 3"]);
  });

  test("whose order at the market is found has sent it", async () => {
    rest();
    lane.broker.next.submit.push(UNKNOWN);
    const { intentId: id } = await lane.run(timeout("market"));
    lane.broker.show({
      orderId: orderId("9"),
      clOrdId: clOrdIdOf(id, 2),
      side: "BUY",
      ordStatus: "FILLED",
      orderQty: 3,
      cumQty: 3,
      leavesQty: 0,
    });
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).outcome).toMatchObject({
      kind: "done",
      result: { order: { orderId: "9", orderQty: 3, cumQty: 3 }, problems: [] },
    });
    expect(submitted()).toEqual(["MARKET 3"]);
  });

  test("ends where the broker shows the entry no more", async () => {
    rest();
    lane.broker.next.cancel.push(UNKNOWN);
    const { intentId: id } = await lane.run(timeout("market"));
    lane.broker.orders.clear();
    await settleTwice();
    expect(lane.record(id).outcome).toMatchObject({
      kind: "done",
      result: { entry: {}, problems: [expect.stringContaining("no more")] },
    });
    expect(submitted()).toEqual([]);
  });
});

describe("an exit whose time is over", () => {
  const EXIT = intentId(`i${"e".repeat(28)}`);
  const LATER = intentId(`i${"f".repeat(28)}`);
  const closing = timeout("market", {
    clOrdId: clOrdIdOf(EXIT, 1),
    side: "SELL",
    onlyCloses: true,
    bracket: BRACKET,
  });

  /** Two are held, and an exit for both rests. */
  beforeEach(async () => {
    lane.broker.held = [position(2)];
    const order = { side: "SELL", orderQty: 2, ordType: "LIMIT", price: ticks(4_100) } as const;
    await runIn(lane, place(order), { intentId: EXIT });
    lane.broker.commands.length = 0;
    lane.broker.sent.length = 0;
  });

  test("closes what is held at the market, without exits of its own", async () => {
    const record = await lane.run(closing);
    expect(lane.broker.sent).toMatchObject([{ side: "SELL", orderQty: 2, ordType: "MARKET" }]);
    expect(lane.broker.sent[0]).not.toHaveProperty("bracket");
    expect(record.outcome).toMatchObject({ kind: "done", result: { problems: [] } });
  });

  test.each([
    ["what a stop has left", 1, ["MARKET 1"], "Only 1 are held still"],
    ["nothing where a stop has closed all", 0, [], "closed already"],
    ["nothing where the other side is held", -1, [], "closed already"],
  ] as const)("closes %s", async (_, held, expected, said) => {
    lane.broker.held = held === 0 ? [] : [position(held)];
    const record = await lane.run(closing);
    expect(submitted()).toEqual(expected);
    expect(record.outcome).toMatchObject({
      kind: "done",
      result: { problems: [expect.stringContaining(said)] },
    });
  });

  test("leaves what was opened since", async () => {
    await runIn(lane, place({ orderQty: 3 }), { intentId: LATER });
    lane.broker.sent.length = 0;
    lane.broker.held = [position(4)];
    const bought = (order: string, qty: number) =>
      ({ execId: execId(order), order, side: "BUY", qty, at: 1, heardAt: 0 }) as const;
    const fills = [bought("older", 1), bought(`${LATER}-1`, 3)];
    lane.trips.set(ES, { fills, unexplained: 0 });
    await lane.run(closing);
    expect(submitted()).toEqual(["MARKET 1"]);
  });

  test("goes under a kill switch, and however late it is", async () => {
    lane.intents.accountKillSwitch = { active: true };
    await lane.run(closing, { entryMaxAgeMs: 0 });
    expect(submitted()).toEqual(["MARKET 2"]);
  });

  test("sends nothing where it is stored no more", async () => {
    const other = { ...closing, clOrdId: OWN } as Intent;
    rest({ side: "SELL", orderQty: 2, leavesQty: 2 });
    const record = await lane.run(other);
    expect([submitted(), JSON.stringify(record.outcome)]).toEqual([
      [],
      expect.stringContaining("not stored any more"),
    ]);
  });
});

describe("an order with a timeout", () => {
  const handling = { timeout: { afterSeconds: 60, then: "cancel" } } as const;

  test("is kept before it leaves", async () => {
    const order = { ordType: "LIMIT", price: ticks(4_000) } as const;
    const record = await lane.run({ ...place(order), handling } as Intent);
    expect(lane.timedOrders).toMatchObject([
      { intent: { clOrdId: clOrdIdOf(record.intentId, 1), then: handling.timeout.then } },
    ]);
  });

  test.each([
    ["that opens", "BUY", false],
    ["that only closes", "SELL", true],
  ] as const)("%s is kept as such", async (_, side, onlyCloses) => {
    lane.broker.held = [position(2)];
    await lane.run({
      ...place({ side, ordType: "LIMIT", price: ticks(4_000) }),
      handling,
    } as Intent);
    const [deadline] = lane.timedOrders;
    expect(deadline?.intent.onlyCloses).toBe(onlyCloses ? true : undefined);
  });

  test("is not where it ends at once", async () => {
    expect(endsAtOnce({ ordType: "MARKET", timeInForce: "DAY" })).toBe(true);
    await lane.run({ ...place(), handling } as Intent);
    expect(lane.timedOrders).toEqual([]);
  });

  test("is not sent once its time is over", async () => {
    const order = { ordType: "LIMIT", price: ticks(4_000) } as const;
    const id = await lane.accept({ ...place(order), handling } as Intent, {
      entryMaxAgeMs: 300_000,
    });
    lane.intents.clock += 60_000;
    await lane.work(id);
    expect(lane.record(id).state).toBe("EXPIRED");
    expect(lane.broker.commands).toEqual([]);
  });
});
