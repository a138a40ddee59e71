import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../../src/errors.ts";
import {
  ENTRY,
  EXITS,
  FOREIGN,
  IGNORED,
  KNOWN,
  REFUSED,
} from "../../../../src/http/alerts/profiles/pickmytrade/fields.ts";
import { PICKMYTRADE_EXAMPLES } from "./corpus/pickmytrade.ts";
import { faultsOf, naming, OFF, offOf, ON, parted, readWithProfile } from "./read-with-profile.ts";

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
    // `fired-at.test.ts` says what becomes of `date`.
    const { unread, signalPrice: _, firedAt: _at, notes: __, ...alert } = readText(body);
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
      { order_type: "LMT", price: 1, gtd_in_second: "120" },
      { ordType: "LIMIT", limitPrice: 1, timeout: { afterSeconds: 120, then: "cancel" } },
    ],
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
    [{ order_type: "LMT", price: 1, gtd_in_second: 0.5 }, "gtd_in_second", "whole number"],
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
    [[row, row], "multiple_accounts", "point the webhook at a group"],
    [[], "multiple_accounts", "must hold one"],
    ["A1", "multiple_accounts", "must be a list"],
    [["A1"], "multiple_accounts", "must hold one"],
    [[{ ...row, quantity_multiplier: "x" }], "multiple_accounts.0.quantity_multiplier", "number"],
    [[{ ...row, quantity: 5 }], "multiple_accounts.0.quantity", "no field of an account"],
  ])("%j is refused, on a close too", (multiple_accounts, path, contains) => {
    expect(problemsOf({ ...BUY, multiple_accounts })).toEqual([naming(path, contains)]);
    expect(problemsOf({ ...CLOSE, multiple_accounts })).toEqual([naming(path, contains)]);
  });
});

test.each([
  ["RiskPercentage", "risk_percentage"],
  ["tp", "no field of an account"],
  ["percentage_sl", "no field of an account"],
  ["dollar_tp", "points on one page"],
])("an account's %s is refused, and of no matter on a close", (name, contains) => {
  const multiple_accounts = [{ ...row, risk_percentage: undefined, [name]: 2 }];
  const path = `multiple_accounts.0.${name}`;
  expect(problemsOf({ ...BUY, multiple_accounts })).toEqual([naming(path, contains)]);
  expect(read({ ...CLOSE, multiple_accounts })).toMatchObject({
    request: { kind: "exit" },
    unread: [path],
  });
});

describe("an account's multiplier", () => {
  const by = (quantity_multiplier: unknown) => ({
    multiple_accounts: [{ ...row, quantity_multiplier }],
  });

  test.each([
    [2, 4],
    ["1.5", 3],
    [0.5, 1],
  ])("of %j makes 2 contracts %d", (multiplier, qty) => {
    expect(requestOf({ ...BUY, ...by(multiplier) })).toMatchObject({ ticket: { orderQty: qty } });
    const part = { ...CLOSE, full_closed: false, quantity: 2, ...by(multiplier) };
    expect(requestOf(part)).toMatchObject({ aim: { to: "close", qty } });
  });

  test.each([0, 0.3, -1, 1.25])("of %j makes no order", (multiplier) => {
    expect(problemsOf({ ...BUY, ...by(multiplier) })).toEqual([
      naming("multiple_accounts.0.quantity_multiplier", "whole number"),
    ]);
  });

  test("is of no matter on a whole close", () => {
    expect(requestOf({ ...CLOSE, ...by(0) })).toEqual({ kind: "exit", symbol: "MNQ1!" });
  });
});

describe("risk_percentage", () => {
  const SIZED = { ...BUY, quantity: 0, risk_percentage: "1.5", sl: 21_300 };
  const ofRow = (risk_percentage: unknown, more: object = {}) => ({
    multiple_accounts: [{ ...row, risk_percentage, ...more }],
  });

  test("sizes an entry by what it may lose at its stop", () => {
    expect(requestOf(SIZED, { defaultQty: 3 })).toEqual({
      kind: "order",
      ticket: {
        ...ticket,
        orderQty: 1,
        ...MARKET,
        bracket: { stopLoss: { price: 21_300 } },
        size: { riskPercent: "1.5" },
      },
    });
    const { risk_percentage: _, ...plain } = SIZED;
    for (const multiplier of [0, 1]) {
      const byRow = { ...plain, ...ofRow(2, { quantity_multiplier: multiplier }) };
      expect(requestOf(byRow)).toMatchObject({ ticket: { size: { riskPercent: 2 } } });
    }
  });

  test.each([
    [{ quantity: 1 }, "quantity"],
    [{ sl: 0 }, "risk_percentage"],
    [{ sl: 0, trail: 1, trail_stop: 4 }, "risk_percentage"],
    [{ risk_percentage: -1 }, "risk_percentage"],
    [ofRow(2), "multiple_accounts.0.risk_percentage"],
    [ofRow(0, { quantity_multiplier: 2 }), "multiple_accounts.0.quantity_multiplier"],
    [
      {
        sl: 0,
        advance_tp_sl: [
          { quantity: 1, tp: 5, sl: 3 },
          { quantity: 1, sl: 3 },
        ],
      },
      "advance_tp_sl",
    ],
  ])("with %j is refused", (more, path) => {
    expect(problemsOf({ ...SIZED, ...more }).map((one) => one.path)).toContain(path);
  });

  test("is of no matter on a close, and refused where exits are moved", () => {
    expect(read({ ...CLOSE, risk_percentage: 2 })).toMatchObject({ unread: ["risk_percentage"] });
    expect(problemsOf({ ...BUY, update_sl: true, sl: 1, risk_percentage: 2 })).toEqual([
      naming("risk_percentage", "belongs to an entry"),
    ]);
  });
});

