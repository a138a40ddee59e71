import { describe, expect, test } from "vitest";
import { tickSize } from "../../../src/domain/contracts/price.ts";
import {
  type HandledOrder,
  type HandlingTicket,
  prepareHandling,
} from "../../../src/domain/order-handling.ts";

type Ticket = HandlingTicket & HandledOrder;

const prepare = (ticket: Ticket) => prepareHandling(ticket, { tickSize: tickSize("0.25") });
const problemsOf = (ticket: Ticket): string[] =>
  prepare(ticket).problems.map(({ path, message }) => `${path} ${message}`);

const bracket = { stopLoss: { ticks: 20 } };
const exitPlan = { stop: { offset: 5 } };

describe("what is asked of an order beside sending it", () => {
  test("is nothing where nothing is asked", () => {
    expect(prepare({ bracket })).toEqual({ problems: [] });
  });

  test.each<[string, Ticket, object]>([
    ["a plan", { exitPlan }, { exitPlan: { targets: [], stop: { by: "ticks", ticks: 20 } } }],
    ["a risk", { bracket, size: { risk: "250.50" } }, { size: { by: "risk", money: "250.5" } }],
    [
      "a risk of what there is, and the least that is sent",
      { exitPlan, size: { riskPercent: 0.1, min: 1 } },
      { size: { by: "riskPercent", percent: "0.1", min: 1 } },
    ],
    [
      "all that there is",
      { bracket, size: { riskPercent: "100" } },
      { size: { by: "riskPercent", percent: "100" } },
    ],
    [
      "a timeout",
      { ordType: "LIMIT", timeout: { afterSeconds: 30, then: "market" } },
      { timeout: { afterSeconds: 30, then: "market" } },
    ],
  ])("is read: %s", (_, ticket, handling) => {
    expect(prepare(ticket)).toMatchObject({ problems: [], handling });
  });

  test.each<[string, Ticket, ...string[]]>([
    [
      "a plan beside a bracket",
      { bracket, exitPlan },
      "exitPlan is instead of a bracket: give one of the two",
    ],
    [
      "a plan between two ticks",
      { exitPlan: { stop: { offset: 0.3 } } },
      "exitPlan.stop.offset 0.3 is not a multiple of the tick size 0.25",
    ],
    ["a name that nobody looked up", { exitPlan: "a" }, "exitPlan was not looked up by its name"],
    [
      "a timeout of what ends at once",
      { timeout: { afterSeconds: 1, then: "cancel" } },
      "timeout is for an order that rests: one at the market, or with timeInForce ioc or fok, ends at once",
    ],
    ["no size", { bracket, size: {} }, "size needs exactly one of risk and riskPercent"],
    [
      "two sizes",
      { bracket, size: { risk: 1, riskPercent: 1 } },
      "size needs exactly one of risk and riskPercent",
    ],
    ["no risk", { bracket, size: { risk: 0 } }, "size must be a number greater than 0"],
    ["no number", { bracket, size: { risk: "all" } }, "size must be a number greater than 0"],
    [
      "more than there is",
      { bracket, size: { riskPercent: "100.01" } },
      "size must be at most 100 percent",
    ],
    [
      "a risk without a stop",
      { size: { risk: 1 } },
      "size needs a stop-loss: by it the risk is counted",
    ],
    [
      "a risk with a take-profit alone",
      { bracket: { takeProfit: { ticks: 8 } }, size: { risk: 1 } },
      "size needs a stop-loss: by it the risk is counted",
    ],
    [
      "a risk with targets alone",
      { exitPlan: { targets: [{ ticks: 8 }] }, size: { risk: 1 } },
      "size needs a stop-loss: by it the risk is counted",
    ],
    [
      "a risk at a stop that is wrong: once",
      { exitPlan: { stop: { ticks: 0 } }, size: { risk: 1 } },
      "exitPlan.stop.ticks must be a whole number from 1 to 100000",
    ],
  ])("is refused: %s", (_, ticket, ...problems) => {
    expect(problemsOf(ticket)).toEqual(problems);
  });
});
