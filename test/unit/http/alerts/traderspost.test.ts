import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AlertRequest, ReadAlert } from "../../../../src/domain/alert.ts";
import type { SideSwap } from "../../../../src/domain/declared/webhook-options.ts";
import { GatewayError } from "../../../../src/errors.ts";
import type { ProfileOptions } from "../../../../src/http/alerts/alert-profile.ts";
import { OWN_FIELDS, TRADERSPOST_EXAMPLES } from "./corpus/traderspost.ts";
import {
  type Body,
  faultsOf,
  naming,
  offOf,
  planIn,
  readWithProfile,
} from "./read-with-profile.ts";

const { read, readText, requestOf, problemsOf, problemsOfText } = readWithProfile("traderspost");

const BUY = { ticker: "MNQ", action: "buy" };
const LIMIT_BUY = { ...BUY, orderType: "limit", limitPrice: 18500 };
const PROFIT = { limitPrice: 18600 };
const STOP = { type: "stop", stopPrice: 18400 };

function adjustOf(body: Body, options?: ProfileOptions): Extract<AlertRequest, { kind: "adjust" }> {
  const request = requestOf(body, options);
  if (request.kind !== "adjust") throw new Error(`read as ${request.kind}`);
  return request;
}

describe("what the service's pages and its users publish", () => {
  const readable = TRADERSPOST_EXAMPLES.filter((example) => "reads" in example);
  const refused = TRADERSPOST_EXAMPLES.filter((example) => "refused" in example);

  test.each(readable)("is read: $name", ({ body, reads }) => {
    expect(readText(body, { allowedExtraFields: OWN_FIELDS }).request).toEqual(reads);
  });

  test.each(refused)("is refused: $name", (example) => {
    const expected = example.refused.map(({ path, contains }) => naming(path, contains));
    const problems = problemsOfText(example.body, { allowedExtraFields: OWN_FIELDS });
    expect(problems).toEqual(expect.arrayContaining(expected));
    expect(problems).toHaveLength(expected.length);
  });
});

describe("the side that the position is to be on", () => {
  test.each([
    ["buy", undefined, { to: "enter", side: "BUY", whenOpposite: "reduceIfLess" }],
    ["buy", "bullish", { to: "enter", side: "BUY", whenOpposite: "close" }],
    ["buy", "long", { to: "enter", side: "BUY", whenOpposite: "close" }],
    ["buy", "bearish", { to: "close", qty: 3, holding: "SHORT" }],
    ["buy", "short", { to: "close", qty: 3, holding: "SHORT" }],
    ["buy", "flat", { to: "close", percent: 100, holding: "SHORT" }],
    ["sell", undefined, { to: "enter", side: "SELL", whenOpposite: "reduceIfLess" }],
    ["sell", "bearish", { to: "enter", side: "SELL", whenOpposite: "close" }],
    ["SELL", "Short", { to: "enter", side: "SELL", whenOpposite: "close" }],
    ["sell", "bullish", { to: "close", qty: 3, holding: "LONG" }],
    ["sell", "long", { to: "close", qty: 3, holding: "LONG" }],
    ["sell", "FLAT", { to: "close", percent: 100, holding: "LONG" }],
  ])("%s with sentiment %s", (action, sentiment, aim) => {
    const body = { ticker: "ES1!", action, sentiment, quantity: 3 };
    const whole = aim.to === "enter" ? { ...aim, qty: 3, whenHeld: "refuse" } : aim;
    expect(adjustOf(body)).toMatchObject({ symbol: "ES1!", aim: whole, cancelFirst: true });
  });

  test.each<[SideSwap | undefined, object]>([
    [undefined, { swap: "never" }],
    ["off", { swap: "never" }],
    ["on", {}],
    ["subtract", { swap: "withRest" }],
  ])("with sideSwap %s an opposite signal swaps as %j", (sideSwap, swap) => {
    const options = sideSwap === undefined ? {} : { sideSwap };
    const common = { to: "enter", side: "SELL", qty: 2, whenHeld: "refuse" };
    const body = { ticker: "ES1!", action: "sell", quantity: 2 };
    expect(adjustOf(body, options).aim).toEqual({
      ...common,
      whenOpposite: "reduceIfLess",
      ...swap,
    });
    expect(adjustOf({ ...body, sentiment: "short" }, options).aim).toEqual({
      ...common,
      whenOpposite: "close",
      ...swap,
    });
    // A turn is a word of its own, whatever the switch says.
    expect(adjustOf({ ...body, action: "reverse" }, options).aim).toEqual({
      to: "reverse",
      qty: 2,
    });
  });

  test("the closing part of a strategy without a quantity closes all", () => {
    const { aim } = adjustOf({ ...BUY, sentiment: "short" });
    expect(aim).toEqual({ to: "close", percent: 100, holding: "SHORT" });
  });

  test.each([0, "-2", "many", 2.5])("flat is flat, were the quantity %j", (quantity) => {
    const { aim } = adjustOf({ ...BUY, sentiment: "flat", quantity, quantityType: "risk_percent" });
    expect(aim).toEqual({ to: "close", percent: 100, holding: "SHORT" });
  });

  test("exit with the sentiment that it leads to is an exit, and with another one refused", () => {
    const exit = { ticker: "MNQ", action: "exit" };
    expect(requestOf({ ...exit, sentiment: "flat" })).toEqual(requestOf(exit));
    expect(problemsOf({ ...exit, sentiment: "long" })).toEqual([naming("sentiment")]);
  });

  test.each(["add", "cancel", "reverse", "breakeven"])(
    "%s with a sentiment is refused, as by the service",
    (action) => {
      const problems = problemsOf({ ticker: "MNQ", action, sentiment: "flat" });
      expect(problems).toContainEqual(naming("sentiment", "belongs to buy and sell"));
    },
  );

  test.each(["limit", "stop", "stop_limit", "trailing_stop"])(
    "a %s order that would meet the other side is not for the lane to close at once",
    (orderType) => {
      const prices = {
        limitPrice: orderType.endsWith("limit") ? 18500 : null,
        stopPrice: orderType.startsWith("stop") ? 18510 : null,
        trailAmount: orderType === "trailing_stop" ? 5 : null,
      };
      const sell = { ticker: "MNQ", action: "sell", orderType, ...prices };
      expect(adjustOf(sell).onlyWhen).toEqual(["FLAT", "SHORT"]);
    },
  );
});

