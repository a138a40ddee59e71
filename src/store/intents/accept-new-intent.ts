import type { Redis } from "ioredis";
import { rootOfCode } from "../../domain/contracts/contract.ts";
import { openedBy, overtakingOf } from "../../domain/overtaking.ts";
import type { AlertEntry, SameAlert } from "../../trading/alerts/alert-log.ts";
import { ACCEPTED_ALERTS_KEPT, encodeAlert } from "../alerts/alert-record.ts";
import { REPEATED_WITHIN_MS } from "../alerts/make-room.ts";
import { isSettledBy, linkOf, type RedisLink, untilRedisReady } from "../redis/connect.ts";
import { encodeIntent, toIntentId } from "./intent-record.ts";
import type { Keys } from "../keys.ts";
import { isForgotten, requireScripts, runScript, runScriptInOrder } from "../redis/script.ts";
import { findKeyedIntent } from "./find-keyed-intent.ts";
import { findSameAlert } from "./find-same-alert.ts";
import type { LaneScripts } from "./lane-scripts.ts";
import {
  ACCEPT_WITHIN_MS,
  type Acceptance,
  type EarlierIntent,
  type IntentStore,
  type NewIntent,
} from "../../trading/orders/ports.ts";
import { StoreError } from "../../trading/store-error.ts";

export const findScripts = [findKeyedIntent, findSameAlert];

/** How long a dropped connection is waited for; the caller waits as long. */
const COMES_BACK_WITHIN_MS = 1_000;

const DAY_MS = 24 * 3_600_000;
const IDEMPOTENCY_TTL_MS = DAY_MS;
/** After this an id counts as another alert's; for a replay it counts as long as alerts are kept. */
const ALERT_ID_COUNTS_MS = DAY_MS;

/** Alerts and other requests have a script each; both write the same record. */
export function createAcceptNewIntent({
  redis,
  keys,
  alertRetentionMs,
  laneScripts: { acceptAlert, acceptIntent },
  jobData,
}: {
  redis: Redis;
  keys: Keys;
  alertRetentionMs: number;
  laneScripts: LaneScripts;
  jobData: string;
}): IntentStore["accept"] {
  return async function accept(intent) {
    try {
      return await attempt(intent);
    } catch (error) {
      if (!isForgotten(error)) throw error;
      // Nothing was written. The script decides whether it is too late by now.
      await requireScripts(redis, [acceptAlert, acceptIntent]);
      return await attempt(intent);
    }
  };

  async function attempt(intent: NewIntent): Promise<Acceptance> {
    const sentOn = linkOf(redis);
    try {
      return toAcceptance(await send(intent));
    } catch (error) {
      if (!(error instanceof StoreError) || error.certainlyNotWritten) throw error;
      return await readBack(intent, sentOn, error);
    }
  }

  /**
   * The reply was lost, so the result is read. Callers do not repeat what was perhaps accepted, so the
   * result must be known wherever it can be.
   */
  async function readBack(
    { accountId, intentId }: NewIntent,
    sentOn: RedisLink,
    lost: StoreError,
  ): Promise<Acceptance> {
    let isThere: boolean;
    try {
      await untilRedisReady(redis, COMES_BACK_WITHIN_MS);
      isThere = (await redis.exists(keys.intent(accountId, intentId))) === 1;
    } catch {
      throw lost;
    }
    if (isThere) return { kind: "accepted" };
    // The read came after the write, or the server that got the write is gone.
    if (!isSettledBy(sentOn, linkOf(redis))) throw lost;
    throw new StoreError("The store did not take it", { certainlyNotWritten: true, cause: lost });
  }

  async function send(intent: NewIntent): Promise<unknown> {
    const { accountId, intentId, idempotency, alert } = intent;
    const names = [
      keys.intent(accountId, intentId),
      keys.open(accountId),
      keys.counters(accountId),
      keys.idempotency(accountId, idempotency?.key ?? ""),
    ];
    const args = [
      intentId,
      encodeIntent(intent),
      intent.entryMaxAgeMs,
      intent.exitMaxAgeMs,
      intent.receivedAt + (isWayOut(intent) ? intent.exitMaxAgeMs : ACCEPT_WITHIN_MS),
      reachOf(intent),
      idempotency?.fingerprint ?? "",
      IDEMPOTENCY_TTL_MS,
      keys.intent(accountId, toIntentId("")),
    ];
    if (alert === undefined) {
      args.push(intent.isDerived === true ? 1 : 0, keys.lane(accountId), jobData);
      return await runScriptInOrder(redis, acceptIntent, names, args);
    }

    // A dry run neither is a duplicate nor makes one.
    const sameAs = intent.test === true ? undefined : alert.sameAs;
    const { webhookId } = alert.entry;
    names.push(
      keys.acceptedAlerts(accountId),
      keys.sameAlert(accountId, webhookId, sameAs?.id ?? ""),
      keys.newestBody(accountId, webhookId),
      keys.replayed(accountId, sameAs?.replayOf ?? toIntentId("")),
    );
    args.push(
      ...entryArguments(alert.entry, intent),
      ...sameArguments(sameAs),
      alert.follows ?? "",
      repeatedWithin(sameAs),
      keys.alertsEndedAs(accountId, ""),
      keys.lane(accountId),
      jobData,
    );
    return await runScriptInOrder(redis, acceptAlert, names, args);
  }

  function entryArguments(entry: AlertEntry, intent: NewIntent): readonly (string | number)[] {
    return [encodeAlert(entry, intent), entry.receivedAt, alertRetentionMs, ACCEPTED_ALERTS_KEPT];
  }
}

