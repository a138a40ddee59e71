// What an account's guards answer an entry before anything was judged, and without a price.
import { beforeEach, describe, expect, test } from "vitest";
import { entryGuardOf } from "../../../../src/trading/guards/entry-guard.ts";
import type { EntryOrder } from "../../../../src/trading/guards/entry-guards.ts";
import { GuardedAccount } from "../../../../src/trading/guards/guarded-account.ts";
import { type Quote, quoteHeardAt } from "../../../../src/domain/quote.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { minor } from "../../../../src/domain/money.ts";
import type { GuardRule } from "../../../../src/domain/guards/rule.ts";
import { drawdown, factsOf, loss, NOON, OF_RULE, settingsOf } from "../../domain/guards/kit.ts";
import { ACCOUNT, ES } from "../lane-kit.ts";

const VALUE: GuardRule = { ...OF_RULE, kind: "orderValue", max: minor(1) };
const ORDER = { contract: ES, side: "BUY", orderQty: 1, ordType: "MARKET" } as EntryOrder;

let price: Quote | undefined;
let asked: number;

beforeEach(() => {
  [price, asked] = [undefined, 0];
});

function open(rule: GuardRule, { isJudged = true, isBehind = false } = {}) {
  const stored = { version: "v1", settings: settingsOf([rule]) };
  const deps = { newLockId: () => "lock", elapsed: () => 0 };
  const account = new GuardedAccount(ACCOUNT, stored, undefined, deps);
  const broker = { at: NOON, worth: minor(50_000), open: minor(0) };
  if (isJudged) account.judge(factsOf({ broker }));
  return entryGuardOf(
    { id: ACCOUNT, account, calendars: undefined, isBehind, brokerGuards: undefined },
    {
      describe: () => ({ symbol: "ESZ6", mayBeNegative: false }) as never,
      expectedFee: () => undefined,
      priceOf: () => price,
      askQuote: async () => {
        asked += 1;
        price = quoteHeardAt(0, { last: ticks(27_400) });
        await Promise.resolve();
      },
      schedules: {} as never,
      claimSide: async () => await Promise.resolve(undefined),
      now: () => 0,
    },
  );
}

describe("an account that is not judged", () => {
  test("takes no entry", () => {
    expect(open(loss(), { isJudged: false }).unready?.code).toBe("GUARD_REFUSED");
  });

  test("by all that was reported takes none either", () => {
    expect(open(loss(), { isBehind: true }).unready?.code).toBe("GUARD_REFUSED");
    expect(open(loss()).unready).toBeUndefined();
  });
});

describe("an order whose worth is limited", () => {
  test("is refused while nobody tells its price", async () => {
    const guard = open(VALUE);
    expect(guard.unpriced?.(ORDER)?.reason).toContain("no price now");
    await guard.learnPrice?.(ORDER);
    expect(asked).toBe(1);
    expect(guard.unpriced?.(ORDER)).toBeUndefined();
  });

  test("is refused while only the other side of the book is known", async () => {
    price = quoteHeardAt(0, { bid: ticks(27_400) });
    const guard = open(VALUE);
    expect(guard.unpriced?.(ORDER)?.reason).toContain("has no price now");
    expect(guard.unpriced?.({ ...ORDER, side: "SELL" })).toBeUndefined();
    await guard.learnPrice?.(ORDER);
    expect(asked).toBe(1);
  });

  test("asks for none where it has its own", async () => {
    const guard = open(VALUE);
    await guard.learnPrice?.({ ...ORDER, price: ticks(27_400) });
    expect(asked).toBe(0);
  });
});

describe("an order whose stop-loss is at a price", () => {
  const order = {
    ...ORDER,
    bracket: { stopLoss: { by: "price", price: ticks(27_300) } },
  } as EntryOrder;

  test.each([loss(), drawdown()])("is refused by $kind while no price is known", async (rule) => {
    const guard = open(rule);
    expect(guard.unpriced?.(order)?.reason).toContain("no price now");
    await guard.learnPrice?.(order);
    expect(guard.unpriced?.(order)).toBeUndefined();
  });

  test("needs none with a price of its own, or with a stop by distance", () => {
    const guard = open(loss());
    expect(guard.unpriced?.({ ...order, price: ticks(27_400) })).toBeUndefined();
    const stopLoss = { by: "distance", distance: ticks(8) } as const;
    expect(guard.unpriced?.({ ...order, bracket: { stopLoss } })).toBeUndefined();
  });

  test.each([{ ...loss(), mode: "shadow" } as const, { ...VALUE, mode: "shadow" } as const])(
    "passes $kind in shadow",
    (rule) => {
      expect(open(rule).unpriced?.(order)).toBeUndefined();
    },
  );
});
