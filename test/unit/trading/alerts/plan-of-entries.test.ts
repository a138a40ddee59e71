import { describe, expect, test } from "vitest";
import type { WebhookOptions } from "../../../../src/domain/alert.ts";
import type { ExitPlanTicket } from "../../../../src/domain/exits/exit-plan.ts";
import type { NamedExitPlan } from "../../../../src/domain/exits/named-plan.ts";
import { delivery, NOW, openReception, withOptions } from "./alerts-kit.ts";

const named = (name: string, plan: ExitPlanTicket): NamedExitPlan => ({ name, plan, savedAt: NOW });

const PLANS = [
  named("runner", { targets: [{ ticks: 8, qty: 4 }, {}], stop: { ticks: 20 } }),
  named("offset", { stop: { offset: 0.3 } }),
];
const RUNNER = {
  name: "runner",
  targets: [{ at: { by: "ticks", ticks: 8 }, qty: 4 }, {}],
  stop: { by: "ticks", ticks: 20 },
};

const buy = { action: "buy", symbol: "ES1!", qty: 1 };

async function receive(fields: object, options: WebhookOptions = {}) {
  const reception = await openReception(undefined, undefined, [], PLANS);
  const { alerts } = await reception.receiveAlerts(withOptions(options), delivery(fields));
  const [alert] = alerts;
  if (alert === undefined) throw new Error("there is no answer");
  const error = "error" in alert ? alert.error : undefined;
  const [submission] = reception.submissions;
  return { ...reception, error, submission };
}

async function intentOf(fields: object, options: WebhookOptions = {}) {
  const { submission, error } = await receive(fields, options);
  if (submission === undefined) throw error ?? new Error("nothing was submitted");
  return submission.intent;
}

describe("the plan that an alert names", () => {
  test.each<[string, object, object]>([
    ["an order", buy, { handling: { exitPlan: RUNNER } }],
    ["a target", { position: -2, symbol: "ES" }, { handling: { exitPlan: RUNNER } }],
    ["a reversal", { action: "reverse", symbol: "ES" }, { handling: { exitPlan: RUNNER } }],
    ["a protection", { action: "protect", symbol: "ES" }, { plan: RUNNER }],
    [
      "a protection of what no table knows",
      { action: "protect", symbol: "XYZ" },
      { error: "UNKNOWN_SYMBOL" },
    ],
  ])("is that of %s, as it is now", async (_, fields, expected) => {
    const { submission, error } = await receive({ ...fields, exitPlan: "runner" });
    expect(submission?.intent ?? { error: error?.spec.code }).toMatchObject(expected);
  });

  test("may be written out, and has no name then", async () => {
    const exitPlan = { targets: [{ r: "1.5" }], stop: { ticks: "20" } };
    expect(await intentOf({ ...buy, exitPlan })).toMatchObject({
      handling: {
        exitPlan: {
          targets: [{ at: { by: "r", r: "1.5" } }],
          stop: { by: "ticks", ticks: 20 },
        },
      },
    });
  });

  test("is refused where there is none of the name, and what there is is named", async () => {
    const { error, submissions } = await receive({ ...buy, exitPlan: "walker" });
    expect(error?.details).toEqual([
      {
        path: "exitPlan",
        message: 'is not known: there is no exit plan "walker"; there is offset, runner',
      },
    ]);
    expect(submissions).toEqual([]);
  });

  test("is refused on a contract that has not such prices", async () => {
    const { error } = await receive({ ...buy, exitPlan: "offset" });
    expect(error?.details[0]?.path).toBe("exitPlan.stop.offset");
  });

  test.each([
    { action: "flatten", exitPlan: "walker" },
    { action: "reduce", symbol: "ES", qty: 1, exitPlan: "walker" },
    { position: 0, symbol: "ES", exitPlan: "walker" },
    { position: 0, symbol: "ES", exitPlan: { stop: {}, wrong: true } },
  ])("is not looked at where something only goes: %j", async (fields) => {
    const { submissions, sought } = await receive(fields);
    expect(submissions).toHaveLength(1);
    expect(sought).toEqual([]);
  });

  test("is multiplied where it is written out, and as it was saved by its name", async () => {
    const options = { multiplier: "0.5", symbolMap: { ES: "MES" } };
    const byName = await intentOf({ ...buy, qty: 10, exitPlan: "runner" }, options);
    expect(byName).toMatchObject({ order: { orderQty: 5 }, handling: { exitPlan: RUNNER } });
    const exitPlan = { targets: [{ ticks: 8, qty: 4 }, {}], stop: { ticks: 20 } };
    const intent = await intentOf({ ...buy, qty: 10, exitPlan }, options);
    expect(intent).toMatchObject({
      order: { contract: "MESZ2026", orderQty: 5 },
      handling: { exitPlan: { targets: [{ at: { ticks: 8 }, qty: 2 }, {}] } },
    });
  });
});

