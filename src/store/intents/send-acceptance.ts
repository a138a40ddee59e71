import { Command } from "ioredis";
import { rootOfCode } from "../../domain/contracts/contract.ts";
import type { AccountId, IntentId } from "../../domain/ids.ts";
import { openedBy, overtakingOf } from "../../domain/overtaking.ts";
import { ASKED_FOR } from "../../domain/repeat.ts";
import type { SameAlert } from "../../trading/alerts/alert-log.ts";
import { ACCEPT_WITHIN_MS, type NewIntent } from "../../trading/orders/ports.ts";
import { StoreError } from "../../trading/store-error.ts";
import { encodeAlert } from "../alerts/alert-record.ts";
import { REPEATED_WITHIN_MS } from "../alerts/make-room.ts";
import type { Keys } from "../keys.ts";
import { untilRedisReady } from "../redis/connect.ts";
import { carrierOf, isSettledBy, type RedisClient, sendFollowed } from "../redis/redis-client.ts";
import {
  isForgotten,
  carrierOfLost,
  requireScripts,
  runScriptInOrder,
  type Script,
} from "../redis/script.ts";
import { toQuota } from "../people/quota.ts";
import { ALERT_ID_COUNTS_MS } from "./accept-alert.ts";
import { TIME_OFF_MS } from "./admit-remembered.ts";
import { inOrder, type Sent } from "../redis/named-arguments.ts";
import { OF_ALERT, OF_EVERY, OF_REQUEST, TO_ADMIT } from "./acceptance-arguments.ts";
import { encodeIntent } from "./intent-record.ts";
import type { LaneScripts } from "./lane-scripts.ts";

/** How long a dropped connection is waited for; the caller waits as long. */
const COMES_BACK_WITHIN_MS = 1_000;

export interface AcceptanceParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly alertRetentionMs: number;
  readonly laneScripts: LaneScripts;
  /** What the queue keeps of an intent that is accepted here. */
  readonly jobData: string;
  /** Whether the store's memory is nearly full. */
  readonly isTight: () => boolean;
  /** Called with what is certainly accepted. */
  readonly noteAccepted: (account: AccountId, intent: IntentId) => void;
}

/** One of the scripts that accept: alerts and other requests have one each, and both write the same record. */
export interface AcceptingScript {
  readonly ofAlert: Script;
  readonly ofIntent: Script;
  /** Whether the process is called that works the lane, which is another one. */
  readonly rings?: boolean;
  /** Where it is begun in the same step. */
  readonly toBegin?: Sent;
}

/**
 * Sends an acceptance in the very call, and answers with its reply: undefined where the reply was lost
 * and the intent is there.
 */
export type SendAcceptance = (
  intent: NewIntent,
  script: AcceptingScript,
) => Promise<readonly unknown[] | undefined>;

type Reply = readonly unknown[];

