import type { Redis } from "ioredis";
import {
  accountId,
  clOrdId,
  credentialId,
  type IntentId,
  intentId,
  orderId,
  userId,
} from "../../src/domain/ids.ts";
import type { IntentRecord, Outcome } from "../../src/domain/intent.ts";
import { intentScripts, openIntentStore } from "./intent-store.ts";
import { UserGuards } from "../../src/store/intents/user-guards.ts";
import type { SendRequest } from "../../src/trading/lane/send-permit.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import type { IntentStore, NewIntent } from "../../src/trading/orders/ports.ts";

export const ACCOUNT = accountId("paper-1");
export const OTHER = accountId("paper-2");
export const OWNER = { userId: userId("user_1"), credentialId: credentialId("key_1") };
export const STRANGER = userId("user_2");
export const RETENTION_MS = 60_000;
/** The newest owner's, of both accounts. */
export const EPOCH = 7;

export const DONE: Outcome = { kind: "done", result: { kind: "CANCEL", orderId: orderId("7") } };
export const UNKNOWN: Outcome = { kind: "unknown", reason: "The answer was lost" };
export const WITHDRAWN: Outcome = { kind: "withdrawn", reason: "Nobody waits" };

/** What adds risk, with its limits per minute. */
export const entry = (perAccount: number, inAll = 1_000) => ({
  entry: { perAccount, inAll, guardVersion: "" },
});

export const sendRequest = (id: IntentId, change: Partial<SendRequest> = {}): SendRequest => ({
  account: ACCOUNT,
  intentId: id,
  clOrdId: clOrdId(`${id}-1`),
  epoch: EPOCH,
  expiresAt: Infinity,
  maxOrders: 5,
  owner: OWNER,
  ...change,
});

/** The intents of two accounts on a real Redis, with a corner of their own there. */
export class IntentKit {
  readonly corner: RedisCorner;
  readonly redis: Redis;
  readonly intents: IntentStore;
  #last = 0;

  static async open(): Promise<IntentKit> {
    const corner = await openCorner();
    // One that waits: no test of what is stored is about a Redis that is slow.
    const redis = await corner.open("worker", intentScripts);
    const guards = new UserGuards({ redis, keys: corner.keys });
    for (const user of [OWNER.userId, STRANGER]) await guards.fence(user, [ACCOUNT, OTHER], EPOCH);
    return new IntentKit(corner, redis);
  }

  constructor(corner: RedisCorner, redis: Redis) {
    this.corner = corner;
    this.redis = redis;
    const { keys } = corner;
    this.intents = openIntentStore({ redis, keys, retentionMs: RETENTION_MS });
  }

  async newIntent(change: Partial<NewIntent> = {}): Promise<NewIntent> {
    this.#last += 1;
    return {
      intentId: intentId(`i${this.#last}`),
      accountId: ACCOUNT,
      userId: OWNER.userId,
      source: { kind: "api", credentialId: OWNER.credentialId },
      requestId: "r1",
      intent: { kind: "CANCEL", orderId: orderId("7") },
      entryMaxAgeMs: 30_000,
      exitMaxAgeMs: 600_000,
      receivedAt: await this.intents.now(),
      ...change,
    };
  }

  /** Accepts an intent that nothing stands against. */
  async accept(change: Partial<NewIntent> = {}): Promise<IntentId> {
    const intent = await this.newIntent(change);
    const { kind } = await this.intents.accept(intent);
    if (kind !== "accepted") throw new Error(`The intent was not accepted: ${kind}`);
    return intent.intentId;
  }

  async begin(id: IntentId, change: Partial<SendRequest> = {}) {
    return await this.intents.beginSending(sendRequest(id, change));
  }

  /** Settles it with the record as it is read now. */
  async settle(id: IntentId, outcome: Outcome): Promise<IntentRecord> {
    return await this.intents.settle(await this.read(id), outcome);
  }

  async read(id: IntentId): Promise<IntentRecord> {
    const record = await this.intents.find(ACCOUNT, id);
    if (record === undefined) throw new Error(`There is no intent ${id}`);
    return record;
  }

  async stateOf(id: IntentId) {
    return (await this.intents.find(ACCOUNT, id))?.state;
  }

  async load(id: IntentId) {
    return await this.intents.loadForLane(ACCOUNT, id);
  }

  /** What is stored, but for what fencing the accounts has left, and the lanes. */
  async stored(): Promise<string[]> {
    const { keys, stored } = this.corner;
    const isOfFence = (key: string) => /:(epoch|fenced-accounts|user-switch:\w+)$/.test(key);
    const isOther = (key: string) => isOfFence(key) || key.startsWith(`${keys.lanes}:`);
    return (await stored()).filter((key) => !isOther(key));
  }
}