describe("the plan of a webhook's entries", () => {
  const options = { exitPlan: "runner" };

  test.each<[string, object]>([
    ["an order", buy],
    ["a target", { position: 2, symbol: "ES" }],
    ["a reversal", { action: "reverse", symbol: "ES" }],
  ])("is given to %s, and told", async (_, fields) => {
    const { submission } = await receive(fields, options);
    expect(submission?.intent).toMatchObject({ handling: { exitPlan: RUNNER } });
    expect(submission?.alert?.entry.decisions).toEqual([
      'Entries follow the exit plan "runner" of the webhook',
    ]);
  });

  test("is as it was saved, whatever the multiplier", async () => {
    const intent = await intentOf({ ...buy, qty: 10 }, { ...options, multiplier: "0.5" });
    expect(intent).toMatchObject({ handling: { exitPlan: RUNNER } });
  });

  test.each<[string, object]>([
    ["a bracket of its own", { ...buy, stopLoss: { ticks: 4 } }],
    ["a plan of its own", { ...buy, exitPlan: { stop: { ticks: 4 } } }],
    ["a way out", { action: "flatten" }],
    ["a target that is flat", { position: 0, symbol: "ES" }],
    ["a protection", { action: "protect", symbol: "ES", stopLoss: { ticks: 4 } }],
  ])("is not asked for by %s", async (_, fields) => {
    const { submission, sought } = await receive(fields, options);
    expect(sought).toEqual([]);
    expect(submission?.alert?.entry.decisions).toEqual([]);
    expect(submission?.exitsOnly).toBeUndefined();
  });

  test.each([
    ["is gone", "walker", /^The exit plan "walker" that the webhook names is not there any more,/],
    [
      "does not fit",
      "offset",
      /^The exit plan "offset" .* does not fit .*stop\.offset 0\.3 is not a/,
    ],
  ])("that %s lets nothing in, and everything out", async (_, exitPlan, reason) => {
    const { submission } = await receive(buy, { exitPlan });
    expect(submission).toMatchObject({ exitsOnlyCode: "VALIDATION_FAILED" });
    expect(submission?.exitsOnly).toMatch(reason);
    expect(submission?.exitsOnly).toMatch(/Save a plan of that name/);
    expect(submission?.intent).not.toHaveProperty("handling");
    expect(submission?.alert?.entry.decisions.at(-1)).toMatch(/only exits pass$/);
  });

  test("leaves what keeps entries out already as it is told", async () => {
    const { submission } = await receive(buy, { exitPlan: "walker", allowedSymbols: ["NQ"] });
    expect(submission?.exitsOnly).toMatch(/^The webhook may not open or grow a position in ES1!/);
    expect(submission).not.toHaveProperty("exitsOnlyCode");
  });
});

test("an alert without any plan asks for none", async () => {
  const { sought, submissions } = await receive(buy);
  expect([sought, submissions.length]).toEqual([[], 1]);
});
