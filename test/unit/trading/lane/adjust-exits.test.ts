import { beforeEach, describe, expect, test } from "vitest";
import type { Aim } from "../../../../src/domain/alert.ts";
import { missingExits } from "../../../../src/domain/asked-exits.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import type { Bracket } from "../../../../src/domain/order.ts";
import type { PreparedTerms } from "../../../../src/domain/order-ticket.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { quoteHeardAt } from "../../../../src/domain/quote.ts";
import type { SubmitOutcome } from "../../../../src/trading/ports.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  NOT_SENT,
  openLane,
  position,
  REJECTED,
  showPair,
  UNKNOWN,
} from "../lane-kit.ts";
import { namesIn, nextFillsTo, resultOf, to } from "./adjust-kit.ts";
import type { NewIntent } from "../../../../src/trading/orders/ports.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const names = () => namesIn(lane);
const fillsTo = (netQty: number) => nextFillsTo(lane, netQty);

describe("exits that come with it", () => {
  const STOP = { stopLoss: { by: "price", price: ticks(3_950) } } as const;
  const AWAY = { stopLoss: { by: "distance", distance: ticks(40) } } as const;
  const LIMIT_TO_3 = { ordType: "LIMIT", timeInForce: "DAY", price: ticks(3_990) } as const;
  const withExits = (
    aim: Aim,
    bracket: Bracket = STOP,
    terms: Partial<PreparedTerms> = {},
    more: Partial<NewIntent> = {},
  ) =>
    lane.run(
      {
        kind: "ADJUST",
        contract: ES,
        isFrontMonth: true,
        aim,
        terms: { ordType: "MARKET", timeInForce: "DAY", ...terms, bracket },
      },
      more,
    );
  const stops = () =>
    lane.broker.protections.map(({ orderQty, stopLoss }) => [orderQty, stopLoss?.stopPx]);
  const add: Aim = { to: "add", qty: 1 };
  const enter: Aim = {
    to: "enter",
    side: "BUY",
    qty: 1,
    whenHeld: "add",
    whenOpposite: "close",
  };

  test("are placed for what is held already, which needs nothing else", async () => {
    lane.broker.held = [position(2)];
    const record = await withExits(to(2));
    expect(stops()).toEqual([[2, 3_950]]);
    expect(lane.broker.protections[0]?.stopLoss?.clOrdId).toBe("i1-52-SL");
    expect(resultOf(record)).toMatchObject({
      exits: { kind: "standing", contract: ES, orderQty: 2, stopLossOrderId: "101" },
      netQty: 2,
      problems: [],
    });
    expect(missingExits(record)).toEqual([]);
  });

  test("are called missing by no record of before, which does not tell of them", async () => {
    lane.broker.held = [position(2)];
    const record = await withExits(to(2));
    const { exits: _, ...result } = resultOf(record);
    expect(missingExits({ ...record, outcome: { kind: "done", result } })).toEqual([]);
  });

  test.each([
    ["a target", to(3)],
    ["more of it", add],
    ["an entry on its side", enter],
  ])("cover all that is held once %s has grown it, and never less", async (_, aim) => {
    lane.broker.held = [position(2)];
    const record = await withExits(aim);
    expect(names()).toEqual(["protect 2", "submit i1-100"]);
    expect(stops()).toEqual([[2, 3_950]]);
    expect(lane.broker.sent).toMatchObject([{ orderQty: 1, bracket: STOP }]);
    expect(resultOf(record)).toMatchObject({ exits: { kind: "standing", orderQty: 2 } });
  });

  test("of what stays after a part is closed are placed then, for no more than that", async () => {
    lane.broker.held = [position(3)];
    fillsTo(1);
    const record = await withExits(to(1));
    expect(names()).toEqual(["submit i1-1", "protect 1"]);
    expect(resultOf(record)).toMatchObject({ closed: [{ netQty: 2 }], problems: [] });
  });

  const FILLING = { side: "BUY", ordType: "MARKET", orderQty: 10 } as const;

  test("cover what is held of an order that is being filled, and the rest has none", async () => {
    lane.broker.held = [position(3)];
    lane.broker.show({ ...FILLING, orderId: orderId("9"), cumQty: 3, leavesQty: 7 });
    const record = await withExits(to(10));
    expect(resultOf(record)).toMatchObject({ exits: { kind: "standing", orderQty: 3 } });
    expect(missingExits(record)).toEqual([{ contract: ES, exits: ["STOP_LOSS"] }]);
  });

  test.each<[string, Aim, number]>([
    ["a target", to(10), 0],
    ["an entry on its side", enter, 1],
  ])("of %s wait for an order of which nothing is filled yet", async (_, aim, entries) => {
    lane.broker.show({ ...FILLING, orderId: orderId("9"), leavesQty: 10 });
    const { intentId, state } = await withExits(aim);
    expect([state, lane.broker.commands]).toEqual(["PREPARED", []]);

    lane.broker.change(orderId("9"), { ordStatus: "FILLED", cumQty: 10, leavesQty: 0 });
    lane.broker.held = [position(10)];
    await lane.settlePending(ACCOUNT);
    expect(stops()).toEqual([[10, 3_950]]);
    expect(lane.broker.sent).toHaveLength(entries);
    expect(resultOf(lane.record(intentId)).problems).toEqual([]);
  });

  test("move a pair in place, under its ids", async () => {
    lane.broker.held = [position(2)];
    showPair(lane.broker);
    const record = await withExits(to(2));
    expect(lane.broker.commands).toEqual([["modify", "sl", { stopPx: 3_950 }]]);
    expect(resultOf(record)).toMatchObject({
      exits: { takeProfitOrderId: "tp", stopLossOrderId: "sl" },
    });
  });

  test.each<[string, Bracket]>([
    ["by distance have counted from each part's own fill", AWAY],
    ["by price stand there", { stopLoss: { by: "price", price: ticks(3_960) } }],
  ])("that %s stay as they are", async (_, bracket) => {
    lane.broker.held = [position(4)];
    showPair(lane.broker);
    lane.broker.show({
      orderId: orderId("sl2"),
      role: "STOP_LOSS",
      ordType: "STOP",
      stopPx: ticks(3_960),
      leavesQty: 2,
    });
    const record = await withExits(to(4), bracket);
    expect(lane.broker.commands).toEqual([]);
    expect(resultOf(record)).toMatchObject({ exits: { kind: "standing", orderQty: 4 } });
  });

  test("by distance count from the average price where a part has none", async () => {
    lane.broker.held = [position(2)];
    await withExits(to(2), AWAY);
    expect(stops()).toEqual([[2, 3_960]]);
  });

  test("are placed although the entry may not leave", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(2)];
    const record = await withExits(to(3));
    expect(stops()).toEqual([[2, 3_950]]);
    expect(lane.broker.sent).toEqual([]);
    expect(resultOf(record).problems).toEqual([expect.stringContaining("The kill switch is on")]);
  });

  test("that stand already are no reason to call a refused entry done", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(2)];
    showPair(lane.broker);
    const { state } = await withExits(to(3), AWAY);
    expect(state).toBe("DENIED");
  });

  test("of what was held wait neither for a price nor for a fill", async () => {
    lane.broker.held = [position(2)];
    await withExits(to(3), STOP, LIMIT_TO_3);
    expect(names()).toEqual(["protect 2", "submit i1-100"]);
  });

  test.each<[string, SubmitOutcome, string]>([
    ["refuses", REJECTED, "REJECTED"],
    ["could not be sent", NOT_SENT, "NOTSENT"],
    ["does not answer for", UNKNOWN, "UNKNOWN"],
  ])("that the broker %s let nothing be added, and are asked for", async (_, answer, state) => {
    lane.broker.held = [position(2)];
    lane.broker.next.protect.push(answer);
    const record = await withExits(to(3));
    expect([record.state, lane.broker.sent]).toEqual([state, []]);
    const missing = [{ contract: ES, exits: ["STOP_LOSS"] }];
    expect(missingExits(record)).toEqual(state === "UNKNOWN" ? [] : missing);
  });

  test("that are refused after a close are named as missing", async () => {
    lane.broker.held = [position(3)];
    fillsTo(1);
    lane.broker.next.protect.push(REJECTED);
    const record = await withExits(to(1));
    expect(resultOf(record)).toMatchObject({
      closed: [{ netQty: 2 }],
      exits: { kind: "missing", contract: ES, exits: ["STOP_LOSS"] },
      problems: [expect.stringContaining("Not today")],
    });
    expect(missingExits(record)).toEqual([expect.objectContaining({ contract: ES })]);
  });

  test.each([ES, "ESU2026" as ContractCode])(
    "at a level that the market has passed are refused, and missing where %s is held",
    async (contract) => {
      lane.broker.held = [position(2, contract)];
      lane.money.quote = quoteHeardAt(lane.intents.clock, { bid: ticks(3_940) });
      const record = await withExits(to(2));
      expect(record.outcome).toMatchObject({ kind: "denied", code: "VALIDATION_FAILED" });
      expect(missingExits(record)).toEqual([{ contract, exits: ["STOP_LOSS"] }]);
    },
  );

  test("are part of what a test tells", async () => {
    lane.broker.held = [position(2)];
    const { outcome } = await withExits(to(3), STOP, {}, { test: true });
    expect(outcome).toMatchObject({
      result: { steps: [{ kind: "protect", levels: STOP }, { kind: "order" }] },
    });
    expect(lane.broker.commands).toEqual([]);
  });
});
