import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AlertRequest } from "../../../../src/domain/alert.ts";
import { offOf } from "./read-with-profile.ts";
import { type ReadOptions, readOutcome } from "./read-outcome.ts";

const buyOne = { action: "buy", symbol: "ES", qty: 1 };
const MARKET = { ordType: "MARKET", timeInForce: "DAY" };

const read = (fields: object, options: ReadOptions = {}) =>
  readOutcome(JSON.stringify(fields), options);

function request(fields: object, options: ReadOptions = {}): AlertRequest | object {
  const alert = read(fields, options);
  return "request" in alert && typeof alert.request === "object" ? alert.request : alert;
}

function ticket(fields: object, options: ReadOptions = {}): object {
  const asked = request(fields, options);
  return "ticket" in asked ? asked.ticket : asked;
}

describe("an order that is sized by its risk", () => {
  const buy = { action: "buy", symbol: "ES", stopLoss: { ticks: 24 } };

  test.each([
    [{ risk: "500" }, { risk: "500" }],
    [{ riskPercent: 0.5 }, { riskPercent: 0.5 }],
    [{ size: { risk: 500 } }, { risk: 500 }],
    [{ size: { riskPercent: "1", min: "1" } }, { riskPercent: "1", min: 1 }],
  ])("%j is its size", (fields, size) => {
    expect(ticket({ ...buy, ...fields })).toMatchObject({ size, orderQty: 1 });
    expect(request({ ...buy, ...fields, cancelFirst: true })).toMatchObject({
      kind: "adjust",
      terms: { size },
    });
    expect(request({ ...buy, ...fields, action: "reverse" })).toMatchObject({ terms: { size } });
    // Before the webhook's own default.
    expect(ticket({ ...buy, ...fields }, { defaultQty: 5 })).toMatchObject({ size, orderQty: 1 });
  });

  test.each([
    [{ risk: 500, qty: 1 }, "risk"],
    [{ risk: 500, riskPercent: 1 }, "size"],
    [{ size: { risk: 500 }, risk: 400 }, "size"],
    [{ size: { risk: 500 }, qty: 1 }, "size"],
    [{ size: { min: 1 } }, "size"],
    [{ size: 2 }, "size"],
    [{ size: { risk: 500, most: 3 } }, "size.most"],
    [{ size: { risk: "much" } }, "size.risk"],
  ])("%j is refused", (fields, place) => {
    expect(Object.keys(request({ ...buy, ...fields }))).toContain(place);
  });

  test("without a quantity it is what the webhook's owner has set", () => {
    const bySetting = { riskMoney: "500", defaultQty: 5 };
    expect(ticket(buy, bySetting)).toMatchObject({ size: { risk: "500" }, orderQty: 1 });
    expect(ticket(buy, { riskPercent: "1" })).toMatchObject({ size: { riskPercent: "1" } });
    expect(ticket({ ...buy, qty: 2 }, bySetting)).toMatchObject({ orderQty: 2 });
    expect(ticket({ ...buy, qty: 2 }, bySetting)).not.toHaveProperty("size");
    expect(ticket({ ...buy, risk: 7 }, bySetting)).toMatchObject({ size: { risk: 7 } });
  });

  test("a way out asks for none of it, but a number of contracts may be meant to be less", () => {
    expect(request({ action: "close", symbol: "ES", risk: 500 })).toMatchObject({
      kind: "flatten",
    });
    expect(request({ action: "close", symbol: "ES", size: { risk: 5 } })).toMatchObject({
      kind: "flatten",
    });
    expect(Object.keys(request({ action: "close", symbol: "ES", size: 2 }))).toEqual(["size"]);
  });
});

