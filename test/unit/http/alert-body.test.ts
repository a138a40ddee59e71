import { describe, expect, test } from "vitest";
import { readAlert } from "../../../src/http/alert-body.ts";

const read = (fields: object) => readAlert(JSON.stringify(fields));
const buyOne = { action: "buy", symbol: "ES", qty: 1 };

function problems(fields: object) {
  const alert = read(fields);
  return alert.ok ? {} : Object.fromEntries(alert.problems.map((p) => [p.path, p.message]));
}

function ticket(fields: object) {
  const alert = read(fields);
  return alert.ok && alert.value.kind === "order" ? alert.value.ticket : alert;
}

describe("readAlert", () => {
  test("takes numbers written as text, and keeps every digit of a price", () => {
    const fields = { ...buyOne, qty: " 2 ", type: "LIMIT", limitPrice: "5000.250000000001" };
    expect(ticket(fields)).toMatchObject({
      orderQty: 2,
      ordType: "LIMIT",
      limitPrice: "5000.250000000001",
    });
    expect(ticket({ ...buyOne, qty: "3.0" })).toMatchObject({ orderQty: 3 });
  });

  test.each(["close", "FLAT", " Flatten ", "exit"])("%j flattens", (action) => {
    expect(read({ action })).toEqual({ ok: true, value: { kind: "flatten" } });
    expect(read({ action, symbol: "ES1!", qty: 3 })).toEqual({
      ok: true,
      value: { kind: "flatten", symbol: "ES1!" },
    });
  });

  test("takes the legs in a bracket or beside it", () => {
    const stopLoss = { ticks: "20" };
    const expected = { bracket: { stopLoss: { ticks: 20 } } };
    expect(ticket({ ...buyOne, stopLoss })).toMatchObject(expected);
    expect(ticket({ ...buyOne, bracket: { stopLoss } })).toMatchObject(expected);
    expect(problems({ ...buyOne, stopLoss, bracket: { stopLoss } })).toEqual({
      stopLoss: "is given twice: here and in bracket",
    });
  });

  test("ignores fields it does not know, and null", () => {
    expect(read({ ...buyOne, time: "now", comment: { a: 1 }, limitPrice: null })).toEqual(
      read(buyOne),
    );
  });

  test.each([
    ["stoploss", "stopLoss"],
    ["stop_loss", "stopLoss"],
    ["TakeProfit", "takeProfit"],
    ["limit_price", "limitPrice"],
    ["QTY", "qty"],
  ])("refuses %s rather than ignore it", (name, meant) => {
    expect(problems({ ...buyOne, [name]: 1 })).toEqual({
      [name]: `is not a known field; write ${meant}`,
    });
  });

  test("names everything that is wrong", () => {
    expect(
      problems({
        action: "sell",
        symbol: 5,
        qty: "1.5",
        type: "iceberg",
        limitPrice: "{{plot_0}}",
        timeInForce: 1,
        takeProfit: 5010,
        stopLoss: { price: 1, ticks: 2 },
      }),
    ).toEqual({
      symbol: "must be text of 1 to 32 characters",
      qty: "must be a whole number from 1 to 10000",
      type: "must be one of market, limit, stop, stopLimit, trailingStop",
      limitPrice: "must be a number",
      timeInForce: "must be one of day, gtc, ioc, fok",
      takeProfit: "must be an object with exactly one of price, ticks and offset",
      stopLoss: "must be an object with exactly one of price, ticks and offset",
    });
  });

  test.each([
    [{}, { action: "is needed" }],
    [{ action: "hold" }, { action: "must be one of buy, sell, close, flat, flatten, exit" }],
    [{ Action: "buy" }, { action: "is needed", Action: "is not a known field; write action" }],
    [{ ...buyOne, qty: 0 }, { qty: "must be a whole number from 1 to 10000" }],
    [{ ...buyOne, qty: "" }, { qty: "must be a number" }],
    [
      { ...buyOne, bracket: {} },
      { bracket: "must be an object with takeProfit, stopLoss or both" },
    ],
    [[], { body: "must be a JSON object" }],
  ])("refuses %j", (fields, expected) => {
    expect(problems(fields)).toEqual(expected);
  });
});
