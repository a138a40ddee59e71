import type { components } from "../../api/schema.ts";

/**
 * What is wrong with exactly this place of a body, such as `indicators.fast` and not
 * `indicators.fast.period`, which has a field of its own.
 */
export const problemAt = (
  problems: readonly components["schemas"]["Problem"][],
  place: string,
): string | undefined => problems.find(({ path }) => path === place)?.message;
