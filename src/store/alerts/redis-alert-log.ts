import type { Redis } from "ioredis";
import type { AccountId, IntentId } from "../../domain/ids.ts";
import type { AlertLog, AlertQuery, LoggedAlert } from "../../trading/alerts/alert-log.ts";
import {
  ALERT_FIELDS,
  decodeAccepted,
  decodeEnded,
  encodeEnded,
  ENDED_ALERTS_KEPT,
} from "./alert-record.ts";
import { askInParts } from "../redis/ask-in-parts.ts";
import { toIntentId } from "../intents/intent-record.ts";
import type { Keys } from "../keys.ts";
import type { Merged } from "../redis/merge-newest.ts";
import { readMatching } from "../redis/read-matching.ts";
import { runScript } from "../redis/script.ts";
import { endAlert } from "./end-alert.ts";
import { translateStoreErrors as run } from "../store-error.ts";

export const alertLogScripts = [endAlert];

/** Which of an account's two sets an alert was found in. */
interface Kind {
  readonly account: AccountId;
  readonly isAccepted: boolean;
}

/**
 * The alert log in Redis. Accepted alerts are their intents, read once more; only what has no intent
 * has a record here. `retentionMs` is how long that one is kept.
 */
export function createRedisAlertLog({
  redis,
  keys,
  retentionMs,
}: {
  redis: Redis;
  keys: Keys;
  retentionMs: number;
}): AlertLog {
  return { end, find, list };

  async function end(...[entry, ending]: Parameters<AlertLog["end"]>): Promise<void> {
    const { accountId, alertId, receivedAt } = entry;
    await runScript(
      redis,
      endAlert,
      [keys.endedAlert(accountId, alertId), keys.endedAlerts(accountId)],
      [
        alertId,
        encodeEnded(entry, ending),
        receivedAt,
        retentionMs,
        ENDED_ALERTS_KEPT,
        keys.endedAlert(accountId, toIntentId("")),
      ],
    );
  }

  async function find(accounts: readonly AccountId[], alert: IntentId) {
    const found = await askInParts(accounts, async (account) => {
      const [accepted, ended] = await Promise.all([
        readAccepted(account, alert),
        readEnded(account, alert),
      ]);
      // An alert whose acceptance seemed to fail, and did not, is what became of its intent.
      return accepted ?? ended;
    });
    return found.find((one) => one !== undefined);
  }

  async function list(accounts: readonly AccountId[], query: AlertQuery) {
    const { after, ...rest } = query;
    const sets = accounts.flatMap((account) => [
      { key: keys.acceptedAlerts(account), kind: { account, isAccepted: true } },
      { key: keys.endedAlerts(account), kind: { account, isAccepted: false } },
    ]);
    const { items, next } = await readMatching<Kind, LoggedAlert>(redis, sets, {
      ...rest,
      after: after && { at: after.at, id: after.alertId },
      read,
      placeOf: ({ entry }) => ({ at: entry.receivedAt, id: entry.alertId }),
    });
    return { items, ...(next && { next: { at: next.at, alertId: toIntentId(next.id) } }) };
  }

  /** Undefined for what was forgotten since. */
  async function read({ id, kind }: Merged<Kind>): Promise<LoggedAlert | undefined> {
    const readOne = kind.isAccepted ? readAccepted : readEnded;
    return await readOne(kind.account, toIntentId(id));
  }

  async function readAccepted(account: AccountId, alert: IntentId) {
    const fields = await run(redis.hmget(keys.intent(account, alert), ...ALERT_FIELDS));
    return decodeAccepted({ accountId: account, alertId: alert }, fields);
  }

  async function readEnded(account: AccountId, alert: IntentId) {
    const record = await run(redis.get(keys.endedAlert(account, alert)));
    return decodeEnded({ accountId: account, alertId: alert }, record);
  }
}
