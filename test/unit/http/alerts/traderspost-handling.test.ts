import { describe, expect, test } from "vitest";
import type { AlertRequest } from "../../../../src/domain/alert.ts";
import type { ProfileOptions } from "../../../../src/http/alerts/alert-profile.ts";
import { type Body, naming, OFF, readWithProfile } from "./read-with-profile.ts";

const { read, requestOf, problemsOf } = readWithProfile("traderspost");

const BUY = { ticker: "MNQ", action: "buy" };
const LIMIT_BUY = { ...BUY, orderType: "limit", limitPrice: 18500 };
const PROFIT = { limitPrice: 18600 };
const STOP = { type: "stop", stopPrice: 18400 };

function adjustOf(body: Body, options?: ProfileOptions): Extract<AlertRequest, { kind: "adjust" }> {
  const request = requestOf(body, options);
  if (request.kind !== "adjust") throw new Error(`read as ${request.kind}`);
  return request;
}

describe("a size by risk", () => {
  describe.each([
    ["risk_dollar_amount", "150.50", { risk: "150.50" }],
    ["risk_percent", 1.5, { riskPercent: 1.5 }],
  ])("by %s", (quantityType, quantity, size) => {
    const byRisk = { quantity, quantityType, stopLoss: STOP };

    test("sizes an entry by what it may lose at its stop, whatever the webhook's default", () => {
      const { aim, terms } = adjustOf({ ...BUY, ...byRisk }, { defaultQty: 5 });
      expect(aim).toMatchObject({ to: "enter", qty: 1, whenOpposite: "close" });
      expect(terms).toMatchObject({ size, bracket: { stopLoss: { price: 18400 } } });
      const add = adjustOf({ ticker: "MNQ", action: "add", ...byRisk });
      expect(add).toMatchObject({ aim: { to: "add", qty: 1 }, terms: { size } });
    });

    test.each([{ stopLoss: false }, { stopLoss: { type: "trailing_stop", trailAmount: 5 } }])(
      "needs a stop that stands: %j",
      (given) => {
        const problems = problemsOf({ ...BUY, ...byRisk, ...given });
        expect(problems).toEqual([naming("quantityType", "needs a stopLoss")]);
      },
    );

    test("is of entries alone", () => {
      const turn = { ticker: "MNQ", action: "reverse", quantity, quantityType };
      expect(problemsOf(turn)).toContainEqual(naming("quantityType", "of entries alone"));
      const part = { ticker: "MNQ", action: "sell", sentiment: "long", quantity, quantityType };
      expect(problemsOf(part)).toContainEqual(naming("quantityType", "of entries alone"));
    });

    test("holds no exit back: all of it goes", () => {
      const exit = { ticker: "MNQ", action: "exit", quantity, quantityType };
      expect(read({ ...exit, stopLoss: { amount: 3 } })).toMatchObject({
        request: { kind: "exit", symbol: "MNQ" },
        unread: ["quantity", "quantityType", "stopLoss"],
      });
    });

    test("cannot count what is closed towards it", () => {
      const options = { sideSwap: "subtract" } as const;
      expect(() => read({ ...BUY, ...byRisk }, options)).toThrow("sideSwap to on or off");
      expect(adjustOf({ ...BUY, ...byRisk }, { sideSwap: "on" }).terms).toMatchObject({ size });
    });

    test.each([undefined, 0, "0", -1, "much"])("is refused of %j", (quantity) => {
      expect(problemsOf({ ...BUY, ...byRisk, quantity })).toEqual([naming("quantity")]);
    });
  });

  test("all that there is may not be risked at once", () => {
    const body = { ...BUY, quantityType: "risk_percent", quantity: 100, stopLoss: STOP };
    expect(problemsOf(body)).toEqual([naming("quantity", "below 100")]);
  });
});