describe("quantity", () => {
  test.each([
    ["one contract, where nobody said", {}, undefined, 1],
    ["the webhook's, where the alert says none", {}, 3, 3],
    ["the alert's before the webhook's", { quantity: "2" }, 3, 2],
    ["parts of a contract rounded down", { quantity: 2.99 }, undefined, 2],
    ["what null leaves out", { quantity: null, quantityType: "fixed_quantity" }, 4, 4],
  ])("of an entry: %s", (_, fields, defaultQty, qty) => {
    const options = defaultQty === undefined ? {} : { defaultQty };
    expect(adjustOf({ ...BUY, ...fields }, options).aim).toMatchObject({ to: "enter", qty });
    const add = { ticker: "MNQ", action: "add", ...fields };
    expect(adjustOf(add, options).aim).toEqual({ to: "add", qty });
  });

  test("the webhook's default is never how much an exit closes or a reverse turns", () => {
    const options = { defaultQty: 3 };
    const exit = { ticker: "MNQ", action: "exit" };
    expect(requestOf(exit, options)).toEqual({ kind: "exit", symbol: "MNQ" });
    const reverse = { ticker: "MNQ", action: "reverse" };
    expect(adjustOf(reverse, options).aim).toEqual({ to: "reverse" });
  });

  test("a webhook's default does not make a buy a partial exit", () => {
    const { aim } = adjustOf(BUY, { defaultQty: 2 });
    expect(aim).toMatchObject({ qty: 2, whenOpposite: "close" });
  });

  test.each([0, -1, "0", 0.5, "ten", true, {}, 10_001])("%j is refused", (quantity) => {
    for (const action of ["buy", "add", "reverse"]) {
      expect(problemsOf({ ticker: "MNQ", action, quantity })).toEqual([naming("quantity")]);
    }
  });

  test.each(["ten", true, {}])("%j is refused of an exit too", (quantity) => {
    expect(problemsOf({ ticker: "MNQ", action: "exit", quantity })).toEqual([naming("quantity")]);
  });

  test.each([
    [0.5, 1],
    ["2.9", 2],
    [-2, 2],
    [10_001, 10_000],
  ])("%j of an exit is %d: a way out is never nothing", (quantity, qty) => {
    for (const exit of [{ action: "exit" }, { action: "sell", sentiment: "bullish" }]) {
      expect(adjustOf({ ticker: "MNQ", ...exit, quantity }).aim).toMatchObject({
        to: "close",
        qty,
      });
    }
  });

  test.each([0, "0", "0.00"])(
    "%j of an exit, which may be what is left, is all of it",
    (quantity) => {
      const share = { quantityType: "percent_of_position" };
      for (const more of [{}, share]) {
        expect(read({ ticker: "MNQ", action: "exit", quantity, ...more })).toEqual({
          request: { kind: "exit", symbol: "MNQ" },
          unread: ["quantity"],
        });
      }
    },
  );

  test.each(["dollar_amount", "percent_of_equity"])(
    "a size by %s is refused by name, and says why",
    (quantityType) => {
      for (const action of ["buy", "exit", "add", "reverse"]) {
        const body = { ticker: "MNQ", action, quantity: 1, quantityType };
        expect(problemsOf(body)).toEqual([naming("quantityType", `${quantityType} is not done`)]);
      }
    },
  );

  const share = { quantityType: "percent_of_position", quantity: "12.5" };

  test("a share of the position is for exits only", () => {
    const exit = adjustOf({ ticker: "MNQ", action: "exit", ...share });
    expect(exit.aim).toEqual({ to: "close", percent: 12.5 });
    const sell = adjustOf({ ticker: "MNQ", action: "sell", sentiment: "long", ...share });
    expect(sell.aim).toEqual({ to: "close", percent: 12.5, holding: "LONG" });
    for (const action of ["buy", "sell", "add", "reverse"]) {
      const problems = problemsOf({ ticker: "MNQ", action, ...share });
      expect(problems).toEqual([naming("quantityType", "belongs to exits")]);
    }
  });

  test.each([undefined, 0, 100, 101])("a share of %j percent is all of it", (quantity) => {
    const exit = { ticker: "MNQ", action: "exit", quantityType: "percent_of_position", quantity };
    expect(requestOf(exit)).toEqual({ kind: "exit", symbol: "MNQ" });
  });
});

