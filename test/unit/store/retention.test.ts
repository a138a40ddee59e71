import { expect, test } from "vitest";
import { loadConfig } from "../../../config/index.ts";
import { alertRetentionMs, retentionMs } from "../../../src/store/retention.ts";

const DAY_MS = 86_400_000;

test.each([
  [{}, 7, 30],
  [{ RECORD_RETENTION_DAYS: "2", ALERT_RETENTION_DAYS: "3650" }, 2, 3_650],
  // Reconciliation misses an order's record before its time otherwise.
  [{ RECORD_RETENTION_DAYS: "20", ALERT_RETENTION_DAYS: "1" }, 20, 20],
])("with %j orders are kept for %d days, and alerts for %d", (environment, orders, alerts) => {
  const config = loadConfig(environment);
  expect([retentionMs(config), alertRetentionMs(config)]).toEqual([
    orders * DAY_MS,
    alerts * DAY_MS,
  ]);
});
