import type { AccountId } from "../../domain/ids.ts";
import type { AlertOutcome } from "../../trading/alerts/alert-log.ts";
import type { Keys } from "../keys.ts";
import type { TimedSet } from "../redis/merge-newest.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { endingName, INDEXED_ENDINGS } from "./alert-endings.ts";
import type { RedisClient } from "../redis/redis-client.ts";

/** Which of an account's two sets an alert was found in. */
export interface AlertKind {
  readonly account: AccountId;
  readonly isAccepted: boolean;
}

type AlertSet = TimedSet<AlertKind>;

/**
 * The sets in which an account's alerts of an outcome are, and of each outcome those that are older
 * than these sets. All that is in one of them has to be looked at: it may have another outcome by now.
 */
export function alertSetsOf(keys: Keys, account: AccountId, since: number, outcome?: AlertOutcome) {
  const accepted = { key: keys.acceptedAlerts(account), kind: { account, isAccepted: true } };
  const ended = { key: keys.endedAlerts(account), kind: { account, isAccepted: false } };
  const hidden = (ending: AlertOutcome): AlertSet => ({
    ...endedAs(accepted, ending),
    isHidden: true,
  });
  if (outcome === undefined) return [accepted, ended];
  if (outcome === "done") return [...INDEXED_ENDINGS.accepted.map(hidden), accepted];
  if (outcome === "refused") return [...INDEXED_ENDINGS.ended.map(hidden), ended];
  const all = outcome === "duplicate" || outcome === "split" ? ended : accepted;
  return [endedAs(all, outcome), { ...all, beforeAt: since }];

  function endedAs(set: AlertSet, ending: AlertOutcome): AlertSet {
    return { ...set, key: keys.alertsEndedAs(account, endingName(ending)) };
  }
}

/** From when on alerts are in the sets of their endings: those of an earlier version are in none. */
export async function readEndingsSince(redis: RedisClient, keys: Keys): Promise<number> {
  return Number((await run(redis.get(keys.endingsSince))) ?? 0);
}