describe("open orders", () => {
  test.each([
    ["buy", undefined, true],
    ["buy", false, undefined],
    ["buy", "true", true],
    ["reverse", undefined, true],
    ["reverse", "false", undefined],
    ["add", undefined, undefined],
    ["add", true, true],
  ])("%s with cancel %s", (action, cancel, cancelFirst) => {
    expect(adjustOf({ ticker: "MNQ", action, cancel }).cancelFirst).toBe(cancelFirst);
  });

  test("an exit that is to keep them closes the position and nothing else", () => {
    const exit = { ticker: "MNQ", action: "exit", cancel: false };
    const terms = { ordType: "MARKET" };
    const aim = { to: "close", percent: 100 };
    expect(requestOf(exit)).toEqual({ kind: "adjust", symbol: "MNQ", aim, terms });
    const part = adjustOf({ ...exit, cancel: true, quantity: 1 });
    expect(part).toMatchObject({ aim: { to: "close", qty: 1 }, cancelFirst: true });
  });
});

describe("what an order is", () => {
  test.each([
    [{ orderType: "market" }, { ordType: "MARKET" }],
    [
      { orderType: "limit", limitPrice: "18500.25" },
      { ordType: "LIMIT", limitPrice: "18500.25" },
    ],
    [
      { orderType: "STOP", stopPrice: 18510 },
      { ordType: "STOP", stopPrice: 18510 },
    ],
    [
      { orderType: "stop_limit", stopPrice: 18510, limitPrice: 18512 },
      { ordType: "STOP_LIMIT", stopPrice: 18510, limitPrice: 18512 },
    ],
    [
      { orderType: "trailing_stop", trailAmount: "5" },
      { ordType: "TRAILING_STOP", trailOffset: "5" },
    ],
    [{ timeInForce: "GTC" }, { ordType: "MARKET", timeInForce: "GTC" }],
    [{ timeInForce: "ioc" }, { ordType: "MARKET", timeInForce: "IOC" }],
    [{ stopLoss: { amount: 10 } }, { ordType: "MARKET", bracket: { stopLoss: { offset: 10 } } }],
  ])("%j", (fields, terms) => {
    const whole = { timeInForce: "DAY", ...terms };
    expect(adjustOf({ ...BUY, ...fields }).terms).toEqual(whole);
    expect(adjustOf({ ticker: "MNQ", action: "add", ...fields }).terms).toEqual(whole);
  });

  test.each([
    ["limit", ["limitPrice"]],
    ["stop", ["stopPrice"]],
    ["stop_limit", ["limitPrice", "stopPrice"]],
    ["trailing_stop", ["trailAmount"]],
  ])("a %s order takes no price but its own", (orderType, needed) => {
    const problems = problemsOf({ ...BUY, orderType, price: 18500, signalPrice: 18500 });
    expect(problems).toEqual(needed.map((name) => naming(name, "are never taken for it")));
  });

  test.each(["opg", "cls", "gtd", "tomorrow"])("timeInForce %s is refused", (timeInForce) => {
    expect(problemsOf({ ...BUY, timeInForce })).toEqual([naming("timeInForce")]);
    const exit = { ticker: "MNQ", action: "exit" };
    expect(read({ ...exit, timeInForce })).toMatchObject({
      request: requestOf(exit),
      unread: ["timeInForce"],
    });
  });

  test("what closes or turns goes at the market, or not at all", () => {
    const resting = { orderType: "limit", limitPrice: 18500 };
    const bodies = [
      { ticker: "MNQ", action: "exit", ...resting },
      { ticker: "MNQ", action: "reverse", ...resting },
      { ticker: "MNQ", action: "sell", sentiment: "flat", ...resting },
      { ticker: "MNQ", action: "sell", sentiment: "bullish", quantity: 1, ...resting },
    ];
    for (const body of bodies) {
      const problems = problemsOf(body);
      expect(problems).toEqual([naming("orderType", "market"), naming("limitPrice", "market")]);
    }
  });

  test("a template's bracket does not hold up a close, of all or of a part, nor a cancel", () => {
    const legs = { takeProfit: PROFIT, stopLoss: { type: "trailing_stop", trailAmount: 5 } };
    const exit = { ticker: "MNQ", action: "exit", ...legs };
    expect(requestOf(exit)).toEqual({ kind: "exit", symbol: "MNQ" });
    expect(adjustOf({ ...BUY, sentiment: "flat", ...legs }).terms).toEqual({ ordType: "MARKET" });
    const unread = ["takeProfit", "stopLoss"];
    expect(read({ ...exit, quantity: 1 })).toMatchObject({ request: { aim: { qty: 1 } }, unread });
    expect(read({ ticker: "MNQ", action: "cancel", ...legs })).toMatchObject({ unread });
    expect(requestOf({ ...exit, limitPrice: 18_500 })).toEqual({ kind: "exit", symbol: "MNQ" });
  });
});

