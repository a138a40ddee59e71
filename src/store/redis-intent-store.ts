import type { Redis } from "ioredis";
import type { AccountId, ClOrdId, IntentId } from "../domain/ids.ts";
import type { IntentRecord, Outcome } from "../domain/intent.ts";
import {
  type Acceptance,
  type HeldIntent,
  type IntentStore,
  type LaneContext,
  type NewIntent,
  StoreError,
} from "../trading/store-ports.ts";
import { toHash } from "./hash-reply.ts";
import {
  decodeIntent,
  encodeIntent,
  endedRecord,
  type Fields,
  RECORD_FIELDS,
  stateOf,
  toIntentId,
} from "./intent-record.ts";
import { inOneStep } from "./in-one-step.ts";
import type { Keys } from "./keys.ts";
import { decodeKillSwitch, decodeLimits } from "./redis-limit-store.ts";
import { createSendPermits, permitScripts } from "./redis-send-permits.ts";
import { runScript, runScriptInOrder } from "./script.ts";
import { acceptIntent } from "./scripts/accept-intent.ts";
import { amendIntent } from "./scripts/amend-intent.ts";
import { holdIntent } from "./scripts/hold-intent.ts";
import { loadForLane } from "./scripts/load-for-lane.ts";
import { settleIntent } from "./scripts/settle-intent.ts";
import { toStoreError, translateStoreErrors } from "./store-error.ts";

export const intentScripts = [
  acceptIntent,
  amendIntent,
  ...permitScripts,
  holdIntent,
  loadForLane,
  settleIntent,
];

const IDEMPOTENCY_TTL_MS = 24 * 3_600_000;
/** Past this after it came in, a request is not accepted: its caller was answered long ago. */
const ACCEPT_WITHIN_MS = 2_000;

