import { describe, expect, test } from "vitest";
import { exposureOf } from "../../../../src/domain/exposure.ts";
import type { GuardRule } from "../../../../src/domain/guards/rule.ts";
import type { Verdict } from "../../../../src/domain/guards/verdict.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import { minor } from "../../../../src/domain/money.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { checkEntry, type EntryCase } from "../../../../src/trading/guards/check-entry.ts";
import { count, loss, lotsRule, OF_RULE, settingsOf } from "../../domain/guards/kit.ts";
import { ES, NQ } from "../lane-kit.ts";

const TERMS = { symbol: "ESZ6", tickSize: "0.25", tickValue: "12.50", currency: "USD" };
const QUOTE = { bid: ticks(27_399), ask: ticks(27_400), heardAt: 0 };
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
}

/** Why an order is refused by one rule, in words; undefined where it passes. */
function check(rule: GuardRule, { order, verdict, held = {}, working = [], ...more }: Case = {}) {
  const positions = Object.entries(held).map(([contract, netQty]) => ({ contract, netQty }));
  const snapshot = { positions, working, opaque: [] } as never;
  const asked = { ...BUY, ...order };
  return checkEntry({
    settings: settingsOf([rule]),
    verdicts: verdict === undefined ? [] : [{ ruleId: rule.id, ...verdict } as Verdict],
    order: asked,
    exposure: exposureOf(asked.contract, snapshot),
    snapshot,
    terms: { ...TERMS, ...more.terms },
    quote: "quote" in more ? more.quote : QUOTE,
    restriction: () => undefined,
  })[0];
}

describe("room", () => {
  const verdict = { room: 100 * 100 };

  test.each([
    [8, undefined],
    [9, "Its stop would lose 112.50 USD; 100.00 USD is left"],
  ])("a stop %i ticks away", (by, reason) => {
    const found = check(loss(), { order: distance(by), verdict });
    expect(found?.reason.slice(0, reason?.length)).toBe(reason);
  });

  test("a stop at a price is counted from where the order would fill", () => {
    const stop = (price: number) => ({
      bracket: { stopLoss: { by: "price", price: ticks(price) } as const },
    });
    expect(check(loss(), { order: stop(27_392), verdict })).toBeUndefined();
    expect(check(loss(), { order: stop(27_391), verdict })).toBeDefined();
    const sell = { side: "SELL", ...stop(27_408) };
    expect(check(loss(), { order: sell, verdict })).toBeDefined();
    const limit = { ordType: "LIMIT", price: ticks(27_395), ...stop(27_388) };
    expect(check(loss(), { order: limit, verdict })).toBeUndefined();
  });

  test("what the stops of entries that rest would lose is counted beside it", () => {
    const working = [
      resting("1", { leavesQty: 2 }),
      resting("2", {
        side: "SELL",
        role: "STOP_LOSS",
        ordStatus: "HELD",
        ordType: "STOP",
        stopPx: ticks(26_998),
        parentOrderId: orderId("1"),
      }),
    ];
    expect(check(loss(), { order: distance(4), verdict, working })).toBeUndefined();
    expect(check(loss(), { order: distance(5), verdict, working })?.reason).toContain(
      "and those of entries that rest 50.00 USD",
    );
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
