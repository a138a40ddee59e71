import { describe, expect, test } from "vitest";
import type { AlertProfile } from "../../../../src/domain/declared/webhook-options.ts";
import { errors, GatewayError } from "../../../../src/errors.ts";
import { readAlerts } from "../../../../src/http/alerts/read-alerts.ts";
import { readOutcome, wasRead } from "./read-outcome.ts";

type Body = Readonly<Record<string, unknown>>;

const CLOSE = { action: "close" };
const FLAT = { position: 0, symbol: "ES1!" };
const REDUCE = { action: "reduce", symbol: "ES1!", qty: 1 };
const EXIT = { action: "exit", ticker: "ES1!" };
const CROSS = { command: "CLOSEPOSITION", instrument: "ES1!" };
const PICK = { data: "close", symbol: "ES1!" };
const POSITION = { symbol: "ES1!", market_position: "flat" };

const read = (profile: AlertProfile, body: Body | string) =>
  readOutcome(typeof body === "string" ? body : JSON.stringify(body), { profile });

const UNFILLED = "{{strategy.order.comment}}";

describe("an exit passes, and names what it does not read", () => {
  test.each<readonly [AlertProfile, Body, Body]>([
    ["native", CLOSE, { note: UNFILLED }],
    ["native", CLOSE, { qty: "{{strategy.order.contracts}}" }],
    ["native", CLOSE, { price: "NaN", limitPrice: "NaN" }],
    ["native", CLOSE, { alertId: "{{strategy.order.id}} {{timenow}}" }],
    ["native", CLOSE, { alertId: { of: "somebody" } }],
    ["native", CLOSE, { firedAt: "{{timenow}}" }],
    ["native", CLOSE, { firedAt: "yesterday", maxAgeSeconds: "soon" }],
    ["native", CLOSE, { mood: UNFILLED, stopLoss: "NaN" }],
    ["native", FLAT, { stopLoss: "none", limitPrice: "NaN" }],
    ["native", FLAT, { timeInForce: "opg" }],
    ["native", FLAT, { type: UNFILLED }],
    ["native", FLAT, { "timeout.afterSeconds": "NaN" }],
    ["native", REDUCE, { type: "NaN", comment: UNFILLED }],
    ["native", { action: "cancel", symbol: "ES1!" }, { comment: UNFILLED, maxAgeSeconds: -1 }],
    ["traderspost", EXIT, { price: "NaN", takeProfit: UNFILLED }],
    ["traderspost", EXIT, { timeInForce: "cls" }],
    ["traderspost", EXIT, { rejectAfter: "soon" }],
    ["traderspost", EXIT, { time: "{{timenow}}" }],
    ["traderspost", EXIT, { marketPriceType: "mark", bidAskSpreadFilter: 0.5 }],
    ["traderspost", EXIT, { sentiment: UNFILLED }],
    ["crosstrade", CROSS, { stop_loss: "NaN", take_profit: UNFILLED }],
    ["crosstrade", CROSS, { order_type: UNFILLED, alertId: UNFILLED }],
    ["crosstrade", CROSS, { max_positions: 2, rate_limit: "1/60s" }],
    ["pickmytrade", PICK, { quantity: "{{strategy.order.contracts}}", price: "NaN" }],
    ["pickmytrade", PICK, { order_type: UNFILLED, sl: "NaN", lmt_to_market_wait: 5 }],
    ["pickmytrade", { ...PICK, full_closed: false, quantity: 1 }, { comment: UNFILLED }],
    ["position", POSITION, { market_position_size: "{{strategy.market_position_size}}" }],
    ["position", POSITION, { position_size: "NaN" }],
    ["position", POSITION, { quantityType: "percent_of_equity" }],
    ["position", POSITION, { max_lag: "soon", timestamp: UNFILLED }],
    ["position", POSITION, { stopLoss: { ticks: "NaN" }, takeProfit: "none" }],
    // These repeat what it is anyway.
    ["native", CLOSE, { orderType: "market" }],
    ["native", REDUCE, { order_type: "MKT" }],
    ["native", CLOSE, { enabled: true, active: "yes" }],
    ["traderspost", EXIT, { type: "market" }],
    ["traderspost", EXIT, { order_type: "MARKET" }],
    ["pickmytrade", PICK, { orderType: "market", type: "Market" }],
    ["position", POSITION, { active: 1 }],
  ])("%s %j with %j", (profile, exit, more) => {
    const nested = Object.entries(more).map(([name, value]) => {
      const [outer = "", inner] = name.split(".");
      return [outer, inner === undefined ? value : { then: "cancel", [inner]: value }];
    });
    const outcome = read(profile, { ...exit, ...Object.fromEntries(nested) });
    const plain = read(profile, exit);
    if (!wasRead(outcome) || !wasRead(plain)) throw new Error(JSON.stringify([outcome, plain]));
    const { unread, ...asked } = outcome;
    expect(asked).toMatchObject({ request: plain.request });
    expect(asked).not.toHaveProperty("senderAlertId");
    const ignored = new Set(["quantity", "price", "order_type", "market_position_size", "comment"]);
    for (const name of Object.keys(more)) {
      const isNamed = unread.some((one) => one === name || one.startsWith(`${name}.`));
      expect([name, isNamed || ignored.has(name)]).toEqual([name, true]);
    }
  });

  test.each([
    '{"action":"close","price":NaN}',
    '{"action":"close","qty":{{strategy.order.contracts}}}',
    '{"action":"close","level":"{{plot("Upper band")}}","atr":{{plot("ATR")}}}',
    "action=close; comment={{strategy.order.comment}}; price=NaN",
    '[{"action":"close","price":NaN},{"action":"cancel","comment":"{{x}}"}]',
  ])("also where the placeholder or the word is bare: %s", (body) => {
    const { alerts } = readAlerts(body, {});
    expect(alerts.map(({ request }) => request.kind)).toContain("flatten");
  });
});

