import type { AccountId, ClOrdId, IntentId } from "../../domain/ids.ts";
import { type IntentRecord, type Outcome, stateOf } from "../../domain/intent.ts";
import {
  createAcceptNewIntent,
  createFindKeyedIntent,
  createFindSameAlert,
  findScripts,
} from "./accept-new-intent.ts";
import { type ContextReply, decodeContext } from "./decode-context.ts";
import {
  decodeIntent,
  decodeProgress,
  type Fields,
  RECORD_FIELDS,
  toIntentId,
} from "./intent-record.ts";
import { rootOfCode } from "../../domain/contracts/contract.ts";
import { follows, stopGoingOn, targetFollows } from "./going-on.ts";
import type { Keys } from "../keys.ts";
import { OrderShares } from "./order-shares.ts";
import { createSendPermits, permitScripts } from "./redis-send-permits.ts";
import { redisNow } from "../redis/redis-now.ts";
import { encodeOutcome } from "./outcome-record.ts";
import { endingOf } from "../alerts/alert-endings.ts";
import { runScript } from "../redis/script.ts";
import { amendIntent } from "./amend-intent.ts";
import { parkIntent } from "./park-intent.ts";
import { keepIntents } from "./keep-intents.ts";
import type { LaneScripts } from "./lane-scripts.ts";
import { loadForLane } from "./load-for-lane.ts";
import { readProgress } from "./read-progress.ts";
import { settleIntent } from "./settle-intent.ts";
import {
  type Ending,
  settleArguments,
  unseenIn,
  settledRecord,
  type SettleReply,
  standingRecord,
} from "./settlement.ts";
import { takeBack } from "./take-back.ts";
import type { AcceptanceParts } from "./send-acceptance.ts";
import { translateStoreErrors } from "../store-error.ts";
import type { LaneContext, ParkedIntent } from "../../trading/lane/ports.ts";
import type { IntentProgress, IntentStore } from "../../trading/orders/ports.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const intentScripts = [
  ...findScripts,
  amendIntent,
  ...permitScripts,
  takeBack,
  parkIntent,
  keepIntents,
  loadForLane,
  readProgress,
  settleIntent,
  targetFollows,
  follows,
  stopGoingOn,
];

/** Per script, which blocks Redis for everyone else while it runs. */
const STANDINGS_AT_ONCE = 500;

/**
 * The intents in Redis. A settled one can be looked up for `retentionMs`, one of an alert for
 * `alertRetentionMs`, as configured when it was accepted. `jobData` is what the queue keeps of one that
 * is accepted here.
 */
