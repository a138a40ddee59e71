import type { AlertLog, LoggedAlert } from "../../../../src/trading/alerts/alert-log.ts";
import type { IntentId } from "../../../../src/domain/ids.ts";

/** The alert log's contract in memory: newest first, of one instant by the ids backwards. */
export class MemoryAlertLog implements AlertLog {
  readonly alerts: LoggedAlert[] = [];

  readonly end: AlertLog["end"] = async (entry, ending) => {
    this.alerts.push({ entry, ending });
  };

  readonly find: AlertLog["find"] = async (accounts, alert) =>
    this.alerts.find(({ entry }) => entry.alertId === alert && accounts.includes(entry.accountId));

  readonly list: AlertLog["list"] = async (accounts, query) => {
    const { limit, after, fromAt = -Infinity, beforeAt = Infinity, matches = () => true } = query;
    const found = this.alerts
      .filter(({ entry }) => accounts.includes(entry.accountId))
      .filter(({ entry: { receivedAt: at } }) => at >= fromAt && at < beforeAt)
      .sort((a, b) => compare(placeOf(a), placeOf(b)))
      .filter((one) => after === undefined || compare([after.at, after.alertId], placeOf(one)) < 0)
      .filter(matches);
    const items = found.slice(0, limit);
    const last = items.at(-1)?.entry;
    if (last === undefined || found.length <= limit) return { items };
    return { items, next: { at: last.receivedAt, alertId: last.alertId } };
  };
}

type Place = readonly [at: number, id: IntentId];

const placeOf = ({ entry }: LoggedAlert): Place => [entry.receivedAt, entry.alertId];

function compare([at, id]: Place, [otherAt, otherId]: Place): number {
  if (at !== otherAt) return otherAt - at;
  return id === otherId ? 0 : id < otherId ? 1 : -1;
}
