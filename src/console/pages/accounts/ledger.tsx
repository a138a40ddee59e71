import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { NotTold } from "../../parts/age.tsx";
import { amountText, priceText } from "../../parts/figure-text.ts";
import { LOG_PAGE, LogFoot, useLogFeed } from "../../parts/log.tsx";
import type { LedgerLine } from "../../parts/money.ts";
import { Stale } from "../../parts/problem.tsx";
import { CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";

const ORIGINS: Readonly<Record<NonNullable<LedgerLine["origin"]>, string>> = {
  webhook: "Alert",
  api: "API call",
  operator: "Command line",
  copy: "Copied trade",
  strategy: "Strategy",
  guard: "Guard",
  timeout: "Order that rested too long",
  plan: "Exit plan",
  foreign: "At the broker, not by the gateway",
};

const COLUMNS: readonly Column<LedgerLine>[] = [
  { head: "Time", cell: ({ time }) => <Time at={time} /> },
  { head: "Trade", cell: tradeText },
  {
    head: { figure: "Price" },
    cell: ({ kind, price, tickSize }) =>
      price === null ? (
        <NotTold why="No price is known" />
      ) : (
        <span title={String(price)}>
          {priceText(price, tickSize)}
          {kind === "lot" && " (estimate)"}
        </span>
      ),
  },
  {
    head: { figure: "Signal price" },
    cell: ({ signalPrice }) => signalPrice ?? <NotTold why="No alert named a price" />,
  },
  { head: { figure: "Slippage" }, cell: ({ slippageTicks: ticks }) => <Slippage ticks={ticks} /> },
  { head: { figure: "Fee" }, cell: feeOf },
  { head: "Origin", cell: originOf },
];

/** Everything the account has ever traded; read once it is unfolded. */
export function Ledger({ accountId }: { accountId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Ledger: everything it has traded</summary>
      {isOpen && <Lines key={accountId} accountId={accountId} />}
    </details>
  );
}

function Lines({ accountId }: { accountId: string }) {
  const feed = useLogFeed(
    `ledger ${accountId}`,
    async (cursor) => {
      const params = {
        path: { id: accountId },
        query: { limit: LOG_PAGE, ...(cursor !== undefined && { cursor }) },
      };
      const { entries: lines, nextCursor } = await answerOf(
        api.GET("/v1/accounts/{id}/ledger", { params }),
      );
      return { lines, nextCursor };
    },
    { refreshOn: { what: ["positions"], accountId } },
  );
  return (
    <div class="block">
      <Stale error={feed.error} since={feed.answeredAt} />
      {feed.shown.length > 0 && (
        <CardTable rows={feed.shown} keyOf={({ id }) => id} columns={COLUMNS} />
      )}
      {!feed.isReady && feed.error === undefined && <p class="empty">One moment …</p>}
      {feed.isReady && feed.shown.length === 0 && <p class="empty">Nothing was traded yet.</p>}
      <LogFoot feed={feed} verb="Older entries" />
    </div>
  );
}

function tradeText(line: LedgerLine): string {
  const { kind, qty, side, symbol } = line;
  switch (kind) {
    case "fill":
      return `${side === "buy" ? "Buy" : "Sell"} ${qty} ${symbol}`;
    case "fee":
      return `Fee of an earlier fill: ${side} ${qty} ${symbol}`;
    case "correction":
      return correctionText(line);
    case "lot":
      return `Held without a known trade: ${side === "buy" ? "+" : "−"}${qty} ${symbol}`;
  }
}

function correctionText({ takenBack, corrects, qty, side, symbol, tickSize }: LedgerLine): string {
  if (takenBack) return `Taken back by the broker: ${side} ${qty} ${symbol}`;
  const now = `Corrected by the broker: ${side} ${qty} ${symbol}`;
  if (corrects === null) return now;
  const at = corrects.price === null ? "" : ` at ${priceText(corrects.price, tickSize)}`;
  return `${now} (was ${corrects.side} ${corrects.qty}${at})`;
}

/** How much worse than the alert's price it was traded. */
function Slippage({ ticks }: { ticks: number | null }) {
  if (ticks === null) return <NotTold why="The two prices cannot be compared" />;
  const count = `${Math.abs(ticks)} ${Math.abs(ticks) === 1 ? "tick" : "ticks"}`;
  if (ticks === 0) return <span>0 ticks</span>;
  return ticks > 0 ? (
    <span class="loss">{count} worse</span>
  ) : (
    <span class="gain">{count} better</span>
  );
}

function feeOf({ fee, feeCurrency, kind }: LedgerLine) {
  if (kind === "lot") return <NotTold why="Nothing was traded" />;
  return fee === null ? <NotTold why="Not told by the broker yet" /> : amountText(fee, feeCurrency);
}

function originOf({ kind, origin, sourceId }: LedgerLine) {
  if (origin === null) return <NotTold why={kind === "lot" ? "Not known" : "As of the fill"} />;
  return (
    <div>
      {ORIGINS[origin]}
      {sourceId !== null && <div class="mono quiet">{sourceId}</div>}
    </div>
  );
}
