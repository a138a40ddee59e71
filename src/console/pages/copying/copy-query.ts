import { OUTCOMES } from "./copy-outcome-mark.tsx";
import type { CopyOutcome } from "./types.ts";

/** What the copy log is narrowed to; it stands in the page's address. */
export interface CopyFilter {
  readonly accountId: string;
  readonly outcome: CopyOutcome | "";
}

export const filterOf = (query: URLSearchParams): CopyFilter => ({
  accountId: query.get("accountId") ?? "",
  outcome: OUTCOMES.find((one) => one === query.get("outcome")) ?? "",
});

/** The group's page with this filter. */
export function placeOf(groupId: string, { accountId, outcome }: CopyFilter): string {
  const query = new URLSearchParams({
    ...(accountId !== "" && { accountId }),
    ...(outcome !== "" && { outcome }),
  }).toString();
  return `/copying/${groupId}${query === "" ? "" : `?${query}`}`;
}
