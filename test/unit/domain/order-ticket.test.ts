import { describe, expect, test } from "vitest";
import fc from "fast-check";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { SIDES, TIMES_IN_FORCE } from "../../../src/domain/order.ts";
import { ORD_TYPES, type OrdType } from "../../../src/domain/declared/order-types.ts";
import { type OrderTicket, prepareLegs, prepareOrder } from "../../../src/domain/order-ticket.ts";
import type { LegTicket } from "../../../src/domain/contracts/tick-reader.ts";
import {
  formatTicks,
  type TickSize,
  tickSize,
  ticks,
} from "../../../src/domain/contracts/price.ts";

const ES = "ESZ2026" as ContractCode;
const QUARTER = tickSize("0.25");
const YEN = tickSize("0.0000005");

function prepare(change: Partial<OrderTicket>, size = QUARTER) {
  const ticket: OrderTicket = {
    symbol: "ES1!",
    side: "BUY",
    ordType: "MARKET",
    orderQty: 2,
    ...change,
  };
  return prepareOrder(ticket, ES, { tickSize: size, mayBeNegative: true });
}

function problemsOf(change: Partial<OrderTicket>, size = QUARTER) {
  const prepared = prepare(change, size);
  return prepared.ok ? [] : prepared.problems.map(({ path, message }) => `${path} ${message}`);
}

