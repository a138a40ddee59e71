import { countText, qtyText } from "../../parts/figure-text.ts";
import type { Account, Synced } from "./types.ts";

/** What a sync has sent on its way, by the gateway's answer. */
export function SyncedNotice({
  synced: { copies },
  accounts,
}: {
  synced: Synced;
  accounts: readonly Account[];
}) {
  const nameOf = (accountId: string) =>
    accounts.find(({ id }) => id === accountId)?.name ?? accountId;
  return (
    <div class="notice" role="status">
      <strong>
        {copies.length === 0
          ? "Nothing to trade: already in sync."
          : `${countText(copies.length, "copy", "copies")} on the way. See the log below for the results.`}
      </strong>
      {copies.map(({ accountId, copyId, symbol, targetQty }) => (
        <p key={copyId}>
          {nameOf(accountId)}: {symbol} to {qtyText(targetQty ?? 0)}
        </p>
      ))}
    </div>
  );
}
