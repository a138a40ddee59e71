import { beforeEach, describe, expect, test } from "vitest";
import { missingExits } from "../../../../../src/domain/asked-exits.ts";
import type { ContractCode } from "../../../../../src/domain/contracts/contract.ts";
import { orderId } from "../../../../../src/domain/ids.ts";
import { clOrdIdOf, type Intent, type IntentRecord } from "../../../../../src/domain/intent.ts";
import type { Bracket } from "../../../../../src/domain/order.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { quoteHeardAt } from "../../../../../src/domain/quote.ts";
import type { SubmitOutcome } from "../../../../../src/trading/ports.ts";
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
} from "../../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
});

const at = (price: number) => ({ by: "price", price: ticks(price) }) as const;
const away = (distance: number) => ({ by: "distance", distance: ticks(distance) }) as const;
const protect = (levels: Bracket) => lane.run({ kind: "PROTECT", contract: ES, levels });
const marketAt = (px: number) => {
  const at = ticks(px);
  return quoteHeardAt(lane.intents.clock, { bid: at, ask: at });
};
const levels = () =>
  lane.broker.protections.map(({ takeProfit, stopLoss }) => [takeProfit?.price, stopLoss?.stopPx]);
const modify = (id: string, change: object) => ["modify", id, change];

describe("the position that is meant", () => {
  const SEP = "ESU2026" as ContractCode;
  const stopLoss = at(3_900);
  const contractOf = ({ outcome }: IntentRecord) =>
    outcome?.kind === "done" && outcome.result.kind === "PROTECT" ? outcome.result.contract : "";

  test.each<[string, Intent, ContractCode]>([
    [
      "the month that is held",
      { kind: "PROTECT", contract: ES, isFrontMonth: true, levels: { stopLoss } },
      SEP,
    ],
    ["the one that is named", { kind: "PROTECT", contract: SEP, levels: { stopLoss } }, SEP],
    [
      "the only one, at a price as it was written",
      { kind: "PROTECT", written: { stopLoss: { price: "975" } } },
      SEP,
    ],
  ])("is %s", async (_, intent, contract) => {
    lane.broker.held = [position(2, SEP)];
    expect(contractOf(await lane.run(intent))).toBe(contract);
    expect(levels()).toEqual([[undefined, 3_900]]);
  });

  test.each<[string, Intent]>([
    [
      "by its root",
      { kind: "PROTECT", contract: ES, isFrontMonth: true, levels: { stopLoss: at(3_990) } },
    ],
    ["by nothing", { kind: "PROTECT", written: { stopLoss: { price: "997.5" } } }],
  ])("and named %s has no stop-loss where it is refused", async (_, intent) => {
    lane.broker.held = [position(2, SEP)];
    lane.money.quote = marketAt(3_980);
    const record = await lane.run(intent);
    expect(record.outcome).toMatchObject({ code: "VALIDATION_FAILED" });
    expect(missingExits(record)).toEqual([{ contract: SEP, exits: ["STOP_LOSS"] }]);
  });

  test.each<[string, object, string]>([
    ["several are open", { price: 4_000 }, "symbol must say which"],
    [
      "a price lies between two ticks",
      { price: 4_000.1 },
      "stopLoss.price 4000.1 is not a multiple",
    ],
    ["a price is one that the contract cannot have", { price: -5 }, "must be greater than 0"],
  ])("without a symbol, where %s it is refused", async (_, level, reason) => {
    if (reason.startsWith("symbol")) lane.broker.held = [position(1), position(1, NQ)];
    const { outcome } = await lane.run({ kind: "PROTECT", written: { stopLoss: level } });
    expect(outcome).toMatchObject({
      code: "VALIDATION_FAILED",
      reason: expect.stringContaining(reason),
    });
    expect(lane.broker.commands).toEqual([]);
  });

  test("a distance that leads below what prices the contract has is refused", async () => {
    const { outcome } = await protect({ stopLoss: away(4_000) });
    expect(outcome).toMatchObject({ code: "VALIDATION_FAILED" });
    expect(lane.broker.commands).toEqual([]);
  });

  test("that is not there yet is waited for behind an outcome that nobody knows", async () => {
    lane.broker.held = [];
    lane.broker.next.submit.push(UNKNOWN);
    const bought = await lane.run(place());
    const id = await lane.accept({ kind: "PROTECT", contract: ES, levels: { stopLoss } });
    expect(await lane.work(id)).toBe("unsettled");
    expect(lane.record(id).state).toBe("PREPARED");

    // Longer than an entry would wait.
    lane.intents.clock += 31_000;
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).state).toBe("PREPARED");

    const clOrdId = clOrdIdOf(bought.intentId, 1);
    const filled = { ordStatus: "FILLED", cumQty: 1, leavesQty: 0 } as const;
    lane.broker.show({ orderId: orderId("9"), side: "BUY", clOrdId, ...filled });
    lane.broker.held = [position(1)];
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).state).toBe("DONE");
    expect(lane.broker.protections).toMatchObject([{ orderQty: 1, stopLoss: { stopPx: 3_900 } }]);
  });
});

