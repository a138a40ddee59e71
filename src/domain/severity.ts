/**
 * critical: money is at risk now. warning: something is not traded, or cannot be seen. info: it is as
 * somebody wanted it.
 */
export const SEVERITIES = ["critical", "warning", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Whether it matters at least as much. */
export const isAtLeast = (severity: Severity, least: Severity): boolean =>
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
