import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isUnreadByExits } from "../../../../src/http/alerts/meant-words.ts";
import {
  REFUSED_COMMANDS,
  REFUSED_FIELDS,
} from "../../../../src/http/alerts/profiles/crosstrade/read-crosstrade.ts";
import { CROSSTRADE_EXAMPLES } from "./corpus/crosstrade.ts";
import { offOf, readWithProfile } from "./read-with-profile.ts";
import { expectedOf, faultsOf, readOutcome, resultOf, wasRead } from "./read-outcome.ts";

type Pairs = Readonly<Record<string, unknown>>;

const ES = { instrument: "ES 09-26" };
const MARKET_BUY = { ...ES, action: "buy", qty: "1", order_type: "market", tif: "day" };

/** As pairs of text, or as JSON where a value is no text. */
function read(fields: Pairs, defaultQty?: number) {
  const isText = Object.values(fields).every((value) => typeof value === "string");
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${String(value)};`);
  return readOutcome(isText ? pairs.join("\n") : JSON.stringify(fields), {
    profile: "crosstrade",
    ...(defaultQty !== undefined && { defaultQty }),
  });
}

const place = (more: Pairs = {}, defaultQty?: number) =>
  read({ command: "PLACE", ...MARKET_BUY, ...more }, defaultQty);

const NO_EXITS = [
  "No stop-loss: the alert says so in stop_loss",
  "No take-profit: the alert says so in take_profit",
];

describe("public bodies", () => {
  test.each(CROSSTRADE_EXAMPLES)("$name", (example) => {
    expect(resultOf(example, { profile: "crosstrade" })).toEqual(expectedOf(example));
  });
});

describe("orders", () => {
  test.each([
    [
      { order_type: "LIMIT", limit_price: "5000.25" },
      { ordType: "LIMIT", limitPrice: "5000.25" },
    ],
    [
      { order_type: "stopmarket", stop_price: "5000" },
      { ordType: "STOP", stopPrice: "5000" },
    ],
    [
      { order_type: "stoplimit", stop_price: "5000", limit_price: "5001" },
      { ordType: "STOP_LIMIT", stopPrice: "5000", limitPrice: "5001" },
    ],
    [
      { order_type: "trailingstop", trail_offset: "4.00" },
      { ordType: "TRAILING_STOP", trailOffset: "4.00" },
    ],
    [
      { order_type: "trailingstop", peg_difference: "4" },
      { ordType: "TRAILING_STOP", trailOffset: "4" },
    ],
  ])("%j has its own prices", (written, terms) => {
    const ticket = { symbol: "ESU26", side: "BUY", orderQty: 1, timeInForce: "GTC", ...terms };
    expect(place({ tif: "GTC", ...written })).toEqual({
      request: { kind: "order", ticket },
      unread: [],
    });
  });

  test.each([
    [{ order_type: "limit" }, "limit_price", "is needed"],
    [{ order_type: "limit", limit_price: "0" }, "limit_price", "is needed"],
    [{ order_type: "limit", limit_price: "-3%" }, "limit_price", "relative"],
    [{ order_type: "stopmarket", stop_price: "15 points" }, "stop_price", "relative"],
    [{ order_type: "limit", limit_price: "5000,25" }, "limit_price", "must be a number"],
    [{ limit_price: "5000" }, "limit_price", "order_type=market"],
    [{ order_type: "MIT", stop_price: "5000" }, "order_type", "not placed here"],
    [{ order_type: "" }, "order_type", "is needed"],
    [{ tif: "opg" }, "tif", "must be one of"],
    [{ qty: "1.5" }, "qty", "whole number"],
    [{ quantity: "2" }, "quantity", "says the same as qty"],
    [{ instrument: "ES ##-##" }, "instrument", "such as ES1!"],
    [{ percent: "0.5" }, "percent", "command=PLACE"],
    [{ flatten_first: "perhaps" }, "flatten_first", "true or false"],
    [{ stoploss: "4900" }, "stoploss", "write stop_loss"],
    [{ account: ["a", "b"], qty: 1 }, "account", "point the webhook at a group"],
  ])("%j is refused", (written, path, contains) => {
    expect(place(written)).toEqual({ [path]: expect.stringContaining(contains) });
  });

  test("prices that are off ask for nothing", () => {
    for (const off of ["0", "0.00", "false", ""]) {
      const fields = { limit_price: off, stop_price: off };
      expect(place({ ...fields, require_market_position: off })).toEqual(place());
    }
    const json = { qty: 1, limit_price: null, take_profit: false, stop_loss: "false" };
    expect(place(json)).toMatchObject({ request: { kind: "order" }, notes: NO_EXITS });
  });

  test("the webhook's quantity stands in for none", () => {
    expect(place({ qty: "" })).toEqual({ qty: "is needed" });
    expect(place({ qty: "" }, 3)).toMatchObject({ request: { ticket: { orderQty: 3 } } });
    expect(place({ qty: "2" }, 3)).toMatchObject({ request: { ticket: { orderQty: 2 } } });
    expect(place({ qty: "0" }, 3)).toHaveProperty("qty");
  });

  test("fields of a chart stay unread, and our own controls are read", () => {
    const alert = place({ open: "5800", alertId: "a1", maxAgeSeconds: "20", test: "true" });
    expect(alert).toMatchObject({ senderAlertId: "a1", maxAgeMs: 20_000, test: true });
    expect(alert).toMatchObject({ unread: ["open"] });
  });
});

describe("legs", () => {
  test.each([
    ["buy", { take_profit: "25 ticks" }, { takeProfit: { ticks: 25 } }],
    ["buy", { take_profit: "+25ticks" }, { takeProfit: { ticks: 25 } }],
    ["buy", { stop_loss: "-1 tick" }, { stopLoss: { ticks: 1 } }],
    ["sell", { take_profit: "-25 Ticks" }, { takeProfit: { ticks: 25 } }],
    ["sell", { stop_loss: "7.5 points" }, { stopLoss: { offset: "7.5" } }],
    ["sell", { take_profit: "4900.00" }, { takeProfit: { price: "4900.00" } }],
  ])("of a %s: %j", (action, legs, bracket) => {
    expect(place({ action, ...legs })).toMatchObject({ request: { ticket: { bracket } } });
  });

  test.each([
    ["buy", "take_profit", "-25 ticks", "below the market, the wrong side for a buy"],
    ["buy", "stop_loss", "10 ticks", "above the market, the wrong side for a buy"],
    ["sell", "take_profit", "25 ticks", "above the market, the wrong side for a sell"],
    ["sell", "stop_loss", "-15 points", "below the market, the wrong side for a sell"],
    ["buy", "take_profit", "7.5 ticks", "whole number of ticks"],
    ["buy", "take_profit", "0 ticks", "whole number of ticks"],
    ["buy", "take_profit", "-5.5236 %", "below the market, the wrong side for a buy"],
    ["buy", "stop_loss", "1%", "above the market, the wrong side for a buy"],
    ["buy", "take_profit", "100%", "below 100 percent"],
    ["buy", "take_profit", "0 %", "below 100 percent"],
    ["buy", "stop_loss", "250 dollars", "money"],
    ["buy", "take_profit", "250$", "money"],
    ["buy", "stop_loss", "ten", "must be a number"],
  ])("of a %s: %s=%s is refused", (action, name, value, contains) => {
    expect(place({ action, [name]: value })).toEqual({ [name]: expect.stringContaining(contains) });
  });

  test.each([
    ["buy", { take_profit: "5.5236 %" }, { targets: [{ percent: "5.5236" }] }],
    [
      "buy",
      { take_profit: "25 ticks", stop_loss: "-1.53948%" },
      { targets: [{ ticks: 25 }], stop: { percent: "1.53948" } },
    ],
    [
      "sell",
      { take_profit: "4900", stop_loss: "+2 percent" },
      { targets: [{ price: "4900" }], stop: { percent: "2" } },
    ],
  ])("of a %s in percent are a plan: %j", (action, legs, exitPlan) => {
    expect(place({ action, ...legs })).toMatchObject({ request: { ticket: { exitPlan } } });
    const anew = read({ command: "FLATPLACE", ...MARKET_BUY, action, ...legs });
    expect(anew).toMatchObject({ request: { terms: { exitPlan } } });
    expect(place({ action, ...legs })).not.toHaveProperty("request.ticket.bracket");
  });

  test("in percent are counted from the entry alone", () => {
    const resting = { order_type: "limit", limit_price: "5000", stop_loss: "-1%" };
    const held = { command: "CANCELANDBRACKET", ...ES, action: "BUY", take_profit: "5000" };
    const why = { stop_loss: expect.stringContaining("last quote") };
    expect(place(resting)).toEqual(why);
    expect(read({ ...held, stop_loss: "-1%" })).toEqual(why);
  });

  test("of an entry that rests are prices", () => {
    const resting = { order_type: "limit", limit_price: "5000" };
    expect(place({ ...resting, stop_loss: "-10 ticks" })).toEqual({
      stop_loss: expect.stringContaining("last quote"),
    });
    expect(place({ ...resting, stop_loss: "4990" })).toMatchObject({
      request: { ticket: { bracket: { stopLoss: { price: "4990" } } } },
    });
  });
});

describe("cancel_after", () => {
  const LIMIT = { order_type: "limit", limit_price: "5000" };
  const timeout = { afterSeconds: 300, then: "cancel" };

  test("ends a limit order after so many minutes", () => {
    const written = { ...LIMIT, cancel_after: "5" };
    expect(place(written)).toMatchObject({ request: { ticket: { timeout } } });
    expect(read({ command: "FLATPLACE", ...MARKET_BUY, ...written })).toMatchObject({
      request: { terms: { timeout } },
    });
    for (const off of ["0", "false", "", 0, false, null]) {
      expect(place({ ...LIMIT, cancel_after: off })).toEqual(place(LIMIT));
    }
  });

  test("asks for nothing of an order that never rests, and is named as unread", () => {
    const unread = ["cancel_after"];
    expect(place({ cancel_after: "5" })).toEqual({ ...place(), unread });
    const ioc = { ...LIMIT, tif: "ioc" };
    expect(place({ ...ioc, cancel_after: "5" })).toEqual({ ...place(ioc), unread });
    const exit = { command: "CLOSEPOSITION", ...ES };
    expect(read({ ...exit, cancel_after: "5" })).toMatchObject({
      request: { kind: "exit" },
      unread,
    });
  });

  test.each([
    [{ ...LIMIT, cancel_after: "1.5" }, "whole number"],
    [{ ...LIMIT, cancel_after: "-5" }, "whole number"],
    [{ ...LIMIT, cancel_after: "1441" }, "whole number"],
    [{ ...LIMIT, cancel_after: "soon" }, "number"],
    [{ order_type: "stopmarket", stop_price: "5000", cancel_after: "5" }, "limit orders alone"],
  ])("%j is refused", (written, contains) => {
    expect(place(written)).toEqual({ cancel_after: expect.stringContaining(contains) });
  });
});

describe("commands that close and enter", () => {
  const anew = { to: "enter", side: "BUY", qty: 1, whenHeld: "replace", whenOpposite: "close" };

  test.each([
    [
      { command: "PLACE", flatten_first: "true" },
      { aim: anew, cancelFirst: true },
    ],
    [
      { command: "FLATPLACE", flatten_first: "true" },
      { aim: anew, cancelFirst: true },
    ],
    [
      { command: "FLATPLACE", require_market_position: "short" },
      { aim: anew, onlyWhen: ["SHORT"] },
    ],
    [{ command: "REVERSEPOSITION" }, { aim: anew, onlyWhen: ["LONG", "SHORT"] }],
    [
      { command: "REVERSEPOSITION", require_market_position: "flat, short" },
      { aim: anew, onlyWhen: ["SHORT"] },
    ],
    [{ command: "FLATPLACE", market_position: "long" }, { aim: anew }],
  ])("%j", (written, expected) => {
    const terms = { ordType: "MARKET", timeInForce: "DAY" };
    const request = { kind: "adjust", symbol: "ESU26", terms, ...expected };
    expect(read({ ...MARKET_BUY, ...written })).toEqual({ request, unread: [] });
  });

  test("REVERSEPOSITION of nothing is not asked for", () => {
    const fields = { command: "REVERSEPOSITION", ...MARKET_BUY, require_market_position: "flat" };
    expect(read(fields)).toEqual({ require_market_position: expect.stringContaining("nothing") });
  });

  test("a required position is one of three", () => {
    for (const value of ["up", "flat;", "long short", "constructor", "long,,flat"]) {
      expect(place({ require_market_position: value, qty: 1 })).toHaveProperty(
        "require_market_position",
      );
    }
  });

  test.each(["action", "qty", "take_profit", "flatten_first", "order_type"])(
    "REVERSE takes no %s",
    (name) => {
      const fields = { command: "REVERSE", ...ES, [name]: "1" };
      expect(read(fields)).toEqual({ [name]: expect.stringContaining("command=REVERSE") });
    },
  );
});

describe("synchronised orders", () => {
  const step = {
    sync_strategy: "true",
    market_position: "long",
    prev_market_position: "flat",
    target_quantity: "2",
  };
  const block = { ...step, out_of_sync: "block" };
  const resync = { ...step, out_of_sync: "resync" };

  test("block places the order where the account stands as the strategy did", () => {
    const aim = { to: "order", side: "BUY", qty: 1 };
    expect(place(block)).toMatchObject({ request: { aim, onlyWhen: ["FLAT"] } });
    expect(place({ ...block, require_market_position: "long" })).toHaveProperty(
      "require_market_position",
    );
  });

  test.each([
    ["long", "2", 2],
    ["short", "-2", -2],
    ["short", "2", -2],
    ["flat", "0", 0],
    ["flat", "", 0],
  ])("resync to %s %s", (market_position, target_quantity, netQty) => {
    expect(place({ ...resync, market_position, target_quantity })).toMatchObject({
      request: { kind: "adjust", symbol: "ESU26", aim: { to: "position", netQty } },
    });
  });

  test.each([
    [{ market_position: "long", target_quantity: "-2" }, "target_quantity"],
    [{ market_position: "long", target_quantity: "0" }, "target_quantity"],
    [{ market_position: "flat", target_quantity: "2" }, "target_quantity"],
    [{ market_position: "flat", target_quantity: "x" }, "target_quantity"],
    [{ target_quantity: "" }, "target_quantity"],
    [{ market_position: "" }, "market_position"],
    [{ prev_market_position: "" }, "prev_market_position"],
    [{ out_of_sync: "" }, "out_of_sync"],
    [{ out_of_sync: "flatten" }, "out_of_sync"],
    [{ flatten_first: "true" }, "flatten_first"],
    [{ order_type: "limit", limit_price: "5000" }, "order_type"],
  ])("%j is refused", (written, path) => {
    expect(Object.keys(place({ ...resync, ...written }))).toEqual([path]);
  });

  test("legs belong to the side that is entered, and to nothing when flat", () => {
    const legs = { stop_loss: "10 ticks" };
    expect(place({ ...resync, action: "buy", market_position: "short", ...legs })).toMatchObject({
      request: { terms: { bracket: { stopLoss: { ticks: 10 } } } },
    });
    const flat = place({
      ...resync,
      market_position: "flat",
      target_quantity: "0",
      stop_loss: "4900",
    });
    expect(flat).toMatchObject({ request: { terms: { ordType: "MARKET" } } });
    expect(flat).not.toHaveProperty("request.terms.bracket");
  });

  test("without sync_strategy its fields say nothing, and other commands do not take it", () => {
    const unread = ["prev_market_position", "target_quantity", "out_of_sync"];
    expect(place({ ...resync, sync_strategy: "false" })).toEqual({ ...place(), unread });
    expect(read({ command: "FLATPLACE", ...MARKET_BUY, ...resync })).toHaveProperty(
      "sync_strategy",
    );
  });
});

describe("exits", () => {
  const market = { ordType: "MARKET" };
  const adjust = { kind: "adjust", symbol: "ESU26", terms: market };
  const guarded = { cancelFirst: true, onlyWhen: ["SHORT"] };

  test.each([
    [
      { command: "CLOSEPOSITION", ...ES },
      { kind: "exit", symbol: "ESU26" },
    ],
    [
      { command: "CLOSEPOSITION", ...ES, quantity: "2" },
      { ...adjust, aim: { to: "close", qty: 2 } },
    ],
    [
      { command: "CLOSEPOSITION", ...ES, quantity: "2", percent: "0.5" },
      { ...adjust, aim: { to: "close", qty: 2 } },
    ],
    [
      { command: "CLOSEPOSITION", ...ES, percent: "0.29" },
      { ...adjust, aim: { to: "close", percent: 29 } },
    ],
    [
      { command: "CLOSEPOSITION", ...ES, percent: "1" },
      { ...adjust, aim: { to: "close", percent: 100 } },
    ],
    [
      { command: "CLOSEPOSITION", ...ES, require_market_position: "short" },
      { ...adjust, aim: { to: "close", percent: 100 }, ...guarded },
    ],
    [
      { command: "CLOSEPOSITION", ...ES, quantity: "1", require_market_position: "short" },
      { ...adjust, aim: { to: "close", qty: 1 }, onlyWhen: ["SHORT"] },
    ],
    [
      { command: "FLATTEN", ...ES, market_position: "long" },
      { ...adjust, aim: { to: "close", percent: 100, holding: "LONG" } },
    ],
    [
      { command: "FLATTEN", ...ES, require_market_position: "short" },
      { ...adjust, aim: { to: "close", percent: 100 }, ...guarded },
    ],
    [{ command: "FLATTENEVERYTHING" }, { kind: "flatten" }],
    [{ command: "CANCELORDERS", account: "sim101" }, { kind: "cancel" }],
    [
      { command: "CANCELORDERS", ...ES },
      { kind: "cancel", symbol: "ESU26" },
    ],
    [{ command: "CANCELALLORDERS" }, { kind: "cancel" }],
    [
      { command: "CANCELANDBRACKET", ...ES, action: "BUY", stop_loss: "4900" },
      { kind: "protect", symbol: "ESU26", legs: { stopLoss: { price: "4900" } } },
    ],
  ])("%j", (written, request) => {
    expect(read(written)).toEqual({ request, unread: [] });
  });

  test.each([
    [{ ...ES }, ["instrument"]],
    [{ ...ES, market_position: "long" }, ["instrument", "market_position"]],
    [{ instrument: "" }, []],
  ])("FLATTENEVERYTHING closes the account, whatever is left beside it: %j", (left, unread) => {
    const written = { command: "FLATTENEVERYTHING", ...left };
    expect(read(written)).toEqual({ request: { kind: "flatten" }, unread });
  });

  test.each([
    [{ command: "FLATTEN", instrument: "" }, "instrument"],
    [{ command: "FLATTEN", instrument: null }, "instrument"],
    [{ command: "FLATTEN", ...ES, market_position: "" }, "market_position"],
    [{ command: "FLATTEN", ...ES, market_position: "flat" }, "market_position"],
    [{ command: "FLATTEN", require_market_position: "long" }, "require_market_position"],
    [{ command: "FLATTEN", ...ES, quantity: "1" }, "quantity"],
    [{ command: "FLATTEN", instrument: "ES ##-##" }, "instrument"],
    [{ command: "CLOSEPOSITION", ...ES, quantity: "" }, "quantity"],
    [{ command: "CLOSEPOSITION", ...ES, quantity: "0" }, "quantity"],
    [{ command: "CLOSEPOSITION", ...ES, qty: "1" }, "qty"],
    [{ command: "CLOSEPOSITION", ...ES, percent: "0" }, "percent"],
    [{ command: "CLOSEPOSITION", ...ES, percent: "50" }, "percent"],
    [{ command: "CLOSEPOSITION", ...ES, market_position: "long" }, "market_position"],
    [{ command: "CANCELORDERS", instrument: "" }, "instrument"],
    [
      { command: "CANCELORDERS", ...ES, require_market_position: "flat" },
      "require_market_position",
    ],
    [{ command: "CANCELANDBRACKET", ...ES, stop_loss: "4900" }, "action"],
    [{ command: "CANCELANDBRACKET", ...ES, action: "buy" }, "stop_loss"],
  ])("%j is refused rather than done more widely", (written, path) => {
    expect(Object.keys(read(written))).toEqual([path]);
  });

  test("a distance is not counted from the entry of what is open", () => {
    const fields = { command: "CANCELANDBRACKET", ...ES, action: "BUY", take_profit: "5000" };
    expect(read({ ...fields, stop_loss: "-10 ticks" })).toEqual({
      stop_loss: expect.stringContaining("last quote"),
    });
  });
});

describe("what is refused", () => {
  test.each(Object.entries(REFUSED_COMMANDS))("the command %s", (command, why) => {
    expect(read({ command, ...MARKET_BUY, order_id: "a" })).toEqual({ command: why });
  });

  test.each(Object.entries(REFUSED_FIELDS))("%s, unless it is off", (name, why) => {
    expect(place({ [name]: "5" })).toEqual({ [name]: why });
    expect(place({ [name]: true })).toEqual({ [name]: why });
    const flatten = { request: { kind: "flatten" }, unread: [name] };
    expect(read({ command: "FLATTEN", [name]: "5" })).toEqual(
      isUnreadByExits(name, "5") ? flatten : { [name]: why },
    );
    for (const off of offOf(name)) {
      expect(place({ [name]: off })).toMatchObject(place());
    }
  });

  test("the kill switch in either position", () => {
    for (const position of ["on", "off"]) {
      expect(read({ kill_switch: position })).toHaveProperty("kill_switch");
      expect(place({ kill_switch: position })).toHaveProperty("kill_switch");
    }
  });

  test("a command that is none", () => {
    for (const command of ["", "HOLD", "toString", "__proto__"]) {
      expect(read({ command, ...MARKET_BUY })).toHaveProperty("command");
    }
  });
});

test("whatever stands in the fields, the outcome is sound", () => {
  const commands =
    "PLACE FLATPLACE REVERSEPOSITION REVERSE CLOSEPOSITION FLATTEN CANCELORDERS CANCELANDBRACKET";
  const names =
    "instrument action qty quantity percent order_type limit_price stop_price trail_offset tif take_profit stop_loss flatten_first require_market_position sync_strategy market_position prev_market_position target_quantity out_of_sync account";
  const words =
    "buy SELL long short flat market limit block resync flatten true false 0 1 -2 0.25 1e-7 1e400 NaN {} long,flat";
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      ...words.split(" "),
      "ES 09-26",
      "",
      " ",
      "5 ticks",
      "-5 points",
      "3 %",
    ),
    fc.constantFrom<unknown>(0, 1, -2, 0.5, true, false, null, [], {}, [1]),
    fc.string({ maxLength: 8 }),
  );
  const fields = fc.dictionary(fc.constantFrom(...names.split(" ")), value, { maxKeys: 4 });
  const started = fc.constantFrom<Pairs>({}, ES, MARKET_BUY);
  fc.assert(
    fc.property(
      fc.constantFrom(...commands.split(" ")),
      started,
      fields,
      (command, start, rest) => {
        const outcome = readOutcome(JSON.stringify({ command, ...start, ...rest }), {
          profile: "crosstrade",
        });
        expect(faultsOf(outcome)).toEqual([]);
        for (const [path, message] of wasRead(outcome) ? [] : Object.entries(outcome)) {
          expect(message).not.toBe(`is not a known field; write ${path}`);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

describe("on a webhook for a group", () => {
  const forGroup = { forGroup: true } as const;
  const { read: named } = readWithProfile("crosstrade");
  const PLACE = { command: "PLACE", ...MARKET_BUY };

  test.each<[unknown, readonly string[] | undefined]>([
    ["a, b,", ["a", "b"]],
    ["sim101", ["sim101"]],
    [
      ["a", 7],
      ["a", "7"],
    ],
    ["", undefined],
    [undefined, undefined],
  ])("account %j names its accounts", (account, names) => {
    const { accounts } = named({ ...PLACE, account }, forGroup);
    expect(accounts?.map(({ name }) => name)).toEqual(names);
  });

  test("a command for all accounts is for all of them", () => {
    expect(named({ command: "FLATTENEVERYTHING", account: "a,b" }, forGroup).accounts).toBe(
      undefined,
    );
  });

  test("what is no name is refused", () => {
    expect(() => named({ ...PLACE, account: { a: 1 } }, forGroup)).toThrow(/at most 100 names/);
    expect(() => named({ ...PLACE, account: [["a"]] }, forGroup)).toThrow(/at most 100 names/);
  });
});
