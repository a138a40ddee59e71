// The goal: a plain order that follows an exit plan is taken for a strategy's exit where it may be one. The method:
// alerts in several dialects, received with a webhook's options.
import { describe, expect, test } from "vitest";
import type { WebhookOptions } from "../../../../src/domain/alert.ts";
import type { NamedExitPlan } from "../../../../src/domain/exits/named-plan.ts";
import { delivery, NOW, openReception, withOptions } from "./alerts-kit.ts";

const RUNNER: NamedExitPlan = {
  name: "runner",
  plan: { targets: [{ ticks: 8, qty: 4 }, {}], stop: { ticks: 20 } },
  savedAt: NOW,
};

async function submitted(fields: object | string, options: WebhookOptions) {
  const reception = await openReception(undefined, undefined, [], [RUNNER]);
  const { alerts } = await reception.receiveAlerts(withOptions(options), delivery(fields));
  const [submission] = reception.submissions;
  if (submission === undefined) throw new Error(`nothing was submitted: ${JSON.stringify(alerts)}`);
  const { intent, exitsOnly, exitsOnlyCode } = submission;
  const handling = "handling" in intent ? intent.handling : undefined;
  return { closesPlanned: handling?.closesPlanned, exitsOnly, exitsOnlyCode };
}

const PLAIN = { action: "sell", symbol: "ES1!", qty: 4 };
const AS_IT_IS = { closesPlanned: undefined, exitsOnly: undefined, exitsOnlyCode: undefined };
const CLOSES_PLANNED = { ...AS_IT_IS, closesPlanned: true };
const ONLY_CLOSES = {
  closesPlanned: undefined,
  exitsOnly: expect.stringContaining("does not say the strategy's position") as unknown,
  exitsOnlyCode: "SENDER_UNCLEAR",
};

const PLAIN_ORDERS: readonly (readonly [string, object, WebhookOptions])[] = [
  ["an order, with the webhook's plan", PLAIN, { exitPlan: "runner" }],
  ["an order, with a plan of its own", { ...PLAIN, exitPlan: "runner" }, {}],
  ["an order after cancels", { ...PLAIN, cancelFirst: true }, { exitPlan: "runner" }],
];

describe.each(PLAIN_ORDERS)("%s", (_, fields, options) => {
  test("closes at most what a plan takes out, while nothing is said", async () => {
    expect(await submitted(fields, options)).toEqual(CLOSES_PLANNED);
  });

  test("only closes, from a strategy", async () => {
    expect(await submitted(fields, { ...options, sentBy: "strategy" })).toEqual(ONLY_CLOSES);
  });

  test("goes as it is, from an indicator", async () => {
    expect(await submitted(fields, { ...options, sentBy: "indicator" })).toEqual(AS_IT_IS);
  });
});

test.each<[string, object, WebhookOptions]>([
  ["without a plan", PLAIN, {}],
  ["with exits of its own", { ...PLAIN, stopLoss: { ticks: 8 } }, { exitPlan: "runner" }],
  ["that says the position", { symbol: "ES1!", position: 2 }, { exitPlan: "runner" }],
  ["that closes a part", { action: "reduce", symbol: "ES1!", qty: 1 }, { exitPlan: "runner" }],
])("a message %s goes as it is, also from a strategy", async (_, fields, options) => {
  expect(await submitted(fields, { ...options, sentBy: "strategy" })).toEqual(AS_IT_IS);
  expect(await submitted(fields, options)).toEqual(AS_IT_IS);
});

test("one that is too old says that", async () => {
  const old = { ...PLAIN, firedAt: new Date(NOW - 3_600_000).toISOString() };
  const options = { exitPlan: "runner", sentBy: "strategy" } as const;
  expect(await submitted(old, options)).toMatchObject({ exitsOnlyCode: "ALERT_TOO_OLD" });
});
