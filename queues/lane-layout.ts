/** One attempt: a retry would run out of order. Finished jobs are removed: the outcome is in the record. */
const JOB_OPTIONS = '{"removeOnComplete":true,"removeOnFail":true,"attempts":1}';

/** The fields of a new job, as arguments of HSET. */
const NEW_JOB = `'name', 'intent', 'data', data, 'opts', '${JOB_OPTIONS}',
    'timestamp', now, 'delay', 0, 'priority', 0`;

/** Only what this worker has: an owner that was frozen must not take it from the next one. */
const LEAVE_ACTIVE = `
  local key = lane .. ':' .. id
  if redis.call('HGET', key, 'pb') ~= worker then return false end
  if redis.call('LREM', lane .. ':active', 1, id) == 0 then return false end
`;

/**
 * BullMQ's layout of a lane, as Lua for scripts that write a job and the record that it points to in
 * one step. Each part defines the function that it is named after; `lane` is the lane's key, without
 * what BullMQ appends to it, and `now` is Redis' time. Left out is what nobody reads of a lane:
 * BullMQ's events, its marker for blocking workers, its counter of jobs, and the lock of a started
 * job, since only the connection's owner takes one. A job with a delay is never on a lane, and one with a
 * priority only where a person gave it one with BullMQ's tools: it comes when nothing else waits.
 */
export const laneLayout = {
  /** Whether nothing waits on the lane and nothing is active. */
  laneRests: `
local function laneRests(lane)
  return redis.call('EXISTS', lane .. ':wait', lane .. ':active', lane .. ':prioritized') == 0
    and redis.call('HEXISTS', lane .. ':meta', 'paused') == 0
end
`,

  /** Adds a job behind the others. One that is there stays as it is. */
  pushJob: `
local function pushJob(lane, id, data)
  local key = lane .. ':' .. id
  if redis.call('EXISTS', key) == 1 then return end
  redis.call('HSET', key, ${NEW_JOB})
  redis.call('LPUSH', lane .. ':wait', id)
end
`,

  /** Wakes the lane's owner in another process, over its channel; nobody where there is none. */
  ringLane: `
local function ringLane(lane, channel)
  if channel ~= '' then redis.call('PUBLISH', channel, string.match(lane, '{.+}$')) end
end
`,

  /** Adds a job that is active from the beginning. Only for a lane that rests, and a job that is new. */
  startJob: `
local function startJob(lane, id, data, worker)
  redis.call('HSET', lane .. ':' .. id, ${NEW_JOB}, 'processedOn', now, 'pb', worker, 'ats', 1)
  redis.call('LPUSH', lane .. ':active', id)
end
`,

  /**
   * Takes the next job, unless another worker has one: the id and the data, or nil. A worker that asks
   * has none in hand, so one that is active for it is one whose answer it never heard.
   */
  takeJob: `
local function takeJob(lane, worker)
  local active = lane .. ':active'
  local id = redis.call('LINDEX', active, 0)
  if id then
    if redis.call('HGET', lane .. ':' .. id, 'pb') ~= worker then return nil end
  else
    if redis.call('HEXISTS', lane .. ':meta', 'paused') == 1 then return nil end
    id = redis.call('RPOPLPUSH', lane .. ':wait', active)
    if not id then
      id = redis.call('ZPOPMIN', lane .. ':prioritized')[1]
      if not id then return nil end
      redis.call('LPUSH', active, id)
    end
  end
  local key = lane .. ':' .. id
  local data, starts = unpack(redis.call('HMGET', key, 'data', 'ats'))
  redis.call('HSET', key, 'processedOn', now, 'pb', worker, 'ats', (starts or 0) + 1)
  return id, data
end
`,

  /** Removes an active job. False for one that another worker has put back, and perhaps has by now. */
  finishJob: `
local function finishJob(lane, id, worker)
${LEAVE_ACTIVE}
  redis.call('DEL', key)
  return true
end
`,

  /** Gives an active job back to the head of its lane. False as above. */
  giveBackJob: `
local function giveBackJob(lane, id, worker)
${LEAVE_ACTIVE}
  redis.call('RPUSH', lane .. ':wait', id)
  return true
end
`,

  /** Gives back every active job, in order, and data to one that has lost its own. */
  putBackJobs: `
local function putBackJobs(lane, lostData)
  -- The one that was started last comes first: the oldest ends up at the head.
  for _, id in ipairs(redis.call('LRANGE', lane .. ':active', 0, -1)) do
    redis.call('HSETNX', lane .. ':' .. id, 'data', lostData)
    redis.call('RPUSH', lane .. ':wait', id)
  end
  redis.call('DEL', lane .. ':active')
end
`,
} as const;
