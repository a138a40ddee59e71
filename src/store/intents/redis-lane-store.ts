import type { Redis } from "ioredis";
import type { AccountId } from "../../domain/ids.ts";
import type { ActiveJob, LaneStore, Settlement } from "../../trading/lane/ports.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { contextKeys, decodeContext, type ContextReply } from "./decode-context.ts";
import { toIntentId } from "./intent-record.ts";
import type { LaneScripts } from "./lane-scripts.ts";
import { settleArguments, settledRecord, type SettleReply } from "./settlement.ts";

interface LaneStoreDeps {
  readonly redis: Redis;
  readonly keys: Keys;
  /** How long a settled intent without a retention of its own is kept. */
  readonly retentionMs: number;
  readonly laneScripts: LaneScripts;
  /** The process that takes jobs here, as their tools show it. */
  readonly worker: string;
  /** The data of a job that has lost its own: which process waited for it is no longer known. */
  readonly lostData: string;
}

/** The lanes of all accounts, as their owner works them. */
export function createRedisLaneStore(deps: LaneStoreDeps): LaneStore {
  const { redis, keys, retentionMs, laneScripts, worker, lostData } = deps;
  const prefixOf = (account: AccountId) => keys.intent(account, toIntentId(""));

  const settleOf = ({ record, outcome, onlyUnsent }: Settlement) => {
    const { accountId, intent } = record;
    return settleArguments({ accountId, intent, outcome, onlyUnsent }, { keys, retentionMs });
  };

  return {
    take: async (account) => {
      const args = [prefixOf(account), keys.lane(account), worker];
      const reply = await runScript(redis, laneScripts.takeNext, contextKeys(keys, account), args);
      return toActiveJob(account, reply as ActiveJobReply);
    },

    finish: async (account, id, { settlement, takesNext, tells }) => {
      const names = contextKeys(keys, account);
      const channel = tells === undefined ? "" : keys.replies(tells);
      const takes = takesNext ? 1 : 0;
      const args = [prefixOf(account), keys.lane(account), worker, id, takes, channel, account];
      const ending = settlement === undefined ? [] : settleOf(settlement);
      const reply = await runScript(redis, laneScripts.finishIntent, names, [...args, ...ending]);
      const [settled, wasActive, ...rest] = reply as FinishReply;
      const next = toActiveJob(account, rest);
      return {
        ...(settlement && settled && { record: settledRecord(settlement, settled) }),
        wasActive: wasActive === 1,
        ...(next && { next }),
      };
    },

    giveBack: async (account, id) => {
      await runScript(redis, laneScripts.giveBackJob, [keys.lane(account)], [worker, id]);
    },

    putBack: async (account) => {
      await runScript(redis, laneScripts.putBackJobs, [keys.lane(account)], [lostData]);
    },
  };
}

type FinishReply = readonly [settled: SettleReply | null, wasActive: 0 | 1, ...ActiveJobReply];
type ActiveJobReply = readonly [id: string, data: string, context: ContextReply] | readonly [];

function toActiveJob(account: AccountId, reply: ActiveJobReply): ActiveJob | undefined {
  if (reply.length === 0) return undefined;
  const [id, data, read] = reply;
  const intentId = toIntentId(id);
  const context = decodeContext(account, intentId, read);
  return { intentId, data, ...(context && { context }) };
}
