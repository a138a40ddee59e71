import { AccountOf } from "../../parts/account-of.tsx";
import { countText, msText, qtyText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { OutcomeMark } from "../alerts/outcome-mark.tsx";
import { outcomeWord } from "../alerts/outcome-words.ts";
import type { Account, Copy, CopyOutcome } from "./world.ts";

const columnsOf = (accounts: readonly Account[]): readonly Column<Copy>[] => [
  {
    head: "When",
    look: "when",
    cell: ({ leader, notedAt }) => <Time at={leader?.at ?? notedAt} />,
  },
  {
    head: "Follower",
    look: "who",
    cell: ({ accountId }) => (
      <span class="row whole">
        <AccountOf id={accountId} accounts={accounts} />
      </span>
    ),
  },
  { head: "Leader did", cell: (copy) => <Cause copy={copy} /> },
  { head: "Outcome", look: "ended", cell: (copy) => <Ending copy={copy} /> },
  { head: "Follower did", cell: (copy) => <Filled copy={copy} /> },
  { head: { figure: "Slippage" }, cell: ({ slippageTicks }) => <Slippage ticks={slippageTicks} /> },
  { head: { figure: "Time" }, cell: (copy) => <Took copy={copy} /> },
];

/** Copies, a line each. */
export function CopyTable({
  copies,
  accounts,
}: {
  copies: readonly Copy[];
  accounts: readonly Account[];
}) {
  return (
    <div class="copies">
      <CardTable rows={copies} keyOf={({ id }) => id} columns={columnsOf(accounts)} />
    </div>
  );
}

/** How it ended and why; where it was filled, the fill stands beside it. */
function Ending({ copy: { decisions, filledQty, outcome, reason } }: { copy: Copy }) {
  const isTold = outcome === "done" && filledQty > 0;
  return (
    <div class="stack">
      <CopyOutcomeMark outcome={outcome} />
      {reason !== null && !isTold && <span>{reason}</span>}
      {decisions.map((decision) => (
        <span key={decision} class="quiet">
          {decision}
        </span>
      ))}
    </div>
  );
}

const DID = { buy: "bought", sell: "sold" } as const;

/** What the leader did, or what else was the reason. */
function Cause({ copy: { cause, leader } }: { copy: Copy }) {
  if (cause === "drift") return <Mark tone="watch">Drift, not the leader</Mark>;
  if (cause === "sync") return <Mark tone="quiet">Sync, asked for</Mark>;
  if (leader === null) return <span class="absent">–</span>;
  const { action, averagePrice, qty, symbol } = leader;
  return (
    <span>
      <span class="whole">
        {cause === "order" ? `order to ${action}` : DID[action]} {qty} {symbol}
      </span>{" "}
      {averagePrice !== null && <span class="whole">at {averagePrice}</span>}
    </span>
  );
}

function Filled({ copy: { averagePrice, filledQty, symbol, targetQty } }: { copy: Copy }) {
  const at = averagePrice === null ? "" : ` at ${averagePrice}`;
  return (
    <div class="stack whole">
      <span>{filledQty === 0 ? "nothing filled" : `${filledQty} filled${at}`}</span>
      {symbol !== null && targetQty !== null && (
        <span class="quiet">
          to {qtyText(targetQty)} {symbol}
        </span>
      )}
    </div>
  );
}

/** In ticks of the follower's contract. */
function Slippage({ ticks }: { ticks: number | null }) {
  if (ticks === null) return <span class="absent">–</span>;
  if (ticks === 0) return <>none</>;
  const size = countText(Math.abs(ticks), "tick");
  return ticks > 0 ? (
    <span class="loss">{size} worse</span>
  ) : (
    <span class="gain">{size} better</span>
  );
}

/** From the leader's fill until it was sent, and until the broker had answered. */
function Took({ copy: { sentMs, settledMs } }: { copy: Copy }) {
  if (settledMs === null) return <span class="absent">–</span>;
  return (
    <div class="stack end">
      {sentMs !== null && <span>sent {msText(sentMs)}</span>}
      <span class={sentMs === null ? "" : "quiet"}>answered {msText(settledMs)}</span>
    </div>
  );
}

/** As they are offered to choose from. */
export const OUTCOMES: readonly CopyOutcome[] = [
  "done",
  "pending",
  "skipped",
  "denied",
  "rejected",
  "unprotected",
  "notSent",
  "expired",
  "overtaken",
  "withdrawn",
  "unknown",
  "lost",
];

export const copyOutcomeWord = (outcome: CopyOutcome): string =>
  outcome === "skipped" ? "Nothing sent" : outcomeWord(outcome);

/** What became of a copy, in the words of the alert log. */
function CopyOutcomeMark({ outcome }: { outcome: CopyOutcome }) {
  if (outcome === "skipped") return <Mark tone="watch">{copyOutcomeWord(outcome)}</Mark>;
  return <OutcomeMark outcome={outcome} />;
}
