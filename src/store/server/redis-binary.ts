import { spawn } from "node:child_process";

/**
 * The name every program is started under. Debian's redis-tools holds the whole server as
 * redis-check-rdb and installs no service; the program decides by its name what it is.
 */
export const SERVER_NAME = "redis-server";

/** A program that is a Redis server when it is started under `SERVER_NAME`. */
export interface RedisBinary {
  readonly file: string;
  readonly version: string;
}

/** No Redis server could be found or started; the message says what to do. */
export class RedisServerError extends Error {
  override readonly name = "RedisServerError";
}

const OLDEST = [6, 2] as const;
const DEBIAN_TOOLS = "/usr/bin/redis-check-rdb";
const ANSWER_MS = 5_000;

/** Looks for a server of 6.2 or newer: the one named, then in PATH, then Debian's redis-tools. */
export async function findRedisBinary(named?: string): Promise<RedisBinary> {
  if (named !== undefined) return accept({ file: named, version: (await versionOf(named)) ?? "" });

  for (const file of ["redis-server", "valkey-server", DEBIAN_TOOLS]) {
    const version = await versionOf(file);
    if (version !== undefined && isNewEnough(version)) return { file, version };
  }
  throw new RedisServerError(
    "No Redis or Valkey server of version 6.2 or newer was found. Install one (on Debian and Ubuntu\n" +
      "the package redis-tools has it without a service), or name the program in REDIS_SERVER_BIN, or\n" +
      "your own Redis in REDIS_URL.",
  );
}

/** True for 6.2 and everything after it. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function accept(binary: RedisBinary): RedisBinary {
  if (isNewEnough(binary.version)) return binary;
  const what = binary.version === "" ? "no Redis server program" : `Redis ${binary.version}`;
  throw new RedisServerError(
    `REDIS_SERVER_BIN names ${binary.file}, which is ${what}. Name one of version 6.2 or newer.`,
  );
}

/** A program is asked once: a fork of a large process costs some 10 ms, and its tests start hundreds of servers. */
const versions = new Map<string, Promise<string | undefined>>();

async function versionOf(file: string): Promise<string | undefined> {
  const asked = versions.get(file) ?? askVersion(file);
  versions.set(file, asked);
  const version = await asked;
  // It is missing, or was too slow on a busy machine: it may answer the next time.
  if (version === undefined) versions.delete(file);
  return version;
}

/** Undefined when there is no such program, or it is no Redis server. */
async function askVersion(file: string): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const child = spawn(file, ["--version"], {
      argv0: SERVER_NAME,
      stdio: ["ignore", "pipe", "ignore"],
    });
    // The timeout of `spawn` itself runs on where the program is missing, and with it the process of a command.
    const timer = setTimeout(() => child.kill(), ANSWER_MS);
    const end = (version?: string) => {
      clearTimeout(timer);
      resolve(version);
    };
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("error", () => end());
    child.once("close", () => end(/server v=(\d+\.\d+\.\d+)/.exec(output)?.[1]));
  });
}
