import { Command, type Redis } from "ioredis";
import { translateStoreErrors } from "../store-error.ts";

/** Time limits of single commands that differ from their connection's. */
const limits = new WeakMap<Command, number>();

/**
 * Rejects a command that is not answered in time, because its caller waits. ioredis' own
 * `commandTimeout` also rejects a command that was answered while this process was blocked: timers run
 * before the sockets are read. Here the sockets are read first, at half of the time and at its end, so
 * a blocked process takes at most half of the time away from Redis.
 */
export function limitWaiting(redis: Redis, usualMs: number): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const sent = send(command, stream);
    const halfMs = (limits.get(command) ?? usualMs) / 2;
    const giveUp = () => command.reject(new Error("Command timed out"));
    const waitOn = () => {
      if (!command.isSettled) timer = afterReading(halfMs, giveUp);
    };
    let timer = afterReading(halfMs, waitOn);
    const stop = () => clearTimeout(timer);
    command.promise.then(stop, stop);
    return sent;
  };
}

const afterReading = (ms: number, look: () => void) => setTimeout(() => setImmediate(look), ms);

const LONGEST_MS = 20_000;

/**
 * Reads a whole hash of thousands of entries. The usual limit is for one small answer: while a process
 * starts, much is queued before this command, and a reply that is merely slow would be thrown away and
 * requested again. A Redis that sends nothing at all loses its connection long before this limit.
 */
export async function readLongHash(
  redis: Redis,
  key: string,
): Promise<Readonly<Record<string, string>>> {
  const command = new Command("hgetall", [key], { replyEncoding: "utf8" });
  limits.set(command, LONGEST_MS);
  const reply = await translateStoreErrors(Promise.resolve(redis.sendCommand(command)));
  return reply as Readonly<Record<string, string>>;
}