describe("prepareOrder", () => {
  test("a plain market order is on the resolved contract, for the day", () => {
    expect(prepare({})).toEqual({
      ok: true,
      value: {
        contract: "ESZ2026",
        side: "BUY",
        orderQty: 2,
        ordType: "MARKET",
        timeInForce: "DAY",
      },
    });
  });

  test("prices, stops, offsets and legs are counted in ticks", () => {
    const prepared = prepare({
      ordType: "STOP_LIMIT",
      timeInForce: "GTC",
      limitPrice: 4000.5,
      stopPrice: "4000.25",
      bracket: { takeProfit: { ticks: 8 }, stopLoss: { offset: "2.5" } },
    });
    expect(prepared).toMatchObject({
      ok: true,
      value: {
        timeInForce: "GTC",
        price: 16_002,
        stopPx: 16_001,
        bracket: {
          takeProfit: { by: "distance", distance: 8 },
          stopLoss: { by: "distance", distance: 10 },
        },
      },
    });
  });

  test("a trailing stop's offset is a count of ticks", () => {
    expect(prepare({ ordType: "TRAILING_STOP", trailOffset: 1.5 })).toMatchObject({
      ok: true,
      value: { trailOffset: 6 },
    });
  });

  test.each<[OrdType, Partial<OrderTicket>, string[]]>([
    ["MARKET", { limitPrice: 1 }, ["limitPrice has no meaning on a market order"]],
    ["MARKET", { stopPrice: 1 }, ["stopPrice has no meaning on a market order"]],
    ["MARKET", { trailOffset: 1 }, ["trailOffset has no meaning on a market order"]],
    ["LIMIT", {}, ["limitPrice is needed for a limit order"]],
    ["LIMIT", { limitPrice: 1, stopPrice: 1 }, ["stopPrice has no meaning on a limit order"]],
    ["STOP", {}, ["stopPrice is needed for a stop order"]],
    ["STOP", { stopPrice: 1, limitPrice: 1 }, ["limitPrice has no meaning on a stop order"]],
    [
      "STOP_LIMIT",
      {},
      ["limitPrice is needed for a stop-limit order", "stopPrice is needed for a stop-limit order"],
    ],
    ["TRAILING_STOP", {}, ["trailOffset is needed for a trailing-stop order"]],
    ["TRAILING_STOP", { trailOffset: 0 }, ["trailOffset must be greater than 0"]],
    ["TRAILING_STOP", { trailOffset: -1 }, ["trailOffset must be greater than 0"]],
  ])("a %s order with %j is refused", (ordType, change, problems) => {
    expect(problemsOf({ ordType, ...change })).toEqual(problems);
  });

  test.each([
    ["limitPrice", { ordType: "LIMIT", limitPrice: 4000.3 }, "4000.3"],
    ["stopPrice", { ordType: "STOP", stopPrice: "4000.1" }, "4000.1"],
    ["trailOffset", { ordType: "TRAILING_STOP", trailOffset: 0.1 }, "0.1"],
    ["bracket.takeProfit.price", { bracket: { takeProfit: { price: 1.1 } } }, "1.1"],
    ["bracket.stopLoss.price", { bracket: { stopLoss: { price: "1.1" } } }, "1.1"],
    ["bracket.takeProfit.offset", { bracket: { takeProfit: { offset: 0.3 } } }, "0.3"],
    ["bracket.stopLoss.offset", { bracket: { stopLoss: { offset: "0.3" } } }, "0.3"],
  ] as [string, Partial<OrderTicket>, string][])(
    "a value between two ticks is a problem of %s",
    (path, change, written) => {
      expect(problemsOf(change)).toEqual([
        `${path} ${written} is not a multiple of the tick size 0.25`,
      ]);
    },
  );

  test.each(["", "abc", "1,000", "Infinity", "0x10", " 1", "1e400", Number.NaN])(
    "%j is no price",
    (limitPrice) => {
      expect(problemsOf({ ordType: "LIMIT", limitPrice })).toHaveLength(1);
    },
  );

  test.each([
    [5e-7, 1],
    ["0.0000005", 1],
    ["5e-7", 1],
    [0.0067545, 13_509],
    ["0.0067540", 13_508],
  ])("the tiny price %j of the yen is exact", (limitPrice, expected) => {
    expect(prepare({ ordType: "LIMIT", limitPrice }, YEN)).toMatchObject({
      ok: true,
      value: { price: expected },
    });
  });

  test.each([4e-7, 7.5e-7, "0.00675401"])("%j falls between two ticks of the yen", (limitPrice) => {
    expect(problemsOf({ ordType: "LIMIT", limitPrice }, YEN)).toEqual([
      `limitPrice ${limitPrice} is not a multiple of the tick size 0.0000005`,
    ]);
  });

  test.each([
    {},
    { price: 1, ticks: 4 },
    { ticks: 4, offset: 1 },
    { price: 1, ticks: 4, offset: 1 },
  ])("a leg %j is not exactly one of three", (leg: LegTicket) => {
    const both = { takeProfit: leg, stopLoss: leg };
    expect(problemsOf({ bracket: both })).toEqual([
      "bracket.takeProfit needs exactly one of price, ticks and offset",
      "bracket.stopLoss needs exactly one of price, ticks and offset",
    ]);
  });

  test.each([{ ticks: 0 }, { ticks: -4 }, { offset: 0 }, { offset: "-1" }])(
    "a leg at the distance %j is refused",
    (leg: LegTicket) => {
      expect(problemsOf({ bracket: { stopLoss: leg } })).toEqual([
        "bracket.stopLoss must be greater than 0",
      ]);
    },
  );

  test.each<[string, Partial<OrderTicket>, string[]]>([
    [
      "a buy's take-profit at its limit",
      { ordType: "LIMIT", limitPrice: 100, bracket: { takeProfit: { price: 100 } } },
      ["bracket.takeProfit.price must be above the entry on a buy"],
    ],
    [
      "a sell's take-profit above its limit",
      { side: "SELL", ordType: "LIMIT", limitPrice: 100, bracket: { takeProfit: { price: 101 } } },
      ["bracket.takeProfit.price must be below the entry on a sell"],
    ],
    [
      "a buy's stop-loss above its trigger",
      { ordType: "STOP", stopPrice: 100, bracket: { stopLoss: { price: 101 } } },
      ["bracket.stopLoss.price must be below the entry on a buy"],
    ],
    [
      "a sell's stop-loss at its limit",
      { side: "SELL", ordType: "LIMIT", limitPrice: 100, bracket: { stopLoss: { price: 100 } } },
      ["bracket.stopLoss.price must be above the entry on a sell"],
    ],
    [
      "a market buy's legs the wrong way round",
      { bracket: { takeProfit: { price: 99 }, stopLoss: { price: 101 } } },
      ["bracket.takeProfit.price must be above the stop-loss on a buy"],
    ],
    [
      "a market sell's legs at one price",
      { side: "SELL", bracket: { takeProfit: { price: 99 }, stopLoss: { price: 99 } } },
      ["bracket.takeProfit.price must be below the stop-loss on a sell"],
    ],
  ])("%s is on the wrong side", (_, change, problems) => {
    expect(problemsOf(change)).toEqual(problems);
  });

  test("a stop-limit's legs lie outside of both its prices: between them it may be filled anywhere", () => {
    const entry = { ordType: "STOP_LIMIT", stopPrice: 100, limitPrice: 102 } as const;
    expect(problemsOf({ ...entry, bracket: { takeProfit: { price: 101 } } })).toEqual([
      "bracket.takeProfit.price must be above the entry on a buy",
    ]);
    for (const price of [102, 101, 100]) {
      expect(problemsOf({ ...entry, bracket: { stopLoss: { price } } })).toEqual([
        "bracket.stopLoss.price must be below the entry on a buy",
      ]);
    }
    const bracket = { takeProfit: { price: 103 }, stopLoss: { price: 99 } };
    expect(problemsOf({ ...entry, bracket })).toEqual([]);
  });

  test("a trailing stop's legs are held to each other: its entry has no price yet", () => {
    const entry = { ordType: "TRAILING_STOP", trailOffset: 1 } as const;
    const right = { takeProfit: { price: 2 }, stopLoss: { price: 1 } };
    expect(problemsOf({ ...entry, bracket: right })).toEqual([]);
    const wrong = { takeProfit: { price: 1 }, stopLoss: { price: 2 } };
    expect(problemsOf({ ...entry, bracket: wrong })).toEqual([
      "bracket.takeProfit.price must be above the stop-loss on a buy",
    ]);
  });

  const ORDERS: Record<OrdType, Partial<OrderTicket>> = {
    MARKET: {},
    LIMIT: { limitPrice: 100 },
    STOP: { stopPrice: 100 },
    STOP_LIMIT: { stopPrice: 100, limitPrice: 101 },
    TRAILING_STOP: { trailOffset: 1 },
  };
  const waits = (ordType: OrdType) => ordType !== "MARKET" && ordType !== "LIMIT";

  test.each(ORD_TYPES.flatMap((ordType) => TIMES_IN_FORCE.map((of) => [ordType, of] as const)))(
    "a %s order goes with %s, or is told that it has no meaning",
    (ordType, timeInForce) => {
      const isAtOnce = timeInForce === "IOC" || timeInForce === "FOK";
      const type = ordType.toLowerCase().replace("_", "-");
      const problem = `timeInForce ${timeInForce.toLowerCase()} has no meaning on a ${type} order`;
      expect(problemsOf({ ...ORDERS[ordType], ordType, timeInForce })).toEqual(
        isAtOnce && waits(ordType) ? [problem] : [],
      );
    },
  );

  describe("a price at or below zero", () => {
    const asked: [string, Partial<OrderTicket>][] = [
      ["limitPrice", { ordType: "LIMIT", limitPrice: -37.75 }],
      ["limitPrice", { ordType: "LIMIT", limitPrice: 0 }],
      ["stopPrice", { ordType: "STOP", stopPrice: "-0.25" }],
      ["bracket.stopLoss.price", { bracket: { stopLoss: { price: 0 } } }],
      ["bracket.takeProfit.price", { side: "SELL", bracket: { takeProfit: { price: -1 } } }],
    ];

    test.each(asked)("is a problem of %s: %j", (path, change) => {
      const ticket = { symbol: "ES", side: "BUY", ordType: "MARKET", orderQty: 1 } as const;
      expect(prepareOrder({ ...ticket, ...change }, ES, { tickSize: QUARTER })).toEqual({
        ok: false,
        problems: [{ path, message: "must be greater than 0" }],
      });
    });

    test.each(asked)("is a price where the exchange lets it be one: %s %j", (_, change) => {
      expect(problemsOf(change)).toEqual([]);
    });
  });

  test("every problem is named at once", () => {
    const bracket = { takeProfit: { price: 1.1 }, stopLoss: {} };
    expect(problemsOf({ ordType: "STOP_LIMIT", limitPrice: 0.1, trailOffset: 1, bracket })).toEqual(
      [
        "limitPrice 0.1 is not a multiple of the tick size 0.25",
        "stopPrice is needed for a stop-limit order",
        "trailOffset has no meaning on a stop-limit order",
        "bracket.takeProfit.price 1.1 is not a multiple of the tick size 0.25",
        "bracket.stopLoss needs exactly one of price, ticks and offset",
      ],
    );
  });

  test("an empty bracket is none", () => {
    const prepared = prepare({ bracket: {} });
    expect(prepared.ok && "bracket" in prepared.value).toBe(false);
  });

  const sizes = fc.constantFrom("0.25", "0.01", "0.0000005", "0.00005", "1", "0.015625");
  const counts = fc.integer({ min: -1_000_000, max: 1_000_000 });

  /** What a caller may write for a price: its text, or the number that JSON makes of it. */
  function written(count: number, size: TickSize, asNumber: boolean): number | string {
    const text = formatTicks(ticks(count), size);
    return asNumber ? Number(text) : text;
  }

  test("a prepared order's prices print back as they were written", () => {
    fc.assert(
      fc.property(sizes, counts, counts, fc.boolean(), (text, limit, stop, asNumber) => {
        const size = tickSize(text);
        const limitPrice = written(limit, size, asNumber);
        const stopPrice = written(stop, size, asNumber);
        const prepared = prepare({ ordType: "STOP_LIMIT", limitPrice, stopPrice }, size);
        expect(prepared).toMatchObject({ ok: true, value: { price: limit, stopPx: stop } });
        if (!prepared.ok) return;
        const { price = ticks(0), stopPx = ticks(0) } = prepared.value;
        expect(Number(formatTicks(price, size))).toBe(Number(limitPrice));
        expect(Number(formatTicks(stopPx, size))).toBe(Number(stopPrice));
      }),
    );
  });

  test("an order with legs passes exactly when both legs are on their sides of the entry", () => {
    const near = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(fc.constantFrom(...SIDES), near, near, near, (side, entry, profit, loss) => {
        const bracket = { takeProfit: { price: profit }, stopLoss: { price: loss } };
        const { ok } = prepare({ side, ordType: "LIMIT", limitPrice: entry, bracket });
        const isRight =
          side === "BUY" ? loss < entry && entry < profit : profit < entry && entry < loss;
        expect(ok).toBe(isRight);
      }),
    );
  });

  test("no ticket makes it throw, and a refusal names at least one problem", () => {
    const number = fc.option(fc.oneof(fc.double(), fc.string(), fc.integer()), { nil: undefined });
    const leg = fc.record({ price: number, offset: number }, { requiredKeys: [] });
    const ticket = fc.record(
      {
        ordType: fc.constantFrom(...ORD_TYPES),
        limitPrice: number,
        stopPrice: number,
        trailOffset: number,
        bracket: fc.record({ takeProfit: leg, stopLoss: leg }, { requiredKeys: [] }),
      },
      { requiredKeys: ["ordType"] },
    );
    fc.assert(
      fc.property(ticket, (change) => {
        const prepared = prepare(change as Partial<OrderTicket>);
        expect(prepared.ok || prepared.problems.length > 0).toBe(true);
      }),
    );
  });
});

