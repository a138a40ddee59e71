import { describe, expect, test } from "vitest";
import type { AlertProfile } from "../../../../src/domain/declared/webhook-options.ts";
import { readOutcome } from "./read-outcome.ts";

type Body = Readonly<Record<string, unknown>>;

const POST = { ticker: "ES1!", action: "buy", sentiment: "long", quantity: 1 };
const CROSS =
  "key=licence;command=PLACE;account=sim101;instrument=ES1!;action=BUY;qty=1;order_type=MARKET;tif=DAY;";
const PICK = { symbol: "ES1!", data: "buy", quantity: 1, sl: 4900, token: "T" };
const COMMAS = {
  secret: "S",
  max_lag: "300",
  timestamp: "2026-11-22T14:30:00Z",
  trigger_price: "5000",
  tv_exchange: "CME_MINI",
  tv_instrument: "ES1!",
  action: "buy",
  bot_uuid: "b-1",
  strategy_info: { market_position: "long", market_position_size: "1" },
};
const STRATEGY = { ticker: "ES1!", market_position: "long", market_position_size: 1 };

const read = (profile: AlertProfile, body: Body | string) =>
  readOutcome(typeof body === "string" ? body : JSON.stringify(body), { profile });

describe("a message for another service names it, and the profile that reads it", () => {
  test.each<readonly [AlertProfile, Body | string, string, string]>([
    ["native", POST, "TradersPost", "traderspost"],
    ["native", { ticker: "ES1!", action: "exit" }, "TradersPost", "traderspost"],
    ["pickmytrade", POST, "TradersPost", "traderspost"],
    ["native", CROSS, "CrossTrade", "crosstrade"],
    ["traderspost", "key=k;command=FLATTEN;instrument=ES1!;", "CrossTrade", "crosstrade"],
    ["native", PICK, "PickMyTrade", "pickmytrade"],
    ["native", { symbol: "ES1!", data: "close" }, "PickMyTrade", "pickmytrade"],
    ["crosstrade", PICK, "PickMyTrade", "pickmytrade"],
    ["native", COMMAS, "3Commas", "position"],
    ["native", STRATEGY, "a strategy's position", "position"],
    ["traderspost", STRATEGY, "a strategy's position", "position"],
  ])("%s: %j", (profile, body, service, reads) => {
    expect(read(profile, body)).toEqual({
      body: `is a message for ${service}, and the webhook's profile is ${profile}: set its profile to ${reads}`,
    });
  });

  test("then what is wrong with it there", () => {
    expect(read("native", { ...PICK, dollar_sl: 100 })).toEqual({
      body: expect.stringContaining("set its profile to pickmytrade") as string,
      dollar_sl: expect.stringContaining("write a price in sl") as string,
    });
  });

  test.each<readonly [Body, string]>([
    [{ pair: "BTCUSDT", isBuy: true, isMarket: true, unitsType: "absolute" }, "TV-Hub"],
    [{ code: "ENTER-LONG_X", amountPerTradeType: "percents" }, "WunderTrading"],
    [{ apikey: "K", strategy: "S", symbol: "NIFTY", action: "BUY", product: "MIS" }, "OpenAlgo"],
  ])("or that no profile does: %j", (body, service) => {
    expect(read("native", body)).toEqual({
      body: `is a message for ${service}, and the webhook's profile is native: no profile reads it, so write it in native words`,
    });
  });
});

test.each<readonly [AlertProfile, Body | string, readonly string[]]>([
  ["native", { action: "buy", ticker: "ES1!", qty: 1 }, ["symbol", "ticker"]],
  ["native", { action: "buy", symbol: "ES1!" }, ["qty"]],
  ["traderspost", { ...POST, sl: 4900 }, ["sl"]],
  ["traderspost", { ...POST, market_position: "long" }, ["market_position"]],
  ["crosstrade", CROSS.replace("qty=1;", "market_position=long;"), ["qty"]],
  ["pickmytrade", { ...PICK, dollar_sl: 5 }, ["dollar_sl"]],
])("%s: a slip in its own words is named as that: %j", (profile, body, paths) => {
  expect(Object.keys(read(profile, body)).toSorted()).toEqual(paths.toSorted());
});
