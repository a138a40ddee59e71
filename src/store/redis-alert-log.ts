import type { Redis } from "ioredis";
import type { AccountId, IntentId } from "../domain/ids.ts";
import type { AlertLog, AlertPosition, AlertQuery, LoggedAlert } from "../trading/alert-log.ts";
import {
  ALERT_FIELDS,
  decodeAccepted,
  decodeEnded,
  encodeEnded,
  ENDED_ALERTS_KEPT,
} from "./alert-record.ts";
import { ASKED_AT_ONCE, askInParts } from "./ask-in-parts.ts";
import { toIntentId } from "./intent-record.ts";
import type { Keys } from "./keys.ts";
import { type Merged, MergeNewest } from "./merge-newest.ts";
import type { TimedId } from "./read-newest.ts";
import { runScript } from "./script.ts";
import { endAlert } from "./scripts/end-alert.ts";
import { translateStoreErrors as run } from "./store-error.ts";

export const alertLogScripts = [endAlert];

/** How many alerts one call of `list` looks at, whether or not they match. */
export const MAX_ALERTS_EXAMINED = 1_000;

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
    const { limit, matches = () => true } = query;
    // One more than asked for tells whether anything comes after.
    const expected = query.matches === undefined ? limit + 1 : MAX_ALERTS_EXAMINED;
    const merged = openMerge(accounts, query, expected);
    const found: LoggedAlert[] = [];
    let examined = 0;
    let last: TimedId | undefined;
    while (found.length <= limit && examined < MAX_ALERTS_EXAMINED) {
      const size = Math.min(ASKED_AT_ONCE, expected, MAX_ALERTS_EXAMINED - examined);
      const members = await merged.take(size);
      if (members.length === 0) return { items: found };
      const alerts = await askInParts(members, read);
      found.push(...alerts.filter((alert) => alert !== undefined).filter(matches));
      examined += members.length;
      last = members.at(-1);
    }
    const items = found.slice(0, limit);
    const next = found.length > limit ? positionOf(items.at(-1)) : toPosition(last);
    return { items, ...(next !== undefined && { next }) };
  }

  function openMerge(accounts: readonly AccountId[], query: AlertQuery, expected: number) {
    const { fromAt, beforeAt, after } = query;
    const sets = accounts.flatMap((account) => [
      { key: keys.acceptedAlerts(account), kind: { account, isAccepted: true } },
      { key: keys.endedAlerts(account), kind: { account, isAccepted: false } },
    ]);
    const from = after && { at: after.at, id: after.alertId };
    return new MergeNewest<Kind>(redis, sets, { fromAt, beforeAt, after: from, expected });
  }

  /** Undefined for what was forgotten since. */
  async function read({ id, kind }: Merged<Kind>): Promise<LoggedAlert | undefined> {
    const readOne = kind.isAccepted ? readAccepted : readEnded;
    return await readOne(kind.account, toIntentId(id));
  }

  async function readAccepted(account: AccountId, alert: IntentId) {
    const fields = await run(redis.hmget(keys.intent(account, alert), ...ALERT_FIELDS));
    return decodeAccepted(account, fields);
  }

  async function readEnded(account: AccountId, alert: IntentId) {
    return decodeEnded(await run(redis.get(keys.endedAlert(account, alert))));
  }
}

function positionOf(alert: LoggedAlert | undefined): AlertPosition | undefined {
  return alert && { at: alert.entry.receivedAt, alertId: alert.entry.alertId };
}

function toPosition(member: TimedId | undefined): AlertPosition | undefined {
  return member && { at: member.at, alertId: toIntentId(member.id) };
}
