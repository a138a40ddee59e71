import { answerOf, api } from "../../api/client.ts";
import { SelectField } from "../../parts/fields.tsx";
import { typingOf } from "../../parts/form.tsx";
import { LOG_PAGE, LogFoot, useLogFeed } from "../../parts/log.tsx";
import { Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { go, place } from "../../shell/router.ts";
import { copyOutcomeWord, CopyTable, OUTCOMES } from "./copy-table.tsx";
import type { Account, CopyGroup, CopyOutcome } from "./world.ts";

interface LogProps {
  group: CopyGroup;
  accounts: readonly Account[];
}

/** What was copied and what became of it, newest first and live. */
export function CopyLog(of: LogProps) {
  const filter = filterOf(place.value.query);
  return (
    <Sheet title="Copies">
      <Filters {...of} filter={filter} />
      <Lines key={placeOf(of.group.id, filter)} {...of} filter={filter} />
    </Sheet>
  );
}

function Filters({ group, accounts, filter }: LogProps & { filter: CopyFilter }) {
  const set = (change: Partial<CopyFilter>) =>
    go(placeOf(group.id, { ...filter, ...change }), { replace: true });
  const { tie } = typingOf(filter, set);
  const ids = new Set(group.followers.map(({ accountId }) => accountId));
  // What a link asks for is shown, also where it follows no more.
  if (filter.accountId !== "") ids.add(filter.accountId);
  const nameOf = (id: string) => accounts.find((account) => account.id === id)?.name ?? id;
  return (
    <search class="filters">
      <SelectField
        {...tie("accountId")}
        label="Follower"
        options={[["", "Every follower"], ...[...ids].map((id) => [id, nameOf(id)] as const)]}
      />
      <SelectField
        {...tie("outcome")}
        label="Outcome"
        options={[
          ["", "Every outcome"],
          ...OUTCOMES.map((one) => [one, copyOutcomeWord(one)] as const),
        ]}
      />
    </search>
  );
}

function Lines({ group, accounts, filter }: LogProps & { filter: CopyFilter }) {
  const feed = useCopyFeed(group.id, filter);
  const isFiltered = filter.accountId !== "" || filter.outcome !== "";
  return (
    <>
      <Stale error={feed.error} since={feed.answeredAt} />
      {feed.shown.length > 0 && <CopyTable copies={feed.shown} accounts={accounts} />}
      {!feed.isReady && feed.error === undefined && <p class="empty">One moment …</p>}
      {feed.isReady && feed.shown.length === 0 && feed.olderCursor === undefined && (
        <p class="empty">
          {isFiltered ? "No copies match these filters." : "Nothing was copied yet."}
        </p>
      )}
      <LogFoot feed={feed} verb="Older copies" />
    </>
  );
}

/** The log of one group by one filter, live. */
function useCopyFeed(groupId: string, filter: CopyFilter) {
  return useLogFeed(`copies ${placeOf(groupId, filter)}`, async (cursor) => {
    const { copies: lines, nextCursor } = await answerOf(
      api.GET("/v1/copy-groups/{groupId}/copies", {
        params: {
          path: { groupId },
          query: {
            limit: LOG_PAGE,
            ...(filter.accountId !== "" && { accountId: filter.accountId }),
            ...(filter.outcome !== "" && { outcome: filter.outcome }),
            ...(cursor !== undefined && { cursor }),
          },
        },
      }),
    );
    return { lines, nextCursor };
  });
}

/** What the copy log is narrowed to; it stands in the page's address. */
interface CopyFilter {
  readonly accountId: string;
  readonly outcome: CopyOutcome | "";
}

const filterOf = (query: URLSearchParams): CopyFilter => ({
  accountId: query.get("accountId") ?? "",
  outcome: OUTCOMES.find((one) => one === query.get("outcome")) ?? "",
});

/** The group's page with this filter. */
function placeOf(groupId: string, { accountId, outcome }: CopyFilter): string {
  const query = new URLSearchParams({
    ...(accountId !== "" && { accountId }),
    ...(outcome !== "" && { outcome }),
  }).toString();
  return `/copying/${groupId}${query === "" ? "" : `?${query}`}`;
}
