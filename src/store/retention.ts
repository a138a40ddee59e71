import type { Config } from "../../config/index.ts";

const MS_PER_DAY = 86_400_000;

/** How long an evaluation of a strategy can be looked up. */
export const EVALUATION_RETENTION_MS = 30 * MS_PER_DAY;

/** How long a settled intent can be looked up. */
export function retentionMs(config: Config): number {
  return config.RECORD_RETENTION_DAYS * MS_PER_DAY;
}

/**
 * How long an alert can be looked up, and the intent it became once that is settled. Its order is
 * kept as long as any other: reconciliation counts on it.
 */
export function alertRetentionMs(config: Config): number {
  return Math.max(retentionMs(config), config.ALERT_RETENTION_DAYS * MS_PER_DAY);
}
