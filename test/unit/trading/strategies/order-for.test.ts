import { describe, expect, test } from "vitest";
import type { Strategy } from "../../../../src/domain/strategies/strategy.ts";
import { DECISIONS, targetOf } from "../../../../src/domain/strategies/strategy-decision.ts";
import { GatewayError } from "../../../../src/errors.ts";
import { intentOf, sendingOf } from "../../../../src/trading/strategies/order-for.ts";
import type { Evaluation } from "../../../../src/trading/strategies/ports.ts";
import { contracts, evaluation, NQ, NQ_NEXT, strategy } from "./strategy-kit.ts";

const intentFor = (change: Partial<Evaluation>, of: Partial<Strategy> = {}) =>
  intentOf(strategy(of), evaluation(change), contracts);

const ENTER = {
  to: "enter",
  qty: 2,
  whenHeld: "refuse",
  whenOpposite: "close",
  whenWorking: "refuse",
} as const;
const MARKET = { ordType: "MARKET", timeInForce: "DAY" } as const;
const BRACKET = { stopLoss: { ticks: 40 }, takeProfit: { offset: "10.50" } };
const LEVELS = {
  stopLoss: { by: "distance", distance: 40 },
  takeProfit: { by: "distance", distance: 42 },
};

describe("the intent of a decision", () => {
  test.each([
    ["long from flat", { targetQty: 2, netQty: 0 }, { ...ENTER, side: "BUY" }, ["FLAT"]],
    ["long from short", { targetQty: 2, netQty: -1 }, { ...ENTER, side: "BUY" }, ["FLAT", "SHORT"]],
    ["short from flat", { targetQty: -2, netQty: 0 }, { ...ENTER, side: "SELL" }, ["FLAT"]],
    ["short from long", { targetQty: -2, netQty: 3 }, { ...ENTER, side: "SELL" }, ["FLAT", "LONG"]],
    ["out of long", { targetQty: 0, netQty: 3 }, { to: "close", percent: 100, holding: "LONG" }],
    ["out of short", { targetQty: 0, netQty: -3 }, { to: "close", percent: 100, holding: "SHORT" }],
  ])("is to be %s", (_, change, aim, onlyWhen?: readonly string[]) => {
    expect(intentFor(change)).toEqual({
      kind: "ADJUST",
      contract: NQ,
      isFrontMonth: true,
      aim,
      terms: MARKET,
      ...(onlyWhen !== undefined && { onlyWhen }),
    });
  });

  test.each(DECISIONS.filter((decision) => decision !== "hold"))(
    "follows from %s, and never from anything but the strategy's own size",
    (decision) => {
      const targetQty = targetOf(decision, 7);
      if (targetQty === undefined) throw new Error("it is to change something");
      const netQty = decision === "exit" ? 9 : 0;
      const intent = intentFor({ targetQty, netQty }, { qty: 7 });
      expect(intent).toMatchObject(
        decision === "exit" ? { aim: { to: "close" } } : { aim: { to: "enter", qty: 7 } },
      );
    },
  );

  test("of a month that is named is for that month", () => {
    const intent = intentFor({ targetQty: 2 }, { symbol: "NQH7" });
    expect(intent).toMatchObject({ contract: NQ_NEXT });
    expect(Object.keys(intent)).not.toContain("isFrontMonth");
  });

  test("is for the front month of when it was decided", () => {
    const openedAt = Date.parse("2027-01-05T15:00:00Z");
    expect(intentFor({ targetQty: 2, openedAt })).toMatchObject({ contract: NQ_NEXT });
  });

  test.each([2, -2])("brings the strategy's exits with an entry of %d", (targetQty) => {
    expect(intentFor({ targetQty, netQty: 0 }, { bracket: BRACKET })).toMatchObject({
      aim: { to: "enter" },
      terms: { ...MARKET, bracket: LEVELS },
    });
  });

  test.each([3, -3])("brings none with a close of %d", (netQty) => {
    const intent = intentFor({ targetQty: 0, netQty }, { bracket: BRACKET });
    expect(intent).toMatchObject({ aim: { to: "close" }, terms: MARKET });
    expect(JSON.stringify(intent)).not.toContain("bracket");
  });

  test.each<[string, Partial<Strategy>]>([
    ["UNKNOWN_SYMBOL", { symbol: "NQH6" }],
    ["VALIDATION_FAILED", { bracket: { stopLoss: { offset: "0.1" } } }],
  ])("is %s where its strategy's terms do not fit any more", (code, of) => {
    const make = () => intentFor({ targetQty: 2 }, of);
    expect(make).toThrow(GatewayError);
    expect(make).toThrow(expect.objectContaining({ name: code }));
  });
});

describe("whether it is sent", () => {
  const TARGET = { targetQty: 0 } as const;

  test.each<[string, Partial<Strategy>, Partial<Evaluation>, object]>([
    ["where it trades and something is to change", {}, TARGET, { sends: true }],
    ["where nothing is to change", {}, {}, {}],
    ["on a dry run", {}, { ...TARGET, dryRun: true }, {}],
    ["where it observes", { mode: "observe" }, TARGET, { heldBack: "observe" }],
    ["where it is off", { enabled: false }, TARGET, { heldBack: "off" }],
    [
      "where it is off and observes",
      { enabled: false, mode: "observe" },
      TARGET,
      { heldBack: "off" },
    ],
    ["on a dry run of one that is off", { enabled: false }, { ...TARGET, dryRun: true }, {}],
    ["where it is off and nothing is to change", { enabled: false }, {}, {}],
  ])("is decided %s", (_, of, change, expected) => {
    expect(sendingOf(strategy(of), evaluation(change))).toEqual(expected);
  });
});
