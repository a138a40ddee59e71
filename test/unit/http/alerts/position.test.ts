import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../../src/errors.ts";
import {
  IGNORED,
  INSIDE,
  KNOWN,
  REFUSED,
  TOP,
} from "../../../../src/http/alerts/profiles/position/fields.ts";
import { POSITION_EXAMPLES } from "./corpus/position.ts";
import { faultsOf, naming, offOf, ON, parted, readWithProfile } from "./read-with-profile.ts";

const { read, readText, requestOf, problemsOf, problemsOfText } = readWithProfile("position");

const LONG = { symbol: "MNQ1!", market_position: "long", market_position_size: 2 };
const FLAT = { symbol: "MNQ1!", market_position: "flat" };
const MARKET = { ordType: "MARKET" };
const to = (netQty: number, symbol = "MNQ1!") => ({
  kind: "adjust",
  symbol,
  aim: { to: "position", netQty },
  terms: MARKET,
});

describe("what receivers of this form publish", () => {
  const { read: readable, refused } = parted(POSITION_EXAMPLES);

  test.each(readable)("$name", ({ body, reads, controls = {} }) => {
    const { unread, signalPrice: _, ...alert } = readText(body);
    expect(alert).toEqual({ request: reads, ...controls });
    const bare = unread.map((name) => name.slice(name.lastIndexOf(".") + 1));
    expect(bare.filter((name) => !IGNORED.some((one) => one === name))).toEqual([]);
  });

  test.each(refused)("$name: refused", ({ body, refused: problems }) => {
    expect(problemsOfText(body)).toEqual(
      expect.arrayContaining(problems.map(({ path, contains }) => naming(path, contains))),
    );
  });
});

describe("a side and a size", () => {
  test.each([
    ["long", 2, 2],
    ["LONG", "2.0", 2],
    ["short", 2, -2],
    ["bearish", 1, -1],
    ["bullish", 1, 1],
    ["flat", 0, 0],
    ["flat", undefined, 0],
    ["flat", "", 0],
  ])("%s with %j", (market_position, market_position_size, netQty) => {
    const body = { symbol: "MNQ1!", market_position, market_position_size };
    expect(requestOf(body)).toEqual(to(netQty));
  });

  test.each([
    [{ market_position: "long", position_size: 2 }, 2],
    [{ market_position: "short", position_size: -2 }, -2],
    // Some senders leave the sign away: the word says it then.
    [{ market_position: "short", position_size: 2 }, -2],
    [{ market_position: "short", position_size: "-1", market_position_size: 1 }, -1],
    [{ position_size: "-2" }, -2],
    [{ position_size: 3 }, 3],
    [{ position_size: "0" }, 0],
    [{ position_size: "-0" }, 0],
    [{ market_position_size: 0 }, 0],
    [{ newPositionSize: -1 }, -1],
    [{ position: -2 }, -2],
    [{ position: "-2" }, -2],
    [{ position: "flat" }, 0],
    [{ position: "long", position_size: 4 }, 4],
    [{ direction: "short", target_quantity: 1 }, -1],
    [{ sentiment: "flat" }, 0],
    [{ marketPosition: "long", marketPositionSize: 1 }, 1],
    [{ MARKET_POSITION: "long", Position_Size: 1 }, 1],
    [{ strategy: { market_position: "short", market_position_size: 2 } }, -2],
    [{ strategy: { position_size: -2 } }, -2],
    [{ market_position_size: 2, strategy: { position_size: -2 } }, -2],
    [{ strategy: "My strategy", position_size: -2 }, -2],
    [{ strategy_info: { market_position: "long", market_position_size: "1" } }, 1],
    [{ position: { side: "short", size: 1 } }, -1],
    [{ market: { position: "long", position_size: "1" } }, 1],
    [{ market: "futures", position: 1 }, 1],
    [{ market_position: "long", strategy: { position_size: 1 } }, 1],
  ])("%j is %j", (given, netQty) => {
    expect(requestOf({ symbol: "MNQ1!", ...given })).toEqual(to(netQty));
  });

  test.each([
    [{ market_position: "flat", market_position_size: 1 }, "market_position_size", "contradicts"],
    [{ market_position: "flat", position_size: -1 }, "position_size", "which is flat"],
    [{ market_position: "long", market_position_size: 0 }, "market_position_size", "which is long"],
    [{ market_position: "short", position_size: "0" }, "position_size", "which is short"],
    [{ market_position: "long", position_size: -1 }, "position_size", "which is long"],
    [{ market_position: "short", market_position_size: -1 }, "market_position_size", "from 0"],
    [{ ...LONG, position_size: 3 }, "market_position_size", "contradicts position_size"],
    [{ position_size: 1, newPositionSize: -1 }, "newPositionSize", "contradicts position_size"],
    [{ ...LONG, sentiment: "flat" }, "sentiment", "contradicts market_position"],
    [
      { ...LONG, strategy: { market_position: "short" } },
      "strategy.market_position",
      "contradicts market_position",
    ],
    [{ market_position: "buy" }, "market_position", "must be one of long"],
    [{ position: "closed" }, "position", "must be one of long"],
    [{ position_size: "1.5" }, "position_size", "whole number"],
    [{ position_size: 10_001 }, "position_size", "whole number"],
    [{ market_position_size: 2 }, "market_position", "needed"],
    [{ action: "buy", quantity: 1 }, "market_position", "needed"],
    [{ action: "sell", prev_market_position: "long" }, "market_position", "needed"],
    [{ market_position: "long" }, "market_position_size", "default quantity"],
  ])("%j is refused", (given, path, contains) => {
    expect(problemsOf({ symbol: "MNQ1!", ...given })).toEqual([naming(path, contains)]);
  });

  test("without a size is the webhook's default, and flat stays flat", () => {
    const { market_position_size: _, ...bare } = LONG;
    expect(requestOf(bare, { defaultQty: 3 })).toEqual(to(3));
    expect(requestOf({ ...bare, market_position: "short" }, { defaultQty: 3 })).toEqual(to(-3));
    expect(requestOf(FLAT, { defaultQty: 3 })).toEqual(to(0));
    expect(() => read({ ...LONG, market_position_size: 0 }, { defaultQty: 3 })).toThrow(
      "contradicts",
    );
  });

  test("say where it ends: no word about the order changes that", () => {
    const order = {
      action: "sell",
      quantity: 5,
      prev_market_position: "long",
      price: 7,
      order: "buy",
    };
    const sold = { strategy: { side: "SELL" } };
    expect(requestOf({ ...LONG, ...order })).toMatchObject({ aim: { netQty: 2, ...sold } });
    // OpenAlgo would sell 5 here if nothing is held.
    const flat = requestOf({ symbol: "MNQ1!", ...order, position_size: 0 });
    expect(flat).toMatchObject({ aim: { netQty: 0, ...sold } });
  });
});

