import { describe, expect, test } from "vitest";
import { exposureOf } from "../../../../src/domain/exposure.ts";
import type { GuardRule } from "../../../../src/domain/guards/rule.ts";
import type { Verdict } from "../../../../src/domain/guards/verdict.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import { minor } from "../../../../src/domain/money.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import { parseDecimal } from "../../../../src/domain/contracts/decimal.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { checkEntry, type EntryCase } from "../../../../src/trading/guards/check-entry.ts";
import { count, drawdown, loss, lotsRule, OF_RULE, settingsOf } from "../../domain/guards/kit.ts";
import { ES, NQ } from "../lane-kit.ts";
import { quoteHeardAt } from "../../../../src/domain/quote.ts";

const TERMS = { symbol: "ESZ6", tickSize: "0.25", tickValue: "12.50", currency: "USD" };
const QUOTE = quoteHeardAt(0, { bid: ticks(27_399), ask: ticks(27_400) });
const BUY = {
  contract: ES,
  side: "BUY",
  orderQty: 1,
  ordType: "MARKET",
  timeInForce: "DAY",
} as const;
const distance = (by: number) => ({
  bracket: { stopLoss: { by: "distance", distance: ticks(by) } as const },
});

const resting = (id: string, change: object): OrderReport =>
  ({
    orderId: orderId(id),
    clOrdId: `i${"0".repeat(27)}${id}-1`,
    contract: ES,
    side: "BUY",
    ordType: "LIMIT",
    price: ticks(27_000),
    orderQty: 1,
    cumQty: 0,
    leavesQty: 1,
    ordStatus: "NEW",
    role: "ORDER",
    timeInForce: "DAY",
    ...change,
  }) as never;

interface Case {
  readonly order?: object;
  readonly verdict?: Partial<Verdict>;
  readonly held?: Readonly<Record<string, number>>;
  readonly working?: readonly OrderReport[];
  readonly quote?: EntryCase["quote"];
  readonly terms?: object;
  /** The fee of one side of one contract. */
  readonly fee?: string;
}

const ELSEWHERE: Readonly<Record<string, object>> = {
  [NQ]: { symbol: "NQZ6", tickValue: "5" },
  FDAXZ2026: { symbol: "FDAXZ6", currency: "EUR" },
};

/** Why an order is refused by one rule, in words; undefined where it passes. */
function check(rule: GuardRule, { order, verdict, held = {}, working = [], ...more }: Case = {}) {
  const positions = Object.entries(held).map(([contract, netQty]) => ({ contract, netQty }));
  const snapshot = { positions, working, opaque: [], opaquePositions: [] } as never;
  const asked = { ...BUY, ...order };
  return checkEntry({
    settings: settingsOf([rule]),
    verdicts: verdict === undefined ? [] : [{ ruleId: rule.id, ...verdict } as Verdict],
    order: asked,
    exposure: exposureOf(asked.contract, snapshot),
    snapshot,
    terms: { ...TERMS, ...more.terms },
    quote: "quote" in more ? more.quote : QUOTE,
    describe: (contract) => ({ ...TERMS, ...ELSEWHERE[contract], ...more.terms }) as never,
    expectedFee: () => parseDecimal(more.fee ?? "0"),
    restriction: () => undefined,
  })[0];
}