/** Checked before connection and account: an earlier request's outcome stays the answer. */
export function createFindKeyedIntent({
  redis,
  keys,
}: {
  redis: Redis;
  keys: Keys;
}): IntentStore["findKeyed"] {
  return async function findKeyed(account, { key, formerKey, fingerprint }) {
    const names = [key, formerKey].map((name) => keys.idempotency(account, name));
    const args = [fingerprint, keys.intent(account, toIntentId(""))];
    return toEarlier(await runScript(redis, findKeyedIntent, names, args));
  };
}

/** Checked only where an alert is refused, so that a first alert costs no round trip for it. */
export function createFindSameAlert({
  redis,
  keys,
}: {
  redis: Redis;
  keys: Keys;
}): IntentStore["findSameAlert"] {
  return async function find(account, webhook, { id, body, place, windowMs, until, replayOf }) {
    const names = [
      keys.sameAlert(account, webhook, id ?? ""),
      keys.newestBody(account, webhook),
      keys.counters(account),
      keys.replayed(account, replayOf ?? toIntentId("")),
    ];
    const prefix = keys.intent(account, toIntentId(""));
    const args = [
      id === undefined ? 0 : 1,
      body,
      place,
      windowMs,
      prefix,
      until,
      replayOf === undefined ? 0 : 1,
      ALERT_ID_COUNTS_MS,
    ];
    const earlier = toEarlier(await runScript(redis, findSameAlert, names, args));
    return earlier?.kind === "known" ? earlier.intentId : undefined;
  };
}

function sameArguments(sameAs: SameAlert | undefined): readonly (string | number)[] {
  if (sameAs === undefined) return [0, ALERT_ID_COUNTS_MS, "", 0, 0, "", 0];
  const { id, body, place, windowMs, until, replayOf } = sameAs;
  const isReplay = replayOf === undefined ? 0 : 1;
  return [id === undefined ? 0 : 1, ALERT_ID_COUNTS_MS, body, place, windowMs, until, isReplay];
}

/** For how long a repeat may ask for it; 0 where its record is kept for that long in any case. */
function repeatedWithin(sameAs: SameAlert | undefined): number {
  if (sameAs === undefined) return 0;
  if (sameAs.id !== undefined) return ALERT_ID_COUNTS_MS;
  return sameAs.windowMs > REPEATED_WITHIN_MS ? sameAs.windowMs : 0;
}

/** An alert that can open nothing. Its sender has given up waiting by then, and does not send it again. */
const isWayOut = ({ alert, intent }: NewIntent): boolean =>
  alert !== undefined && openedBy(intent) === undefined;

/**
 * What it ends and may open, in the notation of `write-intent.ts`. A dry run ends nothing; of copies
 * the newest counts, and none is requested again.
 */
function reachOf({ intent, test, copy }: NewIntent): string {
  const overtaking = test === true ? undefined : overtakingOf(intent);
  const reaches: string[] = [];
  if (overtaking !== undefined && (copy === undefined || overtaking.scope === "account")) {
    const { scope, side, isConditional, isTarget } = overtaking;
    const word = isTarget === true ? "replaces" : isConditional ? "mayEmpty" : "empties";
    reaches.push(scope === "account" ? word : spaced(word, scope.of, side));
  }
  const opened = copy === undefined ? openedBy(intent) : undefined;
  if (opened !== undefined) {
    reaches.push(spaced("opens", rootOfCode(opened.contract), opened.contract, opened.side));
  }
  return reaches.join(";");
}

const spaced = (...words: readonly (string | undefined)[]): string =>
  words.filter((word) => word !== undefined).join(" ");

function toAcceptance(reply: unknown): Acceptance {
  const [answer] = reply as readonly string[];
  if (answer === "accepted") return { kind: "accepted" };
  return toEarlier(reply) ?? { kind: "tooLate" };
}

function toEarlier(reply: unknown): EarlierIntent | undefined {
  const [answer, known] = reply as readonly string[];
  if (answer === "known") return { kind: "known", intentId: toIntentId(known ?? "") };
  return answer === "reused" ? { kind: "keyReused" } : undefined;
}
