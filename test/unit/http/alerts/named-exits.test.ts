import { describe, expect, test } from "vitest";
import type { AlertProfile } from "../../../../src/domain/declared/webhook-options.ts";
import { readOutcome, wasRead } from "./read-outcome.ts";

type Body = Readonly<Record<string, unknown>>;

const NATIVE = { action: "buy", symbol: "ES1!", qty: 1 };
const POST = { action: "buy", ticker: "ES1!", quantity: 1 };
const CROSS = {
  command: "PLACE",
  instrument: "ES1!",
  action: "BUY",
  qty: 1,
  order_type: "MARKET",
  tif: "DAY",
};
const PICK = { data: "buy", symbol: "ES1!", quantity: 1 };
const POSITION = { symbol: "ES1!", market_position: "long", market_position_size: 1 };

const read = (profile: AlertProfile, body: Body | string) =>
  readOutcome(typeof body === "string" ? body : JSON.stringify(body), { profile });

const STOP = "names a stop-loss and says none: write its level, or leave the field out";
const TARGET = "names a take-profit and says none: write its level, or leave the field out";
const TRAILING = "names a trailing stop and says none: write its level, or leave the field out";
const BREAKEVEN = "names a breakeven and says none: write its level, or leave the field out";
const EXITS = "names exits and says none: write its level, or leave the field out";
const unsaidIn = (outer: string) =>
  `is named and says nothing: write its number, or leave ${outer} out`;
const UNSAID = "is named and says nothing: write it, or leave it out";