describe("what says which, how much or whether is read, and refuses an exit that cannot tell", () => {
  test.each<readonly [AlertProfile, Body, string]>([
    ["native", { ...CLOSE, percent: "NaN" }, "percent"],
    ["native", { ...CLOSE, lots: "NaN" }, "lots"],
    ["native", { ...REDUCE, qty: "NaN" }, "qty"],
    ["native", { ...FLAT, symbol: { of: "something" } }, "symbol"],
    ["native", { ...CLOSE, test: "NaN" }, "test"],
    ["traderspost", { ...EXIT, quantity: "NaN" }, "quantity"],
    ["traderspost", { ...EXIT, sentiment: "bullish" }, "sentiment"],
    ["crosstrade", { ...CROSS, require_market_position: "NaN" }, "require_market_position"],
    ["crosstrade", { ...CROSS, quantity: "" }, "quantity"],
    ["pickmytrade", { ...PICK, full_closed: false, quantity: "NaN" }, "quantity"],
    ["pickmytrade", { ...PICK, inst_type: "OPT" }, "inst_type"],
    ["position", { ...POSITION, ticker: "NQ1!" }, "ticker"],
  ])("%s %j", (profile, body, path) => {
    expect(Object.keys(read(profile, body))).toEqual([path]);
  });

  test.each<readonly [AlertProfile, Body]>([
    ["native", { action: "close", symbol: "{{ticker}}" }],
    ["native", { action: "{{strategy.order.action}}", symbol: "ES1!" }],
    ["native", { ...REDUCE, qty: "{{strategy.order.contracts}}" }],
    ["native", { ...CLOSE, account: UNFILLED }],
    ["traderspost", { ...EXIT, quantity: "{{strategy.order.contracts}}" }],
    ["crosstrade", { ...CROSS, instrument: "{{ticker}}" }],
    ["pickmytrade", { ...PICK, symbol: "{{ticker}}" }],
    ["position", { ...POSITION, market_position: "{{strategy.market_position}}" }],
    ["native", { action: "buy", symbol: "ES1!", qty: 1, comment: UNFILLED }],
    ["native", { action: "protect", symbol: "ES1!", stopLoss: { ticks: 4 }, note: UNFILLED }],
  ])("%s %j is named as not filled in", (profile, body) => {
    const text = JSON.stringify(body);
    const unfilled = { code: "UNRESOLVED_PLACEHOLDER" };
    expect(refusalOf(text, profile).spec).toMatchObject(unfilled);
    // One alert that cannot be read is all of its array.
    expect(refusalOf(`[${text},{"action":"close","symbol":"ES"}]`, profile).spec).toMatchObject(
      profile === "native" ? unfilled : { status: errors.validationFailed([]).spec.status },
    );
  });
});

function refusalOf(body: string, profile: AlertProfile): GatewayError {
  try {
    readAlerts(body, { profile });
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("it was read");
}
