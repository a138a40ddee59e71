import { expect, test } from "vitest";
import { accountId, userId } from "../../../../src/domain/ids.ts";
import type { GatewayEvent } from "../../../../src/domain/notify/event.ts";
import {
  hideNumbers,
  maskedName,
  messageOf,
  numbersOf,
} from "../../../../src/domain/notify/message.ts";

const base = {
  id: "ev_1",
  userId: userId("user_1"),
  at: 0,
  severity: "info",
  accountId: accountId("c1-DEMO4711234"),
  accountName: "DEMO4711234",
  environment: "live",
} as const;

const filled: GatewayEvent = {
  ...base,
  type: "order.filled",
  message: "c1-DEMO4711234: bought 2 ESZ6 at 6850.25. Position: 2",
  facts: { symbol: "ESZ6", day: [{ currency: "USD", net: "-12.50", fees: "4.10" }] },
};

const numbers = numbersOf([
  { accountId: base.accountId, name: base.accountName, number: "4711234" },
  { accountId: "paper-1", name: "My APEX-50K-123456 evaluation" },
]);
const masked = {
  ...filled,
  masked: { message: hideNumbers(filled.message, numbers) },
} satisfies GatewayEvent;

test("an account's number shows its end alone, wherever it stands", () => {
  const { title, lines } = messageOf(masked);
  const text = [title, ...lines].join("\n");
  expect(text).not.toContain("4711");
  expect(text).toContain("…1234: bought 2 ESZ6 at 6850.25");
  expect(text).toContain("…1234 · live");
});

test.each([
  ["its id", "c1-DEMO4711234 is out of step", "…1234 is out of step"],
  ["its name", "follower of DEMO4711234 was stopped", "follower of …1234 was stopped"],
  ["its number", "No margin in 4711234", "No margin in …1234"],
  ["a name of several words", "My APEX-50K-123456 evaluation fills", "My …3456 evaluation fills"],
  ["no account", "sold 2 ESZ6 at 6850.25, order 4000001", "sold 2 ESZ6 at 6850.25, order 4000001"],
])("a sentence that names %s", (_, sentence, told) => {
  expect(hideNumbers(sentence, numbers)).toContain(told);
});

test.each(["12-345-678", "123.456.789", "1234567"])("the number %s is never whole", (number) => {
  const sentence = hideNumbers(
    `${number} is restricted`,
    numbersOf([{ accountId: "c1-1", name: number, number }]),
  );
  const { title, lines } = messageOf({ ...filled, accountName: number, message: sentence });
  expect([title, ...lines].join(" ")).not.toContain(number);
});

test.each([
  ["12500 JPY net, 12500.00 USD net", "12500 JPY net, 12500.00 USD net"],
  ["long 2 YM at 12500, now 12500", "long 2 YM at 12500, now 12500"],
  ["bought 2 YMZ6 at 12500. Position: 2", "bought 2 YMZ6 at 12500. Position: 2"],
  ["sold 1 YMZ6 at 12500", "sold 1 YMZ6 at 12500"],
  ["12500 waits, and X12500 does not", "…2500 waits, and X12500 does not"],
])("a figure is no account's number: %s", (sentence, told) => {
  const own = numbersOf([{ accountId: "x-1", name: "Main", number: "12500" }]);
  expect(hideNumbers(sentence, own)).toBe(told);
});

test.each([
  ["paper-1", "Paper 1", "Paper 1"],
  ["c1-DEMO4711234", "DEMO4711234", "…1234"],
  ["c1-123456", "", "…3456"],
  ["c1-123456", "My APEX-50K-123456 evaluation", "…3456 evaluation"],
])("%s called %s is told as %s", (id, name, told) => {
  expect(maskedName(id, name)).toContain(told);
});

test("what a day came to is told, each currency for itself", () => {
  expect(messageOf(filled).lines).toContain("Day: -12.50 USD net");
});

test("several equal ones say how many they are", () => {
  expect(messageOf(filled, 14).title).toBe("Filled (×14)");
});

test("a summary has a line for each account, and masks it too", () => {
  const { accountName, environment, accountId: id, ...frame } = base;
  const account = {
    accountId: id,
    accountName,
    environment,
    trades: 3,
    tradingDay: "2026-11-26",
    refusals: 1,
    day: [{ currency: "USD", net: "20.00", fees: "6.00" }],
    slippageTicks: 2,
  };
  const { lines } = messageOf({
    ...frame,
    type: "summary.daily",
    message: "2026-11-26: 3 trades",
    facts: { date: "2026-11-26", accounts: [account] },
  });
  expect(lines).toEqual([
    "2026-11-26: 3 trades",
    "…1234: 3 trades, 1 refusals, 20.00 USD net, fees 6.00, slippage 2 ticks",
  ]);
});

test.each([
  ["https://runbook.example/#slow", ["Runbook: https://runbook.example/#slow"]],
  ["http://127.0.0.1:9090/x", ["Runbook: http://127.0.0.1:9090/x"]],
  ["javascript:alert(1)", []],
  ["https://runbook.example/\nFilled", []],
  [undefined, []],
])("an operator's alarm with the runbook %j leads there", (runbookUrl, told) => {
  const alarm: GatewayEvent = {
    id: "ev_1",
    userId: base.userId,
    at: 0,
    severity: "critical",
    type: "operator.alarm",
    message: "Redis is slow",
    facts: { alertname: "RedisSlow", ...(runbookUrl !== undefined && { runbookUrl }) },
  };
  expect(messageOf(alarm).lines).toEqual(["Redis is slow", "Rule: RedisSlow", ...told]);
  const unsaid = { ...alarm, message: "RedisSlow" };
  expect(messageOf(unsaid).lines).toEqual(["RedisSlow", ...told]);
});