describe("an order goes with the exit that is named, or not at all", () => {
  const plan = (exitPlan: unknown) => ({ ...NATIVE, exitPlan });
  const stop = { ticks: 8 };

  test.each<readonly [AlertProfile, Body, Readonly<Record<string, string>>]>([
    ["native", { ...NATIVE, stopLoss: null }, { stopLoss: STOP }],
    ["native", { ...NATIVE, stopLoss: " " }, { stopLoss: STOP }],
    ["native", { ...NATIVE, StopLoss: "" }, { StopLoss: STOP }],
    ["native", { ...NATIVE, stopLoss: stop, takeProfit: null }, { takeProfit: TARGET }],
    ["native", { ...NATIVE, bracket: null }, { bracket: EXITS }],
    ["native", { ...NATIVE, stopLoss: { price: "" } }, { "stopLoss.price": unsaidIn("stopLoss") }],
    [
      "native",
      { ...NATIVE, StopLoss: { Ticks: null } },
      { "StopLoss.Ticks": unsaidIn("StopLoss") },
    ],
    [
      "native",
      { ...NATIVE, bracket: { takeProfit: { offset: " " } } },
      { "bracket.takeProfit.offset": unsaidIn("takeProfit") },
    ],
    [
      "traderspost",
      { ...POST, stopLoss: { stopPrice: "" } },
      { "stopLoss.stopPrice": unsaidIn("stopLoss") },
    ],
    [
      "traderspost",
      { ...POST, stopLoss: { type: "trailing_stop", trailPercent: null } },
      { "stopLoss.trailPercent": unsaidIn("stopLoss") },
    ],
    [
      "traderspost",
      { ...POST, takeProfit: { percent: "" } },
      { "takeProfit.percent": unsaidIn("takeProfit") },
    ],
    [
      "native",
      { ...NATIVE, bracket: { stopLoss: null, takeProfit: stop } },
      { "bracket.stopLoss": STOP },
    ],
    ["native", { ...NATIVE, exitPlan: "" }, { exitPlan: EXITS }],
    ["native", plan({ targets: [{ ticks: 20 }], stop: null }), { "exitPlan.stop": STOP }],
    ["native", plan({ stop, targets: [] }), { "exitPlan.targets": TARGET }],
    ["native", plan({ stop, targets: null }), { "exitPlan.targets": TARGET }],
    ["native", plan({ stop, breakeven: null }), { "exitPlan.breakeven": BREAKEVEN }],
    ["native", plan({ stop, trailing: "" }), { "exitPlan.trailing": TRAILING }],
    ["native", plan({ stop, closeAfterSeconds: null }), { "exitPlan.closeAfterSeconds": UNSAID }],
    [
      "native",
      plan({ stop, targets: [{ ticks: 20, share: 50 }, { ticks: null }] }),
      { "exitPlan.targets.1.ticks": UNSAID },
    ],
    ["native", { ...NATIVE, sl: 0 }, { sl: STOP }],
    ["native", { ...NATIVE, tp: "" }, { tp: TARGET }],
    ["native", { ...NATIVE, stopLossTicks: null }, { stopLossTicks: STOP }],
    ["native", { ...NATIVE, trailingStop: "" }, { trailingStop: TRAILING }],
    ["native", { ...NATIVE, "stop\u200bLoss": "" }, { stopLoss: STOP }],
    ["native", { ...NATIVE, stopTicks: null }, { stopTicks: STOP }],
    ["traderspost", { ...POST, stop_offset: "" }, { stop_offset: STOP }],
    ["pickmytrade", { ...PICK, "\ufeffinitial_stop": null }, { initial_stop: STOP }],
    [
      "native",
      { action: "protect", symbol: "ES1!", takeProfit: stop, stopLoss: null },
      { stopLoss: STOP },
    ],
    ["native", { position: 2, symbol: "ES1!", stopLoss: null }, { stopLoss: STOP }],
    ["native", { action: "reverse", symbol: "ES1!", stopLoss: "" }, { stopLoss: STOP }],
    ["traderspost", { ...POST, stopLoss: null }, { stopLoss: STOP }],
    ["traderspost", { ...POST, stopLoss: 0 }, { stopLoss: STOP }],
    ["traderspost", { ...POST, sl: "" }, { sl: STOP }],
    ["traderspost", { ...POST, action: "add", takeProfit: "" }, { takeProfit: TARGET }],
    ["crosstrade", { ...CROSS, stop_loss: "" }, { stop_loss: STOP }],
    ["crosstrade", { ...CROSS, stop_loss: 0, take_profit: 5100 }, { stop_loss: STOP }],
    ["crosstrade", { ...CROSS, take_profit: null }, { take_profit: TARGET }],
    ["crosstrade", { ...CROSS, atm_stops: "" }, { atm_stops: EXITS }],
    ["pickmytrade", { ...PICK, sl: null }, { sl: STOP }],
    ["pickmytrade", { ...PICK, sl: 0, percentage_sl: "" }, { percentage_sl: STOP }],
    ["pickmytrade", { ...PICK, stop_loss: "" }, { stop_loss: STOP }],
    ["position", { ...POSITION, stopLoss: null }, { stopLoss: STOP }],
    ["position", { ...POSITION, strategy: { sl: "" } }, { "strategy.sl": STOP }],
    ["position", { ...POSITION, profitTarget: 0 }, { profitTarget: TARGET }],
  ])("%s %j", (profile, body, problems) => {
    expect(read(profile, body)).toEqual(problems);
  });

  test("in lines and in the comma form, too", () => {
    expect(read("native", "action=buy; symbol=ES1!; qty=1; sl=;")).toEqual({ sl: STOP });
    expect(read("native", "LICENCE1,buy,ES1!,vol_lots=1,sl_price=")).toEqual({ sl_price: STOP });
  });

  test.each<readonly [AlertProfile, string, string]>([
    [
      "native",
      '{"action":"buy","symbol":"ES1!","qty":1,"stopLoss":{"price":NaN}}',
      "stopLoss.price",
    ],
    ["pickmytrade", '{"data":"buy","symbol":"ES1!","quantity":1,"sl":NaN}', "sl"],
    ["pickmytrade", '{"data":"buy","symbol":"ES1!","quantity":1,"sl":"none"}', "sl"],
    ["native", "LICENCE1,buy,ES1!,vol_lots=1,sl_price=NaN", "sl_price"],
  ])("%s: what is no number is none of a stop: %s", (profile, body, path) => {
    expect(read(profile, body)).toMatchObject({ [path]: "must be a number" });
  });
});

