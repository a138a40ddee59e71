import { intentKey } from "../keys-in-lua.ts";
import { recordFieldsInLua } from "./intent-record.ts";
import { inLua, type Names } from "../redis/named-arguments.ts";
import { defineScript } from "../redis/script.ts";
import type { LaneLayout } from "./lane-layout.ts";
import { contextOf } from "./load-for-lane.ts";
import { settle } from "./settle-intent.ts";
import { emptiedAfter } from "./write-intent.ts";

export const TO_FINISH = [
  "lane",
  "worker",
  "intentId",
  // Whether to take the next one ("1" or "0").
  "takesNext",
  // The channel of the process to be told; "" for nobody.
  "tells",
  "accountId",
] as const satisfies Names;

const ARG = inLua(TO_FINISH);
const ENDING = TO_FINISH.length + 1;

/**
 * Ends an intent, removes its active job from the lane and, where asked to, takes the next one. Whoever
 * ended it before, its job goes; where the job is no longer active here, nothing is taken. The process
 * whose caller waits is told in the same step how the intent stands then: Redis hands that out once the
 * end is in its file, as it does with an answer.
 *
 * KEYS account
 * ARGV as in `TO_FINISH`, then what `settle` takes after the id (nothing where it is not to be ended)
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
local lane, worker, intent = ${ARG.lane}, ${ARG.worker}, ${ARG.intentId}
local settled = ARGV[${ENDING}] and settle(intent, unpack(ARGV, ${ENDING})) or false
if settled and ${ARG.tells} ~= '' then
  local told = redis.call('HMGET', ${intentKey("intent")}, ${recordFieldsInLua})
  local message = { account = ${ARG.accountId}, id = intent, fields = told }
  redis.call('PUBLISH', ${ARG.tells}, cjson.encode(message))
end
if not finishJob(lane, intent, worker) then return { settled, 0 } end
local id, data
if ${ARG.takesNext} == '1' then id, data = takeJob(lane, worker) end
if not id then return { settled, 1 } end
return { settled, 1, id, data or '', contextOf(id) }
`);
