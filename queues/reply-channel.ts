import { ListsByAccount } from "../src/domain/by-account.ts";
import type { AccountId, IntentId } from "../src/domain/ids.ts";
import type { IntentRecord } from "../src/domain/intent.ts";
import type { WaitFor } from "../src/trading/ports.ts";
import type { Channels } from "./channels.ts";
import type { IntentStore, Outcomes } from "../src/trading/orders/ports.ts";
import type { RedisClient } from "./redis-client.ts";

interface ReplyChannelDeps {
  readonly processId: string;
  readonly intents: IntentStore;
  /** Reads what a message tells of an intent; undefined for what says nothing. */
  readonly decodeTold: (
    account: AccountId,
    id: IntentId,
    fields: readonly (string | false)[],
  ) => IntentRecord | undefined;
  /** Publishes to other processes' channels. */
  readonly redis: RedisClient;
  readonly channels: Channels;
  readonly channelOf: (processId: string) => string;
  readonly waitFor: WaitFor;
  /**
   * Resolves when what is told of an account is on as many servers as an answer has to be: a message
   * leaves the first of them at once.
   */
  readonly confirm: (account: AccountId) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

const LAST_READ_MS = 400;
const REPEAT_READ_MS = 200;

interface Listener {
  readonly id: IntentId;
  readonly hear: (record: IntentRecord) => void;
}

/** Says how an intent stands, or only that it is to be read. */
interface Message {
  readonly account: AccountId;
  readonly id: IntentId;
  readonly fields?: readonly (string | false)[];
}

/**
 * Carries outcomes to the waiting call: directly within one process, over pub/sub between two. The lane's
 * own script sends them with the end that it stores (`store/intents/finish-intent.ts`); what is
 * announced here is read by who hears it. A lost message costs time, never the outcome: the record is
 * read once more before giving up.
 */
export async function createReplyChannel(deps: ReplyChannelDeps): Promise<Outcomes> {
  const { processId, intents, decodeTold, redis, channels, channelOf, waitFor, confirm, onError } =
    deps;
  const waiting = new ListsByAccount<Listener>();

  function deliver(record: IntentRecord): void {
    for (const { id, hear } of waiting.of(record.accountId)) {
      if (id === record.intentId) hear(record);
    }
  }

  async function hear(message: string): Promise<void> {
    const { account, id, fields } = JSON.parse(message) as Message;
    if (!waiting.of(account).some((listener) => listener.id === id)) return;
    const isTold = fields !== undefined;
    const record = isTold ? decodeTold(account, id, fields) : await intents.find(account, id);
    if (isTold) await confirm(account);
    if (isAnswer(record)) deliver(record);
  }

  await channels.listen(channelOf(processId), (message) => {
    hear(message).catch(onError);
  });

  /** A caller that has waited its time waits only a moment more for an unavailable store. */
  async function soon(reading: Promise<IntentRecord | undefined>) {
    let record: IntentRecord | undefined;
    await waitFor(LAST_READ_MS, (wake) => {
      void reading.then((read) => {
        record = read;
        wake();
      });
    });
    return record;
  }

  const isElsewhere = (replyTo: string) => replyTo !== processId;

  return {
    expect: (account, id, isRepeat = false) => {
      let settled: IntentRecord | undefined;
      let wake: (() => void) | undefined;
      const listener: Listener = {
        id,
        hear: (record) => {
          settled = record;
          wake?.();
        },
      };
      waiting.add(account, listener);

      return {
        within: async (ms) => {
          const until = performance.now() + ms;
          const everyMs = isRepeat ? REPEAT_READ_MS : ms;
          for (;;) {
            const leftMs = until - performance.now();
            if (settled === undefined) {
              await waitFor(Math.min(everyMs, leftMs), (resolve) => (wake = resolve));
            }
            const record = settled ?? (await soon(readSettled(intents, account, id)));
            // That nothing is known yet is an answer for who has no time left.
            const isLast = leftMs <= everyMs;
            if (isLast || (record !== undefined && record.state !== "UNKNOWN")) return record;
          }
        },
        stop: () => waiting.remove(account, listener),
      };
    },

    isElsewhere,

    announce: (record, replyTo = processId) => {
      deliver(record);
      if (!isElsewhere(replyTo)) return;
      const message: Message = { account: record.accountId, id: record.intentId };
      redis.publish(channelOf(replyTo), JSON.stringify(message)).catch(onError);
    },
  };
}

async function readSettled(intents: IntentStore, account: AccountId, id: IntentId) {
  // The intent is accepted even if this read fails: "not known yet" is a valid answer.
  const record = await intents.find(account, id).catch(() => undefined);
  return isAnswer(record) ? record : undefined;
}

/** An unknown outcome is an answer too, and so is an exit that goes on: the caller gets it. */
const isAnswer = (record: IntentRecord | undefined): record is IntentRecord =>
  record !== undefined && record.state !== "PREPARED" && record.state !== "SENDING";