describe("prepareLegs", () => {
  const terms = { tickSize: QUARTER };

  test("each leg becomes a level of its own", () => {
    const legs = { takeProfit: { price: "4010.25" }, stopLoss: { ticks: 12 } };
    expect(prepareLegs(legs, terms)).toEqual({
      ok: true,
      value: {
        takeProfit: { by: "price", price: 16_041 },
        stopLoss: { by: "distance", distance: 12 },
      },
    });
  });

  test("the stop of what is open may go to its entry, and nothing else", () => {
    expect(prepareLegs({ stopLoss: { atEntry: true } }, terms)).toEqual({
      ok: true,
      value: { stopLoss: { by: "distance", distance: 0 } },
    });
    expect(prepareLegs({ takeProfit: { atEntry: true } }, terms)).toMatchObject({
      problems: [{ path: "takeProfit" }],
    });
    expect(prepareLegs({ stopLoss: { atEntry: true, ticks: 2 } }, terms)).toMatchObject({
      problems: [{ path: "stopLoss" }],
    });
    expect(prepare({ bracket: { stopLoss: { atEntry: true } } })).toMatchObject({
      problems: [{ path: "bracket.stopLoss" }],
    });
  });

  test("no leg at all is refused", () => {
    expect(prepareLegs({}, terms)).toEqual({
      ok: false,
      problems: [
        { path: "takeProfit", message: "at least one of takeProfit and stopLoss is needed" },
      ],
    });
  });

  test("paths are those of the protection's own body", () => {
    const prepared = prepareLegs({ takeProfit: { ticks: 4 }, stopLoss: { price: 1.1 } }, terms);
    expect(prepared).toMatchObject({ ok: false, problems: [{ path: "stopLoss.price" }] });
  });

  test("an off-tick level alone is named as such", () => {
    const prepared = prepareLegs({ stopLoss: { price: 6840.3 } }, terms);
    expect(prepared).toEqual({
      ok: false,
      problems: [
        {
          path: "stopLoss.price",
          message: "6840.3 is not a multiple of the tick size 0.25",
        },
      ],
    });
  });

  test.each([0, -5])("a level at %i is refused where prices are above 0", (price) => {
    const legs = { stopLoss: { price } };
    const message = "must be greater than 0";
    expect(prepareLegs(legs, terms)).toEqual({
      ok: false,
      problems: [{ path: "stopLoss.price", message }],
    });
    expect(prepareLegs(legs, { ...terms, mayBeNegative: true }).ok).toBe(true);
  });
});