describe("what is asked for and not done", () => {
  const stops = ["sl", "stop", "stopLossPrice", "stopLossAmount", "stopLossPercent"];
  const profits = ["tp", "target", "takeProfitPrice", "takeProfitAmount", "takeProfitPercent"];
  const topLevel: readonly { name: string; on: unknown; base?: Body }[] = [
    { name: "delay", on: 3 },
    { name: "marketPriceType", on: "mark", base: LIMIT_BUY },
    { name: "bidAskSpreadFilter", on: 0.5 },
    { name: "cancelOrderType", on: "stop", base: { ticker: "MNQ", action: "cancel" } },
    { name: "breakevenOffset", on: 5 },
    { name: "trailPercent", on: "0.5" },
    { name: "extendedHours", on: true },
    { name: "optionType", on: "call" },
    { name: "intrinsicValue", on: "itm" },
    { name: "expiration", on: "2026-12-18" },
    { name: "strike", on: 5000 },
    { name: "strikePrice", on: 5000 },
    { name: "strikeCount", on: 2 },
    { name: "limitPrice", on: 18500 },
    { name: "stopPrice", on: "18400" },
    { name: "trailAmount", on: 5 },
    { name: "takeProfit", on: 18600 },
    { name: "takeProfit", on: [PROFIT] },
    { name: "stopLoss", on: "18400" },
    { name: "stopLoss", on: true },
    ...stops.map((name) => ({ name, on: 18400 })),
    ...profits.map((name) => ({ name, on: PROFIT })),
    { name: "bracket", on: { stopLoss: STOP } },
    { name: "trail", on: true },
    { name: "trailOffset", on: 5 },
    { name: "trailingStop", on: "5" },
    { name: "qty", on: 2 },
    { name: "size", on: 2 },
    { name: "contracts", on: "2" },
    { name: "type", on: "limit" },
    { name: "tif", on: "gtc" },
    { name: "cancelFirst", on: true },
    { name: "market_position", on: "flat" },
    { name: "marketPosition", on: "flat" },
  ];

  test.each(topLevel)("$name is refused by name when it says $on", ({ name, on, base = BUY }) => {
    expect(problemsOf({ ...base, [name]: on })).toEqual([naming(name)]);
    for (const off of offOf(name)) {
      expect(requestOf({ ...base, [name]: off })).toEqual(requestOf(base));
    }
  });

  const inLegs: readonly (readonly [leg: string, name: string, on: unknown])[] = [
    ...["pnlAmount", "value", "price"].flatMap((name) => [
      ["takeProfit", name, "2"] as const,
      ["stopLoss", name, 2] as const,
    ]),
    ["takeProfit", "type", "stop"],
    ["takeProfit", "quantity", 1],
    ["stopLoss", "type", "stop_limit"],
    ["stopLoss", "type", "mental"],
    ["stopLoss", "limitPrice", 18390],
    ["stopLoss", "trailAmount", "5"],
    ["stopLoss", "trailPercent", 0.5],
    ["stopLoss", "trailPrice", 18390],
    ["stopLoss", "stop_price", 18390],
  ];

  test.each(inLegs)("%s.%s is refused by name when it says %j", (leg, name, on) => {
    const level = leg === "takeProfit" ? PROFIT : STOP;
    expect(problemsOf({ ...BUY, [leg]: { ...level, [name]: on } })).toEqual([
      naming(`${leg}.${name}`),
    ]);
  });

  test.each(["percent", "pnlAmount", "limitPrice", "trailAmount", "amount"])(
    "stopLoss.%s that is off asks for nothing",
    (name) => {
      const plain = requestOf({ ...BUY, stopLoss: STOP });
      for (const off of [0, "", null, "0"]) {
        expect(requestOf({ ...BUY, stopLoss: { ...STOP, [name]: off } })).toEqual(plain);
      }
    },
  );

  test.each([{}, { type: "stop" }, { stopPrice: 0 }, { stopPrice: 18400, amount: 10 }])(
    "the stop-loss %j has no one level",
    (stopLoss) => {
      expect(problemsOf({ ...BUY, stopLoss })).toEqual([naming("stopLoss", "exactly one of")]);
    },
  );

  test.each(["Stop_Loss", "stop-loss", "take_profit", "order_type", "limit_price", "cancel_after"])(
    "%s is a known field misspelt",
    (name) => {
      expect(problemsOf({ ...BUY, [name]: 18400 })).toEqual([naming(name, "write")]);
    },
  );
});