describe("an order", () => {
  test("takes numbers written as text, and keeps every digit of a price", () => {
    const fields = { ...buyOne, qty: " 2 ", type: "LIMIT", limitPrice: "5000.250000000001" };
    expect(ticket(fields)).toMatchObject({
      orderQty: 2,
      ordType: "LIMIT",
      limitPrice: "5000.250000000001",
    });
    expect(ticket({ ...buyOne, qty: "3.0" })).toMatchObject({ orderQty: 3 });
  });

  test("takes every type and duration, in any case", () => {
    const fields = { ...buyOne, limitPrice: 1, stopPrice: "2", trailOffset: 3 };
    expect(ticket({ ...fields, type: "STOPLIMIT", timeInForce: "GTC" })).toMatchObject({
      ordType: "STOP_LIMIT",
      timeInForce: "GTC",
      limitPrice: 1,
      stopPrice: "2",
      trailOffset: 3,
    });
  });

  test("takes its names in any case", () => {
    expect(read({ Action: "BUY", SYMBOL: "ES", Qty: "1", STOPLOSS: { Ticks: 4 } })).toEqual(
      read({ ...buyOne, stopLoss: { ticks: 4 } }),
    );
  });

  test("takes the legs in a bracket or beside it", () => {
    const stopLoss = { ticks: "20" };
    const expected = { bracket: { stopLoss: { ticks: 20 } } };
    expect(ticket({ ...buyOne, stopLoss })).toMatchObject(expected);
    expect(ticket({ ...buyOne, bracket: { stopLoss } })).toMatchObject(expected);
    expect(read({ ...buyOne, stopLoss, bracket: { stopLoss } })).toEqual({
      stopLoss: "is given twice: here and in bracket",
    });
    expect(
      ticket({ ...buyOne, stopLoss, bracket: { takeProfit: { price: "5010" } } }),
    ).toMatchObject({ bracket: { stopLoss: { ticks: 20 }, takeProfit: { price: "5010" } } });
  });

  test("without a quantity is for the webhook's own, where it has one", () => {
    const { qty: _, ...noQty } = buyOne;
    expect(read(noQty)).toEqual({ qty: "is needed" });
    expect(ticket(noQty, { defaultQty: 3 })).toMatchObject({ orderQty: 3 });
    expect(ticket(buyOne, { defaultQty: 3 })).toMatchObject({ orderQty: 1 });
    expect(read({ ...buyOne, qty: 0 }, { defaultQty: 3 })).toHaveProperty("qty");
  });

  test("lists the fields that ask for nothing, and null is left out", () => {
    const fields = { ...buyOne, time: "now", Comment: "a", limitPrice: null, other: "" };
    expect(read(fields)).toEqual({ request: request(buyOne), unread: ["time", "Comment"] });
  });

  test("after a cancel of what rests in its symbol is an adjustment of exactly that order", () => {
    expect(request({ ...buyOne, cancelFirst: "true", stopLoss: { offset: "5" } })).toEqual({
      kind: "adjust",
      symbol: "ES",
      aim: { to: "order", side: "BUY", qty: 1 },
      terms: { ...MARKET, bracket: { stopLoss: { offset: "5" } } },
      cancelFirst: true,
    });
    expect(request({ ...buyOne, cancelFirst: "0" })).toEqual(request(buyOne));
  });
});

describe("the other actions", () => {
  test.each(["close", "FLAT", " Flatten ", "exit"])("%j closes the whole account", (action) => {
    expect(request({ action })).toEqual({ kind: "flatten" });
    expect(request({ action, symbol: "ES1!", qty: 3 })).toEqual({
      kind: "flatten",
      symbol: "ES1!",
    });
    expect(read({ action, percent: 50 })).toEqual({
      percent: 'belongs to "action": "reduce": this one closes the whole account',
    });
  });

  const adjust = (aim: object, more: object = {}) => ({
    kind: "adjust",
    symbol: "ES",
    aim,
    terms: MARKET,
    ...more,
  });
  const closing = (aim: object) => adjust(aim, { terms: { ordType: "MARKET" } });

  test.each([
    [{ action: "reverse" }, adjust({ to: "reverse" })],
    [{ action: "Reverse", qty: "2" }, adjust({ to: "reverse", qty: 2 })],
    [{ action: "reverse", cancelFirst: true }, adjust({ to: "reverse" }, { cancelFirst: true })],
    [{ action: "reduce", qty: 2 }, closing({ to: "close", qty: 2 })],
    [{ action: "reduce", percent: "12.5" }, closing({ to: "close", percent: 12.5 })],
    [{ action: "reduce", percent: 100 }, closing({ to: "close", percent: 100 })],
    [{ position: 3 }, adjust({ to: "position", netQty: 3 })],
    [{ position: "-2" }, adjust({ to: "position", netQty: -2 })],
    [{ position: "0" }, adjust({ to: "position", netQty: 0 })],
    [
      { position: 1, prev_market_position: "long", prev_market_position_size: 2 },
      adjust({ to: "position", netQty: 1, strategy: { side: "SELL", from: 2 } }),
    ],
    [
      { position: 3, cancelFirst: "0" },
      adjust({ to: "position", netQty: 3 }, { cancelFirst: false }),
    ],
    [{ position: "-2.0", action: "" }, adjust({ to: "position", netQty: -2 })],
    [
      { position: 1, cancelFirst: 1, type: "limit", limitPrice: "5000", stopLoss: { ticks: 8 } },
      adjust(
        { to: "position", netQty: 1 },
        {
          cancelFirst: true,
          terms: {
            ...MARKET,
            ordType: "LIMIT",
            limitPrice: "5000",
            bracket: { stopLoss: { ticks: 8 } },
          },
        },
      ),
    ],
    [{ action: "cancel" }, { kind: "cancel", symbol: "ES" }],
    [
      { action: "protect", stopLoss: { price: 5000 }, takeProfit: { offset: "12.5" } },
      {
        kind: "protect",
        symbol: "ES",
        legs: { stopLoss: { price: 5000 }, takeProfit: { offset: "12.5" } },
      },
    ],
    [
      { action: "protect", bracket: { stopLoss: { ticks: 8 } } },
      { kind: "protect", symbol: "ES", legs: { stopLoss: { ticks: 8 } } },
    ],
  ])("%j", (fields, expected) => {
    expect(request({ symbol: "ES", ...fields })).toEqual(expected);
  });

  test("a cancel without a symbol is for the account", () => {
    expect(request({ action: "cancel" })).toEqual({ kind: "cancel" });
  });
});

