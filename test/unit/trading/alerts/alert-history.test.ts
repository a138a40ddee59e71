import { beforeEach, describe, expect, test } from "vitest";
import { credentialId, intentId } from "../../../../src/domain/ids.ts";
import type { AlertOutcome } from "../../../../src/trading/alerts/alert-log.ts";
import { alertOutcome } from "../../../../src/trading/alerts/alert-outcome.ts";
import { createAlertHistory } from "../../../../src/trading/alerts/alert-history.ts";
import type { Gateway } from "../../../../src/trading/gateway.ts";
import { ACCOUNT, FILLED, FOREIGN, NOW, openAccounts, STOPPED, STRANGER } from "./alerts-kit.ts";
import { accepted, caller, ended, REFUSED } from "./logged-alerts.ts";
import { MemoryAlertLog } from "./memory-alert-log.ts";
import type { AlertsRequest } from "../../../../src/trading/alerts/alert-uses.ts";

const OTHER_HOOK = credentialId("wh_2");

let log: MemoryAlertLog;
let history: Pick<Gateway, "listAlerts" | "findAlert">;

beforeEach(async () => {
  log = new MemoryAlertLog();
  log.alerts.push(
    ended("a1", REFUSED, { receivedAt: NOW + 1 }),
    accepted("a2", FILLED, { receivedAt: NOW + 2 }),
    accepted("a3", undefined, { receivedAt: NOW + 3, webhookId: OTHER_HOOK }),
    ended("a4", REFUSED, { receivedAt: NOW + 4, accountId: STOPPED }),
    ended("a5", { kind: "duplicate", of: intentId("a2") }, { receivedAt: NOW + 4 }),
    ended("x1", REFUSED, { receivedAt: NOW + 5, userId: STRANGER }),
    ended("x2", REFUSED, { receivedAt: NOW + 6, userId: STRANGER, accountId: FOREIGN }),
  );
  history = createAlertHistory({
    accounts: await openAccounts(),
    credentials: { alertAccounts: async () => [ACCOUNT, STOPPED] },
    alerts: log,
  });
});

async function ids(request: Partial<AlertsRequest> = {}) {
  const { items } = await history.listAlerts(caller, { limit: 50, ...request });
  return items.map(({ entry }) => entry.alertId);
}

describe("the list", () => {
  test.each([
    ["all of the user's, over all accounts, newest first", {}, ["a5", "a4", "a3", "a2", "a1"]],
    ["of one account", { accountId: STOPPED }, ["a4"]],
    ["of one webhook", { webhookId: OTHER_HOOK }, ["a3"]],
    ["of one outcome", { outcome: "refused" }, ["a4", "a1"]],
    ["of one that repeats", { outcome: "duplicate" }, ["a5"]],
    ["from an instant on", { fromAt: NOW + 3 }, ["a5", "a4", "a3"]],
    ["before an instant", { beforeAt: NOW + 3 }, ["a2", "a1"]],
    ["all of it together", { accountId: ACCOUNT, outcome: "done", fromAt: NOW + 2 }, ["a2"]],
    ["nothing", { outcome: "lost" }, []],
  ] as const)("%s", async (_, request, expected) => {
    expect(await ids(request)).toEqual(expected);
  });

  test("of another user's account is as of one that is not there", async () => {
    await expect(ids({ accountId: FOREIGN })).rejects.toMatchObject({ name: "NOT_FOUND" });
  });
});

describe("the pages", () => {
  test.each([1, 2, 3, 5, 50])("of %d alerts hold every alert once, in order", async (limit) => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const request = { limit, ...(cursor !== undefined && { cursor }) };
      const page = await history.listAlerts(caller, request);
      expect(page.items.length).toBeLessThanOrEqual(limit);
      seen.push(...page.items.map(({ entry }) => entry.alertId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(["a5", "a4", "a3", "a2", "a1"]);
  });

  const first = { limit: 1, accountId: ACCOUNT, fromAt: NOW + 1, beforeAt: NOW + 10 };

  test.each([
    { webhookId: OTHER_HOOK },
    { outcome: "refused" as const },
    { accountId: STOPPED },
    { fromAt: NOW + 2 },
    { beforeAt: NOW + 9 },
  ])("go on with the same filters only, not with %j", async (change) => {
    const { nextCursor = "" } = await history.listAlerts(caller, first);
    await expect(
      history.listAlerts(caller, { ...first, ...change, cursor: nextCursor }),
    ).rejects.toMatchObject({ name: "VALIDATION_FAILED", details: [{ path: "cursor" }] });
    const next = await history.listAlerts(caller, { ...first, limit: 9, cursor: nextCursor });
    expect(next.items.length).toBe(3);
  });

  test.each(["", "x", "W10"])("%j is no cursor", async (cursor) => {
    await expect(ids({ cursor })).rejects.toMatchObject({ name: "VALIDATION_FAILED" });
  });
});

describe("one alert", () => {
  test("is found by its id, with what became of it", async () => {
    expect(await history.findAlert(caller, intentId("a2"))).toMatchObject({
      entry: { alertId: "a2" },
      intent: { outcome: FILLED },
    });
  });

  test.each(["x1", "x2", "nowhere"])("%s is not there", async (id) => {
    await expect(history.findAlert(caller, intentId(id))).rejects.toMatchObject({
      name: "NOT_FOUND",
    });
  });
});

describe("an alert has one outcome", () => {
  const reason = "x";
  const TESTED = { kind: "done", result: { kind: "TEST", steps: [] } } as const;

  test.each([
    ["refused", ended("a", REFUSED)],
    ["duplicate", ended("a", { kind: "duplicate", of: intentId("b") })],
    ["pending", accepted("a")],
    ["pending", accepted("a", undefined, { intent: { state: "SENDING" } })],
    ["done", accepted("a", FILLED)],
    ["test", accepted("a", TESTED)],
    ["unknown", accepted("a", { kind: "unknown", reason })],
    ["denied", accepted("a", { kind: "denied", code: "LIMIT_EXCEEDED", reason })],
    ["rejected", accepted("a", { kind: "rejected", reason })],
    ["notSent", accepted("a", { kind: "notSent", reason })],
    ["expired", accepted("a", { kind: "expired", reason })],
    ["withdrawn", accepted("a", { kind: "withdrawn", reason })],
    ["lost", accepted("a", { kind: "lost", reason })],
    ["unprotected", accepted("a", { kind: "unprotected", canceled: "", reason, restored: true })],
  ] as const)("%s", (outcome: AlertOutcome, alert) => {
    expect(alertOutcome(alert)).toBe(outcome);
  });
});