export function createRedisIntentStore({
  redis,
  keys,
  retentionMs,
  alertRetentionMs = retentionMs,
  laneScripts,
  jobData,
  isTight,
  noteAccepted,
  shares = new OrderShares({ redis, keys }),
}: {
  redis: RedisClient;
  keys: Keys;
  retentionMs: number;
  alertRetentionMs?: number;
  laneScripts: LaneScripts;
  jobData: string;
  isTight: AcceptanceParts["isTight"];
  noteAccepted: AcceptanceParts["noteAccepted"];
  shares?: OrderShares;
}): IntentStore {
  async function find(account: AccountId, id: IntentId): Promise<IntentRecord | undefined> {
    const key = keys.intent(account, id);
    const fields = await translateStoreErrors(redis.hmget(key, ...RECORD_FIELDS));
    return decodeIntent(account, id, fields);
  }

  async function standings(
    account: AccountId,
    ids: readonly IntentId[],
  ): Promise<readonly (IntentProgress | undefined)[]> {
    const found: (IntentProgress | undefined)[] = [];
    for (let from = 0; from < ids.length; from += STANDINGS_AT_ONCE) {
      const part = ids.slice(from, from + STANDINGS_AT_ONCE);
      const names = part.map((id) => keys.intent(account, id));
      const reply = (await runScript(redis, readProgress, names, [])) as Fields;
      found.push(...part.map((id, at) => decodeProgress(id, reply[2 * at], reply[2 * at + 1])));
    }
    return found;
  }

  async function keep(account: AccountId, ids: readonly IntentId[]): Promise<void> {
    for (let from = 0; from < ids.length; from += STANDINGS_AT_ONCE) {
      const names = ids.slice(from, from + STANDINGS_AT_ONCE).map((id) => keys.intent(account, id));
      await runScript(redis, keepIntents, names, [retentionMs]);
    }
  }

  async function unsettled(account: AccountId): Promise<readonly IntentRecord[]> {
    const ids = await translateStoreErrors(redis.zrange(keys.open(account), "0", "-1"));
    const records = await Promise.all(ids.map((id) => find(account, toIntentId(id))));
    return records.filter((record) => record !== undefined);
  }

  async function parked(account: AccountId): Promise<readonly ParkedIntent[]> {
    const ids = await translateStoreErrors(redis.zrange(keys.parked(account), "0", "-1"));
    const found = await Promise.all(
      ids.map(async (id) => {
        const intent = toIntentId(id);
        const key = keys.intent(account, intent);
        const fields = await translateStoreErrors(redis.hmget(key, ...RECORD_FIELDS, "replyTo"));
        return { record: decodeIntent(account, intent, fields), replyTo: fields.at(-1) ?? "" };
      }),
    );
    return found.filter((one): one is ParkedIntent => one.record?.state === "PREPARED");
  }

  async function hold(account: AccountId, id: IntentId, replyTo: string): Promise<boolean> {
    const parkKeys = [keys.intent(account, id), keys.parked(account)];
    return (await runScript(redis, parkIntent, parkKeys, [id, replyTo])) === 1;
  }

  async function enqueue(account: AccountId, id: IntentId): Promise<void> {
    const args = [id, keys.lane(account), jobData];
    await runScript(redis, laneScripts.enqueueIntent, [keys.intent(account, id)], args);
  }

  async function load(account: AccountId, id: IntentId): Promise<LaneContext | undefined> {
    const reply = await runScript(redis, loadForLane, [keys.account(account)], [id]);
    return decodeContext(account, id, reply as ContextReply);
  }

  async function end(account: AccountId, id: IntentId, ending: Ending): Promise<SettleReply> {
    const args = [id, ...settleArguments(ending, retentionMs)];
    return (await runScript(redis, settleIntent, [keys.account(account)], args)) as SettleReply;
  }

  async function settle(record: IntentRecord, outcome: Outcome): Promise<IntentRecord> {
    const { accountId, intentId } = record;
    const reply = await end(accountId, intentId, { record, outcome, onlyUnsent: false });
    return settledRecord({ record, outcome }, reply);
  }

  async function amend(record: IntentRecord, order: ClOrdId, outcome: Outcome): Promise<boolean> {
    const { accountId, intentId, state, intent } = record;
    const names = [
      keys.intent(accountId, intentId),
      keys.acceptedAlerts(accountId),
      keys.outbox(accountId),
      keys.runningPlans(accountId),
    ];
    const reply = await runScript(redis, amendIntent, names, [
      state,
      stateOf(outcome),
      encodeOutcome(outcome, intent),
      order,
      intentId,
      endingOf(outcome),
      keys.alertsEndedAs(accountId, ""),
      retentionMs,
      unseenIn(record, outcome),
    ]);
    return reply === 1;
  }

  async function withdraw(account: AccountId, id: IntentId, outcome: Outcome) {
    const [, , fields] = await end(account, id, { outcome, onlyUnsent: true });
    return standingRecord(account, id, fields);
  }

  return {
    accept: createAcceptNewIntent({
      redis,
      keys,
      alertRetentionMs,
      laneScripts,
      jobData,
      isTight,
      noteAccepted,
    }),
    enqueue,
    findKeyed: createFindKeyedIntent({ redis, keys }),
    findSameAlert: createFindSameAlert({ redis, keys }),
    find,
    progress: standings,
    keep,
    unsettled,
    stopGoingOn: async (account, id) =>
      (await runScript(redis, stopGoingOn, [keys.intent(account, id)], [])) === 1,
    isStopped: async (account, id) =>
      (await translateStoreErrors(redis.hexists(keys.intent(account, id), "stopped"))) === 1,
    follows: async (account, id, other) => {
      const names = [keys.intent(account, id), keys.intent(account, other)];
      return (await runScript(redis, follows, names, [])) === 1;
    },
    targetFollows: async (account, id, contract) => {
      const names = [keys.intent(account, id), keys.counters(account)];
      const place = ` ${rootOfCode(contract)} ${contract}`;
      return (await runScript(redis, targetFollows, names, [place])) === 1;
    },
    now: async () => await redisNow(redis),
    loadForLane: load,
    beginSending: createSendPermits({ redis, keys, shares }),
    settle,
    amend,
    withdraw,
    park: hold,
    parked,
  };
}