describe("what the alert says about itself", () => {
  const controls = (fields: object) => {
    const { request: _, unread: __, ...said } = read({ ...buyOne, ...fields });
    return said;
  };
  const FIRED = Date.UTC(2026, 8, 21, 14, 30);

  test.each([
    [{}, {}],
    [{ alertId: "a-1" }, { senderAlertId: "a-1" }],
    [{ alertId: "x".repeat(1_000) }, { senderAlertId: "x".repeat(1_000) }],
    [{ alertid: 17 }, { senderAlertId: "17" }],
    [{ alertId: " " }, {}],
    [{ maxAgeSeconds: "20" }, { maxAgeMs: 20_000 }],
    [{ maxAgeSeconds: 86_400 }, { maxAgeMs: 86_400_000 }],
    [{ test: true }, { test: true }],
    [{ test: "YES" }, { test: true }],
    [{ test: 1 }, { test: true }],
    [{ test: false }, {}],
    [{ test: "0" }, {}],
    [{ firedAt: "2026-09-21T14:30:00Z" }, { firedAt: FIRED }],
    [{ firedAt: "2026-09-21t14:30:00.000z" }, { firedAt: FIRED }],
    [{ firedAt: "2026-09-21T09:30:00-05:00" }, { firedAt: FIRED }],
    [{ firedAt: FIRED }, { firedAt: FIRED }],
    [{ firedAt: String(FIRED) }, { firedAt: FIRED }],
    [{ firedAt: FIRED / 1000 }, { firedAt: FIRED }],
    [{ firedAt: `${FIRED / 1000}.25` }, { firedAt: FIRED + 250 }],
  ])("%j", (fields, expected) => {
    expect(controls(fields)).toEqual(expected);
  });

  const TIME = "must be a time such as 2026-09-21T14:30:00Z";

  test.each([
    [{ alertId: "x".repeat(1_001) }, { alertId: "must be text of 1 to 1000 characters" }],
    [{ alertId: {} }, { alertId: "must be text of 1 to 1000 characters" }],
    [{ maxAgeSeconds: 0 }, { maxAgeSeconds: "must be a whole number from 1 to 86400" }],
    [{ maxAgeSeconds: 86_401 }, { maxAgeSeconds: "must be a whole number from 1 to 86400" }],
    [{ test: "maybe" }, { test: "must be true or false" }],
    [{ firedAt: "now" }, { firedAt: TIME }],
    [{ firedAt: "ES 5" }, { firedAt: TIME }],
    [{ firedAt: "2026-09-21T14:30:00" }, { firedAt: TIME }],
    [{ firedAt: "2026-09-21" }, { firedAt: TIME }],
    [{ firedAt: "2026-13-21T14:30:00Z" }, { firedAt: TIME }],
    [{ firedAt: -5 }, { firedAt: TIME }],
    [{ firedAt: 0 }, { firedAt: TIME }],
    [{ firedAt: "0x10" }, { firedAt: TIME }],
    [{ firedAt: "123456789012345678901234567890" }, { firedAt: TIME }],
    [{ firedAt: 1e300 }, { firedAt: TIME }],
  ])("%j is refused", (fields, expected) => {
    expect(read({ ...buyOne, ...fields })).toEqual(expected);
  });
});