describe("the order that led there", () => {
  const strategyOf = (said: object) => {
    const request = requestOf({ ...LONG, ...said });
    return request.kind === "adjust" && request.aim.to === "position" && request.aim.strategy;
  };

  test.each([
    [
      { prev_market_position: "flat", prev_market_position_size: "0" },
      { side: "BUY", from: 0 },
    ],
    [{ prev_market_position: "FLAT" }, { side: "BUY", from: 0 }],
    [
      { prevMarketPosition: "long", prevMarketPositionSize: 3 },
      { side: "SELL", from: 3 },
    ],
    [
      { prev_market_position: "short", prev_market_position_size: 1 },
      { side: "BUY", from: -1 },
    ],
    [{ prev_position_size: "-1" }, { side: "BUY", from: -1 }],
    [{ strategy: { prev_market_position: "flat" } }, { side: "BUY", from: 0 }],
    // The position before is said by numbers, and goes before a word that a template may hold fixed.
    [
      { prev_position: "flat", action: "sell" },
      { side: "BUY", from: 0 },
    ],
    [{ action: "Sell" }, { side: "SELL" }],
    [{ strategy: { order_action: "buy" } }, { side: "BUY" }],
    [{ prev_market_position: "long", action: "buy" }, { side: "BUY" }],
    [
      { action: "buy", timenow: "2026-09-21T14:30:07Z" },
      { side: "BUY", filledAt: Date.UTC(2026, 8, 21, 14, 30, 7) },
    ],
    [
      { action: "buy", firedAt: "2026-09-21T14:30:00Z" },
      { side: "BUY", filledAt: Date.UTC(2026, 8, 21, 14, 30) },
    ],
    // Perhaps the opening of the bar.
    [{ action: "buy", timestamp: "2026-09-21T14:30:00Z" }, { side: "BUY" }],
  ])("%j is %j", (said, strategy) => {
    expect(strategyOf(said)).toEqual(strategy);
  });

  test.each([
    {},
    { action: "close" },
    { action: "buy", strategy: { order_action: "sell" } },
    { prev_market_position: "long" },
    { prev_market_position: "up", prev_market_position_size: "some" },
    // Sent without an order of the strategy: it repeats where that is.
    { prev_market_position: "long", prev_market_position_size: 2, action: "buy" },
  ])("%j names none, and is read", (said) => {
    expect(strategyOf(said)).toBeUndefined();
  });
});

