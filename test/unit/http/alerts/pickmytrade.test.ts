import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../../src/errors.ts";
import {
  ENTRY,
  FOREIGN,
  IGNORED,
  KNOWN,
  REFUSED,
} from "../../../../src/http/alerts/profiles/pickmytrade/fields.ts";
import { PICKMYTRADE_EXAMPLES } from "./corpus/pickmytrade.ts";
import { faultsOf, naming, OFF, ON, parted, readWithProfile } from "./read-with-profile.ts";

const { read, readText, requestOf, problemsOf, problemsOfText } = readWithProfile("pickmytrade");

const BUY = { symbol: "MNQ1!", data: "buy", quantity: 2, token: "TOKEN1" };
const SELL = { ...BUY, data: "sell" };
const CLOSE = { symbol: "MNQ1!", data: "close" };
const MARKET = { ordType: "MARKET" };
const ticket = { symbol: "MNQ1!", side: "BUY", orderQty: 2 };
const row = { token: "TOKEN1", account_id: "A1", risk_percentage: 0, quantity_multiplier: 1 };

describe("what the service's pages, its validator and its users publish", () => {
  const { read: readable, refused } = parted(PICKMYTRADE_EXAMPLES);

  test.each(readable)("$name", ({ body, reads }) => {
    const { unread, signalPrice: _, ...alert } = readText(body);
    expect(alert).toEqual({ request: reads });
    expect(unread.filter((name) => !IGNORED.some((one) => one === name.toLowerCase()))).toEqual([]);
  });

  test.each(refused)("$name: refused", ({ body, refused: problems }) => {
    expect(problemsOfText(body)).toEqual(
      expect.arrayContaining(problems.map(({ path, contains }) => naming(path, contains))),
    );
  });
});

describe("data", () => {
  test.each([
    ["buy", "BUY"],
    ["LONG", "BUY"],
    [" Sell ", "SELL"],
    ["short", "SELL"],
  ])("%j enters", (data, side) => {
    expect(requestOf({ ...BUY, data })).toMatchObject({ kind: "order", ticket: { side } });
  });

  test.each(["close", "FLAT"])("%j closes all of the symbol, whatever quantity says", (data) => {
    expect(requestOf({ ...BUY, data, quantity: 0 })).toEqual({ kind: "exit", symbol: "MNQ1!" });
  });

  test("and symbol are needed", () => {
    expect(problemsOf({ quantity: 1 })).toEqual([
      naming("symbol", "needed"),
      naming("data", "needed"),
    ]);
  });
});

describe("an entry where a position stands", () => {
  const enter = (whenHeld: string) => ({
    kind: "adjust",
    symbol: "MNQ1!",
    aim: { to: "enter", side: "BUY", qty: 2, whenHeld, whenOpposite: "close" },
    terms: MARKET,
    cancelFirst: true,
  });
  const plain = { kind: "order", ticket: { ...ticket, ...MARKET } };
  const unlessLong = {
    kind: "adjust",
    symbol: "MNQ1!",
    aim: { to: "order", side: "BUY", qty: 2 },
    terms: MARKET,
    onlyWhen: ["FLAT", "SHORT"],
  };

  test.each([
    [{ reverse_order_close: true, pyramid: false }, enter("replace")],
    [{ reverse_order_close: "true" }, enter("replace")],
    [{ reverse_order_close: true, duplicate_position_allow: true }, enter("replace")],
    [{ reverse_order_close: true, pyramid: true }, enter("add")],
    [{ reverse_order_close: true, pyramid: true, duplicate_position_allow: false }, enter("add")],
    [{ reverse_order_close: true, same_direction_ignore: true }, enter("refuse")],
    [{ reverse_order_close: true, duplicate_position_allow: false }, enter("refuse")],
    [{}, plain],
    [{ reverse_order_close: false, pyramid: true, duplicate_position_allow: true }, plain],
    [{ pyramid: true, duplicate_position_allow: false }, plain],
    [{ pyramid: false, duplicate_position_allow: null }, plain],
    [{ same_direction_ignore: "true" }, unlessLong],
    [{ duplicate_position_allow: "false" }, unlessLong],
  ])("with %j", (flags, expected) => {
    expect(requestOf({ ...BUY, ...flags })).toEqual(expected);
  });

  test("that a short would drop goes out when flat or long", () => {
    expect(requestOf({ ...SELL, same_direction_ignore: true })).toMatchObject({
      aim: { side: "SELL" },
      onlyWhen: ["FLAT", "LONG"],
    });
  });

  test("stacks or drops, and not both", () => {
    expect(problemsOf({ ...BUY, pyramid: true, same_direction_ignore: true })).toEqual([
      naming("same_direction_ignore", "opposite of pyramid"),
    ]);
  });
});

