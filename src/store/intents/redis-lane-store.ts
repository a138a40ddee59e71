import type { AccountId } from "../../domain/ids.ts";
import type { ActiveJob, LaneStore, Settlement } from "../../trading/lane/ports.ts";
import type { Keys } from "../keys.ts";
import { inOrder } from "../redis/named-arguments.ts";
import { runScript } from "../redis/script.ts";
import { decodeContext, type ContextReply } from "./decode-context.ts";
import { TO_FINISH } from "./finish-intent.ts";
import { toIntentId } from "./intent-record.ts";
import type { LaneScripts } from "./lane-scripts.ts";
import { settleArguments, settledRecord, type SettleReply } from "./settlement.ts";
import type { RedisClient } from "../redis/redis-client.ts";

interface LaneStoreDeps {
  readonly redis: RedisClient;
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

  const settleOf = ({ record, outcome, onlyUnsent }: Settlement) =>
    settleArguments({ record, outcome, onlyUnsent }, retentionMs);

  return {
    take: async (account) => {
      const args = [keys.lane(account), worker];
      const reply = await runScript(redis, laneScripts.takeNext, [keys.account(account)], args);
      return toActiveJob(account, reply as ActiveJobReply);
    },

    finish: async (account, id, { settlement, takesNext, tells }) => {
      const finishing = inOrder(TO_FINISH, {
        lane: keys.lane(account),
        worker,
        intentId: id,
        takesNext: takesNext ? 1 : 0,
        tells: tells === undefined ? "" : keys.replies(tells),
        accountId: account,
      });
      const args = settlement === undefined ? finishing : [...finishing, ...settleOf(settlement)];
      const names = [keys.account(account)];
      const reply = await runScript(redis, laneScripts.finishIntent, names, args);
      const [settled, wasActive, ...rest] = reply as FinishReply;
      return {
        record: settlement && settled ? settledRecord(settlement, settled) : undefined,
        wasActive: wasActive === 1,
        next: toActiveJob(account, rest),
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