describe("exits that a bracket cannot hold", () => {
  const planOf = (more: object) => {
    const request = requestOf({ ...BUY, ...more });
    return request.kind === "order" ? request.ticket.exitPlan : undefined;
  };
  const trail = { trail: 1, trail_stop: "4.0" };

  test.each([
    [{ percentage_tp: 1.5 }, { targets: [{ percent: 1.5 }] }],
    [
      { tp: 21_400, percentage_sl: "0.5" },
      { targets: [{ price: 21_400 }], stop: { percent: "0.5" } },
    ],
    [trail, { trailing: { distance: { offset: "4.0" } } }],
    [
      { ...trail, sl: 21_300, trail_trigger: 8, trail_freq: 0.25 },
      {
        stop: { price: 21_300 },
        trailing: { distance: { offset: "4.0" }, from: { offset: 8 }, step: { offset: 0.25 } },
      },
    ],
    [
      { sl: 21_300, breakeven: "10", breakeven_offset: 2 },
      { stop: { price: 21_300 }, breakeven: { after: { offset: "10" }, plus: { offset: 2 } } },
    ],
    [
      { percentage_sl: 1, breakeven: 0.5 },
      { stop: { percent: 1 }, breakeven: { after: { percent: 0.5 } } },
    ],
  ])("%j are a plan", (more, exitPlan) => {
    expect(planOf(more)).toEqual(exitPlan);
  });

  test.each([
    [{ tp: 5, percentage_tp: 1 }, "percentage_tp"],
    [{ percentage_sl: 100 }, "percentage_sl"],
    [{ trail_stop: 4 }, "trail_stop"],
    [{ trail: 0, trail_trigger: 4 }, "trail_trigger"],
    [{ trail: 2, trail_stop: 4 }, "trail"],
    [{ trail: 1 }, "trail_stop"],
    [{ ...trail, trail_trigger: 8 }, "trail_trigger"],
    [{ ...trail, percentage_sl: 1 }, "trail"],
    [{ breakeven: 10 }, "breakeven"],
    [{ breakeven: 10, percentage_sl: 1, tp: 5 }, "breakeven"],
    [{ breakeven: 10, percentage_sl: 1, breakeven_offset: 1 }, "breakeven"],
    [{ breakeven: 10, sl: 5, breakeven_offset: 10 }, "breakeven_offset"],
    [{ breakeven: true, sl: 5 }, "breakeven"],
  ])("%j is refused at %s", (more, path) => {
    expect(problemsOf({ ...BUY, ...more }).map((one) => one.path)).toContain(path);
  });

  test("an offset without a breakeven moves nothing, and is named as unread", () => {
    expect(read({ ...BUY, breakeven: 0, breakeven_offset: 1 })).toMatchObject({
      request: { kind: "order", ticket: MARKET },
      unread: ["token", "breakeven_offset"],
    });
  });

  test.each(EXITS)("where exits are moved, %s beside them is refused", (name) => {
    const move = { ...BUY, update_tp: true, update_sl: true, tp: 5, sl: 3 };
    const isMoved = name === "tp" || name === "sl";
    expect(isMoved ? [] : problemsOf({ ...move, [name]: 2 }).map((one) => one.path)).toEqual(
      isMoved ? [] : [name],
    );
  });
});