describe("room", () => {
  const verdict = { room: 100 * 100 };

  test.each([
    [7, undefined],
    [8, "Its stop would lose 100.00 USD; 100.00 USD is left"],
    [9, "Its stop would lose 112.50 USD; 100.00 USD is left"],
  ])("a stop %i ticks away", (by, reason) => {
    const found = check(loss(), { order: distance(by), verdict });
    expect(found?.reason.slice(0, reason?.length)).toBe(reason);
  });

  test("a stop at a price is counted from where the order would fill", () => {
    const stop = (price: number) => ({
      bracket: { stopLoss: { by: "price", price: ticks(price) } as const },
    });
    expect(check(loss(), { order: stop(27_393), verdict })).toBeUndefined();
    expect(check(loss(), { order: stop(27_392), verdict })).toBeDefined();
    const sell = { side: "SELL", ...stop(27_408) };
    expect(check(loss(), { order: sell, verdict })).toBeDefined();
    const limit = { ordType: "LIMIT", price: ticks(27_395), ...stop(27_389) };
    expect(check(loss(), { order: limit, verdict })).toBeUndefined();
  });

  /** Two contracts at 27,000 with a stop two ticks away. */
  const twoResting = (contract: string) => [
    resting("1", { contract, leavesQty: 2 }),
    resting("2", {
      contract,
      side: "SELL",
      role: "STOP_LOSS",
      ordStatus: "HELD",
      ordType: "STOP",
      stopPx: ticks(26_998),
      parentOrderId: orderId("1"),
    }),
  ];

  test("what the stops of entries that rest would lose is counted beside it", () => {
    const working = twoResting(ES);
    expect(check(loss(), { order: distance(3), verdict, working })).toBeUndefined();
    expect(check(loss(), { order: distance(4), verdict, working })?.reason).toContain(
      "and those of entries that rest 50.00 USD",
    );
  });

  test("the stop of an entry that has filled in part counts for what still rests of it", () => {
    const [entry, stop] = twoResting(ES);
    const working = [
      { ...entry, cumQty: 3, orderQty: 5, ordStatus: "PARTIALLY_FILLED" },
      { ...stop, ordStatus: "NEW", leavesQty: 3 },
    ] as OrderReport[];
    const more = { verdict, working, held: { [ES]: 3 } };
    expect(check(loss(), { order: distance(3), ...more })).toBeUndefined();
    expect(check(loss(), { order: distance(4), ...more })?.reason).toContain(
      "and those of entries that rest 50.00 USD",
    );
  });

  test.each([loss(), loss({ kind: "profit" }), drawdown()])(
    "an order whose result $kind cannot count is refused, with a stop or without one",
    (rule) => {
      for (const order of [{}, distance(1)]) {
        const euros = check(rule, { order, verdict, terms: { currency: "EUR" } });
        expect(euros?.reason).toContain("ESZ6 counts in EUR, and the guards in USD");
        const unnamed = check(rule, { order, verdict, terms: { currency: undefined } });
        expect(unnamed?.reason).toContain("the currency of ESZ6 is not known");
        const unsized = check(rule, { order, verdict, terms: { tickValue: undefined } });
        expect(unsized?.reason).toContain("the worth of a tick of ESZ6 is not known");
      }
    },
  );

  test("in another contract too, by what that is worth", () => {
    const working = [...twoResting(NQ)];
    expect(check(loss(), { order: distance(6), verdict, working })).toBeUndefined();
    expect(check(loss(), { order: distance(7), verdict, working })?.reason).toContain(
      "Its stop would lose 87.50 USD, and those of entries that rest 20.00 USD",
    );
  });

  test("a resting stop that cannot be counted in the currency refuses it", () => {
    const working = twoResting("FDAXZ2026");
    expect(check(loss(), { order: distance(1), verdict, working })?.reason).toContain(
      "The loss of an entry that rests cannot be counted: FDAXZ6 counts in EUR",
    );
  });

  test.each([
    ["the way in and out", {}, "Its stop would lose 92.00 USD; "],
    [
      "entries that rest",
      { working: twoResting(NQ) },
      "92.00 USD, and those of entries that rest 29.00 USD; ",
    ],
    ["closing what is held", { held: { [NQ]: -2 } }, "and closing positions costs 4.50 USD; "],
  ])("expected fees count: %s", (_, more, reason) => {
    const asked = { order: distance(7), fee: "2.25", ...more };
    const room = { room: 92_00 };
    expect(check(loss(), { ...asked, verdict: room })?.reason).toContain(reason);
    expect(check(loss(), { ...asked, verdict: { room: 130_00 } })).toBeUndefined();
  });

  test("without a stop, or without a room, only the limit stops it", () => {
    expect(check(loss(), { verdict })).toBeUndefined();
    expect(check(loss(), { order: distance(500) })).toBeUndefined();
  });
});

describe("lots", () => {
  test("count what is held and what could fill, each by its weight", () => {
    const rule = lotsRule();
    expect(check(rule, { held: { [ES]: 4 } })).toBeUndefined();
    expect(check(rule, { held: { [ES]: 5 } })?.reason).toContain("6 lots, and 5 are");
    expect(check(rule, { held: { [ES]: 4, MESZ2026: 1 } })?.reason).toContain("5.1 lots");
    expect(check(rule, { held: { [NQ]: -5 } })?.reason).toContain("6 lots");
    const working = [resting("1", { contract: NQ, orderQty: 5, leavesQty: 5 })];
    expect(check(rule, { working })?.reason).toContain("6 lots");
  });

  test("the step that holds now is the most", () => {
    expect(check(lotsRule(), { held: { [ES]: 2 }, verdict: { limit: 2_000 } })).toBeDefined();
  });
});

describe("what an order is worth", () => {
  const rule = (max: number): GuardRule => ({ ...OF_RULE, kind: "orderValue", max: minor(max) });
  /** 27,400 ticks at 12.50. */
  const worth = 34_250_000;

  test("may be as much as the rule says", () => {
    expect(check(rule(worth))).toBeUndefined();
    expect(check(rule(worth - 1))?.reason).toContain("342500.00 USD");
    expect(check(rule(worth), { order: { orderQty: 2 } })).toBeDefined();
  });

  test.each([[{ terms: { tickValue: undefined } }], [{ terms: { currency: "EUR" } }]])(
    "is refused where nobody knows it: %j",
    (unknown) => {
      expect(check(rule(worth), unknown)?.reason).toContain("is not known");
    },
  );

  test("is asked for right before it leaves where only its price is not known", () => {
    expect(check(rule(worth), { quote: undefined })).toBeUndefined();
  });
});

describe("trades", () => {
  test("that may come of what works in other contracts count, too", () => {
    const rule = count({ max: 2 } as never);
    const working = [resting("1", { contract: NQ })];
    expect(check(rule, { working, verdict: { figure: 0 } })).toBeUndefined();
    expect(check(rule, { working, verdict: { figure: 1 } })?.reason).toContain("1 of 2 trades");
    expect(check(rule, { held: { [ES]: 1 }, verdict: { figure: 2 } })).toBeUndefined();
  });
});

test("a rule in shadow answers as well, and says that it is", () => {
  const shadow = { ...lotsRule(), mode: "shadow" } as const;
  expect(check(shadow, { held: { [ES]: 5 } })).toMatchObject({ ruleId: "rule", isShadow: true });
});
