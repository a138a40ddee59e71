import type { AccountId, IntentId } from "../../domain/ids.ts";
import type {
  AlertLog,
  AlertOutcome,
  AlertQuery,
  LoggedAlert,
} from "../../trading/alerts/alert-log.ts";
import {
  ALERT_FIELDS,
  decodeAccepted,
  decodeEnded,
  encodeEnded,
  ENDED_ALERTS_KEPT,
} from "./alert-record.ts";
import { type AlertKind, alertSetsOf, readEndingsSince } from "./alert-sets.ts";
import { readUnsettled } from "./unsettled-alerts.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import { toIntentId } from "../intents/intent-record.ts";
import type { Keys } from "../keys.ts";
import type { Merged } from "../redis/merge-newest.ts";
import { type PageQuery, readMatching, readPage } from "../redis/read-matching.ts";
import { runScript } from "../redis/script.ts";
import { endingName } from "./alert-endings.ts";
import { endAlert } from "./end-alert.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { isUnsettled, OUTCOME_KINDS, stateOf } from "../../domain/intent.ts";
import type { RedisClient } from "../redis/redis-client.ts";

/** Those of alerts whose intents are not settled. */
const NOT_ENDED: readonly AlertOutcome[] = [
  "pending",
  ...OUTCOME_KINDS.filter((kind) => isUnsettled(stateOf({ kind }))),
];

export const alertLogScripts = [endAlert];

/**
 * The alert log in Redis. Accepted alerts are their intents, read once more; only what has no intent
 * has a record here. `retentionMs` is how long that one is kept.
 */
export function createRedisAlertLog({
  redis,
  keys,
  retentionMs,
}: {
  redis: RedisClient;
  keys: Keys;
  retentionMs: number;
}): AlertLog {
  return { end, find, list };

  async function end(...[entry, ending]: Parameters<AlertLog["end"]>): Promise<void> {
    const { accountId, alertId, receivedAt } = entry;
    await runScript(
      redis,
      endAlert,
      [
        keys.endedAlert(accountId, alertId),
        keys.endedAlerts(accountId),
        keys.alertsEndedAs(accountId, endingName("duplicate")),
        keys.outbox(accountId),
        keys.alertsEndedAs(accountId, endingName("split")),
      ],
      [
        alertId,
        encodeEnded(entry, ending),
        receivedAt,
        retentionMs,
        ENDED_ALERTS_KEPT,
        keys.endedAlert(accountId, toIntentId("")),
        ending.kind === "refused" ? "" : ending.kind,
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
    const { after, outcome, ...rest } = query;
    const page: PageQuery<AlertKind, LoggedAlert> = {
      ...rest,
      after: after && { at: after.at, id: after.alertId },
      read: outcome === undefined ? read : readEither,
      placeOf: ({ entry }) => ({ at: entry.receivedAt, id: entry.alertId }),
    };
    const { items, next } =
      outcome !== undefined && NOT_ENDED.includes(outcome)
        ? await readPage(await readUnsettled(redis, keys, accounts, page), page)
        : await readMatching(redis, await setsOf(accounts, outcome), page);
    return { items, ...(next && { next: { at: next.at, alertId: toIntentId(next.id) } }) };
  }

  async function setsOf(accounts: readonly AccountId[], outcome: AlertOutcome | undefined) {
    const since = outcome === undefined ? 0 : await readEndingsSince(redis, keys);
    return accounts.flatMap((account) => alertSetsOf(keys, account, since, outcome));
  }

  /** Undefined for what was forgotten since. */
  async function read({ id, kind }: Merged<AlertKind>): Promise<LoggedAlert | undefined> {
    const readOne = kind.isAccepted ? readAccepted : readEnded;
    return await readOne(kind.account, toIntentId(id));
  }

  /** One without an intent may have one all the same, and is what became of that. */
  async function readEither(member: Merged<AlertKind>): Promise<LoggedAlert | undefined> {
    const { id, kind } = member;
    const accepted = kind.isAccepted ? undefined : await readAccepted(kind.account, toIntentId(id));
    return accepted ?? (await read(member));
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
