import type { Rhythm } from "../../shell/poll.ts";

/** Of some troubles nobody tells: that a process is silent, or that something waits long. */
export const OVERVIEW_RHYTHM: Rhythm = {
  hears: { what: ["positions", "orders", "alerts", "overview"] },
  anywayMs: 5_000,
};
