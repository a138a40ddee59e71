import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  COMMANDS,
  REFUSED_COMMANDS,
  REFUSED_FIELDS,
} from "../../../../src/http/alerts/profiles/pine-connector/words.ts";
import { PINE_CONNECTOR_EXAMPLES } from "./corpus/pine-connector.ts";
import { expectedOf, faultsOf, readOutcome, resultOf } from "./read-outcome.ts";
import { offOf } from "./read-with-profile.ts";

const read = (rest: string, defaultQty?: number) =>
  readOutcome(`60123456789,${rest}`, defaultQty === undefined ? {} : { defaultQty });
const MARKET = { ordType: "MARKET" };

function adjusts(symbol: string, aim: object) {
  return { request: { kind: "adjust", symbol, aim, terms: MARKET }, unread: [] };
}

describe("public bodies", () => {
  test.each(PINE_CONNECTOR_EXAMPLES)("$name", (example) => {
    expect(resultOf(example, {})).toEqual(expectedOf(example));
  });

  test("read the same whatever the webhook's profile is", () => {
    for (const profile of ["native", "crosstrade", "position"] as const) {
      expect(readOutcome("60123456789,buy,ES1!,vol_lots=1", { profile })).toMatchObject({
        request: { kind: "order" },
      });
    }
  });
});

describe("entries", () => {
  test.each([
    ["buy", "BUY"],
    ["LONG", "BUY"],
    ["bull", "BUY"],
    ["Bullish", "BUY"],
    ["sell", "SELL"],
    ["short", "SELL"],
    ["bear", "SELL"],
    ["bearish", "SELL"],
  ])("%s is an order at the market", (command, side) => {
    expect(read(`${command},ES1!,vol_lots=2`)).toEqual({
      request: { kind: "order", ticket: { symbol: "ES1!", side, orderQty: 2, ordType: "MARKET" } },
      unread: [],
    });
  });

  test.each([
    ["buylimit", { side: "BUY", ordType: "LIMIT", limitPrice: "5000.25" }],
    ["buystop", { side: "BUY", ordType: "STOP", stopPrice: "5000.25" }],
    ["selllimit", { side: "SELL", ordType: "LIMIT", limitPrice: "5000.25" }],
    ["sellstop", { side: "SELL", ordType: "STOP", stopPrice: "5000.25" }],
  ])("%s rests at its price", (command, terms) => {
    const ticket = { symbol: "ES1!", orderQty: 1, ...terms };
    expect(read(`${command},ES1!,qty=1,price=5000.25`)).toMatchObject({ request: { ticket } });
    expect(read(`${command},ES1!,qty=1,entry_price=5000.25`)).toMatchObject({
      request: { ticket },
    });
    expect(read(`${command},ES1!,qty=1`)).toEqual({ price: "is needed" });
  });

  test("a price does not make a market order rest", () => {
    expect(read("buy,ES1!,lots=1,price=5000")).toMatchObject({ request: { ticket: MARKET } });
  });

  test.each([
    ["closelongopenshort", "SELL", "add"],
    ["CL+OS", "SELL", "add"],
    ["closeshortopenlong", "BUY", "add"],
    ["cs+ol", "BUY", "add"],
    ["closelongopenlong", "BUY", "replace"],
    ["CL+OL", "BUY", "replace"],
    ["closeshortopenshort", "SELL", "replace"],
    ["CS+OS", "SELL", "replace"],
    ["closelongshortopenlong", "BUY", "replace"],
    ["CLS+OL", "BUY", "replace"],
    ["closelongshortopenshort", "SELL", "replace"],
    ["CLS+OS", "SELL", "replace"],
  ])("%s leaves the other side first", (command, side, whenHeld) => {
    const aim = { to: "enter", side, qty: 3, whenHeld, whenOpposite: "close" };
    expect(read(`${command},ES1!,vol_lots=3`)).toEqual(adjusts("ES1!", aim));
  });

  test("levels are prices", () => {
    const bracket = { takeProfit: { price: "5100" }, stopLoss: { price: "4900.50" } };
    expect(read("cs+ol,ES1!,qty=1,sl_price=4900.50,tp_price=5100")).toMatchObject({
      request: { terms: { bracket } },
    });
    const off = read("buy,ES1!,qty=1,sl_price=0,tp_price=0.00");
    expect(off).toMatchObject({ request: { kind: "order" } });
    expect(off).not.toHaveProperty("request.ticket.bracket");
  });

  test("a lot is a contract, and the webhook's quantity stands in for none", () => {
    expect(read("buy,ES1!")).toEqual({ vol_lots: "is needed" });
    expect(read("buy,ES1!", 4)).toMatchObject({ request: { ticket: { orderQty: 4 } } });
    expect(read("buy,ES1!,qty=2", 4)).toMatchObject({ request: { ticket: { orderQty: 2 } } });
    expect(read("buy,ES1!,vol_lots=0.1", 4)).toHaveProperty("vol_lots");
    expect(read("buy,ES1!,vol_lots=0", 4)).toHaveProperty("vol_lots");
  });

  test("one thing is said once", () => {
    expect(read("buy,ES1!,vol_lots=1,qty=2")).toEqual({ qty: expect.stringContaining("vol_lots") });
    expect(read("buylimit,ES1!,qty=2,price=1,entry_price=2")).toHaveProperty("entry_price");
    expect(read("closelongpct,ES1!,pct=50,partial_close_pct=20")).toHaveProperty(
      "partial_close_pct",
    );
  });
});

