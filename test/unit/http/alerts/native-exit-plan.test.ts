import { describe, expect, test } from "vitest";
import { readOutcome } from "./read-outcome.ts";

const buyOne = { action: "buy", symbol: "ES", qty: 1 };
const read = (fields: object) => readOutcome(JSON.stringify(fields), {});

describe("an exit plan in an alert", () => {
  test.each(["exitPlan", "EXITPLAN", " exitplan"])("may be a name, under %s", (field) => {
    expect(read({ ...buyOne, [field]: " runner " })).toMatchObject({
      request: { ticket: { exitPlan: "runner" } },
    });
  });

  test("is a name in a pair", () => {
    const body = "action=buy;symbol=ES1!;qty=1;exitPlan=runner";
    expect(readOutcome(body, {})).toMatchObject({ request: { ticket: { exitPlan: "runner" } } });
  });

  test("may be written out, with numbers as text and names in any case", () => {
    const exitPlan = {
      targets: [{ Ticks: "8", share: "50" }, { offset: "2.50", qty: "1" }, {}],
      Stop: { percent: "0.10" },
      breakeven: { after: { target: "1" }, plus: "2" },
      trailing: { from: { money: "250.00" }, distance: { r: 1 }, step: "4" },
      closeAfterSeconds: "60",
      closeBeforeSessionEndSeconds: 0,
    };
    expect(read({ ...buyOne, exitPlan })).toMatchObject({
      request: {
        ticket: {
          exitPlan: {
            targets: [{ ticks: 8, share: 50 }, { offset: "2.50", qty: 1 }, {}],
            stop: { percent: "0.10" },
            breakeven: { after: { target: 1 }, plus: 2 },
            trailing: { from: { money: "250.00" }, distance: { r: 1 }, step: 4 },
            closeAfterSeconds: 60,
            closeBeforeSessionEndSeconds: 0,
          },
        },
      },
    });
  });

  test("belongs to targets, reversals and protections too", () => {
    for (const fields of [{ position: 1 }, { action: "reverse" }]) {
      expect(read({ symbol: "ES", exitPlan: "a", ...fields })).toMatchObject({
        request: { terms: { exitPlan: "a" } },
      });
    }
    expect(read({ symbol: "ES", action: "protect", exitPlan: "a" })).toMatchObject({
      request: { kind: "protect", legs: {}, exitPlan: "a" },
    });
  });

  test.each<[object, object]>([
    [{ exitPlan: ["a"] }, { exitPlan: "must be text of 1 to 40 characters" }],
    [{ exitPlan: "x".repeat(41) }, { exitPlan: "must be text of 1 to 40 characters" }],
    [{ exitPlan: { targets: {} } }, { "exitPlan.targets": "must be a list" }],
    [{ exitPlan: { targets: ["8"] } }, { "exitPlan.targets": "must be a list of objects" }],
    [{ exitPlan: { stop: 20 } }, { "exitPlan.stop": "must be an object" }],
    [
      { exitPlan: { stop: { ticks: 1.5 } } },
      { "exitPlan.stop.ticks": "must be a whole number from 1 to 100000" },
    ],
    [{ exitPlan: { stop: { money: "much" } } }, { "exitPlan.stop.money": "must be a number" }],
    [{ exitPlan: { breakeven: {} } }, { "exitPlan.breakeven.after": "is needed" }],
    [{ exitPlan: { trailing: {} } }, { "exitPlan.trailing.distance": "is needed" }],
    [
      { exitPlan: { closeAfterSeconds: 0 } },
      { "exitPlan.closeAfterSeconds": "must be a whole number from 1 to 86400" },
    ],
    [
      { exitPlan: { targets: [{ tick: 8, comment: "x" }] } },
      {
        "exitPlan.targets.0.tick": "is not a known field; write ticks",
        "exitPlan.targets.0.comment": expect.stringMatching(/^is not a known field/),
      },
    ],
    [
      { exitPlan: "a", stopLoss: { ticks: 4 } },
      { exitPlan: "is instead of takeProfit and stopLoss: give the one or the others" },
    ],
  ])("is refused: %j", (fields, problems) => {
    expect(read({ ...buyOne, ...fields })).toEqual(problems);
  });

  test("beside legs a protection is refused", () => {
    const both = { action: "protect", symbol: "ES", stopLoss: { ticks: 4 }, exitPlan: "a" };
    expect(read(both)).toEqual({
      exitPlan: "is instead of takeProfit and stopLoss: give the one or the others",
    });
  });

  test("holds no way out back, however wrong it is", () => {
    const wrong = { exitPlan: { stop: { tick: "x" }, targets: 4 } };
    for (const fields of [{ position: 0, symbol: "ES" }, { action: "flatten" }]) {
      expect(read({ ...fields, ...wrong })).toHaveProperty("request");
    }
  });
});
