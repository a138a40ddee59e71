import { Refused } from "../../api/client.ts";

/**
 * What the gateway found wrong with exactly this place of a body, such as `indicators.fast` and not
 * `indicators.fast.period`, which has a field of its own.
 */
export function problemAt(error: Error | undefined, place: string): string | undefined {
  if (!(error instanceof Refused)) return undefined;
  return error.details.find(({ path }) => path === place)?.message;
}
