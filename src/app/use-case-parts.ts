import type { Foundation } from "./open-foundation.ts";
import type { Links } from "./open-links.ts";

/** What use cases are made of, where callers are served. Each takes what it names of it. */
export type UseCaseParts = ReturnType<typeof useCaseParts>;

export function useCaseParts(base: Foundation, links: Links) {
  const { settleNow, troublesOf } = links.reads;
  return { ...base, ...base.stores, ...links, settleNow, troublesOf };
}
