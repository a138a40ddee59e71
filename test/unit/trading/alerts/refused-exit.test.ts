import { describe, expect, test } from "vitest";
import type { AlertRequest } from "../../../../src/domain/alert.ts";
import type { AlertEnding } from "../../../../src/trading/alerts/alert-log.ts";
import type { Alarm } from "../../../../src/trading/alarms/alarm.ts";
import { createRecordAlertOutcome } from "../../../../src/trading/alerts/record-alert-outcome.ts";
import { eventOfAlert } from "../../../../src/trading/notify/event-of-alert.ts";
import { ended, entryOf, REFUSED } from "./logged-alerts.ts";
import { MemoryAlertLog } from "./memory-alert-log.ts";

const CLOSE: AlertRequest = { kind: "exit", symbol: "ESX" };
const ORDER: AlertRequest = {
  kind: "order",
  ticket: { symbol: "ESX", side: "BUY", orderQty: 1, ordType: "MARKET" },
};
const unread = (body: string) => ({ body, request: undefined }) as never;
const OFF: AlertEnding = {
  kind: "refused",
  code: "WEBHOOK_PAUSED",
  status: 403,
  message: "The webhook is paused",
  details: [],
};

const CASES: readonly (readonly [string, AlertEnding, object, "critical" | "warning"])[] = [
  ["a close of an unknown symbol", REFUSED, { request: CLOSE }, "critical"],
  ["a protection", REFUSED, { request: { kind: "protect", symbol: "ES", legs: {} } }, "critical"],
  ["a body with a closing word", REFUSED, unread('{"action":"close",'), "critical"],
  ["an order", REFUSED, { request: ORDER, body: '{"note":"close"}' }, "warning"],
  ["a body without one", REFUSED, unread('{"action":"buy","close":5000'), "warning"],
  ["a close on a paused webhook", OFF, { request: CLOSE }, "warning"],
];

describe("what is told of an alert that was refused", () => {
  test.each(CASES)("%s", (_, ending, change, severity) => {
    const event = eventOfAlert(ended("a", ending, change));
    expect(event).toMatchObject({ type: "alert.refused", severity });
    expect(event?.message.includes("asked for a way out")).toBe(severity === "critical");
  });

  test.each(CASES)("%s, in the log of the process", async (_, ending, change, severity) => {
    const raised: Alarm[] = [];
    const log = new MemoryAlertLog();
    const record = createRecordAlertOutcome({
      prompt: log,
      patient: log,
      alarms: { raise: (alarm) => void raised.push(alarm) },
    });
    await record(entryOf("a", change), ending);
    const alarm = {
      kind: "exitAlertRefused",
      intentId: "a",
      accountId: entryOf("a").accountId,
      requestId: "r_1",
      reason: "UNKNOWN_SYMBOL",
    };
    expect(raised).toEqual(severity === "critical" ? [alarm] : []);
  });

  test("nothing of a test", () => {
    expect(eventOfAlert(ended("a", REFUSED, { request: CLOSE, test: true }))).toBeUndefined();
  });
});