describe("quantity", () => {
  test("left out is the webhook's default", () => {
    const { quantity: _, ...bare } = BUY;
    expect(requestOf(bare, { defaultQty: 3 })).toMatchObject({ ticket: { orderQty: 3 } });
    expect(problemsOf(bare)).toEqual([naming("quantity", "needed")]);
  });

  test.each([0, "0", -1, "1.5", "two", 10_001])("%j is refused, default or not", (quantity) => {
    expect(problemsOf({ ...BUY, quantity })).toEqual([naming("quantity")]);
    expect(() => read({ ...BUY, quantity }, { defaultQty: 3 })).toThrow(GatewayError);
  });
});

describe("order_type", () => {
  test.each([
    [{}, MARKET],
    [{ order_type: null, price: "Price Not Found" }, MARKET],
    [{ order_type: "MKT", price: 21350.25 }, MARKET],
    [{ order_type: "market", gtd_in_second: 120 }, MARKET],
    [
      { order_type: "LMT", price: "21350.25" },
      { ordType: "LIMIT", limitPrice: "21350.25" },
    ],
    [
      { order_type: "LIMIT", price: 1 },
      { ordType: "LIMIT", limitPrice: 1 },
    ],
    [
      { order_type: "STP", price: 1 },
      { ordType: "STOP", stopPrice: 1 },
    ],
    [
      { order_type: "Stop", price: 1 },
      { ordType: "STOP", stopPrice: 1 },
    ],
    [{ tif: "gtc" }, { ...MARKET, timeInForce: "GTC" }],
  ])("%j", (given, terms) => {
    expect(requestOf({ ...BUY, ...given })).toEqual({
      kind: "order",
      ticket: { ...ticket, ...terms },
    });
  });

  test.each(["STPLMT", "STP LMT", "stoplimit"])("%s has its limit in price", (order_type) => {
    const given = { order_type, price: 456, stp_limit_stp_price: "455.5" };
    const terms = { ordType: "STOP_LIMIT", limitPrice: 456, stopPrice: "455.5" };
    expect(requestOf({ ...BUY, ...given })).toEqual({
      kind: "order",
      ticket: { ...ticket, ...terms },
    });
  });

  test.each([
    [{ order_type: "LMT" }, "price", "order's limit"],
    [{ order_type: "LMT", price: 0 }, "price", "order's limit"],
    [{ order_type: "STP", price: "0.00" }, "price", "order's trigger"],
    [{ order_type: "LMT", price: -1 }, "price", "above 0"],
    [{ order_type: "LMT", price: "high" }, "price", "number"],
    [{ order_type: "STPLMT", price: 1 }, "stp_limit_stp_price", "order's trigger"],
    [{ order_type: "LMT", price: 1, stp_limit_stp_price: 2 }, "stp_limit_stp_price", "STPLMT"],
    [{ stp_limit_stp_price: 2 }, "stp_limit_stp_price", "STPLMT"],
    [{ order_type: "LMT", price: 1, gtd_in_second: 60 }, "gtd_in_second", "leave it 0"],
    [{ order_type: "MIT" }, "order_type", "must be one of"],
    [{ tif: "ioc" }, "tif", "must be one of"],
    [{ inst_type: "OPT" }, "inst_type", "FUT"],
  ])("%j is refused", (given, path, contains) => {
    expect(problemsOf({ ...BUY, ...given })).toEqual([naming(path, contains)]);
  });
});

describe("exits", () => {
  test("of an entry are prices, and 0 is none", () => {
    expect(requestOf({ ...BUY, tp: "21400.50", sl: 0 })).toEqual({
      kind: "order",
      ticket: { ...ticket, ...MARKET, bracket: { takeProfit: { price: "21400.50" } } },
    });
    expect(problemsOf({ ...BUY, sl: -20 })).toEqual([naming("sl", "above 0")]);
  });

  test("are moved to both prices at once", () => {
    expect(requestOf({ ...BUY, update_tp: true, update_sl: "true", tp: 2, sl: 1 })).toEqual({
      kind: "protect",
      symbol: "MNQ1!",
      legs: { takeProfit: { price: 2 }, stopLoss: { price: 1 } },
    });
  });

  test("are not moved without being named", () => {
    expect(problemsOf({ ...BUY, update_sl: true, sl: 1, tp: 2 })).toEqual([
      naming("tp", "update_tp"),
    ]);
    expect(problemsOf({ ...BUY, update_sl: true, tp: 2 })).toEqual([
      naming("tp", "update_tp"),
      naming("sl", "needed"),
    ]);
  });

  test.each(["tp", "sl"])("have no meaning on a close, and do not hold it up: %s", (name) => {
    expect(read({ ...CLOSE, [name]: 21400 })).toEqual({
      request: { kind: "exit", symbol: "MNQ1!" },
      unread: [name],
    });
    for (const off of OFF) expect(requestOf({ ...CLOSE, [name]: off }).kind).toBe("exit");
  });
});

