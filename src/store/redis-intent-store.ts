import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { AccountId, IntentId } from "../domain/ids.ts";
import type { IntentOwner, IntentRecord, Outcome } from "../domain/intent.ts";
import type {
  Acceptance,
  IntentStore,
  LaneContext,
  NewIntent,
  SendPermit,
  SendRequest,
} from "../trading/store-ports.ts";
import { toHash } from "./hash-reply.ts";
import { decodeIntent, encodeIntent, sequenceOf, toIntentId } from "./intent-record.ts";
import type { Keys } from "./keys.ts";
import { decodeKillSwitch, decodeLimits } from "./redis-limit-store.ts";
import { runScript, runScriptInOrder } from "./script.ts";
import { acceptIntent } from "./scripts/accept-intent.ts";
import { beginSending } from "./scripts/begin-sending.ts";
import { countOrder } from "./scripts/count-order.ts";
import { loadForLane } from "./scripts/load-for-lane.ts";
import { settleIntent } from "./scripts/settle-intent.ts";
import { translateStoreErrors } from "./store-error.ts";

export const intentScripts = [acceptIntent, beginSending, countOrder, loadForLane, settleIntent];

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
  async function accept(intent: NewIntent): Promise<Acceptance> {
    const { accountId, intentId, idempotency } = intent;
    const wholeFlatten = intent.intent.kind === "FLATTEN" && intent.intent.root === undefined;
    const idempotencyKey =
      idempotency === undefined ? [] : [keys.idempotency(accountId, idempotency.key)];
    const reply = await runScriptInOrder(
      redis,
      acceptIntent,
      [
        keys.intent(accountId, intentId),
        keys.open(accountId),
        keys.counters(accountId),
        ...idempotencyKey,
      ],
      [
        intentId,
        encodeIntent(intent),
        intent.entryMaxAgeMs,
        intent.exitMaxAgeMs,
        intent.receivedAt + ACCEPT_WITHIN_MS,
        wholeFlatten ? 1 : 0,
        idempotency?.fingerprint ?? "",
        IDEMPOTENCY_TTL_MS,
        keys.intent(accountId, toIntentId("")),
      ],
    );
    return toAcceptance(reply as readonly string[]);
  }

  async function find(account: AccountId, id: IntentId): Promise<IntentRecord | undefined> {
    const hash = await translateStoreErrors(redis.hgetall(keys.intent(account, id)));
    return decodeIntent(account, hash);
  }

  async function unsettled(account: AccountId): Promise<readonly IntentRecord[]> {
    const ids = await translateStoreErrors(redis.zrange(keys.open(account), "0", "-1"));
    const records = await Promise.all(ids.map((id) => find(account, toIntentId(id))));
    return records.filter((record) => record !== undefined);
  }

  async function load(
    account: AccountId,
    id: IntentId,
    owner: IntentOwner,
  ): Promise<LaneContext | undefined> {
    const intentKeys = [
      keys.intent(account, id),
      keys.counters(account),
      keys.unknown(account),
      keys.limits(account),
      keys.killSwitch({ accountId: account }),
    ];
    const [reply, beyond] = await Promise.all([
      runScript(redis, loadForLane, intentKeys, [id]),
      loadBeyondAccount(owner),
    ]);
    const [now, hash, flatten, unknownIntents, limits, killSwitch] = reply as [
      now: number,
      hash: unknown,
      flatten: string,
      unknownIntents: number,
      limits: unknown,
      killSwitch: unknown,
    ];
    const fields = toHash(hash);
    const record = decodeIntent(account, fields);
    if (record === undefined) return undefined;
    return {
      record,
      now,
      unknownIntents,
      flattenFollows: Number(flatten) > sequenceOf(fields),
      limits: decodeLimits(toHash(limits)),
      accountKillSwitch: decodeKillSwitch(toHash(killSwitch)),
      ...beyond,
    };
  }

  /** What concerns the intent and lives under other hash tags than its account's. */
  async function loadBeyondAccount({ userId, credentialId }: IntentOwner) {
    const [killSwitch, revoked] = await translateStoreErrors(
      Promise.all([
        redis.hgetall(keys.killSwitch({ userId })),
        credentialId === undefined ? 0 : redis.exists(keys.revoked(credentialId)),
      ]),
    );
    return { userKillSwitch: decodeKillSwitch(killSwitch), sourceAlive: revoked === 0 };
  }

  async function begin(request: SendRequest): Promise<SendPermit> {
    const { account, intentId, clOrdId, expiresAt, maxOrders, plan, entry } = request;
    const refused = entry === undefined ? undefined : await refuseEntry(request, entry);
    if (refused !== undefined) return refused;

    const reply = await runScript(
      redis,
      beginSending,
      [keys.intent(account, intentId), keys.sent(account), keys.killSwitch({ accountId: account })],
      [
        clOrdId,
        expiresAt,
        entry?.perAccount ?? "",
        randomUUID(),
        maxOrders,
        plan === undefined ? "" : JSON.stringify(plan),
      ],
    );
    const permit = toPermit(reply as readonly string[], entry?.perAccount ?? 0);
    // An account that is refused by its own rules must not use up everyone's minute.
    if (permit.kind !== "granted" && entry !== undefined) await uncount(request);
    return permit;
  }

  const memberOf = ({ account, clOrdId }: SendRequest) => `${account}:${clOrdId}`;

  async function uncount(request: SendRequest): Promise<void> {
    await translateStoreErrors(redis.zrem(keys.sentByAll, memberOf(request)));
  }

  /** What concerns an entry beyond its own account, right before the account's own step. */
  async function refuseEntry(
    request: SendRequest,
    { inAll, owner }: NonNullable<SendRequest["entry"]>,
  ): Promise<SendPermit | undefined> {
    const [counted, { userKillSwitch, sourceAlive }] = await Promise.all([
      runScript(redis, countOrder, [keys.sentByAll], [inAll, memberOf(request)]),
      loadBeyondAccount(owner),
    ]);
    if (counted === 0) return { kind: "limited", which: "all", limit: inAll };
    if (sourceAlive && !userKillSwitch.active) return undefined;
    await uncount(request);
    return sourceAlive
      ? { kind: "killed" }
      : { kind: "refused", reason: "its key or token was revoked" };
  }

  async function end(account: AccountId, id: IntentId, outcome: Outcome, onlyFrom: string) {
    const reply = await runScript(
      redis,
      settleIntent,
      [keys.intent(account, id), keys.open(account), keys.unknown(account)],
      [id, outcome.kind.toUpperCase(), JSON.stringify(outcome), retentionMs, onlyFrom],
    );
    const record = decodeIntent(account, toHash(reply));
    if (record === undefined) throw new Error(`intent ${id} of account ${account} is gone`);
    return record;
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
    beginSending: begin,
    settle: async (account, id, outcome) => await end(account, id, outcome, ""),
    withdraw: async (account, id, outcome) => {
      const record = await end(account, id, outcome, "PREPARED");
      return record.state === outcome.kind.toUpperCase();
    },
  };
}

function toAcceptance([answer, known]: readonly string[]): Acceptance {
  if (answer === "accepted") return { kind: "accepted" };
  if (answer === "known") return { kind: "known", intentId: toIntentId(known ?? "") };
  return { kind: answer === "reused" ? "keyReused" : "tooLate" };
}

function toPermit([answer, reason]: readonly string[], limit: number): SendPermit {
  if (answer === "granted" || answer === "expired" || answer === "killed") return { kind: answer };
  if (answer === "limited") return { kind: "limited", which: "account", limit };
  return { kind: "refused", reason: reason ?? "" };
}
