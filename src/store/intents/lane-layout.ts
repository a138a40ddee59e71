/**
 * How the queue lays out an account's lane, which this room does not know: Lua, of which each part
 * defines the function that it is named after. `lane` is `keys.lane` of the account, `id` the intent's.
 */
export interface LaneLayout {
  /** `laneRests(lane)`: whether nothing waits on it and nothing is active. */
  readonly laneRests: string;
  /** `pushJob(lane, id, data)`: adds a job behind the others; one that is there stays as it is. */
  readonly pushJob: string;
  /** `ringLane(lane, channel)`: wakes the process that works it; "" for none. */
  readonly ringLane: string;
  /** `startJob(lane, id, data, worker)`: adds a new job to a lane that rests, active at once. */
  readonly startJob: string;
  /** `takeJob(lane, worker)`: makes the next job active unless one is: its id and data, or nil. */
  readonly takeJob: string;
  /** `finishJob(lane, id, worker)`: removes an active job; false where the worker has it no more. */
  readonly finishJob: string;
  /** `giveBackJob(lane, id, worker)`: back to the head of the lane, unless the worker has it no more. */
  readonly giveBackJob: string;
  /** `putBackJobs(lane, lostData)`: all active jobs, whoever has them, back to the head in order. */
  readonly putBackJobs: string;
}