describe("the age of an alert", () => {
  const time = "2026-06-17T13:35:00Z";
  const firedAt = Date.parse(time);

  test.each([
    [
      { rejectAfter: 10, time },
      { maxAgeMs: 10_000, firedAt },
    ],
    [{ rejectAfter: "10" }, { maxAgeMs: 10_000 }],
    [{ rejectAfter: 10, time, firedAt: "2026-06-17T13:34:00Z" }, { firedAt: firedAt - 60_000 }],
    [
      { rejectAfter: 10, maxAgeSeconds: 5, time },
      { maxAgeMs: 5000, firedAt },
    ],
    [{ rejectAfter: 10, maxAgeSeconds: 50 }, { maxAgeMs: 10_000 }],
    [{ rejectAfter: 10, time: "2026-06-17 15:35:00+02:00" }, { firedAt }],
  ])("%j", (fields, expected) => {
    expect(read({ ...BUY, ...fields })).toMatchObject(expected);
  });

  test.each([undefined, 0, false, "", null])("a limit of %j is none", (rejectAfter) => {
    const { request } = read(BUY);
    const alert = read({ ...BUY, rejectAfter, time: "2026-04-23 10:00:00" });
    expect(alert).toEqual({ request, unread: ["time"] });
  });

  test.each(["2026-04-23 10:00:00", "2026-04-23", "yesterday", "10:00Z"])(
    "a limit cannot count from %s",
    (at) => {
      expect(problemsOf({ ...BUY, rejectAfter: 10, time: at })).toEqual([naming("time")]);
    },
  );

  test.each([-1, 1.5, 86_401, "soon", true])("rejectAfter %j is refused", (rejectAfter) => {
    expect(problemsOf({ ...BUY, rejectAfter })).toEqual([naming("rejectAfter")]);
  });
});

