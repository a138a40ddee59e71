import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Quantities } from "../../domain/holdings.ts";
import type { CopyMark } from "../../domain/intent.ts";
import type { CopyNews, LeaderNews, NotedFill } from "../../trading/copying/ports.ts";
import type { Keys } from "../keys.ts";
import { runScript, toHash } from "../redis/script.ts";
import { claimCopy } from "./claim-copy.ts";
import { forgetCopied } from "./forget-copied.ts";
import { readCopyNews } from "./read-copy-news.ts";
import { decodeFill } from "../accounts/fill-record.ts";
import { toQuantities, UP_TO } from "../accounts/stored-quantities.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const copyNewsScripts = [claimCopy, forgetCopied, readCopyNews];

/**
 * How many fills of one leader wait to be copied at most. The oldest ones make room: what is copied
 * follows from what is held, which counts them all the same.
 */
export const MAX_FILLS_NOTED = 1_000;

/** The field of `copied` that is no contract. */
const REJECTS = "rejects";

type NewsReply = readonly [
  now: number,
  news: readonly string[],
  filledNet: unknown,
  positionBase: unknown,
];

/** What leaders did, as `recordFills` notes it, and how far their followers are. */
export function createRedisCopyNews({ redis, keys }: { redis: RedisClient; keys: Keys }): CopyNews {
  return {
    read: async (leader) => {
      const names = [
        keys.copyNews(leader),
        keys.fills(leader),
        keys.filledNet(leader),
        keys.positionBase(leader),
        keys.fillTimes(leader),
      ];
      return toNews((await runScript(redis, readCopyNews, names, [])) as NewsReply);
    },

    done: async (leader, seqs) => {
      if (seqs.length > 0) await runScript(redis, forgetCopied, [keys.copyNews(leader)], seqs);
    },

    nextSeq: async (leader) => await run(redis.hincrby(keys.copyLead(leader), "seq", 1)),

    claim: async (follower, contract, copy) => {
      const args = [fieldOf(contract, copy), copy.seq];
      return (await runScript(redis, claimCopy, [keys.copied(follower)], args)) === 1;
    },

    isOld: async (follower, contract, copy) => {
      const newest = await run(redis.hget(keys.copied(follower), fieldOf(contract, copy)));
      return Number(newest ?? 0) > copy.seq;
    },

    countRejects: async (follower, isRejected) => {
      if (isRejected) return await run(redis.hincrby(keys.copied(follower), REJECTS, 1));
      await run(redis.hdel(keys.copied(follower), REJECTS));
      return 0;
    },
  };
}

const fieldOf = (contract: ContractCode, { leader }: CopyMark): string => `${leader} ${contract}`;

function toNews([now, news, filledNet, positionBase]: NewsReply): LeaderNews {
  const fills: NotedFill[] = [];
  for (let index = 0; index + 3 < news.length; index += 4) {
    const [seq, id = "", at, body = ""] = news.slice(index, index + 4);
    fills.push({ seq: Number(seq), fill: decodeFill({ id, at: Number(at) }, body) });
  }
  const { [UP_TO]: _, ...base } = toHash(positionBase);
  return { fills, holds: holdsOf(fills, toQuantities(toHash(filledNet)), toQuantities(base)), now };
}

/** What is held of each contract; one that is flat is named where something was done in it. */
function holdsOf(fills: readonly NotedFill[], filledNet: Quantities, base: Quantities): Quantities {
  const traded = new Set(fills.map(({ fill }) => fill.contract));
  const contracts = new Set([...traded, ...filledNet.keys(), ...base.keys()]);
  const sums = [...contracts].map(
    (contract) => [contract, (filledNet.get(contract) ?? 0) + (base.get(contract) ?? 0)] as const,
  );
  return new Map(sums.filter(([contract, netQty]) => netQty !== 0 || traded.has(contract)));
}