describe("the symbol", () => {
  test.each([
    [{ symbol: "ES1!" }, "ES1!"],
    [{ ticker: "ES1!" }, "ES1!"],
    [{ instrument: "CME_MINI:ES1!" }, "CME_MINI:ES1!"],
    [{ tv_instrument: "ES1!", tv_exchange: "CME_MINI" }, "CME_MINI:ES1!"],
    [{ ticker: "ES1!", exchange: "CME_MINI_DL" }, "CME_MINI_DL:ES1!"],
    [{ ticker: "CME_MINI:ES1!", exchange: "CME" }, "CME:CME_MINI:ES1!"],
    [{ ticker: "ES1!", instrument: "NASDAQ:ES1!" }, "NASDAQ:ES1!"],
    [{ ticker: "ES1!", exchange: ["CME"] }, '["CME"]:ES1!'],
    // Colgate, not crude oil: the reader of symbols refuses it by its exchange.
    [{ ticker: "CL", exchange: "NYSE" }, "NYSE:CL"],
    [{ symbol: "CME_MINI:ES1!", ticker: "es1!" }, "CME_MINI:ES1!"],
  ])("of %j is %s", (given, symbol) => {
    expect(requestOf({ market_position: "flat", ...given })).toEqual(to(0, symbol));
  });

  test.each([
    [{}, "symbol", "needed"],
    [{ symbol: "ES1!", ticker: "NQ1!" }, "ticker", "contradicts symbol"],
    [{ symbol: ["ES"] }, "symbol", "text"],
  ])("of %j is refused", (given, path, contains) => {
    expect(problemsOf({ market_position: "flat", ...given })).toEqual([naming(path, contains)]);
  });
});

describe("the order that goes there", () => {
  const legs = { takeProfit: { ticks: 40 }, stopLoss: { price: "21300.25" } };

  test("may have legs, which an exit has no use for", () => {
    expect(requestOf({ ...LONG, ...legs })).toEqual({
      ...to(2),
      terms: { ...MARKET, bracket: legs },
    });
    expect(requestOf({ ...FLAT, ...legs })).toEqual(to(0));
    expect(problemsOf({ ...LONG, stopLoss: 5 })).toEqual([naming("stopLoss", "must be an object")]);
    for (const [name, value] of Object.entries({ stopLoss: 5, sl: 5, limitPrice: 5, risk: 1 })) {
      expect(read({ ...FLAT, [name]: value }).unread).toEqual([name]);
    }
    expect(problemsOf({ ...FLAT, stopLoss: 5, percent: 50 })).toHaveLength(2);
  });

  test("may come after cancels, and last", () => {
    expect(requestOf({ ...LONG, cancelFirst: "true", tif: "gtc" })).toEqual({
      ...to(2),
      terms: { ...MARKET, timeInForce: "GTC" },
      cancelFirst: true,
    });
    expect(requestOf({ ...LONG, cancelFirst: "no" })).toEqual({ ...to(2), cancelFirst: false });
  });

  test.each(["orderType", "order_type", "type", "pricetype"])("is at the market: %s", (name) => {
    expect(requestOf({ ...LONG, [name]: "MARKET" })).toEqual(to(2));
    expect(requestOf({ ...FLAT, [name]: "limit" })).toEqual(to(0));
    expect(problemsOf({ ...LONG, [name]: "limit" })).toEqual([naming(name, "must be market")]);
    expect(problemsOf({ ...LONG, strategy: { [name]: "limit" } })).toEqual([
      naming(`strategy.${name}`, "must be market"),
    ]);
  });

  test.each(["quantityType", "investmentType"])("has a plain size: %s", (name) => {
    expect(requestOf({ ...LONG, [name]: "base" })).toEqual(to(2));
    expect(problemsOf({ ...LONG, [name]: "risk_percent" })).toEqual([
      naming(name, "must be one of"),
    ]);
  });
});