describe("exits that a bracket cannot hold", () => {
  const target = { takeProfit: { percent: "1.5" } };
  const trails = (more: object) => ({ stopLoss: { type: "trailing_stop", ...more } });
  const planOf = (body: Body) => adjustOf({ ...BUY, ...body }).terms.exitPlan;

  test.each([
    [target, { targets: [{ percent: "1.5" }] }],
    [{ stopLoss: { percent: 0.5 } }, { stop: { percent: 0.5 } }],
    [
      { takeProfit: { amount: 20 }, stopLoss: { type: "stop", percent: 0.5 } },
      { targets: [{ offset: 20 }], stop: { percent: 0.5 } },
    ],
    [
      { ...target, stopLoss: STOP },
      { targets: [{ percent: "1.5" }], stop: { price: 18400 } },
    ],
    [trails({ trailAmount: "5" }), { trailing: { distance: { offset: "5" } } }],
    [trails({ trailPercent: 0.5 }), { trailing: { distance: { percent: 0.5 } } }],
    [
      trails({ trailAmount: 5, stopPrice: 18400 }),
      { stop: { price: 18400 }, trailing: { distance: { offset: 5 } } },
    ],
    [
      { takeProfit: PROFIT, ...trails({ trailAmount: 5 }) },
      { targets: [{ price: 18600 }], trailing: { distance: { offset: 5 } } },
    ],
  ])("%j are a plan", (body, exitPlan) => {
    expect(planOf(body)).toEqual(exitPlan);
    expect(adjustOf({ ticker: "MNQ", action: "add", ...body }).terms).toMatchObject({ exitPlan });
    expect(adjustOf({ ticker: "MNQ", action: "reverse", ...body }).terms).toMatchObject({
      exitPlan,
    });
    expect(adjustOf({ ...BUY, ...body }).terms.bracket).toBeUndefined();
  });

  test.each([
    [{ takeProfit: { percent: 100 } }, "takeProfit.percent"],
    [{ takeProfit: { percent: -1 } }, "takeProfit.percent"],
    [{ stopLoss: { percent: "half" } }, "stopLoss.percent"],
    [{ stopLoss: { percent: 1e-120 } }, "stopLoss.percent"],
    [{ takeProfit: { percent: 1, amount: 4 } }, "takeProfit"],
    [{ stopLoss: { percent: 1, stopPrice: 4 } }, "stopLoss"],
    [trails({}), "stopLoss"],
    [trails({ trailAmount: 5, trailPercent: 1 }), "stopLoss"],
    [trails({ trailAmount: 5, stopPrice: 18400, amount: 10 }), "stopLoss"],
    [trails({ stopPrice: 18400 }), "stopLoss"],
    [trails({ trailAmount: 5, trailPrice: 18400 }), "stopLoss.trailPrice"],
    [trails({ trailAmount: 5, limitPrice: 18400 }), "stopLoss.limitPrice"],
    [{ stopLoss: { trailAmount: 5 } }, "stopLoss.trailAmount"],
    [{ stopLoss: { ...STOP, trailPercent: 1 } }, "stopLoss.trailPercent"],
  ])("%j are refused at %s", (body, path) => {
    expect(problemsOf({ ...BUY, ...body })).toEqual([naming(path)]);
  });
});

describe("an entry that is not to rest for ever", () => {
  test.each([
    [LIMIT_BUY, 60],
    [{ ...BUY, orderType: "stop", stopPrice: 18510 }, "1800"],
    [{ ...LIMIT_BUY, timeInForce: "gtc" }, 1],
  ])("%j is cancelled after %s seconds", (body, cancelAfter) => {
    const timeout = { afterSeconds: Number(cancelAfter), then: "cancel" };
    expect(adjustOf({ ...body, cancelAfter }).terms).toMatchObject({ timeout });
    for (const off of OFF) {
      expect(adjustOf({ ...body, cancelAfter: off }).terms).not.toHaveProperty("timeout");
    }
  });

  test.each([BUY, { ...LIMIT_BUY, timeInForce: "ioc" }, { ticker: "MNQ", action: "exit" }])(
    "%j never does, and the limit is named as unread",
    (body) => {
      const { request } = read(body);
      expect(read({ ...body, cancelAfter: 60 })).toEqual({ request, unread: ["cancelAfter"] });
    },
  );

  test.each([-5, 1.5, 86_401, "soon", true])("%j is refused", (cancelAfter) => {
    expect(problemsOf({ ...LIMIT_BUY, cancelAfter })).toEqual([naming("cancelAfter")]);
  });
});

describe("breakeven", () => {
  const EVEN = { ticker: "MNQ", action: "breakeven" };
  const legs = { stopLoss: { atEntry: true } };

  test.each([{}, { orderType: "stop" }, { orderType: null, quantity: 0 }])(
    "moves the stop to the entry: %j",
    (more) => {
      expect(requestOf({ ...EVEN, ...more })).toEqual({ kind: "protect", symbol: "MNQ", legs });
    },
  );

  test.each([
    ["orderType", "limit"],
    ["quantity", 1],
    ["stopPrice", 18400],
    ["takeProfit", PROFIT],
    ["stopLoss", STOP],
    ["breakevenOffset", 5],
  ])("of what is held, and nothing else: %s %j is refused", (name, value) => {
    expect(problemsOf({ ...EVEN, [name]: value })).toEqual([naming(name)]);
  });
});
