import type { Config } from "../../config/index.ts";

const MS_PER_DAY = 86_400_000;

/** How long a settled intent can be looked up. */
export function retentionMs(config: Config): number {
  return config.RECORD_RETENTION_DAYS * MS_PER_DAY;
}