describe("where a service means none by it, the answer says so", () => {
  const none = (what: string, paths: string) => `No ${what}: the alert says so in ${paths}`;

  test.each<readonly [AlertProfile, Body | string, readonly string[]]>([
    ["pickmytrade", { ...PICK, sl: 0 }, [none("stop-loss", "sl")]],
    [
      "pickmytrade",
      { ...PICK, sl: "0", percentage_sl: 0, trail: 0, tp: 0 },
      [none("stop-loss", "sl, percentage_sl, and trail"), none("take-profit", "tp")],
    ],
    ["pickmytrade", { ...PICK, sl: 4900, tp: 0 }, [none("take-profit", "tp")]],
    ["native", "LICENCE1,buy,ES1!,vol_lots=1,sl_price=0", [none("stop-loss", "sl_price")]],
    ["native", { ...NATIVE, trail: false }, [none("stop-loss", "trail")]],
    ["native", { ...NATIVE, stopLoss: false }, [none("stop-loss", "stopLoss")]],
    ["native", { ...NATIVE, takeProfit: "false" }, [none("take-profit", "takeProfit")]],
    [
      "native",
      { ...NATIVE, bracket: { takeProfit: { ticks: 8 }, stopLoss: false } },
      [none("stop-loss", "bracket.stopLoss")],
    ],
    ["position", { ...POSITION, stopLoss: false }, [none("stop-loss", "stopLoss")]],
    ["traderspost", { ...POST, stopLoss: false }, [none("stop-loss", "stopLoss")]],
  ])("%s %j", (profile, body, notes) => {
    expect(read(profile, body)).toMatchObject({ notes });
  });
});

describe("what is left blank beside the same exit with a level, or is none, asks for nothing", () => {
  test.each<readonly [AlertProfile, Body]>([
    ["native", NATIVE],
    ["native", { ...NATIVE, stopLoss: { ticks: 8, price: null } }],
    ["native", { ...NATIVE, limitPrice: null, stopPrice: "", trailOffset: null }],
    [
      "native",
      { ...NATIVE, exitPlan: { targets: [{ ticks: 20, share: 50 }, {}], stop: { ticks: 8 } } },
    ],
    ["traderspost", { ...POST, stopPrice: null, trailAmount: null, trailPercent: null }],
    ["traderspost", { ...POST, stopLoss: { stopPrice: 4900, percent: null, trailPercent: 0 } }],
    ["crosstrade", { ...CROSS, stop_price: "", trail_offset: "", target_quantity: "" }],
    ["pickmytrade", { ...PICK, sl: 4900, percentage_sl: 0, trail: 0, breakeven: 0 }],
    ["pickmytrade", { ...PICK, advance_tp_sl: [] }],
  ])("%s %j", (profile, body) => {
    const outcome = read(profile, body);
    expect(outcome).toHaveProperty("request");
    expect(outcome).not.toHaveProperty("notes");
  });
});

describe("what only takes out needs no exit", () => {
  test.each<readonly [AlertProfile, Body]>([
    ["native", { action: "close", stopLoss: null, exitPlan: "" }],
    ["native", { position: 0, symbol: "ES1!", takeProfit: "", stopLoss: { price: null } }],
    ["traderspost", { action: "exit", ticker: "ES1!", stopLoss: null, sl: "" }],
    [
      "traderspost",
      { action: "sell", sentiment: "long", ticker: "ES1!", quantity: 1, stopLoss: "" },
    ],
    ["crosstrade", { command: "CLOSEPOSITION", instrument: "ES1!", stop_loss: "", take_profit: 0 }],
    ["pickmytrade", { data: "close", symbol: "ES1!", sl: null, tp: "" }],
    ["position", { symbol: "ES1!", market_position: "flat", stopLoss: {}, sl: "" }],
  ])("%s %j", (profile, body) => {
    expect(wasRead(read(profile, body))).toBe(true);
  });
});
