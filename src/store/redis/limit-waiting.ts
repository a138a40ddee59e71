import { Command, type Redis } from "ioredis";
import type { RedisClient } from "./redis-client.ts";
import { translateStoreErrors } from "../store-error.ts";

const LOOK_MS = 100;

/** How long single commands may wait, where that differs from their connection's limit. */
const limits = new WeakMap<Command, number>();

interface Waiting {
  readonly command: Command;
  /** It is given up at this look, unless it is answered by then. */
  readonly lastLook: number;
}

/** Of one server or of a Cluster. */
type Sender = Pick<Redis, "sendCommand">;

/**
 * Rejects a command that is not answered in time, because its caller waits. ioredis' own
 * `commandTimeout` also rejects a command that was answered while this process was blocked: timers run
 * before the sockets are read. Here it is looks that count, each after the sockets were read: a process
 * that was blocked, however long, takes no more than the time of one look away from Redis.
 *
 * One timer does for all commands of the connection; one for each was a twentieth of what they cost.
 */
export function limitWaiting(redis: Sender, usualMs: number): void {
  const send = redis.sendCommand.bind(redis);
  /** In the order in which they were sent, which is that of the answers. */
  let waiting: Waiting[] = [];
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;

  redis.sendCommand = (command, stream) => {
    const sent = send(command, stream);
    while (waiting[0]?.command.isSettled === true) waiting.shift();
    // The time until the next look is not a whole one.
    const lastLook = looks + 1 + Math.ceil((limits.get(command) ?? usualMs) / LOOK_MS);
    waiting.push({ command, lastLook });
    timer ??= afterReading(look);
    return sent;
  };

  function look(): void {
    looks += 1;
    for (const { command, lastLook } of waiting) {
      if (looks >= lastLook && !command.isSettled) command.reject(new Error("Command timed out"));
    }
    waiting = waiting.filter(({ command }) => !command.isSettled);
    timer = waiting.length === 0 ? undefined : afterReading(look);
  }
}

const afterReading = (look: () => void) => setTimeout(() => setImmediate(look), LOOK_MS);

const LONGEST_MS = 20_000;

/**
 * Reads a whole hash of thousands of entries. The usual limit is for one small answer: while a process
 * starts, much is queued before this command, and a reply that is merely slow would be thrown away and
 * requested again. A Redis that sends nothing at all loses its connection long before this limit.
 */
export async function readLongHash(
  redis: RedisClient,
  key: string,
): Promise<Readonly<Record<string, string>>> {
  const command = new Command("hgetall", [key], { replyEncoding: "utf8" });
  limits.set(command, LONGEST_MS);
  const reply = await translateStoreErrors(Promise.resolve(redis.sendCommand(command)));
  return reply as Readonly<Record<string, string>>;
}
