import { answerOf, api } from "../../api/client.ts";
import { Mark } from "../../parts/mark.tsx";
import { LOG_PAGE, LogFoot, useLogFeed } from "../../parts/log.tsx";
import { Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import type { Tone } from "../../parts/tone.ts";
import { withIds, type DecisionLine } from "./decision-lines.ts";
import { nameOfId } from "./rule-words.ts";
import type { Decision, Guards } from "./types.ts";

const WORDS: Readonly<Record<Decision["what"], readonly [tone: Tone, word: string]>> = {
  warned: ["watch", "Near"],
  entriesOff: ["bad", "Entries off"],
  locked: ["bad", "Locked"],
  unlocked: ["good", "Unlocked"],
  flattened: ["bad", "Closing"],
  cancelled: ["watch", "Cancelled"],
  isFlat: ["good", "Flat"],
  blind: ["watch", "Figures missing"],
  sees: ["good", "Figures back"],
  refused: ["watch", "Entry refused"],
  dayBegan: ["quiet", "New trading day"],
  changed: ["quiet", "Changed"],
  wouldLock: ["quiet", "Would lock"],
  wouldRefuse: ["quiet", "Would refuse"],
  wouldFlatten: ["quiet", "Would close"],
};

const columnsOf = ({ rules, settings }: Guards): readonly Column<DecisionLine>[] => [
  { head: "Time", cell: ({ at }) => <Time at={at} /> },
  {
    head: "Decision",
    cell: ({ what }) => {
      const [tone, word] = WORDS[what];
      return <Mark tone={tone}>{word}</Mark>;
    },
  },
  {
    head: "Rule",
    cell: ({ ruleId }) =>
      ruleId !== null &&
      nameOfId(
        ruleId,
        rules.map(({ rule }) => rule),
        settings.currency,
      ),
  },
  { head: "Reason", cell: ({ reason }) => reason },
  { head: "By", cell: ({ by }) => by !== null && <span class="mono">{by}</span> },
];

/** What the guards decided, or would have, newest first and live. */
export function GuardLog({ guards }: { guards: Guards }) {
  const { accountId } = guards;
  const feed = useLogFeed(
    `guard history ${accountId}`,
    async (cursor) => {
      const query = { limit: LOG_PAGE, ...(cursor !== undefined && { cursor }) };
      const params = { path: { id: accountId }, query };
      const page = await answerOf(api.GET("/v1/accounts/{id}/guards/history", { params }));
      return { lines: withIds(page.decisions), nextCursor: page.nextCursor };
    },
    { refreshOn: { what: ["overview"], accountId }, anywayMs: 10_000 },
  );
  const { answeredAt, error, isReady, shown } = feed;
  return (
    <Sheet title="Decisions">
      <Stale error={error} since={answeredAt} />
      {!isReady && error === undefined && <p class="empty">One moment …</p>}
      {isReady && shown.length === 0 && <p class="empty">Nothing was decided yet.</p>}
      {shown.length > 0 && (
        <div class="decisions">
          <CardTable rows={shown} keyOf={({ id }) => id} columns={columnsOf(guards)} />
        </div>
      )}
      {shown.length > 0 && <LogFoot feed={feed} verb="Older decisions" />}
    </Sheet>
  );
}