describe("a position that an order at the market still fills", () => {
  const buying = { side: "BUY", ordType: "MARKET", orderQty: 10 } as const;
  const stopLoss = at(3_900);

  test("has exits for what is held, and what comes after them has none", async () => {
    lane.broker.held = [position(3)];
    lane.broker.show({ ...buying, orderId: orderId("9"), cumQty: 3, leavesQty: 7 });
    const record = await protect({ stopLoss });
    expect(record.outcome).toMatchObject({ result: { orderQty: 3, growsTo: 10 } });
    expect(missingExits(record)).toEqual([{ contract: ES, exits: ["STOP_LOSS"] }]);
  });

  test("is waited for until something is held", async () => {
    lane.broker.held = [];
    lane.broker.show({ ...buying, orderId: orderId("9"), leavesQty: 10 });
    const id = await lane.accept({ kind: "PROTECT", contract: ES, levels: { stopLoss } });
    expect(await lane.work(id)).toBe("unsettled");
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).state).toBe("PREPARED");

    lane.broker.change(orderId("9"), { ordStatus: "FILLED", cumQty: 10, leavesQty: 0 });
    lane.broker.held = [position(10)];
    await lane.settlePending(ACCOUNT);
    expect(lane.record(id).outcome).toMatchObject({ kind: "done", result: { orderQty: 10 } });
    expect(missingExits(lane.record(id))).toEqual([]);
  });
});

describe("a position without legs", () => {
  test("gets both for its full size, linked", async () => {
    const { outcome } = await protect({ takeProfit: at(4_100), stopLoss: at(3_900) });
    expect(outcome).toEqual({
      kind: "done",
      result: {
        kind: "PROTECT",
        contract: ES,
        orderQty: 2,
        takeProfitOrderId: "101",
        stopLossOrderId: "102",
      },
    });
    expect(lane.broker.protections).toEqual([
      {
        contract: ES,
        side: "SELL",
        orderQty: 2,
        takeProfit: {
          clOrdId: "i1-2-TP",
          price: 4100,
        },
        stopLoss: {
          clOrdId: "i1-2-SL",
          stopPx: 3900,
        },
      },
    ]);
  });

  test("a short one is protected by buys, its distances count the other way", async () => {
    lane.broker.held = [position(-3)];
    await protect({ takeProfit: away(10), stopLoss: away(4) });
    expect(lane.broker.protections).toMatchObject([{ side: "BUY", orderQty: 3 }]);
    expect(levels()).toEqual([[3_990, 4_004]]);
  });

  test.each([
    [{ numerator: 8_001, denominator: 2 }, 4_011],
    [{ numerator: 12_001, denominator: 3 }, 4_010],
  ])("a distance counts from the average %j, to the nearest tick", async (avgPx, expected) => {
    lane.broker.held = [{ ...position(2), avgPx }];
    await protect({ takeProfit: away(10) });
    expect(levels()).toEqual([[expected, undefined]]);
  });

  test("the stop goes to where it was entered, to the nearest tick", async () => {
    lane.broker.held = [{ ...position(2), avgPx: { numerator: 8_001, denominator: 2 } }];
    await protect({ stopLoss: away(0) });
    expect(levels()).toEqual([[undefined, 4_001]]);
  });

  test.each<[SubmitOutcome, string]>([
    [REJECTED, "REJECTED"],
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j ends the intent as %s, and what did not come is missing", async (answer, state) => {
    lane.broker.next.protect.push(answer);
    const record = await protect({ stopLoss: at(3_900) });
    expect(record.state).toBe(state);
    expect(lane.broker.protections).toHaveLength(1);
    const missing = [{ contract: ES, exits: ["STOP_LOSS"] }];
    expect(missingExits(record)).toEqual(state === "UNKNOWN" ? [] : missing);
  });
});