describe("percentages of an entry", () => {
  test.each([
    ["sl_pct=0.5", { exitPlan: { stop: { percent: "0.5" } } }],
    [
      "sl_pct=0.5,tp_pct=1",
      { exitPlan: { targets: [{ percent: "1" }], stop: { percent: "0.5" } } },
    ],
    [
      "sl_price=4990,tp_pct=1",
      { exitPlan: { targets: [{ percent: "1" }], stop: { price: "4990" } } },
    ],
    ["sl_price=4990,tp_pct=0", { bracket: { stopLoss: { price: "4990" } } }],
  ])("%s is where it leaves again", (written, exits) => {
    expect(read(`buy,ES1!,vol_lots=1,${written}`)).toMatchObject({ request: { ticket: exits } });
    expect(read(`cs+ol,ES1!,vol_lots=1,${written}`)).toMatchObject({ request: { terms: exits } });
  });

  test.each(["vol_pct_eq_loss", "vol_pct_bal_loss"])("%s may be lost at the stop", (name) => {
    expect(read(`buy,ES1!,${name}=1.5,sl_price=4990`, 4)).toMatchObject({
      request: { ticket: { orderQty: 1, size: { riskPercent: "1.5" } } },
    });
    expect(read(`buy,ES1!,${name}=1.5`)).toEqual({ [name]: expect.stringContaining("sl_price") });
    expect(read(`buy,ES1!,${name}=1.5,sl_pct=1,vol_lots=2`)).toHaveProperty("vol_lots");
  });

  test.each([
    ["buy,ES1!,vol_lots=1,sl_pct=100", "sl_pct"],
    ["buy,ES1!,vol_lots=1,sl_pct=1,sl_price=4990", "sl_pct"],
    ["buy,ES1!,sl_pct=1,vol_pct_eq_loss=100", "vol_pct_eq_loss"],
    ["buy,ES1!,sl_pct=1,vol_pct_eq_loss=1,vol_pct_bal_loss=1", "vol_pct_eq_loss"],
    ["newsltplong,ES1!,sl_price=4990,tp_pct=1", "tp_pct"],
    ["closelong,ES1!,vol_pct_eq_loss=1", "vol_pct_eq_loss"],
  ])("%s is refused at %s", (body, path) => {
    expect(Object.keys(read(body))).toContain(path);
  });
});