export function createSendAcceptance({
  redis,
  keys,
  alertRetentionMs,
  jobData,
  isTight,
  noteAccepted,
}: AcceptanceParts): SendAcceptance {
  return async function sendAcceptance(intent, script) {
    const reply = await sendFor(intent, script);
    if (reply === undefined || reply[0] === "accepted" || reply[0] === "begun") {
      noteAccepted(intent.accountId, intent.intentId);
    }
    return reply;
  };

  async function sendFor(intent: NewIntent, script: AcceptingScript) {
    try {
      return await send(intent, script);
    } catch (error) {
      // In both cases nothing was written. The script decides whether it is too late by now.
      if (isFull(error)) return await sendAgain(intent, script, true);
      if (!isForgotten(error)) return await readBack(intent, error);
      await requireScripts(redis, [script.ofAlert, script.ofIntent]);
      return await sendAgain(intent, script);
    }
  }

  async function sendAgain(intent: NewIntent, script: AcceptingScript, knownTight = isTight()) {
    try {
      return await send(intent, script, knownTight);
    } catch (error) {
      return await readBack(intent, error);
    }
  }

  /**
   * The reply was lost, so the result is read. Callers do not repeat what was perhaps accepted, so the
   * result must be known wherever it can be. Throws where the intent is not there, or may not be.
   */
  async function readBack({ accountId, intentId }: NewIntent, lost: unknown): Promise<undefined> {
    if (!(lost instanceof StoreError) || lost.certainlyNotWritten) throw lost;
    const reading = new Command("exists", [keys.intent(accountId, intentId)]);
    let isThere: boolean;
    try {
      await untilRedisReady(redis, COMES_BACK_WITHIN_MS);
      isThere = (await sendFollowed(redis, reading)) === 1;
    } catch {
      throw lost;
    }
    if (isThere) return;
    // The read came after the write, or the server that got the write is gone.
    if (!isSettledBy(carrierOfLost(lost), carrierOf(reading))) throw lost;
    throw new StoreError("The store did not take it", { certainlyNotWritten: true, cause: lost });
  }

  async function send(
    intent: NewIntent,
    script: AcceptingScript,
    knownTight = isTight(),
  ): Promise<Reply> {
    const { accountId, alert, admission } = intent;
    const [accepting, own] =
      alert === undefined
        ? [script.ofIntent, ofRequest(intent)]
        : [script.ofAlert, ofAlert(intent, alert)];
    const { toBegin = NONE } = script;
    const toAdmit = admission === undefined ? NONE : toAdmitBy(intent, admission);
    const args = [...ofEvery(intent, script, knownTight), ...own, ...toBegin, ...toAdmit];
    const names = [keys.account(accountId)];
    const reply = (await runScriptInOrder(redis, accepting, names, args)) as Reply;
    const [answer, ...window] = reply;
    if (!Array.isArray(answer)) return reply;
    if (window.length > 0) admission?.told(toQuota(window.map(Number)));
    return answer;
  }

  function ofEvery(
    intent: NewIntent,
    { rings = false }: AcceptingScript,
    knownTight: boolean,
  ): Sent {
    const { accountId, intentId, entryMaxAgeMs, exitMaxAgeMs, receivedAt, idempotency } = intent;
    const { acceptMs = ACCEPT_WITHIN_MS } = intent;
    return inOrder(OF_EVERY, {
      intentId,
      record: encodeIntent(intent),
      receivedAt,
      entryMaxAgeMs,
      exitMaxAgeMs,
      latestAt: receivedAt + (isWayOut(intent) ? exitMaxAgeMs : acceptMs),
      reach: reachOf(intent),
      // A dry run asks nothing of the account.
      isAsked: ASKED_FOR[intent.source.kind] && intent.test !== true ? 1 : 0,
      lookedUp: intent.lookedUp?.join(" ") ?? "",
      idempotencyKey: idempotency?.key ?? "",
      fingerprint: idempotency?.fingerprint ?? "",
      lane: keys.lane(accountId),
      jobData,
      doorbell: rings ? keys.doorbell : "",
      isTight: knownTight ? 1 : 0,
    });
  }

  function ofAlert(intent: NewIntent, { entry, sameAs, follows }: AcceptedAlert): Sent {
    // A dry run neither is a duplicate nor makes one.
    const same = intent.test === true ? undefined : sameAs;
    return inOrder(OF_ALERT, {
      webhookId: entry.webhookId,
      entry: encodeAlert(entry, intent),
      text: entry.body,
      listedAt: entry.receivedAt,
      retentionMs: alertRetentionMs,
      alertId: same?.id ?? "",
      formerAlertId: same?.formerId ?? "",
      body: same?.body ?? "",
      place: same?.place ?? 0,
      windowMs: same?.windowMs ?? 0,
      until: same?.until ?? "",
      replayOf: same?.replayOf ?? "",
      follows: follows ?? "",
      repeatedWithinMs: repeatedWithin(same),
    });
  }
}

const NONE: Sent = [];

const isFull = (error: unknown): boolean => error instanceof StoreError && error.why === "full";

const ofRequest = ({ isDerived }: NewIntent): Sent =>
  inOrder(OF_REQUEST, { isDerived: isDerived === true ? 1 : 0 });

function toAdmitBy(intent: NewIntent, { hash, version, byDefault }: Remembered): Sent {
  const { receivedAt, exitMaxAgeMs } = intent;
  const admitsForMs = isWayOut(intent) ? Math.max(exitMaxAgeMs, TIME_OFF_MS) : TIME_OFF_MS;
  const admitsUntil = receivedAt + admitsForMs;
  return inOrder(TO_ADMIT, { hash, version, limitByDefault: byDefault, admitsUntil });
}

type AcceptedAlert = NonNullable<NewIntent["alert"]>;
type Remembered = NonNullable<NewIntent["admission"]>;

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
