import type { Redis } from "ioredis";
import { laneLayout } from "../../queues/lane-layout.ts";
import { encodeLaneJob } from "../../queues/lane.ts";
import { defineScript, runScript } from "../../src/store/redis/script.ts";
import { PROCESS } from "./intent-store.ts";

const addJob = defineScript(`${laneLayout.pushJob} pushJob(ARGV[1], ARGV[2], ARGV[3])`);

/** Adds a job to a lane as accepting an intent does, in this very call, without the intent. */
export const addLaneJob = async (redis: Redis, lane: string, id: string): Promise<unknown> =>
  await runScript(redis, addJob, [], [lane, id, encodeLaneJob({ replyTo: PROCESS })]);
