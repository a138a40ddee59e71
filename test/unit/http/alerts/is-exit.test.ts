import { describe, expect, test } from "vitest";
import { isExit } from "../../../../src/http/alerts/is-exit.ts";
import { readAlerts } from "../../../../src/http/alerts/read-alerts.ts";

const areExits = (body: object, profile?: "traderspost" | "position") =>
  readAlerts(JSON.stringify(body), profile === undefined ? {} : { profile }).alerts.map(isExit);

describe("an alert is an exit by its words alone", () => {
  test.each([
    [{ action: "close" }, true],
    [{ action: "flatten", symbol: "ES" }, true],
    [{ action: "cancel" }, true],
    [{ action: "cancel", symbol: "ES" }, true],
    [{ action: "close", symbol: "ES", qty: 1 }, true],
    [{ position: 0, symbol: "ES" }, true],
    [{ position: 1, symbol: "ES" }, false],
    [{ position: -1, symbol: "ES" }, false],
    [{ action: "reverse", symbol: "ES" }, false],
    [{ action: "buy", symbol: "ES", qty: 1 }, false],
    [{ action: "sell", symbol: "ES", qty: 1, type: "limit", limitPrice: 9000 }, false],
    [{ action: "close", test: true }, false],
  ])("%j: %s", (body, expected) => {
    expect(areExits(body)).toEqual([expected]);
  });

  test("in another service's words, too", () => {
    expect(areExits({ ticker: "ES", action: "exit" }, "traderspost")).toEqual([true]);
    expect(areExits({ ticker: "ES", action: "buy", quantity: 1 }, "traderspost")).toEqual([false]);
  });
});