describe("what stands beside it", () => {
  test("our own words hold here too", () => {
    const alert = read({ ...BUY, alertId: "a-1", test: "true", maxAgeSeconds: 20 });
    expect(alert).toMatchObject({ senderAlertId: "a-1", test: true, maxAgeMs: 20_000 });
  });

  test("names are read in any case, and secrets and remarks are passed over", () => {
    const secrets = { key: "k", token: "t", passphrase: "p" };
    const remarks = { interval: "5", ignoreTradingWindows: true, extras: { stopLoss: 5 } };
    const body = { TICKER: "MNQ", Action: "Buy", PRICE: "1", ...secrets, ...remarks };
    const unread = ["PRICE", "key", "token", "passphrase", ...Object.keys(remarks)];
    expect(read(body)).toEqual({ ...read(BUY), unread, signalPrice: "1" });
  });

  test("every problem is named at once", () => {
    const body = { action: "buy", quantity: 0, stopLoss: 5, delay: 3, sl: 4 };
    const paths = problemsOf(body).map(({ path }) => path);
    expect(paths.toSorted()).toEqual(["delay", "quantity", "sl", "stopLoss", "ticker"]);
  });
});

describe("whatever is written", () => {
  const anyOf = (text: string) => fc.constantFrom(...text.trim().split(/\s+/));
  const words = anyOf(`
    buy sell exit add reverse cancel breakeven long short flat market limit stop trailing_stop
    percent_of_position fixed_quantity day gtd true 0 1 2.5 -3 1e5 1e+30 NaN Infinity
  `);
  const names = anyOf(`
    sentiment quantity quantityType orderType limitPrice stopPrice trailAmount timeInForce cancel
    takeProfit stopLoss delay rejectAfter time alertId firedAt maxAgeSeconds test sl STOPLOSS
    stop_loss __proto__
  `);
  const scalar = fc.oneof(words, fc.integer({ min: -2, max: 200 }), fc.double(), fc.jsonValue());
  const leg = fc.dictionary(
    fc.constantFrom("type", "limitPrice", "stopPrice", "amount", "percent", "trailAmount", "x"),
    scalar,
    { maxKeys: 3 },
  );
  const goodLeg = fc.constantFrom<Body>(
    STOP,
    PROFIT,
    { amount: "10" },
    { type: "stop", amount: 4 },
    { percent: 1.5 },
    { type: "trailing_stop", trailPercent: "0.5" },
  );
  const given = fc.dictionary(fc.oneof({ weight: 9, arbitrary: names }, fc.string()), scalar, {
    maxKeys: 4,
  });
  const legs = fc.dictionary(
    fc.constantFrom("takeProfit", "stopLoss"),
    fc.oneof(goodLeg, leg, scalar),
  );
  const start = fc.record({
    ticker: fc.oneof(fc.constant("MNQ"), scalar),
    action: fc.constantFrom("buy", "sell", "exit", "add", "reverse", "cancel", "breakeven", "x"),
    sentiment: fc.constantFrom(undefined, undefined, undefined, "long", "short", "flat"),
  });
  const bodies = fc.tuple(start, given, legs).map((parts): Body => Object.assign({}, ...parts));
  const options = fc.constantFrom<ProfileOptions>({}, { defaultQty: 2 });

  /** Undefined when it was refused as the API refuses. */
  function tryRead(body: Body, how: ProfileOptions): ReadAlert | undefined {
    try {
      return read(body, how);
    } catch (error) {
      if (error instanceof GatewayError) return undefined;
      throw error;
    }
  }

  test("a request names a symbol and whole contracts, or it is refused", () => {
    fc.assert(
      fc.property(bodies, options, (body, how) => {
        const request = tryRead(body, how)?.request;
        expect(request === undefined ? [] : faultsOf(request)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test("a share of a position is more than nothing and at most all of it", () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer({ min: -10, max: 110 })), (quantity) => {
        const exit = { ticker: "MNQ", action: "exit", quantityType: "percent_of_position" };
        const request = tryRead({ ...exit, quantity }, {})?.request;
        const share = Math.abs(quantity);
        const isPart = share > 0 && share < 100;
        expect(request).toMatchObject(
          isPart ? { aim: { to: "close", percent: share } } : { kind: "exit", symbol: "MNQ" },
        );
      }),
    );
  });

  test("an order that opens or grows a position has every leg that was asked for", () => {
    fc.assert(
      fc.property(bodies, options, (body, how) => {
        const request = tryRead(body, how)?.request;
        if (request?.kind !== "adjust" || request.aim.to === "close") return;
        for (const name of ["takeProfit", "stopLoss"] as const) {
          const isOn = typeof body[name] === "object" && body[name] !== null;
          const { bracket } = request.terms;
          const { targets, stop, trailing } = planIn(request.terms);
          const planned = name === "takeProfit" ? targets : (stop ?? trailing);
          expect((bracket?.[name] ?? planned) !== undefined).toBe(isOn);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
