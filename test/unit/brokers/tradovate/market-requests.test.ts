import { expect, test } from "vitest";
import {
  MarketDataRefusedError,
  readMarketAnswer,
} from "../../../../src/brokers/tradovate/market-requests.ts";
import { DEFAULT_LIMITS, RateBudget } from "../../../../src/brokers/tradovate/rate-budget.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";

function read(status: number, data?: unknown, budget = newBudget()) {
  const reply = { kind: "answered", answer: { status, data } } as const;
  return readMarketAnswer(reply, "md/getChart", budget);
}

const newBudget = () => new RateBudget(DEFAULT_LIMITS, () => 0);

const HOW_TO_GET = /permission "Market Data: Read"/;

test.each([
  [200, { errorText: "Symbol is inaccessible", errorCode: "UnknownSymbol", mode: "None" }],
  [200, { subscriptionId: 1, mode: "Delayed" }],
  [401, "Access is denied"],
  [403, undefined],
  [404, "Not found: md/getChart"],
])("an answer of %d with %j says what is needed", (status, data) => {
  expect(() => read(status, data)).toThrow(MarketDataRefusedError);
  expect(() => read(status, data)).toThrow(HOW_TO_GET);
});

test.each([
  [200, { errorText: "Unsupported chart description" }],
  [200, { "p-ticket": "t", "p-time": 3, "p-captcha": true }],
  [400, "Missing field: symbol"],
])("an answer of %d with %j is a refusal in the broker's words alone", (status, data) => {
  expect(() => read(status, data)).toThrow(MarketDataRefusedError);
  expect(() => read(status, data)).not.toThrow(HOW_TO_GET);
});

test("a silence or a failing server refuses nothing", () => {
  const silence = { kind: "unknown", reason: "No answer in time" } as const;
  const failing = () => read(502);
  expect(() => readMarketAnswer(silence, "md/getChart", newBudget())).toThrow(BrokerReadError);
  expect(failing).toThrow(BrokerReadError);
  expect(failing).not.toThrow(MarketDataRefusedError);
});

test("a short pause is none either", () => {
  const penalised = () => read(200, { "p-ticket": "t", "p-time": 3 });
  expect(penalised).toThrow(/pause of 3000 ms/);
  expect(penalised).not.toThrow(MarketDataRefusedError);
});

test("too many questions about prices keep no order from going", () => {
  const budget = newBudget();
  for (const status of [423, 429]) expect(() => read(status, undefined, budget)).toThrow(/Market/);
  expect(budget.take("read", "md/getChart")).toMatch(/locked/);
  budget.lockOut("md/subscribeQuote");
  for (const purpose of ["protect", "entry", "read"] as const) {
    expect(budget.take(purpose, "order/placeorder")).toBeUndefined();
  }
});

test("what was asked for is answered", () => {
  expect(read(200, { historicalId: 32, realtimeId: 31 })).toEqual({
    historicalId: 32,
    realtimeId: 31,
  });
});