describe("what is not done here", () => {
  test.each(Object.keys(REFUSED))(
    "%s is refused by name when it is on, and asks for nothing when it is off",
    (name) => {
      for (const on of ON) {
        expect(problemsOf({ ...LONG, [name]: on })).toEqual([naming(name)]);
        expect(problemsOf({ ...LONG, strategy: { [name]: on } })).toEqual([
          naming(`strategy.${name}`),
        ]);
      }
      for (const off of offOf(name)) {
        expect(requestOf({ ...LONG, [name]: off })).toEqual(to(2));
      }
    },
  );

  test.each([
    ["stop_loss", "write stopLoss"],
    ["Take-Profit", "write takeProfit"],
    ["trailAmount", "move the stop"],
    ["market-position", "write market_position"],
    ["max_age_seconds", "write maxAgeSeconds"],
  ])("%s is not overlooked", (name, contains) => {
    expect(problemsOf({ ...LONG, [name]: 5 })).toEqual([naming(name, contains)]);
  });

  test("legs inside of an object are not overlooked", () => {
    const strategy = { stopLoss: { ticks: 4 }, take_profit: 3 };
    expect(problemsOf({ ...LONG, strategy })).toEqual([
      naming("strategy.stopLoss", "beside strategy"),
      naming("strategy.take_profit", "write takeProfit"),
    ]);
  });

  test("one webhook is one account", () => {
    expect(requestOf({ ...LONG, account: "sim101" })).toEqual(to(2));
    expect(problemsOf({ ...LONG, account: "a,b" })).toEqual([naming("account", "one account")]);
  });
});

describe("the alert's own limits", () => {
  const fired = "2026-05-12T14:31:00Z";
  const firedAt = Date.parse(fired);

  test.each([
    [
      { max_lag: "300", timestamp: fired },
      { maxAgeMs: 300_000, firedAt },
    ],
    [
      { maxLag: 60, timestamp: firedAt },
      { maxAgeMs: 60_000, firedAt },
    ],
    [{ max_lag: 60 }, { maxAgeMs: 60_000 }],
    [{ timestamp: "yesterday" }, {}],
    [
      { maxAgeSeconds: 5, firedAt: fired, alertId: 7 },
      { maxAgeMs: 5000, firedAt, senderAlertId: "7" },
    ],
    [{ test: true }, { test: true }],
  ])("%j", (given, expected) => {
    const { request: _, unread: __, ...controls } = read({ ...LONG, ...given });
    expect(controls).toEqual(expected);
  });

  test.each([
    [{ max_lag: 0 }, "max_lag", "whole number"],
    [{ maxLag: "soon" }, "maxLag", "number"],
    [{ max_lag: 60, timestamp: "yesterday" }, "timestamp", "must be a time"],
    [{ max_lag: 60, maxAgeSeconds: 60 }, "max_lag", "one of the two"],
  ])("%j is refused", (given, path, contains) => {
    expect(problemsOf({ ...LONG, ...given })).toEqual([naming(path, contains)]);
  });
});

test("what nobody knows is refused wherever it stands, and passes where the target is flat", () => {
  const strategy = { market_position: "long", mood: "good", order_id: "L" };
  expect(problemsOf({ ...LONG, strategy, phase: 3 })).toEqual([
    naming("phase", "is not a known field"),
    naming("strategy.mood", "is not a known field"),
  ]);
  const flat = { ...LONG, market_position: "flat", market_position_size: 0, mood: "bad" };
  expect(read(flat).unread).toEqual(["mood"]);
});

test("an action is the order's that led there, and any other word is shown", () => {
  expect(read({ ...LONG, action: "cancel", bar: { open: 1 } }).unread).toEqual(["action", "bar"]);
  expect(read({ ...LONG, action: "Buy" }).unread).toEqual([]);
});

test("nothing that a field may hold makes an unsound request, or another error than ours", () => {
  const words = fc.constantFrom<unknown>(
    "long",
    "short",
    "flat",
    "MNQ1!",
    -2,
    0,
    2,
    "2",
    "market",
    true,
  );
  const value = fc.oneof({ weight: 3, arbitrary: words }, fc.jsonValue({ maxDepth: 2 }));
  const said = [TOP, ...Object.values(INSIDE)].flatMap(({ sides, signed, sizes }) => [
    ...sides,
    ...signed,
    ...sizes,
  ]);
  const name = fc.constantFrom<string>(
    ...said,
    ...KNOWN,
    ...IGNORED,
    "position",
    "max_lag",
    "action",
  );
  const fields = fc.dictionary(name, value, { maxKeys: 8 });
  const inside = fc.dictionary(fc.constantFrom(...Object.keys(INSIDE)), fields, { maxKeys: 2 });
  fc.assert(
    fc.property(fields, inside, fc.constantFrom({}, FLAT, LONG), (given, objects, start) => {
      try {
        expect(faultsOf(requestOf({ ...start, ...given, ...objects }, { defaultQty: 1 }))).toEqual(
          [],
        );
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
      }
    }),
    { numRuns: 2_000 },
  );
});