describe("a close", () => {
  test("of a part", () => {
    expect(requestOf({ ...CLOSE, full_closed: false, quantity: "1", comment: "" })).toEqual({
      kind: "adjust",
      symbol: "MNQ1!",
      aim: { to: "close", qty: 1 },
      terms: MARKET,
    });
  });

  test("of a part needs its quantity, whatever the webhook's default", () => {
    expect(() => read({ ...CLOSE, full_closed: false }, { defaultQty: 3 })).toThrow("quantity");
  });

  test("of a part that an entry's comment names is refused", () => {
    expect(problemsOf({ ...CLOSE, full_closed: "false", quantity: 1, comment: "L1" })).toEqual([
      naming("comment", "one position here"),
    ]);
  });

  test("goes out at the market", () => {
    expect(problemsOf({ ...CLOSE, order_type: "LMT", price: 5 })).toEqual([
      naming("order_type", "MKT"),
    ]);
  });
});

describe("accounts", () => {
  test.each([[undefined], [null], [[row]], [[{ token: "T", quantity_multiplier: "1.0" }]]])(
    "%j is the token's own",
    (multiple_accounts) => {
      expect(requestOf({ ...BUY, multiple_accounts })).toMatchObject({ kind: "order" });
    },
  );

  test.each([
    [[row, row], "multiple_accounts", "one webhook is one account"],
    [[], "multiple_accounts", "must hold one"],
    ["A1", "multiple_accounts", "must be a list"],
    [["A1"], "multiple_accounts", "must hold one"],
    [[{ ...row, quantity_multiplier: 2 }], "multiple_accounts.0.quantity_multiplier", "must be 1"],
    [[{ ...row, quantity_multiplier: 0 }], "multiple_accounts.0.quantity_multiplier", "must be 1"],
    [[{ ...row, quantity_multiplier: "x" }], "multiple_accounts.0.quantity_multiplier", "number"],
    [[{ ...row, quantity: 5 }], "multiple_accounts.0.quantity", "no field of an account"],
  ])("%j is refused, on a close too", (multiple_accounts, path, contains) => {
    expect(problemsOf({ ...BUY, multiple_accounts })).toEqual([naming(path, contains)]);
    expect(problemsOf({ ...CLOSE, multiple_accounts })).toEqual([naming(path, contains)]);
  });
});

test.each([
  ["risk_percentage", "leave it 0"],
  ["RiskPercentage", "risk_percentage"],
  ["tp", "no field of an account"],
])("an account's %s is refused, and of no matter on a close", (name, contains) => {
  const multiple_accounts = [{ ...row, risk_percentage: undefined, [name]: 2 }];
  const path = `multiple_accounts.0.${name}`;
  expect(problemsOf({ ...BUY, multiple_accounts })).toEqual([naming(path, contains)]);
  expect(read({ ...CLOSE, multiple_accounts })).toMatchObject({
    request: { kind: "exit" },
    unread: [path],
  });
});

describe("what is not done here", () => {
  test.each([...Object.keys(REFUSED), ...Object.keys(FOREIGN), "advance_tp_sl"])(
    "%s is refused by name when it is on, and asks for nothing when it is off",
    (name) => {
      for (const on of ON) expect(problemsOf({ ...BUY, [name]: on })).toEqual([naming(name)]);
      for (const off of OFF) expect(requestOf({ ...BUY, [name]: off }).kind).toBe("order");
    },
  );

  test("an empty list of legs asks for nothing", () => {
    expect(requestOf({ ...BUY, advance_tp_sl: [] }).kind).toBe("order");
  });

  test.each(["dollarSl", "Update-SL", "reverseOrderClose"])(
    "%s is a known field misspelt",
    (name) => {
      expect(problemsOf({ ...BUY, [name]: 1 })).toEqual([
        naming(name, "is not a known field; write"),
      ]);
    },
  );
});

test("one webhook's words about the alert itself", () => {
  const said = { alertId: "a1", maxAgeSeconds: 20, test: "true", date: "2026-05-12T14:31:00Z" };
  expect(read({ ...BUY, ...said, note: "x" })).toMatchObject({
    senderAlertId: "a1",
    maxAgeMs: 20_000,
    test: true,
    unread: ["token", "date", "note"],
  });
});

test("nothing that a field may hold makes an unsound request, or another error than ours", () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>("buy", "close", "LMT", "STPLMT", "MNQ1!", 1, 2, "3", true, false, [
      row,
    ]),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const name = fc.constantFrom<string>(...KNOWN, ...ENTRY, ...IGNORED, "data", "symbol");
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 12 }), fc.boolean(), (given, isBare) => {
      try {
        expect(
          faultsOf(requestOf(isBare ? given : { ...BUY, ...given }, { defaultQty: 1 })),
        ).toEqual([]);
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
      }
    }),
    { numRuns: 2_000 },
  );
});
