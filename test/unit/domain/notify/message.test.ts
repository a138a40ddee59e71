import { expect, test } from "vitest";
import { accountId, userId } from "../../../../src/domain/ids.ts";
import type { GatewayEvent } from "../../../../src/domain/notify/event.ts";
import { maskedName, messageOf } from "../../../../src/domain/notify/message.ts";

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

test("an account's number shows its end alone, wherever it stands", () => {
  const { title, lines } = messageOf(filled);
  const text = [title, ...lines].join("\n");
  expect(text).not.toContain("4711");
  expect(text).toContain("…1234: bought 2 ESZ6 at 6850.25");
  expect(text).toContain("…1234 · live");
});

test("not even in what it advises to do", () => {
  const { lines } = messageOf({ ...filled, advice: "Look at DEMO4711234 now" });
  expect(lines).toContain("Look at …1234 now");
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