/** The intents in Redis. `retentionMs` is how long a settled one can be looked up. */
export function createRedisIntentStore({
  redis,
  keys,
  retentionMs,
}: {
  redis: Redis;
  keys: Keys;
  retentionMs: number;
}): IntentStore {
  async function accept(intent: NewIntent, enqueue?: () => Promise<unknown>): Promise<Acceptance> {
    const { accountId, intentId, idempotency } = intent;
    const wholeFlatten = intent.intent.kind === "FLATTEN" && intent.intent.root === undefined;
    const idempotencyKey =
      idempotency === undefined ? [] : [keys.idempotency(accountId, idempotency.key)];
    const acceptKeys = [
      keys.intent(accountId, intentId),
      keys.open(accountId),
      keys.counters(accountId),
      ...idempotencyKey,
    ];
    const args = [
      intentId,
      encodeIntent(intent),
      intent.entryMaxAgeMs,
      intent.exitMaxAgeMs,
      intent.receivedAt + ACCEPT_WITHIN_MS,
      wholeFlatten ? 1 : 0,
      idempotency?.fingerprint ?? "",
      IDEMPOTENCY_TTL_MS,
      keys.intent(accountId, toIntentId("")),
    ];
    const write = () => runScriptInOrder(redis, acceptIntent, acceptKeys, args);
    if (enqueue === undefined) return toAcceptance((await write()) as readonly string[]);

    const [reply, added] = await inOneStep(redis, [write, enqueue]);
    if (reply instanceof Error) throw toStoreError(reply);
    const acceptance = toAcceptance(reply as readonly string[]);
    // A restarted Redis may have forgotten how to add: then the record waits for its pointer.
    if (acceptance.kind === "accepted" && isFailure(added)) {
      await enqueue().catch((cause: unknown) => {
        const message = "The intent may not be on its lane";
        throw new StoreError(message, { certainlyNotWritten: false, cause });
      });
    }
    return acceptance;
  }

  async function find(account: AccountId, id: IntentId): Promise<IntentRecord | undefined> {
    const key = keys.intent(account, id);
    return decodeIntent(account, await translateStoreErrors(redis.hmget(key, ...RECORD_FIELDS)));
  }

  async function unsettled(account: AccountId): Promise<readonly IntentRecord[]> {
    const ids = await translateStoreErrors(redis.zrange(keys.open(account), "0", "-1"));
    const records = await Promise.all(ids.map((id) => find(account, toIntentId(id))));
    return records.filter((record) => record !== undefined);
  }

  async function held(account: AccountId): Promise<readonly HeldIntent[]> {
    const ids = await translateStoreErrors(redis.zrange(keys.held(account), "0", "-1"));
    const found = await Promise.all(
      ids.map(async (id) => {
        const key = keys.intent(account, toIntentId(id));
        const fields = await translateStoreErrors(redis.hmget(key, ...RECORD_FIELDS, "replyTo"));
        return { record: decodeIntent(account, fields), replyTo: fields.at(-1) ?? "" };
      }),
    );
    return found.filter((one): one is HeldIntent => one.record?.state === "PREPARED");
  }

  async function hold(account: AccountId, id: IntentId, replyTo: string): Promise<boolean> {
    const heldKeys = [keys.intent(account, id), keys.held(account)];
    return (await runScript(redis, holdIntent, heldKeys, [id, replyTo])) === 1;
  }

  async function load(account: AccountId, id: IntentId): Promise<LaneContext | undefined> {
    const reply = await runScript(
      redis,
      loadForLane,
      [
        keys.intent(account, id),
        keys.counters(account),
        keys.unknown(account),
        keys.sending(account),
        keys.held(account),
        keys.limits(account),
        keys.killSwitch({ accountId: account }),
      ],
      [id],
    );
    return toContext(account, reply as LoadReply | []);
  }

  async function end(account: AccountId, id: IntentId, outcome: Outcome, onlyFrom: string) {
    const reply = await runScript(
      redis,
      settleIntent,
      [
        keys.intent(account, id),
        keys.open(account),
        keys.unknown(account),
        keys.sending(account),
        keys.held(account),
      ],
      [id, stateOf(outcome), JSON.stringify(outcome), retentionMs, onlyFrom],
    );
    return reply as readonly [isEnded: 0 | 1, now: number, fields: Fields];
  }

  async function settle(record: IntentRecord, outcome: Outcome): Promise<IntentRecord> {
    const { accountId, intentId } = record;
    const [isEnded, now, fields] = await end(accountId, intentId, outcome, "");
    if (isEnded === 1) return endedRecord(record, outcome, now, fields);
    return decodeIntent(accountId, fields) ?? gone(accountId, intentId);
  }

  async function amend(record: IntentRecord, order: ClOrdId, outcome: Outcome): Promise<void> {
    const { accountId, intentId, state } = record;
    const args = [state, stateOf(outcome), JSON.stringify(outcome), order];
    await runScript(redis, amendIntent, [keys.intent(accountId, intentId)], args);
  }

  async function withdraw(account: AccountId, id: IntentId, outcome: Outcome) {
    const [, , fields] = await end(account, id, outcome, "PREPARED");
    return decodeIntent(account, fields) ?? gone(account, id);
  }

  return {
    accept,
    find,
    unsettled,
    now: async () => {
      const [seconds, micros] = await translateStoreErrors(redis.time());
      return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
    },
    loadForLane: load,
    beginSending: createSendPermits({ redis, keys }),
    settle,
    amend,
    withdraw,
    hold,
    held,
  };
}

/** BullMQ's scripts answer a negative number for what they refuse. */
const isFailure = (reply: unknown): boolean => reply instanceof Error || Number(reply) < 0;

function toAcceptance([answer, known]: readonly string[]): Acceptance {
  if (answer === "accepted") return { kind: "accepted" };
  if (answer === "known") return { kind: "known", intentId: toIntentId(known ?? "") };
  return { kind: answer === "reused" ? "keyReused" : "tooLate" };
}

type LoadReply = readonly [
  now: number,
  fields: Fields,
  flattenFollows: 0 | 1,
  unknownIntents: number,
  heldBefore: number,
  limits: unknown,
  killSwitch: unknown,
];

function toContext(account: AccountId, reply: LoadReply | []): LaneContext | undefined {
  const [now, fields, flattenFollows, unknownIntents, heldBefore, limits, killSwitch] = reply;
  const record = fields && decodeIntent(account, fields);
  if (record === undefined || now === undefined) return undefined;
  return {
    record,
    now,
    flattenFollows: flattenFollows === 1,
    unknownIntents: unknownIntents ?? 0,
    heldBefore: heldBefore !== 0,
    limits: decodeLimits(toHash(limits)),
    accountKillSwitch: decodeKillSwitch(toHash(killSwitch)),
  };
}

function gone(account: AccountId, id: IntentId): never {
  throw new Error(`intent ${id} of account ${account} is gone`);
}