describe("exits", () => {
  test.each([
    ["closelong", { percent: 100, holding: "LONG" }],
    ["closeshort", { percent: 100, holding: "SHORT" }],
    ["closelongpct,ES1!,pct=50", { percent: 50, holding: "LONG" }],
    ["closeshortpct,ES1!,pct=33.3", { percent: 33.3, holding: "SHORT" }],
    ["closelongvol,ES1!,vol_lots=2", { qty: 2, holding: "LONG" }],
    ["closeshortvol,ES1!,qty=1", { qty: 1, holding: "SHORT" }],
    ["closeshortvol,ES1!,qty=0.5", { qty: 1, holding: "SHORT" }],
  ])("%s closes one side alone", (written, part) => {
    const body = written.includes(",") ? written : `${written},ES1!`;
    expect(read(body, 5)).toEqual(adjusts("ES1!", { to: "close", ...part }));
  });

  test("closelongshort leaves the symbol, closeall the account", () => {
    expect(read("closelongshort,ES1!")).toMatchObject({
      request: { kind: "exit", symbol: "ES1!" },
    });
    expect(read("closeall,ES1!")).toEqual({ request: { kind: "flatten" }, unread: [] });
  });

  test.each(["0", "100.01", "-5", "half"])("%s percent is no part", (percent) => {
    expect(read(`closelongpct,ES1!,pct=${percent}`)).toHaveProperty("pct");
  });

  test("a part that is not given is not guessed", () => {
    expect(read("closelongpct,ES1!")).toEqual({ pct: "is needed" });
    expect(read("closelongvol,ES1!", 5)).toEqual({ vol_lots: "is needed" });
  });

  test.each(["closelong", "closelongshort", "closeall", "closelongpct"])(
    "%s refuses what may narrow it, and passes the levels of an entry over",
    (command) => {
      const share = command === "closelongpct" ? ",pct=50" : "";
      for (const name of ["vol_lots", "qty", "comment"]) {
        expect(read(`${command},ES1!${share},${name}=5`)).toEqual({ [name]: expect.any(String) });
      }
      for (const name of ["sl_price", "tp_price", "sl_pct", "tp1", "trailtrig"]) {
        const alert = read(`${command},ES1!${share},${name}=5`);
        expect(alert).toEqual({ ...read(`${command},ES1!${share}`), unread: [name] });
      }
    },
  );

  test("new levels go on what is held", () => {
    expect(read("newsltpshort,ES1!,sl_price=5100,tp_price=4900")).toMatchObject({
      request: {
        kind: "protect",
        symbol: "ES1!",
        legs: { stopLoss: { price: "5100" }, takeProfit: { price: "4900" } },
      },
    });
    expect(read("newsltplong,ES1!")).toEqual({ sl_price: "or tp_price is needed" });
  });
});

describe("what is refused", () => {
  test.each([...REFUSED_COMMANDS])("the command %s", (command, why) => {
    expect(read(`${command},ES1!,vol_lots=1,price=5000`)).toEqual({ command: why });
  });

  test.each(Object.entries(REFUSED_FIELDS))("%s, unless it is off", (name, why) => {
    expect(read(`buy,ES1!,vol_lots=1,${name}=5`)).toEqual({ [name]: why });
    for (const off of offOf(name, ["0", "0.00", "false"]).filter(
      (one) => typeof one === "string",
    )) {
      expect(read(`buy,ES1!,vol_lots=1,${name}=${off}`)).toHaveProperty("request");
    }
  });

  test("a known field in another spelling", () => {
    expect(read("buy,ES1!,vol_lots=1,slprice=4900")).toEqual({
      slprice: "is not a known field; write sl_price",
    });
  });

  test("a command that is none", () => {
    for (const command of ["toString", "__proto__", "hold", "ES1!"]) {
      expect(read(`${command},ES1!`)).toHaveProperty("command");
    }
  });
});

test("whatever stands in the fields, the outcome is sound", () => {
  const name = fc.constantFrom(
    "vol_lots",
    "lots",
    "qty",
    "price",
    "entry_price",
    "pct",
    "sl_price",
    "tp_price",
    "comment",
    ...Object.keys(REFUSED_FIELDS),
  );
  const value = fc.oneof(
    fc.constantFrom("", "0", "1", "2.0", "-1", "1e400", "NaN", "Infinity", "true", "50", "{}"),
    fc.string({ maxLength: 12 }),
  );
  const command = fc.constantFrom(...COMMANDS.keys());
  const pairs = fc.uniqueArray(fc.tuple(name, value), {
    selector: ([first]) => first,
    maxLength: 5,
  });
  fc.assert(
    fc.property(command, pairs, (first, rest) => {
      expect(
        faultsOf(read(`${first},ES1!,${rest.map((pair) => pair.join("=")).join(",")}`)),
      ).toEqual([]);
    }),
  );
});