test("a position that is gone by now is NO_POSITION, and nothing is sent", async () => {
  lane.broker.held = [position(2, NQ)];
  const record = await protect({ stopLoss: at(3_900) });
  expect(record).toMatchObject({
    state: "DENIED",
    outcome: {
      code: "NO_POSITION",
      reason: "There is no open position in ESZ6, so there is nothing to protect",
    },
  });
  expect(lane.broker.commands).toEqual([]);
});

describe("levels that would trade at once", () => {
  // In ticks of 0.25.
  beforeEach(() => {
    lane.money.quote = marketAt(4_000);
  });

  test.each<[number, Bracket, string]>([
    [2, { stopLoss: at(4_020) }, "the stop-loss at 1005 is above the market at 1000"],
    [2, { takeProfit: at(3_996) }, "the take-profit at 999 is below the market at 1000"],
    [-2, { stopLoss: at(3_980) }, "the stop-loss at 995 is below the market at 1000"],
    [-2, { takeProfit: at(4_004) }, "the take-profit at 1001 is above the market at 1000"],
    [2, { stopLoss: at(4_000) }, "the stop-loss at 1000 is at the market"],
  ])("are denied in a position of %i: %j", async (netQty, asked, problem) => {
    const pair = showPair(lane.broker);
    lane.broker.held = [position(netQty)];
    expect(await protect(asked)).toMatchObject({
      state: "DENIED",
      outcome: {
        code: "VALIDATION_FAILED",
        reason: `${problem} and would close the position at once; nothing was changed`,
      },
    });
    expect(lane.broker.commands).toEqual([]);
    expect(lane.broker.orders.get("sl")).toEqual(pair.loss);
  });

  test("on their right sides they pass", async () => {
    expect((await protect({ takeProfit: at(4_001), stopLoss: at(3_999) })).state).toBe("DONE");
  });

  test("are judged by the side at which the position closes, and not by the other one", async () => {
    lane.money.quote = quoteHeardAt(lane.intents.clock, { bid: ticks(3_990), ask: ticks(4_010) });
    expect((await protect({ takeProfit: at(3_995) })).state).toBe("DONE");
    lane.money.quote = quoteHeardAt(lane.intents.clock, { ask: ticks(4_010) });
    expect((await protect({ takeProfit: at(3_994) })).state).toBe("DENIED");
  });

  test("a level that stays is not judged by the market", async () => {
    showPair(lane.broker);
    // The take-profit is reached and waits for size.
    lane.money.quote = marketAt(4_040);
    expect((await protect({ stopLoss: at(4_000) })).state).toBe("DONE");
  });
});

describe("where no fresh price says where the market is", () => {
  test("a stop goes: the broker decides", async () => {
    await protect({ stopLoss: at(4_020) });
    expect(levels()).toEqual([[undefined, 4_020]]);
  });

  test.each([
    [2, 4_001],
    [-2, 3_999],
  ])("a target that wins in a position of %i goes: %i", async (netQty, price) => {
    lane.broker.held = [position(netQty)];
    expect((await protect({ takeProfit: at(price) })).state).toBe("DONE");
    expect(levels()).toEqual([[price, undefined]]);
  });

  const DOUBT =
    "no fresh price says whether the take-profit at 1000 is below the market, where it would close the position at once";

  test("a target that wins nothing is refused", async () => {
    const record = await protect({ takeProfit: at(4_000) });
    expect(record.outcome).toMatchObject({
      kind: "denied",
      code: "VALIDATION_FAILED",
      reason: `${DOUBT}; nothing was changed`,
    });
    expect(lane.broker.commands).toEqual([]);
  });

  test("so is one of a position whose average price is not known", async () => {
    const { avgPx: _, ...held } = position(2);
    lane.broker.held = [held];
    expect((await protect({ takeProfit: at(4_100) })).state).toBe("DENIED");
  });

  test("a target that works, wins nothing by now and would be placed again makes way for a stop", async () => {
    const leg = { side: "SELL", contract: ES, orderQty: 1, leavesQty: 1 } as const;
    const target = { role: "TAKE_PROFIT", ordType: "LIMIT", price: ticks(3_990) } as const;
    lane.broker.show({ ...leg, ...target, orderId: orderId("tp"), parentOrderId: orderId("1") });
    const record = await protect({ stopLoss: at(3_900) });
    expect(levels()).toEqual([[undefined, 3_900]]);
    expect(record.outcome).toMatchObject({ kind: "unprotected", missing: ["TAKE_PROFIT"] });
  });

  test("its stop goes all the same, and the target alone is missing", async () => {
    const record = await protect({ takeProfit: at(4_000), stopLoss: at(3_900) });
    expect(levels()).toEqual([[undefined, 3_900]]);
    expect(record.outcome).toEqual({
      kind: "unprotected",
      canceled: "",
      reason: DOUBT,
      restored: false,
      missing: ["TAKE_PROFIT"],
      standing: "stop-loss of 2 ESZ6 at 975",
    });
    expect(missingExits(record)).toEqual([{ contract: ES, exits: ["TAKE_PROFIT"] }]);
  });

  test("a pair that is there keeps its target, and moves its stop", async () => {
    showPair(lane.broker);
    const { outcome } = await protect({ takeProfit: at(4_000), stopLoss: at(3_980) });
    expect(lane.broker.commands).toEqual([modify("sl", { stopPx: 3_980 })]);
    expect(outcome).toMatchObject({
      standing: "stop-loss of 2 ESZ6 at 995 and take-profit of 2 ESZ6 at 1010",
    });
  });
});

