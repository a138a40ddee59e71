import { recordFieldsInLua } from "./intent-record.ts";
import { defineScript } from "../redis/script.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { contextOf } from "./load-for-lane.ts";
import { settle } from "./settle-intent.ts";
import { emptiedAfter } from "./write-intent.ts";

/**
 * Ends an intent, removes its active job from the lane and, where asked to, takes the next one. Whoever
 * ended it before, its job goes; where the job is no longer active here, nothing is taken. The process
 * whose caller waits is told in the same step how the intent stands then: Redis hands that out once the
 * end is in its file, as it does with an answer.
 *
 * KEYS as in `contextOf`
 * ARGV intentKeyPrefix, lane, worker, intentId, whether to take the next one ("1" or "0"), the channel
 *      of the process to be told ("" for nobody), account, then what `settle` takes after the id
 *      (nothing where it is not to be ended)
 * Answers what `settle` answers (nil for nothing), whether the job was active here, then what
 * `take-next.ts` answers.
 */
export const createFinishIntent = ({
  finishJob,
  takeJob,
}: Pick<LaneLayout, "finishJob" | "takeJob">) =>
  defineScript(`
${emptiedAfter}
${contextOf}
${settle}
${takeJob}
${finishJob}
local settled = ARGV[8] and settle(ARGV[4], unpack(ARGV, 8)) or false
if settled and ARGV[6] ~= '' then
  local told = redis.call('HMGET', ARGV[1] .. ARGV[4], ${recordFieldsInLua})
  redis.call('PUBLISH', ARGV[6], cjson.encode({ account = ARGV[7], id = ARGV[4], fields = told }))
end
if not finishJob(ARGV[2], ARGV[4], ARGV[3]) then return { settled, 0 } end
local id, data
if ARGV[5] == '1' then id, data = takeJob(ARGV[2], ARGV[3]) end
if not id then return { settled, 1 } end
return { settled, 1, id, data or '', contextOf(id) }
`);
