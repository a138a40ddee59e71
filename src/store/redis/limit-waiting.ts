import { type Command, Command, type Redis } from "ioredis";
import { translateStoreErrors } from "../store-error.ts";

/** What single commands may take, where it is not what their connection gives to all. */
const limits = new WeakMap<Command, number>();

/** To be called before the command is sent. */
export function limitCommand(command: Command, ms: number): void {
  limits.set(command, ms);
}

/**
 * Gives a command up that is not answered in time: its caller waits. ioredis' own `commandTimeout` also
 * gives up what was answered long ago, where this process stood still: timers run before what lies in
 * the sockets is read. Here that is read first, after half of the time and at its end, so a process
 * that stood still takes no more than half of it away from Redis.
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
 * A whole hash of thousands of entries, read behind everything that was sent on the connection before
 * it. How long a caller waits for one small answer says nothing of such a one: a process that starts
 * has much in hand, and what came in time would be thrown away, and be asked for again. A Redis from
 * which nothing comes is given up long before, with its connection.
 */
export async function readLongHash(
  redis: Redis,
  key: string,
): Promise<Readonly<Record<string, string>>> {
  const command = new Command("hgetall", [key], { replyEncoding: "utf8" });
  limitCommand(command, LONGEST_MS);
  const reply = await translateStoreErrors(Promise.resolve(redis.sendCommand(command)));
  return reply as Readonly<Record<string, string>>;
}
