import { openAlarms } from "../observability/alarm-log.ts";
import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config/index.ts";
import { openChannels } from "../../queues/channels.ts";
import { createLaneProducer } from "../../queues/lane-producer.ts";
import { laneName } from "../../queues/lane.ts";
import { createReplyChannel } from "../../queues/reply-channel.ts";
import { DataFolderInUseError } from "../data-folder/data-folder.ts";
import type { Lifecycle } from "../app/lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import { decodeTold } from "../store/intents/intent-record.ts";
import { redisTarget } from "../store/redis/redis-target.ts";
import { redisSocket } from "../store/server/redis-server.ts";
import { createSubmitIntent, type SubmitIntent } from "../trading/orders/submit-intent.ts";
import type { BrokerKinds } from "../brokers/broker-kind.ts";
import type { GuardUses } from "../trading/guards/guard-uses.ts";
import type { DestinationUses } from "../trading/notify/destination-uses.ts";
import type { CommandConnections } from "./open-uses.ts";
import { newIntentId } from "../app/new-ids.ts";
import { openRedis, type RedisPlace } from "../app/open-redis.ts";
import { openStore, type OpenStore } from "../app/open-store.ts";
import { openStores, type OpenStores, type Stores } from "../app/open-stores.ts";
import { waitFor } from "../app/wait-for.ts";

/** What a command works with, whether the gateway runs or not. */
export interface CommandStore extends Stores, Pick<OpenStores, "accounts" | "user"> {
  /** These load what few commands need: a kill switch does not wait for it. */
  readonly openConnections: () => Promise<CommandConnections>;
  readonly openDestinations: () => Promise<DestinationUses>;
  readonly openGuards: () => Promise<GuardUses>;
  readonly submit: SubmitIntent;
  /** Whether a gateway works the lanes now. */
  readonly isRunning: boolean;
  /** What webhook URLs start with: where the gateway is, or was last, reached. */
  readonly url: string;
}

const PROCESS_ID = `command-${process.pid}`;

/** Uses the running gateway's Redis, or starts the gateway's own for the time of the command. */
export async function openForCommand(
  config: Config,
  lifecycle: Lifecycle,
  log: Logger,
  kinds?: BrokerKinds,
): Promise<CommandStore> {
  const place = await findRedis(config, lifecycle, log);
  const store = await openStore({ place, config, lifecycle, log, alarms: openAlarms(log) });
  const { stores, accounts, user } = await openStores(store, config, PROCESS_ID);
  const parts = { store, stores, accounts, config, log };
  return {
    ...stores,
    accounts,
    user,
    isRunning: await hasOwner(stores),
    openConnections: async () =>
      (await import("./open-uses.ts")).openCommandConnections(parts, kinds),
    openGuards: async () => (await import("./open-uses.ts")).openCommandGuards(parts),
    openDestinations: async () => {
      const { openCommandDestinations } = await import("./open-uses.ts");
      return await openCommandDestinations(parts, lifecycle);
    },
    url: config.PUBLIC_URL ?? (await store.request.get(store.keys.url)) ?? "http://127.0.0.1:8080",
    submit: await openSubmit(store, stores, log),
  };
}

/** Whether any connection has a living owner. */
async function hasOwner({ leases }: Stores): Promise<boolean> {
  const owners = await Promise.all((await leases.known()).map((id) => leases.read(id)));
  return owners.some((owner) => owner !== undefined);
}

/** The running gateway's Redis, or its own one, started for the time of the command. */
export async function findRedis(
  config: Config,
  lifecycle: Lifecycle,
  log: Logger,
): Promise<RedisPlace> {
  if (config.REDIS_URL !== undefined) {
    return { target: redisTarget(config.REDIS_URL), isOwn: false };
  }
  try {
    return await openRedis(config, lifecycle, log);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    const folder = await realpath(path.resolve(config.DATA_DIR));
    return { target: { path: await redisSocket(folder) }, isOwn: false };
  }
}

/** The lanes' dispatcher is another process: its doorbell is rung over Redis. */
async function openSubmit(
  { request: redis, keys, subscriber }: OpenStore,
  { intents }: Stores,
  log: Logger,
): Promise<SubmitIntent> {
  const onError = (error: unknown) => log.warn("The gateway was not reached", { error });
  const outcomes = await createReplyChannel({
    intents,
    decodeTold,
    redis,
    onError,
    waitFor,
    confirm: async () => await Promise.resolve(),
    processId: PROCESS_ID,
    channels: openChannels(subscriber()),
    channelOf: keys.replies,
  });
  const lanes = createLaneProducer({
    redis,
    prefix: keys.lanes,
    laneNamesKey: keys.laneNames,
    isElsewhere: () => true,
    expect: () => undefined,
    ring: (account) => {
      redis.publish(keys.doorbell, laneName(account)).catch(onError);
    },
  });
  return createSubmitIntent({
    intents,
    lanes,
    outcomes,
    newIntentId,
    elapsed: () => performance.now(),
    settleNow: async (record) => record,
  });
}