describe("what is refused", () => {
  test.each([
    ["stop_loss", "stopLoss"],
    ["stop-loss", "stopLoss"],
    ["stop loss", "stopLoss"],
    ["TAKE_PROFIT", "takeProfit"],
    ["limit_price", "limitPrice"],
    ["Cancel_First", "cancelFirst"],
    ["alert_id", "alertId"],
    ["time_in_force", "timeInForce"],
  ])("%s rather than ignored", (name, meant) => {
    expect(read({ ...buyOne, [name]: 1 })).toEqual({
      [name]: `is not a known field; write ${meant}`,
    });
  });

  test.each([
    ["sl", "stopLoss"],
    ["TP", "takeProfit"],
    ["quantity", "qty"],
    ["contracts", "qty"],
    ["Ticker", "symbol"],
    ["orderType", "type"],
    ["tif", "timeInForce"],
    ["sentiment", "position"],
    ["trail", "an exitPlan with trailing, or trailOffset for an order of type trailingStop"],
  ])("%s by its name, as another service's word", (name, ours) => {
    expect(read({ ...buyOne, [name]: 5 })).toEqual({
      [name]: `is another service's word: write ${ours}, or set the webhook's profile`,
    });
    const offs = offOf(name, [false, "no"]);
    for (const off of offs) {
      expect(read({ ...buyOne, [name]: off })).toMatchObject({ request: request(buyOne) });
    }
  });

  test("everything that is wrong, at once", () => {
    expect(
      read({
        action: "sell",
        symbol: true,
        qty: "1.5",
        type: "iceberg",
        limitPrice: "abc",
        timeInForce: 1,
        takeProfit: 5010,
        stopLoss: { price: 1, ticks: 2 },
        cancelFirst: "perhaps",
      }),
    ).toEqual({
      symbol: "must be text of 1 to 32 characters",
      qty: "must be a whole number from 1 to 10000",
      type: "must be one of market, limit, stop, stopLimit, trailingStop",
      limitPrice: "must be a number",
      timeInForce: "must be one of day, gtc, ioc, fok",
      takeProfit: "must be an object with exactly one of price, ticks and offset",
      stopLoss: "must be an object with exactly one of price, ticks and offset",
      cancelFirst: "must be true or false",
    });
  });

  const ACTIONS =
    "must be one of buy, sell, close, flat, flatten, exit, reverse, reduce, cancel, protect";
  const OTHER_WAY = "belongs to another way of saying it: give position, or action with qty";
  const ONE_PART = "or percent is needed to reduce a position: exactly one of the two";

  test.each([
    [{}, { action: "is needed" }],
    [{ action: "" }, { action: "is needed" }],
    [{ action: "hold" }, { action: ACTIONS }],
    [{ ...buyOne, qty: 0 }, { qty: "must be a whole number from 1 to 10000" }],
    [{ ...buyOne, qty: -1 }, { qty: "must be a whole number from 1 to 10000" }],
    [{ ...buyOne, qty: 10_001 }, { qty: "must be a whole number from 1 to 10000" }],
    [{ ...buyOne, qty: "1e1" }, { qty: "must be a number" }],
    [{ ...buyOne, qty: "" }, { qty: "is needed" }],
    [{ ...buyOne, qty: null }, { qty: "is needed" }],
    [{ ...buyOne, symbol: "X".repeat(33) }, { symbol: "must be text of 1 to 32 characters" }],
    [{ ...buyOne, Qty: 2 }, { qty: "is given twice, in different spellings" }],
    [
      { ...buyOne, bracket: {} },
      { bracket: "must be an object with takeProfit, stopLoss or both" },
    ],
    [
      { ...buyOne, stopLoss: { ticks: 0 } },
      { "stopLoss.ticks": "must be a whole number from 1 to 100000" },
    ],
    [
      { ...buyOne, stopLoss: { ticks: 4, trail: 1 } },
      {
        "stopLoss.trail": expect.stringContaining("is not a known field"),
      },
    ],
    [
      { ...buyOne, bracket: { stopLoss: { ticks: 4 }, take_profit: { ticks: 4 } } },
      { "bracket.take_profit": "is not a known field; write takeProfit" },
    ],
    [
      { ...buyOne, position: 2 },
      { action: OTHER_WAY, qty: OTHER_WAY },
    ],
    [{ symbol: "ES", qty: 1, position: "0" }, { qty: OTHER_WAY }],
    [{ position: 2 }, { symbol: "is needed" }],
    [
      { symbol: "ES", position: "1.5" },
      { position: "must be a whole number from -10000 to 10000" },
    ],
    [{ symbol: "ES", position: "long" }, { position: "must be a number" }],
    [{ action: "reverse" }, { symbol: "is needed" }],
    [{ action: "reduce", symbol: "ES" }, { qty: ONE_PART }],
    [{ action: "reduce", symbol: "ES", qty: 1, percent: 50 }, { qty: ONE_PART }],
    [
      { action: "reduce", symbol: "ES", percent: 101 },
      { percent: "must be above 0 and at most 100" },
    ],
    [
      { action: "reduce", symbol: "ES", percent: 0 },
      { percent: "must be above 0 and at most 100" },
    ],
    [
      { action: "protect", symbol: "ES" },
      { stopLoss: "or takeProfit or exitPlan is needed to protect" },
    ],
    [{ action: "protect", stopLoss: { ticks: 4 } }, { symbol: "is needed" }],
    [[buyOne, { ...buyOne, qty: 0 }], { "1.qty": "must be a whole number from 1 to 10000" }],
  ])("%j", (fields, expected) => {
    expect(read(fields)).toEqual(expected);
  });

  test.each([
    ["stopLoss", { ticks: 4 }],
    ["stopLoss", 4],
    ["takeProfit", { price: 1, ticks: 1 }],
    ["bracket", { stopLoss: { ticks: 4 } }],
    ["limitPrice", 5000],
    ["sl", 4990],
  ])("not %s: %j, where nothing is opened", (name, value) => {
    for (const out of [reduce, { symbol: "ES", position: 0 }]) {
      const alert = read({ ...out, [name]: value });
      expect(alert).toMatchObject({ request: { kind: "adjust", symbol: "ES" } });
      expect(read({ ...buyOne, [name]: value })).not.toMatchObject({ request: { kind: "adjust" } });
    }
    expect(read({ ...reduce, [name]: value })).toHaveProperty("unread", [name]);
  });

  const AT_MARKET = 'does not belong to "action": "reduce", which goes at the market';
  const reduce = { action: "reduce", symbol: "ES", qty: 1 };

  test.each([
    [{ ...reduce, type: "limit", limitPrice: 5000 }, { type: AT_MARKET }],
    [{ ...reduce, type: "trailingStop", trailOffset: 5 }, { type: AT_MARKET }],
    [{ ...buyOne, percent: 50 }, { percent: 'belongs to "action": "reduce"' }],
    [{ symbol: "ES", position: 2, percent: 50 }, { percent: 'belongs to "action": "reduce"' }],
  ])("%j, which would be another order without that field", (fields, expected) => {
    expect(read(fields)).toEqual(expected);
  });

  test.each([
    [{ action: "cancel", symbol: "ES", stopLoss: { ticks: 4 } }, "stopLoss"],
    [{ action: "flatten", stopLoss: { ticks: 4 } }, "stopLoss"],
    [{ action: "protect", symbol: "ES", stopLoss: { ticks: 4 }, qty: 1 }, "qty"],
  ])("no field in silence: %j lists %s as not read", (fields, name) => {
    expect(read(fields)).toMatchObject({ unread: [name] });
  });
});

test("the pairs and the JSON of the same alert are the same alert", () => {
  const value = fc.oneof(fc.integer({ min: -5, max: 12 }).map(String), fc.constant("buy"));
  const name = fc.constantFrom("action", "symbol", "qty", "position", "percent", "test", "other");
  fc.assert(
    fc.property(fc.dictionary(name, value, { noNullPrototype: true, minKeys: 1 }), (fields) => {
      const pairs = Object.entries(fields).map(([key, text]) => `${key}=${text}`);
      expect(readOutcome(pairs.join(";"), {})).toEqual(read(fields));
    }),
  );
});

test.each([
  ["25100.25", "25100.25"],
  [25_100.25, "25100.25"],
  [" 0.0065 ", "0.0065"],
  ["-37.63", "-37.63"],
  [0, undefined],
  ["{close}", undefined],
  ["1e5", undefined],
  [null, undefined],
])(
  "the price that an alert names, %j, is kept as it was written, and asks for nothing",
  (price, kept) => {
    const { signalPrice, request } = read({ ...buyOne, price });
    expect(signalPrice).toBe(kept);
    expect(request).toEqual(read(buyOne).request);
  },
);
