import { mkdir, readFile, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { socketFolder } from "./socket-path.ts";
import { findRedisBinary, RedisServerError } from "./redis-binary.ts";
import type { RedisExit } from "./redis-exit.ts";
import { RedisKeeper } from "./redis-keeper.ts";
import { askRedis, type RedisPlace, startRedisProcess } from "./redis-process.ts";

export interface RedisServerOptions {
  /** Held by this process: two servers on one folder would spoil its data. */
  readonly dataDir: string;
  /** The program to use, instead of looking for one. */
  readonly binary?: string | undefined;
  /** Gives the start up, and ends what was started. */
  readonly signal?: AbortSignal;
  /** Called once the server runs, and begins to read its data. */
  readonly onReading?: () => void;
  /** Called each time the server ends on its own; it is started again by itself. */
  readonly onExit?: (exit: RedisExit) => void;
  /** Warnings, Redis' own among them. */
  readonly log: (line: string) => void;
}

/** The gateway's own Redis. */
export interface RedisServer {
  /** The Unix socket to connect to. It stays the same across restarts. */
  readonly path: string;
  readonly version: string;
  /** The running server process; undefined while it is being started again. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

const SOCKET = "redis.sock";
const END_MS = 3_000;
const POLL_MS = 20;

/**
 * Starts a Redis whose data lies in the data folder, and keeps it running until `stop`. Throws
 * `RedisServerError` when it cannot be started.
 *
 * A gateway that was killed leaves its Redis running. The next one ends it and starts its own, so
 * that there is one way only in which a server runs: as a child, with today's options.
 */
export async function startRedisServer(options: RedisServerOptions): Promise<RedisServer> {
  const { log, signal = new AbortController().signal } = options;
  const place = await preparePlace(options);
  await endPrevious(place, log);
  const first = await startRedisProcess(place, { log, signal, onReading: options.onReading });
  const keeper = new RedisKeeper(place, first, { log, onExit: options.onExit });
  return {
    path: place.socket,
    version: place.binary.version,
    get pid() {
      return keeper.pid;
    },
    stop: () => keeper.stop(),
  };
}

/** The socket of the Redis that a gateway on this data folder runs, or would run. */
export async function redisSocket(dataDir: string): Promise<string> {
  const dir = await realpath(path.join(dataDir, "redis"));
  return path.join(await socketFolder(dir, SOCKET), SOCKET);
}

async function preparePlace(options: RedisServerOptions): Promise<RedisPlace> {
  const binary = await findRedisBinary(options.binary);
  const folder = path.join(options.dataDir, "redis");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const dir = await realpath(folder);
  return {
    binary,
    dir,
    socket: await redisSocket(options.dataDir),
    pidFile: path.join(dir, "redis.pid"),
  };
}

/** SIGTERM makes Redis end in order; what hangs is killed. Either way no answered write is lost. */
async function endPrevious(place: RedisPlace, log: (line: string) => void): Promise<void> {
  const pid = Number(await readFile(place.pidFile, "utf8").catch(() => "0"));
  if (!(await isServerOf(place.dir, pid))) return await refuseStranger(place);

  log(`An earlier gateway left its Redis running (process ${pid}); it is ended and started anew`);
  process.kill(pid, "SIGTERM");
  const deadline = performance.now() + END_MS;
  while (await isServerOf(place.dir, pid)) {
    if (performance.now() > deadline) killIfThere(pid);
    await sleep(POLL_MS);
  }
}

/** A process number is used again after a while, but only our server works in our folder. */
async function isServerOf(dir: string, pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  return (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === dir;
}

/** Where processes cannot be looked up, an answer on our socket is the only sign of a server. */
async function refuseStranger(place: RedisPlace): Promise<void> {
  const answer = await askRedis(place.socket, "PING").catch(() => "");
  if (answer === "") return;
  throw new RedisServerError(
    `A Redis that this gateway cannot stop answers on ${place.socket}. ` +
      `Stop it with: redis-cli -s ${place.socket} shutdown`,
  );
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended in this very instant.
  }
}