describe("a pair that is there is changed in place", () => {
  beforeEach(() => {
    showPair(lane.broker);
  });

  test("one level moves, the other stays, and no leg is ever gone", async () => {
    const { outcome, clOrdIds } = await protect({ stopLoss: at(3_980) });
    expect(lane.broker.commands).toEqual([modify("sl", { stopPx: 3_980 })]);
    expect(outcome).toEqual({
      kind: "done",
      result: {
        kind: "PROTECT",
        contract: ES,
        orderQty: 2,
        takeProfitOrderId: "tp",
        stopLossOrderId: "sl",
      },
    });
    expect(clOrdIds).toEqual(["i1-1"]);
  });

  test("both levels move, the stop first", async () => {
    expect((await protect({ takeProfit: at(4_080), stopLoss: at(3_980) })).state).toBe("DONE");
    expect(lane.broker.commands).toEqual([
      modify("sl", { stopPx: 3_980 }),
      modify("tp", { price: 4_080 }),
    ]);
  });

  test("what stands already as it was asked for is left alone", async () => {
    const { outcome, clOrdIds } = await protect({ stopLoss: at(3_960) });
    expect(outcome).toMatchObject({ kind: "done", result: { stopLossOrderId: "sl" } });
    expect([clOrdIds, lane.broker.commands]).toEqual([[], []]);
  });

  test("legs that are not of the position's size are given it; filled contracts count", async () => {
    lane.broker.held = [position(3)];
    lane.broker.change(orderId("tp"), { orderQty: 3, cumQty: 1, leavesQty: 2 });
    const { outcome } = await protect({ stopLoss: at(3_980) });
    expect(lane.broker.commands).toEqual([
      modify("sl", { stopPx: 3_980, orderQty: 3 }),
      modify("tp", { orderQty: 4 }),
    ]);
    expect(outcome).toMatchObject({ result: { orderQty: 3 } });
  });

  test("a leg that is about to end is no level that stays", async () => {
    lane.broker.change(orderId("sl"), { ordStatus: "PENDING_CANCEL" });
    expect((await protect({ takeProfit: at(4_080) })).state).toBe("DONE");
    expect(lane.broker.commands).toEqual([modify("tp", { price: 4_080 })]);
  });

  test("a leg that stands alone moves too", async () => {
    lane.broker.orders.delete("tp");
    expect((await protect({ stopLoss: at(3_980) })).state).toBe("DONE");
    expect(lane.broker.commands).toEqual([modify("sl", { stopPx: 3_980 })]);
  });

  test("the plan is stored before the first change", async () => {
    lane.broker.next.modify.push(UNKNOWN);
    expect(await protect({ stopLoss: at(3_980) })).toMatchObject({
      state: "UNKNOWN",
      plan: {
        takeProfitPx: 4_040,
        stopLossPx: 3_980,
        orderQty: 2,
        before: { takeProfitPx: 4_040, stopLossPx: 3_960 },
      },
    });
  });

  test.each<[string, object]>([
    ["REJECTED", REJECTED],
    ["NOTSENT", NOT_SENT],
    ["UNKNOWN", UNKNOWN],
  ])(
    "a first change that ends as %s ends the intent so, and nothing else is sent",
    async (state, answer) => {
      lane.broker.next.modify.push(answer as SubmitOutcome & { kind: "unknown" });
      const record = await protect({ takeProfit: at(4_080), stopLoss: at(3_980) });
      expect(record).toMatchObject({ state, outcome: answer });
      expect(lane.broker.commands).toHaveLength(1);
    },
  );

  test("a change that is refused because the leg closed the position is NO_POSITION", async () => {
    lane.broker.next.modify.push(() => {
      lane.broker.held = [];
      return REJECTED;
    });
    const record = await protect({ stopLoss: at(3_980) });
    expect(record).toMatchObject({ state: "DENIED", outcome: { code: "NO_POSITION" } });
  });

  test("so is one that was carried out right before the position was closed", async () => {
    lane.broker.next.modify.push(() => {
      lane.broker.held = [];
      return undefined;
    });
    expect(await protect({ stopLoss: at(3_980) })).toMatchObject({
      outcome: { code: "NO_POSITION" },
    });
  });

  test("a pair that the broker ends over the change is no protection", async () => {
    lane.broker.next.modify.push(() => {
      for (const id of ["tp", "sl"]) lane.broker.change(orderId(id), { ordStatus: "CANCELED" });
      return { kind: "accepted" };
    });
    const { intentId, state } = await protect({ stopLoss: at(3_980) });
    expect(state).toBe("UNKNOWN");
    await lane.settlePending(ACCOUNT);
    lane.intents.clock += 5_000;
    await lane.settlePending(ACCOUNT);
    const record = lane.record(intentId);
    expect(record.outcome).toMatchObject({ kind: "unprotected", restored: false });
    expect(missingExits(record)).toEqual([{ contract: ES, exits: ["TAKE_PROFIT", "STOP_LOSS"] }]);
  });

  test("a leg that filled in part meanwhile: the answer has the size that is left", async () => {
    lane.broker.next.modify.push(() => {
      lane.broker.held = [position(1)];
      return undefined;
    });
    const { outcome } = await protect({ stopLoss: at(3_980) });
    expect(outcome).toMatchObject({ kind: "done", result: { orderQty: 1 } });
  });

  describe("the second change fails", () => {
    const both = { takeProfit: at(4_080), stopLoss: at(3_980) };
    const accepted = () => undefined;

    test.each([REJECTED, NOT_SENT])("with %j: the first one is put back, and said", async (no) => {
      lane.broker.next.modify.push(accepted, no);
      expect((await protect(both)).outcome).toEqual({
        kind: "rejected",
        reason: `${no.reason}; the stop-loss was put back, so nothing has changed`,
      });
      expect(lane.broker.commands.at(-1)).toEqual(modify("sl", { stopPx: 3_960 }));
      expect(lane.broker.orders.get("sl")).toMatchObject({ stopPx: 3_960 });
    });

    test("a size that was changed is put back too", async () => {
      lane.broker.held = [position(3)];
      lane.broker.next.modify.push(accepted, REJECTED);
      await protect(both);
      expect(lane.broker.commands.at(-1)).toEqual(modify("sl", { stopPx: 3_960, orderQty: 2 }));
    });

    test.each([REJECTED, NOT_SENT])(
      "and putting back fails with %j: what stands is said",
      async (no) => {
        lane.broker.next.modify.push(accepted, REJECTED, no);
        expect((await protect(both)).outcome).toEqual({
          kind: "unprotected",
          canceled: "stop-loss of 2 ESZ6 at 990",
          reason: `Not today; putting the stop-loss back failed too: ${no.reason}`,
          restored: false,
          standing: "stop-loss of 2 ESZ6 at 995 and take-profit of 2 ESZ6 at 1010",
        });
        expect(lane.broker.commands).toHaveLength(3);
      },
    );

    test("and whether it was put back is unknown: so is the outcome", async () => {
      lane.broker.next.modify.push(accepted, REJECTED, UNKNOWN);
      expect((await protect(both)).state).toBe("UNKNOWN");
    });

    test("in an unknown way: nothing is put back", async () => {
      lane.broker.next.modify.push(accepted, UNKNOWN);
      expect((await protect(both)).state).toBe("UNKNOWN");
      expect(lane.broker.commands).toHaveLength(2);
    });

    test("because the position is closed: it is NO_POSITION", async () => {
      lane.broker.next.modify.push(
        accepted,
        () => {
          lane.broker.held = [];
          return REJECTED;
        },
        REJECTED,
      );
      expect(await protect(both)).toMatchObject({ outcome: { code: "NO_POSITION" } });
    });
  });
});
