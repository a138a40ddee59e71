import type { AnswerStore, BegunAct, Offer, Reply } from "../../trading/answering/ports.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { runScript } from "../redis/script.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { beginAct, releaseBot, takeUpdate } from "./answer-scripts.ts";
import { holdTeller } from "./hold-teller.ts";

export const answerScripts = [takeUpdate, releaseBot, beginAct];

/**
 * Longer than Telegram keeps an update, which is a day: none that was taken comes again. Shorter than
 * the week after which its numbers begin anew, and may be lower.
 */
const NEXT_UPDATE_MS = 3 * 24 * 60 * 60_000;
const BEGUN_MS = 24 * 60 * 60_000;

export function createRedisAnswers(
  { redis, keys }: { readonly redis: RedisClient; readonly keys: Keys },
  processId: string,
): AnswerStore {
  return {
    hold: async (bot, forMs) =>
      (await runScript(redis, holdTeller, [keys.botHolder(bot)], [processId, forMs])) === 1,

    release: async (bot) => {
      await runScript(redis, releaseBot, [keys.botHolder(bot)], [processId]);
    },

    nextUpdate: async (bot) => {
      const next = await run(redis.get(keys.nextUpdate(bot)));
      return next === null ? undefined : Number(next);
    },

    take: async (bot, update) => {
      const names = [keys.botHolder(bot), keys.nextUpdate(bot)];
      const args = [processId, update, update + 1, NEXT_UPDATE_MS];
      return (await runScript(redis, takeUpdate, names, args)) === 1;
    },

    offer: async (bot, nonce, offer, forMs) => {
      const key = keys.offer(bot, offer.destinationId, nonce);
      await run(redis.set(key, JSON.stringify(offer), "PX", forMs));
    },

    begin: async (bot, { destinationId, nonce }, messageId) => {
      const names = [keys.offer(bot, destinationId, nonce), keys.begunActs(bot)];
      const found = await runScript(redis, beginAct, names, [nonce, messageId, BEGUN_MS]);
      return typeof found === "string" ? (JSON.parse(found) as Offer) : undefined;
    },

    keepOutcome: async (bot, nonce, outcome) => {
      const key = keys.begunActs(bot);
      await run(redis.hset(key, `${OUTCOME}${nonce}`, JSON.stringify(outcome)));
      await run(redis.pexpire(key, BEGUN_MS));
    },

    end: async (bot, nonce) => {
      await run(redis.hdel(keys.begunActs(bot), nonce, `${OUTCOME}${nonce}`));
    },

    begun: async (bot) => {
      const noted = await run(redis.hgetall(keys.begunActs(bot)));
      return Object.entries(noted).flatMap(([nonce, text]) => {
        const begun = toBegun(nonce, text);
        if (begun === undefined) return [];
        const outcome = noted[`${OUTCOME}${nonce}`];
        return [
          outcome === undefined ? begun : { ...begun, outcome: JSON.parse(outcome) as Reply },
        ];
      });
    },
  };
}

/** No nonce begins so. */
const OUTCOME = "outcome:";
/** The message, when it was begun, and the offer. */
const BEGUN = /^(\d+) (?:(\d+) )?(\{.*)$/s;

function toBegun(nonce: string, text: string): BegunAct | undefined {
  const [, message, begunAt, offer] = BEGUN.exec(text) ?? [];
  if (nonce.startsWith(OUTCOME) || offer === undefined) return undefined;
  return {
    nonce,
    messageId: Number(message),
    offer: JSON.parse(offer) as Offer,
    ...(begunAt !== undefined && { begunAt: Number(begunAt) }),
  };
}