describe("an entry in parts", () => {
  const legs = (...advance_tp_sl: readonly object[]) => ({ ...BUY, quantity: 3, advance_tp_sl });
  const planOf = (body: object) => {
    const request = requestOf({ ...body });
    return request.kind === "order" ? request.ticket.exitPlan : undefined;
  };

  test("has a target for each of them and one stop for all", () => {
    const body = legs(
      { quantity: 2, tp: 21_400, sl: 21_300, dollar_tp: 0 },
      { quantity: "1", tp: 0, sl: 21_300 },
    );
    expect(planOf(body)).toEqual({
      targets: [{ price: 21_400, qty: 2 }, { qty: 1 }],
      stop: { price: 21_300 },
    });
  });

  test("of equal size stays so whatever the webhook makes of the quantity", () => {
    const leg = { quantity: 1, sl: 21_300, breakeven: 5, trail: 1, trail_stop: 4 };
    const body = legs({ ...leg, tp: 21_400 }, { ...leg, tp: 21_500 }, { ...leg, percentage_tp: 0 });
    expect(planOf(body)).toEqual({
      targets: [{ price: 21_400 }, { price: 21_500 }, {}],
      stop: { price: 21_300 },
      breakeven: { after: { offset: 5 } },
      trailing: { distance: { offset: 4 } },
    });
  });

  test.each([
    [legs({ quantity: 1, sl: 5 }, { quantity: 1, sl: 5 }), "advance_tp_sl", "of 2 contracts"],
    [legs({ quantity: 1, sl: 5 }, { quantity: 2, sl: 4 }), "advance_tp_sl.1", "another stop"],
    [legs({ quantity: 3, tp: 5 }), "advance_tp_sl.0", "needs sl"],
    [legs({ tp: 5, sl: 3 }), "advance_tp_sl.0.quantity", "is needed"],
    [legs({ quantity: 3, tp: 5, sl: 3, stop: 2 }), "advance_tp_sl.0.stop", "not a known field"],
    [legs({ quantity: 3, sl: 3, dollar_tp: 4 }), "advance_tp_sl.0.dollar_tp", "points on one page"],
    [{ ...legs({ quantity: 3, sl: 3 }), tp: 5 }, "tp", "advance_tp_sl already"],
    [{ ...BUY, advance_tp_sl: { quantity: 2 } }, "advance_tp_sl", "must be a list"],
    [{ ...BUY, advance_tp_sl: [5] }, "advance_tp_sl.0", "must be an object"],
  ])("%j is refused", (body, path, contains) => {
    expect(problemsOf(body)).toContainEqual(naming(path, contains));
  });
});

describe("what is not done here", () => {
  test.each([...Object.keys(REFUSED), ...Object.keys(FOREIGN)])(
    "%s is refused by name when it is on, and asks for nothing when it is off",
    (name) => {
      for (const on of ON) expect(problemsOf({ ...BUY, [name]: on })).toEqual([naming(name)]);
      const offs = offOf(name, [false, 0, "0", "0.00", "false"]);
      for (const off of offs) expect(requestOf({ ...BUY, [name]: off }).kind).toBe("order");
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
    unread: ["token", "note"],
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

describe("on a webhook for a group", () => {
  const forGroup = { forGroup: true } as const;

  test("each row is asked for on its own terms", () => {
    const multiple_accounts = [row, { ...row, account_id: "A2", quantity_multiplier: 3 }];
    const { accounts } = read({ ...BUY, quantity: 2, multiple_accounts }, forGroup);
    expect(accounts).toMatchObject([
      { at: "multiple_accounts.0.account_id", name: "A1", request: { ticket: { orderQty: 2 } } },
      { at: "multiple_accounts.1.account_id", name: "A2", request: { ticket: { orderQty: 6 } } },
    ]);
  });

  test("a risk of one row beside a quantity is refused by name, and what is wrong for all once", () => {
    const multiple_accounts = [row, { ...row, account_id: "A2", risk_percentage: 2 }];
    const refused = { ...BUY, quantity: 2, symbol: "", multiple_accounts };
    const details = (() => {
      try {
        return [read(refused, forGroup)];
      } catch (error) {
        return (error as { details: readonly { path: string }[] }).details.map(({ path }) => path);
      }
    })();
    expect(details).toEqual(["symbol", "quantity", "risk_percentage"]);
  });

  test("a row without a name, or of another token, is told as such", () => {
    const others = { ...row, account_id: "A2", token: "TOKEN2" };
    const multiple_accounts = [row, { ...row, account_id: "" }, others];
    const { accounts } = read({ ...CLOSE, multiple_accounts }, forGroup);
    expect(accounts?.map(({ problem }) => problem?.slice(0, 9))).toEqual([
      undefined,
      "is needed",
      "has anoth",
    ]);
  });

  test("account_id beside no rows names one, and one row may name none", () => {
    expect(read({ ...BUY, account_id: "A1" }, forGroup).accounts).toMatchObject([{ name: "A1" }]);
    const multiple_accounts = [{ ...row, account_id: "" }];
    expect(read({ ...BUY, multiple_accounts }, forGroup).accounts).toBe(undefined);
  });
});
