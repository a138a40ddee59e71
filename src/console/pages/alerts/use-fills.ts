import { useEffect, useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import type { Trade } from "./stages.ts";
import type { WholeAlert } from "./types.ts";

const MOST = 500;

/** The fills of an alert's orders, exits that filled later included, oldest first. */
export function useFills(alert: WholeAlert | undefined): readonly Trade[] {
  const [trades, setTrades] = useState<readonly Trade[]>([]);
  const orders = alert?.orderIds.join(" ") ?? "";
  useEffect(() => {
    if (alert === undefined || orders === "") return;
    const { accountId, times } = alert;
    // The broker's clock may be a little behind ours.
    const from = new Date(Date.parse(times.received) - 5_000).toISOString();
    const params = { path: { id: accountId }, query: { from, limit: MOST } };
    const ids = new Set(alert.orderIds);
    answerOf(api.GET("/v1/accounts/{id}/orders", { params })).then(
      (page) => setTrades(page.trades.filter(({ orderId }) => ids.has(orderId)).toReversed()),
      () => setTrades([]),
    );
  }, [alert?.alertId, orders, alert?.times.settled]);
  return trades;
}
