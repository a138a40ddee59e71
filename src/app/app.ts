import type { Greeting } from "../processes/greeting.ts";
import { redisTarget } from "../store/redis/redis-target.ts";
import { Lifecycle, type StopReport } from "./lifecycle.ts";
import { loadProgram } from "./load-program.ts";
import { openListeners } from "./open-listeners.ts";
import { openRedis, type RedisPlace } from "./open-redis.ts";
import type { StartOptions } from "./start-process.ts";

export interface AppOptions extends Omit<StartOptions, "listeners" | "place"> {
  /** Of a process that a launcher started: where Redis is, said once it may begin. */
  readonly redisUrl?: () => Promise<string>;
  /** Other processes answer on the port that this one will share: it need not do so before it can. */
  readonly othersAnswer?: boolean;
  /** Called once all its ports are its own. */
  readonly onPorts?: () => void;
}

/** The URL of a process without HTTP is where its health is asked. */
export interface App extends Greeting {
  /** Takes in nothing more, finishes what was sent, and says what did not end in time. */
  readonly stop: () => Promise<StopReport>;
}

/** Starts one process of the gateway in order. Whatever fails, what was started is ended again. */
export async function startApp(options: AppOptions): Promise<App> {
  const lifecycle = new Lifecycle();
  const deadlineMs = options.config.SHUTDOWN_SECONDS * 1_000;
  try {
    const app = await start(options, lifecycle);
    return { ...app, stop: () => lifecycle.stop(deadlineMs) };
  } catch (error) {
    await lifecycle.stop(deadlineMs);
    throw error;
  }
}

/**
 * The ports first, then Redis, which reads its data while the program is loaded. Of what is imported
 * here nothing is large: a port is closed until its process has read that.
 */
async function start(options: AppOptions, lifecycle: Lifecycle): Promise<Greeting> {
  const { config, othersAnswer = false, onPorts } = options;
  const listeners = await openListeners(config, othersAnswer, lifecycle);
  onPorts?.();
  const { progress } = listeners;
  progress.waitsFor = "The gateway starts its Redis, which reads its data";
  let onReading = (): void => undefined;
  const reading = new Promise<void>((resolve) => (onReading = resolve));
  const opening = findRedis(options, lifecycle, onReading);
  const loading = Promise.race([reading, opening]).then(loadProgram);
  const [place, { startProcess }] = await Promise.all([opening, loading]);
  return await startProcess({ ...options, listeners, place }, lifecycle);
}

async function findRedis(
  { config, log, signal, redisUrl }: AppOptions,
  lifecycle: Lifecycle,
  onReading: () => void,
): Promise<RedisPlace> {
  if (redisUrl === undefined) return await openRedis(config, lifecycle, log, { signal, onReading });
  onReading();
  return { target: redisTarget(await redisUrl()), isOwn: false };
}
