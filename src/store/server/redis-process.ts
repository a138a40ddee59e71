import { connect } from "node:net";
import type { Readable } from "node:stream";
import { createInterface } from "node:readline";
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { type RedisBinary, RedisServerError, SERVER_NAME } from "./redis-binary.ts";
import { refuseUnreadData } from "./redis-data.ts";
import { describeExit, type RedisExit } from "./redis-exit.ts";

export interface RedisPlace {
  readonly binary: RedisBinary;
  /** Where it keeps its data. */
  readonly dir: string;
  /** The Unix socket it listens on, and nothing else. */
  readonly socket: string;
  readonly pidFile: string;
}

/** One running server process. It answers PING when `startRedisProcess` resolves. */
export interface RedisProcess {
  readonly pid: number | undefined;
  readonly ended: Promise<RedisExit>;
  /** Ends it with SIGTERM, and at the deadline with SIGKILL. */
  stop(deadlineMs: number): Promise<void>;
}

interface Starting {
  readonly log: (line: string) => void;
  /** Aborts the start and ends the process. */
  readonly signal: AbortSignal;
  readonly onReading?: (() => void) | undefined;
}

const POLL_MS = 20;
const PROGRESS_MS = 2_000;
/** After so long without any answer it is not Redis, or it hangs. Loading counts as an answer. */
const SILENCE_MS = 30_000;
const LAST_WORDS_MS = 100;

/** Throws `RedisServerError` with Redis' own last words when it does not come up. */
export async function startRedisProcess(
  place: RedisPlace,
  { log, signal, onReading }: Starting,
): Promise<RedisProcess> {
  await refuseUnreadData(place.dir);
  const child = spawn(place.binary.file, redisArguments(place), {
    argv0: SERVER_NAME,
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: Ctrl-C in the terminal ends the gateway, which then ends its Redis last.
    detached: true,
  });
  const lines = new RedisLog(log);
  lines.read(child.stdout);
  lines.read(child.stderr);
  const ended = exitOf(child, lines);
  onReading?.();

  try {
    await untilReady(place, ended, { log, signal });
  } catch (error) {
    // The next attempt must not meet this one at work on the same files.
    child.kill("SIGKILL");
    await ended;
    throw error;
  }
  return { pid: child.pid, ended, stop: (deadlineMs) => stop(child, ended, deadlineMs) };
}

/**
 * Every write is on the disk before it is answered, nothing is ever evicted, and there are no
 * snapshots. The log is rewritten when it has grown by half: a start reads what came since three
 * times as slowly as what was rewritten.
 */
function redisArguments({ dir, socket, pidFile }: RedisPlace): string[] {
  const options = {
    port: "0",
    unixsocket: socket,
    unixsocketperm: "700",
    // The kernel's usual limit; Redis asks for more by default, and warns when it does not get it.
    "tcp-backlog": "128",
    dir,
    pidfile: pidFile,
    save: "",
    appendonly: "yes",
    appendfsync: "always",
    "auto-aof-rewrite-percentage": "50",
    "auto-aof-rewrite-min-size": "128mb",
    "maxmemory-policy": "noeviction",
    // An intent's record is a hash of a few fields, some of which are long: kept in one piece it takes
    // half the memory. Larger hashes are looked up by field. These are the names of 6.2; newer ones say
    // listpack, and know them too.
    "hash-max-ziplist-value": "4096",
    "hash-max-ziplist-entries": "32",
    // It says of a slow sync how long it took.
    "latency-monitor-threshold": "100",
    // A backup asks for a copy, which is sent as it is made, at once, and leaves no file behind.
    "repl-diskless-sync": "yes",
    "repl-diskless-sync-delay": "0",
    daemonize: "no",
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
}

function exitOf(child: ChildProcess, log: RedisLog): Promise<RedisExit> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, lines: [String(error)] }));
    child.once("exit", (code, signal) => {
      const finish = () => resolve({ code, signal, lines: [...log.last] });
      // `close` follows when its last lines are read. A forked child that rewrites the log can
      // hold the pipe open much longer than that.
      child.once("close", finish);
      setTimeout(finish, LAST_WORDS_MS).unref();
    });
  });
}

async function untilReady(
  place: RedisPlace,
  ended: Promise<RedisExit>,
  { log, signal }: Starting,
): Promise<void> {
  let exit: RedisExit | undefined;
  void ended.then((value) => (exit = value));
  let heardAt = performance.now();
  let reportedAt = heardAt;

  while (exit === undefined) {
    signal.throwIfAborted();
    const answer = await askRedis(place.socket, "PING").catch(() => "");
    if (answer.startsWith("+PONG")) return;

    const now = performance.now();
    if (answer !== "") heardAt = now;
    if (now - heardAt > SILENCE_MS) {
      throw new RedisServerError(`The gateway's Redis does not answer on ${place.socket}`);
    }
    if (answer.startsWith("-LOADING") && now - reportedAt > PROGRESS_MS) {
      reportedAt = now;
      log(`Redis is reading its data, ${await loadedPart(place.socket)} done`);
    }
    await Promise.race([sleep(POLL_MS), ended]);
  }
  throw new RedisServerError(describeExit("The gateway's Redis did not start", exit, place.dir));
}

async function loadedPart(socket: string): Promise<string> {
  const info = await askRedis(socket, "INFO persistence").catch(() => "");
  return `${/loading_loaded_perc:([\d.]+)/.exec(info)?.[1] ?? "0"} %`;
}

async function stop(
  child: ChildProcess,
  ended: Promise<RedisExit>,
  deadlineMs: number,
): Promise<void> {
  child.kill("SIGTERM");
  const deadline = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
  await ended;
  clearTimeout(deadline);
}

// `12345:M 21 Nov 2026 12:00:00.000 # text`: process and role, time, urgency, text.
const LINE = /^\d+:[A-Z] \d+ \w+ \d+ [\d:.]+ ([.\-*#]) (.*)$/;

// Redis logs what it says at its start and end as warnings.
const CHATTER =
  /^(oO0|\w+ version=|Configuration loaded|Server initialized|Received SIG|User requested shutdown|\w+ is now ready to exit|Diskless rdb transfer|Connection with replica .*<unknown-replica-port>)/;

const KEPT_LINES = 20;

/** Reads what a Redis server prints: passes its warnings on, and keeps the last lines. */
class RedisLog {
  readonly #warn: (line: string) => void;
  readonly #last: string[] = [];

  constructor(warn: (line: string) => void) {
    this.#warn = warn;
  }

  /** The last lines without process, role, time and level; oldest first. */
  get last(): readonly string[] {
    return this.#last;
  }

  read(stream: Readable): void {
    createInterface({ input: stream }).on("line", (line) => this.#take(line));
  }

  #take(line: string): void {
    const [, level, text = line] = LINE.exec(line) ?? [];
    if (text.trim() === "") return;
    this.#last.push(text);
    if (this.#last.length > KEPT_LINES) this.#last.shift();
    if (level === "#" && !CHATTER.test(text)) this.#warn(text);
  }
}

const ANSWER_MS = 1_000;

/**
 * Sends one command on its own connection, without a client library's handshake and retries: the
 * server may still be starting. Redis closes the connection after QUIT, which ends the answer.
 */
export async function askRedis(socket: string, command: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    let answer = "";
    const client = connect(socket, () => client.write(`${command}\r\nQUIT\r\n`));
    client.setEncoding("utf8").on("data", (text: string) => (answer += text));
    client.once("end", () => resolve(answer)).once("error", reject);
    client.setTimeout(ANSWER_MS, () => client.destroy(new Error("Redis did not answer in time")));
  });
}
